//! Learns the merges of byte-pair encoding from a text, and encodes lines with them.

use stopwatch::scrambled;
use tokenizers::models::TrainerWrapper;
use tokenizers::models::bpe::{BPE, BpeTrainer};
use tokenizers::pre_tokenizers::whitespace::WhitespaceSplit;
use tokenizers::tokenizer::Tokenizer;

fn main() {
    for (name, lines, repeats) in [
        ("train, 1,000 lines", 1_000, 10),
        ("train, 20,000 lines", 20_000, 3),
    ] {
        let text = text(lines);
        stopwatch::measure(name, repeats, || trained(&text).get_vocab_size(true) as u64);
    }
    let tokenizer = trained(&text(2_000));
    for (name, lines, repeats) in [
        ("encode, 100 lines", 100, 100),
        ("encode, 10,000 lines", 10_000, 5),
    ] {
        let text = text(lines);
        stopwatch::measure(name, repeats, || {
            let encodings = tokenizer.encode_batch(text.clone(), false).unwrap();
            encodings.iter().map(|it| it.len() as u64).sum()
        });
    }
}

fn trained(text: &[String]) -> Tokenizer {
    let mut tokenizer = Tokenizer::new(BPE::default());
    tokenizer.with_pre_tokenizer(Some(WhitespaceSplit));
    let trainer = BpeTrainer::builder()
        .vocab_size(2_000)
        .show_progress(false)
        .build();
    let mut trainer = TrainerWrapper::from(trainer);
    tokenizer.train(&mut trainer, text.iter()).unwrap();
    tokenizer
}

/// Lines of twelve words of a few syllables, some of them frequent, as in real text.
fn text(lines: u64) -> Vec<String> {
    (0..lines)
        .map(|line| {
            let words = (0..12).map(|word| {
                let random = scrambled(line * 12 + word);
                let rank = (1u64 << (random % 14)) + random / 64 % 100;
                let syllables = 1 + scrambled(rank) % 4;
                let spelled = (0..syllables).map(|i| {
                    let at = scrambled(rank * 8 + i);
                    let of =
                        |letters: &[u8], n: u64| char::from(letters[n as usize % letters.len()]);
                    String::from_iter([of(b"bdfglmnprst", at), of(b"aeiou", at >> 8)])
                });
                spelled.collect::<String>()
            });
            words.collect::<Vec<_>>().join(" ")
        })
        .collect()
}

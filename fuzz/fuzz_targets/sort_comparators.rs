#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(
    init: filch_fuzz::guided::init(),
    |data: &[u8]| filch_fuzz::guided::run(filch_fuzz::sort_comparators, data)
);

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    filch_fuzz::alone::main(filch_fuzz::sort_comparators)
}

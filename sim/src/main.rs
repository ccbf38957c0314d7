//! Prints the table.
use sim::*;
fn main() {
    for name in names() {
        for p in [1, 2, 8, 64, 256] {
            let w = named(name, p);
            let t = std::time::Instant::now();
            let o = run(&w, p, &Choices::SHIPPED, &Costs::default(), 1);
            println!(
                "{name:16} {p:4} {:.2} {:.2}  {o:?} {:?}",
                o.time as f64 / w.ideal(p),
                o.processor() as f64 / w.work() as f64,
                t.elapsed()
            );
        }
    }
}

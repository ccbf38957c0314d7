use super::*;

/// The changes of a source, with their functions.
fn changes(text: &str) -> Vec<String> {
    let found = mutants("a.rs", text, 1).unwrap();
    let change = |it: &Mutant| format!("{}: {}", it.function, it.change());
    found.iter().map(change).collect()
}

#[test]
fn operators_and_numbers() {
    let text = "fn f(a: usize, b: usize) -> bool { a + 1 <= b && !(b == 0) }";
    let expected = [
        "f: a + 1 <= b && !(b == 0) -> a + 1 <= b || !(b == 0)",
        "f: a + 1 <= b -> a + 1 < b",
        "f: a + 1 -> a - 1",
        "f: 1 -> 0",
        "f: !(b == 0) -> (b == 0)",
        "f: b == 0 -> b != 0",
        "f: 0 -> 1",
    ];
    assert_eq!(changes(text), expected);
}

#[test]
fn conditions() {
    let text = "fn f(a: u8, o: Option<u8>) -> u8 {
        if a != b { return c; }
        if let Some(x) = o && x > a { return x; }
        while a > b {}
        match a { x if x.is_lt(b) => c, _ => a.min(b) }
    }";
    let expected = [
        "f: a != b -> true",
        "f: a != b -> false",
        "f: x > a -> x >= a",
        "f: a > b -> false",
        "f: a > b -> a >= b",
        "f: x.is_lt(b) -> true",
        "f: x.is_lt(b) -> false",
        "f: x.is_lt(b) -> x.is_le(b)",
        "f: a.min(b) -> a.max(b)",
    ];
    assert_eq!(changes(text), expected);
}

#[test]
fn statements() {
    let text = "impl A {
        fn f(&mut self) {
            self.n += 1;
            if self.g() { h() } else { unsafe { self.p.write(x) } }
            unsafe { k(); }
            for i in self { self.n = i; }
            assert!(self.n > 1);
                debug_assert!(self.n > 1);
            self.k()
        }
        fn g(&self) -> bool { self.k() }
    }";
    let expected = [
        "f: without self.n += 1;",
        "f: self.n += 1 -> self.n -= 1",
        "f: self.g() -> true",
        "f: self.g() -> false",
        "f: without h()",
        "f: without unsafe { self.p.write(x) }",
        "f: without k();",
        "f: without self.n = i;",
        "f: without assert!(self.n > 1);",
        "f: without self.k()",
    ];
    assert_eq!(changes(text), expected);
}

#[test]
fn what_the_compiler_runs_and_tests_stay() {
    let text = "const A: usize = 1 + 2;
        static B: [u8; 4] = [0; 4];
        const fn c(a: usize) -> usize { a + 1 }
        enum E { X = 1 }
        impl F { const G: bool = 1 < 2; }
        fn h(a: [u8; 3]) { const { assert!(1 > 2) }; let [x, 1 | 2] = a else { return }; k::<4>(); }
        #[cfg(test)] mod tests { fn t() { assert_eq!(1 + 1, f(2)); g(1); } }
        #[cfg(filch_loom)] fn l() { g(1); }
        #[test] fn u() { g(1); }
        fn m() { #[cfg(filch_loom)] if a { g(1); } #[cfg(filch_loom)] g(1); #[cfg(test)] a.g(1); let _ = planted!(\"it\"); }
        fn n() -> u8 { if !planted!(\"it\") { a } else if cfg!(windows) { b } else { c } }";
    assert_eq!(changes(text), ["h: without k::<4>();"]);
    assert_eq!(
        changes("#[cfg(not(filch_loom))] fn l() { g(); }"),
        ["l: without g();"]
    );
}

#[test]
fn a_long_change_shows_what_differs() {
    let long =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    let [change] = &changes(&format!("fn f() -> bool {{ {long} && b }}"))[..] else {
        panic!("one operator")
    };
    assert!(
        change.contains("a && b") && change.contains("a || b"),
        "{change}"
    );
}

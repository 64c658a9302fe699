#![no_main]
//! Any text as a condition.

use libfuzzer_sys::fuzz_target;
use locus_aeolus::{ComponentType, State, Universe, Want};

fuzz_target!(|text: &str| {
    let mut universe = Universe::new();
    universe.port("@p");
    for name in ["a", "b"] {
        let states = vec![State { name: "s".to_owned(), ..State::default() }];
        universe.add(ComponentType { name: name.to_owned(), states, ..ComponentType::default() });
    }
    let _ = Want::parse(&universe, text);
});

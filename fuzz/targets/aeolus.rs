#![no_main]
//! Any bytes as an Aeolus document: read, and planned if it wants something.

use libfuzzer_sys::fuzz_target;
use locus_plan::{Choice, Limits, Problem};
use locus_source::Sources;

fuzz_target!(|text: &str| {
    let sources = Sources::new();
    for name in ["fuzz.aeolus.yaml", "fuzz.aeolus.json"] {
        let file = sources.add(name, text);
        let document = locus_aeolus::read(&file, &locus_source::Limits::default()).document;
        let Some((want, _)) = &document.want else { continue };
        let (universe, start) = (&document.universe, &document.configuration);
        if !start.is_correct(universe) {
            continue;
        }
        let Choice::Chosen(chosen) = locus_plan::choose(universe, start, want) else { continue };
        if chosen.components.iter().map(|&(_, _, number)| number).sum::<u64>() > 1_000 {
            continue;
        }
        let (wanted, others) = locus_plan::wanted(universe, start, want, &chosen);
        let problem = Problem { universe, start, names: &document.names, wanted, others };
        let _ = locus_plan::solve(&problem, Limits { configurations: 1_000, variations: 10, searched: 200 });
    }
});

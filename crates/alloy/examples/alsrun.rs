//! Reads models and prints what is found in them: `alsrun FILE…`.
#![expect(clippy::print_stdout, reason = "an example command")]

use locus_source::Sources;

fn main() {
    for path in std::env::args().skip(1) {
        let sources = Sources::new();
        let text = std::fs::read_to_string(&path).expect("a text file");
        let file = sources.add(path, text);
        let (_, findings) = locus_alloy::parse(&file);
        for finding in findings {
            println!("{}: {}", sources.describe(finding.primary.place), finding.message);
        }
    }
}

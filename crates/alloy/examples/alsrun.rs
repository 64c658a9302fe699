//! Reads models and prints what is found in them: `alsrun FILE…`.
#![expect(clippy::print_stdout, reason = "an example command")]

use locus_alloy::{Loader, Model};
use locus_source::Sources;

struct Files;

impl Loader for Files {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        match std::fs::read(name) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

fn main() {
    for path in std::env::args().skip(1) {
        let sources = Sources::new();
        let text = std::fs::read_to_string(&path).expect("a text file");
        let file = sources.add(path, text);
        let (_, findings) = Model::load(&sources, &Files, file.id());
        for finding in findings {
            println!(
                "{}: {} {}: {}",
                sources.describe(finding.primary.place),
                finding.severity,
                finding.code,
                finding.message
            );
            for label in &finding.secondary {
                println!("    {}: {}", sources.describe(label.place), label.message);
            }
            for note in finding.notes.iter().chain(&finding.help) {
                println!("    {note}");
            }
        }
    }
}

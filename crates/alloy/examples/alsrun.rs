//! Reads models and prints what is found in them: `alsrun FILE…`.
#![expect(clippy::print_stdout, reason = "an example command")]

use locus_alloy::{Loader, Model, Options};
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
        let (model, findings) = Model::load(&sources, &Files, file.id());
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
        let Some(model) = model else { continue };
        let options = Options { timeout: Some(std::time::Duration::from_secs(20)), ..Options::default() };
        for (index, command) in model.commands().iter().enumerate() {
            let start = std::time::Instant::now();
            let answer = match model.execute(index, &options) {
                Ok(outcome) => outcome.verdict.as_str().to_owned(),
                Err(finding) => format!("error {}", finding.message),
            };
            println!(
                "{}\t{index}\t{}\t{answer}\t{:.1}",
                file.name(),
                command.name,
                start.elapsed().as_secs_f64() * 1e3
            );
        }
    }
}

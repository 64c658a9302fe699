//! Executes the commands of models: `alsrun [OPTIONS] FILE…`.
//!
//! Options: `--format human|table|tsv|json|xml|dot`, `--command INDEX`, `--timeout SECONDS`, `--symmetry N`, `--unrolls N`,
//! `--prevent-overflow`, `--core`, `--no-vacuity`, `--count LIMIT` (counts instances), `--eval EXPRESSION`.
#![expect(clippy::print_stdout, reason = "an example command")]

use std::time::{Duration, Instant};

use locus_alloy::render::{self, Executed};
use locus_alloy::{Loader, Model, Options, Overflow};
use locus_source::{Finding, Sources};

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

#[derive(Default)]
struct Settings {
    format: String,
    command: Option<usize>,
    count: Option<usize>,
    eval: Option<String>,
    options: Options,
}

fn main() {
    let mut settings = Settings { format: "human".to_owned(), ..Settings::default() };
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().expect("the option has a value");
        match arg.as_str() {
            "--format" => settings.format = value(),
            "--command" => settings.command = Some(value().parse().expect("an index")),
            "--count" => settings.count = Some(value().parse().expect("a number")),
            "--eval" => settings.eval = Some(value()),
            "--timeout" => {
                settings.options.timeout = Some(Duration::from_secs_f64(value().parse().expect("seconds")));
            }
            "--symmetry" => settings.options.symmetry = value().parse().expect("a number"),
            "--unrolls" => settings.options.unrolls = Some(value().parse().expect("a number")),
            "--prevent-overflow" => settings.options.overflow = Overflow::Prevent,
            "--core" => settings.options.cores = true,
            "--no-vacuity" => settings.options.vacuity = false,
            _ => files.push(arg),
        }
    }
    for path in files {
        run(&path, &settings);
    }
}

fn show(sources: &Sources, finding: &Finding) {
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

fn show_all(sources: &Sources, findings: &[Finding]) {
    for finding in findings {
        show(sources, finding);
    }
}

fn run(path: &str, settings: &Settings) {
    let sources = Sources::new();
    let text = std::fs::read_to_string(path).expect("a text file");
    let file = sources.add(path, text);
    let (model, findings) = Model::load(&sources, &Files, file.id());
    if matches!(settings.format.as_str(), "human" | "tsv") {
        show_all(&sources, &findings);
    }
    let Some(model) = model else { return };
    let wanted = |index: &usize| settings.command.is_none_or(|command| command == *index);
    let mut executed = Vec::new();
    for index in (0..model.commands().len()).filter(wanted) {
        if let Some(limit) = settings.count {
            let mut instances =
                model.instances(index, &settings.options).expect("a command that can be analysed");
            let mut count = 0;
            while count < limit && instances.next().expect("time enough").is_some() {
                count += 1;
            }
            println!("{path}\t{index}\t{}\t{count}", model.commands()[index].name);
            continue;
        }
        let start = Instant::now();
        let result = model.execute(index, &settings.options);
        executed.push(Executed { index, result, time: start.elapsed() });
    }
    let instances = || executed.iter().filter_map(|one| one.result.as_ref().ok()?.instance.as_ref());
    if let Some(text) = &settings.eval {
        for instance in instances() {
            match model.eval(&sources, instance, text) {
                Ok(answer) => println!("{answer}"),
                Err(findings) => findings.iter().for_each(|finding| show(&sources, finding)),
            }
        }
        return;
    }
    match settings.format.as_str() {
        "json" => println!("{}", render::json(&model, &sources, &executed)),
        "xml" => instances().for_each(|instance| println!("{}", render::xml(&model, &sources, instance))),
        "dot" => instances().for_each(|instance| println!("{}", render::dot(&model, instance))),
        "tsv" => {
            for one in &executed {
                let verdict = match &one.result {
                    Ok(outcome) => outcome.verdict.as_str().to_owned(),
                    Err(finding) => format!("error {}", finding.message),
                };
                let name = &model.commands()[one.index].name;
                println!("{path}\t{}\t{name}\t{verdict}\t{:.3}", one.index, one.time.as_secs_f64() * 1e3);
            }
        }
        "table" => print!("{}", render::table(&model, &executed)),
        _ => {
            print!("{}", render::table(&model, &executed));
            for one in &executed {
                if let Ok(outcome) = &one.result {
                    let findings = outcome.findings(&model.commands()[one.index]);
                    show_all(&sources, &findings);
                    if let Some(instance) = &outcome.instance {
                        println!(
                            "\n{}:\n{}",
                            model.commands()[one.index].name,
                            render::text(&model, instance)
                        );
                    }
                }
            }
        }
    }
}

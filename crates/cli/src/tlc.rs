//! Options of TLC, for people who know them: each is named like ours, or it is said why there is none.

/// The counterpart of an option of TLC.
enum Ours {
    /// An option of `locus tla check`, and what TLC takes beside its own.
    Named(&'static str),
    /// Something else, in a sentence without a full stop.
    Said(&'static str),
}

use Ours::{Named, Said};

/// The options of TLC without their dash, each with ours.
const OPTIONS: &[(&str, Ours)] = &[
    ("DTLA-Library", Named("--library DIR")),
    ("aril", Said("`locus tla simulate --seed N` alone decides which behaviours are walked through")),
    ("checkpoint", Said("`--checkpoint DIR` saves the search in that folder every ten minutes")),
    ("cleanup", Said("there is nothing to clean up: files of a search are removed when it ends")),
    ("config", Named("--config FILE")),
    ("continue", Named("--continue")),
    ("coverage", Said("`--coverage` takes no minutes, and reports at the end")),
    ("deadlock", Named("--no-deadlock")),
    ("debug", Said("`-v` says more")),
    ("debugger", Said("there is no debugger; `--trace-expr EXPRESSION` shows an expression in every state")),
    ("depth", Said("`locus tla simulate --depth N` limits behaviours; a search has no such limit")),
    ("dfid", Said("a search is breadth first only; `--max-states N` ends it sooner")),
    ("difftrace", Said("a behaviour shows only what changed; `-v` shows all of each state")),
    ("dump", Said("`--dump FILE` writes the state graph, by the ending of the file (.dot, .json, .ndjson)")),
    ("dumpTrace", Said("`--format json` writes the behaviour, `--format tla` writes it as a module")),
    ("fp", Said("the function of fingerprints cannot be chosen")),
    ("fpbits", Said("the memory of fingerprints is limited by `--max-memory BYTES`")),
    ("fpmem", Said("memory is limited by `--max-memory BYTES`")),
    ("generate", Said("`locus tla simulate` walks through random behaviours")),
    ("generateSpecTE", Said("`--format tla` writes the behaviour as a module")),
    ("gzip", Said("files of a search are not compressed")),
    ("lncheck", Said("temporal properties are checked when everything is explored")),
    ("maxSetSize", Said("the size of a set cannot be chosen; `--max-memory BYTES` limits memory")),
    ("loadTrace", Said("`locus tla trace` compares a behaviour that was logged with the specification")),
    ("metadir", Said("`--checkpoint DIR` names the folder that a search is saved in")),
    ("modelcheck", Said("`locus tla check` does that unless it is told otherwise")),
    ("noGenerateSpecTE", Said("no module is written unless `--format tla` asks for it")),
    ("noGenerateSpecTEBin", Said("no module is written unless `--format tla` asks for it")),
    ("noTE", Said("no module is written unless `--format tla` asks for it")),
    ("nowarning", Said("`--fail-on error` leaves warnings out of the exit code")),
    ("postCondition", Said("a postcondition is `POSTCONDITION Name` in the configuration")),
    ("recover", Said("`--checkpoint DIR --resume` goes on with the search that was saved there")),
    ("seed", Said("`locus tla simulate --seed N` names where chance starts")),
    (
        "simulate",
        Said("`locus tla simulate` walks through random behaviours: `--traces N`, `--depth N`, `--seed N`"),
    ),
    ("teSpecOutDir", Said("`--format tla` writes the behaviour as a module, to standard output")),
    ("terse", Said("values are always written out; `--format json` is for programs")),
    ("tool", Said("`--format json` is for programs")),
    ("userFile", Said("what a specification prints is part of the answer")),
    (
        "view",
        Said("a behaviour shows the variables, or what `ALIAS` in the configuration has in their place"),
    ),
    ("workers", Named("--workers N")),
];

/// The commands that take the place of TLC.
const COMMANDS: &[&str] = &["check", "simulate"];

/// The advice for a command line that could not be parsed, if it has an option of TLC.
pub(crate) fn advice(arguments: impl IntoIterator<Item = String>) -> Option<String> {
    let mut arguments = arguments.into_iter().skip_while(|argument| argument != "check" && argument != "tla");
    if arguments.next()? == "tla" && !COMMANDS.contains(&arguments.next()?.as_str()) {
        return None;
    }
    let dashed = |argument: String| argument.strip_prefix('-').map(str::to_owned);
    let (theirs, ours) = arguments.filter_map(dashed).find_map(|name| {
        // Java's way of telling TLC where modules are.
        let name = if name.starts_with("DTLA-Library") { "DTLA-Library" } else { &name };
        OPTIONS
            .iter()
            .find(|(theirs, _)| theirs.eq_ignore_ascii_case(name))
            .map(|(theirs, ours)| (theirs, ours))
    })?;
    Some(match ours {
        Named(ours) => format!("`-{theirs}` is an option of TLC; here it is `{ours}` of `locus tla check`"),
        Said(what) => format!("`-{theirs}` is an option of TLC; here, {what}"),
    })
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, OPTIONS, Ours, advice};
    use clap::CommandFactory;

    fn of(line: &str) -> Option<String> {
        advice(line.split(' ').map(str::to_owned))
    }

    #[test]
    fn options_of_tlc_get_the_name_of_ours() {
        let said = of("locus tla check Spec.tla -workers 4 -deadlock").unwrap();
        assert_eq!(said, "`-workers` is an option of TLC; here it is `--workers N` of `locus tla check`");
        assert!(
            of("locus --color never tla simulate -depth 5 Spec.tla")
                .unwrap()
                .contains("`locus tla simulate --depth N`")
        );
        assert!(of("locus check -config A.cfg Spec.tla").unwrap().contains("--config FILE"));
        assert!(of("locus tla check Spec.tla -dumptrace json x").unwrap().starts_with("`-dumpTrace`"));
        assert!(of("locus tla check -DTLA-Library=lib Spec.tla").unwrap().contains("--library DIR"));
        // Options of ours, and other commands.
        for line in
            ["locus tla check Spec.tla --worker 4", "locus plan -deadlock", "locus", "locus tla check -q"]
        {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn every_option_that_is_named_exists() {
        let command = crate::args::Args::command();
        let tla = command.find_subcommand("tla").unwrap();
        let known = |command: &str, option: &str| {
            let command = tla.find_subcommand(command).unwrap();
            command.get_arguments().filter_map(clap::Arg::get_long).any(|long| long == option)
        };
        for (theirs, ours) in OPTIONS {
            let (Ours::Named(text) | Ours::Said(text)) = ours;
            for option in text.split("--").skip(1) {
                let option = option.split([' ', '`']).next().unwrap();
                assert!(COMMANDS.iter().any(|command| known(command, option)), "-{theirs}: --{option}");
            }
        }
    }
}

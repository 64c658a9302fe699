//! The options that languages take, on the command line: declared from what the languages say of them.

use std::path::PathBuf;

use clap::builder::ValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use locus_language::Choice;
use locus_language::options::{Scope, Takes};

use crate::languages;

/// The values of one option, as they were written.
#[derive(Clone, Debug)]
pub(crate) enum Raw {
    /// It is there.
    Flag,
    /// Texts.
    Texts(Vec<String>),
    /// Paths of files or folders.
    Paths(Vec<PathBuf>),
}

impl Raw {
    /// Whether it may have values and has none.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Flag => false,
            Self::Texts(texts) => texts.is_empty(),
            Self::Paths(paths) => paths.is_empty(),
        }
    }
}

/// The options of languages that were given, for commands that read a document.
#[derive(Clone, Default, Debug)]
pub(crate) struct Given(pub(crate) Vec<(Choice, Raw)>);

/// The same for the command that draws one.
#[derive(Clone, Default, Debug)]
pub(crate) struct GivenToDraw(pub(crate) Vec<(Choice, Raw)>);

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        declared(command, Scope::Reading, Some("Reading"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        given(matches, Scope::Reading).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for GivenToDraw {
    fn augment_args(command: Command) -> Command {
        declared(command, Scope::Picture, None)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GivenToDraw {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        given(matches, Scope::Picture).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The options of this scope, each once, in the order of the languages.
fn choices(scope: Scope) -> Vec<Choice> {
    let mut all: Vec<Choice> = Vec::new();
    for choice in languages::ALL.iter().flat_map(|language| language.options().iter()) {
        if choice.scope == scope && all.iter().all(|other| other.name != choice.name) {
            all.push(*choice);
        }
    }
    all
}

fn declared(command: Command, scope: Scope, heading: Option<&'static str>) -> Command {
    let option = |choice: Choice| {
        let mut option = Arg::new(choice.name).long(choice.name).help(choice.help).help_heading(heading);
        if let Some(short) = choice.short {
            option = option.short(short);
        }
        if let Some((long, short)) = choice.alias {
            option = option.visible_alias(long).visible_short_alias(short);
        }
        match choice.takes {
            Takes::Nothing => option.action(ArgAction::SetTrue),
            Takes::Texts | Takes::Pairs => option
                .value_name(choice.value_name)
                .action(ArgAction::Append)
                .value_parser(ValueParser::string()),
            Takes::Files | Takes::Folders => option
                .value_name(choice.value_name)
                .action(ArgAction::Append)
                .value_parser(ValueParser::path_buf()),
        }
    };
    command.args(choices(scope).into_iter().map(option))
}

fn given(matches: &ArgMatches, scope: Scope) -> Result<Vec<(Choice, Raw)>, Error> {
    let mut all = Vec::new();
    for choice in choices(scope) {
        let raw = match choice.takes {
            Takes::Nothing => {
                let is_there = matches.try_get_one::<bool>(choice.name).map_err(wrong)?;
                is_there.copied().unwrap_or(false).then_some(Raw::Flag)
            }
            Takes::Texts | Takes::Pairs => {
                let texts = matches.try_get_many::<String>(choice.name).map_err(wrong)?;
                texts.map(|texts| Raw::Texts(texts.cloned().collect()))
            }
            Takes::Files | Takes::Folders => {
                let paths = matches.try_get_many::<PathBuf>(choice.name).map_err(wrong)?;
                paths.map(|paths| Raw::Paths(paths.cloned().collect()))
            }
        };
        all.extend(raw.map(|raw| (choice, raw)));
    }
    Ok(all)
}

#[expect(clippy::needless_pass_by_value, reason = "it is for `map_err`")]
fn wrong(error: clap::parser::MatchesError) -> Error {
    Error::raw(ErrorKind::InvalidValue, format!("{error}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_agree_about_an_option_of_one_name() {
        let all = || languages::ALL.iter().flat_map(|language| language.options().iter());
        for one in all() {
            assert!(all().all(|other| other.name != one.name || other == one), "--{}", one.name);
            assert_eq!(one.scope == Scope::Command, one.help.is_empty(), "--{}", one.name);
        }
        assert!(choices(Scope::Reading).len() >= 3 && choices(Scope::Picture).len() == 1);
    }
}

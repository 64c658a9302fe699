//! The options of the command line that languages take, and the values that were given for them.
//!
//! An option is a [`Choice`] of the language that takes it: the command offers all that any of its languages takes, and
//! hands their values down as one map. Those that several languages have in common are here. Out of scope: parsing a
//! command line, and reading the files that it names.

use std::collections::BTreeMap;
use std::sync::Arc;

use locus_source::{Limits, Loader, SourceFile, Sources};

use crate::Request;

/// An option of the command line that only some languages have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The name, without dashes; an option is told by it.
    pub name: &'static str,
    /// The name of one letter.
    pub short: Option<char>,
    /// A second name of each kind.
    pub alias: Option<(&'static str, char)>,
    /// The values that it takes.
    pub takes: Takes,
    /// The word for a value in the help text.
    pub value_name: &'static str,
    /// The help text.
    pub help: &'static str,
    /// The commands that have it.
    pub scope: Scope,
}

/// The values of an option; those with values may be given several times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// None: it is given or not.
    Nothing,
    /// Texts.
    Texts,
    /// Names with values: `NAME=VALUE`.
    Pairs,
    /// Files, which are read before any document.
    Files,
    /// Folders, which documents may read from.
    Folders,
}

/// The commands that have an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Every command that reads a document.
    Reading,
    /// The one that draws a document.
    Picture,
    /// Commands that do something with it themselves, and so declare it.
    Command,
}

impl Choice {
    /// An option of every command that reads a document.
    pub const fn new(name: &'static str, takes: Takes, value_name: &'static str, help: &'static str) -> Self {
        Self { name, short: None, alias: None, takes, value_name, help, scope: Scope::Reading }
    }

    /// An option that commands declare themselves.
    pub const fn of_command(name: &'static str, takes: Takes) -> Self {
        Self { scope: Scope::Command, ..Self::new(name, takes, "", "") }
    }
}

/// `--environment`.
pub const ENVIRONMENT: Choice = Choice {
    short: Some('e'),
    alias: Some(("inputs", 'i')),
    ..Choice::new(
        "environment",
        Takes::Files,
        "FILE",
        "An environment for HOT templates, a file with inputs for TOSCA; several are joined, later ones win",
    )
};

/// `--parameter`.
pub const PARAMETER: Choice = Choice {
    short: Some('P'),
    ..Choice::new(
        "parameter",
        Takes::Pairs,
        "NAME=VALUE",
        "A value for a parameter of HOT templates, or for an input of TOSCA files",
    )
};

/// `--library`.
pub const LIBRARY: Choice = Choice::new(
    "library",
    Takes::Folders,
    "DIR",
    "A folder with further modules for TLA+ specifications and Alloy models, or with profiles for TOSCA files; may be given \
     several times",
);

/// `--rules`.
pub const RULES: Choice = Choice::of_command("rules", Takes::Nothing);

/// `--suggest`.
pub const SUGGEST: Choice = Choice::of_command("suggest", Takes::Nothing);

/// `--timeout`, of a language that looks at the clock by itself. Of all others the command stops waiting.
pub const TIMEOUT: Choice = Choice::of_command("timeout", Takes::Nothing);

/// The values of options.
#[derive(Clone, Default, Debug)]
pub struct Options(BTreeMap<&'static str, Entry>);

#[derive(Clone, Debug)]
struct Entry {
    choice: Choice,
    values: Values,
    is_given: bool,
}

/// The values of one option.
#[derive(Clone, Debug)]
pub enum Values {
    /// Of [`Takes::Nothing`].
    Flag,
    /// Of [`Takes::Texts`], and of [`Takes::Folders`] as absolute paths.
    Texts(Vec<String>),
    /// Of [`Takes::Pairs`].
    Pairs(Vec<(String, String)>),
    /// Of [`Takes::Files`].
    Files(Vec<Arc<SourceFile>>),
}

impl Options {
    /// The same with values for an option, as the user gave them.
    #[must_use]
    pub fn with(mut self, choice: Choice, values: Values) -> Self {
        self.set(choice, values, true);
        self
    }

    /// Sets the values of an option. They are not given by the user if something else implies them, such as the
    /// environment: a language that does not have the option may then overlook them.
    pub fn set(&mut self, choice: Choice, values: Values, is_given: bool) {
        self.0.insert(choice.name, Entry { choice, values, is_given });
    }

    /// The options that the user gave.
    pub fn given(&self) -> impl Iterator<Item = Choice> {
        self.0.values().filter(|entry| entry.is_given).map(|entry| entry.choice)
    }

    /// All options that have values, whoever gave them.
    pub fn all(&self) -> impl Iterator<Item = (Choice, &Values)> {
        self.0.values().map(|entry| (entry.choice, &entry.values))
    }

    /// Whether an option without values is there.
    pub fn has(&self, choice: Choice) -> bool {
        self.0.contains_key(choice.name)
    }

    /// The texts, or the paths, of an option.
    pub fn texts(&self, choice: Choice) -> &[String] {
        match self.values(choice) {
            Some(Values::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// The names and values of an option.
    pub fn pairs(&self, choice: Choice) -> &[(String, String)] {
        match self.values(choice) {
            Some(Values::Pairs(pairs)) => pairs,
            _ => &[],
        }
    }

    /// The files of an option.
    pub fn files(&self, choice: Choice) -> &[Arc<SourceFile>] {
        match self.values(choice) {
            Some(Values::Files(files)) => files,
            _ => &[],
        }
    }

    /// The folders that were given, for whatever option.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        let folders = self.0.values().filter(|entry| entry.choice.takes == Takes::Folders);
        folders.flat_map(|entry| self.texts(entry.choice)).map(String::as_str)
    }

    fn values(&self, choice: Choice) -> Option<&Values> {
        self.0.get(choice.name).map(|entry| &entry.values)
    }

    /// The same with the files among other sources, for a document that is read there.
    #[must_use]
    pub fn within(&self, sources: &Sources) -> Self {
        let mut options = self.clone();
        for entry in options.0.values_mut() {
            if let Values::Files(files) = &mut entry.values {
                *files = files.iter().map(|file| sources.add(file.name(), file.text())).collect();
            }
        }
        options
    }
}

/// All that most languages read a document with beside its text.
#[derive(Default)]
pub struct Inputs<'i> {
    /// Files with values ([`ENVIRONMENT`]), in order: later ones win.
    pub environments: Vec<Arc<SourceFile>>,
    /// Values by name ([`PARAMETER`]); they win over files.
    pub parameters: Vec<(String, String)>,
    /// Folders to look for further files in ([`LIBRARY`]).
    pub libraries: Vec<String>,
    /// Reads the files that a document names. Without one, their content is not known.
    pub loader: Option<&'i dyn Loader>,
    /// The limits above which a text is refused.
    pub limits: Limits,
    /// Whether the document is read to be built: all that it comes to, with what only the deployment can work out.
    pub whole: bool,
}

impl<'i> Inputs<'i> {
    /// The inputs that a request has.
    pub fn of(request: &Request<'i>) -> Self {
        Self {
            environments: request.options.files(ENVIRONMENT).to_vec(),
            parameters: request.options.pairs(PARAMETER).to_vec(),
            libraries: request.options.texts(LIBRARY).to_vec(),
            loader: Some(&**request.loader),
            limits: request.limits.clone(),
            whole: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_their_option() {
        let sources = Sources::new();
        let file = sources.add("a.env", "a: 1\n");
        let mut options = Options::default()
            .with(LIBRARY, Values::Texts(vec!["/a".to_owned()]))
            .with(ENVIRONMENT, Values::Files(vec![Arc::clone(&file)]));
        options.set(PARAMETER, Values::Pairs(vec![("a".to_owned(), "1".to_owned())]), false);
        assert_eq!(options.texts(LIBRARY), ["/a"]);
        assert!(options.pairs(LIBRARY).is_empty() && !options.has(SUGGEST) && options.has(LIBRARY));
        let given: Vec<_> = options.given().map(|choice| choice.name).collect();
        assert_eq!(given, ["environment", "library"], "values that are implied are not given");
        let others = Sources::new();
        others.add("first", "");
        let moved = options.within(&others);
        let moved = &moved.files(ENVIRONMENT)[0];
        assert_eq!((moved.name(), moved.text()), (file.name(), file.text()));
        assert_ne!(moved.id(), file.id());
        assert_eq!(moved.id(), others.get(moved.id()).id());
    }
}

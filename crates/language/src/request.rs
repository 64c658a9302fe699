//! The request of the command to a language: where files come from, and what the user asked for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use locus_rules::Rules;
use locus_source::{Limits, Loader, SourceFile, Sources};

/// The inputs and options with which documents are read and judged.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    /// All files of the run; those that are read are added here.
    pub sources: &'r Sources,
    /// The limits above which a text is refused.
    pub limits: &'r Limits,
    /// Reads the files that a document names.
    pub loader: &'r Arc<dyn Loader>,
    /// Environments in order, later ones win ([`Choice::Environment`]).
    pub environments: &'r [Arc<SourceFile>],
    /// Values for parameters by name; they win over environments ([`Choice::Parameter`]).
    pub parameters: &'r [(String, String)],
    /// Folders with further modules ([`Choice::Library`]).
    pub libraries: &'r [String],
    /// Whether relationships are locations of their own in the location graph ([`Choice::Relationships`]).
    pub relationships_as_locations: bool,
    /// The files and options that are read as one with the file ([`Choice::Files`], [`Choice::EnvFiles`],
    /// [`Choice::Profiles`]).
    pub together: &'r Together,
    /// The user's own rules, already compiled ([`Choice::Rules`]).
    pub own_rules: &'r [Rules],
    /// How hard to try.
    pub effort: &'r Effort,
}

/// Files that are one document together, and which part of it is meant. All paths are absolute.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Together {
    /// The files in order, the one that is read among them; none if that is a document by itself.
    pub files: Vec<String>,
    /// Files of variables.
    pub variables: Vec<String>,
    /// The active profiles.
    pub profiles: Vec<String>,
}

/// How much time and how many threads the judging of one document may take.
#[derive(Clone, Debug)]
pub struct Effort {
    /// After which time to give up on each question ([`Choice::Timeout`]).
    pub timeout: Option<Duration>,
    /// How many threads to use. Documents of one run share all threads, so this may be one.
    pub workers: usize,
    /// Set when the user wants an end.
    pub stop: Option<Arc<AtomicBool>>,
}

/// An option of the command line that only some languages have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Choice {
    /// `--environment`.
    Environment,
    /// `--parameter`.
    Parameter,
    /// `--file`.
    Files,
    /// `--env-file`.
    EnvFiles,
    /// `--profile`.
    Profiles,
    /// `--rules`.
    Rules,
    /// `--suggest`.
    Suggest,
    /// `--library`.
    Library,
    /// `--relationships-as-locations`.
    Relationships,
    /// `--timeout`, of a language that looks at the clock by itself. Of all others the command stops waiting.
    Timeout,
    /// `--engine`.
    Engine,
}

impl Choice {
    /// How it is written on the command line.
    pub fn option(self) -> &'static str {
        match self {
            Self::Environment => "--environment",
            Self::Parameter => "--parameter",
            Self::Files => "--file",
            Self::EnvFiles => "--env-file",
            Self::Profiles => "--profile",
            Self::Rules => "--rules",
            Self::Suggest => "--suggest",
            Self::Library => "--library",
            Self::Relationships => "--relationships-as-locations",
            Self::Timeout => "--timeout",
            Self::Engine => "--engine",
        }
    }
}

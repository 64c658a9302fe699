//! Versions of HOT, and what each of them has.

/// A version of the language. Names of releases stand for the version of that release.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Version {
    /// `2013-05-23`, Icehouse.
    V2013,
    /// `2014-10-16`, Juno.
    V2014,
    /// `2015-04-30`, Kilo.
    V2015April,
    /// `2015-10-15`, Liberty.
    V2015October,
    /// `2016-04-08`, Mitaka.
    V2016April,
    /// `2016-10-14` or `newton`.
    V2016October,
    /// `2017-02-24` or `ocata`.
    V2017February,
    /// `2017-09-01` or `pike`.
    V2017September,
    /// `2018-03-02` or `queens`.
    V2018March,
    /// `2018-08-31` or `rocky`.
    V2018August,
    /// `2021-04-16` or `wallaby`.
    V2021,
}

use Version::{
    V2013, V2014, V2015April, V2015October, V2016April, V2016October, V2017February, V2017September,
    V2018August, V2018March, V2021,
};

/// Everything that Heat takes for a version, in order.
pub(crate) const NAMES: &[(&str, Version)] = &[
    ("2013-05-23", V2013),
    ("2014-10-16", V2014),
    ("2015-04-30", V2015April),
    ("2015-10-15", V2015October),
    ("2016-04-08", V2016April),
    ("2016-10-14", V2016October),
    ("2017-02-24", V2017February),
    ("2017-09-01", V2017September),
    ("2018-03-02", V2018March),
    ("2018-08-31", V2018August),
    ("2021-04-16", V2021),
    ("newton", V2016October),
    ("ocata", V2017February),
    ("pike", V2017September),
    ("queens", V2018March),
    ("rocky", V2018August),
    ("wallaby", V2021),
];

/// Releases of OpenStack without a version of their own, and the one that they understand.
const RELEASES: &[(&str, Version)] = &[
    ("icehouse", V2013),
    ("juno", V2014),
    ("kilo", V2015April),
    ("liberty", V2015October),
    ("mitaka", V2016April),
    ("stein", V2018August),
    ("train", V2018August),
    ("ussuri", V2018August),
    ("victoria", V2018August),
    ("xena", V2021),
    ("yoga", V2021),
    ("zed", V2021),
    ("antelope", V2021),
    ("bobcat", V2021),
    ("caracal", V2021),
    ("dalmatian", V2021),
    ("epoxy", V2021),
];

impl Version {
    /// The version with this name, if Heat knows it.
    pub fn parse(text: &str) -> Option<Self> {
        NAMES.iter().find(|(name, _)| *name == text).map(|(_, version)| *version)
    }

    /// Whether this is the name or the date of a release of OpenStack, though none that Heat knows a version by.
    pub fn is_release(text: &str) -> bool {
        let text = text.trim().to_ascii_lowercase();
        text == "2019-04-10" || RELEASES.iter().any(|(name, _)| *name == text)
    }

    /// The version that was probably meant by a name that Heat does not know: for a date the last one before
    /// it, for a release the one that it understands, otherwise the newest.
    pub fn nearest(text: &str) -> Self {
        let release = text.trim().to_ascii_lowercase();
        if let Some((_, version)) = RELEASES.iter().find(|(name, _)| *name == release) {
            return *version;
        }
        let is_date = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_date {
            let before = NAMES.iter().rfind(|(name, _)| name.len() == 10 && *name <= text);
            return before.map_or(V2013, |(_, version)| *version);
        }
        locus_source::words::nearest(text, NAMES.iter().copied()).unwrap_or(V2021)
    }

    /// Its date, which is the name that all Heats that know it take.
    pub fn date(self) -> &'static str {
        NAMES[self as usize].0
    }

    /// Whether it has conditions, and what goes with them.
    pub(crate) fn has_conditions(self) -> bool {
        self >= V2016October
    }

    /// Whether parameters may have tags.
    pub(crate) fn has_tags(self) -> bool {
        self >= V2018March
    }

    /// Whether parameters may have a modulo constraint.
    pub(crate) fn has_modulo(self) -> bool {
        self >= V2017February
    }
}

/// A function of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Function {
    GetParam,
    GetResource,
    GetAttr,
    GetFile,
    ListJoin,
    StrReplace,
    StrReplaceStrict,
    StrReplaceVeryStrict,
    ResourceFacade,
    Repeat,
    Digest,
    StrSplit,
    MapMerge,
    MapReplace,
    Yaql,
    If,
    Filter,
    MakeUrl,
    ListConcat,
    ListConcatUnique,
    Contains,
    Equals,
    Not,
    And,
    Or,
    /// `Ref` of the older language.
    Ref,
    /// `Fn::Select` of the older language.
    Select,
    /// A function of the older language whose result is not worked out here.
    Old,
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Context {
    /// Where a value is wanted.
    Value,
    /// Where a condition is wanted.
    Condition,
}

/// The meaning of a name where a function may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// A function.
    Function(Function),
    /// A function that the version no longer has. Heat refuses it.
    Removed,
    /// A function that is not for this place. Heat refuses it.
    Misplaced,
    /// A function of a later version: here it is a key like any other.
    Later(Version),
    /// A function for conditions only: elsewhere it is a key like any other.
    ConditionOnly,
    /// A key like any other.
    Key,
}

/// Functions with the versions from which they are, where values are wanted.
const FUNCTIONS: &[(&str, Function, Version)] = &[
    ("get_param", Function::GetParam, V2013),
    ("get_resource", Function::GetResource, V2013),
    ("get_attr", Function::GetAttr, V2013),
    ("get_file", Function::GetFile, V2013),
    ("list_join", Function::ListJoin, V2013),
    ("str_replace", Function::StrReplace, V2013),
    ("resource_facade", Function::ResourceFacade, V2013),
    ("repeat", Function::Repeat, V2015April),
    ("digest", Function::Digest, V2015April),
    ("str_split", Function::StrSplit, V2015October),
    ("map_merge", Function::MapMerge, V2016April),
    ("yaql", Function::Yaql, V2016October),
    ("map_replace", Function::MapReplace, V2016October),
    ("if", Function::If, V2016October),
    ("filter", Function::Filter, V2017February),
    ("str_replace_strict", Function::StrReplaceStrict, V2017February),
    ("make_url", Function::MakeUrl, V2017September),
    ("list_concat", Function::ListConcat, V2017September),
    ("str_replace_vstrict", Function::StrReplaceVeryStrict, V2017September),
    ("list_concat_unique", Function::ListConcatUnique, V2017September),
    ("contains", Function::Contains, V2017September),
];

/// Functions of the older language with the version from which they are gone.
const REMOVED: &[(&str, Function, Version)] = &[
    ("Fn::GetAZs", Function::Old, V2014),
    ("Ref", Function::Ref, V2014),
    ("Fn::Join", Function::ListJoin, V2014),
    ("Fn::Split", Function::Old, V2014),
    ("Fn::Replace", Function::Old, V2014),
    ("Fn::Base64", Function::Old, V2014),
    ("Fn::MemberListToMap", Function::Old, V2014),
    ("Fn::ResourceFacade", Function::Old, V2014),
    ("Fn::Select", Function::Select, V2015October),
];

/// Functions where conditions are wanted.
const CONDITIONS: &[(&str, Function, Version)] = &[
    ("get_param", Function::GetParam, V2016October),
    ("equals", Function::Equals, V2016October),
    ("not", Function::Not, V2016October),
    ("and", Function::And, V2016October),
    ("or", Function::Or, V2016October),
    ("yaql", Function::Yaql, V2017September),
    ("contains", Function::Contains, V2017September),
];

impl Version {
    /// The meaning of a name in this version.
    pub(crate) fn meaning(self, name: &str, context: Context) -> Meaning {
        let find = |table: &[(&str, Function, Version)]| {
            table.iter().find(|entry| entry.0 == name).map(|entry| (entry.1, entry.2))
        };
        if let Some((function, gone)) = find(REMOVED) {
            return match context {
                _ if self >= gone => Meaning::Removed,
                Context::Value => Meaning::Function(function),
                Context::Condition => Meaning::Misplaced,
            };
        }
        let (values, conditions) = (find(FUNCTIONS), find(CONDITIONS));
        let wanted = if context == Context::Value { values } else { conditions };
        match (wanted, values) {
            (Some((function, since)), _) if self >= since => Meaning::Function(function),
            // Where a condition is wanted, Heat knows the other functions and refuses them.
            (_, Some((_, since))) if self >= since => Meaning::Misplaced,
            (_, Some((_, since))) => Meaning::Later(since),
            (None, None) if conditions.is_some() => Meaning::ConditionOnly,
            _ => Meaning::Key,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_dates_and_names() {
        assert_eq!(Version::parse("rocky"), Version::parse("2018-08-31"));
        for (name, version) in NAMES {
            assert_eq!(Version::parse(name), Some(*version));
            assert_eq!(Version::parse(version.date()), Some(*version));
        }
        assert_eq!(Version::parse("stein"), None);
        assert_eq!(Version::nearest("stein"), V2018August);
        assert_eq!((Version::nearest("zed"), Version::is_release("zed")), (V2021, true));
        assert_eq!(Version::nearest("2019-04-10"), V2018August);
        assert_eq!(Version::nearest("2012-01-01"), V2013);
        assert_eq!(Version::nearest("roky"), V2018August);
    }

    #[test]
    fn functions_come_and_go() {
        let value = |version: Version, name| version.meaning(name, Context::Value);
        assert_eq!(value(V2013, "Fn::Join"), Meaning::Function(Function::ListJoin));
        assert_eq!(value(V2014, "Fn::Join"), Meaning::Removed);
        assert_eq!(value(V2014, "Fn::Select"), Meaning::Function(Function::Select));
        assert_eq!(value(V2015October, "Fn::Select"), Meaning::Removed);
        assert_eq!(value(V2015October, "yaql"), Meaning::Later(V2016October));
        assert_eq!(value(V2021, "equals"), Meaning::ConditionOnly);
        assert_eq!(value(V2021, "image"), Meaning::Key);
        let condition = |version: Version, name| version.meaning(name, Context::Condition);
        assert_eq!(condition(V2016October, "get_attr"), Meaning::Misplaced);
        assert_eq!(condition(V2016October, "yaql"), Meaning::Misplaced);
        assert_eq!(condition(V2017September, "yaql"), Meaning::Function(Function::Yaql));
    }
}

//! The forms in which keys and drivers are stored, and how those of older versions are read.
//!
//! A key is a text if it is a name, and a list of texts and numbers otherwise. No two keys are written alike, and what
//! older versions stored of things that they knew by name reads as that.
//!
//! Out of scope: the meaning of segments, and how people write keys on a command line.

use std::fmt;

use locus_drivers::Site;
use locus_meaning::{Key, Segment};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A key in what is stored.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoredKey(pub Key);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Part {
    Number(u32),
    Name(String),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Name(String),
    Parts(Vec<Part>),
}

impl Serialize for StoredKey {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let part = |segment: &Segment| match segment {
            Segment::Name(name) => Part::Name(name.to_string()),
            Segment::Number(number) => Part::Number(*number),
        };
        let written = match self.0.as_name() {
            Some(name) => Written::Name(name.to_string()),
            None => Written::Parts(self.0.segments().iter().map(part).collect()),
        };
        written.serialize(to)
    }
}

impl<'de> Deserialize<'de> for StoredKey {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let segment = |part: Part| match part {
            Part::Name(name) => Segment::Name(name.into()),
            Part::Number(number) => Segment::Number(number),
        };
        Ok(Self(match Written::deserialize(from)? {
            Written::Name(name) => Key::name(name),
            Written::Parts(parts) => Key::of(parts.into_iter().map(segment)),
        }))
    }
}

impl StoredKey {
    /// The key that a text is, if it is a list of texts and numbers as JSON writes it.
    pub fn parse(text: &str) -> Option<Self> {
        text.starts_with('[').then(|| serde_json::from_str(text).ok()).flatten()
    }

    /// The value that programs read.
    pub fn json(&self) -> serde_json::Value {
        serde_json::to_value(self).expect("texts and numbers can be written")
    }
}

impl From<Key> for StoredKey {
    fn from(key: Key) -> Self {
        Self(key)
    }
}

impl fmt::Debug for StoredKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A key as a command line takes it back: always as a list.
impl fmt::Display for StoredKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_name() {
            Some(_) => write!(f, "[{}]", self.json()),
            None => write!(f, "{}", self.json()),
        }
    }
}

/// Reads a driver and what it is told, also as older versions stored it.
pub(crate) fn site<'de, D: Deserializer<'de>>(from: D) -> Result<Site, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Older {
        Simulated(u64),
        Script,
        Docker(String),
        At(Site),
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Now(Site),
        Older(Older),
    }
    Ok(match Either::deserialize(from)? {
        Either::Now(site) | Either::Older(Older::At(site)) => site,
        Either::Older(Older::Simulated(seed)) => Site::new("simulated", [("seed", seed.to_string())]),
        Either::Older(Older::Script) => Site::new("script", []),
        Either::Older(Older::Docker(host)) => Site::new("docker", [("host", host)]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_of_older_versions_are_read() {
        let docker = Site::new("docker", [("host", "unix:///d".to_owned())]);
        for (text, wanted) in [
            ("\"script\"", Site::new("script", [])),
            ("{\"simulated\":7}", Site::new("simulated", [("seed", "7".to_owned())])),
            ("{\"docker\":\"unix:///d\"}", docker.clone()),
            ("{\"at\":{\"driver\":\"docker\",\"host\":\"unix:///d\"}}", docker.clone()),
            ("{\"driver\":\"docker\",\"host\":\"unix:///d\"}", docker),
        ] {
            let mut read = serde_json::Deserializer::from_str(text);
            assert_eq!(site(&mut read).expect(text), wanted);
        }
        assert!(site(&mut serde_json::Deserializer::from_str("{\"cloud\":7}")).is_err());
    }

    #[test]
    fn keys_that_differ_are_written_differently_and_read_back() {
        let keys = [
            Key::name("a[0]"),
            Key::name("a").numbered(0),
            Key::within("a", "0"),
            Key::name("[\"a\",0]"),
            Key::within("a", "b").numbered(3),
            Key::of([]),
            Key::of([Segment::Number(1), Segment::Name("a".into())]),
        ];
        let mut seen = [std::collections::BTreeSet::new(), std::collections::BTreeSet::new()];
        for key in keys {
            let key = StoredKey(key);
            let text = serde_json::to_string(&key).expect("it can be written");
            assert_eq!(serde_json::from_str::<StoredKey>(&text).expect("it was written"), key);
            assert_eq!(StoredKey::parse(&key.to_string()).as_ref(), Some(&key), "{key}");
            assert!(seen[0].insert(text) && seen[1].insert(key.to_string()), "{key}");
        }
        assert_eq!(StoredKey::parse("a[0]"), None);
        assert_eq!(StoredKey::parse("[a]"), None);
        let old: StoredKey = serde_json::from_str("\"a[0]\"").expect("a text is a name");
        assert_eq!(old.0, Key::name("a[0]"));
    }
}

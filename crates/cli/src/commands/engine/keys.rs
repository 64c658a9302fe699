//! How a command line names a node: by the name that `locus status` shows, or by its key.
//!
//! A key is a list of texts and numbers, as JSON writes it: `["web"]`, `["web",0]`. Everything else is a name.

use anyhow::{anyhow, bail};
use locus_deploy::{Node, StoredKey};

/// A node as it was named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    /// By its name.
    Name(String),
    /// By its key.
    Key(StoredKey),
}

impl From<&str> for Named {
    fn from(text: &str) -> Self {
        StoredKey::parse(text).map_or_else(|| Named::Name(text.to_owned()), Named::Key)
    }
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Named::Name(name) => f.write_str(name),
            Named::Key(key) => key.fmt(f),
        }
    }
}

impl Named {
    fn is(&self, node: &Node) -> bool {
        match self {
            Named::Name(name) => node.name == *name,
            Named::Key(key) => node.key() == key.0,
        }
    }

    /// The described node that is meant.
    pub(super) fn described<'n>(&self, nodes: &'n [Node], deployment: &str) -> anyhow::Result<&'n Node> {
        let mut found = nodes.iter().filter(|node| self.is(node));
        let first =
            found.next().ok_or_else(|| anyhow!("{self} is not described in what {deployment} is to be"))?;
        if let Some(second) = found.next() {
            let [first, second] = [first, second].map(|node| StoredKey(node.key()));
            bail!("several nodes are called {self}; name one by its key, which is {first} or {second}");
        }
        Ok(first)
    }

    /// Whether it is the node that the engine has under a name, and was made to be this.
    pub(super) fn is_node(&self, name: &str, desired: &str) -> bool {
        match self {
            Named::Name(named) => named == name,
            Named::Key(_) => Node::parse(desired).is_ok_and(|node| self.is(&node)),
        }
    }
}

/// A node and what the world calls it: `NODE=ID`.
pub(super) fn taken(text: &str) -> Result<(Named, String), String> {
    let wrong = || "a node and an id are needed: NODE=ID".to_owned();
    // A name in a key may have the character that ends it.
    let ends = text.match_indices('=').map(|(at, _)| text.split_at(at));
    let key = ends.clone().find(|(node, _)| StoredKey::parse(node).is_some());
    let (node, id) = key.or_else(|| ends.clone().next()).ok_or_else(wrong)?;
    let id = &id[1..];
    if node.is_empty() || id.is_empty() { Err(wrong()) } else { Ok((node.into(), id.to_owned())) }
}

/// The key of what the engine has made to be this, for programs.
pub(super) fn json(desired: &str) -> serde_json::Value {
    Node::parse(desired).map_or(serde_json::Value::Null, |node| StoredKey(node.key()).json())
}

#[cfg(test)]
mod tests {
    use locus_meaning::Key;
    use locus_meaning::things::Thing;

    use super::*;

    #[test]
    fn a_key_is_told_from_a_name() {
        let copy = Named::Key(Key::name("a").numbered(0).into());
        assert_eq!(Named::from("[\"a\",0]"), copy);
        assert_eq!(Named::from("a[0]"), Named::Name("a[0]".to_owned()));
        assert_eq!(taken("[\"a=b\"]=i-1"), Ok((Named::Key(Key::name("a=b").into()), "i-1".to_owned())));
        assert_eq!(taken("a=i=1"), Ok((Named::Name("a".to_owned()), "i=1".to_owned())));
        assert!(taken("a=").is_err() && taken("=i").is_err() && taken("a").is_err());

        let thing = |key: Key| Thing { key, ..Thing::new("a[0]", "thing") };
        let nodes = Node::of_all(&[thing(Key::name("a[0]")), thing(Key::name("a").numbered(0))]);
        assert_eq!(copy.described(&nodes, "x").expect("it is there").key(), Key::name("a").numbered(0));
        let error = Named::from("a[0]").described(&nodes, "x").expect_err("there are two").to_string();
        assert_eq!(
            error,
            "several nodes are called a[0]; name one by its key, which is [\"a[0]\"] or [\"a\",0]"
        );
    }
}

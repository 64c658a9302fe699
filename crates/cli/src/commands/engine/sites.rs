//! Where the things of a deployment are made: the file that `--sites` names.
//!
//! It is TOML with a table for each place: the driver, what that is told, and the nodes that are made there.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use globset::Glob;
use locus_deploy::{Goal, Node};
use locus_drivers::Site;

/// Whether something is made that leaves traces on this machine only.
pub(super) fn keeps_traces(goal: &Goal) -> anyhow::Result<bool> {
    for site in goal.all_sites() {
        let maker = site.maker().map_err(|reason| anyhow!(reason))?;
        if (maker.keeps_traces)(&site) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The places of a file. Nodes that one of them names are made there.
pub(super) fn chosen(path: Option<&Path>, nodes: &mut [Node]) -> anyhow::Result<BTreeMap<String, Site>> {
    let Some(path) = path else { return Ok(BTreeMap::new()) };
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    read(&text, nodes).with_context(|| path.display().to_string())
}

fn read(text: &str, nodes: &mut [Node]) -> anyhow::Result<BTreeMap<String, Site>> {
    let table: toml::Table = text.parse()?;
    let mut sites = BTreeMap::new();
    for (name, value) in &table {
        let value = value.as_table().ok_or_else(|| anyhow!("`{name}` is not a table"))?;
        let mut site = Site::new("", []);
        let mut chosen = Vec::new();
        for (key, value) in value {
            match (key.as_str(), value) {
                ("driver", toml::Value::String(driver)) => site.driver.clone_from(driver),
                ("nodes", toml::Value::Array(globs)) => chosen.clone_from(globs),
                (_, toml::Value::String(value)) => _ = site.settings.insert(key.clone(), value.clone()),
                _ => bail!("`{name}.{key}` is not a text, or `nodes` not a list of texts"),
            }
        }
        site.maker().map_err(|reason| anyhow!("{name}: {reason}"))?;
        for glob in &chosen {
            let glob = glob.as_str().ok_or_else(|| anyhow!("`{name}.nodes` is not a list of texts"))?;
            let matcher = Glob::new(glob)?.compile_matcher();
            let mut found = false;
            for node in nodes.iter_mut().filter(|node| matcher.is_match(&node.name)) {
                found = true;
                if let Some(other) = node.site.replace(name.clone()).filter(|other| other != name) {
                    bail!("{} is made at `{other}` and at `{name}`", node.name);
                }
            }
            if !found {
                bail!("`{name}.nodes`: nothing is called `{glob}`");
            }
        }
        sites.insert(name.clone(), site);
    }
    Ok(sites)
}

#[cfg(test)]
mod tests {
    use locus_meaning::things::Thing;

    use super::*;

    fn nodes() -> Vec<Node> {
        Node::of_all(&["db", "web-1", "web-2"].map(|name| Thing::new(name, "thing")))
    }

    #[test]
    fn nodes_are_made_where_the_file_says() {
        let text =
            "[lab]\ndriver = \"simulated\"\nseed = \"3\"\ncalls_per_second = \"9\"\nnodes = [\"web-*\"]\n";
        let mut nodes = nodes();
        let sites = read(text, &mut nodes).expect("it can be read");
        let settings = [("seed", "3".to_owned()), ("calls_per_second", "9".to_owned())];
        assert_eq!(sites["lab"], Site::new("simulated", settings));
        let at: Vec<Option<&str>> = nodes.iter().map(|node| node.site.as_deref()).collect();
        assert_eq!(at, [None, Some("lab"), Some("lab")]);
    }

    #[test]
    fn what_means_nothing_is_refused() {
        for (text, why) in [
            ("[lab]\ndriver = \"cloud9\"\n", "there is no driver `cloud9`"),
            ("[lab]\ndriver = \"simulated\"\nspeed = \"3\"\n", "no setting `speed`"),
            ("[lab]\ndriver = \"script\"\nnodes = [\"cache\"]\n", "nothing is called `cache`"),
            (
                "[a]\ndriver = \"script\"\nnodes = [\"db\"]\n[b]\ndriver = \"script\"\nnodes = [\"*\"]\n",
                "and at `b`",
            ),
            ("lab = 7\n", "is not a table"),
        ] {
            let error = read(text, &mut nodes()).expect_err(text).to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}

//! Rules that come with Locus, compiled as rarely as can be.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use locus_alloy::ModuleLoader;
use locus_source::{Severity, Sources};

use crate::{Occurring, Rules};

type Compiled = OnceLock<Result<Arc<Rules>, String>>;

/// Rules by the modules that they are in.
///
/// A document is judged by the rules about what is in it, since that is quicker than to judge it by all. The first
/// one has just those compiled, without rules that hold of it because of what it lacks, if no others are
/// [expected](Self::expect). One that needs others has them compiled, for any document, together with those before it
/// and with those that are expected, so that the next is likely to find all that it needs. That ends where there
/// would be too many rules about things that a document does not have.
///
/// This is for modules that never change: those that a language carries with it. Where they are written, nobody is
/// told, so they are kept in sources of their own.
#[derive(Default)]
pub struct CompiledRules {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// In the order in which they were asked for.
    known: Vec<Arc<Entry>>,
    /// By how many documents to come each module is likely to be needed.
    expected: BTreeMap<String, usize>,
}

struct Entry {
    modules: BTreeSet<String>,
    /// The rules are for documents that have nothing else, if this is said.
    occurring: Option<Occurring>,
    compiled: Compiled,
}

impl Entry {
    /// Whether it has the rules of these modules, and not very many others. If one of them is wrong, it has those that
    /// were asked for, and nothing for others.
    fn has(&self, modules: &BTreeSet<String>) -> bool {
        let is_near = self.modules.len() <= most_for(modules.len()) && self.modules.is_superset(modules);
        is_near && (!self.is_wrong() || self.modules == *modules)
    }

    /// Whether it was compiled, and a module is wrong.
    fn is_wrong(&self) -> bool {
        matches!(self.compiled.get(), Some(Err(_)))
    }

    /// Its rules, compiled by the first who asks.
    fn made(
        &self,
        name: &str,
        root: &dyn Fn(&BTreeSet<String>) -> String,
        loader: &dyn ModuleLoader,
    ) -> Result<Arc<Rules>, String> {
        let make = || compile(name, &root(&self.modules), self.occurring.as_ref(), loader);
        self.compiled.get_or_init(make).clone()
    }

    fn serves_only(&self, occurring: Option<&Occurring>) -> bool {
        self.occurring.as_ref().is_some_and(|all| occurring.is_some_and(|one| one.is_within(all)))
    }
}

impl State {
    /// The one to compile next.
    fn next(&self, modules: &BTreeSet<String>, occurring: Option<&Occurring>) -> Entry {
        let most = most_for(modules.len());
        let last = self.known.iter().rev().find(|entry| !entry.is_wrong());
        let mut all = last.map(|last| last.modules.clone()).unwrap_or_default();
        all.extend(modules.iter().cloned());
        if all.len() > most {
            all.clone_from(modules);
        }
        // Those first that most documents need.
        let mut expected: Vec<_> = self.expected.iter().filter(|(name, _)| !all.contains(*name)).collect();
        expected.sort_by_key(|(_, count)| Reverse(**count));
        all.extend(expected.into_iter().take(most.saturating_sub(all.len())).map(|(name, _)| name.clone()));
        let occurring = occurring.filter(|_| self.known.is_empty() && self.expected.is_empty()).cloned();
        Entry { modules: all, occurring, compiled: Compiled::default() }
    }
}

/// When this many sets of modules were compiled, they are forgotten.
const MOST: usize = 64;

/// With how many modules at most a document is judged that needs this many.
fn most_for(needed: usize) -> usize {
    2 * needed + 8
}

impl CompiledRules {
    /// None yet.
    pub const fn new() -> Self {
        Self { state: Mutex::new(State { known: Vec::new(), expected: BTreeMap::new() }) }
    }

    /// Says which modules are likely to be needed, by how many documents each.
    pub fn expect(&self, modules: BTreeMap<String, usize>) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).expected = modules;
    }

    /// Rules of at least these modules; perhaps only for documents that have nothing else than what occurs, if that
    /// can be said. `root` is the text of a module that opens some modules, and `name` that of its file, from which
    /// the others are looked for.
    ///
    /// # Errors
    /// If a module is wrong; the text says how.
    pub fn get(
        &self,
        name: &str,
        modules: &BTreeSet<String>,
        occurring: Option<&dyn Fn() -> Occurring>,
        root: &dyn Fn(&BTreeSet<String>) -> String,
        loader: &dyn ModuleLoader,
    ) -> Result<Arc<Rules>, String> {
        let entry = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let State { known, expected } = &*state;
            let having = || known.iter().filter(|entry| entry.has(modules));
            let smallest =
                having().filter(|entry| entry.occurring.is_none()).min_by_key(|entry| entry.modules.len());
            // What occurs is looked for only where it may help.
            let may_help =
                known.is_empty() && expected.is_empty() || having().any(|entry| entry.occurring.is_some());
            let occurring = occurring.filter(|_| smallest.is_none() && may_help).map(|find| find());
            let occurring = occurring.as_ref();
            if let Some(found) = smallest.or_else(|| having().find(|entry| entry.serves_only(occurring))) {
                Arc::clone(found)
            } else {
                if known.len() >= MOST {
                    state.known.clear();
                }
                let new = Arc::new(state.next(modules, occurring));
                state.known.push(Arc::clone(&new));
                new
            }
        };
        let made = entry.made(name, root, loader);
        if made.is_ok() || entry.modules == *modules {
            return made;
        }
        // One that this document does not need may be what is wrong.
        let alone = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let is_alone = |entry: &&Arc<Entry>| entry.modules == *modules && entry.occurring.is_none();
            let known = state.known.iter().find(is_alone).map(Arc::clone);
            known.unwrap_or_else(|| {
                let (modules, compiled) = (modules.clone(), Compiled::default());
                let new = Arc::new(Entry { modules, occurring: None, compiled });
                state.known.push(Arc::clone(&new));
                new
            })
        };
        alone.made(name, root, loader)
    }
}

fn compile(
    name: &str,
    text: &str,
    occurring: Option<&Occurring>,
    loader: &dyn ModuleLoader,
) -> Result<Arc<Rules>, String> {
    let sources = Sources::new();
    let file = sources.add(name, text);
    let (rules, findings) = match occurring {
        Some(occurring) => Rules::load_for(&sources, loader, file.id(), occurring),
        None => Rules::load(&sources, loader, file.id()),
    };
    let first = findings.into_iter().find(|finding| finding.severity == Severity::Error);
    match (rules, first) {
        (Some(rules), None) => Ok(Arc::new(rules)),
        (_, Some(finding)) => {
            Err(format!("{}: {}", sources.describe(finding.primary.place), finding.message))
        }
        (None, None) => Err(format!("{name} has no rules")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Modules;

    impl ModuleLoader for Modules {
        fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
            let stem = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".als");
            let text = match stem {
                // Every module opens it, and there is one in the library.
                "integer" => return Ok(None),
                "wrong" => "module wrong\nsig {".to_owned(),
                _ => format!("module {stem}\nsig S_{stem} {{}}\nfact f_{stem} {{ no S_{stem} }}"),
            };
            Ok(Some(text.into_bytes()))
        }
    }

    fn root(modules: &BTreeSet<String>) -> String {
        modules.iter().fold("module root\n".to_owned(), |text, name| text + "open " + name + "\n")
    }

    #[test]
    fn what_was_compiled_serves_all_that_need_no_more() {
        let rules = CompiledRules::new();
        let get = |names: &[&str]| {
            let modules = names.iter().map(|&name| name.to_owned()).collect();
            rules.get("root.als", &modules, None, &root, &Modules)
        };
        let first = get(&["a", "b"]).unwrap();
        assert_eq!(first.model.facts().len(), 2);
        assert!(Arc::ptr_eq(&first, &get(&["b"]).unwrap()));
        let second = get(&["c"]).unwrap();
        assert_eq!(second.model.facts().len(), 3);
        assert!(Arc::ptr_eq(&second, &get(&["a", "c"]).unwrap()));
        assert!(Arc::ptr_eq(&first, &get(&["a"]).unwrap()));
        // One that needs little is not judged by very much.
        let many: Vec<String> = (0..30).map(|i| format!("m{i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(get(&many).unwrap().model.facts().len(), 30 + 3);
        assert_eq!(get(&["x"]).unwrap().model.facts().len(), 1);
        assert!(get(&["wrong"]).is_err());
    }

    #[test]
    fn a_wrong_module_spoils_no_others() {
        let rules = CompiledRules::new();
        let get = |names: &[&str]| {
            let modules = names.iter().map(|&name| name.to_owned()).collect();
            rules.get("root.als", &modules, None, &root, &Modules)
        };
        assert!(get(&["a"]).is_ok());
        assert!(get(&["a", "wrong"]).is_err());
        assert!(get(&["b"]).is_ok(), "it is not compiled with what is wrong");
        assert!(get(&["wrong"]).is_err());
        rules.expect([("wrong".to_owned(), 2), ("c".to_owned(), 2)].into());
        assert!(get(&["c"]).is_ok(), "nor with what is expected and wrong");
        assert!(get(&["a"]).is_ok());
    }

    #[test]
    fn what_is_expected_is_compiled_at_once() {
        let rules = CompiledRules::new();
        let get = |names: &[&str]| {
            let modules = names.iter().map(|&name| name.to_owned()).collect();
            // Without what is expected, the first rules would be those about what occurs only.
            rules.get("root.als", &modules, Some(&|| Occurring::new("types/")), &root, &Modules).unwrap()
        };
        let counted = |names: &[(&str, usize)]| names.iter().map(|&(name, n)| (name.to_owned(), n)).collect();
        rules.expect(counted(&[("a", 1), ("b", 7), ("c", 2)]));
        let first = get(&["b"]);
        assert_eq!(first.model.facts().len(), 3);
        for names in [&["a"][..], &["c", "b"]] {
            assert!(Arc::ptr_eq(&first, &get(names)));
        }
        // Where there are too many, those come first that most documents need.
        let mut many: BTreeMap<String, usize> = (0..30).map(|i| (format!("m{i}"), 2)).collect();
        many.insert("often".to_owned(), 3);
        rules.expect(many);
        let second = get(&["x"]);
        assert_eq!(second.model.facts().len(), most_for(1));
        assert!(Arc::ptr_eq(&second, &get(&["x", "often"])));
    }
}

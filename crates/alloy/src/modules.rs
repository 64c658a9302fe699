//! Which modules a model is made of: files are loaded, parameters bound, equal instances of a module merged.
//!
//! A module that is opened twice with the same arguments is one module, so its signatures are the same ones.

use std::sync::Arc;

use locus_source::{FileId, Finding, Limits, Place, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{self, Name, Paragraph};
use crate::shared::SharedModule;
use crate::types::SigId;
use crate::{library, parser, rules};

/// Gives the files that models open. The names are paths as seen from where the model's own name is seen.
pub trait ModuleLoader {
    /// The content of a file, or nothing if there is none of this name.
    ///
    /// # Errors
    /// If there is one, but it cannot be read; the text says why.
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String>;

    /// Whether it may be known if there is a file of this name. The folder that the names of modules imply can be one
    /// that nobody may look into; the library is taken then.
    fn may_look(&self, _name: &str) -> bool {
        true
    }

    /// A file that was read before, for another model perhaps. What is given here is not asked of [`load`](Self::load).
    fn shared(&self, _name: &str) -> Option<Arc<SharedModule>> {
        None
    }

    /// The content of a module that is not where the names say it is: from libraries of the user's own.
    ///
    /// # Errors
    /// If there is one, but it cannot be read; the text says why.
    fn library(&self, _module: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }

    /// The module that declares a signature which is not known in a model, if there is one to be opened.
    fn declares(&self, _name: &str) -> Option<String> {
        None
    }
}

/// The bytes of a file as UTF-8. What is not, as in models from before it was usual, is taken to be Latin-1, as Alloy
/// does.
pub fn decode(bytes: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) => text.into_bytes(),
        Err(error) => error.as_bytes().iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes(),
    }
}

/// A loader without files: only the library can be opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl ModuleLoader for NoFiles {
    fn load(&self, _: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(None)
    }
}

/// More instances of modules than this are refused: parametrised modules that open each other several times can
/// ask for exponentially many.
const MAX_MODULES: usize = 10_000;

/// A signature before it has a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RawSig {
    BuiltIn(SigId),
    Of(usize, String),
}

#[derive(Clone, Debug)]
pub(crate) struct RawOpen {
    pub(crate) alias: String,
    pub(crate) target: usize,
    pub(crate) private: bool,
    args: Vec<Name>,
    place: Place,
}

#[derive(Debug)]
pub(crate) struct RawModule {
    pub(crate) path: String,
    pub(crate) file: FileId,
    pub(crate) ast: Arc<ast::File>,
    pub(crate) params: Vec<(String, bool, Option<RawSig>)>,
    pub(crate) opens: Vec<RawOpen>,
    sigs: Vec<(String, bool)>,
    /// The name under which the library has it, if it comes from there.
    pub(crate) library: Option<&'static str>,
    /// Whether there are several instances of it, which share their syntax.
    pub(crate) is_repeated: bool,
}

/// All modules of a model, the root first. Only those in `order` are still used.
pub(crate) struct Loaded {
    pub(crate) modules: Vec<RawModule>,
    pub(crate) order: Vec<usize>,
}

/// Loads a model's file and all that it opens.
pub(crate) fn load(
    sources: &Sources,
    loader: &dyn ModuleLoader,
    file: FileId,
    findings: &mut Vec<Finding>,
) -> Option<Loaded> {
    let mut loading = Loading {
        sources,
        loader,
        modules: Vec::new(),
        files: FxHashMap::default(),
        from_libraries: FxHashSet::default(),
        stack: Vec::new(),
        findings,
    };
    let source = sources.get(file);
    let (ast, errors) = parser::parse(&source);
    let failed = !errors.is_empty();
    loading.findings.extend(errors);
    if failed {
        return None;
    }
    let name = normalise(source.name());
    loading.files.insert(name.clone(), Parsed { file, ast: Arc::new(ast), alone: None, library: None });
    loading.module(&name, "")?;
    let mut modules = loading.modules;
    mark_repeated(&mut modules);
    bind_params(&mut modules, findings)?;
    merge(&mut modules);
    let order = reachable(&modules, 0, |_| true);
    Some(Loaded { modules, order })
}

fn mark_repeated(modules: &mut [RawModule]) {
    let mut instances: FxHashMap<FileId, usize> = FxHashMap::default();
    for module in &*modules {
        *instances.entry(module.file).or_default() += 1;
    }
    for module in modules {
        module.is_repeated = instances[&module.file] > 1;
    }
}

struct Parsed {
    file: FileId,
    ast: Arc<ast::File>,
    /// The one instance of a module without parameters.
    alone: Option<usize>,
    library: Option<&'static str>,
}

struct Loading<'a> {
    sources: &'a Sources,
    loader: &'a dyn ModuleLoader,
    modules: Vec<RawModule>,
    files: FxHashMap<String, Parsed>,
    /// The files of the user's own libraries. What they open is in these too, not beside the model.
    from_libraries: FxHashSet<FileId>,
    stack: Vec<String>,
    findings: &'a mut Vec<Finding>,
}

/// A module to open: its alias if one is said, its name, its arguments, whether it is private, and where.
type Wanted = (Option<String>, String, Vec<Name>, bool, Place);

struct Request {
    alias: String,
    name: String,
    args: Vec<Name>,
    private: bool,
    place: Place,
}

impl Loading<'_> {
    /// An instance of the module in a file that has been read.
    fn module(&mut self, file_name: &str, path: &str) -> Option<usize> {
        let parsed = &self.files[file_name];
        if let Some(there) = parsed.alone {
            return Some(there);
        }
        let (file, ast, library) = (parsed.file, Arc::clone(&parsed.ast), parsed.library);
        let index = self.modules.len();
        let is_root = path.is_empty();
        let declared = ast.module.as_ref().map_or(&[][..], |module| &module.parameters);
        let params = if is_root { &[][..] } else { declared };
        let mut sigs: Vec<(String, bool)> = Vec::new();
        if is_root {
            sigs.extend(declared.iter().map(|(name, _)| (name.text.clone(), false)));
        }
        for paragraph in &ast.paragraphs {
            match paragraph {
                Paragraph::Sig(sig) => {
                    sigs.extend(sig.names.iter().map(|name| (name.text.clone(), sig.private.is_some())));
                }
                Paragraph::Enum(e) => {
                    let names = std::iter::once(&e.name).chain(&e.members);
                    sigs.extend(names.map(|name| (name.text.clone(), e.private.is_some())));
                }
                _ => {}
            }
        }
        self.modules.push(RawModule {
            path: path.to_owned(),
            file,
            ast: Arc::clone(&ast),
            params: params.iter().map(|(name, exact)| (name.text.clone(), *exact, None)).collect(),
            opens: Vec::new(),
            sigs,
            library,
            is_repeated: false,
        });
        if self.modules.len() > MAX_MODULES {
            let place = Place::new(file, Span::point(0));
            let message = format!("the modules of this model have more than {MAX_MODULES} instances");
            self.findings.push(Finding::new(&rules::TOO_LARGE, place, message));
            return None;
        }
        if params.is_empty() {
            self.files.get_mut(file_name).expect("it has just been read").alone = Some(index);
        }
        self.stack.push(file_name.to_owned());
        let requests = self.requests(file, &ast, file_name)?;
        let own_name = ast.module.as_ref().map_or("unknown", |module| &module.name.text).to_owned();
        for request in requests {
            let target_file = self.read(&request, &own_name, file_name)?;
            let alias_path =
                if path.is_empty() { request.alias.clone() } else { format!("{path}/{}", request.alias) };
            let target = self.module(&target_file, &alias_path)?;
            self.modules[index].opens.push(RawOpen {
                alias: request.alias,
                target,
                private: request.private,
                args: request.args,
                place: request.place,
            });
        }
        self.stack.pop();
        Some(index)
    }

    /// Returns the modules that a file opens, explicitly or not, each with the name to use for it.
    fn requests(&mut self, file: FileId, ast: &ast::File, file_name: &str) -> Option<Vec<Request>> {
        let start = Place::new(file, Span::point(0));
        let mut wanted: Vec<Wanted> = Vec::new();
        let is_integer = ast.module.as_ref().is_some_and(|module| module.name.text == "util/integer");
        if !is_integer && file_name != "util/integer.als" && !file_name.ends_with("/util/integer.als") {
            wanted.push((Some("integer".to_owned()), "util/integer".to_owned(), Vec::new(), false, start));
        }
        for open in &ast.opens {
            let alias = open.alias.as_ref().map(|alias| alias.text.clone());
            let place = Place::new(file, open.span);
            wanted.push((alias, open.name.text.clone(), open.arguments.clone(), open.private, place));
        }
        for paragraph in &ast.paragraphs {
            if let Paragraph::Enum(e) = paragraph {
                let arg = Name { text: format!("this/{}", e.name.text), span: e.name.span };
                let place = Place::new(file, e.name.span);
                wanted.push((None, "util/ordering".to_owned(), vec![arg], false, place));
            }
        }
        if let Some(seq) = ast.uses_seq {
            let place = Place::new(file, seq);
            wanted.push((Some("seq".to_owned()), "util/sequniv".to_owned(), Vec::new(), false, place));
        }
        let mut requests: Vec<Request> = Vec::new();
        for (alias, name, args, private, place) in wanted {
            let alias = alias.unwrap_or_else(|| {
                if args.is_empty() && is_plain(&name) {
                    name.clone()
                } else {
                    format!("open${}", requests.len() + 1)
                }
            });
            if let Some(same) = requests.iter().find(|request| request.alias == alias) {
                let texts = |names: &[Name]| names.iter().map(|n| n.text.clone()).collect::<Vec<_>>();
                if same.name == name && texts(&same.args) == texts(&args) {
                    continue;
                }
                let message = format!("`{alias}` already stands for another module here");
                let finding = Finding::new(&rules::DUPLICATE_NAME, place, message);
                self.findings.push(
                    finding.also(same.place, "opened here").help("give one of them another name by `as`"),
                );
                return None;
            }
            requests.push(Request { alias, name, args, private, place });
        }
        for i in 0..requests.len() {
            let base = requests[i].name.rsplit('/').next().unwrap_or_default().to_owned();
            if requests[i].alias.contains('$') && is_plain(&base) && requests.iter().all(|r| r.alias != base)
            {
                requests[i].alias = base;
            }
        }
        Some(requests)
    }

    /// Reads the file of a module to open, and gives the name under which it is kept.
    fn read(&mut self, request: &Request, own_name: &str, own_file: &str) -> Option<String> {
        let candidate = module_path(own_name, own_file, &request.name);
        let library_name = format!("{}.als", request.name);
        if self.stack.contains(&candidate) {
            let message = format!("`{}` is opened by what it opens itself", request.name);
            self.findings.push(Finding::new(&rules::MODULE_CYCLE, request.place, message));
            return None;
        }
        if self.files.contains_key(&candidate) {
            return Some(candidate);
        }
        let is_of_library = self.from_libraries.contains(&request.place.file);
        let shared = if is_of_library { None } else { self.loader.shared(&candidate) };
        if let Some(module) = shared {
            return Some(self.take(candidate, &module, None));
        }
        let in_library = self.files.contains_key(&library_name) || library::get(&request.name).is_some();
        let not_beside = is_of_library || (in_library && !self.loader.may_look(&candidate));
        let found = if not_beside { Ok(None) } else { self.loader.load(&candidate) };
        let beside = match found {
            Ok(content) => content,
            Err(why) => {
                let message = format!("`{candidate}` cannot be read: {why}");
                self.findings.push(Finding::new(&rules::MODULE, request.place, message));
                return None;
            }
        };
        let (name, source) = if let Some(bytes) = beside {
            match self.sources.add_bytes(&candidate, decode(bytes), &Limits::default()) {
                Ok(source) => (candidate, source),
                Err(error) => {
                    self.findings.push(Finding::new(&rules::MODULE, request.place, error.to_string()));
                    return None;
                }
            }
        } else if self.files.contains_key(&library_name) {
            return Some(library_name);
        } else if let Some((name, module)) = library::get(&request.name) {
            return Some(self.take(library_name, &module, Some(name)));
        } else {
            match self.loader.library(&request.name) {
                Ok(Some(bytes)) => {
                    match self.sources.add_bytes(&library_name, decode(bytes), &Limits::default()) {
                        Ok(source) => {
                            self.from_libraries.insert(source.id());
                            (library_name, source)
                        }
                        Err(error) => {
                            self.findings.push(Finding::new(
                                &rules::MODULE,
                                request.place,
                                error.to_string(),
                            ));
                            return None;
                        }
                    }
                }
                Ok(None) => {
                    self.findings.push(not_found(request, &candidate));
                    return None;
                }
                Err(why) => {
                    let message = format!("`{}` cannot be read: {why}", request.name);
                    self.findings.push(Finding::new(&rules::MODULE, request.place, message));
                    return None;
                }
            }
        };
        let (ast, errors) = parser::parse(&source);
        let failed = !errors.is_empty();
        self.findings.extend(errors);
        self.files.insert(
            name.clone(),
            Parsed { file: source.id(), ast: Arc::new(ast), alone: None, library: None },
        );
        (!failed).then_some(name)
    }

    /// Takes a file that has been read already, and gives the name under which it is kept.
    fn take(&mut self, name: String, module: &SharedModule, library: Option<&'static str>) -> String {
        let file = self.sources.add(&name, Arc::clone(&module.text)).id();
        let ast = Arc::clone(&module.ast);
        self.files.insert(name.clone(), Parsed { file, ast, alone: None, library });
        name
    }
}

fn not_found(request: &Request, candidate: &str) -> Finding {
    let message = format!("the module `{}` cannot be found", request.name);
    let finding = Finding::new(&rules::MODULE, request.place, message)
        .note(format!("looked for the file `{candidate}` and in the library"));
    match crate::nearest(&request.name, library::names()) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None if request.name.contains('/') => finding.help(
            "if it is one of the models that Alloy bundles, unpack these from its jar, and name the folder with `--library`",
        ),
        None => finding,
    }
}

fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '"'))
}

/// Where the file of `wanted` lies, when the module called `own` lies in `file`: modules that share the head of
/// their names share the directories above.
fn module_path(own: &str, file: &str, wanted: &str) -> String {
    let (mut own, mut wanted) = (own, wanted);
    while let (Some((own_head, own_rest)), Some((head, rest))) = (own.split_once('/'), wanted.split_once('/'))
    {
        if own_head != head {
            break;
        }
        (own, wanted) = (own_rest, rest);
    }
    let mut directory: Vec<&str> = file.split('/').collect();
    directory.pop();
    for _ in 0..own.matches('/').count() {
        match directory.last() {
            None | Some(&"..") => directory.push(".."),
            Some(_) => {
                directory.pop();
            }
        }
    }
    let absolute = file.starts_with('/');
    let mut path = directory.join("/");
    if !path.is_empty() || absolute {
        path.push('/');
    }
    normalise(&format!("{path}{wanted}.als"))
}

fn normalise(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).replace('\\', "/").replace("//", "/")
}

/// Modules that can be named from one: itself, what it opens, and what those open and do not keep to themselves.
pub(crate) fn reachable(
    modules: &[RawModule],
    from: usize,
    follow: impl Fn(&RawOpen) -> bool + Copy,
) -> Vec<usize> {
    fn visit(
        modules: &[RawModule],
        at: usize,
        from: usize,
        follow: impl Fn(&RawOpen) -> bool + Copy,
        seen: &mut Vec<usize>,
    ) {
        if seen.contains(&at) {
            return;
        }
        seen.push(at);
        for open in &modules[at].opens {
            if at == from || follow(open) {
                visit(modules, open.target, from, follow, seen);
            }
        }
    }
    let mut seen = Vec::new();
    visit(modules, from, from, follow, &mut seen);
    seen
}

/// The signatures that a name can mean in a module.
fn raw_sigs(modules: &[RawModule], module: usize, name: &str) -> Vec<RawSig> {
    let built_in = match name {
        "univ" => Some(SigId::UNIV),
        "Int" => Some(SigId::INT),
        "seq/Int" => Some(SigId::SEQ_INT),
        "String" => Some(SigId::STRING),
        "none" => Some(SigId::NONE),
        _ => None,
    };
    if let Some(sig) = built_in {
        return vec![RawSig::BuiltIn(sig)];
    }
    let mut found: Vec<RawSig> = Vec::new();
    let add = |sig: RawSig, found: &mut Vec<RawSig>| {
        if !found.contains(&sig) {
            found.push(sig);
        }
    };
    let plain = name.strip_prefix("this/").unwrap_or(name);
    let mut at = module;
    let mut rest = plain;
    while let Some((alias, tail)) = rest.split_once('/') {
        let Some(open) = modules[at].opens.iter().find(|open| open.alias == alias) else { return found };
        if at != module && open.private {
            return found;
        }
        (at, rest) = (open.target, tail);
    }
    if at == module
        && let Some((_, _, Some(bound))) = modules[at].params.iter().find(|(param, ..)| param == rest)
    {
        add(bound.clone(), &mut found);
    }
    let qualified = name.contains('/');
    let here = |m: usize| modules[m].sigs.iter().any(|(n, private)| n == rest && (m == module || !private));
    if qualified && here(at) {
        add(RawSig::Of(at, rest.to_owned()), &mut found);
        return found;
    }
    for m in reachable(modules, at, |open| !open.private) {
        if here(m) {
            add(RawSig::Of(m, rest.to_owned()), &mut found);
        }
    }
    found
}

fn bind_params(modules: &mut [RawModule], findings: &mut Vec<Finding>) -> Option<()> {
    for module in modules.iter() {
        for open in &module.opens {
            let (given, wanted) = (open.args.len(), modules[open.target].params.len());
            if given != wanted {
                let message =
                    format!("this module has {wanted} parameters, but is opened with {given} arguments");
                findings.push(Finding::new(&rules::MODULE_ARGUMENTS, open.place, message));
                return None;
            }
        }
    }
    loop {
        let mut changed = false;
        let mut missing = None;
        for m in 0..modules.len() {
            for o in 0..modules[m].opens.len() {
                let open = modules[m].opens[o].clone();
                for (i, arg) in open.args.iter().enumerate() {
                    if modules[open.target].params[i].2.is_some() {
                        continue;
                    }
                    let found = raw_sigs(modules, m, &arg.text);
                    let place = Place::new(modules[m].file, arg.span);
                    match &found[..] {
                        [] => missing = Some((place, arg.text.clone())),
                        [RawSig::BuiltIn(SigId::NONE)] => {
                            findings.push(Finding::new(
                                &rules::MODULE_ARGUMENTS,
                                place,
                                "a module cannot be opened with `none`",
                            ));
                            return None;
                        }
                        [sig] => {
                            modules[open.target].params[i].2 = Some(sig.clone());
                            changed = true;
                        }
                        _ => {
                            let message = format!("`{}` means several signatures here", arg.text);
                            findings.push(Finding::new(&rules::AMBIGUOUS_NAME, place, message));
                            return None;
                        }
                    }
                }
            }
        }
        match missing {
            None if !changed => return Some(()),
            Some((place, name)) if !changed => {
                let message = format!("the signature `{name}` cannot be found");
                findings.push(Finding::new(&rules::UNKNOWN_NAME, place, message));
                return None;
            }
            _ => {}
        }
    }
}

/// Makes instances of one file with the same arguments one, until there are no two left.
fn merge(modules: &mut [RawModule]) {
    let mut gone = vec![false; modules.len()];
    loop {
        let mut changed = false;
        for a in 0..modules.len() {
            for b in a + 1..modules.len() {
                let same = |a: &RawModule, b: &RawModule| {
                    a.file == b.file && a.params.iter().map(|p| &p.2).eq(b.params.iter().map(|p| &p.2))
                };
                if gone[a] || gone[b] || !same(&modules[a], &modules[b]) {
                    continue;
                }
                let rank =
                    |m: &RawModule| (m.path.contains('$'), m.path.matches('/').count(), m.path.clone());
                let (keep, drop) =
                    if a == 0 || rank(&modules[a]) <= rank(&modules[b]) { (a, b) } else { (b, a) };
                gone[drop] = true;
                changed = true;
                for module in modules.iter_mut() {
                    for open in &mut module.opens {
                        if open.target == drop {
                            open.target = keep;
                        }
                    }
                    for (_, _, bound) in &mut module.params {
                        if let Some(RawSig::Of(m, _)) = bound
                            && *m == drop
                        {
                            *m = keep;
                        }
                    }
                }
            }
        }
        if !changed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf_8_is_latin_1() {
        assert_eq!(decode(b"-- caf\xc3\xa9".to_vec()), "-- caf\u{e9}".as_bytes());
        assert_eq!(decode(b"-- caf\xe9".to_vec()), "-- caf\u{e9}".as_bytes());
    }

    #[test]
    fn modules_lie_where_their_names_say() {
        let path = module_path;
        assert_eq!(path("main", "/m/main.als", "sub/test"), "/m/sub/test.als");
        assert_eq!(path("util/boolean", "/m/util/boolean.als", "test"), "/m/test.als");
        assert_eq!(path("a/b/c", "a/b/c.als", "a/b/d"), "a/b/d.als");
        assert_eq!(path("a/b/c", "a/b/c.als", "a/x"), "a/x.als");
        assert_eq!(path("a/b", "b.als", "util/ordering"), "../util/ordering.als");
        assert_eq!(path("unknown", "b.als", "c"), "c.als");
    }
}

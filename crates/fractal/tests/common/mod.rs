//! Reading texts in tests, with other definitions beside them.

#![allow(dead_code, reason = "not all tests use all of it")]

use locus_fractal::{Inputs, Reading, read};
use locus_source::{Found, LoadError, Loader, Severity, SourceFile, Sources, Span, clean_path};

/// Files of a project, by their paths from its root.
pub(crate) struct Folder(pub(crate) Vec<(&'static str, String)>);

/// The definitions that the rules have examples with.
pub(crate) fn library() -> Folder {
    let of = |name: &str, attributes: &str, body: &str| {
        format!("<definition name=\"{name}\"{attributes}>{body}</definition>")
    };
    let runs = "<interface name=\"r\" role=\"server\" signature=\"java.lang.Runnable\"/>";
    Folder(vec![
        ("shop/Base.fractal", of("shop.Base", "", &format!("{runs}<content class=\"shop.Base\"/>"))),
        (
            "shop/Sized.fractal",
            of(
                "shop.Sized",
                " arguments=\"size,color=red\"",
                &format!(
                    "{runs}<content class=\"shop.Sized\"/><attributes signature=\"shop.Sizes\"><attribute name=\"size\" \
                     value=\"${{size}}\"/><attribute name=\"color\" value=\"${{color}}\"/></attributes>"
                ),
            ),
        ),
        ("shop/Wrong.fractal", of("shop.Other", "", "")),
        ("shop/Loop.fractal", of("shop.Loop", "", "<component name=\"a\" definition=\"shop.Loop\"/>")),
        ("shop/Broken.fractal", "<definition".to_owned()),
    ])
}

impl Folder {
    fn path(from: &SourceFile, path: &str) -> String {
        let folder = from.name().rsplit_once('/').map_or("", |(folder, _)| folder);
        clean_path(&format!("{folder}/{path}"))
    }
}

impl Loader for Folder {
    fn bytes(&self, from: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let path = Self::path(from, path);
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| (path, text.clone().into_bytes())).ok_or(LoadError::Missing)
    }

    fn look(&self, from: &SourceFile, path: &str) -> Found {
        if self.bytes(from, path).is_ok() { Found::File } else { Found::Nothing }
    }

    fn list(&self, from: &SourceFile, folder: &str) -> Vec<String> {
        let folder = Self::path(from, folder);
        let inside = self.0.iter().filter_map(|(name, _)| name.strip_prefix(&folder)?.strip_prefix('/'));
        inside.filter(|name| !name.contains('/')).map(str::to_owned).collect()
    }
}

/// Reads a text as a file of the package `shop`.
pub(crate) fn reading_in(folder: &Folder, sources: &Sources, name: &str, text: &str) -> Reading {
    let file = sources.add(name, text);
    let parameters = match text.split_once("<!-- given ") {
        Some((_, rest)) => {
            let (pair, _) = rest.split_once(" -->").expect("the comment ends");
            let (name, value) = pair.split_once('=').expect("it is a pair");
            vec![(name.to_owned(), value.to_owned())]
        }
        None => Vec::new(),
    };
    read(sources, &file, &Inputs { parameters, loader: Some(folder), ..Inputs::default() })
}

/// The findings about a text, of the reader and of the rules: their codes, severities and messages.
pub(crate) fn findings(text: &str) -> Vec<(String, Severity, String)> {
    let sources = Sources::new();
    let reading = reading_in(&library(), &sources, "shop/Part.fractal", text);
    let everywhere = sources.add("everywhere", "x").place(Span::new(0, 0));
    let judged = reading.ruled(everywhere).map(|ruled| ruled.judge(&[])).unwrap_or_default().findings;
    let all = reading.findings.iter().chain(&judged);
    all.map(|one| (one.code.to_string(), one.severity, one.message.clone())).collect()
}

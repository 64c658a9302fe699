//! Reading texts in tests, with extensions beside them.

#![allow(dead_code, reason = "not all tests use all of it")]

use std::collections::BTreeSet;

use locus_occi::{Inputs, Reading, read};
use locus_source::{Found, LoadError, Loader, Severity, SourceFile, Sources, Span, clean_path};

/// An extension with a kind of links that connect kinds of its own.
const LIDS: &str = r#"<occi:Extension xmlns:occi="http://schemas.ogf.org/occi/core/ecore" name="lids"
  scheme="http://example.org/occi/lids#">
  <import href="http://schemas.ogf.org/occi/core#/"/>
  <kinds term="box" scheme="http://example.org/occi/lids#">
    <attributes name="lids.size" required="true" type="//@types.0"/>
    <parent href="http://schemas.ogf.org/occi/core#//@kinds[term='resource']"/>
  </kinds>
  <kinds term="lid" scheme="http://example.org/occi/lids#">
    <parent href="http://schemas.ogf.org/occi/core#//@kinds[term='resource']"/>
  </kinds>
  <kinds term="closes" scheme="http://example.org/occi/lids#" source="//@kinds[term='lid']" target="//@kinds[term='box']">
    <parent href="http://schemas.ogf.org/occi/core#//@kinds[term='link']"/>
  </kinds>
  <types xsi:type="occi:NumericType" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="Size" type="Integer"
    minInclusive="1"/>
</occi:Extension>"#;

/// A folder with one extension.
pub(crate) struct Folder;

impl Folder {
    fn path(from: &SourceFile, path: &str) -> String {
        let folder = from.name().rsplit_once('/').map_or("", |(folder, _)| folder);
        clean_path(&format!("{folder}/{path}"))
    }
}

impl Loader for Folder {
    fn bytes(&self, from: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        match Self::path(from, path).as_str() {
            "project/lids/model/Lids.occie" => Ok((path.to_owned(), LIDS.as_bytes().to_vec())),
            _ => Err(LoadError::Missing),
        }
    }

    fn look(&self, from: &SourceFile, path: &str) -> Found {
        if self.bytes(from, path).is_ok() { Found::File } else { Found::Nothing }
    }

    fn list(&self, from: &SourceFile, folder: &str) -> Vec<String> {
        let is_there = Self::path(from, folder) == "project/lids/model";
        if is_there { vec!["Lids.occie".to_owned()] } else { Vec::new() }
    }
}

pub(crate) fn reading(sources: &Sources, text: &str) -> Reading {
    let file = sources.add("project/shop/model/file", text);
    read(sources, &file, &Inputs { loader: Some(&Folder), ..Inputs::default() })
}

/// The findings about a text, of the readers and of the rules: their codes, severities and messages.
pub(crate) fn findings(text: &str) -> Vec<(String, Severity, String)> {
    let sources = Sources::new();
    let reading = reading(&sources, text);
    let everywhere = sources.add("everywhere", "x").place(Span::new(0, 0));
    let judged = reading.ruled(everywhere).map(|ruled| ruled.judge(&[])).unwrap_or_default().findings;
    let all = reading.findings.iter().chain(&judged);
    all.map(|one| (one.code.to_string(), one.severity, one.message.clone())).collect()
}

/// Their codes.
pub(crate) fn codes(text: &str) -> BTreeSet<String> {
    findings(text).into_iter().map(|(code, ..)| code).collect()
}

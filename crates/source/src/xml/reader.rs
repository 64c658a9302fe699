//! From the events of the parser to a document, and what the parser leaves unchecked.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesDecl, BytesStart, Event};

use super::names::{is_char, is_name};
use super::{AttributeData, Document, ElementData, NONE, Parsed, TextData, rules};
use crate::{Finding, Limits, Rule, SourceFile, Span, words};

/// Reads a file.
pub(super) fn read(file: &Arc<SourceFile>, limits: &Limits) -> Parsed {
    let document = Document {
        file: Arc::clone(file),
        external: None,
        elements: Vec::new(),
        attributes: Vec::new(),
        texts: Vec::new(),
    };
    let mut building = Building { limits, document, open: Vec::new(), comments: Vec::new(), run: None };
    let result = building.read(file);
    let (document, findings) = match result {
        Ok(()) => (Some(building.document), Vec::new()),
        Err(finding) => (None, vec![*finding]),
    };
    Parsed { document, comments: building.comments, findings }
}

type Step = Result<(), Box<Finding>>;

struct Building<'l> {
    limits: &'l Limits,
    document: Document,
    /// The elements that are not closed yet.
    open: Vec<Open>,
    comments: Vec<Span>,
    /// The text that is being read.
    run: Option<Run>,
}

/// An element that is not closed yet.
struct Open {
    at: u32,
    last_child: u32,
    last_text: u32,
}

/// Pieces of text without an element between them.
struct Run {
    span: Span,
    /// The text, where it is another than the one that is written.
    text: Option<String>,
}

impl Building<'_> {
    fn read(&mut self, file: &SourceFile) -> Step {
        let text = file.text();
        if let Some((at, c)) = text.char_indices().find(|&(_, c)| !is_char(c)) {
            let message = format!("XML allows no character U+{:04X}", u32::from(c));
            return Err(self.fault(&rules::SYNTAX, Span::new(at, at + c.len_utf8()), message));
        }
        if text.starts_with('\u{feff}') {
            // The parser would leave it out, and count from behind it.
            let message = "text stands before the root element: a second byte order mark";
            return Err(self.fault(&rules::SYNTAX, Span::new(0, '\u{feff}'.len_utf8()), message));
        }
        let mut reader = Reader::from_str(text);
        reader.config_mut().check_comments = true;
        loop {
            let start = reader.buffer_position() as usize;
            let event = reader.read_event();
            let end = (reader.buffer_position() as usize).clamp(start, text.len());
            let span = Span::new(start, end);
            match event {
                Ok(Event::Start(tag)) => self.start(&tag, span, false)?,
                Ok(Event::Empty(tag)) => self.start(&tag, span, true)?,
                Ok(Event::End(_)) => self.end(span)?,
                Ok(Event::Text(_)) => self.text(span, None)?,
                Ok(Event::CData(data)) => {
                    self.text(span, Some(Cow::Owned(one_line_end(&data.into_inner()))))?;
                }
                Ok(Event::GeneralRef(reference)) => {
                    let name = reference.into_inner();
                    let value = self.reference(&name, span)?;
                    self.text(span, Some(value))?;
                }
                Ok(Event::Comment(_)) => self.comments.push(span),
                Ok(Event::Decl(declaration)) => self.declaration(&declaration, span)?,
                Ok(Event::PI(instruction)) => {
                    if !is_name(instruction.target()) || instruction.target().eq_ignore_ascii_case("xml") {
                        let message = "a processing instruction begins with a name other than `xml`";
                        return Err(self.fault(&rules::SYNTAX, span, message));
                    }
                    self.flush()?;
                }
                Ok(Event::DocType(_)) => self.document_type(span)?,
                Ok(Event::Eof) => break,
                Err(error) => {
                    let at = (reader.error_position() as usize).min(text.len());
                    let at = text.floor_char_boundary(at);
                    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
                    return Err(self.fault(&rules::SYNTAX, Span::new(at, end), said(&error)));
                }
            }
        }
        self.flush()?;
        if let Some(open) = self.open.last() {
            let name = self.document.elements[open.at as usize].name;
            let message = format!("the element `{}` is never closed", words::short(file.slice(name)));
            return Err(self.fault(&rules::SYNTAX, name, message));
        }
        if self.document.elements.is_empty() {
            return Err(self.fault(&rules::SYNTAX, Span::point(text.len()), "the file has no element"));
        }
        Ok(())
    }

    fn fault(&self, rule: &Rule, span: Span, message: impl Into<String>) -> Box<Finding> {
        Box::new(Finding::new(rule, self.document.file.place(span), message))
    }

    /// The place of a part of the text.
    fn span(&self, part: &str) -> Span {
        let text = self.document.file.text();
        let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        debug_assert!(start <= text.len(), "it is a part of the text");
        Span::new(start.min(text.len()), (start + part.len()).min(text.len()))
    }

    fn declaration(&self, declaration: &BytesDecl<'_>, span: Span) -> Step {
        if span.start != 0 {
            let message = "the XML declaration stands before everything else";
            return Err(self.fault(&rules::SYNTAX, span, message));
        }
        match declaration.version() {
            Ok(version) if version == "1.0" => Ok(()),
            Ok(version) => {
                let message = format!("XML {} is not read, only 1.0 is", words::short(&version));
                Err(self.fault(&rules::VERSION, span, message))
            }
            Err(error) => Err(self.fault(&rules::SYNTAX, span, said(&error))),
        }
    }

    fn document_type(&mut self, span: Span) -> Step {
        let file = Arc::clone(&self.document.file);
        let text = file.slice(span);
        if !self.document.elements.is_empty() || self.document.external.is_some() {
            let message = "a document type stands once, before the first element";
            return Err(self.fault(&rules::SYNTAX, span, message));
        }
        // What is in quotes may contain any bracket.
        let mut quoted: Vec<&str> = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['"', '\'', '[']) {
            let (mark, after) = rest[at..].split_at(1);
            if mark == "[" {
                let message = "the document type defines something inside of the file, which is not read";
                let finding = self.fault(&rules::DOCUMENT_TYPE, self.span(&rest[at..]), message);
                return Err(Box::new(
                    finding.help("remove what stands in brackets, and write out what it defines"),
                ));
            }
            let Some((inner, next)) = after.split_once(mark) else { break };
            quoted.push(inner);
            rest = next;
        }
        self.document.external = quoted.last().map(|identifier| self.span(identifier));
        Ok(())
    }

    fn start(&mut self, tag: &BytesStart<'_>, span: Span, is_empty: bool) -> Step {
        self.flush()?;
        let file = Arc::clone(&self.document.file);
        if self.open.len() >= self.limits.depth {
            let message = format!("elements are nested more than {} levels deep", self.limits.depth);
            let finding = self.fault(&rules::TOO_DEEP, span, message);
            return Err(Box::new(finding.help("flatten the file, or raise the limit if it is meant")));
        }
        if self.open.is_empty() && !self.document.elements.is_empty() {
            let message = "there is a second element beside the outermost one";
            return Err(self.fault(&rules::SYNTAX, span, message));
        }
        let name = Span::new(span.start as usize + 1, span.start as usize + 1 + tag.name().as_ref().len());
        if !is_name(file.slice(name)) {
            let message = format!("`{}` is not a name", words::short(file.slice(name)));
            return Err(self.fault(&rules::SYNTAX, span, message));
        }
        let at = self.count(span, 0)?;
        let first = self.document.attributes.len() as u32;
        let rest = Span { start: name.end, end: span.end - if is_empty { 2 } else { 1 } };
        self.attributes(tag, rest)?;
        let attributes = (first, self.document.attributes.len() as u32);
        let element = ElementData {
            name,
            tag: span,
            end: span.end,
            attributes,
            first_child: NONE,
            next: NONE,
            first_text: NONE,
        };
        self.document.elements.push(element);
        if let Some(parent) = self.open.last_mut() {
            let elements = &mut self.document.elements;
            match parent.last_child {
                NONE => elements[parent.at as usize].first_child = at,
                last => elements[last as usize].next = at,
            }
            parent.last_child = at;
        }
        if !is_empty {
            self.open.push(Open { at, last_child: NONE, last_text: NONE });
        }
        Ok(())
    }

    /// The number of the next element, if there may be one more node beside those that are begun.
    fn count(&self, span: Span, begun: usize) -> Result<u32, Box<Finding>> {
        let Document { elements, attributes, texts, .. } = &self.document;
        if elements.len() + attributes.len() + texts.len() + begun >= self.limits.nodes {
            let message =
                format!("the file has more than {} elements, attributes and texts", self.limits.nodes);
            let finding = self.fault(&rules::TOO_MANY_NODES, span, message);
            return Err(Box::new(finding.help("raise the limit if the file is meant")));
        }
        Ok(elements.len() as u32)
    }

    fn attributes(&mut self, tag: &BytesStart<'_>, rest: Span) -> Step {
        let file = Arc::clone(&self.document.file);
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut after = rest.start;
        // A check for repeated ones by the parser takes quadratic time.
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| {
                let start = after as usize;
                let finding = self.fault(&rules::SYNTAX, Span::new(start, rest.end.max(after) as usize), "");
                Box::new(Finding { message: said(&quick_xml::Error::from(error)), ..*finding })
            })?;
            let name = self.locate(attribute.key.as_ref(), rest);
            let raw = self.locate(&attribute.value, rest);
            let shown = file.slice(name);
            if !is_name(shown) {
                let message = format!("`{}` is not a name", words::short(shown));
                return Err(self.fault(&rules::SYNTAX, name, message));
            }
            if !file.slice(Span { start: after, end: name.start }).starts_with([' ', '\t', '\n', '\r']) {
                let message = format!("a blank must stand before the attribute `{}`", words::short(shown));
                return Err(self.fault(&rules::SYNTAX, name, message));
            }
            after = (raw.end + 1).min(rest.end);
            if let Some(first) = seen.insert(shown, name) {
                let message = format!("the attribute `{}` is there twice", words::short(shown));
                let finding = self.fault(&rules::REPEATED_ATTRIBUTE, name, message);
                return Err(Box::new(
                    finding.also(file.place(first), "first here").help("remove one of the two"),
                ));
            }
            self.count(name, 1)?;
            let value = self.value(file.slice(raw), raw)?;
            self.document.attributes.push(AttributeData { name, raw, value });
        }
        Ok(())
    }

    /// Where a part of a tag stands.
    fn locate(&self, part: &str, rest: Span) -> Span {
        let span = self.span(part);
        if part.is_empty() && (span.start < rest.start || span.end > rest.end) {
            return Span { start: rest.start, end: rest.start };
        }
        span
    }

    /// The value of an attribute, if it is another than the text that is written.
    fn value(&self, raw: &str, span: Span) -> Result<Option<Box<str>>, Box<Finding>> {
        if let Some(at) = raw.find('<') {
            let at = span.start as usize + at;
            let message = "`<` stands in a value";
            let finding = self.fault(&rules::SYNTAX, Span::new(at, at + 1), message);
            return Err(Box::new(finding.help("write `&lt;`")));
        }
        if !raw.contains(['&', '\t', '\n', '\r']) {
            return Ok(None);
        }
        let mut out = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(at) = rest.find(['&', '\t', '\n', '\r']) {
            out.push_str(&rest[..at]);
            let found = &rest[at..];
            rest = if let Some(after) = found.strip_prefix("\r\n") {
                out.push(' ');
                after
            } else if let Some(after) = found.strip_prefix('&') {
                let span = self.span(found);
                let Some((name, after)) = after.split_once(';') else {
                    let message = "`&` begins a reference, which ends in `;`";
                    let finding = self.fault(
                        &rules::SYNTAX,
                        Span::new(span.start as usize, span.start as usize + 1),
                        message,
                    );
                    return Err(Box::new(finding.help("write `&amp;` for the character itself")));
                };
                let start = span.start as usize;
                out.push_str(&self.reference(name, Span::new(start, start + name.len() + 2))?);
                after
            } else {
                out.push(' ');
                &found[1..]
            };
        }
        out.push_str(rest);
        Ok(Some(out.into()))
    }

    /// The text that a reference stands for.
    fn reference(&self, name: &str, span: Span) -> Result<Cow<'static, str>, Box<Finding>> {
        if let Some(number) = name.strip_prefix('#') {
            let parsed = match number.strip_prefix('x') {
                Some(digits) if digits.bytes().all(|one| one.is_ascii_hexdigit()) => {
                    u32::from_str_radix(digits, 16)
                }
                None if number.bytes().all(|one| one.is_ascii_digit()) => number.parse(),
                _ => "".parse::<u32>(),
            };
            let c = parsed.ok().and_then(char::from_u32).filter(|&c| is_char(c));
            return c.map(|c| Cow::Owned(c.to_string())).ok_or_else(|| {
                let message = format!("`&{};` is not a character of XML", words::short(name));
                self.fault(&rules::SYNTAX, span, message)
            });
        }
        if let Some(text) = resolve_xml_entity(name) {
            return Ok(Cow::Borrowed(text));
        }
        let message = format!("the entity `{}` is not one of XML itself", words::short(name));
        let finding = self.fault(&rules::ENTITY, span, message);
        Err(Box::new(finding.help("write out the text that it stands for")))
    }

    fn end(&mut self, span: Span) -> Step {
        self.flush()?;
        // The parser has compared the names.
        let Some(open) = self.open.pop() else {
            return Err(self.fault(&rules::SYNTAX, span, "this tag closes nothing"));
        };
        self.document.elements[open.at as usize].end = span.end;
        Ok(())
    }

    /// A piece of text, with what it stands for where that is something else.
    fn text(&mut self, span: Span, value: Option<Cow<'_, str>>) -> Step {
        let file = Arc::clone(&self.document.file);
        let written = file.slice(span);
        if self.open.is_empty() {
            if value.is_none() && written.bytes().all(|byte| byte.is_ascii_whitespace()) {
                return Ok(());
            }
            return Err(self.fault(&rules::SYNTAX, span, "a text stands outside of the outermost element"));
        }
        if value.is_none()
            && let Some(at) = written.find("]]>")
        {
            let at = span.start as usize + at;
            return Err(self.fault(&rules::SYNTAX, Span::new(at, at + 3), "`]]>` stands in a text"));
        }
        let is_verbatim = value.is_none() && !written.contains('\r');
        let value = match value {
            Some(value) => value,
            None if is_verbatim => Cow::Borrowed(written),
            None => Cow::Owned(one_line_end(written)),
        };
        match &mut self.run {
            None => self.run = Some(Run { span, text: (!is_verbatim).then(|| value.into_owned()) }),
            Some(run) => {
                let before = run.span;
                run.text.get_or_insert_with(|| file.slice(before).to_owned()).push_str(&value);
                run.span = before.to(span);
            }
        }
        Ok(())
    }

    /// Ends the text that is being read.
    fn flush(&mut self) -> Step {
        let Some(Run { span, text }) = self.run.take() else { return Ok(()) };
        let shown = text.as_deref().unwrap_or_else(|| self.document.file.slice(span));
        if shown.bytes().all(|byte| byte.is_ascii_whitespace()) {
            return Ok(());
        }
        self.count(span, 0)?;
        let at = self.document.texts.len() as u32;
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        match open.last_text {
            NONE => self.document.elements[open.at as usize].first_text = at,
            last => self.document.texts[last as usize].next = at,
        }
        open.last_text = at;
        self.document.texts.push(TextData { span, text: text.map(String::into_boxed_str), next: NONE });
        Ok(())
    }
}

/// A text in which each line ends in a line feed alone.
fn one_line_end(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The words of the parser for a fault, as the end of a sentence.
fn said(error: &quick_xml::Error) -> String {
    let text = error.to_string();
    let text = ["syntax error: ", "ill-formed document: ", "error while parsing attribute: "]
        .iter()
        .find_map(|start| text.strip_prefix(start))
        .unwrap_or(&text);
    // Positions are those in a tag, and the finding has a place of its own.
    let text =
        text.strip_prefix("position ").and_then(|rest| rest.split_once(": ")).map_or(text, |(_, rest)| rest);
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
    format!("this is not well-formed: {line}")
}

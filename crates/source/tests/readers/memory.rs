//! Trees are small, even those of texts made to have large ones; and they can go to other threads.

use locus_source::yaml::{self, YamlOptions};
use locus_source::{Tree, json};

use crate::common;

#[test]
fn no_tree_takes_more_than_twelve_times_its_text() {
    let n = 5_000;
    let flow = |piece: &str| format!("[&a x, {}]", piece.repeat(n));
    let pieces = [
        "1,", "[],", "{},", "\"\",", "\"\\n\",", "*a,", "&b ,", "!a ,", "!!a ,", "!<a> ,", "a: b,", "? ,",
        ": ,", "'''',",
    ];
    let mut texts: Vec<_> = pieces.into_iter().map(flow).collect();
    texts.push(format!("{{{}}}", "a,".repeat(n)));
    texts.push(format!("{{{}}}", (0..n).map(|i| format!("{i:x},")).collect::<Vec<_>>().concat()));
    texts.push("-\n".repeat(n));
    texts.push("---\n".repeat(n));
    texts.push("- |\n  a\n".repeat(n));
    for text in texts {
        let file = common::file(&text);
        let parsed = yaml::parse(&file, &YamlOptions::default());
        let trees = parsed.documents.len() * size_of::<Tree>();
        let memory = parsed.documents[0].memory() + trees;
        assert!(memory <= 12 * text.len(), "{} times {}…", memory / text.len(), &text[..20]);
    }
    let text = format!("[{}1]", "1,".repeat(n));
    let parsed = json::parse(&common::file(&text), &json::JsonOptions::default());
    assert!(parsed.documents[0].memory() <= 12 * text.len());
}

#[test]
fn trees_can_go_to_other_threads() {
    fn can_go<T: Send + Sync + 'static>() {}
    can_go::<Tree>();
}

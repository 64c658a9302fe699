//! Files that a specification reads, and the environment.

mod common;

use std::sync::Arc;

use locus_tla::check::{CheckOptions, Means, Outside, Verdict, check};

/// One file, and one variable of the environment.
struct OneLog;

impl Outside for OneLog {
    fn read(&self, path: &str) -> Result<String, String> {
        match path {
            "log.ndjson" => {
                Ok("{\"op\": \"put\", \"n\": 1}\n\n{\"op\": \"get\", \"n\": [1, true, {}]}\n".to_owned())
            }
            "broken.json" => Ok("{\n\"a\": 1,\n}".to_owned()),
            "null.json" => Ok("[null]".to_owned()),
            other => Err(format!("there is no `{other}`")),
        }
    }

    fn environment(&self) -> Vec<(String, String)> {
        vec![("LOG".to_owned(), "log.ndjson".to_owned())]
    }
}

/// A log is compared with a specification: what it says is read from a file.
#[test]
fn files_of_json_are_read() {
    let check_with = |expression: &str| {
        let module = format!(
            "EXTENDS Integers, Sequences, Json, IOUtils\nVARIABLE x\nLog == {expression}\nInit == x = Log\nNext == x' = x\nWrong == FALSE\n"
        );
        let (sources, specification, model) = common::loaded(&module, "INIT Init NEXT Next INVARIANT Wrong");
        let means = Means { outside: Some(Arc::new(OneLog)), ..Means::default() };
        check(&sources, &specification, &model, &CheckOptions { means, ..CheckOptions::default() })
    };
    let result = check_with("ndJsonDeserialize(IF \"LOG\" \\in DOMAIN IOEnv THEN IOEnv.LOG ELSE \"\")");
    assert_eq!(
        result.trace[0].variables[0].value,
        "<<[n |-> 1, op |-> \"put\"], [n |-> <<1, TRUE, <<>>>>, op |-> \"get\"]>>"
    );
    for (expression, why) in [
        ("JsonDeserialize(\"broken.json\")", "broken.json, line 3"),
        ("JsonDeserialize(\"null.json\")", "no value for `null`"),
        ("JsonDeserialize(\"other.json\")", "there is no `other.json`"),
        ("JsonDeserialize(7)", "the name of a file"),
        ("ndJsonSerialize(\"log.ndjson\", <<1>>)", "writes files"),
    ] {
        let result = check_with(expression);
        assert_eq!(result.verdict, Verdict::Evaluation, "{expression}: {}", result.message);
        assert!(result.message.contains(why), "{expression}: {}", result.message);
    }
}

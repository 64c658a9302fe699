//! Secrets: what is stored is where they are, and their values are only known while a step is done.

use std::process::Command;

/// What a value begins with that says where a secret is.
const PREFIX: &str = "secret:";

/// The value that a text stands for, and whether it is a secret.
///
/// # Errors
/// If a secret is not where the text says.
pub(crate) fn resolve(text: &str) -> Result<(String, bool), String> {
    let Some(rest) = text.strip_prefix(PREFIX) else { return Ok((text.to_owned(), false)) };
    let value = match rest.split_once(':') {
        Some(("env", name)) => {
            std::env::var(name).map_err(|_| format!("the environment variable {name} has no value"))?
        }
        Some(("file", path)) => {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            text.trim_end_matches(['\n', '\r']).to_owned()
        }
        Some(("command", command)) => {
            let output = Command::new("sh").arg("-c").arg(command).output();
            let output = output.map_err(|error| format!("the command for a secret: {error}"))?;
            if !output.status.success() {
                return Err(format!("the command for a secret ended with {}", output.status));
            }
            String::from_utf8_lossy(&output.stdout).trim_end_matches(['\n', '\r']).to_owned()
        }
        _ => {
            return Err(format!(
                "`{text}` does not say where the secret is: write secret:env:NAME, secret:file:PATH \
                                or secret:command:COMMAND"
            ));
        }
    };
    Ok((value, true))
}

/// A text in which no secret can be read.
pub(crate) fn mask(text: &str, secrets: &[String]) -> String {
    let mut masked = text.to_owned();
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        masked = masked.replace(secret.as_str(), "***");
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_looked_up_and_masked() {
        assert_eq!(resolve("plain"), Ok(("plain".to_owned(), false)));
        assert_eq!(resolve("secret:command:echo hush"), Ok(("hush".to_owned(), true)));
        assert!(resolve("secret:env:LOCUS_NOT_SET_ANYWHERE").is_err());
        assert!(resolve("secret:hush").is_err());
        assert_eq!(mask("it is hush, hush", &["hush".to_owned(), String::new()]), "it is ***, ***");
    }
}

//! Commands that are run in a container after it starts and before it stops.

use std::thread::sleep;
use std::time::Duration;

use bollard::exec::StartExecOptions;
use bollard::models::ExecConfig;
use serde_json::{Value, json};

use super::engine::{Answer, Engine, Trouble};
use super::part::Part;

/// Runs a hook and waits for its end.
pub(crate) fn run(engine: &Engine, id: &str, service: &str, hook: Part<'_>) -> Answer<()> {
    let environment: Vec<String> = hook
        .entries("environment")
        .map(|(name, value)| value.0.as_str().map_or_else(|| name.clone(), |value| format!("{name}={value}")))
        .collect();
    let config: Value = json!({
        "Cmd": hook.texts("command"),
        "User": hook.text("user"),
        "Privileged": hook.flag("privileged"),
        "WorkingDir": hook.text("working_dir"),
        "Env": environment,
    });
    let config: ExecConfig = serde_json::from_value(config).map_err(|error| error.to_string())?;
    let made = engine.ask(engine.client.create_exec(id, config))?;
    let options = StartExecOptions { detach: true, ..StartExecOptions::default() };
    engine.ask(engine.client.start_exec(&made.id, Some(options)))?;
    loop {
        let seen = engine.ask(engine.client.inspect_exec(&made.id))?;
        match (seen.running, seen.exit_code) {
            (Some(false), Some(0)) => return Ok(()),
            (Some(false), code) => {
                let code = code.map_or_else(|| "no exit code".to_owned(), |code| code.to_string());
                return Err(Trouble::Refused(format!("a hook of the service {service} ended with {code}")));
            }
            _ => sleep(Duration::from_millis(50)),
        }
    }
}

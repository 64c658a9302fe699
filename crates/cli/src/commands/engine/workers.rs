//! `locus engine`: work on whatever goes on, and nothing else.

use std::sync::atomic::Ordering;
use std::time::Duration;

use locus_engine::Phase;

use super::args::Engine;
use super::{Home, goal_of, work};
use crate::Outcome;
use crate::args::Global;
use crate::interrupt;
use crate::terminal::Terminal;

/// How long to wait for news when nothing can be done.
const PATIENCE: Duration = Duration::from_secs(1);

pub(crate) fn engine(command: &Engine, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let home = Home::open(&command.kept)?;
    let tell = (!global.quiet).then_some(terminal);
    let flag = interrupt::flag();
    // Whoever stops a worker does not want to undo what others asked for.
    let leave = || if flag.load(Ordering::Relaxed) { 2 } else { 0 };
    while leave() == 0 {
        let mut is_idle = true;
        for name in home.store.working()? {
            let Some(mut stored) = home.store.load(&name)? else { continue };
            let version = stored.version;
            if goal_of(&stored.state)?.is_some_and(|goal| !goal.place.is_empty() && goal.place != home.mark) {
                continue;
            }
            work(&home, &mut stored, command.parallel, tell, &leave)?;
            // A deployment of which something cannot be told waits for a person.
            is_idle &= stored.version == version || stored.state.phase == Phase::Idle;
        }
        if command.once && is_idle && home.store.working()?.is_empty() {
            break;
        }
        if is_idle {
            home.store.wait(PATIENCE);
        }
    }
    Ok(Outcome::Clean)
}

//! `locus engine`: work on whatever goes on, and nothing else.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use locus_deploy::goal_of;
use locus_engine::Phase;
use locus_store::Error;

use super::args::Engine;
use super::{Home, work};
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
    let mut away_since: Option<Instant> = None;
    while leave() == 0 {
        match round(&home, command, tell, &leave) {
            Ok(Round::Over) => break,
            Ok(Round::Idle) => home.store.wait(PATIENCE),
            Ok(Round::Worked) => {}
            // A server that is being started again is back after a while.
            Err(error) if matches!(error.downcast_ref(), Some(Error::Failed(_))) => {
                let since = *away_since.get_or_insert_with(|| {
                    tell.inspect(|terminal| terminal.remark(&format!("{error}; it is asked again")));
                    Instant::now()
                });
                // Somebody waits for this one to end.
                if command.once && since.elapsed() > home.lease * 3 {
                    return Err(error);
                }
                std::thread::sleep(PATIENCE);
                continue;
            }
            Err(error) => return Err(error),
        }
        if away_since.take().is_some() {
            tell.inspect(|terminal| terminal.remark("the store answers again"));
        }
    }
    Ok(Outcome::Clean)
}

/// How one look at the store ended.
enum Round {
    /// Something was done, and there may be more.
    Worked,
    /// Nothing can be done for now.
    Idle,
    /// Nothing goes on, and nobody waits for more.
    Over,
}

/// Works on whatever goes on now.
fn round(
    home: &Home,
    command: &Engine,
    tell: Option<&Terminal>,
    leave: &dyn Fn() -> usize,
) -> anyhow::Result<Round> {
    let mut is_idle = true;
    for name in home.store.working()? {
        let Some(mut stored) = home.store.load(&name)? else { continue };
        let version = stored.version;
        if goal_of(&stored.state)?.is_some_and(|goal| !goal.place.is_empty() && goal.place != home.mark) {
            continue;
        }
        work(home, &mut stored, command.parallel, tell, leave)?;
        // A deployment of which something cannot be told waits for a person.
        is_idle &= stored.version == version || stored.state.phase == Phase::Idle;
    }
    if !is_idle {
        return Ok(Round::Worked);
    }
    Ok(if command.once && home.store.working()?.is_empty() { Round::Over } else { Round::Idle })
}

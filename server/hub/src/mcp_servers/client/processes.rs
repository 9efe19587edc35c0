//! Which programs run in this process of the hub, one for each server of a person's: started at the first question,
//! and anew after they ended, with a pause where that comes again and again.

use super::McpFailure;
use super::meeting::Opening;
use super::process::{Over, Process};
use crate::Hub;
use crate::clock::Moment;
use crate::mcp_servers::programs::Program;
use crate::terminal::TerminalError;
use protocol::{McpServerId, UserId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::timeout;

/// From its start until it is met: some fetch themselves first.
const GREETING: Duration = Duration::from_secs(120);
/// What ran for so long did not fail because it was started.
const LASTING_MS: i64 = 60_000;
/// After the second failure in a row, and at most; the pauses double.
const PAUSE_MS: i64 = 2_000;
const LONGEST_PAUSE_MS: i64 = 60_000;
/// Servers of which it is known how they ended.
const MOST_KNOWN: usize = 10_000;

#[derive(Debug, Default)]
pub(in crate::mcp_servers) struct Processes(Mutex<HashMap<McpServerId, Arc<Slot>>>);

/// The place of one server's.
#[derive(Debug, Default)]
pub(super) struct Slot {
    /// Whoever starts it has it.
    turn: tokio::sync::Mutex<()>,
    state: Mutex<State>,
    /// What ended when it was asked before it was greeted.
    wants_greeting: Mutex<Option<Arc<Program>>>,
}

#[derive(Debug, Default)]
struct State {
    running: Option<Arc<Process>>,
    /// Failures in a row.
    failures: u32,
    /// Before that it is not started.
    not_before: Moment,
    /// What failed.
    failed: Option<Arc<Program>>,
}

/// Whose program is wanted.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) owner: UserId,
    pub(super) server: McpServerId,
    pub(super) program: Arc<Program>,
}

impl Processes {
    /// The one that runs for this server, met; it is started where none does. Starting goes on where nobody waits
    /// for it any more.
    pub(super) async fn enter(&self, hub: &Hub, wanted: Wanted) -> Result<Arc<Process>, McpFailure> {
        let slot = self.slot(&wanted.server);
        if let Some(process) = slot.running(&wanted) {
            return Ok(process);
        }
        let of_task = hub.clone();
        let starting = async move { slot.start(&of_task, wanted).await };
        hub.tasks().complete(starting).await?
    }

    /// The one that runs for this server, if one does.
    pub(super) fn find(&self, server: &McpServerId) -> Option<Arc<Process>> {
        self.slots().get(server)?.state().running.clone()
    }

    /// Ends the one of this server, and forgets how those before it ended. One that is being started meanwhile is
    /// found by the next question, which ends it if it is not what is wanted by then.
    pub(in crate::mcp_servers) fn end(&self, server: &McpServerId) {
        let Some(slot) = self.slots().get(server).cloned() else { return };
        if let Some(process) = std::mem::take(&mut *slot.state()).running {
            process.end();
        }
    }

    /// Ends those that were started as this program.
    pub(in crate::mcp_servers) fn end_all_of(&self, program: &str) {
        let its = self.running().into_iter().filter(|process| process.program.name == program);
        its.for_each(|process| process.end());
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<McpServerId, Arc<Slot>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, server: &McpServerId) -> Arc<Slot> {
        let mut slots = self.slots();
        if slots.len() >= MOST_KNOWN {
            slots.retain(|_, slot| slot.state().running.is_some());
        }
        Arc::clone(slots.entry(server.clone()).or_default())
    }

    fn running(&self) -> Vec<Arc<Process>> {
        self.slots().values().filter_map(|slot| slot.state().running.clone()).collect()
    }

    /// Ends the one of this person's that was longest unused, if there is one that no call uses, and waits for that.
    async fn makes_room(&self, owner: &UserId) -> bool {
        let theirs = self.running().into_iter().filter(|process| process.owner == *owner);
        let idle = theirs.filter_map(|process| Some((process.idle_since()?, process)));
        let Some((_, process)) = idle.min_by_key(|(since, _)| *since) else { return false };
        process.end();
        process.gone().await;
        true
    }
}

impl Slot {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One that runs as what is wanted now. Another one is ended.
    fn running(&self, wanted: &Wanted) -> Option<Arc<Process>> {
        let mut state = self.state();
        let process = state.running.clone()?;
        if !process.is_over() && process.program.is_same(&wanted.program) {
            return process.met().is_ok().then_some(process);
        }
        process.end();
        state.running = None;
        None
    }

    async fn start(self: Arc<Self>, hub: &Hub, wanted: Wanted) -> Result<Arc<Process>, McpFailure> {
        let _turn = self.turn.lock().await;
        if let Some(process) = self.running(&wanted) {
            return Ok(process);
        }
        self.may_be_started(&wanted, hub.moment())?;
        if !self.wants_greeting(&wanted.program) {
            let failures = self.state().failures;
            match self.started(hub, &wanted, Opening::Question).await {
                // It is greeted at once then, and that it ended counts for nothing.
                Err(McpFailure::Exited(..) | McpFailure::Killed(..) | McpFailure::Cut) => {}
                started => return started,
            }
            let mut state = self.state();
            state.failures = failures;
            state.not_before = Moment::default();
        }
        let started = self.started(hub, &wanted, Opening::Greeting).await;
        if started.is_ok() {
            let program = Some(Arc::clone(&wanted.program));
            *self.wants_greeting.lock().unwrap_or_else(PoisonError::into_inner) = program;
        }
        started
    }

    fn wants_greeting(&self, program: &Program) -> bool {
        let known = self.wants_greeting.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().is_some_and(|known| known.is_same(program))
    }

    /// Starts it, and finds out which version it speaks.
    async fn started(
        self: &Arc<Self>,
        hub: &Hub,
        wanted: &Wanted,
        opening: Opening,
    ) -> Result<Arc<Process>, McpFailure> {
        let process = begun(hub, wanted, self).await?;
        let ends = process.ends_with();
        self.state().running = Some(Arc::clone(&process));
        let met = timeout(GREETING, process.meet(opening)).await;
        match met.unwrap_or(Err(McpFailure::TooLate(GREETING.as_secs()))) {
            Ok(()) => {
                ends.disarm();
                Ok(process)
            }
            Err(failure) => {
                if !process.is_over() {
                    self.state().note_failure(&process, hub.moment());
                }
                Err(failure)
            }
        }
    }

    fn may_be_started(&self, wanted: &Wanted, now: Moment) -> Result<(), McpFailure> {
        let mut state = self.state();
        if state.failed.as_ref().is_some_and(|failed| !failed.is_same(&wanted.program)) {
            *state = State::default();
        }
        match state.not_before.ms_since(now) {
            1.. => Err(McpFailure::EndsAgain),
            _ => Ok(()),
        }
    }

    /// Notes how one ended that ran here.
    pub(super) fn note(&self, process: &Arc<Process>, over: Over) {
        let now = process.hub().moment();
        let mut state = self.state();
        if state.running.as_ref().is_some_and(|running| Arc::ptr_eq(running, process)) {
            state.running = None;
        }
        if over.is_failure() {
            state.note_failure(process, now);
        }
    }
}

impl State {
    fn note_failure(&mut self, process: &Process, now: Moment) {
        let is_again = now.ms_since(process.began) < LASTING_MS;
        self.failures = if is_again { self.failures.saturating_add(1) } else { 1 };
        self.not_before = now.plus_ms(pause_ms(self.failures));
        self.failed = Some(Arc::clone(&process.program));
    }
}

/// What runs, before it is met.
async fn begun(hub: &Hub, wanted: &Wanted, slot: &Arc<Slot>) -> Result<Arc<Process>, McpFailure> {
    let Wanted { owner, server, program } = wanted;
    let mut room = hub.terminal().program_room(owner).await;
    if matches!(room, Err(TerminalError::NoPlace)) && hub.0.mcp_servers.processes.makes_room(owner).await {
        room = hub.terminal().program_room(owner).await;
    }
    let not_run = |error: TerminalError| match error {
        TerminalError::NoPlace => McpFailure::NoPlace,
        other => McpFailure::NotRun(other.to_string()),
    };
    let room = room.map_err(not_run)?.with(program.way_out(hub));
    let spoken = room.begin_program(&program.words, program.values.all()).await.map_err(not_run)?;
    Ok(Process::start(hub, owner.clone(), server.clone(), Arc::clone(program), Arc::clone(slot), spoken))
}

fn pause_ms(failures: u32) -> i64 {
    match failures {
        0 | 1 => 0,
        more => PAUSE_MS.saturating_mul(1 << (more - 2).min(10)).min(LONGEST_PAUSE_MS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_again_and_again_is_started_more_and_more_seldom() {
        let pauses = [0, 1, 2, 3, 4, 7, 40].map(pause_ms);
        assert_eq!(pauses, [0, 0, 2_000, 4_000, 8_000, 60_000, 60_000]);
    }
}

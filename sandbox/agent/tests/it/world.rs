//! The hub as far as the loop can tell: the log that it keeps of what a run asks for.

use agent::context::Snapshot;
use agent::{Effect, Run, RunSpec};
use protocol::agent::Home;
use protocol::agent::Mode;
use protocol::log::{Entry, EntryBody};
use protocol::model::ToolResult;
use protocol::{AgentId, RunId};

#[derive(Clone, Default)]
pub struct World {
    pub entries: Vec<Entry>,
    /// Unix milliseconds.
    pub now: i64,
}

impl World {
    pub fn write(&mut self, run: Option<&RunId>, body: EntryBody) {
        let seq = self.entries.len() as u64 + 1;
        self.entries.push(Entry {
            agent: AgentId::from("agent"),
            seq,
            at: self.now,
            conversation: None,
            run: run.cloned(),
            body,
        });
    }

    /// Writes what the hub writes on this effect.
    pub fn perform(&mut self, run: &RunId, effect: &Effect) {
        match effect {
            Effect::Append { body, .. } => self.write(Some(run), body.clone()),
            Effect::Finish { outcome, .. } => {
                let outcome = outcome.clone();
                self.write(Some(run), EntryBody::finished(outcome));
            }
            Effect::RunTools { turn, calls } => {
                for call in calls {
                    let (turn, call) = (*turn, call.clone());
                    self.write(Some(run), EntryBody::ToolStarted { turn, call });
                }
            }
            Effect::CallModel { .. }
            | Effect::AbortModel
            | Effect::AbortTools
            | Effect::Prefetch { .. }
            | Effect::Arm { .. }
            | Effect::Aside { .. } => {}
        }
    }

    pub fn write_result(&mut self, run: &RunId, turn: u32, result: &ToolResult, denied: bool) {
        let result = result.clone();
        let millis = 1;
        self.write(Some(run), EntryBody::ToolFinished { turn, result, millis, denied });
    }

    /// So many of the last entries never reached the log.
    pub fn lose(&mut self, count: u32) {
        let kept = self.entries.len().checked_sub(count as usize).expect("there are as many entries");
        self.entries.truncate(kept);
    }

    /// The run as the log has it, which is the run as a snapshot of its first half and the rest have it.
    pub fn resume(&self, run: &RunId, spec: &RunSpec) -> Run {
        let whole = Run::resume(run.clone(), spec.clone(), &self.entries);
        let (before, after) = self.entries.split_at(self.entries.len() / 2);
        let kept = Snapshot::new(spec.clear_after_ms).take_all(before);
        let kept = serde_json::to_string(&kept).expect("a snapshot is JSON");
        let past = Snapshot::parse(Some(&kept), spec).expect("it was written just now");
        let gone_on = Run::resume_from(past, run.clone(), spec.clone(), after);
        assert_eq!(gone_on.fingerprint(), whole.fingerprint());
        whole
    }
}

/// The entry that begins a run with this spec.
pub fn started(spec: &RunSpec) -> EntryBody {
    EntryBody::RunStarted {
        home: Home::Hub,
        model: Some(spec.model.clone()),
        rounds: Some(agent::rounds(spec.round_limit)),
        driver: None,
        unverified: false,
    }
}

pub fn spec(round_limit: u32) -> RunSpec {
    RunSpec {
        name: "Ada".to_owned(),
        instructions: "Be kind.".to_owned(),
        agents_md: String::new(),
        workspace_md: String::new(),
        memories: String::new(),
        model: "m".to_owned(),
        tools: agent::tools::specs(&["dom".to_owned()]),
        max_output_tokens: 1024,
        round_limit,
        deferred: Vec::new(),
        context_tokens: 200_000,
        native_tools: true,
        plan: false,
        effort: None,
        sampling: Box::default(),
        skills: Vec::new(),
        listed_skills: Vec::new(),
        hooks: Vec::new(),
        mode: Mode::Answering,
        clear_after_ms: None,
        on_device: None,
    }
}

//! Runs under way, as spans to be. Everything comes from what is written into logs, wherever a run is driven.

use super::span::{failed, span, text, word};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::{CallId, RunId};
use std::collections::HashMap;

/// Runs that are kept in mind, and calls of tools of each. What is more leaves no spans.
const RUNS: usize = 10_000;
const TOOLS: usize = 256;

#[derive(Default)]
pub(super) struct OpenRuns(HashMap<RunId, OpenRun>);

struct OpenRun {
    began_at: i64,
    model: Option<String>,
    /// The model call that asked for what comes next.
    last_call: Option<Vec<u8>>,
    tools: HashMap<CallId, OpenTool>,
}

struct OpenTool {
    began_at: i64,
    name: String,
    parent: Option<Vec<u8>>,
}

impl OpenRuns {
    /// A model is called for a turn of it.
    pub(super) fn called(&mut self, run: &RunId, call: &[u8], at: i64) {
        if let Some(open) = self.open(run, at) {
            open.last_call = Some(call.to_vec());
        }
    }

    /// The span that an entry ends, without its trace. `id` makes one of a word, for this run.
    pub(super) fn note(&mut self, run: &RunId, entry: &Entry, id: impl Fn(&str) -> Vec<u8>) -> Option<Span> {
        match &entry.body {
            EntryBody::RunStarted { model, .. } => {
                self.open(run, entry.at)?.model.clone_from(model);
                None
            }
            EntryBody::ToolStarted { call, .. } => {
                let open = self.open(run, entry.at)?;
                if open.tools.len() < TOOLS {
                    let parent = open.last_call.clone();
                    let tool = OpenTool { began_at: entry.at, name: tool_name(&call.name), parent };
                    open.tools.insert(call.id.clone(), tool);
                }
                None
            }
            EntryBody::ToolFinished { result, denied, .. } => {
                let OpenTool { began_at, name, parent } = self.0.get_mut(run)?.tools.remove(&result.call)?;
                let parent = parent.unwrap_or_else(|| id("run"));
                let own = id(&format!("tool {}", result.call));
                let mut span = span(format!("execute_tool {name}"), own, parent, began_at, entry.at);
                span.kind = SpanKind::Internal.into();
                span.attributes = vec![
                    text("gen_ai.operation.name", "execute_tool"),
                    text("gen_ai.tool.name", &name),
                    text("gen_ai.tool.type", "function"),
                ];
                match (denied, result.is_error) {
                    (true, _) => failed(&mut span, "denied"),
                    (false, true) => failed(&mut span, "tool_error"),
                    (false, false) => {}
                }
                Some(span)
            }
            EntryBody::RunFinished { outcome, .. } => {
                let OpenRun { began_at, model, .. } = self.0.remove(run)?;
                let mut span = span("invoke_agent".to_owned(), id("run"), Vec::new(), began_at, entry.at);
                span.kind = SpanKind::Internal.into();
                span.attributes = vec![text("gen_ai.operation.name", "invoke_agent")];
                span.attributes.extend(model.map(|model| text("gen_ai.request.model", &model)));
                let (word, error) = ending(outcome);
                span.attributes.push(text("vivarium.outcome", word));
                if let Some(error) = error {
                    failed(&mut span, &error);
                }
                Some(span)
            }
            _ => None,
        }
    }

    /// The run, which may have begun in the process before.
    fn open(&mut self, run: &RunId, at: i64) -> Option<&mut OpenRun> {
        if self.0.len() >= RUNS && !self.0.contains_key(run) {
            return None;
        }
        let fresh = || OpenRun { began_at: at, model: None, last_call: None, tools: HashMap::new() };
        Some(self.0.entry(run.clone()).or_insert_with(fresh))
    }
}

/// By the names of `vivarium_runs_ended_total`.
fn ending(outcome: &Outcome) -> (&'static str, Option<String>) {
    match outcome {
        Outcome::Completed => ("completed", None),
        Outcome::Stopped => ("stopped", None),
        Outcome::RoundLimit => ("round_limit", None),
        Outcome::Failed { failure } => ("failed", Some(word(&failure.kind))),
        Outcome::Interrupted { .. } => ("interrupted", Some("interrupted".to_owned())),
    }
}

/// Only those of the hub's own: what people, agents and servers call theirs may say anything.
fn tool_name(name: &str) -> String {
    agent::tools::find(name).map_or("other", |tool| tool.name).to_owned()
}

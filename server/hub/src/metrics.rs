//! Figures for who runs the hub, in the text format of Prometheus (0.0.4). They count what is written into logs,
//! and hold no person's words, names or ids.

use crate::Hub;
use crate::log::Observer;
use protocol::log::{Entry, EntryBody, Outcome, Sender};
use protocol::view::ToolCallStatus;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

/// Upper bounds of what a tool call takes, in milliseconds.
const BOUNDS_MS: [u64; 8] = [10, 50, 100, 500, 1_000, 5_000, 30_000, 120_000];

/// One of them: what takes longer is slow.
const SLOW_MS: u64 = 5_000;

#[derive(Default)]
pub(crate) struct Counters {
    messages: AtomicU64,
    runs_started: AtomicU64,
    runs_resumed: AtomicU64,
    completed: AtomicU64,
    stopped: AtomicU64,
    round_limit: AtomicU64,
    failed: AtomicU64,
    interrupted: AtomicU64,
    model_calls: AtomicU64,
    input_tokens: AtomicU64,
    output_tokens: AtomicU64,
    cost_micros: AtomicU64,
    tools_done: AtomicU64,
    tools_failed: AtomicU64,
    tools_denied: AtomicU64,
    tool_millis: AtomicU64,
    /// Tool calls by the first bound that they keep.
    tool_buckets: [AtomicU64; BOUNDS_MS.len() + 1],
    approvals_asked: AtomicU64,
}

impl Counters {
    /// A run of the process before goes on in this one.
    pub(crate) fn resumed(&self) {
        add(&self.runs_resumed, 1);
    }

    pub(crate) fn tool_calls(&self) -> ToolCallStatus {
        let counts: Vec<u64> = self.tool_buckets.iter().map(get).collect();
        let slow = BOUNDS_MS
            .iter()
            .position(|bound| *bound == SLOW_MS)
            .map_or(0, |place| counts[place + 1..].iter().sum());
        ToolCallStatus { ended: counts.iter().sum(), slow }
    }

    fn count(&self, body: &EntryBody) {
        match body {
            EntryBody::Message { from: Sender::Person, .. } => add(&self.messages, 1),
            EntryBody::RunStarted { .. } => add(&self.runs_started, 1),
            EntryBody::RunFinished { outcome, .. } => add(self.of(outcome), 1),
            EntryBody::Used { usage, cost, .. } => {
                add(&self.model_calls, 1);
                add(&self.input_tokens, usage.prompt());
                add(&self.output_tokens, usage.output);
                add(&self.cost_micros, cost.map_or(0, |cost| u64::try_from(cost.0).unwrap_or_default()));
            }
            EntryBody::ToolFinished { result, millis, denied, .. } => {
                add(
                    match (denied, result.is_error) {
                        (true, _) => &self.tools_denied,
                        (false, true) => &self.tools_failed,
                        (false, false) => &self.tools_done,
                    },
                    1,
                );
                add(&self.tool_millis, *millis);
                let bucket = BOUNDS_MS.iter().position(|bound| millis <= bound).unwrap_or(BOUNDS_MS.len());
                add(&self.tool_buckets[bucket], 1);
            }
            EntryBody::ApprovalAsked { .. } => add(&self.approvals_asked, 1),
            _ => {}
        }
    }

    fn of(&self, outcome: &Outcome) -> &AtomicU64 {
        match outcome {
            Outcome::Completed => &self.completed,
            Outcome::Stopped => &self.stopped,
            Outcome::RoundLimit => &self.round_limit,
            Outcome::Failed { .. } => &self.failed,
            Outcome::Interrupted { .. } => &self.interrupted,
        }
    }
}

impl Observer for Counters {
    fn committed(&self, entries: &[Entry]) {
        entries.iter().for_each(|entry| self.count(&entry.body));
    }
}

fn add(counter: &AtomicU64, more: u64) {
    counter.fetch_add(more, Ordering::Relaxed);
}

fn get(counter: &AtomicU64) -> u64 {
    counter.load(Ordering::Relaxed)
}

/// Metrics as a scraper reads them.
struct Page(String);

impl Page {
    fn metric(&mut self, name: &str, kind: &str, help: &str) {
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} {kind}"));
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.metric(name, "counter", help);
        self.line(format_args!("{name} {value}"));
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.metric(name, "gauge", help);
        self.line(format_args!("{name} {value}"));
    }

    fn by(&mut self, name: &str, help: &str, label: &str, values: &[(&str, &AtomicU64)]) {
        self.metric(name, "counter", help);
        for (of, counter) in values {
            self.line(format_args!("{name}{{{label}=\"{of}\"}} {}", get(counter)));
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a text takes every line");
    }
}

impl Hub {
    /// What a scraper reads.
    pub async fn metrics(&self) -> String {
        let (work, disk) = (self.work_under_way(), self.look_at_disk());
        let (counters, mut page) = (self.counters(), Page(String::new()));
        page.metric("vivarium_info", "gauge", "The version that runs.");
        page.line(format_args!("vivarium_info{{version=\"{}\"}} 1", env!("CARGO_PKG_VERSION")));
        page.gauge("vivarium_runs_under_way", "Runs that this process looks after.", work.runs);
        page.gauge("vivarium_tabs", "Tabs and streams that are connected.", work.connections);
        page.gauge("vivarium_tasks", "Tasks of the hub that have not ended.", work.tasks);
        // Without a database the other figures are told all the more.
        if let Ok(waiting) = self.waiting().await {
            let what = "Questions that people have not answered.";
            page.gauge("vivarium_questions_waiting", what, waiting.questions);
            let what = "Notifications on their way to devices and channels.";
            page.gauge("vivarium_deliveries_waiting", what, waiting.deliveries);
        }
        if let Some(disk) = disk {
            page.gauge("vivarium_disk_free_bytes", "Room on the disk of the hub's files.", disk.free);
        }
        page.counter("vivarium_messages_total", "Messages of people.", get(&counters.messages));
        page.counter("vivarium_runs_started_total", "Runs that began.", get(&counters.runs_started));
        page.counter(
            "vivarium_runs_resumed_total",
            "Runs of a process before that went on in this one.",
            get(&counters.runs_resumed),
        );
        page.by(
            "vivarium_runs_ended_total",
            "Runs that ended.",
            "outcome",
            &[
                ("completed", &counters.completed),
                ("stopped", &counters.stopped),
                ("round_limit", &counters.round_limit),
                ("failed", &counters.failed),
                ("interrupted", &counters.interrupted),
            ],
        );
        page.counter("vivarium_model_calls_total", "Model calls of agents.", get(&counters.model_calls));
        page.by(
            "vivarium_tokens_total",
            "Tokens of agents' model calls.",
            "kind",
            &[("input", &counters.input_tokens), ("output", &counters.output_tokens)],
        );
        page.counter(
            "vivarium_cost_micro_dollars_total",
            "What agents' model calls cost, as far as prices are known.",
            get(&counters.cost_micros),
        );
        page.by(
            "vivarium_tool_calls_total",
            "Tool calls of agents that ended.",
            "outcome",
            &[
                ("done", &counters.tools_done),
                ("failed", &counters.tools_failed),
                ("denied", &counters.tools_denied),
            ],
        );
        page.tool_seconds(counters);
        page.counter(
            "vivarium_approvals_asked_total",
            "Questions to people.",
            get(&counters.approvals_asked),
        );
        let spans = self.traces().sent();
        page.metric("vivarium_spans_total", "counter", "Spans for a collector of OpenTelemetry.");
        page.line(format_args!("vivarium_spans_total{{outcome=\"sent\"}} {}", spans.sent));
        page.line(format_args!("vivarium_spans_total{{outcome=\"dropped\"}} {}", spans.dropped));
        page.0
    }
}

impl Page {
    fn tool_seconds(&mut self, counters: &Counters) {
        let name = "vivarium_tool_call_seconds";
        self.metric(name, "histogram", "What tool calls of agents took, waiting for people included.");
        let mut below = 0;
        for (bound, count) in BOUNDS_MS.iter().zip(&counters.tool_buckets) {
            below += get(count);
            self.line(format_args!("{name}_bucket{{le=\"{}\"}} {below}", seconds(*bound)));
        }
        below += get(&counters.tool_buckets[BOUNDS_MS.len()]);
        self.line(format_args!("{name}_bucket{{le=\"+Inf\"}} {below}"));
        self.line(format_args!("{name}_sum {}", seconds(get(&counters.tool_millis))));
        self.line(format_args!("{name}_count {below}"));
    }
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}

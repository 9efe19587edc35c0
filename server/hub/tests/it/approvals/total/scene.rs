//! An agent that is made to call tools, and what became of that.

use super::calls::{is_of_the_web, made};
use super::{Case, HEARD, Who};
use crate::approvals::add_rule;
use crate::programs;
use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::{agent, open};
use crate::world::{Definition, Endpoint, Sink, World};
use agent::tools;
use hub::Viewer;
use protocol::Caps;
use protocol::agent::{Ability, Home, Hook, HookAction, HookEvent, ProviderKind};
use protocol::approval::Decision;
use protocol::hub::HubFrame;
use protocol::log::EntryBody;
use protocol::schedule::{Author, ScheduleDraft, ScheduleEvent, TimingKind};
use protocol::view::{AgentDraft, JobServiceDraft, JobServiceKind, Network, SearchKind};
use protocol::{AgentId, ContextSource};
use serde_json::{Value, json};
use sqlx::Row as _;
use std::collections::BTreeMap;
use std::time::Duration;

/// A program that waits longer than this waits for something that does not come.
const PATIENCE: Duration = Duration::from_secs(180);
/// The key whose rule wakes the agent.
const WAKE: &str = "wake";
/// As many as a loop makes of one reply.
const CALLS_PER_REPLY: usize = 5;
const REST: Duration = Duration::from_secs(5 * 60);

pub type Effects = BTreeMap<&'static str, i64>;

pub struct Scene<'a> {
    world: &'a World,
    pub viewer: Viewer,
    agent: AgentId,
    who: Who,
    browser: Browser,
    pub sink: Sink,
    /// Calls that were made to begin with.
    prepared: usize,
    _endpoint: Endpoint,
}

impl<'a> Scene<'a> {
    pub async fn begin(world: &'a World, who: Who, case: Case) -> Self {
        let endpoint = Endpoint::start();
        let sink = Sink::start("moss");
        let viewer = world.person(&format!("{who:?}{case:?}")).await;
        let home = if who == Who::ModelInABrowser { Home::Browser } else { Home::Hub };
        let view = agent(world, &viewer, &endpoint, ProviderKind::Anthropic, home).await;
        let id = view.id.clone();
        let scoped = world.hub.for_viewer(&viewer);
        let host = if case == Case::Network { "elsewhere.example".to_owned() } else { sink.host() };
        let network = Network::AllowList { hosts: vec![host] };
        scoped.networks().set(&id, network).await.unwrap();
        scoped.web_search().add(SearchKind::Searxng, Some(&sink.url("/")), None).await.unwrap();
        scoped.person_context().turn_on(ContextSource::Keys, "").await.unwrap();
        let service = JobServiceDraft {
            name: "ci".to_owned(),
            kind: JobServiceKind::Http,
            url: sink.url("/"),
            jobs: "moss".to_owned(),
            ..JobServiceDraft::default()
        };
        scoped.job_services().add(&service).await.unwrap();
        let tools = tools::all().iter().map(|tool| tool.name).filter(|name| !is_of_the_web(name));
        let mut draft = Definition::like(&view).tools(tools).home(home).draft();
        scoped.agents().edit(&id, draft.clone()).await.unwrap();
        let beside = AgentDraft { name: "Beside".to_owned(), home: Home::Hub, ..draft.clone() };
        scoped.agents().create(beside).await.unwrap();
        if who == Who::Ambient {
            draft.loop_settings.ambient_after_minutes = Some(5);
        }
        let mut browser = Browser::new(open(world, &viewer, "laptop"), Page::default());
        browser.show(&id).await;
        browser.tab.set_able(vec![Ability::Screen, Ability::Location], false);
        let escalate = json!({ "action": "escalate", "key": WAKE, "when": "changed", "message": "Now." });
        let prepare = [
            json!({ "tool": "create_tool", "input": made("double") }),
            json!({ "tool": "state", "input": escalate }),
            json!({ "tool": "subscribe_topic", "input": { "topic": HEARD } }),
        ];
        let prepared = prepare.len();
        let mut scene = Self { world, viewer, agent: id, who, browser, sink, prepared, _endpoint: endpoint };
        scene.say(&turns(&prepare)).await;
        scene.watch(None).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        match case {
            Case::Allowed | Case::Network => {
                add_rule(&world.hub, &scene.viewer, "allow", "*", "").await;
                add_rule(&world.hub, &scene.viewer, "allow", "fetch", &scene.sink.host()).await;
                add_rule(&world.hub, &scene.viewer, "allow", "research_topic", "moss").await;
                add_rule(&world.hub, &scene.viewer, "allow", "external_job", &scene.sink.host()).await;
                for later in ["schedule", "update_self"] {
                    add_rule(&world.hub, &scene.viewer, "allow", later, "").await;
                }
            }
            Case::Hook => {
                let reason = "Not today.".to_owned();
                let action = HookAction::Deny { reason };
                draft.loop_settings.hooks =
                    vec![Hook { event: HookEvent::PreToolUse, tool: None, holds: None, action }];
            }
            Case::Rule => add_rule(&world.hub, &scene.viewer, "deny", "*", "").await,
            Case::Denied | Case::Expired => add_rule(&world.hub, &scene.viewer, "ask", "*", "").await,
            Case::Budget => {
                let caps = Caps { per_call: Some(protocol::Micros(1)), ..Caps::default() };
                scoped.ledger().limit_agent(&scene.agent, &caps).await.unwrap();
            }
        }
        scoped.agents().edit(&scene.agent, draft).await.unwrap();
        scene
    }

    async fn say(&self, text: &str) {
        let scoped = self.world.hub.for_viewer(&self.viewer);
        scoped.runs().send_message(&self.agent, text, None, Some(&"laptop".into())).await.unwrap();
    }

    /// Says something now, and has the model make these calls when it is woken.
    async fn ready(&mut self, calls: &[Value]) {
        let next = turns(calls).replacen("turns: ", "next: ", 1);
        self.say(&format!("turns: [[{{\"text\":\"Ready.\"}}]]\n{next}")).await;
        self.watch(None).await;
    }

    /// Lets the model make these calls, and says no to what is asked, or nothing at all.
    pub async fn run(&mut self, calls: &[Value], decision: Option<Decision>) {
        let (world, viewer, agent) = (self.world, self.viewer.clone(), self.agent.clone());
        let (scoped, text) = (world.hub.for_viewer(&viewer), turns(calls));
        match self.who {
            Who::Program => {
                let asked = async { scoped.runs().ask(&agent, &text, None, PATIENCE).await.unwrap() };
                tokio::join!(asked, self.watch(decision));
            }
            Who::Schedule => {
                let draft = ScheduleDraft {
                    name: "Rounds".to_owned(),
                    message: text,
                    kind: TimingKind::Every,
                    minutes: "500000".to_owned(),
                    ..ScheduleDraft::default()
                };
                let id = scoped.schedules().create(&agent, &draft).await.unwrap();
                scoped.schedules().run_now(&id).await.unwrap();
                self.watch(decision).await;
            }
            Who::ProgramOfModels => {
                let (program, _) = programs::program(world, &viewer, None).await;
                let name = format!("agent/{}", scoped.agents().get(&agent).await.unwrap().name);
                let asked = programs::chat(world, &program, programs::hello(&name, &text));
                let (reply, ()) = tokio::join!(asked, self.watch(decision));
                assert_eq!(reply.status, 200);
            }
            Who::PageWake => {
                self.ready(calls).await;
                self.browser.tab.page_ask(&agent, 7, "Now.").await.unwrap();
                self.watch(decision).await;
            }
            Who::RuleWake => {
                self.ready(calls).await;
                self.browser.tab.set_state(&agent, WAKE.to_owned(), json!(1)).await.unwrap();
                self.watch(decision).await;
            }
            Who::Ambient => {
                self.ready(calls).await;
                world.clock.advance(REST);
                self.watch(decision).await;
            }
            Who::ModelAtTheHub | Who::ModelInABrowser | Who::Page => {
                self.say(&text).await;
                self.watch(decision).await;
            }
        }
    }

    /// Until the run is over.
    async fn watch(&mut self, decision: Option<Decision>) {
        loop {
            let Some(entry) = self.browser.step().await else { continue };
            match entry.body {
                EntryBody::ApprovalAsked { approval } => self.answer(&approval, decision).await,
                EntryBody::RunFinished { .. } => return,
                _ => {}
            }
        }
    }

    async fn answer(&self, approval: &protocol::approval::Approval, decision: Option<Decision>) {
        let Some(decision) = decision else {
            return self.world.clock.advance(Duration::from_secs(11 * 60));
        };
        let scoped = self.world.hub.for_viewer(&self.viewer);
        scoped.approvals().answer(&approval.id, &approval.hash, decision, "").await.unwrap();
    }

    /// Makes these calls, whoever it is.
    pub async fn make(&mut self, calls: &[Value], decision: Option<Decision>) {
        if self.who != Who::Page {
            return self.run(calls, decision).await;
        }
        for call in calls {
            self.call(call, decision).await;
        }
    }

    /// Calls the tool from the page.
    async fn call(&mut self, call: &Value, decision: Option<Decision>) {
        let (name, input) = (call["tool"].as_str().unwrap().to_owned(), call["input"].clone());
        self.browser.tab.page_call(&self.agent, 9, name, input).await.unwrap();
        loop {
            let frame = crate::runs::trace::next(&mut self.browser.tab).await;
            if let HubFrame::Answered { id: 9, .. } = frame {
                return;
            }
            if let Some(entry) = self.browser.take(frame).await
                && let EntryBody::ApprovalAsked { approval } = entry.body
            {
                self.answer(&approval, decision).await;
            }
        }
    }

    /// What was done so far, by where it shows: in the log, in the tables and at the other end of the wire.
    pub async fn effects(&self) -> Effects {
        let entries =
            self.world.hub.for_viewer(&self.viewer).conversations().entries(&self.agent, 0).await.unwrap();
        let shown = |body: &EntryBody| match body {
            EntryBody::Skin { .. } => Some("page"),
            EntryBody::State { key, .. } if key != WAKE => Some("state"),
            EntryBody::ToolCreated { .. } => Some("tool made"),
            EntryBody::ToolDeleted { .. } => Some("tool deleted"),
            EntryBody::ToolStarted { call, .. } if call.name == "render_ui" => Some("shown"),
            EntryBody::Schedule { news: ScheduleEvent::Made { by: Author::Agent }, .. } => Some("schedule"),
            EntryBody::Todo { by: Author::Agent, .. } => Some("todo"),
            _ => None,
        };
        let mut effects = Effects::new();
        for place in entries.iter().filter_map(|entry| shown(&entry.body)) {
            *effects.entry(place).or_default() += 1;
        }
        let store = self.world.store().await;
        let kept = sqlx::query(
            "SELECT (SELECT COUNT(*) FROM agent_storage WHERE agent_id = $1),
                    (SELECT COUNT(*) FROM files WHERE folder_id = $1),
                    (SELECT COUNT(*) FROM file_versions WHERE folder_id = $1),
                    (SELECT COUNT(*) FROM instruction_versions WHERE agent_id = $1),
                    (SELECT COUNT(*) FROM memories WHERE writer_id = $1),
                    (SELECT COUNT(*) FROM skills s JOIN agents a ON a.user_id = s.user_id WHERE a.id = $1),
                    (SELECT COUNT(*) FROM delegations WHERE asker_id = $1),
                    (SELECT COUNT(*) FROM pipelines WHERE agent_id = $1),
                    (SELECT COUNT(*) FROM topic_messages WHERE agent_id = $1),
                    (SELECT COUNT(*) FROM topic_subscriptions WHERE agent_id = $1 AND topic <> $2),
                    (SELECT 1 - COUNT(*) FROM topic_subscriptions WHERE agent_id = $1 AND topic = $2),
                    (SELECT COUNT(*) FROM notifications WHERE agent_id = $1 AND kind = 'message'),
                    (SELECT COUNT(*) FROM context_keys WHERE writer_id = $1)",
        )
        .bind(&self.agent.0)
        .bind(HEARD)
        .fetch_one(store.read())
        .await
        .unwrap();
        let places = [
            ("storage", 0),
            ("files", 1),
            ("version", 2),
            ("instructions", 3),
            ("memory", 4),
            ("skill", 5),
            ("delegation", 6),
            ("pipeline", 7),
            ("published", 8),
            ("subscribed", 9),
            ("unsubscribed", 10),
            ("notified", 11),
            ("context", 12),
        ];
        for (place, column) in places {
            effects.insert(place, kept.try_get(column).unwrap());
        }
        effects.insert("device", i64::try_from(self.browser.device.asked).unwrap());
        effects.insert("web", i64::try_from(self.sink.heard().len()).unwrap());
        effects
    }

    /// Outcome and who decided, of every call since those that were made to begin with.
    pub async fn audit(&self) -> Vec<(String, String)> {
        let store = self.world.store().await;
        let rows = sqlx::query(
            "SELECT outcome, decided_by FROM tool_calls WHERE agent_id = $1 ORDER BY started_at, call_id",
        )
        .bind(&self.agent.0)
        .fetch_all(store.read())
        .await
        .unwrap();
        let text = |row: &sqlx::any::AnyRow, column| row.try_get::<String, _>(column).unwrap();
        rows.iter().skip(self.prepared).map(|row| (text(row, "outcome"), text(row, "decided_by"))).collect()
    }
}

/// What has the model make these calls, in as few replies as may be: each turn costs the whole context again.
fn turns(calls: &[Value]) -> String {
    let mut turns: Vec<Value> = calls.chunks(CALLS_PER_REPLY).map(Value::from).collect();
    turns.push(json!([{ "text": "Done." }]));
    format!("turns: {}", Value::from(turns))
}

//! Every tool, whoever calls it, whatever says no: what is done is counted from outside, and is nothing.
//! The list is the registry's, so that a new tool is in it by itself.

use super::add_rule;
use crate::programs;
use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::{agent, open};
use crate::world::{Definition, Endpoint, Sink, World, each_store_with_a_web};
use agent::tools::{self, Access, PageTier};
use hub::Viewer;
use protocol::Caps;
use protocol::agent::{Ability, Home, ProviderKind};
use protocol::agent::{Hook, HookAction, HookEvent};
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
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    ModelAtTheHub,
    ModelInABrowser,
    /// The same for a program that asks and waits for the answer.
    Program,
    /// The same for a schedule that is due.
    Schedule,
    /// The same for one that takes the agent for a model.
    ProgramOfModels,
    /// The model, woken by the page.
    PageWake,
    /// The model, woken by a rule about the state.
    RuleWake,
    /// The model, thinking by itself: it has one reply and calls nothing.
    Ambient,
    Page,
}

/// Those that a person's money is asked for by what they say.
const PAID: [Who; 4] = [Who::ModelAtTheHub, Who::ModelInABrowser, Who::Program, Who::Schedule];
const ALL: [Who; 8] = [
    Who::ModelAtTheHub,
    Who::ModelInABrowser,
    Who::Program,
    Who::Schedule,
    Who::ProgramOfModels,
    Who::PageWake,
    Who::RuleWake,
    Who::Page,
];
/// The key whose rule wakes the agent.
const WAKE: &str = "wake";
/// The topic that the agent hears already.
const HEARD: &str = "fern";
/// As many as a loop makes of one reply.
const CALLS_PER_REPLY: usize = 5;
const REST: Duration = Duration::from_secs(5 * 60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Allowed,
    Hook,
    Rule,
    /// What the agent may reach of the web leaves the server out.
    Network,
    Denied,
    Expired,
    /// There is no money for the model, so it calls nothing. A page calls no model.
    Budget,
}

/// A call of the tool with an effect that can be counted, if it has any.
fn call_of(name: &str, sink: &Sink) -> Value {
    let input = match name {
        "dom" => json!({ "action": "create", "html": "<p>moss</p>" }),
        "runjs" => json!({ "code": "document.body.textContent = 1" }),
        "skins" => json!({ "action": "save", "name": "evening" }),
        "state" | "storage" => json!({ "action": "set", "key": "a", "value": 1 }),
        "fetch" => json!({ "url": sink.url("/"), "method": "POST", "body": "moss" }),
        "context_search" | "tool_search" | "web_search" | "research_topic" => json!({ "query": "moss" }),
        "read" => json!({ "path": "moss.md" }),
        "write" => json!({ "path": "moss.md", "content": "moss" }),
        "document" => json!({ "path": "moss.docx", "content": "# Moss" }),
        "edit" => json!({ "path": "moss.md", "old_string": "moss", "new_string": "fern" }),
        "glob" => json!({ "pattern": "*.md" }),
        "diagnostics" => json!({ "path": "/agent" }),
        "grep" => json!({ "pattern": "moss" }),
        "files" => json!({ "action": "copy", "path": "moss.md", "to": "fern.md" }),
        "create_tool" => made("triple"),
        "delete_tool" => json!({ "name": "double" }),
        "render_ui" => json!({ "html": "<p>moss</p>", "title": "Moss" }),
        "get_skill" => json!({ "name": "page-api" }),
        "skill_write" => json!({ "name": "moss", "description": "Knows moss.", "text": "Water it." }),
        "schedule" => json!({
            "action": "create", "kind": "every", "minutes": 500_000, "name": "Moss", "message": "Water it.",
        }),
        "update_self" => json!({ "action": "append", "text": "Water the moss." }),
        "terminal" => json!({ "command": "echo moss > shell.md" }),
        "memory" => json!({ "action": "write", "text": "They like moss." }),
        "set_context" => json!({ "name": "moss", "value": "wet" }),
        "todo" => json!({ "action": "add", "text": "Water the moss" }),
        "agent_spawn" => json!({ "label": "Moss", "task": "Say moss.", "wait_seconds": 60 }),
        "agent_ask" => json!({ "agents": ["Beside"], "text": "Say moss.", "wait_seconds": 60 }),
        "pipeline_create" => json!({
            "title": "Moss",
            "tasks": [
                { "id": "yours", "title": "Yours", "approval": true },
                { "id": "moss", "title": "Moss", "instruction": "Say moss.", "depends_on": ["yours"] },
            ],
        }),
        "external_job" => json!({ "action": "start", "service": "ci", "job": "moss" }),
        "publish_topic" => json!({ "topic": "moss", "text": "Say moss." }),
        "subscribe_topic" => json!({ "topic": "moss" }),
        "unsubscribe_topic" => json!({ "topic": HEARD }),
        "agent_respond" => json!({ "result": { "moss": 1 } }),
        "view_state" => json!({ "state": "max" }),
        "chart" => json!({ "kind": "bar", "to": "a.svg", "columns": ["a", "b"], "rows": [["c", 1]] }),
        "convert" => json!({ "text": "a\n1\n", "from": "csv", "to": "a.json" }),
        "notify" => json!({ "text": "Moss." }),
        "location" => json!({}),
        "clipboard" => json!({ "action": "write", "text": "moss" }),
        "calc" => json!({ "expression": "1 + 1" }),
        "weather" => json!({ "place": "Berlin" }),
        "exchange_rates" => json!({ "base": "EUR" }),
        "capabilities" | "datetime" | "list_tools" | "list_skills" | "audit_log" | "agent_list"
        | "pipeline_status" | "list_topics" | "double" => json!({}),
        name => panic!("say how to call {name} so that its effect can be counted"),
    };
    json!({ "tool": name, "input": input })
}

fn made(name: &str) -> Value {
    json!({
        "name": name,
        "description": "Multiplies.",
        "input_schema": { "type": "object", "properties": {} },
        "code": "return 1",
    })
}

/// All tools there are, one that the agent made among them, before that one is taken away. A call of `ask_user` is
/// a question itself, and waits for an answer whatever is allowed. Those that name what was asked before have a story
/// in `delegations`.
fn names() -> Vec<&'static str> {
    let mut names = vec!["double"];
    let others = ["ask_user", "agent_wait", "agent_result", "agent_send", "agent_stop", "pipeline_cancel"];
    names.extend(tools::all().iter().map(|tool| tool.name).filter(|name| !others.contains(name)));
    names
}

/// Those that are called. One caller shows that the network keeps no other tool from its work.
fn called(who: Who, case: Case) -> Vec<&'static str> {
    let all = case != Case::Network || who == Who::ModelAtTheHub;
    // It is denied there like `fetch`, in a story of its own.
    let is_told = |name: &&str| case != Case::Network || *name != "external_job";
    let names = names().into_iter().filter(is_told);
    names.filter(|name| all || is_of_the_web(name) || *name == "state").collect()
}

/// Everybody with both cases, so that of two neighbours neither who nor the case is the same each time.
fn each_with(first: Case, second: Case) -> impl Iterator<Item = (Who, Case)> {
    ALL.into_iter().enumerate().flat_map(move |(at, who)| {
        let cases = if at % 2 == 0 { [first, second] } else { [second, first] };
        cases.map(|case| (who, case))
    })
}

/// What has the model make these calls, in as few replies as may be: each turn costs the whole context again.
fn turns(calls: &[Value]) -> String {
    let mut turns: Vec<Value> = calls.chunks(CALLS_PER_REPLY).map(Value::from).collect();
    turns.push(json!([{ "text": "Done." }]));
    format!("turns: {}", Value::from(turns))
}

/// Whether a call that may be made does something.
fn writes(name: &str) -> bool {
    tools::find(name).is_none_or(|tool| tool.uses.iter().any(|used| used.access == Access::Write))
}

/// Where the effect of a call of the tool shows.
fn effect_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "dom" | "runjs" | "view_state" | "double" => "page",
        "skins" | "write" | "document" | "convert" | "chart" | "files" | "terminal" => "files",
        "edit" => "version",
        "state" => "state",
        "storage" => "storage",
        "fetch" | "web_search" | "research_topic" | "external_job" => "web",
        "create_tool" => "tool made",
        "delete_tool" => "tool deleted",
        "render_ui" => "shown",
        "schedule" => "schedule",
        "todo" => "todo",
        "agent_spawn" | "agent_ask" => "delegation",
        "pipeline_create" => "pipeline",
        "publish_topic" => "published",
        "subscribe_topic" => "subscribed",
        "unsubscribe_topic" => "unsubscribed",
        "update_self" => "instructions",
        "memory" => "memory",
        "set_context" => "context",
        "notify" => "notified",
        "location" | "clipboard" => "device",
        "skill_write" => "skill",
        name => {
            assert!(!writes(name), "say where the effect of {name} shows");
            return None;
        }
    })
}

fn is_of_the_web(name: &str) -> bool {
    tools::find(name).is_some_and(tools::Tool::is_of_the_web)
}

fn is_for_pages(name: &str) -> bool {
    tools::find(name).is_none_or(|tool| tool.page != PageTier::Blocked)
}

struct Scene<'a> {
    world: &'a World,
    viewer: Viewer,
    agent: AgentId,
    who: Who,
    browser: Browser,
    sink: Sink,
    /// Calls that were made to begin with.
    prepared: usize,
    _endpoint: Endpoint,
}

impl<'a> Scene<'a> {
    async fn begin(world: &'a World, who: Who, case: Case) -> Self {
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
    async fn run(&mut self, calls: &[Value], decision: Option<Decision>) {
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
    async fn make(&mut self, calls: &[Value], decision: Option<Decision>) {
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
    async fn effects(&self) -> Effects {
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
    async fn audit(&self) -> Vec<(String, String)> {
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

/// What stands in the audit of a call that is not made.
fn decided_by(case: Case) -> &'static str {
    match case {
        Case::Allowed | Case::Rule => "rule",
        Case::Network => "network",
        Case::Hook => "hook",
        Case::Denied => "person",
        Case::Expired => "time",
        Case::Budget => "nobody",
    }
}

type Effects = BTreeMap<&'static str, i64>;

/// What was done in between, without what was not.
fn done(before: &Effects, after: &Effects) -> Effects {
    let more = |(place, count): (&&'static str, &i64)| (*place, count - before.get(place).unwrap_or(&0));
    after.iter().map(more).filter(|(_, count)| *count != 0).collect()
}

fn expected(names: impl Iterator<Item = &'static str>) -> Effects {
    let mut effects = Effects::new();
    for place in names.filter_map(effect_of) {
        *effects.entry(place).or_default() += 1;
    }
    effects
}

async fn check(world: &World, who: Who, case: Case) {
    // Where no state is written no rule about it comes true.
    if who == Who::RuleWake && matches!(case, Case::Hook | Case::Rule) {
        return;
    }
    let mut scene = Scene::begin(world, who, case).await;
    let names = called(who, case);
    let calls: Vec<Value> = names.iter().map(|name| call_of(name, &scene.sink)).collect();
    let before = scene.effects().await;
    let decision = (case != Case::Expired).then_some(Decision::Deny);
    scene.make(&calls, decision).await;
    let done = done(&before, &scene.effects().await);
    let audit = scene.audit().await;
    let may = |name: &&str| who != Who::Page || is_for_pages(name);
    if case == Case::Allowed {
        assert_eq!(done, expected(names.into_iter().filter(may)), "{who:?} {case:?}: {audit:?}");
        assert!(audit.iter().all(|(_, by)| by == "rule" || who == Who::Page), "{audit:?}");
        return;
    }
    if case == Case::Network {
        let others = names.into_iter().filter(may).filter(|name| !is_of_the_web(name));
        assert_eq!(done, expected(others), "{who:?} {case:?}: {audit:?}");
        let denied = audit.iter().filter(|(_, by)| by == decided_by(case)).collect::<Vec<_>>();
        assert_eq!(denied, [&("denied".to_owned(), "network".to_owned())], "{who:?}: {audit:?}");
        return;
    }
    assert_eq!(done, Effects::new(), "{who:?} {case:?}: {audit:?}");
    if case == Case::Budget {
        assert_eq!(audit, []);
        return;
    }
    assert_eq!(audit.len(), calls.len());
    for (call, (outcome, by)) in calls.iter().zip(&audit) {
        let name = call["tool"].as_str().unwrap();
        assert_eq!(outcome, "denied", "{who:?} {case:?} {name}");
        // After six denials nothing is asked any more of what writes, and a page's tier comes first.
        let expected: &[&str] = match case {
            Case::Denied | Case::Expired => &[decided_by(case), "default"],
            Case::Allowed | Case::Hook | Case::Rule | Case::Network | Case::Budget => &[decided_by(case)],
        };
        assert!(expected.contains(&by.as_str()), "{who:?} {case:?} {name}: {by}");
    }
}

#[tokio::test]
async fn what_is_allowed_is_done() {
    each_store_with_a_web(async |world: World| {
        for who in world.share(ALL) {
            check(&world, who, Case::Allowed).await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_agent_that_thinks_by_itself_does_nothing_whatever_is_allowed() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, Who::Ambient, Case::Allowed).await;
        let calls: Vec<Value> = names().into_iter().map(|name| call_of(name, &scene.sink)).collect();
        let before = scene.effects().await;
        scene.run(&calls, None).await;
        assert_eq!(done(&before, &scene.effects().await), Effects::new());
        assert_eq!(scene.audit().await, []);
    })
    .await;
}

#[tokio::test]
async fn what_the_network_leaves_out_is_not_reached_whoever_calls() {
    each_store_with_a_web(async |world: World| {
        for who in world.share(ALL) {
            check(&world, who, Case::Network).await;
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_hook_or_a_rule_denies_is_not_done_whoever_calls() {
    each_store_with_a_web(async |world: World| {
        for (who, case) in world.share(each_with(Case::Hook, Case::Rule)) {
            check(&world, who, case).await;
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_person_denies_or_leaves_unanswered_is_not_done_whoever_calls() {
    each_store_with_a_web(async |world: World| {
        for (who, case) in world.share(each_with(Case::Denied, Case::Expired)) {
            check(&world, who, case).await;
        }
    })
    .await;
}

#[tokio::test]
async fn without_money_nothing_is_done() {
    each_store_with_a_web(async |world: World| {
        for who in world.share(PAID) {
            check(&world, who, Case::Budget).await;
        }
    })
    .await;
}

#[tokio::test]
async fn after_six_denials_nothing_is_changed_whoever_calls() {
    each_store_with_a_web(async |world: World| {
        for who in world.share(ALL) {
            let mut scene = Scene::begin(&world, who, Case::Allowed).await;
            let refused = ["storage", "skins", "context_search", "capabilities", "datetime", "list_tools"];
            for tool in refused {
                add_rule(&world.hub, &scene.viewer, "deny", tool, "").await;
            }
            let write =
                |key: &str| json!({ "tool": "state", "input": { "action": "set", "key": key, "value": 1 } });
            let mut calls: Vec<Value> = refused.iter().map(|name| call_of(name, &scene.sink)).collect();
            calls.insert(5, write("after five"));
            calls.push(write("after six"));
            let before = scene.effects().await;
            scene.make(&calls, Some(Decision::Once)).await;
            let audit = scene.audit().await;
            let by_person = audit.iter().filter(|(_, by)| by == "person").count();
            assert_eq!(by_person, 1, "after three denials a yes is needed: {who:?}: {audit:?}");
            let done = done(&before, &scene.effects().await);
            assert_eq!(done, Effects::from([("state", 1)]), "{who:?}: {audit:?}");
            let last = audit.last().map(|(outcome, by)| (outcome.as_str(), by.as_str()));
            assert_eq!(last, Some(("denied", "default")), "{who:?}: {audit:?}");
        }
    })
    .await;
}

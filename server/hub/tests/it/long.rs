//! A conversation of a hundred long turns, against a model server that records what it gets.

use crate::talk::PATIENCE;
use crate::world::{Endpoint, World, each_store, on_postgres, on_sqlite};
use hub::Viewer;
use protocol::agent::{Home, ProviderKind};
use protocol::log::{Entry, EntryBody, Outcome, Sender};
use protocol::view::{AgentDraft, AgentView, LoopSettings, ModelPrice, Role};
use protocol::{ContextSource, Micros, ProviderId, TabId};
use serde_json::{Value, json};
use sqlx::Row as _;

const MODEL: &str = "gpt-5-mini";
const CONTEXT: u32 = 16_384;
const OUTPUT: u32 = 1_024;
const TURNS: usize = 100;
#[tokio::test]
async fn over_a_hundred_long_turns_no_request_is_larger_than_its_model_takes() {
    on_sqlite(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = admin(&world).await;
        let agent = agent(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        fill_state(&world, &viewer, &agent).await;
        scoped.person_context().turn_on(ContextSource::Place, "Vienna").await.unwrap();
        for turn in 0..TURNS {
            let words: Vec<String> = (0..80).map(|word| format!("leaf-{turn}-{word}")).collect();
            let words = words.join(" ");
            let text = if turn % 2 == 0 { words } else { format!("{words}\nscript: pile") };
            let answered = scoped.runs().ask(&agent.id, &text, None, PATIENCE).await.unwrap();
            assert_eq!(answered.outcome, Some(Outcome::Completed), "turn {turn}: {:?}", answered.error);
        }
        let requests = endpoint.requests().await;
        assert!(requests.len() >= TURNS * 3 / 2);
        for request in &requests {
            let tokens = tokens(request);
            assert!(tokens + u64::from(OUTPUT) <= u64::from(CONTEXT), "a request of {tokens} tokens");
        }
        let shrunk = requests.windows(2).filter(|pair| size(&pair[1]) < size(&pair[0])).count();
        let entries = log(&world, &viewer, &agent).await;
        let steps = entries.iter().filter(|entry| is_step(&entry.body)).count();
        assert!(steps >= 3 && shrunk >= steps / 2, "{steps} steps, {shrunk} smaller requests");
        assert!(entries.iter().any(|entry| matches!(entry.body, EntryBody::Digested { .. })));
        assert!(entries.iter().any(|entry| matches!(entry.body, EntryBody::Summary { .. })));
        // Nothing of it is lost to a person, or to the agent that looks for it.
        let is_said = |entry: &&Entry| matches!(entry.body, EntryBody::Message { from: Sender::Person, .. });
        assert_eq!(entries.iter().filter(is_said).count(), TURNS);
        let mut is_owed = true;
        for entry in &entries {
            match &entry.body {
                EntryBody::Message { from: Sender::Context { .. }, .. } => is_owed = false,
                EntryBody::Summary { .. } => is_owed = true,
                EntryBody::RunStarted { .. } => assert!(!is_owed, "what a summary took away is told anew"),
                _ => {}
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_request_goes_on_from_the_one_before_it_unless_the_log_says_that_it_was_shortened() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = admin(&world).await;
        let agent = agent(&world, &viewer, &endpoint).await;
        for turn in 0..8 {
            let text = format!("turn {turn}\nscript: pile");
            world.hub.for_viewer(&viewer).runs().ask(&agent.id, &text, None, PATIENCE).await.unwrap();
        }
        let requests = endpoint.requests().await;
        for pair in requests.windows(2) {
            let (one, next) = (messages(&pair[0]), messages(&pair[1]));
            assert_eq!(next[..one.len()], one[..], "{next:?}");
            assert_eq!(pair[0]["body"]["tools"], pair[1]["body"]["tools"]);
        }
        let entries = log(&world, &viewer, &agent).await;
        assert!(!entries.iter().any(|entry| is_step(&entry.body)));
    })
    .await;
}

#[tokio::test]
async fn a_model_is_sent_the_same_from_a_snapshot_as_from_the_whole_log() {
    on_postgres(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = admin(&world).await;
        let scoped = world.hub.for_viewer(&viewer);
        let from_snapshots = agent(&world, &viewer, &endpoint).await;
        let from_the_log = scoped.agents().create(draft(from_snapshots.provider.as_ref())).await.unwrap();
        let store = world.store().await;
        let mut sent = [Vec::new(), Vec::new()];
        for (agent, sent) in [&from_snapshots, &from_the_log].into_iter().zip(&mut sent) {
            fill_state(&world, &viewer, agent).await;
            let before = endpoint.requests().await.len();
            for turn in 0..60 {
                let text = format!("{}turn {turn}\nscript: pile", "leaf ".repeat(turn * 7 % 90));
                if agent.id == from_the_log.id {
                    // A snapshot is of no use after another rest, and nobody rests here.
                    let clear_after_minutes = Some(1_000 + u32::try_from(turn).unwrap() % 2);
                    let loop_settings = LoopSettings { clear_after_minutes, ..LoopSettings::default() };
                    let draft = AgentDraft { loop_settings, ..draft(agent.provider.as_ref()) };
                    scoped.agents().edit(&agent.id, draft).await.unwrap();
                }
                scoped.runs().ask(&agent.id, &text, None, PATIENCE).await.unwrap();
            }
            let requests = endpoint.requests().await;
            sent.extend(requests[before..].iter().map(|request| request["body"].to_string()));
        }
        assert!(sent[0].len() >= 120 && sent[0].iter().any(|body| body.len() > 30_000));
        assert_eq!(sent[0], sent[1]);
        let kept = sqlx::query("SELECT seq FROM snapshots WHERE conversation_id = $1")
            .bind(&from_snapshots.conversation.0)
            .fetch_one(store.read())
            .await
            .unwrap();
        assert!(kept.get::<i64, _>(0) > 128, "runs went on from snapshots");
    })
    .await;
}

async fn admin(world: &World) -> Viewer {
    world.hub.accounts().add_user("ada", crate::world::PASSWORD, Role::Admin).await.unwrap();
    world.hub.accounts().sign_in("ada", crate::world::PASSWORD, "test").await.unwrap().done().unwrap().viewer
}

/// An agent whose model takes little.
async fn agent(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> AgentView {
    let price = ModelPrice { input: Micros(1_000_000), output: Micros(2_000_000) };
    let admin = world.hub.as_admin(viewer).unwrap();
    admin.model_facts().enter_facts(MODEL, Some(CONTEXT), Some(OUTPUT), None, Some(price)).await.unwrap();
    let scoped = world.hub.for_viewer(viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::OpenAi).await;
    scoped.agents().create(draft(Some(&provider))).await.unwrap()
}

fn draft(provider: Option<&ProviderId>) -> AgentDraft {
    let draft = json!({
        "name": "Ada", "colour": "#3a7d44", "instructions": "", "provider": provider, "model": MODEL,
        "tools": ["state"], "max_output_tokens": OUTPUT, "home": Home::Hub,
    });
    serde_json::from_value(draft).unwrap()
}

/// Three kilobytes that `state list` answers with.
async fn fill_state(world: &World, viewer: &Viewer, agent: &AgentView) {
    let tab = world.hub.open_tab(viewer.clone(), TabId::from("page")).unwrap();
    tab.set_state(&agent.id, "leaves".to_owned(), json!("leaf ".repeat(600))).await.unwrap();
}

async fn log(world: &World, viewer: &Viewer, agent: &AgentView) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let after = entries.last().map_or(0, |entry| entry.seq);
        let more = world.hub.for_viewer(viewer).conversations().entries(&agent.id, after).await.unwrap();
        if more.is_empty() {
            return entries;
        }
        entries.extend(more);
    }
}

fn is_step(body: &EntryBody) -> bool {
    matches!(body, EntryBody::Digested { .. } | EntryBody::Summary { .. } | EntryBody::Clipped { .. })
}

fn messages(request: &Value) -> Vec<Value> {
    request["body"]["messages"].as_array().cloned().unwrap_or_default()
}

fn size(request: &Value) -> usize {
    request["body"].to_string().len()
}

/// As the model server counts them.
fn tokens(request: &Value) -> u64 {
    (size(request) as u64).div_ceil(4)
}

//! What a long conversation costs: a message reads what came since the last snapshot, and a page shows
//! its end and pages back, however much was said.

use crate::talk::PATIENCE;
use crate::world::{Endpoint, World, each_store};
use hub::Viewer;
use protocol::agent::{Home, ProviderKind, ToolRisk};
use protocol::approval::{Approval, ApprovalOutcome, ApprovalReason, Asker};
use protocol::hub::HubFrame;
use protocol::log::{EntryBody, Outcome, Sender};
use protocol::model::{Block, StopReason, ToolCall, Usage};
use protocol::view::{AgentDraft, AgentPage, AgentView};
use protocol::{ApprovalId, CallId, ProviderId, RunId, TabId};
use serde_json::{Value, json};
use sqlx::Row as _;
use std::time::Duration;

/// Entries that a message may read, whatever was said before it.
const FEW: u64 = 300;
/// Bytes of a page's entries as JSON.
const PAGE: usize = 100 * 1024;

#[tokio::test]
async fn a_message_reads_what_came_since_and_not_what_was_ever_said() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        for exchanges in [50, 1_500] {
            let agent = agent(&world, &viewer, &endpoint).await;
            fill(&world, &agent, exchanges, |number| format!("Water fern {number}.")).await;
            // The first one makes the snapshot.
            for text in ["once", "twice", "three times"] {
                let before = world.hub.entries_read();
                let answered = scoped.runs().ask(&agent.id, text, None, PATIENCE).await.unwrap();
                assert_eq!(answered.text, format!("You said: {text}"));
                let read = world.hub.entries_read() - before;
                assert!(read <= FEW || text == "once", "{exchanges} exchanges, {text}: {read} entries");
            }
            let before = world.hub.entries_read();
            assert!(scoped.runs().retry(&agent.id, None).await.is_err());
            scoped.pages().latest(&agent.id).await.unwrap();
            scoped.runs().context_of(&agent.id).await.unwrap();
            let mut tab = world.hub.open_tab(viewer.clone(), TabId::from("page")).unwrap();
            tab.page_ask(&agent.id, 1, "Which fern?").await.unwrap();
            while let Some(frame) = tab.next().await {
                if let HubFrame::Answered { .. } = serde_json::from_slice(&frame.text).unwrap() {
                    break;
                }
            }
            let read = world.hub.entries_read() - before;
            assert!(read <= FEW, "{exchanges} exchanges: a page, an answer and no retry read {read} entries");
        }
    })
    .await;
}

#[tokio::test]
async fn a_snapshot_is_of_no_use_to_an_agent_that_begins_anew_after_another_rest() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&world, &viewer, &endpoint).await;
        fill(&world, &agent, 100, |number| format!("Water fern {number}.")).await;
        scoped.runs().ask(&agent.id, "Hello", None, PATIENCE).await.unwrap();
        assert_eq!(rests(&world).await, [-1]);
        assert_eq!(told(&endpoint).await, 2 * 100 + 1);

        let mut draft = draft(agent.provider.as_ref());
        draft["loop_settings"] = json!({ "clear_after_minutes": 20 });
        scoped.agents().edit(&agent.id, serde_json::from_value(draft).unwrap()).await.unwrap();
        scoped.runs().ask(&agent.id, "At once", None, PATIENCE).await.unwrap();
        assert_eq!(rests(&world).await, [20 * 60_000]);
        assert_eq!(told(&endpoint).await, 2 * 100 + 3);
        world.clock.advance(Duration::from_secs(20 * 60));
        scoped.runs().ask(&agent.id, "After a rest", None, PATIENCE).await.unwrap();
        assert_eq!(told(&endpoint).await, 1);
    })
    .await;
}

/// After which rests the agents begin anew of whose conversations there are snapshots.
async fn rests(world: &World) -> Vec<i64> {
    let rows =
        sqlx::query("SELECT clear_after_ms FROM snapshots").fetch_all(world.store().await.read()).await;
    rows.unwrap().iter().map(|row| row.get(0)).collect()
}

/// Messages of the last request, but for the prompt.
async fn told(endpoint: &Endpoint) -> usize {
    let requests = endpoint.requests().await;
    let messages = requests.last().unwrap()["body"]["messages"].as_array().unwrap().clone();
    messages.iter().filter(|message| message["role"] != "system" && message["role"] != "developer").count()
}

#[tokio::test]
async fn a_page_shows_the_end_of_a_conversation_and_pages_back_to_its_beginning() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let long = |number: usize| "<b>&\"leaf\"</b> ".repeat(1 + number * number % 700);
        let short = |number: usize| format!("Water fern {number}.");
        for text in [&short as &dyn Fn(usize) -> String, &long] {
            let agent = agent(&world, &viewer, &endpoint).await;
            fill(&world, &agent, 100, text).await;
            let last = scoped.pages().latest(&agent.id).await.unwrap();
            assert_eq!(last.entries.last().map(|entry| entry.seq), Some(last.seq));
            let mut seen = Vec::new();
            let mut page = last;
            loop {
                assert!(size(&page) <= PAGE, "{} bytes", size(&page));
                let start = page.earlier.unwrap_or(1);
                let shown = page.entries.iter().map(|entry| entry.seq).filter(|seq| *seq >= start);
                seen.splice(0..0, shown);
                let Some(before) = page.earlier else { break };
                page = scoped.pages().before(&agent.id, before).await.unwrap();
            }
            assert_eq!(seen, (1..=600).collect::<Vec<_>>(), "each entry once, in order");
        }
    })
    .await;
}

#[tokio::test]
async fn a_text_that_is_too_long_for_a_page_is_shown_by_its_beginning_and_kept_whole() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&world, &viewer, &endpoint).await;
        let text = "Ferns. ".repeat(20_000);
        fill(&world, &agent, 1, |_| text.clone()).await;
        let page = scoped.pages().latest(&agent.id).await.unwrap();
        assert_eq!(page.cut, [1, 3]);
        let EntryBody::Message { text: shown, .. } = &page.entries[0].body else { unreachable!() };
        assert!(shown.len() < 9_000 && shown.ends_with("[The beginning of 140000 bytes.]"), "{shown}");
        let whole = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        assert_eq!(whole[0].body, EntryBody::said(Sender::Person, text));
    })
    .await;
}

#[tokio::test]
async fn what_waits_for_the_person_is_on_the_page_wherever_it_stands() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&world, &viewer, &endpoint).await;
        let run = Some(RunId::from("under-way"));
        let (open, settled) = (approval("open", world.hub.now()), approval("settled", world.hub.now()));
        leave_open(&world, &viewer, &agent, &open).await;
        let bodies = [
            started(),
            used(),
            EntryBody::ApprovalAsked { approval: open.clone() },
            EntryBody::ApprovalAsked { approval: settled.clone() },
            EntryBody::ApprovalSettled { approval: settled.id, settled: ApprovalOutcome::Withdrawn },
        ];
        let chatter =
            (0..400).map(|number| (None, EntryBody::said(Sender::PageErrors, format!("Error {number}"))));
        write(&world, &agent, bodies.into_iter().map(|body| (run.clone(), body)).chain(chatter)).await;

        let page = scoped.pages().latest(&agent.id).await.unwrap();
        assert!(page.earlier.is_some_and(|first| first > 6));
        let known: Vec<&EntryBody> = page
            .entries
            .iter()
            .filter(|entry| Some(entry.seq) < page.earlier)
            .map(|entry| &entry.body)
            .collect();
        assert_eq!(known, [&started(), &used(), &EntryBody::ApprovalAsked { approval: open }]);
    })
    .await;
}

#[tokio::test]
async fn entries_are_handed_out_by_bytes() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&world, &viewer, &endpoint).await;
        fill(&world, &agent, 20, |_| "leaf ".repeat(40_000)).await;
        let mut seen = Vec::new();
        loop {
            let part =
                scoped.conversations().entries(&agent.id, seen.last().copied().unwrap_or(0)).await.unwrap();
            if part.is_empty() {
                break;
            }
            let bytes = serde_json::to_vec(&part).unwrap().len();
            assert!(bytes <= 1_400_000, "{bytes} bytes");
            seen.extend(part.iter().map(|entry| entry.seq));
        }
        assert_eq!(seen, (1..=120).collect::<Vec<_>>());
    })
    .await;
}

fn draft(provider: Option<&ProviderId>) -> Value {
    json!({
        "name": "Ada", "colour": "#3a7d44", "instructions": "", "provider": provider, "model": "gpt-5-mini",
        "tools": ["state"], "max_output_tokens": 1024, "home": Home::Hub,
    })
}

async fn agent(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> AgentView {
    let scoped = world.hub.for_viewer(viewer);
    let known = scoped.providers().list().await.unwrap().into_iter().next().map(|provider| provider.id);
    let provider = match known {
        Some(provider) => provider,
        None => endpoint.provider(&scoped, ProviderKind::OpenAi).await,
    };
    let draft: AgentDraft = serde_json::from_value(draft(Some(&provider))).unwrap();
    scoped.agents().create(draft).await.unwrap()
}

/// So many messages, each with its answer, as the hub writes them.
async fn fill(world: &World, agent: &AgentView, exchanges: usize, text: impl Fn(usize) -> String) {
    let exchange = |number| {
        let run = RunId(format!("{}-{number}", agent.id));
        let said = EntryBody::said(Sender::Person, text(number));
        let answer = Block::Text { text: format!("You said: {}", text(number)) };
        let answered = [
            started(),
            EntryBody::Block { turn: 0, index: 0, block: answer },
            EntryBody::TurnFinished { turn: 0, stop: StopReason::EndTurn },
            used(),
            EntryBody::finished(Outcome::Completed),
        ];
        let answered = answered.into_iter().map(move |body| (Some(run.clone()), body));
        std::iter::once((None, said)).chain(answered)
    };
    write(world, agent, (0..exchanges).flat_map(exchange)).await;
}

async fn write(world: &World, agent: &AgentView, bodies: impl Iterator<Item = (Option<RunId>, EntryBody)>) {
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    let row = sqlx::query("SELECT last_seq FROM agents WHERE id = $1").bind(&agent.id.0);
    let mut seq: i64 = row.fetch_one(&mut *tx).await.unwrap().get(0);
    for (run, body) in bodies {
        seq += 1;
        let body = serde_json::to_value(body).unwrap();
        sqlx::query(
            "INSERT INTO entries (agent_id, seq, at, conversation_id, run_id, kind, body)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&agent.id.0)
        .bind(seq)
        .bind(world.hub.now())
        .bind(&agent.conversation.0)
        .bind(run.map(|run| run.0))
        .bind(body["type"].as_str().unwrap())
        .bind(body.to_string())
        .execute(&mut *tx)
        .await
        .unwrap();
    }
    sqlx::query("UPDATE agents SET last_seq = $2 WHERE id = $1")
        .bind(&agent.id.0)
        .bind(seq)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// A row of a question that nobody has answered.
async fn leave_open(world: &World, viewer: &Viewer, agent: &AgentView, approval: &Approval) {
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    sqlx::query(
        "INSERT INTO approvals (id, user_id, agent_id, conversation_id, turn, call_id, shown, hash, asked_at, expires_at)
         VALUES ($1, $2, $3, $4, 0, 'call', $5, '', $6, $7)",
    )
    .bind(&approval.id.0)
    .bind(&viewer.me.id.0)
    .bind(&agent.id.0)
    .bind(&agent.conversation.0)
    .bind(serde_json::to_string(approval).unwrap())
    .bind(world.hub.now())
    .bind(approval.expires_at)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

fn approval(id: &str, now: i64) -> Approval {
    Approval {
        id: ApprovalId::from(id),
        asker: Asker::Model,
        page_of: None,
        turn: Some(0),
        call: ToolCall {
            id: CallId::from("call"),
            name: "fetch".to_owned(),
            input: json!({ "url": "https://example.org" }),
        },
        about: None,
        risk: ToolRisk::Medium,
        why: ApprovalReason::Risk,
        once: false,
        strangers: false,
        reaches: Vec::new(),
        question: None,
        hash: String::new(),
        expires_at: now + 60_000,
    }
}

fn started() -> EntryBody {
    EntryBody::RunStarted { home: Home::Hub, model: None, rounds: Some(25), driver: None, unverified: false }
}

fn used() -> EntryBody {
    let usage = Usage { input: 10, output: 2, ..Usage::default() };
    EntryBody::Used { turn: 0, model: "gpt-5-mini".to_owned(), usage, cost: None, aside: None }
}

fn size(page: &AgentPage) -> usize {
    serde_json::to_vec(&page.entries).unwrap().len()
}

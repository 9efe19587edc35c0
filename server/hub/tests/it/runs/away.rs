//! A store that is away for a while: nobody falls silent over it, and nothing that was said is forgotten.

use super::driven::Browser;
use super::page::Page;
use super::trace::{next, until_finished};
use super::{agent, open, outcome};
use crate::schedules::hourly;
use crate::talk::a_moment;
use crate::world::{Endpoint, World, each_store};
use futures_util::poll;
use hub::{Hub, Tab, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::hub::HubFrame;
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::schedule::ScheduleDraft;
use protocol::view::{AgentView, NotificationKind, Status};
use protocol::{AgentId, FailureKind};
use sqlx::Row as _;
use std::task::Poll;
use std::time::Duration;

/// A test that waits longer than this waits for something that does not come.
const PATIENCE: Duration = Duration::from_secs(180);

/// Who comes when the store is back.
#[derive(Clone, Copy, Debug)]
enum Next {
    Nobody,
    Message,
    Retry,
    Stop,
}

const ALL: [Next; 4] = [Next::Nobody, Next::Message, Next::Retry, Next::Stop];

#[tokio::test]
async fn an_end_that_could_not_be_written_is_when_the_store_is_back() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        for next in ALL {
            let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
            let scoped = world.hub.for_viewer(&viewer);
            let mut browser = Browser::new(open(&world, &viewer, "page"), Page::default());
            browser.show(&agent.id).await;
            scoped.runs().send_message(&agent.id, "script: halves", None, None).await.unwrap();
            browser.until_text().await;
            world.refuse_inserts("entries").await;
            endpoint.open_gate().await;
            // Its end cannot be written, and who asks for it is not told that it was.
            assert!(scoped.runs().stop(&agent.id).await.is_err(), "{next:?}");
            assert!(scoped.runs().send_message(&agent.id, "Hello?", None, None).await.is_err(), "{next:?}");
            world.take_inserts("entries").await;
            match next {
                Next::Nobody | Next::Message => {}
                Next::Retry => scoped.runs().retry(&agent.id, None).await.unwrap(),
                Next::Stop => scoped.runs().stop(&agent.id).await.unwrap(),
            }
            if let Next::Message = next {
                says(&world.hub, &viewer, &agent.id).await;
            }
            let entries = until_finished(&mut tab).await;
            assert_ne!(outcome(&entries), &Outcome::Completed, "{next:?}");
            let used = entries.iter().filter(|entry| matches!(entry.body, EntryBody::Used { .. }));
            assert_eq!(used.count(), 1, "{next:?}: what its call used is booked, once");
            if let Next::Retry = next {
                endpoint.open_gate().await;
                assert_eq!(outcome(&until_finished(&mut tab).await), &Outcome::Completed);
            }
            says(&world.hub, &viewer, &agent.id).await;
            let cards = scoped.agents().list().await.unwrap();
            assert_eq!(cards.iter().find(|card| card.id == agent.id).unwrap().status, Status::Idle);
        }
    })
    .await;
}

#[tokio::test]
async fn every_agent_answers_again_by_itself_when_its_database_is_back() {
    const AGENTS: usize = 6;
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut agents = Vec::new();
        for _ in 0..AGENTS {
            let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
            scoped.runs().send_message(&agent.id, "script: halves", None, None).await.unwrap();
            while !matches!(next(&mut tab).await, HubFrame::Delta { .. }) {}
            agents.push(agent.id);
        }
        world.take_store_away().await;
        endpoint.open_gate().await;
        // Each has its reply, and nowhere to write it.
        once(async || endpoint.requests().await.iter().all(|call| !call["ended"].is_null())).await;
        world.give_store_back().await;
        for agent in &agents {
            says(&world.hub, &viewer, agent).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_run_goes_on_by_itself_when_its_database_is_back() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let runs = world.hub.for_viewer(&viewer).runs();
        runs.send_message(&agent.id, "script: halves", None, None).await.unwrap();
        while !matches!(next(&mut tab).await, HubFrame::Delta { .. }) {}
        let whole_reply = async {
            endpoint.open_gate().await;
            once(async || endpoint.requests().await.iter().all(|call| !call["ended"].is_null())).await;
            // By the time that this is refused, so was the reply.
            runs.send_message(&agent.id, "Hello?", None, None).await.unwrap_err()
        };
        let refused = world.without_store(whole_reply).await;
        assert_eq!(refused.into_failure().kind, FailureKind::Unavailable);
        let entries = until_finished(&mut tab).await;
        assert_eq!(outcome(&entries), &Outcome::Completed);
        let used = entries.iter().filter(|entry| matches!(entry.body, EntryBody::Used { .. }));
        assert_eq!(used.count(), 1, "it is booked once");
        assert_eq!(endpoint.requests().await.len(), 1, "and the model was not asked again");
    })
    .await;
}

#[tokio::test]
async fn a_running_row_that_nobody_looks_after_holds_no_agent() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        for next in ALL {
            let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
            says(&world.hub, &viewer, &agent.id).await;
            until_finished(&mut tab).await;
            // As it is left by a process that began it and had no time to take it in hand.
            world
                .execute(&format!(
                    "INSERT INTO runs (id, agent_id, conversation_id, home, owner, token, running, started_at, process,
                                       began_after)
                     SELECT 'lost-' || id, agent_id, conversation_id, home, owner, 'lost', 1, started_at, process,
                            began_after + 1
                     FROM runs WHERE agent_id = '{}'",
                    agent.id.0
                ))
                .await;
            let scoped = world.hub.for_viewer(&viewer);
            match next {
                Next::Nobody => {}
                Next::Message => says(&world.hub, &viewer, &agent.id).await,
                Next::Retry => scoped.runs().retry(&agent.id, None).await.unwrap(),
                Next::Stop => scoped.runs().stop(&agent.id).await.unwrap(),
            }
            let entries = until_finished(&mut tab).await;
            assert!(matches!(outcome(&entries), Outcome::Interrupted { .. }), "{next:?}: {entries:?}");
            says(&world.hub, &viewer, &agent.id).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_run_that_the_hub_gives_up_is_told_like_every_end_and_counts_for_its_schedule() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let draft = ScheduleDraft { breaker: "1".to_owned(), ..hourly("Look around.") };
        let schedule = scoped.schedules().create(&agent.id, &draft).await.unwrap();
        says(&world.hub, &viewer, &agent.id).await;
        let conversation = until_finished(&mut tab).await.last().unwrap().conversation.clone().unwrap();
        scoped.conversations().read(&conversation).await.unwrap();
        let is_unread = async || scoped.conversations().get(&conversation).await.unwrap().unread;
        assert!(!is_unread().await);
        // That the schedule is switched off is told too.
        let heard = async || {
            let mut list = scoped.notifications().list(None).await.unwrap().list;
            list.retain(|told| told.kind != NotificationKind::Schedule);
            list
        };
        // What the agent thought over by itself is nobody's to hear; what its schedule began is.
        for (ambient, told) in [(1, 1), (0, 2)] {
            world
                .execute(&format!(
                    "INSERT INTO runs (id, agent_id, conversation_id, home, owner, token, running, started_at, process,
                                       began_after, ambient, schedule_id)
                     SELECT 'lost-{ambient}', agent_id, conversation_id, home, owner, 'lost', 1, started_at + 1, process,
                            began_after + 1, {ambient}, CASE WHEN {ambient} = 0 THEN '{schedule}' END
                     FROM runs WHERE running = 0 AND id NOT LIKE 'lost-%'"
                ))
                .await;
            let entries = until_finished(&mut tab).await;
            assert!(matches!(outcome(&entries), Outcome::Interrupted { .. }), "{entries:?}");
            let list = heard().await;
            assert_eq!((list.len(), is_unread().await), (told, told == 2), "{list:?}");
        }
        let list = heard().await;
        assert_eq!(list[0].kind, NotificationKind::Failed);
        assert!(list[0].body.starts_with("The hub lost this run"), "{list:?}");
        once(async || scoped.schedules().of_agent(&agent.id).await.unwrap()[0].paused).await;
    })
    .await;
}

#[tokio::test]
async fn a_message_whose_run_could_not_begin_begins_one() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let (agent, mut tab) = begin(&world, &viewer, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        // While the process lives on, by itself and when the same message comes again.
        for again in [false, true] {
            world.refuse_inserts("runs").await;
            let key = format!("key {again}");
            let sent =
                scoped.runs().send_message(&agent.id, "script: hello", Some(&key), None).await.unwrap();
            world.take_inserts("runs").await;
            if again {
                let repeated =
                    scoped.runs().send_message(&agent.id, "script: hello", Some(&key), None).await.unwrap();
                assert_eq!(repeated.seq, sent.seq);
            }
            let entries = until_finished(&mut tab).await;
            assert_eq!(outcome(&entries), &Outcome::Completed);
            assert_eq!(entries.iter().filter(|entry| is_start(entry)).count(), 1);
        }
        // Its answer was an answer, and Retry has nothing to do.
        let refused = scoped.runs().retry(&agent.id, None).await.unwrap_err().into_failure();
        assert_eq!(refused.kind, FailureKind::Conflict);

        // And at the next start, which finds every such message of whatever agent.
        let (other, _) = begin(&world, &viewer, &endpoint).await;
        world.refuse_inserts("runs").await;
        for id in [&agent.id, &other.id] {
            scoped.runs().send_message(id, "script: hello", None, None).await.unwrap();
        }
        world.hub.close().await;
        world.take_inserts("runs").await;
        let hub = world.reopened().await;
        for id in [&agent.id, &other.id] {
            once(async || {
                is_answered(&hub.for_viewer(&viewer).conversations().entries(id, 0).await.unwrap())
            })
            .await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_message_is_answered_wherever_its_sender_hangs_up() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let mut agents = Vec::new();
        let mut patience = 0;
        loop {
            let (agent, _) = begin(&world, &viewer, &endpoint).await;
            let mut sending = Box::pin(scoped.runs().send_message(&agent.id, "script: hello", None, None));
            let mut is_sent = false;
            for _ in 0..patience {
                is_sent = matches!(poll!(&mut sending), Poll::Ready(_));
                if is_sent {
                    break;
                }
                a_moment().await;
            }
            drop(sending);
            agents.push(agent.id);
            if is_sent {
                break;
            }
            patience += 1 + patience / 4;
        }
        assert!(agents.len() > 3, "it takes some time to send");
        for id in &agents {
            once(async || {
                let entries = scoped.conversations().entries(id, 0).await.unwrap();
                entries.is_empty() || is_answered(&entries)
            })
            .await;
        }
        let store = world.store().await;
        let left = sqlx::query("SELECT COUNT(*) FROM runs WHERE running = 1").fetch_one(store.read()).await;
        assert_eq!(left.unwrap().get::<i64, _>(0), 0);
    })
    .await;
}

/// An agent at the hub, and a tab that follows it without showing its page.
async fn begin(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> (AgentView, Tab) {
    let agent = agent(world, viewer, endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let mut tab = open(world, viewer, "laptop");
    tab.follow(&agent.id, 0).await.unwrap();
    (agent, tab)
}

async fn says(hub: &Hub, viewer: &Viewer, agent: &AgentId) {
    let answered = hub.for_viewer(viewer).runs().ask(agent, "script: hello", None, PATIENCE).await.unwrap();
    assert_eq!(answered.outcome, Some(Outcome::Completed), "{:?}", answered.error);
}

fn is_start(entry: &Entry) -> bool {
    matches!(entry.body, EntryBody::RunStarted { .. })
}

/// Whether a run has read the last message and is over.
fn is_answered(entries: &[Entry]) -> bool {
    let said = entries.iter().rposition(|entry| matches!(entry.body, EntryBody::Message { .. }));
    let begun = entries.iter().rposition(is_start);
    let is_over = |entry: &Entry| entry.body == EntryBody::finished(Outcome::Completed);
    begun > said && entries.last().is_some_and(is_over)
}

/// Asks until it is so.
async fn once(is_so: impl AsyncFn() -> bool) {
    let ask = async {
        while !is_so().await {
            a_moment().await;
        }
    };
    tokio::time::timeout(PATIENCE, ask).await.expect("it comes to be so");
}

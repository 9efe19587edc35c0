//! Another model answers when a local one is out of reach, if the person wants that, and never
//! otherwise.

use crate::providers::server::Server;
use crate::talk::PATIENCE;
use crate::world::{Endpoint, World, each_store};
use hub::Viewer;
use protocol::agent::ProviderKind;
use protocol::log::{Entry, EntryBody, NoticeKind, Outcome};
use protocol::view::{AgentDraft, AgentView};
use protocol::{FailureKind, ProviderId};
use serde_json::json;

const NOBODY: &str = "http://127.0.0.1:1";
const RESERVE: &str = "gpt-5-mini";

#[tokio::test]
async fn the_reserve_answers_for_a_local_server_that_is_gone_and_the_log_says_so() {
    each_store(async |world: World| {
        let cloud = Endpoint::start();
        let viewer = world.person("ada").await;
        let local = provider(&world, &viewer, "Desk", NOBODY, "key-good").await;
        let reserve = provider(&world, &viewer, "Cloud", &cloud.url, "key-good").await;
        let agent = agent(&world, &viewer, &local, "any", Some(&reserve)).await;
        let entries = told(&world, &viewer, &agent, Outcome::Completed).await;
        let notices = notices(&entries);
        assert_eq!(notices.len(), 1, "{entries:?}");
        assert!(notices[0].starts_with("Desk did not answer: "), "{}", notices[0]);
        assert!(notices[0].contains("gpt-5-mini of Cloud answers this run"), "{}", notices[0]);
        let used = entries.iter().find_map(|entry| match &entry.body {
            EntryBody::Used { model, cost, .. } => Some((model.as_str(), *cost)),
            _ => None,
        });
        assert!(matches!(used, Some((RESERVE, Some(cost))) if cost.0 > 0), "{used:?}");
        assert_eq!(cloud.requests().await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn what_the_local_model_used_is_not_on_the_reserves_bill() {
    each_store(async |world: World| {
        let usage = json!({ "input_tokens": 1000, "output_tokens": 1 });
        let start = json!({ "type": "message_start", "message": { "id": "m", "role": "assistant", "usage": usage } });
        let cut = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\nevent: message_start\ndata: {start}\n\n");
        let (desk, cloud) = (Server::start(move |_| cut.clone()).await, Endpoint::start());
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let (kind, url) = (ProviderKind::Anthropic, Some(desk.url.as_str()));
        let local = scoped.providers().save(None, "Desk", kind, url, Some("key-good")).await.unwrap().id;
        let reserve = provider(&world, &viewer, "Cloud", &cloud.url, "key-good").await;
        let agent = agent(&world, &viewer, &local, "mine", Some(&reserve)).await;
        let entries = told(&world, &viewer, &agent, Outcome::Completed).await;
        let used = |entry: &Entry| match &entry.body {
            EntryBody::Used { model, usage, .. } => Some((model.clone(), usage.input)),
            _ => None,
        };
        let used: Vec<_> = entries.iter().filter_map(used).collect();
        let (reserves, own): (Vec<_>, Vec<_>) = used.into_iter().partition(|(model, _)| model == RESERVE);
        assert!(!own.is_empty() && own.iter().all(|used| *used == ("mine".to_owned(), 1000)), "{own:?}");
        assert!(reserves.len() == 1 && reserves[0].1 != 1000, "{reserves:?}");
        let providers: Vec<_> = scoped.ledger().usage().await.unwrap().providers.into_iter().map(|one| one.calls).collect();
        assert_eq!(providers.iter().sum::<u64>(), own.len() as u64 + 1);
    })
    .await;
}

#[tokio::test]
async fn without_the_persons_word_nothing_is_sent_elsewhere() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let cloud = provider(&world, &viewer, "Cloud", &endpoint.url, "key-good").await;
        let gone = provider(&world, &viewer, "Desk", NOBODY, "key-good").await;
        let far = provider(&world, &viewer, "Far", "http://nowhere.invalid/v1", "key-good").await;
        let strict = Endpoint::start();
        let wrong = provider(&world, &viewer, "Wrong key", &strict.url, "key-bad").await;
        for (name, own, reserve) in [
            ("no reserve", &gone, None),
            ("no local server", &far, Some(&cloud)),
            ("refused", &wrong, Some(&cloud)),
        ] {
            let agent = agent(&world, &viewer, own, RESERVE, reserve).await;
            let answered =
                world.hub.for_viewer(&viewer).runs().ask(&agent.id, "Hello", None, PATIENCE).await.unwrap();
            assert!(matches!(answered.outcome, Some(Outcome::Failed { .. })), "{name}: {answered:?}");
            assert_eq!(endpoint.requests().await.len(), 0, "{name}");
        }
    })
    .await;
}

#[tokio::test]
async fn every_run_asks_the_local_model_first_and_a_reserve_that_is_gone_is_none() {
    each_store(async |world: World| {
        let (desk, cloud) = (Endpoint::start(), Endpoint::start());
        let viewer = world.person("ada").await;
        let local = provider(&world, &viewer, "Desk", &desk.url, "key-good").await;
        let reserve = provider(&world, &viewer, "Cloud", &cloud.url, "key-good").await;
        let agent = agent(&world, &viewer, &local, "no-such-model", Some(&reserve)).await;
        for _ in 0..2 {
            told(&world, &viewer, &agent, Outcome::Completed).await;
        }
        assert_eq!((desk.requests().await.len(), cloud.requests().await.len()), (2, 2));

        let scoped = world.hub.for_viewer(&viewer);
        scoped.providers().delete(&reserve).await.unwrap();
        assert_eq!(scoped.agents().get(&agent.id).await.unwrap().fallback, None);
        let answered = scoped.runs().ask(&agent.id, "Hello", None, PATIENCE).await.unwrap();
        assert!(matches!(answered.outcome, Some(Outcome::Failed { .. })), "{answered:?}");
    })
    .await;
}

#[tokio::test]
async fn a_reserve_is_a_provider_of_the_same_person() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let own = provider(&world, &ada, "Desk", NOBODY, "key-good").await;
        let theirs = provider(&world, &eve, "Cloud", NOBODY, "key-good").await;
        for (reserve, kind) in [(&theirs, FailureKind::NotFound), (&own, FailureKind::Invalid)] {
            let made = world.hub.for_viewer(&ada).agents().create(draft(&own, "any", Some(reserve))).await;
            assert_eq!(made.unwrap_err().into_failure().kind, kind);
        }
    })
    .await;
}

async fn provider(world: &World, viewer: &Viewer, name: &str, url: &str, key: &str) -> ProviderId {
    let scoped = world.hub.for_viewer(viewer);
    scoped.providers().save(None, name, ProviderKind::OpenAi, Some(url), Some(key)).await.unwrap().id
}

async fn agent(
    world: &World,
    viewer: &Viewer,
    own: &ProviderId,
    model: &str,
    reserve: Option<&ProviderId>,
) -> AgentView {
    world.hub.for_viewer(viewer).agents().create(draft(own, model, reserve)).await.unwrap()
}

fn draft(own: &ProviderId, model: &str, reserve: Option<&ProviderId>) -> AgentDraft {
    let mut draft = json!({ "name": "Ada", "colour": "#3a7d44", "provider": own, "model": model });
    if let Some(reserve) = reserve {
        draft["fallback_provider"] = json!(reserve);
        draft["fallback_model"] = json!(RESERVE);
    }
    serde_json::from_value(draft).unwrap()
}

async fn told(world: &World, viewer: &Viewer, agent: &AgentView, outcome: Outcome) -> Vec<Entry> {
    let scoped = world.hub.for_viewer(viewer);
    let answered = scoped.runs().ask(&agent.id, "Hello", None, PATIENCE).await.unwrap();
    assert_eq!(answered.outcome, Some(outcome), "{:?}", answered.error);
    scoped.conversations().entries(&agent.id, 0).await.unwrap()
}

fn notices(entries: &[Entry]) -> Vec<&str> {
    let notice = |entry| match entry {
        &Entry { body: EntryBody::Notice { kind: NoticeKind::Fallback, ref text, .. }, .. } => {
            Some(text.as_str())
        }
        _ => None,
    };
    entries.iter().filter_map(notice).collect()
}

//! Models whose price nobody knows, and those that cost nothing.

use super::{agents, daily, is_over_budget, until_finished, watch};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Scoped, Viewer};
use protocol::Caps;
use protocol::agent::ProviderKind;
use protocol::log::{Entry, EntryBody, NoticeKind};
use protocol::view::{AgentDraft, AgentView, CallKind, ModelPrice, WantedPrice};
use protocol::{Micros, ProviderId};

const MODEL: &str = "model-without-price";
const PRICE: ModelPrice = ModelPrice { input: Micros(1_000_000), output: Micros(2_000_000) };

#[tokio::test]
async fn a_person_says_what_a_model_costs_and_the_agent_goes_on() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = unpriced(&world, &viewer, &endpoint).await;
        scoped.ledger().limit_own(&daily(Micros(1_000_000))).await.unwrap();
        let mut tab = watch(&world, &viewer, std::slice::from_ref(&agent)).await;
        scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        assert!(until_finished(&mut tab, 1).await.iter().any(is_over_budget));
        assert!(endpoint.requests().await.is_empty());

        scoped.model_facts().set_own_price(MODEL, PRICE).await.unwrap();
        let entries = until_finished(&mut tab, 1).await;
        let (usage, cost) = used(&entries);
        assert_eq!(cost, Some(Micros(i64::try_from(usage.input + 2 * usage.output).unwrap())));
        assert_eq!(scoped.ledger().own_budget().await.unwrap().spent.day, cost.unwrap());
        let usage = scoped.ledger().usage().await.unwrap();
        assert_eq!((usage.models[0].unpriced, usage.providers[0].name.as_str()), (0, "Test"));
        assert_eq!(usage.kinds[0].kind, CallKind::Reply);
        assert_eq!(scoped.model_facts().own_prices().await.unwrap()[0].price, PRICE);

        // It is theirs alone, and never in the way of what the hub knows.
        let eve = world.person("eve").await;
        assert!(world.hub.for_viewer(&eve).model_facts().own_prices().await.unwrap().is_empty());
        assert!(scoped.model_facts().set_own_price("claude-sonnet-4-5", PRICE).await.is_err());
        scoped.model_facts().forget_own_price(MODEL).await.unwrap();
        assert!(scoped.model_facts().forget_own_price(MODEL).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn what_is_called_without_a_price_is_said_once_in_the_conversation() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = unpriced(&world, &viewer, &endpoint).await;
        let mut tab = watch(&world, &viewer, std::slice::from_ref(&agent)).await;
        for expected in [1, 0] {
            scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
            let entries = until_finished(&mut tab, 1).await;
            assert_eq!(used(&entries).1, None);
            let said = entries.iter().filter(|entry| {
                matches!(&entry.body, EntryBody::Notice { kind: NoticeKind::Limit, text, .. }
                    if text.starts_with("Nobody knows here what model-without-price costs"))
            });
            assert_eq!(said.count(), expected, "{entries:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_administrators_limit_goes_by_what_administrators_know() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, root) = (world.person("ada").await, world.admin("root").await);
        let (scoped, admin) = (world.hub.for_viewer(&viewer), world.hub.as_admin(&root).unwrap());
        let agent = unpriced(&world, &viewer, &endpoint).await;
        let nothing = ModelPrice { input: Micros(0), output: Micros(0) };
        scoped.model_facts().set_own_price(MODEL, nothing).await.unwrap();
        admin.ledger().limit(Some(&viewer.me.id), &daily(Micros(1_000_000))).await.unwrap();
        let mut tab = watch(&world, &viewer, std::slice::from_ref(&agent)).await;
        scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        assert!(
            until_finished(&mut tab, 1).await.iter().any(is_over_budget),
            "a word of theirs frees nobody"
        );
        let wanted = WantedPrice { model: MODEL.to_owned(), people: vec!["ada".to_owned()] };
        assert_eq!(admin.ledger().wanted_prices().await.unwrap(), [wanted]);

        admin.model_facts().enter_facts(MODEL, None, None, None, Some(PRICE)).await.unwrap();
        let entries = until_finished(&mut tab, 1).await;
        assert!(!entries.iter().any(is_over_budget));
        assert!(used(&entries).1.unwrap() > Micros(0), "the hub's price counts before theirs");
        assert!(admin.ledger().wanted_prices().await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_model_on_a_machine_of_ones_own_costs_nothing_and_is_not_unpriced() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let url = format!("{}/v1", endpoint.url);
        let kind = ProviderKind::LlamaCpp;
        let provider =
            scoped.providers().save(None, "Here", kind, Some(&url), Some("key-good")).await.unwrap().id;
        let agent = scoped.agents().create(draft("Local", &provider)).await.unwrap();
        scoped.ledger().limit_own(&Caps { ever: Some(Micros(0)), ..Caps::default() }).await.unwrap();
        let mut tab = watch(&world, &viewer, std::slice::from_ref(&agent)).await;
        scoped.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
        assert_eq!(used(&until_finished(&mut tab, 1).await).1, Some(Micros(0)));
        let line = scoped.ledger().usage().await.unwrap().models.remove(0);
        assert_eq!((line.calls, line.unpriced, line.cost), (1, 0, Micros(0)));
    })
    .await;
}

fn draft(name: &str, provider: &ProviderId) -> AgentDraft {
    Definition::named(name).model(provider, MODEL).draft()
}

async fn unpriced(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> AgentView {
    let agent = agents(world, viewer, endpoint, 1).await.remove(0);
    let scoped: Scoped<'_> = world.hub.for_viewer(viewer);
    scoped.agents().edit(&agent.id, draft(&agent.name, &agent.provider.unwrap())).await.unwrap()
}

/// What the one call used and cost.
fn used(entries: &[Entry]) -> (protocol::model::Usage, Option<Micros>) {
    let used = entries.iter().find_map(|entry| match &entry.body {
        EntryBody::Used { usage, cost, .. } => Some((*usage, *cost)),
        _ => None,
    });
    used.unwrap_or_else(|| panic!("there was no call: {entries:?}"))
}

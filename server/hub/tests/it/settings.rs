//! Settings that move from one hub to another: once, as a whole, and without a key.

use crate::world::{World, each_store};
use hub::Viewer;
use protocol::Caps;
use protocol::agent::ProviderKind;
use protocol::approval::{PolicyDraft, Verdict};
use protocol::view::{CarriedProvider, CarriedRule, ModelPrice, OwnPrice, ProviderReach, Settings};
use protocol::{FailureKind, Micros};

const KEY: &str = "sk-ant-canary-0123456789";

#[tokio::test]
async fn what_one_hub_gives_another_takes_once() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        fill(&world, &ada).await;
        let carried = world.hub.for_viewer(&ada).settings().read().await.unwrap();
        assert!(!serde_json::to_string(&carried).unwrap().contains(KEY));
        let eves = world.hub.for_viewer(&eve);
        let taken = eves.settings().take("parcel1", &carried).await.unwrap();
        assert_eq!((taken.providers.len(), taken.notes), (2, Vec::new()));
        let without_key = |settings: Settings| Settings {
            providers: settings
                .providers
                .into_iter()
                .map(|provider| CarriedProvider { had_key: false, ..provider })
                .collect(),
            ..settings
        };
        assert_eq!(eves.settings().read().await.unwrap(), without_key(carried.clone()));
        let again = eves.settings().take("parcel1", &carried).await.unwrap_err();
        assert_eq!(again.into_failure().kind, FailureKind::Conflict);
        assert_eq!(eves.settings().read().await.unwrap(), without_key(carried.clone()));
        let rules = Settings { rules: carried.rules.clone(), ..Settings::default() };
        eves.settings().take("parcel2", &rules).await.unwrap();
        assert_eq!(
            eves.settings().read().await.unwrap().rules.len(),
            1,
            "a rule that is there is not doubled"
        );
    })
    .await;
}

#[tokio::test]
async fn a_parcel_with_one_thing_that_is_refused_changes_nothing() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let good = || provider("Good", None);
        let price = |model: &str| OwnPrice { model: model.to_owned(), price: price() };
        let rule =
            CarriedRule { asker: None, tool: "not a tool".to_owned(), about: None, verdict: Verdict::Ask };
        let table = [
            Settings { providers: vec![good(), provider("", None)], ..Settings::default() },
            Settings {
                providers: vec![good(), provider("Bad", Some("http://169.254.169.254"))],
                ..Settings::default()
            },
            Settings { providers: vec![good()], prices: vec![price("a\nb")], ..Settings::default() },
            Settings {
                providers: vec![good()],
                limits: Some(Caps { per_day: Some(Micros(-1)), ..Caps::default() }),
                ..Settings::default()
            },
            Settings { providers: vec![good()], rules: vec![rule], ..Settings::default() },
            Settings { providers: vec![good(); 201], ..Settings::default() },
        ];
        for settings in table {
            scoped.settings().take("parcel", &settings).await.unwrap_err();
            assert_eq!(scoped.settings().read().await.unwrap(), Settings::default(), "{settings:?}");
        }
        for id in ["", "a b", &"a".repeat(65)] {
            scoped.settings().take(id, &Settings::default()).await.unwrap_err();
        }
        let good = Settings { providers: vec![good()], ..Settings::default() };
        scoped.settings().take("parcel", &good).await.unwrap();
    })
    .await;
}

/// One of each, with a key in the hub.
async fn fill(world: &World, viewer: &Viewer) {
    let scoped = world.hub.for_viewer(viewer);
    scoped.providers().save(None, "Brook", ProviderKind::Anthropic, None, Some(KEY)).await.unwrap();
    scoped.providers().save_device_key_provider(None, "Vault", ProviderKind::Anthropic, None).await.unwrap();
    scoped.model_facts().set_own_price("model-without-price", price()).await.unwrap();
    scoped.ledger().limit_own(&Caps { per_day: Some(Micros(5)), ..Caps::default() }).await.unwrap();
    let rule = PolicyDraft {
        agent: String::new(),
        asker: "page".to_owned(),
        tool: "fetch".to_owned(),
        about: "example.com".to_owned(),
        verdict: "deny".to_owned(),
        uses: 0,
        minutes: 0,
    };
    scoped.policies().add(&rule).await.unwrap();
    scoped.policies().add(&PolicyDraft { minutes: 5, ..rule }).await.unwrap();
}

fn provider(name: &str, base_url: Option<&str>) -> CarriedProvider {
    CarriedProvider {
        name: name.to_owned(),
        kind: ProviderKind::OpenAi,
        base_url: base_url.map(str::to_owned),
        reach: ProviderReach::Hub,
        had_key: false,
    }
}

fn price() -> ModelPrice {
    ModelPrice { input: Micros(1), output: Micros(2) }
}

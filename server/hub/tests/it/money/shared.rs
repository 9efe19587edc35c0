//! Providers that an administrator shares.

use super::{OUTPUT, is_over_budget, spend, until_finished, watch};
use crate::world::{Definition, Endpoint, PASSWORD, World, each_store};
use hub::{Scoped, Viewer};
use protocol::agent::ProviderKind;
use protocol::log::{Entry, EntryBody, Outcome};
use protocol::model::ModelFailureKind;
use protocol::view::{
    AgentDraft, AgentView, LoopSettings, ProviderOwnership, ProviderView, Role, SamplingSettings, Share,
    Status, UsageView,
};
use protocol::{FailureKind, Micros, ProviderId};
use serde_json::json;

const MODEL: &str = "claude-sonnet-4-5";

#[tokio::test]
async fn a_shared_provider_is_for_those_it_is_shared_with_and_stays_the_administrators() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (root, ada, eve) =
            (world.admin("root").await, world.person("ada").await, world.person("eve").await);
        let (admin, adas, eves) =
            (world.hub.as_admin(&root).unwrap(), world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let provider = save(&world, &root, &endpoint.url).await;
        let friends = admin.groups().save(None, "Friends", std::slice::from_ref(&ada.me.id)).await.unwrap();
        let with = |share: Share| Share { models: vec![MODEL.to_owned()], ..share };
        for (share, for_eve) in [
            (Share { everyone: true, ..Share::default() }, 1),
            (Share { people: vec![ada.me.id.clone()], ..Share::default() }, 0),
            (Share { groups: vec![friends.clone()], ..Share::default() }, 0),
        ] {
            admin.providers().put(&provider.id, &with(share.clone())).await.unwrap();
            assert_eq!(admin.providers().share(&provider.id).await.unwrap(), Some(with(share)));
            let seen = adas.providers().list().await.unwrap();
            assert_eq!((seen.len(), seen[0].base_url.as_ref()), (1, None), "nobody learns the address");
            assert!(matches!(seen[0].whose, ProviderOwnership::Lent { .. }));
            assert_eq!(eves.providers().list().await.unwrap().len(), for_eve);
            let agent = agent(&adas, &provider.id, MODEL).await;
            assert!(matches!(run(&world, &ada, &agent).await, Outcome::Completed));
            assert_eq!(adas.providers().models(&provider.id).await.unwrap().models, [MODEL]);
            adas.agents().delete(&agent.id).await.unwrap();
        }
        assert_eq!(admin.providers().list().await.unwrap()[0].owner, "root");
        let named = |usage: UsageView| usage.providers[0].name.clone();
        assert_eq!(named(admin.ledger().usage().await.unwrap()), "Ours");
        admin.providers().stop_sharing(&provider.id).await.unwrap();
        assert_eq!(
            named(admin.ledger().usage().await.unwrap()),
            "",
            "what is not shared is nobody else's to know"
        );
        let in_group = with(Share { groups: vec![friends], ..Share::default() });
        admin.providers().put(&provider.id, &in_group).await.unwrap();

        // Nobody else changes it, tests it, deletes it, or gives its key to another server.
        let (id, kind) = (&provider.id, ProviderKind::Anthropic);
        let elsewhere = Some("http://127.0.0.1:1");
        let refused = [
            adas.providers().save(Some(id), "Mine", kind, elsewhere, None).await.map(drop),
            adas.providers().test(kind, elsewhere, None, Some(id), None).await.map(drop),
            adas.providers().delete(id).await,
            eves.providers().models(id).await.map(drop),
            eves.agents().create(draft(id, MODEL)).await.map(drop),
        ];
        for refused in refused {
            assert_eq!(refused.unwrap_err().into_failure().kind, FailureKind::NotFound);
        }
        let mine = agent(&adas, id, MODEL).await;
        assert!(adas.providers().set_agent_key(&mine.id, "sk-of-the-agent-0123").await.is_err());
    })
    .await;
}

#[tokio::test]
async fn fields_of_ones_own_do_not_go_where_somebody_else_pays() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (root, ada) = (world.admin("root").await, world.person("ada").await);
        let (admin, adas) = (world.hub.as_admin(&root).unwrap(), world.hub.for_viewer(&ada));
        let provider = save(&world, &root, &endpoint.url).await;
        admin.providers().put(&provider.id, &Share { everyone: true, ..Share::default() }).await.unwrap();
        let agent = agent(&adas, &provider.id, MODEL).await;
        let sampling =
            SamplingSettings { extra: Some(json!({ "min_p": 0.1 })), ..SamplingSettings::default() };
        let settings = LoopSettings { sampling, ..LoopSettings::default() };
        let wanted = Definition::like(&agent).settings(settings.clone()).draft();
        let refused = adas.agents().edit(&agent.id, wanted).await.unwrap_err().into_failure();
        assert!(refused.message.contains("somebody else pays"), "{}", refused.message);
        // Where they were kept before it was shared, they are not sent.
        sqlx::query("UPDATE agents SET loop_settings = $2 WHERE id = $1")
            .bind(&agent.id.0)
            .bind(serde_json::to_string(&settings).unwrap())
            .execute(world.store().await.read())
            .await
            .unwrap();
        let Outcome::Failed { failure } = run(&world, &ada, &agent).await else { panic!("it was sent") };
        assert!(failure.message.contains("takes no extra fields"), "{}", failure.message);
        assert!(endpoint.requests().await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn taking_it_back_is_felt_at_the_next_call_and_said_in_words() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (root, ada) = (world.admin("root").await, world.person("ada").await);
        let (admin, adas) = (world.hub.as_admin(&root).unwrap(), world.hub.for_viewer(&ada));
        let provider = save(&world, &root, &endpoint.url).await;
        let everyone = Share { everyone: true, ..Share::default() };
        let friends = admin.groups().save(None, "Friends", std::slice::from_ref(&ada.me.id)).await.unwrap();
        let in_group = Share { groups: vec![friends.clone()], ..Share::default() };
        let only = Share { models: vec!["another-model".to_owned()], ..everyone.clone() };
        admin.providers().put(&provider.id, &everyone).await.unwrap();
        let agent = agent(&adas, &provider.id, MODEL).await;
        for (share, words) in [
            (Some(&only), "but not its model claude-sonnet-4-5"),
            (None, "not shared with you any more"),
            (Some(&in_group), "not shared with you any more"),
        ] {
            match share {
                Some(share) => admin.providers().put(&provider.id, share).await.unwrap(),
                None => admin.providers().stop_sharing(&provider.id).await.unwrap(),
            }
            if share == Some(&in_group) {
                assert!(matches!(run(&world, &ada, &agent).await, Outcome::Completed));
                admin.groups().save(Some(&friends), "Friends", &[]).await.unwrap();
            }
            let Outcome::Failed { failure } = run(&world, &ada, &agent).await else { panic!("{words}") };
            assert!(failure.message.contains(words), "{}", failure.message);
            admin.providers().put(&provider.id, &everyone).await.unwrap();
            assert!(matches!(run(&world, &ada, &agent).await, Outcome::Completed), "{words}");
        }
        // While who shares it may not sign in nobody has it.
        let other = world.person("other").await;
        sqlx::query("UPDATE users SET role = 'admin' WHERE id = $1")
            .bind(&other.me.id.0)
            .execute(world.store().await.read())
            .await
            .unwrap();
        let second =
            world.hub.accounts().sign_in("other", PASSWORD, "test").await.unwrap().done().unwrap().viewer;
        let second = world.hub.as_admin(&second).unwrap();
        second.people().disable(&root.me.id).await.unwrap();
        assert!(adas.providers().list().await.unwrap().is_empty());
        assert_eq!(
            adas.providers().models(&provider.id).await.unwrap_err().into_failure().kind,
            FailureKind::NotFound
        );
        let Outcome::Failed { failure } = run(&world, &ada, &agent).await else { panic!("it still answers") };
        assert!(failure.message.contains("not shared with you any more"), "{}", failure.message);
        second.people().enable(&root.me.id).await.unwrap();
        assert!(matches!(run(&world, &ada, &agent).await, Outcome::Completed));
        // A share ends with the role of who shares: what they do with the provider is theirs alone then.
        sqlx::query("UPDATE users SET role = 'member' WHERE id = $1")
            .bind(&root.me.id.0)
            .execute(world.store().await.read())
            .await
            .unwrap();
        assert!(adas.providers().list().await.unwrap().is_empty());
        assert_eq!(adas.agents().get(&agent.id).await.unwrap().provider, None);
        assert!(matches!(run(&world, &ada, &agent).await, Outcome::Failed { .. }));
    })
    .await;
}

#[tokio::test]
async fn who_waits_for_money_on_a_share_that_ends_is_told_what_is_missing() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (root, ada, eve) =
            (world.admin("root").await, world.person("ada").await, world.admin("eve").await);
        let (admin, adas) = (world.hub.as_admin(&root).unwrap(), world.hub.for_viewer(&ada));
        for ends in [
            Ends::Taken,
            Ends::GroupDeleted,
            Ends::GroupLeft,
            Ends::NoAdministrator,
            Ends::Deleted,
            Ends::Removed,
        ] {
            let provider = save(&world, &root, &endpoint.url).await;
            let group = admin.groups().save(None, "Friends", std::slice::from_ref(&ada.me.id)).await.unwrap();
            let groups = vec![group.clone()];
            let share = Share { groups, per_month: Some(Micros(10)), ..Share::default() };
            admin.providers().put(&provider.id, &share).await.unwrap();
            let agent = agent(&adas, &provider.id, MODEL).await;
            let mut tab = watch(&world, &ada, std::slice::from_ref(&agent)).await;
            adas.runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
            assert!(until_finished(&mut tab, 1).await.iter().any(is_over_budget), "{ends:?}");

            let others = world.hub.as_admin(&eve).unwrap();
            match ends {
                Ends::Taken => admin.providers().stop_sharing(&provider.id).await.unwrap(),
                Ends::GroupDeleted => admin.groups().delete(&group).await.unwrap(),
                Ends::GroupLeft => drop(admin.groups().save(Some(&group), "Friends", &[]).await.unwrap()),
                Ends::NoAdministrator => others.people().set_role(&root.me.id, Role::Member).await.unwrap(),
                Ends::Removed => others.people().remove(&root.me.id, "root").await.unwrap(),
                Ends::Deleted => {
                    world.hub.for_viewer(&root).providers().delete(&provider.id).await.unwrap();
                }
            }
            let entries = until_finished(&mut tab, 1).await;
            let Some(Entry { body: EntryBody::RunFinished { outcome, stopped_by }, .. }) = entries.last()
            else {
                panic!("{ends:?}: {entries:?}")
            };
            let Outcome::Failed { failure } = outcome else { panic!("{ends:?}: {outcome:?}") };
            assert_eq!((failure.kind, *stopped_by), (ModelFailureKind::NotConfigured, None), "{ends:?}");
            assert_eq!(adas.pages().latest(&agent.id).await.unwrap().card.status, Status::Error, "{ends:?}");
            adas.agents().delete(&agent.id).await.unwrap();
            if ends != Ends::Removed {
                others.people().set_role(&root.me.id, Role::Admin).await.unwrap();
            }
        }
    })
    .await;
}

#[tokio::test]
async fn each_person_has_the_month_s_money_to_themselves() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (root, ada, bob) =
            (world.admin("root").await, world.person("ada").await, world.person("bob").await);
        let admin = world.hub.as_admin(&root).unwrap();
        let provider = save(&world, &root, &endpoint.url).await;
        let share =
            |micros: i64| Share { everyone: true, per_month: Some(Micros(micros)), ..Share::default() };
        admin.providers().put(&provider.id, &share(200_000)).await.unwrap();
        spend(&world, &ada, &provider.id, 100_000).await;
        let mut agents = Vec::new();
        for viewer in [&ada, &bob, &root] {
            agents.push(agent(&world.hub.for_viewer(viewer), &provider.id, MODEL).await);
        }
        let Outcome::Failed { failure } = run(&world, &ada, &agents[0]).await else { panic!("it is over") };
        let words = "On this shared provider, all your agents together may spend $0.20 a month.";
        assert!(failure.message.starts_with(words), "{}", failure.message);
        assert!(matches!(run(&world, &bob, &agents[1]).await, Outcome::Completed));
        assert!(matches!(run(&world, &root, &agents[2]).await, Outcome::Completed), "it is theirs");
        let terms = world.hub.for_viewer(&ada).providers().list().await.unwrap().remove(0).whose;
        let expected = ProviderOwnership::Lent {
            models: Vec::new(),
            per_month: Some(Micros(200_000)),
            spent: Micros(100_000),
        };
        assert_eq!(terms, expected);

        let mut tab = watch(&world, &ada, &agents[..1]).await;
        admin.providers().put(&provider.id, &share(900_000)).await.unwrap();
        let entries = until_finished(&mut tab, 1).await;
        assert!(!entries.iter().any(is_over_budget), "it goes on by itself");
    })
    .await;
}

#[tokio::test]
async fn a_failure_does_not_tell_where_a_shared_provider_is() {
    each_store(async |world: World| {
        let (root, ada) = (world.admin("root").await, world.person("ada").await);
        let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let provider = save(&world, &root, &format!("http://{nobody}/secret/path")).await;
        let share = Share { everyone: true, ..Share::default() };
        world.hub.as_admin(&root).unwrap().providers().put(&provider.id, &share).await.unwrap();
        for (viewer, is_told) in [(&root, true), (&ada, false)] {
            let scoped = world.hub.for_viewer(viewer);
            let agent = agent(&scoped, &provider.id, MODEL).await;
            let Outcome::Failed { failure } = run(&world, viewer, &agent).await else { panic!("it is down") };
            assert_eq!(failure.message.contains(&nobody.to_string()), is_told, "{}", failure.message);
            let all =
                serde_json::to_string(&scoped.conversations().entries(&agent.id, 0).await.unwrap()).unwrap();
            assert_eq!(all.contains(&nobody.to_string()), is_told, "{all}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_shared_is_refused() {
    each_store(async |world: World| {
        let (root, other) = (world.admin("root").await, world.admin("other").await);
        let admin = world.hub.as_admin(&root).unwrap();
        let provider = save(&world, &root, "http://127.0.0.1:9").await;
        let everyone = Share { everyone: true, ..Share::default() };
        for (share, words) in [
            (Share::default(), "Choose with whom"),
            (Share { per_month: Some(Micros(-1)), ..everyone.clone() }, "A limit is not negative"),
            (Share { models: vec!["x".repeat(201)], ..everyone.clone() }, "At most 200 models"),
        ] {
            let refused = admin.providers().put(&provider.id, &share).await.unwrap_err();
            assert!(refused.to_string().starts_with(words), "{refused}");
            assert_eq!(admin.providers().share(&provider.id).await.unwrap(), None);
        }
        let others = world.hub.as_admin(&other).unwrap();
        assert!(others.providers().put(&provider.id, &everyone).await.is_err(), "it is not theirs");
        admin.providers().put(&provider.id, &everyone).await.unwrap();
        others.providers().stop_sharing(&provider.id).await.unwrap();
        assert!(others.providers().stop_sharing(&provider.id).await.is_err());
        admin.providers().put(&provider.id, &everyone).await.unwrap();
        world.hub.for_viewer(&root).providers().delete(&provider.id).await.unwrap();
        assert!(admin.providers().list().await.unwrap().is_empty());
    })
    .await;
}

async fn save(world: &World, viewer: &Viewer, url: &str) -> ProviderView {
    let kind = ProviderKind::Anthropic;
    world
        .hub
        .for_viewer(viewer)
        .providers()
        .save(None, "Ours", kind, Some(url), Some("key-good"))
        .await
        .unwrap()
}

fn draft(provider: &ProviderId, model: &str) -> AgentDraft {
    Definition::on(provider, model).output(OUTPUT).draft()
}

async fn agent(scoped: &Scoped<'_>, provider: &ProviderId, model: &str) -> AgentView {
    scoped.agents().create(draft(provider, model)).await.unwrap()
}

/// Says something and gives how the run ended.
async fn run(world: &World, viewer: &Viewer, agent: &AgentView) -> Outcome {
    let mut tab = watch(world, viewer, std::slice::from_ref(agent)).await;
    world.hub.for_viewer(viewer).runs().send_message(&agent.id, "Hello", None, None).await.unwrap();
    let entries = until_finished(&mut tab, 1).await;
    let Some(Entry { body: EntryBody::RunFinished { outcome, .. }, .. }) = entries.last() else {
        panic!("it did not end: {entries:?}")
    };
    outcome.clone()
}

/// How a share ends for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    Taken,
    GroupDeleted,
    GroupLeft,
    NoAdministrator,
    Deleted,
    Removed,
}

//! Providers and their keys.

mod device_keys;
mod rotation;
pub mod server;

use crate::world::{Endpoint, World, each_store};
use hub::{Error, Viewer};
use protocol::agent::ProviderKind;
use protocol::view::{ModelPlace, ModelPrice, ProviderReach, ProviderView};
use protocol::{Micros, ProviderId};
use server::{Server, json};
use sqlx::Row;

const KEY: &str = "sk-canary-0123456789abcdef";

#[tokio::test]
async fn an_address_as_people_write_it_is_asked_what_it_is() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let host = endpoint.url.trim_start_matches("http://");
        for (typed, expected) in [
            (host.to_owned(), "wants a key"),
            (format!("{}/v1/messages", endpoint.url), "wants a key"),
            ("two words".to_owned(), "That is no address"),
            ("http://169.254.169.254".to_owned(), "169.254.169.254"),
        ] {
            let found = scoped.providers().find(&typed).await.unwrap();
            assert!(found.summary.contains(expected), "{typed}: {}", found.summary);
            assert!(found.found.is_empty(), "{typed}: nothing answers without a key");
        }
    })
    .await;
}

/// Whoever writes into the database and has no master key.
#[tokio::test]
async fn a_key_is_not_sent_to_a_server_that_was_put_in_its_place_beside_the_hub() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let (server, evil) =
            (Server::with_models(KEY, &["one"]).await, Server::with_models(KEY, &["one"]).await);
        let id = save(&world, &ada, None, &server.url, Some(KEY)).await.unwrap().id;
        let run = async |sql: &'static str, value: &str| {
            let store = world.store().await;
            let mut tx = store.write().await.unwrap();
            sqlx::query(sql).bind(value).execute(&mut *tx).await.unwrap();
            tx.commit().await.unwrap();
        };
        for sql in ["UPDATE providers SET base_url = $1", "UPDATE secrets SET server = $1"] {
            run(sql, &evil.url).await;
            let hub = world.reopened().await;
            let refused = hub.for_viewer(&ada).providers().models(&id).await.unwrap_err();
            assert!(refused.to_string().contains("Enter the key again"), "{refused}");
        }
        // As one that nobody has bound yet.
        run("UPDATE secrets SET server = NULL WHERE user_id <> $1", "").await;
        assert!(world.reopened().await.for_viewer(&ada).providers().models(&id).await.is_err());
        assert!(evil.heads().is_empty());
        run("UPDATE providers SET base_url = $1", &format!("{}/v1", server.url)).await;
        run("UPDATE secrets SET server = $1", &server.url).await;
        assert!(world.reopened().await.for_viewer(&ada).providers().models(&id).await.is_ok());
        assert!(evil.heads().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_model_on_a_device_has_no_key_and_is_named_in_the_policy_of_its_person_only() {
    each_store(async |world: World| {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let hers = world.hub.for_viewer(&ada);
        assert!(hers.providers().device_origins().await.unwrap().is_empty());
        let server = Server::with_models(KEY, &["one"]).await;
        let keyed = save(&world, &ada, None, &server.url, Some(KEY)).await.unwrap().id;
        let refused = hers
            .providers()
            .save_device_provider(Some(&keyed), "Mine", ProviderKind::OpenAi, Some(&server.url))
            .await;
        assert!(refused.unwrap_err().to_string().contains("keys never leave the hub"));

        let local = Some("http://127.0.0.1:11434");
        let saved =
            hers.providers().save_device_provider(None, "Mine", ProviderKind::Ollama, local).await.unwrap();
        assert_eq!((saved.reach, saved.has_key), (ProviderReach::Device, false));
        assert_eq!(saved.models_at.as_deref(), Some("http://127.0.0.1:11434/api/tags"));
        assert_eq!(
            hers.providers().device_origins().await.unwrap()[..],
            ["http://127.0.0.1:11434".to_owned()]
        );
        assert!(world.hub.for_viewer(&bob).providers().device_origins().await.unwrap().is_empty());
        assert!(!hers.providers().models(&saved.id).await.unwrap().live, "the hub does not ask it");

        let list =
            hers.providers().read_models(&saved.id, 200, r#"{"models":[{"name":"llama"}]}"#).await.unwrap();
        assert_eq!(list.models, ["llama"]);
        for (status, body, expected) in [(200, "<html>", "does not speak"), (401, "{}", "let the hub call")] {
            let refused = hers.providers().read_models(&saved.id, status, body).await.unwrap_err();
            assert!(refused.to_string().contains(expected), "{refused}");
        }
        assert!(
            hers.providers().read_models(&keyed, 200, "{}").await.is_err(),
            "the hub asks this one itself"
        );
        assert!(world.hub.for_viewer(&bob).providers().read_models(&saved.id, 200, "{}").await.is_err());

        hers.providers().save(Some(&saved.id), "Mine", ProviderKind::Ollama, local, None).await.unwrap();
        assert!(hers.providers().device_origins().await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_key_goes_in_and_never_comes_out() {
    each_store(async |world| {
        let ada = world.person("ada").await;
        let echo = Server::start(|head| {
            let key = head.split("earer ").nth(1).and_then(|rest| rest.lines().next()).unwrap_or_default();
            json(403, &format!(r#"{{"error":{{"message":"{key} may not: {key}"}}}}"#))
        })
        .await;
        let saved = save(&world, &ada, None, &echo.url, Some(KEY)).await.unwrap();
        assert!(saved.has_key);
        let providers = world.hub.for_viewer(&ada);
        let said = [
            show(&saved),
            show(&providers.providers().list().await.unwrap()),
            show(&providers.providers().get(&saved.id).await.unwrap()),
            show(
                &providers
                    .providers()
                    .test(ProviderKind::OpenAi, Some(&echo.url), None, Some(&saved.id), None)
                    .await,
            ),
            show(
                &providers
                    .providers()
                    .test(ProviderKind::OpenAi, Some(&echo.url), Some(KEY), None, None)
                    .await,
            ),
            show(&providers.providers().models(&saved.id).await.unwrap()),
            show(
                &providers.providers().save(Some(&saved.id), "", ProviderKind::OpenAi, None, Some(KEY)).await,
            ),
            format!("{:?}", world.hub),
        ];
        for text in said {
            assert!(!text.contains("canary"), "{text}");
        }
        assert_eq!(
            echo.heads().iter().filter(|head| head.contains(KEY)).count(),
            3,
            "only the server got it"
        );
        for text in everything_stored(&world).await {
            assert!(!text.windows(6).any(|part| part == b"canary"));
        }
    })
    .await;
}

#[tokio::test]
async fn a_key_that_was_moved_to_another_row_opens_nothing() {
    each_store(async |world| {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let server = Server::with_models(KEY, &["one"]).await;
        let hers = save(&world, &ada, None, &server.url, Some(KEY)).await.unwrap();
        let other = save(&world, &ada, None, &server.url, Some("sk-other-0123456789")).await.unwrap();
        let his = save(&world, &bob, None, &server.url, Some("sk-bob-0123456789")).await.unwrap();
        let before = server.heads().len();
        for (viewer, target) in [(&ada, &other), (&bob, &his)] {
            let store = world.store().await;
            let mut tx = store.write().await.unwrap();
            sqlx::query(
                "UPDATE secrets SET
                     sealed_key = (SELECT s.sealed_key FROM secrets s WHERE s.provider_id = $1),
                     sealed_value = (SELECT s.sealed_value FROM secrets s WHERE s.provider_id = $1)
                 WHERE provider_id = $2",
            )
            .bind(&hers.id.0)
            .bind(&target.id.0)
            .execute(&mut *tx)
            .await
            .unwrap();
            tx.commit().await.unwrap();
            let refused = world.hub.for_viewer(viewer).providers().models(&target.id).await.unwrap_err();
            assert!(refused.to_string().contains("Enter the key again"), "{refused}");
        }
        assert_eq!(server.heads().len(), before, "nothing was sent");
        let list = world.hub.for_viewer(&ada).providers().models(&hers.id).await.unwrap();
        assert_eq!(list.models, ["one"]);
    })
    .await;
}

#[tokio::test]
async fn what_belongs_to_somebody_else_does_not_exist() {
    each_store(async |world| {
        let (ada, bob) = (world.person("ada").await, world.person("bob").await);
        let server = Server::with_models(KEY, &["one"]).await;
        let hers = save(&world, &ada, None, &server.url, Some(KEY)).await.unwrap().id;
        let his = world.hub.for_viewer(&bob);
        let kind = ProviderKind::OpenAi;
        for id in [&hers, &ProviderId::from("nothing")] {
            let refusals = [
                his.providers().get(id).await.map(drop),
                his.providers().save(Some(id), "Mine", kind, Some(&server.url), None).await.map(drop),
                his.providers().delete(id).await,
                his.providers().test(kind, Some(&server.url), None, Some(id), None).await.map(drop),
                his.providers().models(id).await.map(drop),
            ];
            for refusal in refusals {
                assert!(matches!(refusal, Err(Error::NotFound("provider"))), "{refusal:?}");
            }
        }
        assert!(his.providers().list().await.unwrap().is_empty());
        assert_eq!(world.hub.for_viewer(&ada).providers().list().await.unwrap().len(), 1);
        assert!(server.heads().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_test_says_in_words_what_it_found() {
    each_store(async |world| {
        let ada = world.person("ada").await;
        let providers = world.hub.for_viewer(&ada);
        let two = Server::with_models(KEY, &["one", "two"]).await.url;
        let one = Server::with_models(KEY, &["one"]).await.url;
        let none = Server::with_models(KEY, &[]).await.url;
        let page = Server::start(|_| json(200, "<html>hello</html>")).await.url;
        let missing = Server::start(|_| json(404, "")).await.url;
        let cut = Server::start(|_| "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{".to_owned()).await.url;
        let table = [
            (&two, KEY, None, true, "Connected, 2 models.".to_owned()),
            (&one, KEY, None, true, "Connected, 1 model.".to_owned()),
            (&none, KEY, None, true, "Connected, but there is no model here yet.".to_owned()),
            (&two, KEY, Some("two"), true, "Connected, 2 models.".to_owned()),
            (
                &two,
                KEY,
                Some("three"),
                false,
                "Connected, but there is no model named three here.".to_owned(),
            ),
            (&two, "sk-wrong-0123456789", None, false, format!("The key was refused by {two}.")),
            (&two, "", None, false, format!("{two} wants a key.")),
            (&page, KEY, None, false, format!("Something answers at {page}, but it does not speak")),
            (&missing, KEY, None, false, format!("Something answers at {missing}, but it does not speak")),
            (&cut, KEY, None, false, format!("Something answers at {cut}, but it does not speak")),
        ];
        for (url, key, model, ok, words) in table {
            let kind = ProviderKind::OpenAi;
            let probe = providers.providers().test(kind, Some(url), Some(key), None, model).await.unwrap();
            assert_eq!(probe.ok, ok, "{}", probe.message);
            assert!(probe.message.starts_with(&words), "{} is not {words}", probe.message);
        }
        let nobody = closed_port().await;
        let probe = providers
            .providers()
            .test(ProviderKind::Anthropic, Some(&nobody), Some(KEY), None, None)
            .await
            .unwrap();
        assert_eq!(probe.message, format!("Nothing answers at {nobody}. Is it running?"));
        assert!(!probe.ok);
    })
    .await;
}

#[tokio::test]
async fn a_stored_key_only_goes_where_it_was_entered_for() {
    each_store(async |world| {
        let ada = world.person("ada").await;
        let providers = world.hub.for_viewer(&ada);
        let good = Server::with_models(KEY, &["one"]).await;
        let evil = Server::with_models(KEY, &["one"]).await;
        let saved = save(&world, &ada, None, &good.url, Some(KEY)).await.unwrap();
        let elsewhere = save(&world, &ada, Some(&saved.id), &evil.url, None).await.unwrap_err();
        assert!(elsewhere.to_string().contains("Enter the key again"), "{elsewhere}");
        let kind = ProviderKind::OpenAi;
        for (kind, url) in [(kind, &evil.url), (ProviderKind::Anthropic, &good.url)] {
            let refused = providers.providers().test(kind, Some(url), None, Some(&saved.id), None).await;
            assert!(refused.unwrap_err().to_string().contains("Enter the key again"));
        }
        let renamed =
            providers.providers().save(Some(&saved.id), " New name ", kind, Some(&good.url), Some(" "));
        let renamed = renamed.await.unwrap();
        assert_eq!((renamed.name.as_str(), renamed.has_key), ("New name", true));
        let probe =
            providers.providers().test(kind, Some(&good.url), None, Some(&saved.id), None).await.unwrap();
        assert!(probe.ok, "the old key is still there: {}", probe.message);
        save(&world, &ada, Some(&saved.id), &evil.url, Some("sk-new-0123456789")).await.unwrap();
        assert!(evil.heads().is_empty());
    })
    .await;
}

#[tokio::test]
async fn models_are_the_servers_own_or_well_known_ones() {
    each_store(async |world| {
        let ada = world.person("ada").await;
        let server = Server::with_models(KEY, &["one", "two"]).await;
        let live = save(&world, &ada, None, &server.url, Some(KEY)).await.unwrap();
        let dead = save(&world, &ada, None, &closed_port().await, Some(KEY)).await.unwrap();
        let live = world.hub.for_viewer(&ada).providers().models(&live.id).await.unwrap();
        assert_eq!((live.live, live.models), (true, vec!["one".to_owned(), "two".to_owned()]));
        let dead = world.hub.for_viewer(&ada).providers().models(&dead.id).await.unwrap();
        assert!(!dead.live && !dead.models.is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_list_says_what_is_known_of_each_model_and_where_it_runs() {
    each_store(async |world| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let price = ModelPrice { input: Micros(1), output: Micros(2) };
        scoped.model_facts().set_own_price("one", price).await.unwrap();
        let server = Server::with_models(KEY, &["claude-opus-4-1", "one", "two"]).await;
        let near = save(&world, &ada, None, &server.url, Some(KEY)).await.unwrap();
        let list = scoped.providers().models(&near.id).await.unwrap();
        let names: Vec<_> = list.known.iter().map(|known| known.model.as_str()).collect();
        assert_eq!(names, list.models);
        let [opus, one, two] = &list.known[..] else { panic!("{list:?}") };
        assert_eq!(
            (opus.context, opus.is_known, opus.images, opus.native_tools),
            (200_000, true, true, true)
        );
        assert_eq!(opus.price.unwrap().input, Micros(15_000_000));
        assert_eq!((one.price, two.price), (Some(price), None), "the person's own word, and nobody's");
        assert_eq!((list.near, list.free), (Some(ModelPlace::Hub), false));

        let local = Some("http://127.0.0.1:11434");
        let device =
            scoped.providers().save_device_provider(None, "Mine", ProviderKind::Ollama, local).await.unwrap();
        let tags = r#"{"models":[{"name":"llama"}]}"#;
        let list = scoped.providers().read_models(&device.id, 200, tags).await.unwrap();
        assert_eq!((list.near, list.free), (Some(ModelPlace::Device), true));
        assert_eq!(list.known[0].model, "llama");
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_a_provider_is_refused() {
    each_store(async |world| {
        let ada = world.person("ada").await;
        let providers = world.hub.for_viewer(&ada);
        let kind = ProviderKind::OpenAi;
        let long = "n".repeat(81);
        let table = [
            (kind, " ", None, None),
            (kind, long.as_str(), None, None),
            (kind, "P", Some("not an address"), None),
            (kind, "P", Some("file:///etc/passwd"), None),
            (kind, "P", Some("http://169.254.169.254/latest"), None),
            (kind, "P", Some("http://user:pass@example.com"), None),
            (kind, "P", None, Some("two words")),
            (ProviderKind::Scripted, "P", None, None),
        ];
        for (kind, name, url, key) in table {
            let refused = providers.providers().save(None, name, kind, url, key).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{name} {url:?}: {refused:?}");
        }
        assert!(providers.providers().list().await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_deleted_provider_takes_its_key_along() {
    each_store(async |world| {
        let ada = world.person("ada").await;
        let saved = save(&world, &ada, None, "http://127.0.0.1:9", Some(KEY)).await.unwrap();
        world.hub.for_viewer(&ada).providers().delete(&saved.id).await.unwrap();
        let gone = world.hub.for_viewer(&ada).providers().delete(&saved.id).await;
        assert!(matches!(gone, Err(Error::NotFound(_))));
        assert_eq!(everything_stored(&world).await.len(), 0);
    })
    .await;
}

async fn save(
    world: &World,
    viewer: &Viewer,
    id: Option<&ProviderId>,
    url: &str,
    key: Option<&str>,
) -> hub::Result<ProviderView> {
    world.hub.for_viewer(viewer).providers().save(id, "Test", ProviderKind::OpenAi, Some(url), key).await
}

fn show(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

/// Every cell of the tables that have to do with providers.
async fn everything_stored(world: &World) -> Vec<Vec<u8>> {
    let store = world.store().await;
    let providers =
        sqlx::query("SELECT id, user_id, name, kind, COALESCE(base_url, '') AS url FROM providers");
    let mut cells = Vec::new();
    for row in providers.fetch_all(store.read()).await.unwrap() {
        for at in 0..5 {
            cells.push(row.get::<String, _>(at).into_bytes());
        }
    }
    let secrets = sqlx::query("SELECT sealed_key, sealed_value, purpose FROM secrets");
    for row in secrets.fetch_all(store.read()).await.unwrap() {
        cells.extend([row.get::<Vec<u8>, _>(0), row.get::<Vec<u8>, _>(1)]);
        cells.push(row.get::<String, _>(2).into_bytes());
    }
    cells
}

async fn closed_port() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

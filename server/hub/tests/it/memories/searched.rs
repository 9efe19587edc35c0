//! Which memories a search finds, and in which order.

use super::{HOUR, conversation, drafted, let_remember, parsed, plant, texts};
use crate::talk::{ada, calls};
use crate::world::{Endpoint, World, each_store};
use serde_json::json;
use sqlx::Row as _;

#[tokio::test]
async fn of_thousands_the_one_with_a_rare_word_is_found_and_the_most_important_with_a_common_one() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (scoped, other) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        plant(&world, &ada.me.id, 3_000).await;
        scoped.memories().create(&drafted("Knows where the quince stands.", 1)).await.unwrap();
        scoped.memories().create(&drafted("Knows the piano.", 5)).await.unwrap();
        assert_eq!(texts(&scoped, "quinces").await, ["Knows where the quince stands."]);
        let found = texts(&scoped, "knows quince").await;
        assert_eq!((found[0].as_str(), found.len()), ("Knows where the quince stands.", 50));
        let first = scoped.memories().list("knows", 0).await.unwrap();
        assert_eq!((first.kept[0].text.as_str(), first.total), ("Knows the piano.", 3_002));
        let (mut pages, mut seen) = (1, first.kept.len());
        while scoped.memories().list("knows", pages - 1).await.unwrap().more {
            seen += scoped.memories().list("knows", pages).await.unwrap().kept.len();
            pages += 1;
        }
        assert_eq!((pages, seen), (2, 100), "no more are looked at of a word that all have");

        // Nobody else's are looked at.
        assert_eq!(other.memories().list("knows", 0).await.unwrap().kept, []);
    })
    .await;
}

#[tokio::test]
async fn what_agents_looked_for_and_found_comes_before_what_fits_as_well() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let_remember(&scoped, &agent).await;
        let (tea, coffee) = ("Ada drinks tea.", "Ada drinks coffee.");
        scoped.memories().create(&drafted(tea, 3)).await.unwrap();
        world.clock.advance(HOUR);
        scoped.memories().create(&drafted(coffee, 3)).await.unwrap();
        assert_eq!(texts(&scoped, "drinking").await, [coffee, tea], "the newer one");
        let talk = conversation(&scoped, &agent.id).await;
        let asked = [
            ("memory", json!({ "action": "list" })),
            ("memory", json!({ "action": "search", "text": "teas" })),
        ];
        assert_eq!(parsed(&calls(&scoped, &agent.id, &talk, &asked).await[1])["memories"][0]["text"], tea);
        assert_eq!(texts(&scoped, "drinking").await, [tea, coffee]);
    })
    .await;
}

#[tokio::test]
async fn a_memory_that_one_run_looks_for_again_and_again_counts_as_used_once() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let_remember(&scoped, &agent).await;
        scoped.memories().create(&drafted("Ada drinks tea.", 3)).await.unwrap();
        let talk = conversation(&scoped, &agent.id).await;
        let search = |text: &str| ("memory", json!({ "action": "search", "text": text }));
        for runs in 1..=2_i64 {
            calls(&scoped, &agent.id, &talk, &[search("tea"), search("teas"), search("drinks")]).await;
            let used = sqlx::query("SELECT used FROM memories");
            let used: i64 = used.fetch_one(world.store().await.read()).await.unwrap().get(0);
            assert_eq!(used, runs);
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_version_of_before_kept_is_found_by_its_words() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        world.hub.for_viewer(&ada).memories().create(&drafted("Ada plays the piano.", 3)).await.unwrap();
        world.execute("DELETE FROM memory_words").await;
        world.execute("UPDATE memories SET said = NULL").await;
        assert_eq!(texts(&world.hub.for_viewer(&ada), "piano").await, [""; 0]);
        let reopened = world.reopened().await;
        assert_eq!(texts(&reopened.for_viewer(&ada), "piano").await, ["Ada plays the piano."]);
    })
    .await;
}

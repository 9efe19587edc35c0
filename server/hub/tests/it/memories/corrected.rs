//! What resembles a memory is another one, and whoever writes it is told of both.

use super::{conversation, drafted, id_of, let_remember, parsed, prompt, texts};
use crate::talk::{ada, ask, calls, until};
use crate::world::{Endpoint, World, each_store};
use hub::Error;
use protocol::view::{Memory, MemoryChoice, SideCallSettings};
use serde_json::json;

#[tokio::test]
async fn a_memory_that_corrects_another_is_kept_beside_it_and_names_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let_remember(&scoped, &agent).await;
        let talk = conversation(&scoped, &agent.id).await;
        let write = |text: &str| ("memory", json!({ "action": "write", "text": text }));
        for (old, new) in [
            (
                "Ada's next appointment with the dentist is on 3 May.",
                "Ada's next appointment with the dentist is on 17 May.",
            ),
            (
                "Her sister wants to be called early in the morning.",
                "Her sister wants not to be called early in the morning.",
            ),
            (
                "Ihr Bruder isst gern Fisch und Fleisch am Abend.",
                "Ihr Bruder isst nicht gern Fisch und Fleisch am Abend.",
            ),
        ] {
            let written =
                calls(&scoped, &agent.id, &talk, &[write(old), write(new), write(&new.to_uppercase())]).await;
            let told = parsed(&written[1]);
            assert_eq!((&told["note"], &told["close_to"][0]["text"]), (&json!(null), &json!(old)), "{told}");
            assert_eq!(told["close_to"][0]["id"], parsed(&written[0])["id"]);
            let again = parsed(&written[2]);
            assert_eq!((&again["note"], &again["id"]), (&json!("That was known already."), &told["id"]));
            let kept = texts(&scoped, "").await;
            assert!(kept.contains(&old.to_owned()) && kept.contains(&new.to_owned()), "{kept:?}");
        }
        assert_eq!(texts(&scoped, "").await.len(), 6);
    })
    .await;
}

#[tokio::test]
async fn what_only_resembles_something_forgotten_is_remembered() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let_remember(&scoped, &agent).await;
        scoped.side_calls().set(SideCallSettings { titles: false, memories: true }).await.unwrap();
        let (gone, new) = (
            "Ada's next appointment with the dentist is on 3 May.",
            "Ada's next appointment with the dentist is on 17 May.",
        );
        scoped.memories().create(&drafted(gone, 3)).await.unwrap();
        scoped.memories().forget(&id_of(&scoped, gone).await).await.unwrap();
        let talk = conversation(&scoped, &agent.id).await;
        let worth = json!([{ "text": gone }, { "text": new }]);
        ask(&scoped, &agent.id, &talk, &format!("It was moved.\nmemories: {worth}")).await;
        until(async || !texts(&scoped, "").await.is_empty()).await;
        assert_eq!(texts(&scoped, "").await, [new]);
    })
    .await;
}

#[tokio::test]
async fn of_two_that_may_not_both_be_true_agents_are_told_the_newer_until_their_person_says_which_holds() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let eve = world.person("eve").await;
        let_remember(&scoped, &agent).await;
        scoped.side_calls().set(SideCallSettings { titles: false, memories: true }).await.unwrap();
        let told = async || {
            let talk = conversation(&scoped, &agent.id).await;
            ask(&scoped, &agent.id, &talk, "Hello").await;
            prompt(&scoped, &agent.id, &talk).await
        };
        for (old, new, choice) in [
            ("Ada lives in Graz.", "Ada lives in Vienna.", MemoryChoice::Newer),
            ("Ada drives a blue car.", "Ada drives a red car.", MemoryChoice::Older),
            ("Ada works at the harbour.", "Ada works at the station.", MemoryChoice::Both),
        ] {
            scoped.memories().create(&drafted(old, 5)).await.unwrap();
            let talk = conversation(&scoped, &agent.id).await;
            let worth = json!([{ "text": new, "importance": 5 }]);
            ask(&scoped, &agent.id, &talk, &format!("That changed.\nmemories: {worth}")).await;
            until(async || texts(&scoped, "").await.contains(&new.to_owned())).await;
            let [asked]: [Memory; 1] =
                scoped.memories().list("", 0).await.unwrap().disagreeing.try_into().unwrap();
            let older = asked.against.unwrap();
            assert_eq!((asked.text.as_str(), older.text.as_str()), (new, old));
            let before = told().await;
            assert!(before.contains(new) && !before.contains(old), "{before}");
            let strange = world.hub.for_viewer(&eve).memories().settle(&asked.id, choice).await;
            assert!(matches!(strange, Err(Error::NotFound("memory"))), "{strange:?}");

            scoped.memories().settle(&asked.id, choice).await.unwrap();
            let (has_new, has_old) = match choice {
                MemoryChoice::Newer => (true, false),
                MemoryChoice::Older => (false, true),
                MemoryChoice::Both => (true, true),
            };
            let after = told().await;
            assert_eq!((after.contains(new), after.contains(old)), (has_new, has_old), "{after}");
            let list = scoped.memories().list("", 0).await.unwrap();
            assert_eq!(list.disagreeing, []);
            for (text, is_kept) in [(new, has_new), (old, has_old)] {
                assert_eq!(list.kept.iter().any(|memory| memory.text == text), is_kept, "{text}");
            }
        }
    })
    .await;
}

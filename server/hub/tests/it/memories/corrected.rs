//! What resembles a memory is another one, and whoever writes it is told of both.

use super::{conversation, drafted, id_of, let_remember, parsed, texts};
use crate::talk::{ada, ask, calls};
use crate::world::{Endpoint, World, each_store};
use protocol::view::SideCallSettings;
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
        crate::talk::until(async || !texts(&scoped, "").await.is_empty()).await;
        assert_eq!(texts(&scoped, "").await, [new]);
    })
    .await;
}

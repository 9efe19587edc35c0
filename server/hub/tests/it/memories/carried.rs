//! Memories in a file, which go along and come back.

use super::{DAYS_31, conversation, drafted, id_of, let_remember, parsed, plant, texts};
use crate::agents::draft;
use crate::talk::{ada, calls};
use crate::world::{Endpoint, World, each_store};
use hub::Error;
use protocol::view::{MemoryAuthor, MemoryDraft, MemoryKind};
use serde_json::json;

#[tokio::test]
async fn memories_go_along_and_come_back_the_same() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let drafts = [
            MemoryDraft {
                text: "Water the ferns on Fridays.".to_owned(),
                kind: MemoryKind::Procedure,
                importance: 5,
                tags: "garden, ferns".to_owned(),
                agent: agent.id.0.clone(),
                workspace: String::new(),
            },
            drafted("Ihre Katze heißt Grün & <b>.", 2),
        ];
        for draft in &drafts {
            scoped.memories().create(draft).await.unwrap();
        }
        scoped.memories().create(&drafted("Gone.", 1)).await.unwrap();
        scoped.memories().forget(&id_of(&scoped, "Gone.").await).await.unwrap();
        let_remember(&scoped, &agent).await;
        let talk = conversation(&scoped, &agent.id).await;
        let write = [("memory", json!({ "action": "write", "text": "Ada plays the piano." }))];
        parsed(&calls(&scoped, &agent.id, &talk, &write).await[0]);
        world.clock.advance(DAYS_31);
        let cat = id_of(&scoped, &drafts[1].text).await;
        scoped.memories().edit(&cat, &drafts[1]).await.unwrap();
        let file = scoped.memories().export().await.unwrap();
        assert_eq!(file.memories.len(), 3);
        let text = serde_json::to_string(&file).unwrap();
        let again = scoped.memories().import(&text).await.unwrap();
        assert_eq!((again.added, again.known, again.refused.len()), (0, 3, 0));

        // Somebody else has no agent of that name: what it alone was told is told to no other.
        let eve = world.person("eve").await;
        let eves = world.hub.for_viewer(&eve);
        let report = eves.memories().import(&text).await.unwrap();
        assert_eq!((report.added, report.known), (2, 0));
        assert!(report.refused[0].why.contains("no agent of this name"), "{:?}", report.refused);
        let kept = eves.memories().list("", 0).await.unwrap().kept;
        let said: Vec<&str> = kept.iter().map(|memory| memory.text.as_str()).collect();
        assert_eq!(said, ["Ihre Katze heißt Grün & <b>.", "Ada plays the piano."], "the last change comes first");
        for memory in &kept {
            let of = file.memories.iter().find(|of| of.text == memory.text).unwrap();
            assert_eq!((Some(memory.changed_at), memory.author), (of.changed_at, of.author), "{memory:?}");
        }
        assert_eq!(kept[1].author, MemoryAuthor::Agent);

        // An agent of the same name is told what the other was, and is the writer of what it wrote.
        let theirs = world.person("mia").await;
        let mias = world.hub.for_viewer(&theirs);
        mias.agents().create(draft(&agent.name)).await.unwrap();
        assert_eq!(mias.memories().import(&text).await.unwrap().added, 3);
        let of = |mut file: protocol::view::CarriedMemories| {
            file.memories.sort_by(|one, other| one.text.cmp(&other.text));
            file
        };
        assert_eq!(of(mias.memories().export().await.unwrap()), of(file));

        // What is yet to come, or was changed before it was written, is of now.
        let late = r#"{"format":"vivarium.memories.1","memories":[{"text":"Late.","importance":3,"written_at":99999999999999}]}"#;
        mias.memories().import(late).await.unwrap();
        let of_now = mias.memories().export().await.unwrap().memories.remove(0);
        assert!(of_now.text == "Late." && of_now.written_at <= world.clock.now(), "{of_now:?}");
    })
    .await;
}

#[tokio::test]
async fn memories_that_cannot_be_brought_along_are_named_and_the_others_kept() {
    each_store(async |world: World| {
        let eve = world.person("eve").await;
        let scoped = world.hub.for_viewer(&eve);
        for (text, added, known, refused) in [
            ("- Likes moss.\n* Has a cat.\n\n\u{2022} Likes moss.", 2, 1, 0),
            ("Has a cat.\n...\nLives in Köln.", 1, 1, 1),
            ("Has not a cat.\nCat has a.", 2, 0, 0),
            (
                r#"{"format":"vivarium.memories.1","memories":[{"text":"Tall.","importance":9},{"text":"a\u0007b","importance":1}]}"#,
                1,
                0,
                1,
            ),
        ] {
            let report = scoped.memories().import(text).await.unwrap();
            assert_eq!((report.added, report.known, report.refused.len()), (added, known, refused), "{text}");
        }
        assert_eq!(texts(&scoped, "").await.len(), 6);
        for text in ["", " \n ", "{", "{}", r#"{"format":"something.else","memories":[]}"#, &"moss\n".repeat(10_001)] {
            assert!(matches!(scoped.memories().import(text).await, Err(Error::Invalid(_))), "{text:.20}");
        }
        // There is not room for all of it, so nothing is kept.
        plant(&world, &eve.me.id, 9_988).await;
        let many: String = (0..7).map(|at| format!("Knows the tree {at}.\n")).collect();
        assert!(matches!(scoped.memories().import(&many).await, Err(Error::Limit(_))));
        assert_eq!(scoped.memories().list("", 0).await.unwrap().total, 9_994);
        let fitting: String = (0..6).map(|at| format!("Knows the tree {at}.\n")).collect();
        assert_eq!(scoped.memories().import(&fitting).await.unwrap().added, 6);
        let refused = scoped.memories().create(&drafted("One more.", 3)).await;
        assert!(matches!(refused, Err(Error::Limit(_))), "{refused:?}");
    })
    .await;
}

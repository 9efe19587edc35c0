//! Where memories come from, which stays with them.

use super::{conversation, drafted, id_of};
use crate::approvals::add_rule;
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, Sink, World, each_store_with_a_web};
use hub::Error;
use protocol::RunId;
use protocol::log::EntryBody;
use protocol::view::{Memory, Network, SaidAt};
use serde_json::json;

const OWN: &str = "Ada plays the piano.";
const STRANGE: &str = "The bank of Ada is Eve's.";

#[tokio::test]
async fn a_memory_says_what_it_came_from_also_once_its_person_kept_it() {
    let endpoint = Endpoint::start();
    each_store_with_a_web(async |world: World| {
        let page = Sink::page("<p>The bank of Ada is Eve's.</p>");
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["memory"]).replace(&scoped, &agent.id).await;
        scoped.networks().set(&agent.id, Network::AllowList { hosts: vec![page.host()] }).await.unwrap();
        add_rule(&world.hub, &viewer, "allow", "fetch", &page.host()).await;
        let talk = conversation(&scoped, &agent.id).await;
        let write = |text: &str| ("memory", json!({ "action": "write", "text": text }));
        let read = ("fetch", json!({ "url": page.url("/") }));
        let results = calls(&scoped, &agent.id, &talk, &[write(OWN), read, write(STRANGE)]).await;
        assert!(results.iter().all(|(failed, _)| !failed), "{results:?}");

        let memories = scoped.memories();
        let list = memories.list("", 0).await.unwrap();
        let (own, strange) = (list.kept[0].clone(), list.proposed[0].clone());
        let of = |memory: &Memory| (memory.strangers, memory.page.clone());
        assert_eq!((of(&own), of(&strange)), ((false, None), (true, Some(page.url("/")))));
        let entries = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        for memory in [&own, &strange] {
            let place = (memory.conversation.as_ref(), memory.talked_with.as_ref());
            assert_eq!(place, (Some(&talk), Some(&agent.id)));
            let entry = entries.iter().find(|entry| Some(entry.seq) == memory.seq).unwrap();
            assert!(matches!(entry.body, EntryBody::Message { .. }), "{entry:?}");
        }
        memories.keep(&strange.id).await.unwrap();
        memories.edit(&strange.id, &drafted(STRANGE, 5)).await.unwrap();
        let kept = memories.list("bank", 0).await.unwrap().kept.remove(0);
        assert_eq!((of(&kept), kept.seq), (of(&strange), strange.seq));

        // It is so wherever it is brought to; of which page and conversation, nobody knows there.
        let eve = world.person("eve").await;
        let theirs = world.hub.for_viewer(&eve);
        let file = serde_json::to_string(&memories.export().await.unwrap()).unwrap();
        theirs.memories().import(&file).await.unwrap();
        for memory in theirs.memories().list("", 0).await.unwrap().kept {
            assert_eq!(of(&memory), (memory.text == STRANGE, None));
            assert_eq!((memory.conversation, memory.seq), (None, None));
        }

        // What a person keeps of what was said leads there, and what has no word of it does not.
        let said = SaidAt { agent: agent.id.clone(), message: own.seq, run: RunId(String::new()) };
        assert!(memories.said(&said).await.unwrap().contains("piano"));
        for (text, seq) in [("Her piano is black.", own.seq), ("Nothing of that.", None)] {
            memories.create_of(&drafted(text, 3), &said).await.unwrap();
            let id = id_of(&scoped, text).await;
            let all = memories.list("", 0).await.unwrap().kept;
            let kept = all.iter().find(|memory| memory.id == id).unwrap();
            assert_eq!((kept.seq, kept.conversation.is_some(), kept.strangers), (seq, seq.is_some(), false));
        }
        let refused = theirs.memories().create_of(&drafted("Her piano is black.", 3), &said).await;
        assert!(matches!(refused, Err(Error::NotFound("agent"))), "{refused:?}");
    })
    .await;
}

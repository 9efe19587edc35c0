//! What waits for a person to look at it.

use crate::talk::{ada, ask, calls, until};
use crate::world::{Definition, Endpoint, FakeMcp, World, each_store};
use protocol::TabId;
use protocol::view::{MemoryChoice, MemoryDraft, SideCallSettings};
use serde_json::json;

#[tokio::test]
async fn what_waits_for_a_look_is_told_to_its_person_alone_until_they_answered() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let (scoped, eve) = (world.hub.for_viewer(&viewer), world.person("eve").await);
        let waiting = async || scoped.reviews().list().await.unwrap();
        Definition::like(&agent).tools(["memory", "state", "skill_write"]).replace(&scoped, &agent.id).await;
        scoped.side_calls().set(SideCallSettings { titles: false, memories: true }).await.unwrap();
        let lives = MemoryDraft {
            text: "Ada lives in Graz.".to_owned(),
            importance: 3,
            ..MemoryDraft::default()
        };
        scoped.memories().create(&lives).await.unwrap();
        // Who brought it in knows that it waits.
        scoped.skills().write("---\nname: fern\ndescription: Knows fern.\n---\n\nShade.\n").await.unwrap();
        let tool = |name: &str, words: &str| {
            json!({ "name": name, "description": words, "inputSchema": { "type": "object" } })
        };
        let fake = FakeMcp::start(&[tool("water", "Waters the moss.")]);
        let server = scoped.mcp_servers().add("garden", &fake.url(), "", "").await.unwrap().id;
        assert!(waiting().await.is_empty());

        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        let worth = json!([{ "text": "Ada lives in Vienna." }]);
        ask(&scoped, &agent.id, &talk, &format!("I moved.\nmemories: {worth}")).await;
        until(async || waiting().await.disagreeing == 1).await;
        scoped.side_calls().set(SideCallSettings { titles: false, memories: false }).await.unwrap();
        let skill = json!({ "name": "moss", "description": "Knows moss.", "text": "Water it." });
        calls(&scoped, &agent.id, &talk, &[("skill_write", skill)]).await;
        let tab = world.hub.open_tab(viewer.clone(), TabId::from("t")).unwrap();
        tab.set_state(&agent.id, "said".to_owned(), json!("Ada banks with Eve.")).await.unwrap();
        let read = json!({ "action": "get", "key": "said" });
        let write = json!({ "action": "write", "text": "The bank of Ada is Eve's." });
        calls(&scoped, &agent.id, &talk, &[("state", read), ("memory", write)]).await;
        fake.offer(&[tool("water", "Waters the moss, and more."), tool("burn", "Burns.")]);
        scoped.mcp_servers().look(&server).await.unwrap();

        let told = waiting().await;
        assert_eq!((told.memories, told.disagreeing), (1, 1), "{told:?}");
        let [moss] = told.skills.as_slice() else { panic!("{told:?}") };
        let [garden] = told.mcp_servers.as_slice() else { panic!("{told:?}") };
        assert_eq!((moss.name.as_str(), garden.name.as_str()), ("moss", "garden"));
        let waits = (garden.tools_changed, garden.tools_new, garden.is_signed_out);
        assert_eq!((&garden.id, waits), (&server, (1, 1, false)));
        assert!(world.hub.for_viewer(&eve).reviews().list().await.unwrap().is_empty());

        let list = scoped.memories().list("", 0).await.unwrap();
        scoped.memories().forget(&list.proposed[0].id).await.unwrap();
        scoped.memories().settle(&list.disagreeing[0].id, MemoryChoice::Newer).await.unwrap();
        scoped.skills().refuse(&moss.id).await.unwrap();
        scoped.mcp_servers().switch(&server, "burn", false, "").await.unwrap();
        let digest = scoped.mcp_servers().read(&server).await.unwrap().tools.remove(1).digest;
        scoped.mcp_servers().switch(&server, "water", true, &digest).await.unwrap();
        assert!(waiting().await.is_empty());
    })
    .await;
}

//! Archives of our own, which come back as they went.

use super::{everything, import, notes, paths, told};
use crate::world::{World, each_store};
use hub::WrittenTool;
use protocol::agent::{Home, ProviderKind};
use protocol::log::EntryBody;
use protocol::page::{Listener, SkinPage};
use protocol::view::{AgentDraft, AgentView, ToolAuthor, ToolReach};
use protocol::{AgentId, TabId};
use serde_json::json;

#[tokio::test]
async fn what_was_exported_comes_back_as_it_was_and_without_a_key() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let provider = scoped
            .providers()
            .save(None, "Mine", ProviderKind::Anthropic, None, Some("sk-canary-canary"))
            .await
            .unwrap();
        let original = scoped.agents().create(everything(&provider.id.0)).await.unwrap();
        furnish(&world, &ada, &original.id).await;
        scoped.files().write(&original.id, "a/b.bin", &[0, 255, 7]).await.unwrap();
        scoped.skins().save(&original.id, "Night ä").await.unwrap();

        let exported = scoped.archives().export(&original.id).await.unwrap();
        assert_eq!(exported.file_name, "Ada - Co.flo.zip");
        let canary = b"canary".as_slice();
        assert!(!exported.bytes.windows(canary.len()).any(|part| part == canary));

        let uploaded = scoped.archives().upload("x", &exported.bytes).await.unwrap();
        let review = scoped.archives().review_stored(&uploaded.archive).await.unwrap();
        let draft =
            AgentDraft { provider: provider.id.0.clone(), model: original.model.clone(), ..review.draft };
        let copy = scoped.archives().create(&uploaded.archive, draft).await.unwrap();
        assert_eq!(
            AgentView {
                id: original.id.clone(),
                conversation: original.conversation.clone(),
                ..copy.clone()
            },
            AgentView { created_at: copy.created_at, updated_at: copy.updated_at, ..original.clone() }
        );
        let page = async |id: &AgentId| scoped.skins().current(id).await.unwrap().map(|skin| skin.page);
        assert_eq!(page(&copy.id).await, page(&original.id).await);
        assert_eq!(
            scoped.states().read(&copy.id).await.unwrap(),
            scoped.states().read(&original.id).await.unwrap()
        );
        assert_eq!(paths(&scoped, &copy.id).await, ["a/b.bin", "skins/Night ä.srcdoc"]);
        assert_eq!(scoped.files().read(&copy.id, "a/b.bin").await.unwrap(), [0, 255, 7]);
        assert_eq!(notes(&scoped, &copy.id).await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn what_comes_out_of_an_archive_begins_with_what_can_run() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let near =
            scoped.providers().save_device_provider(None, "Near", ProviderKind::Ollama, None).await.unwrap();
        let original =
            scoped.agents().create(AgentDraft { home: Home::Hub, ..everything("") }).await.unwrap();
        let exported = scoped.archives().export(&original.id).await.unwrap();
        let uploaded = scoped.archives().upload("x", &exported.bytes).await.unwrap();
        let draft = scoped.archives().review_stored(&uploaded.archive).await.unwrap().draft;
        assert_eq!((draft.provider, draft.home), (near.id.0, Home::Browser));
        let far =
            scoped.providers().save(None, "Far", ProviderKind::Anthropic, None, Some("key")).await.unwrap();
        let draft = scoped.archives().review_stored(&uploaded.archive).await.unwrap().draft;
        assert_eq!((draft.provider, draft.home), (far.id.0, original.home));
    })
    .await;
}
#[tokio::test]
async fn tools_in_an_archive_wait_until_their_person_accepts_them() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (hers, theirs) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let original = hers.agents().create(everything("")).await.unwrap();
        let mow = WrittenTool {
            name: "mow".to_owned(),
            description: "Mows.".to_owned(),
            input_schema: json!({ "type": "object" }).to_string(),
            code: "return 'mown'".to_owned(),
            page: true,
            ..WrittenTool::default()
        };
        hers.made_tools().write(&original.id, mow, 0).await.unwrap();
        let exported = hers.archives().export(&original.id).await.unwrap();

        let (review, agent) = import(&theirs, &exported.bytes).await;
        assert_eq!(review.made_tools, 1);
        told(&review, &["tools of its own: mow. They wait", "made for the model some:model"]);
        let tool = theirs.made_tools().list(&agent.id).await.unwrap().remove(0);
        assert_eq!((tool.name.as_str(), tool.waiting, tool.author), ("mow", true, ToolAuthor::File));
        assert_eq!((tool.code.as_str(), tool.reach), ("return 'mown'", ToolReach::page()));
        assert!(theirs.made_tools().export(&agent.id, "mow").await.is_err(), "the agent has it");
        let made = async || {
            let entries = theirs.conversations().entries(&agent.id, 0).await.unwrap();
            entries.iter().filter(|entry| matches!(entry.body, EntryBody::ToolCreated { .. })).count()
        };
        assert_eq!(made().await, 0, "the log tells of what the agent does not have");
        theirs.made_tools().accept(&agent.id, "mow", tool.version).await.unwrap();
        assert!(theirs.made_tools().export(&agent.id, "mow").await.is_ok());
        assert_eq!(made().await, 1);

        // What a person copies is theirs already.
        let copy = hers.copies().make(&original.id).await.unwrap();
        let tool = hers.made_tools().list(&copy.id).await.unwrap().remove(0);
        assert_eq!((tool.waiting, tool.author), (false, ToolAuthor::Person));
    })
    .await;
}

async fn furnish(world: &World, viewer: &hub::Viewer, agent: &AgentId) {
    let tab = world.hub.open_tab(viewer.clone(), TabId("t".to_owned())).unwrap();
    tab.set_state(agent, "count".to_owned(), json!({ "n": 1.5, "text": "ä\u{0001}" })).await.unwrap();
    let page = SkinPage {
        head: "<style>p > b { color: red }</style>".to_owned(),
        body: "<p>Unclosed <b>text\n<script>if (1 < 2) go()</script>".to_owned(),
        html_attributes: [("lang".to_owned(), "de".to_owned())].into(),
        body_attributes: [("class".to_owned(), "x \"y\"".to_owned())].into(),
        listeners: vec![Listener { selector: "#a".to_owned(), event: "click".to_owned() }],
    };
    let store = world.store().await;
    sqlx::query("INSERT INTO skins (agent_id, version, page, at) VALUES ($1, 1, $2, 0)")
        .bind(&agent.0)
        .bind(serde_json::to_string(&page).unwrap())
        .execute(store.read())
        .await
        .unwrap();
}

//! Archives of our own, which come back as they went.

use super::{everything, notes, paths};
use crate::world::{World, each_store};
use protocol::agent::{Home, ProviderKind};
use protocol::page::{Listener, SkinPage};
use protocol::view::{AgentDraft, AgentView};
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

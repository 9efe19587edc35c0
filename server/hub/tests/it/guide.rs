//! The guide: a script in a model's place, which plays its part as an agent.

use crate::runs::{open, trace};
use crate::world::{World, each_store};
use protocol::agent::ProviderKind;
use protocol::log::EntryBody;
use serde_json::Value;

#[tokio::test]
async fn it_is_there_once() {
    each_store(async |world| {
        let ada = world.person("ada").await;
        let mine = world.hub.for_viewer(&ada);
        let first = mine.guide().start().await.unwrap();
        let second = mine.guide().start().await.unwrap();
        assert_eq!(first, second);
        let providers = mine.providers().list().await.unwrap();
        let [guide] = providers.as_slice() else { panic!("{providers:?}") };
        assert_eq!((guide.name.as_str(), guide.kind), ("Guide", ProviderKind::Scripted));
        assert!(mine.providers().models(&guide.id).await.unwrap().live);
        let by_hand = mine.providers().save(Some(&guide.id), "G", ProviderKind::Scripted, None, None).await;
        assert!(matches!(by_hand, Err(hub::Error::Invalid(_))));
        world.hub.close().await;
    })
    .await;
}

#[tokio::test]
async fn a_press_while_it_still_speaks_is_answered_in_the_next_run() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let mine = world.hub.for_viewer(&ada);
        let fern = mine.guide().start().await.unwrap();
        let mut tab = open(&world, &ada, "tab-1");
        tab.follow(&fern, 0).await.unwrap();
        let is_result = |body: &EntryBody| matches!(body, EntryBody::ToolFinished { .. });
        trace::until(&mut tab, is_result).await;
        trace::until(&mut tab, is_result).await;
        tab.page_notify(&fern, "click #grow", &Value::Null).await.unwrap();
        trace::until_finished(&mut tab).await;
        let entries = trace::until_finished(&mut tab).await;
        let grows = entries.iter().any(|entry| match &entry.body {
            EntryBody::ToolStarted { call, .. } => call.name == "runjs" && call.id.0.starts_with("grow"),
            _ => false,
        });
        assert!(grows, "{entries:#?}");
    })
    .await;
}

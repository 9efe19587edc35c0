//! Keys that stay on devices: the hub knows where there is one, and nothing more.

use crate::world::{PASSWORD, World, each_store};
use hub::Viewer;
use protocol::FailureKind;
use protocol::agent::ProviderKind;
use protocol::view::ProviderReach;

const LAPTOP: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0";

#[tokio::test]
async fn each_device_has_its_own_and_the_others_are_named() {
    each_store(async |world: World| {
        let phone = world.person("ada").await;
        let laptop = signed_in(&world, "ada").await;
        let scoped = world.hub.for_viewer(&laptop);
        let mine = scoped
            .providers()
            .save_device_key_provider(None, "Mine", ProviderKind::Anthropic, None)
            .await
            .unwrap();
        assert_eq!((mine.reach, mine.has_key), (ProviderReach::DeviceKey, false));
        scoped.providers().note_kept_key(&mine.id).await.unwrap();
        scoped.providers().note_kept_key(&mine.id).await.unwrap();
        let seen = async |viewer: &Viewer| {
            let kept = world.hub.for_viewer(viewer).providers().kept_keys().await.unwrap();
            kept.into_iter().map(|kept| (kept.name, kept.current)).collect::<Vec<_>>()
        };
        assert_eq!(seen(&laptop).await, [("Firefox on Linux".to_owned(), true)]);
        assert_eq!(seen(&phone).await, [("Firefox on Linux".to_owned(), false)]);
        world.hub.for_viewer(&phone).providers().note_forgotten_key(&mine.id).await.unwrap();
        assert_eq!(seen(&phone).await.len(), 1, "a device forgets for itself alone");
        scoped.account().sign_out().await.unwrap();
        assert_eq!(seen(&phone).await, []);
    })
    .await;
}

#[tokio::test]
async fn nobody_hears_of_anothers_keys_or_says_anything_of_them() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let eve = world.person("eve").await;
        let adas = world.hub.for_viewer(&ada);
        let mine = adas
            .providers()
            .save_device_key_provider(None, "Mine", ProviderKind::Anthropic, None)
            .await
            .unwrap();
        adas.providers().note_kept_key(&mine.id).await.unwrap();
        let eves = world.hub.for_viewer(&eve);
        for refused in [
            eves.providers().note_kept_key(&mine.id).await,
            eves.providers().note_forgotten_key(&mine.id).await,
        ] {
            assert_eq!(refused.unwrap_err().into_failure().kind, FailureKind::NotFound);
        }
        assert_eq!(eves.providers().kept_keys().await.unwrap(), []);
        assert_eq!(adas.providers().kept_keys().await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_key_for_another_server_is_no_key_for_this_one() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let save = async |base_url: Option<&str>, id| {
            scoped
                .providers()
                .save_device_key_provider(id, "Mine", ProviderKind::OpenAi, base_url)
                .await
                .unwrap()
        };
        let mine = save(Some("https://a.example.com/v1"), None).await;
        scoped.providers().note_kept_key(&mine.id).await.unwrap();
        save(Some("https://a.example.com/v2"), Some(&mine.id)).await;
        assert_eq!(scoped.providers().kept_keys().await.unwrap().len(), 1);
        let moved = save(Some("https://b.example.com/v1"), Some(&mine.id)).await;
        assert_eq!(moved.key_slot.unwrap().place, "https://b.example.com");
        assert_eq!(scoped.providers().kept_keys().await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn a_key_in_the_hub_stays_there_and_none_is_noted_for_it() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let kind = ProviderKind::Anthropic;
        let kept =
            scoped.providers().save(None, "Hub's", kind, None, Some("sk-ant-0123456789")).await.unwrap();
        let noted = scoped.providers().note_kept_key(&kept.id).await.unwrap_err();
        let moved = scoped
            .providers()
            .save_device_key_provider(Some(&kept.id), "Hub's", kind, None)
            .await
            .unwrap_err();
        for refused in [noted, moved] {
            assert_eq!(refused.into_failure().kind, FailureKind::Invalid);
        }
        assert_eq!(scoped.providers().device_origins().await.unwrap().len(), 0);
        scoped.providers().save_device_key_provider(None, "Mine", kind, None).await.unwrap();
        assert_eq!(
            *scoped.providers().device_origins().await.unwrap(),
            ["https://api.anthropic.com".to_owned()]
        );
    })
    .await;
}

async fn signed_in(world: &World, name: &str) -> Viewer {
    world.hub.accounts().sign_in(name, PASSWORD, LAPTOP).await.unwrap().done().unwrap().viewer
}

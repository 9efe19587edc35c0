//! What a person decides about an agent's page is kept, told to all tabs, and forgotten again.

use crate::agents::draft;
use crate::world::{World, each_store};
use hub::Error;
use protocol::Permission;
use protocol::log::EntryBody;
use protocol::view::PermissionView;

#[tokio::test]
async fn a_decision_is_kept_changed_and_forgotten() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = scoped.agents().create(draft("Ada")).await.unwrap().id;
        let decided = async || -> Vec<(Permission, Option<String>, bool)> {
            let views = scoped.permissions().list(&agent).await.unwrap();
            assert_eq!(scoped.pages().latest(&agent).await.unwrap().permissions, views);
            views
                .into_iter()
                .map(|PermissionView { permission, host, allowed, .. }| (permission, host, allowed))
                .collect()
        };
        assert_eq!(decided().await, []);

        let host = || Some("example.org".to_owned());
        scoped.permissions().set(&agent, Permission::Camera, None, true).await.unwrap();
        scoped.permissions().set(&agent, Permission::Camera, None, false).await.unwrap();
        scoped.permissions().set(&agent, Permission::Links, Some("example.org"), true).await.unwrap();
        assert_eq!(decided().await, [(Permission::Camera, None, false), (Permission::Links, host(), true)]);

        scoped.permissions().forget(&agent, Permission::Links, Some("example.org")).await.unwrap();
        scoped.permissions().forget(&agent, Permission::Microphone, None).await.unwrap();
        assert_eq!(decided().await, [(Permission::Camera, None, false)]);

        let told: Vec<EntryBody> = scoped
            .conversations()
            .entries(&agent, 0)
            .await
            .unwrap()
            .into_iter()
            .map(|entry| entry.body)
            .collect();
        let entry = |permission, host, allowed| EntryBody::Permission { permission, host, allowed };
        assert_eq!(
            told,
            [
                entry(Permission::Camera, None, Some(true)),
                entry(Permission::Camera, None, Some(false)),
                entry(Permission::Links, host(), Some(true)),
                entry(Permission::Links, host(), None),
            ]
        );
    })
    .await;
}

#[tokio::test]
async fn every_permission_can_be_kept_and_only_links_name_a_host() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = scoped.agents().create(draft("Ada")).await.unwrap().id;
        let plain = [
            Permission::Camera,
            Permission::Listen,
            Permission::Location,
            Permission::Microphone,
            Permission::Notifications,
            Permission::Screen,
            Permission::View,
        ];
        for permission in plain {
            scoped.permissions().set(&agent, permission, None, true).await.unwrap();
            let refused = scoped.permissions().set(&agent, permission, Some("example.org"), true).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{permission:?}");
        }
        let long = "a".repeat(300);
        for host in [None, Some(""), Some("Example.org"), Some("a b"), Some("a/b"), Some(long.as_str())] {
            let refused = scoped.permissions().set(&agent, Permission::Links, host, true).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{host:?}");
        }
        for host in ["example.org", "xn--bcher-kva.example:8443", "[::1]:3000"] {
            scoped.permissions().set(&agent, Permission::Links, Some(host), false).await.unwrap();
        }
        assert_eq!(scoped.permissions().list(&agent).await.unwrap().len(), plain.len() + 3);
    })
    .await;
}

#[tokio::test]
async fn decisions_are_the_persons_own_and_go_with_the_agent() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (hers, theirs) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let agent = hers.agents().create(draft("Ada")).await.unwrap().id;
        hers.permissions().set(&agent, Permission::Camera, None, true).await.unwrap();

        assert!(matches!(theirs.permissions().list(&agent).await, Err(Error::NotFound("agent"))));
        let set = theirs.permissions().set(&agent, Permission::Camera, None, false).await;
        assert!(matches!(set, Err(Error::NotFound("agent"))));
        let forgotten = theirs.permissions().forget(&agent, Permission::Camera, None).await;
        assert!(matches!(forgotten, Err(Error::NotFound("agent"))));
        assert_eq!(hers.permissions().list(&agent).await.unwrap().len(), 1);

        let copy = hers.copies().make(&agent).await.unwrap().id;
        assert_eq!(hers.permissions().list(&copy).await.unwrap(), []);
        hers.agents().delete(&agent).await.unwrap();
        assert!(matches!(hers.permissions().list(&agent).await, Err(Error::NotFound("agent"))));
    })
    .await;
}

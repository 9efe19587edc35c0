//! Files of an agent, their signed addresses, and the pages that are put aside in them.

use crate::world::{Definition, World, each_store};
use hub::{Error, FileListing, Scoped, SignedLink};
use protocol::page::{Listener, SkinPage};
use protocol::view::FileRules;
use protocol::{AgentId, FolderId, GivenLinkId};
use std::time::Duration;
use url::Url;

#[tokio::test]
async fn a_file_is_written_read_listed_and_deleted() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = agent(&scoped).await;
        scoped.files().write(&agent, "b.txt", b"one").await.unwrap();
        scoped.files().write(&agent, "a/ä.bin", &[0, 255]).await.unwrap();
        scoped.files().write(&agent, "b.txt", b"two two").await.unwrap();
        assert_eq!(scoped.files().read(&agent, "b.txt").await.unwrap(), b"two two");
        let listed: Vec<_> = scoped
            .files()
            .list(&agent, &FileListing::default())
            .await
            .unwrap()
            .into_iter()
            .map(|file| (file.path, file.size))
            .collect();
        assert_eq!(listed, [("a/ä.bin".to_owned(), 2), ("b.txt".to_owned(), 7)]);
        let copy = scoped.copies().make(&agent).await.unwrap();
        assert_eq!(scoped.files().read(&copy.id, "a/ä.bin").await.unwrap(), [0, 255]);
        scoped.files().delete(&agent, "b.txt").await.unwrap();
        for refused in [
            scoped.files().read(&agent, "b.txt").await.map(|_| ()),
            scoped.files().delete(&agent, "b.txt").await,
        ] {
            assert!(matches!(refused, Err(Error::NotFound("file"))), "{refused:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn files_keep_to_their_folder_and_their_room() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = agent(&scoped).await;
        for path in ["", "/etc/passwd", "../a", "a/../../b", "a\\b", "a\0"] {
            assert!(
                matches!(scoped.files().write(&agent, path, b"x").await, Err(Error::Invalid(_))),
                "{path:?}"
            );
            assert!(matches!(scoped.files().read(&agent, path).await, Err(Error::Invalid(_))), "{path:?}");
        }
        let five = vec![7; 5 * 1024 * 1024];
        let larger = vec![7; five.len() + 1];
        assert!(matches!(scoped.files().write(&agent, "large", &larger).await, Err(Error::Limit(_))));
        for n in 0..10 {
            scoped.files().write(&agent, &n.to_string(), &five).await.unwrap();
        }
        let error = scoped.files().write(&agent, "more", b"x").await.unwrap_err();
        assert!(error.to_string().contains("larger than 50 MB"), "{error}");
        scoped.files().write(&agent, "3", b"smaller").await.unwrap();
        scoped.files().write(&agent, "more", b"x").await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_signed_address_opens_one_file_as_it_is_and_nothing_when_it_was_changed() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = agent(&scoped).await;
        scoped.files().write(&agent, "a b/ä?.PNG", b"picture").await.unwrap();
        scoped.files().write(&agent, "other.html", b"<script>").await.unwrap();
        let good = link(&scoped, &agent, "a b/ä?.PNG").await;
        let opened = world.hub.files().open_link(&good).await.unwrap();
        assert_eq!((opened.bytes.as_slice(), opened.picture), (b"picture".as_slice(), Some("image/png")));
        assert_eq!(opened.name, "ä?.PNG");
        let other = link(&scoped, &agent, "other.html").await;
        assert_eq!(world.hub.files().open_link(&other).await.unwrap().picture, None);

        let copy = scoped.copies().make(&agent).await.unwrap().id;
        for altered in [
            SignedLink { path: "other.html".to_owned(), ..good.clone() },
            SignedLink { path: "missing".to_owned(), ..good.clone() },
            SignedLink { folder: (&copy).into(), ..good.clone() },
            SignedLink { folder: FolderId("missing".to_owned()), ..good.clone() },
            SignedLink { until: good.until + 1, ..good.clone() },
            SignedLink { until: world.hub.now() - 1, ..good.clone() },
            SignedLink { until: i64::MAX, ..good.clone() },
            SignedLink { mac: other.mac.clone(), ..good.clone() },
            SignedLink { mac: good.mac[1..].to_owned(), ..good.clone() },
            SignedLink { mac: String::new(), ..good.clone() },
            SignedLink { given: Some(GivenLinkId(String::new())), ..good.clone() },
            SignedLink { given: Some(GivenLinkId("none".to_owned())), ..good.clone() },
        ] {
            let error = world.hub.files().open_link(&altered).await.unwrap_err();
            assert!(matches!(error, Error::Forbidden(_)), "{altered:?}: {error:?}");
        }
        scoped.files().write(&agent, "a b/ä?.PNG", b"another picture").await.unwrap();
        assert!(
            matches!(world.hub.files().open_link(&good).await, Err(Error::Forbidden(_))),
            "the file changed"
        );
        world
            .reopened()
            .await
            .files()
            .open_link(&other)
            .await
            .expect("the key is the hub's, not the process's");
        world.rotated().await.files().open_link(&other).await.expect("a rotation voids no signature");
    })
    .await;
}

#[tokio::test]
async fn nobody_reaches_anothers_files_or_saved_pages() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (hers, theirs) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let agent = agent(&hers).await;
        hers.files().write(&agent, "a", b"secret").await.unwrap();
        draw(&world, &agent, 1, "<p>one").await;
        hers.skins().save(&agent, "one").await.unwrap();
        for refused in [
            theirs.files().list(&agent, &FileListing::default()).await.map(|_| ()),
            theirs.files().read(&agent, "a").await.map(|_| ()),
            theirs.files().write(&agent, "a", b"x").await,
            theirs.files().delete(&agent, "a").await,
            theirs.skins().saved(&agent).await.map(|_| ()),
            theirs.skins().save(&agent, "two").await,
            theirs.skins().load(&agent, "one").await.map(|_| ()),
            theirs.skins().delete(&agent, "one").await,
            theirs.archives().export(&agent).await.map(|_| ()),
        ] {
            assert!(matches!(refused, Err(Error::NotFound("agent" | "folder"))), "{refused:?}");
        }
        assert_eq!(hers.files().read(&agent, "a").await.unwrap(), b"secret");
    })
    .await;
}

#[tokio::test]
async fn a_page_is_put_aside_and_comes_back_as_the_next_version() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = agent(&scoped).await;
        assert!(matches!(scoped.skins().save(&agent, "day").await, Err(Error::Conflict(_))));
        draw(&world, &agent, 1, "<p>day</p>").await;
        scoped.skins().save(&agent, " day ").await.unwrap();
        draw(&world, &agent, 2, "<p>night</p>").await;
        scoped.skins().save(&agent, "night").await.unwrap();
        let names = async || -> Vec<String> {
            scoped.skins().saved(&agent).await.unwrap().into_iter().map(|skin| skin.name).collect()
        };
        assert_eq!(names().await, ["day", "night"]);

        assert_eq!(scoped.skins().load(&agent, "day").await.unwrap(), 3);
        let skin = scoped.skins().current(&agent).await.unwrap().unwrap();
        assert_eq!((skin.version, skin.page), (3, page("<p>day</p>")));
        assert_eq!(scoped.agents().list().await.unwrap()[0].skin_version, 3);
        for name in ["", "a/b", "..\\x", &"x".repeat(61)] {
            assert!(matches!(scoped.skins().save(&agent, name).await, Err(Error::Invalid(_))), "{name}");
        }
        assert!(matches!(scoped.skins().load(&agent, "dawn").await, Err(Error::NotFound("saved page"))));
        scoped.skins().delete(&agent, "day").await.unwrap();
        assert_eq!(names().await, ["night"]);
    })
    .await;
}

async fn agent(scoped: &Scoped<'_>) -> AgentId {
    Definition::named("Ada").create(scoped).await.id
}

fn page(body: &str) -> SkinPage {
    SkinPage {
        body: body.to_owned(),
        listeners: vec![Listener { selector: "p".to_owned(), event: "click".to_owned() }],
        ..SkinPage::default()
    }
}

/// Stores a page as a tab would after it drew.
async fn draw(world: &World, agent: &AgentId, version: i64, body: &str) {
    sqlx::query("INSERT INTO skins (agent_id, version, page, at) VALUES ($1, $2, $3, 0)")
        .bind(&agent.0)
        .bind(version)
        .bind(serde_json::to_string(&page(body)).unwrap())
        .execute(world.store().await.read())
        .await
        .unwrap();
}

/// The address that the list gives, taken apart.
async fn link(scoped: &Scoped<'_>, agent: &AgentId, path: &str) -> SignedLink {
    let files = scoped.files().list(agent, &FileListing::default()).await.unwrap();
    let address = files.into_iter().find(|file| file.path == path).expect("it is listed").url;
    taken_apart(agent, path, &address)
}

fn taken_apart(agent: &AgentId, path: &str, address: &str) -> SignedLink {
    let url = Url::parse("http://hub").unwrap().join(address).unwrap();
    let part = |name: &str| url.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
    assert!(url.path().starts_with(&format!("/files/{agent}/")), "{address}");
    SignedLink {
        folder: agent.into(),
        path: path.to_owned(),
        until: part("until").parse().unwrap(),
        mac: part("mac"),
        given: url.query_pairs().find(|(key, _)| key == "given").map(|(_, id)| GivenLinkId(id.into_owned())),
    }
}

#[tokio::test]
async fn a_file_is_handed_on_into_another_folder_or_by_an_address_that_ends() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (scoped, others) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let (from, to, foreign) = (agent(&scoped).await, agent(&scoped).await, agent(&others).await);
        scoped.files().write(&from, "a/moss.txt", b"moss").await.unwrap();
        let copy = async |to: &AgentId| scoped.files().copy_to(&from, "a/moss.txt", &to.into()).await;
        copy(&to).await.unwrap();
        assert_eq!(scoped.files().read(&to, "a/moss.txt").await.unwrap(), b"moss");
        assert!(matches!(copy(&to).await, Err(Error::Conflict(_))), "nothing is written over");
        assert!(matches!(copy(&from).await, Err(Error::Invalid(_))));
        assert!(matches!(copy(&foreign).await, Err(Error::NotFound(_))));

        for hours in [0, 169] {
            assert!(matches!(scoped.files().share(&from, "a/moss.txt", hours).await, Err(Error::Invalid(_))));
        }
        let open = async |address: &str| {
            let link = taken_apart(&from, "a/moss.txt", address);
            world.hub.files().open_link(&link).await.map(|opened| opened.bytes)
        };
        let address = scoped.files().share(&from, "a/moss.txt", 168).await.unwrap();
        assert_eq!(open(&address).await.unwrap(), b"moss");
        world.clock.advance(Duration::from_secs(167 * 60 * 60));
        assert_eq!(open(&address).await.unwrap(), b"moss");
        scoped.files().write(&from, "a/moss.txt", b"fern").await.unwrap();
        assert!(matches!(open(&address).await, Err(Error::Forbidden(_))), "it was made for what was there");
        let address = scoped.files().share(&from, "a/moss.txt", 1).await.unwrap();
        world.clock.advance(Duration::from_secs(61 * 60));
        assert!(matches!(open(&address).await, Err(Error::Forbidden(_))), "it is over");
    })
    .await;
}

#[tokio::test]
async fn an_administrator_says_how_much_agents_keep_as_files() {
    each_store(async |world: World| {
        let person = world.person("ada").await;
        let scoped = world.hub.for_viewer(&person);
        let admin = world.hub.as_admin(&person).unwrap();
        let agent = Definition::named("Ada").create(&scoped).await.id;
        let (two, three) = (vec![b'a'; 2 * 1024 * 1024], vec![b'b'; 3 * 1024 * 1024 - 1]);
        assert_eq!(admin.files().read().await.unwrap(), FileRules::default());
        for (file_mb, folder_mb) in [(Some(0), None), (Some(6), None), (None, Some(0)), (None, Some(101))] {
            assert!(admin.files().set(FileRules { file_mb, folder_mb }).await.is_err());
        }
        scoped.files().write(&agent, "before", &three).await.unwrap();
        let rules = FileRules { file_mb: Some(2), folder_mb: Some(4) };
        assert_eq!(admin.files().set(rules).await.unwrap(), rules);
        let too_large = scoped.files().write(&agent, "large", &three).await.unwrap_err();
        assert!(too_large.to_string().contains("large is larger than 2 MB"), "{too_large}");
        let too_much = scoped.files().write(&agent, "more", &two).await.unwrap_err();
        assert!(too_much.to_string().contains("together are larger than 4 MB"), "{too_much}");
        assert_eq!(scoped.files().read(&agent, "before").await.unwrap(), three, "what is there stays");
        scoped.files().write(&agent, "small", b"moss").await.unwrap();
        admin.files().set(FileRules { file_mb: None, folder_mb: Some(60) }).await.unwrap();
        scoped.files().write(&agent, "more", &two).await.unwrap();
    })
    .await;
}

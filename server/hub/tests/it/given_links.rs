//! Addresses of files that a person gave away: seen, counted, and taken back.

use crate::world::{Definition, World, each_store};
use hub::{AuditQuery, Error, MOST_GIVEN_LINKS, Scoped, SignedLink};
use protocol::AgentId;
use protocol::files::GivenLink;
use protocol::view::AuditAction;
use std::time::Duration;
use url::Url;

const HOUR: Duration = Duration::from_secs(60 * 60);

async fn agent(scoped: &Scoped<'_>, path: &str) -> AgentId {
    let agent = Definition::named("Ada").create(scoped).await.id;
    scoped.files().write(&agent, path, path.as_bytes()).await.unwrap();
    agent
}

/// What whoever has the address gets.
async fn open(world: &World, agent: &AgentId, path: &str, address: &str) -> Result<Vec<u8>, String> {
    let url = Url::parse("http://hub").unwrap().join(address).unwrap();
    let part =
        |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let link = SignedLink {
        folder: agent.into(),
        path: path.to_owned(),
        until: part("until").unwrap().parse().unwrap(),
        mac: part("mac").unwrap(),
        given: part("given").map(protocol::GivenLinkId),
    };
    world.hub.files().open_link(&link).await.map(|opened| opened.bytes).map_err(|error| error.to_string())
}

async fn given(scoped: &Scoped<'_>) -> Vec<GivenLink> {
    scoped.files().given_links().await.unwrap()
}

#[tokio::test]
async fn an_address_that_was_given_away_is_seen_with_how_often_it_was_opened() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (scoped, others) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let (fern, moss) = (agent(&scoped, "a b.txt").await, agent(&scoped, "moss").await);
        let first = scoped.files().share(&fern, "a b.txt", 1).await.unwrap();
        world.clock.advance(Duration::from_secs(1));
        let second = scoped.files().share(&moss, "moss", 24).await.unwrap();
        let seen = given(&scoped).await;
        let told: Vec<_> =
            seen.iter().map(|link| (&link.address, link.opened, link.last_opened_at)).collect();
        assert_eq!(told, [(&second, 0, None), (&first, 0, None)]);
        assert_eq!((&seen[1].folder.0, seen[1].ends_at - seen[1].made_at), (&fern.0, 60 * 60 * 1000));
        assert!(given(&others).await.is_empty());

        for _ in 0..2 {
            assert_eq!(open(&world, &fern, "a b.txt", &first).await.unwrap(), b"a b.txt");
        }
        open(&world, &fern, "a b.txt", &second).await.unwrap_err();
        let seen = given(&scoped).await;
        let last = seen[1].last_opened_at.unwrap();
        assert!(seen[1].opened == 2 && (seen[1].made_at..=world.hub.now()).contains(&last), "{seen:?}");
        assert_eq!(seen[0].opened, 0, "who had no right to is not counted");

        // What was changed opens nothing, and what it was opens again.
        scoped.files().write(&fern, "a b.txt", b"other").await.unwrap();
        assert!(!given(&scoped).await[1].holds);
        open(&world, &fern, "a b.txt", &first).await.unwrap_err();
        scoped.files().restore(&fern, "a b.txt", 1).await.unwrap();
        assert!(given(&scoped).await[1].holds);
        open(&world, &fern, "a b.txt", &first).await.unwrap();

        world.clock.advance(HOUR);
        assert_eq!(given(&scoped).await.len(), 1, "what is over is not seen any more");
        scoped.agents().delete(&moss).await.unwrap();
        assert!(given(&scoped).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_address_that_was_taken_back_answers_like_one_that_is_over() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (scoped, others) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let fern = agent(&scoped, "a").await;
        let over = scoped.files().share(&fern, "a", 1).await.unwrap();
        world.clock.advance(HOUR);
        let over = open(&world, &fern, "a", &over).await.unwrap_err();
        let mut addresses = Vec::new();
        for _ in 0..3 {
            addresses.push(scoped.files().share(&fern, "a", 168).await.unwrap());
        }
        let id = given(&scoped).await.into_iter().find(|link| link.address == addresses[0]).unwrap().id;
        assert!(matches!(others.files().take_back(&id).await, Err(Error::NotFound("address"))));
        others.files().take_all_back().await.unwrap();
        assert_eq!(given(&scoped).await.len(), 3);

        scoped.files().take_back(&id).await.unwrap();
        assert_eq!(open(&world, &fern, "a", &addresses[0]).await.unwrap_err(), over);
        open(&world, &fern, "a", &addresses[1]).await.unwrap();
        // Without the name of its row it is an address of a quarter of an hour, and was signed otherwise.
        let bare = addresses[1].split("&given=").next().unwrap();
        assert_eq!(open(&world, &fern, "a", bare).await.unwrap_err(), over);
        assert!(matches!(scoped.files().take_back(&id).await, Err(Error::NotFound("address"))));
        scoped.files().take_all_back().await.unwrap();
        assert!(given(&scoped).await.is_empty());
        for address in &addresses {
            assert_eq!(open(&world, &fern, "a", address).await.unwrap_err(), over);
        }
        let lines = scoped.audit().read(&AuditQuery::default()).await.unwrap();
        let count = |action| lines.lines.iter().filter(|line| line.action == action).count();
        assert_eq!((count(AuditAction::FileLinkGiven), count(AuditAction::FileLinkTakenBack)), (4, 3));
    })
    .await;
}

#[tokio::test]
async fn a_person_gives_so_many_addresses_away_and_more_once_some_are_over() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (scoped, others) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let (fern, theirs) = (agent(&scoped, "a").await, agent(&others, "a").await);
        for _ in 0..MOST_GIVEN_LINKS {
            scoped.files().share(&fern, "a", 1).await.unwrap();
        }
        assert!(matches!(scoped.files().share(&fern, "a", 1).await, Err(Error::Limit(_))));
        others.files().share(&theirs, "a", 1).await.expect("another person has their own");
        world.clock.advance(HOUR);
        scoped.files().share(&fern, "a", 1).await.unwrap();
    })
    .await;
}

//! The bin: what was deleted last stays longest, and who deletes is told what leaves it for good.

use crate::world::{Definition, World, each_store};
use hub::{Error, Scoped};
use protocol::AgentId;
use std::time::Duration;

const FIVE: usize = 5 * 1024 * 1024;

async fn agent(scoped: &Scoped<'_>) -> AgentId {
    Definition::named("Ada").create(scoped).await.id
}

async fn bin(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<String> {
    let deleted = scoped.files().deleted(agent, 100).await.unwrap();
    let mut paths: Vec<String> = deleted.into_iter().map(|file| file.path).collect();
    paths.sort();
    paths
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[tokio::test]
async fn what_was_deleted_last_stays_longest_however_old_it_was() {
    each_store(async |world: World| {
        let person = world.person("ada").await;
        let scoped = world.hub.for_viewer(&person);
        let (agent, files) = (agent(&scoped).await, scoped.files());
        let wait = || world.clock.advance(Duration::from_secs(1));
        let fives = |letter: u8| vec![letter; FIVE];
        files.write(&agent, "oldest", &fives(b'o')).await.unwrap();
        wait();
        // Nine former versions, all younger than what is deleted next.
        for number in 0..10 {
            files.write(&agent, "busy", &fives(number)).await.unwrap();
            wait();
        }
        files.write(&agent, "small", b"small").await.unwrap();
        wait();
        files.delete_chosen(&agent, &names(&["oldest", "small"])).await.unwrap();
        assert_eq!(bin(&scoped, &agent).await, ["oldest", "small"]);
        assert_eq!(files.versions(&agent, "busy").await.unwrap().len(), 9, "its first version made room");

        // Of the bin, too, what was deleted first goes first.
        for path in ["a", "b"] {
            wait();
            files.write(&agent, path, &fives(b'x')).await.unwrap();
        }
        wait();
        files.delete(&agent, "b").await.unwrap();
        for number in 0..8 {
            wait();
            files.write(&agent, "busy", &fives(100 + number)).await.unwrap();
        }
        assert_eq!(bin(&scoped, &agent).await, ["b", "small"]);
    })
    .await;
}

#[tokio::test]
async fn who_deletes_is_told_before_what_leaves_the_bin_for_good() {
    each_store(async |world: World| {
        let (person, other) = (world.person("ada").await, world.person("eve").await);
        let (scoped, strangers) = (world.hub.for_viewer(&person), world.hub.for_viewer(&other));
        let (agent, files) = (agent(&scoped).await, scoped.files());
        for path in ["a", "b"] {
            files.write(&agent, path, &vec![b'x'; FIVE]).await.unwrap();
            files.delete(&agent, path).await.unwrap();
            world.clock.advance(Duration::from_secs(1));
        }
        for number in 0..9 {
            files.write(&agent, &format!("many/{number}"), &vec![number; FIVE]).await.unwrap();
        }
        let eight: Vec<String> = (0..8).map(|number| format!("many/{number}")).collect();
        files.require_room_in_bin(&agent, &eight).await.unwrap();
        for (chosen, leaving) in
            [(names(&["many/"]), 1), (names(&["many/", "many/1"]), 1), (names(&["many/1"]), 0)]
        {
            let told = files.require_room_in_bin(&agent, &chosen).await;
            match told {
                Err(Error::Conflict(why)) => {
                    assert!(leaving == 1 && why.contains("a file deleted before"), "{why}")
                }
                told => assert!(leaving == 0 && told.is_ok(), "{chosen:?}: {told:?}"),
            }
        }
        assert_eq!(files.leaving_bin(&agent, 9, 9 * FIVE as u64).await.unwrap(), 1);
        assert_eq!(files.leaving_bin(&agent, 10, 10 * FIVE as u64).await.unwrap(), 2);
        assert!(matches!(strangers.files().leaving_bin(&agent, 1, 1).await, Err(Error::NotFound("folder"))));
        files.delete_chosen(&agent, &names(&["many/"])).await.unwrap();
        let left = bin(&scoped, &agent).await;
        assert!(left.len() == 10 && !left.contains(&"a".to_owned()), "as was said: {left:?}");
    })
    .await;
}

#[tokio::test]
async fn what_would_leave_the_bin_is_counted_however_many_files_are_in_it() {
    each_store(async |world: World| {
        let person = world.person("ada").await;
        let scoped = world.hub.for_viewer(&person);
        let (agent, files) = (agent(&scoped).await, scoped.files());
        let all = (0..510).map(|number| (format!("many/{number}"), vec![b'x'])).collect();
        files.upload(&agent, all).await.unwrap();
        files.delete_chosen(&agent, &names(&["many/"])).await.unwrap();
        let room = FIVE as u64 * 10;
        for (bytes, leaving) in [(room - 510, 0), (room - 509, 1), (room - 10, 500), (room, 510)] {
            assert_eq!(files.leaving_bin(&agent, 1, bytes).await.unwrap(), leaving, "{bytes}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_change_has_a_moment_of_its_own_also_after_the_clock_went_back() {
    each_store(async |world: World| {
        let person = world.person("ada").await;
        let scoped = world.hub.for_viewer(&person);
        let (agent, files) = (agent(&scoped).await, scoped.files());
        files.write(&agent, "a", b"before").await.unwrap();
        let written = files.versions(&agent, "a").await.unwrap()[0].at;
        world.clock.set(-3_600_000);
        files.write(&agent, "a", b"after").await.unwrap();
        files.write(&agent, "b", b"after").await.unwrap();
        let change = files.delete_chosen(&agent, &names(&["b"])).await.unwrap();
        assert!(change.at > written, "{} is not behind {written}", change.at);
    })
    .await;
}

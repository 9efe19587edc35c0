//! Folders as they are shown, and what a person does with several files and whole folders: all of it or nothing, with
//! one press to take it back.

use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Download, Error, PartAsked, Scoped};
use protocol::AgentId;
use protocol::files::{FileAuthor, FileDid, FileOfCall, UndoneCall};
use serde_json::json;

async fn agent(scoped: &Scoped<'_>) -> AgentId {
    Definition::named("Ada").create(scoped).await.id
}

/// All paths with what is in them, in one text.
async fn there(scoped: &Scoped<'_>, agent: &AgentId) -> String {
    let mut all = Vec::new();
    for file in scoped.files().list(agent, &hub::FileListing::default()).await.unwrap() {
        let bytes = scoped.files().read(agent, &file.path).await.unwrap();
        all.push(format!("{}={}", file.path, String::from_utf8(bytes).unwrap()));
    }
    all.sort();
    all.join(" ")
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// What a folder shows, part by part.
async fn shown(scoped: &Scoped<'_>, agent: &AgentId, within: &str, most: usize) -> Vec<String> {
    let mut asked = PartAsked { within: within.to_owned(), most: Some(most), ..PartAsked::default() };
    let mut all = Vec::new();
    for _ in 0..20 {
        let part = scoped.files().part(agent, &asked).await.unwrap();
        assert!(part.folders.len() + part.files.len() <= most);
        all.extend(
            part.folders.iter().map(|folder| format!("{}/ {} {}", folder.path, folder.files, folder.size)),
        );
        all.extend(part.files.iter().map(|file| file.path.clone()));
        match part.next {
            Some(next) => asked.after = next,
            None => return all,
        }
    }
    panic!("it has no end: {all:?}");
}

#[tokio::test]
async fn a_folder_shows_what_is_directly_in_it_part_by_part() {
    each_store(async |world: World| {
        let (person, other) = (world.person("ada").await, world.person("eve").await);
        let (scoped, strangers) = (world.hub.for_viewer(&person), world.hub.for_viewer(&other));
        let agent = agent(&scoped).await;
        assert!(shown(&scoped, &agent, "", 5).await.is_empty());
        for path in ["b", "ä/x/1", "ä/x/2", "ä/y", "a%/1", "aX/1", "b/deep/er/1", "c"] {
            scoped.files().write(&agent, path, path.as_bytes()).await.unwrap();
        }
        let mut top = vec!["a%/ 1 4", "aX/ 1 4", "b/ 1 11", "ä/ 3 16", "b", "c"];
        for most in [1, 2, 3, 4, 5, 6, 100] {
            let mut shown = shown(&scoped, &agent, "", most).await;
            let files = shown.split_off(4);
            assert_eq!(files, ["b", "c"], "folders come first");
            // Databases put letters in an order of their own.
            shown.extend(files);
            shown.sort();
            top.sort_unstable();
            assert_eq!(shown, top, "{most} at a time");
        }
        assert_eq!(shown(&scoped, &agent, "ä", 100).await, ["ä/x/ 2 12", "ä/y"]);
        assert_eq!(shown(&scoped, &agent, "a%", 100).await, ["a%/1"]);
        assert_eq!(shown(&scoped, &agent, "b/deep", 100).await, ["b/deep/er/ 1 11"]);
        assert!(shown(&scoped, &agent, "none", 100).await.is_empty());
        let asked = PartAsked { within: "..".to_owned(), ..PartAsked::default() };
        assert!(matches!(scoped.files().part(&agent, &asked).await, Err(Error::Invalid(_))));
        let asked = PartAsked::default();
        assert!(matches!(strangers.files().part(&agent, &asked).await, Err(Error::NotFound(_))));
    })
    .await;
}

#[tokio::test]
async fn what_is_done_with_several_files_is_done_as_a_whole_and_taken_back_with_one_press() {
    each_store(async |world: World| {
        let (person, other) = (world.person("ada").await, world.person("eve").await);
        let (scoped, strangers) = (world.hub.for_viewer(&person), world.hub.for_viewer(&other));
        let (from, to) = (agent(&scoped).await, agent(&scoped).await);
        for path in ["a", "b/c", "b/d/e", "f/c"] {
            scoped.files().write(&from, path, path.as_bytes()).await.unwrap();
        }
        let before = there(&scoped, &from).await;
        let files = || scoped.files();
        let undo = async |at: i64| files().undo_change(&from, at).await;

        let moved = files().move_chosen(&from, &names(&["a", "b/"]), "f", None).await.unwrap();
        assert_eq!(moved.files, 3);
        assert_eq!(there(&scoped, &from).await, "f/a=a f/b/c=b/c f/b/d/e=b/d/e f/c=f/c");
        assert_eq!(undo(moved.at).await.unwrap(), UndoneCall { undone: 6, left: 0 });
        assert_eq!(there(&scoped, &from).await, before);
        assert!(matches!(undo(moved.at).await, Err(Error::Conflict(_))), "it was taken back");

        let renamed = files().move_chosen(&from, &names(&["b/"]), "", Some("moss")).await.unwrap();
        assert_eq!(there(&scoped, &from).await, "a=a f/c=f/c moss/c=b/c moss/d/e=b/d/e");
        // What was changed since stays.
        files().write(&from, "moss/c", b"by hand").await.unwrap();
        undo(renamed.at).await.unwrap();
        assert_eq!(there(&scoped, &from).await, format!("{before} moss/c=by hand"));
        files().delete(&from, "moss/c").await.unwrap();

        // One comes to be where another was.
        let swapped = files().move_chosen(&from, &names(&["b/d/"]), "", Some("b2")).await.unwrap();
        undo(swapped.at).await.unwrap();
        let up = files().move_chosen(&from, &names(&["b/d/e"]), "b", Some("d")).await.unwrap();
        assert_eq!(there(&scoped, &from).await, "a=a b/c=b/c b/d=b/d/e f/c=f/c");
        undo(up.at).await.unwrap();

        for (names_, into, name, why) in [
            (vec!["b/c"], "f", None, "There is a file f/c already"),
            (vec!["a", "none"], "f", None, "There is no none any more"),
            (vec!["b/"], "b/d", None, "cannot come into itself"),
            (vec!["a"], "", None, "It is there already"),
            (vec!["a"], "../x", None, "leads up"),
        ] {
            let error = files().move_chosen(&from, &names(&names_), into, name).await.unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
        assert_eq!(there(&scoped, &from).await, before, "nothing was half done");

        // Two changes at one moment are two.
        let one = files().delete_chosen(&from, &names(&["a"])).await.unwrap();
        let two = files().delete_chosen(&from, &names(&["b/", "f/c"])).await.unwrap();
        assert_eq!((one.files, two.files), (1, 3));
        assert_eq!(there(&scoped, &from).await, "");
        assert_eq!(undo(two.at).await.unwrap(), UndoneCall { undone: 3, left: 0 });
        assert_eq!(there(&scoped, &from).await, "b/c=b/c b/d/e=b/d/e f/c=f/c");
        undo(one.at).await.unwrap();
        assert_eq!(there(&scoped, &from).await, before);

        let copied = files().copy_chosen(&from, &names(&["a", "b/"]), &(&to).into(), "in").await.unwrap();
        assert_eq!(there(&scoped, &to).await, "in/a=a in/b/c=b/c in/b/d/e=b/d/e");
        assert_eq!(there(&scoped, &from).await, before);
        let again = files().copy_chosen(&from, &names(&["a"]), &(&to).into(), "in").await;
        assert!(matches!(again, Err(Error::Conflict(_))));
        files().undo_change(copied.folder, copied.at).await.unwrap();
        assert_eq!(there(&scoped, &to).await, "");

        let saved = async |chosen: &[&str]| files().download(&from, &names(chosen)).await.unwrap();
        let Download { name, bytes, is_archive } = saved(&["b/c"]).await;
        assert_eq!((name.as_str(), bytes.as_slice(), is_archive), ("c", b"b/c".as_slice(), false));
        let Download { name, bytes, is_archive } = saved(&["b/"]).await;
        assert!(is_archive && name == "b.zip" && bytes.starts_with(b"PK"), "{name}");
        assert_eq!(saved(&["a", "f/c"]).await.name, "Files of Ada.zip");
        assert_eq!(saved(&[]).await.name, "Files of Ada.zip");
        assert!(files().download(&from, &names(&["none"])).await.is_err());

        let (theirs, chosen) = (strangers.files(), names(&["a"]));
        let their_agent = agent(&strangers).await;
        for refused in [
            theirs.delete_chosen(&from, &chosen).await.map(|_| ()),
            theirs.move_chosen(&from, &chosen, "x", None).await.map(|_| ()),
            theirs.copy_chosen(&from, &chosen, &(&their_agent).into(), "").await.map(|_| ()),
            files().copy_chosen(&from, &chosen, &(&their_agent).into(), "").await.map(|_| ()),
            theirs.undo_change(&from, one.at).await.map(|_| ()),
            theirs.download(&from, &chosen).await.map(|_| ()),
        ] {
            assert!(matches!(refused, Err(Error::NotFound("folder"))), "{refused:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn words_of_strangers_stay_marked_wherever_a_person_moves_them() {
    each_store(async |world: World| {
        let person = world.person("ada").await;
        let scoped = world.hub.for_viewer(&person);
        let agent = agent(&scoped).await;
        scoped.files().write(&agent, "a", b"a").await.unwrap();
        sqlx::query("UPDATE files SET untrusted = 1 WHERE path = 'a'")
            .execute(world.store().await.read())
            .await
            .unwrap();
        scoped.files().move_chosen(&agent, &names(&["a"]), "b", None).await.unwrap();
        let file = scoped.files().detail(&agent, "b/a").await.unwrap().file.unwrap();
        assert!(file.untrusted && file.author == Some(FileAuthor::Person), "{file:?}");
    })
    .await;
}

#[tokio::test]
async fn what_a_call_did_to_whole_files_is_told_and_taken_back() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["files"]).replace(&scoped, &agent.id).await;
        let (agent, talk) = (&agent.id, scoped.conversations().create(&agent.id).await.unwrap().id);
        for (path, text) in [("a", "one\n"), ("b", "two\n")] {
            scoped.files().write(agent, path, text.as_bytes()).await.unwrap();
        }
        let results = calls(
            &scoped,
            agent,
            &talk,
            &[
                ("files", json!({ "action": "move", "path": "/agent/a", "to": "/agent/c" })),
                ("files", json!({ "action": "delete", "path": "/agent/b" })),
            ],
        )
        .await;
        assert!(results.iter().all(|(is_error, _)| !is_error), "{results:?}");
        let call_of = async |path: &str| {
            let versions = scoped.files().versions(agent, path).await.unwrap();
            match versions.into_iter().next().and_then(|version| version.author) {
                Some(FileAuthor::Agent { call: Some(call), .. }) => call,
                other => panic!("{other:?}"),
            }
        };
        let told = |files: Vec<FileOfCall>| -> Vec<(String, FileDid, bool)> {
            let line = |file: FileOfCall| {
                (file.path, file.did, file.diff.contains("one") || file.diff.contains("two"))
            };
            files.into_iter().map(line).collect()
        };
        let (moved, deleted) = (call_of("c").await, call_of("b").await);
        let files = scoped.files().files_of_call(agent, &talk, &moved).await.unwrap();
        assert!(
            files.iter().any(|file| file.diff.contains("+one"))
                && files.iter().any(|file| file.diff.contains("-one"))
        );
        assert_eq!(
            told(files),
            [("a".to_owned(), FileDid::Deleted, true), ("c".to_owned(), FileDid::Made, true)]
        );
        let files = scoped.files().files_of_call(agent, &talk, &deleted).await.unwrap();
        assert_eq!(told(files), [("b".to_owned(), FileDid::Deleted, true)]);
        for call in [&moved, &deleted] {
            scoped.files().undo_call(agent, &talk, call).await.unwrap();
        }
        assert_eq!(there(&scoped, agent).await, "a=one\n b=two\n");
        let other = world.person("eve").await;
        let theirs = world.hub.for_viewer(&other).files().files_of_call(agent, &talk, &moved).await;
        assert!(matches!(theirs, Err(Error::NotFound(_))));
    })
    .await;
}

#[tokio::test]
async fn a_move_is_taken_back_as_far_as_files_can_come_back() {
    each_store(async |world: World| {
        let person = world.person("ada").await;
        let scoped = world.hub.for_viewer(&person);
        let agent = agent(&scoped).await;
        for path in ["a", "b", "caf\u{e9}"] {
            scoped.files().write(&agent, path, path.as_bytes()).await.unwrap();
        }
        let moved = scoped.files().move_chosen(&agent, &names(&["a", "b"]), "f", None).await.unwrap();
        scoped.files().write(&agent, "a", b"new").await.unwrap();
        for at in [-1, i64::MIN] {
            let refused = scoped.files().undo_change(&agent, at).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
        }
        let undone = scoped.files().undo_change(&agent, moved.at).await.unwrap();
        assert_eq!(undone, UndoneCall { undone: 2, left: 1 });
        assert_eq!(there(&scoped, &agent).await, "a=new b=b caf\u{e9}=caf\u{e9} f/a=a");
        let over = scoped.files().move_chosen(&agent, &names(&["b"]), "", Some("cafe\u{301}")).await;
        assert!(matches!(over, Err(Error::Conflict(_))), "{over:?}");
    })
    .await;
}

#[tokio::test]
async fn instructions_that_a_person_did_not_write_are_marked_when_they_bring_them_along() {
    each_store(async |world: World| {
        let person = world.person("ada").await;
        let scoped = world.hub.for_viewer(&person);
        let agent = agent(&scoped).await;
        let files = scoped.files();
        let is_marked = async |path: &str| files.detail(&agent, path).await.unwrap().file.unwrap().untrusted;
        for path in ["own/AGENTS.md", "theirs/AGENTS.md"] {
            files.write(&agent, path, path.as_bytes()).await.unwrap();
        }
        sqlx::query("UPDATE files SET author = '{\"type\":\"archive\"}' WHERE path = 'theirs/AGENTS.md'")
            .execute(world.store().await.read())
            .await
            .unwrap();
        let gone = files.delete_chosen(&agent, &names(&["own/", "theirs/"])).await.unwrap();
        files.undo_change(&agent, gone.at).await.unwrap();
        assert!(!is_marked("own/AGENTS.md").await && is_marked("theirs/AGENTS.md").await);
        sqlx::query(
            "UPDATE files SET author = '{\"type\":\"archive\"}', untrusted = 0 WHERE path = 'theirs/AGENTS.md'",
        )
        .execute(world.store().await.read())
        .await
        .unwrap();
        files.move_chosen(&agent, &names(&["own/", "theirs/"]), "x", None).await.unwrap();
        assert!(!is_marked("x/own/AGENTS.md").await && is_marked("x/theirs/AGENTS.md").await);
    })
    .await;
}

#[tokio::test]
async fn a_new_folder_is_kept_with_nothing_in_it_and_goes_where_it_is_taken() {
    each_store(async |world: World| {
        let (person, other) = (world.person("ada").await, world.person("eve").await);
        let (scoped, strangers) = (world.hub.for_viewer(&person), world.hub.for_viewer(&other));
        let (from, to) = (agent(&scoped).await, agent(&scoped).await);
        let files = || scoped.files();
        files().write(&from, "a", b"a").await.unwrap();
        for _ in 0..2 {
            assert_eq!(files().make_folder(&from, "beds/north").await.unwrap(), "beds/north");
        }
        assert_eq!(shown(&scoped, &from, "", 100).await, ["beds/ 0 0", "a"]);
        assert_eq!(shown(&scoped, &from, "beds", 1).await, ["beds/north/ 0 0"]);
        for (path, why) in
            [("a", "is a file"), ("a/b", "is a file"), ("../b", "leads up"), ("", "cannot name")]
        {
            let error = files().make_folder(&from, path).await.unwrap_err();
            assert!(error.to_string().contains(why), "{path}: {error}");
        }
        let foreign = strangers.files().make_folder(&from, "beds").await;
        assert!(matches!(foreign, Err(Error::NotFound(_))));
        let moved = files().move_chosen(&from, &names(&["beds/"]), "", Some("garden")).await.unwrap();
        assert_eq!(moved.files, 0);
        let still = files().move_chosen(&from, &names(&["garden/"]), "", None).await.unwrap_err();
        assert!(still.to_string().contains("It is there already"), "{still}");
        files().copy_chosen(&from, &names(&["garden/"]), &(&to).into(), "").await.unwrap();
        assert_eq!(shown(&scoped, &to, "garden", 100).await, ["garden/north/ 0 0"]);
        files().write(&from, "garden/north/fern", b"fern").await.unwrap();
        assert_eq!(shown(&scoped, &from, "", 100).await, ["garden/ 1 4", "a"]);
        files().delete(&from, "garden/north/fern").await.unwrap();
        assert_eq!(shown(&scoped, &from, "", 100).await, ["garden/ 0 0", "a"]);
        let all = names(&["garden/", "a"]);
        files().require_room_in_bin(&from, &all).await.unwrap();
        assert_eq!(files().delete_chosen(&from, &all).await.unwrap().files, 1);
        assert!(shown(&scoped, &from, "", 100).await.is_empty());
    })
    .await;
}

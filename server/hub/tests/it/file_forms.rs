//! Files as they are: in their encodings and with their line ends, under one spelling of their names, and folders as a
//! whole.

use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{FileListing, Scoped};
use protocol::ConversationId;
use protocol::approval::PolicyDraft;
use protocol::view::AgentView;
use serde_json::{Value, json};

const TOOLS: [&str; 8] = ["read", "write", "edit", "glob", "grep", "files", "convert", "chart"];

async fn with_files(world: &World, endpoint: &Endpoint) -> (hub::Viewer, AgentView, ConversationId) {
    let (viewer, agent) = ada(world, endpoint).await;
    let scoped = world.hub.for_viewer(&viewer);
    Definition::like(&agent).tools(TOOLS).replace(&scoped, &agent.id).await;
    let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
    (viewer, agent, talk)
}

/// Has all calls made, and holds what each says against what it has to say.
async fn check(
    scoped: &Scoped<'_>,
    agent: &AgentView,
    talk: &ConversationId,
    cases: &[(&str, Value, Result<&str, &str>)],
) {
    let asked: Vec<(&str, Value)> = cases.iter().map(|(name, input, _)| (*name, input.clone())).collect();
    let told = calls(scoped, &agent.id, talk, &asked).await;
    for ((name, input, expected), (failed, said)) in cases.iter().zip(&told) {
        let (Ok(part) | Err(part)) = expected;
        assert!(*failed == expected.is_err() && said.contains(part), "{name} {input}: {said}");
    }
}

#[tokio::test]
async fn a_change_keeps_encoding_mark_and_line_ends() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, talk) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let wide: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain("Grüße\r\nzwei\n".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        for (path, bytes) in [
            ("mixed.txt", &b"\xef\xbb\xbfa\r\nb\nc"[..]),
            ("latin.txt", b"Gr\xfc\xdfe\r\nzwei"),
            ("wide.txt", &wide),
            ("picture.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
            ("odd", b"\x01\x02\0"),
        ] {
            scoped.files().write(&agent.id, path, bytes).await.unwrap();
        }
        let edit =
            |path: &str, old: &str, new: &str| json!({ "path": path, "old_string": old, "new_string": new });
        let read = |path: &str| json!({ "path": path });
        check(
            &scoped,
            &agent,
            &talk,
            &[
                ("read", read("mixed.txt"), Ok("a\\n2\\tb")),
                ("edit", edit("mixed.txt", "b", "b\nB"), Ok("+B")),
                ("read", read("latin.txt"), Ok("\"encoding\":\"windows-1252\"")),
                ("edit", edit("latin.txt", "zwei", "für €"), Ok("+für €")),
                ("edit", edit("latin.txt", "für", "→"), Err("windows-1252, where '→' has no place")),
                ("write", json!({ "path": "latin.txt", "content": "\nä", "append": true }), Ok("version")),
                ("read", read("wide.txt"), Ok("1\\tGrüße\\n2\\tzwei")),
                ("edit", edit("wide.txt", "zwei", "🌿"), Ok("\"encoding\":\"UTF-16LE\"")),
                ("grep", json!({ "pattern": "Grüße" }), Ok("/agent/wide.txt")),
                (
                    "read",
                    read("odd"),
                    Err("is no text. It is binary, of no kind that is known here, with 3 bytes"),
                ),
                ("edit", edit("picture.txt", "a", "b"), Err("has not been read")),
                ("files", json!({ "action": "stat", "path": "picture.txt" }), Ok("\"type\":\"image/png\"")),
                ("files", json!({ "action": "stat", "path": "wide.txt" }), Ok("\"encoding\":\"UTF-16LE\"")),
                (
                    "convert",
                    json!({ "path": "picture.txt", "from": "csv" }),
                    Err("is no text. It is image/png"),
                ),
                ("files", json!({ "action": "diff", "path": "latin.txt", "to": "wide.txt" }), Ok("+🌿")),
            ],
        )
        .await;
        let now = async |path: &str| scoped.files().read(&agent.id, path).await.unwrap();
        assert_eq!(now("mixed.txt").await, b"\xef\xbb\xbfa\r\nb\nB\nc");
        assert_eq!(now("latin.txt").await, b"Gr\xfc\xdfe\r\nf\xfcr \x80\n\xe4");
        let expected: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain("Grüße\r\n🌿\n".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert_eq!(now("wide.txt").await, expected);
    })
    .await;
}

#[tokio::test]
async fn a_name_is_the_same_however_it_is_spelled_and_hides_nothing() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, talk) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let rule = PolicyDraft {
            verdict: "deny".to_owned(),
            tool: "read".to_owned(),
            about: "/agent/secre\u{301}t.md".to_owned(),
            ..PolicyDraft::default()
        };
        scoped.policies().add(&rule).await.unwrap();
        let paths = scoped
            .files()
            .upload(
                &agent.id,
                vec![
                    ("secr\u{e9}t.md".to_owned(), b"moss".to_vec()),
                    ("cafe\u{301}.md".to_owned(), b"menu\n".to_vec()),
                ],
            )
            .await
            .unwrap();
        assert_eq!(paths, ["secr\u{e9}t.md", "caf\u{e9}.md"], "the page hears how they are kept");
        check(
            &scoped,
            &agent,
            &talk,
            &[
                ("read", json!({ "path": "cafe\u{301}.md" }), Ok("menu")),
                (
                    "edit",
                    json!({ "path": "caf\u{e9}.md", "old_string": "menu", "new_string": "card" }),
                    Ok("+card"),
                ),
                ("files", json!({ "action": "stat", "path": "cafe\u{301}.md" }), Ok("\"lines\":1")),
                ("grep", json!({ "pattern": "card", "path": "cafe\u{301}.md" }), Ok("caf\u{e9}.md")),
                ("write", json!({ "path": "caf\u{e9}\u{a0}2.md", "content": "x" }), Ok("caf\u{e9} 2.md")),
                ("read", json!({ "path": "secre\u{301}t.md" }), Err("")),
                ("read", json!({ "path": "secr\u{e9}t.md" }), Err("")),
                (
                    "write",
                    json!({ "path": "caf\u{e9}\u{200b}.md", "content": "x" }),
                    Err("without width (U+200B)"),
                ),
                (
                    "write",
                    json!({ "path": "a\u{202e}dm.exe", "content": "x" }),
                    Err("turns the direction of writing (U+202E)"),
                ),
                ("write", json!({ "path": "\u{2764}\u{fe0f}.md", "content": "x" }), Ok("created")),
            ],
        )
        .await;
        let refused = scoped.files().write(&agent.id, "a\u{ad}b", b"x").await.unwrap_err();
        assert!(refused.to_string().contains("nobody sees (U+00AD)"), "{refused}");
    })
    .await;
}

#[tokio::test]
async fn folders_are_copied_moved_and_deleted_as_a_whole_or_not_at_all() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, talk) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for path in ["a/b/1", "a/2", "ab/3", "kept/x", "kept/y"] {
            scoped.files().write(&agent.id, path, path.as_bytes()).await.unwrap();
        }
        let rule = PolicyDraft {
            verdict: "deny".to_owned(),
            tool: "write".to_owned(),
            about: "/agent/kept/y".to_owned(),
            ..PolicyDraft::default()
        };
        scoped.policies().add(&rule).await.unwrap();
        for path in ["g/shut/x", "g/y", "open/z"] {
            scoped.files().write(&agent.id, path, path.as_bytes()).await.unwrap();
        }
        let of_files = PolicyDraft { tool: "files".to_owned(), about: "/agent/g/shut/*".to_owned(), ..rule };
        scoped.policies().add(&of_files).await.unwrap();
        const NOTHING: &str = "Nothing of the patch was applied";
        let patch = |of: &str| json!({ "input": format!("*** Begin Patch\n{of}\n*** End Patch") });
        let files = |action: &str, path: &str, to: &str| match to {
            "" => json!({ "action": action, "path": path }),
            to => json!({ "action": action, "path": path, "to": to }),
        };
        check(
            &scoped,
            &agent,
            &talk,
            &[
                ("files", files("stat", "a", ""), Ok("\"bytes\":8")),
                ("files", files("copy", "a", "c/d"), Ok("\"files\":2")),
                (
                    "files",
                    files("copy", "a", "c/d"),
                    Err("There are files under /agent/c/d already, as c/d/"),
                ),
                ("files", files("move", "a", "a/b/inner"), Err("is within /agent/a")),
                ("files", files("move", "a", "e"), Ok("\"files\":2")),
                ("files", files("stat", "a", ""), Err("nothing at /agent/a")),
                ("files", files("delete", "c", ""), Ok("\"files\":2")),
                ("files", files("delete", "kept", ""), Err("keeps 1 of the files from being changed")),
                ("files", files("move", "kept", "f"), Err("keeps 1 of the files from being changed")),
                ("files", files("copy", "kept", "f"), Ok("\"files\":2")),
                ("files", files("restore", "c/d/2", ""), Ok("restored")),
                ("files", files("copy", "e", "/opfs/e"), Err("file by file")),
                ("files", files("list", "/agent", ""), Ok("\"files\":11")),
            ],
        )
        .await;
        check(
            &scoped,
            &agent,
            &talk,
            &[
                ("files", files("delete", "g", ""), Err("from delete with 1 of the files")),
                ("files", files("copy", "g", "h"), Err("from copy with 1 of the files")),
                ("files", files("move", "open", "g/shut"), Err("from move with 1 of the files")),
                ("files", files("diff", "open/z", "g/shut/x"), Err("from diff with 1 of the files")),
                ("delete_file", json!({ "path": "open" }), Err("is for one file")),
                ("apply_patch", patch("*** Delete File: open/z\n*** Delete File: g/shut/x"), Err(NOTHING)),
                ("apply_patch", patch("*** Update File: open/z\n*** Move to: g/shut/z"), Err(NOTHING)),
                ("apply_patch", patch("*** Add File: new\n+x\n*** Add File: kept/z/../y\n+x"), Err(NOTHING)),
                ("apply_patch", patch("*** Add File: new\n+x\n*** Add File: kept/y\n+x"), Err(NOTHING)),
                ("apply_patch", patch("*** Add File: new\n+x\n*** Delete File: /opfs/a"), Err(NOTHING)),
                ("files", files("list", "/agent", ""), Ok("\"files\":11")),
            ],
        )
        .await;
        for (path, content) in
            [("e/b/1", "a/b/1"), ("e/2", "a/2"), ("ab/3", "ab/3"), ("c/d/2", "a/2"), ("f/x", "kept/x")]
        {
            assert_eq!(scoped.files().read(&agent.id, path).await.unwrap(), content.as_bytes(), "{path}");
        }
        assert!(scoped.files().read(&agent.id, "a/2").await.is_err());
    })
    .await;
}

#[tokio::test]
async fn a_search_shows_what_stands_around_and_looks_into_files_of_a_type() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, talk) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for (path, content) in
            [("a.rs", "one\nfn moss(\n    shade: u8,\n) {}\nfive\n"), ("b.md", "fn moss\n")]
        {
            scoped.files().write(&agent.id, path, content.as_bytes()).await.unwrap();
        }
        let grep = |more: Value| {
            let mut input = json!({ "pattern": "fn moss", "output_mode": "content" });
            input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            input
        };
        let whole =
            r#"{"lines":["/agent/a.rs:2:fn moss(","/agent/a.rs:3:    shade: u8,","/agent/a.rs:4:) {}"]}"#;
        check(
            &scoped,
            &agent,
            &talk,
            &[
                (
                    "grep",
                    grep(json!({ "type": "rust", "before": 1 })),
                    Ok(r#"{"lines":["/agent/a.rs-1-one","/agent/a.rs:2:fn moss("]}"#),
                ),
                (
                    "grep",
                    grep(json!({ "type": "md", "after": 3 })),
                    Ok(r#"{"lines":["/agent/b.md:1:fn moss"]}"#),
                ),
                ("grep", grep(json!({ "pattern": "fn moss\\(.*?\\)", "multiline": true })), Ok(whole)),
                ("grep", grep(json!({ "pattern": "fn moss\\(.*\\)" })), Ok(r#"{"lines":[]}"#)),
                ("grep", grep(json!({ "type": "moss" })), Err("moss is no type here")),
            ],
        )
        .await;
    })
    .await;
}

#[tokio::test]
async fn records_become_cells_with_the_types_that_they_show() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, talk) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        // In the encoding of older programs, with semicolons, and with a line end in a cell.
        let csv = b"Ort;PLZ;seit;Wert;Notiz\r\nK\xf6ln;01067;2026-03-01;2.5;\"a\r\nb; c\"\r\nBonn;53111;2026-04-01;-3;=1+1\r\n";
        scoped.files().write(&agent.id, "places.csv", csv).await.unwrap();
        check(
            &scoped,
            &agent,
            &talk,
            &[
                ("convert", json!({ "path": "places.csv", "to": "places.xlsx" }), Ok("created")),
                ("read", json!({ "path": "places.xlsx" }), Ok("Köln | 01067 | 2026-03-01 | 2.5 | a b; c")),
                ("read", json!({ "path": "places.xlsx" }), Ok("Bonn | 53111 | 2026-04-01 | -3 | =1+1 |")),
                ("convert", json!({ "path": "places.csv", "format": "xlsx" }), Err("ends in .xlsx")),
                ("convert", json!({ "path": "places.csv", "format": "json" }), Ok("Köln")),
            ],
        )
        .await;
    })
    .await;
}

#[tokio::test]
async fn a_file_that_had_its_name_in_another_spelling_is_read_by_the_one_under_which_it_is_listed() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, _) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for (path, content) in
            [("one.md", "old"), ("one.md", "1"), ("two.md", "2"), ("caf\u{e9}.md", "3"), ("gone.md", "4")]
        {
            scoped.files().write(&agent.id, path, content.as_bytes()).await.unwrap();
        }
        scoped.files().delete(&agent.id, "gone.md").await.unwrap();
        // As earlier programs kept them.
        for (path, was) in
            [("one.md", "cafe\u{301}.md"), ("two.md", "d/a\u{200b}b.md"), ("gone.md", "go\u{308}ne.md")]
        {
            for table in ["files", "file_versions"] {
                world.execute(&format!("UPDATE {table} SET path = '{was}' WHERE path = '{path}'")).await;
            }
        }
        world.execute("DELETE FROM settings WHERE key = 'paths_are_spelled'").await;
        let hub = world.reopened().await;
        let scoped = hub.for_viewer(&viewer);
        let listed = scoped.files().list(&agent.id, &FileListing::default()).await.unwrap();
        let mut paths: Vec<String> = listed.into_iter().map(|file| file.path).collect();
        paths.sort();
        assert_eq!(paths, ["caf\u{e9} 2.md", "caf\u{e9}.md", "d/ab.md"]);
        for (path, content) in [("cafe\u{301} 2.md", "1"), ("caf\u{e9}.md", "3"), ("d/ab.md", "2")] {
            assert_eq!(scoped.files().read(&agent.id, path).await.unwrap(), content.as_bytes(), "{path}");
        }
        scoped.files().restore(&agent.id, "caf\u{e9} 2.md", 1).await.unwrap();
        assert_eq!(scoped.files().read(&agent.id, "caf\u{e9} 2.md").await.unwrap(), b"old");
        let deleted = scoped.files().deleted(&agent.id, 10).await.unwrap();
        assert_eq!(deleted.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["g\u{f6}ne.md"]);
    })
    .await;
}

#[tokio::test]
async fn a_yes_to_the_first_file_of_a_patch_is_none_to_the_others() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, talk) = with_files(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for path in ["open/a", "open/b", "shut/c"] {
            scoped.files().write(&agent.id, path, b"one\n").await.unwrap();
        }
        for (verdict, about) in [("ask", ""), ("allow", "/agent/open/*")] {
            let rule = PolicyDraft {
                verdict: verdict.to_owned(),
                tool: "edit".to_owned(),
                about: about.to_owned(),
                ..PolicyDraft::default()
            };
            scoped.policies().add(&rule).await.unwrap();
        }
        let patch = |other: &str| {
            let of = |path: &str| format!("*** Update File: {path}\n@@\n-one\n+two\n");
            json!({ "input": format!("*** Begin Patch\n{}{}*** End Patch", of("open/a"), of(other)) })
        };
        check(
            &scoped,
            &agent,
            &talk,
            &[
                ("read", json!({ "path": "open/a" }), Ok("one")),
                ("read", json!({ "path": "open/b" }), Ok("one")),
                ("read", json!({ "path": "shut/c" }), Ok("one")),
                ("apply_patch", patch("shut/c"), Err("/agent/shut/c: Your person would have to be asked")),
                ("apply_patch", patch("open/b"), Ok("+two")),
            ],
        )
        .await;
        assert_eq!(scoped.files().read(&agent.id, "shut/c").await.unwrap(), b"one\n");
    })
    .await;
}

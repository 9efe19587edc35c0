//! Archives that are not in order, which leave nothing behind.

use super::zipped::{Odd, Zipped};
use super::{draft, noise_text, schedules};
use crate::world::{World, each_store};
use hub::Error;
use serde_json::{Value, json};

const MANIFEST: &[u8] = b"name: A\nversion: 1.0.0\n";

#[tokio::test]
async fn an_archive_that_is_not_in_order_is_refused_in_words_and_leaves_nothing() {
    let good = || Zipped::new().with("manifest.yaml", MANIFEST);
    let wrong = |manifest: &str| Zipped::new().with("manifest.yaml", manifest.as_bytes()).bytes();
    let many = (0..21_001).fold(good(), |zipped, n| zipped.with(&format!("files/{n}"), b""));
    let anchors = "a: &a [x, x]\nb: &b [*a, *a, *a]\nname: A\nversion: '1'\n";
    let deep = format!("name: A\nversion: '1'\ndeep: {}{}\n", "[".repeat(500), "]".repeat(500));
    let deep_page: String = (0..100_000).map(|n| format!("<div {n}>")).collect();
    let damaged = {
        let mut bytes = good().with("files/a", b"some words that are packed").bytes();
        let at = bytes.windows(7).position(|part| part == b"files/a").unwrap() + 9;
        bytes[at] ^= 0xff;
        bytes
    };
    let table: Vec<(&str, Vec<u8>)> = vec![
        ("no zip archive", Vec::new()),
        ("no zip archive", b"hello".to_vec()),
        ("no zip archive", good().bytes()[..40].to_vec()),
        ("no manifest.yaml", Zipped::new().with("srcdoc.html", b"<p>").bytes()),
        ("no manifest.yaml", Zipped::new().bytes()),
        ("manifest.yaml cannot be read", wrong("name: [")),
        ("manifest.yaml cannot be read", wrong("- a\n- b\n")),
        ("manifest.yaml cannot be read", wrong(anchors)),
        ("manifest.yaml cannot be read", wrong(&deep)),
        (
            "larger than 256 KB",
            wrong(&format!("name: A\nversion: 1\nx: {}\n", String::from_utf8(noise_text(300_000)).unwrap())),
        ),
        ("\"../evil\" cannot name a file: it leads up", good().with("../evil", b"x").bytes()),
        ("leads up", good().with("files/../../evil", b"x").bytes()),
        ("own folder", good().with("/etc/passwd", b"x").bytes()),
        ("backslash", good().with("files\\..\\evil", b"x").bytes()),
        (
            "files/l cannot be taken in: it is a link",
            good().with_odd("files/l", b"/etc/passwd", Odd::Link).bytes(),
        ),
        ("it is encrypted", good().with_odd("files/e", b"x", Odd::Encrypted).bytes()),
        ("it is there twice", good().with("files/a", b"1").with("files/a", b"2").bytes()),
        ("more than 21,000 entries", many.bytes()),
        ("100 times larger", good().with("files/bomb", &vec![0; 9_000_000]).bytes()),
        ("larger than 10 MB", good().with("files/bomb", &vec![0; 11_000_000]).bytes()),
        ("files/a cannot be taken in: it is damaged", damaged),
        ("The page cannot be read", good().with("srcdoc.html", deep_page.as_bytes()).bytes()),
        ("page is larger than 2 MB", good().with("srcdoc.html", &noise_text(3_000_000)).bytes()),
        ("schedules.json cannot be read", good().with("schedules.json", b"[{}]").bytes()),
        (
            "schedules.json cannot be taken in: Write what the agent is to be told",
            good().with("schedules.json", schedules::file(1, " ", "UTC").as_bytes()).bytes(),
        ),
        (
            "schedules.json cannot be taken in: What the agent is to be told is longer",
            good().with("schedules.json", schedules::file(1, &"x".repeat(17_000), "UTC").as_bytes()).bytes(),
        ),
        ("Atlantis", good().with("schedules.json", schedules::file(1, "Hi", "Atlantis").as_bytes()).bytes()),
        ("more than 20", good().with("schedules.json", schedules::file(21, "Hi", "UTC").as_bytes()).bytes()),
    ];
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        for (message, bytes) in &table {
            let uploaded = scoped.archives().upload("x", bytes).await.unwrap();
            let refused = [
                scoped.archives().review_stored(&uploaded.archive).await.map(|_| ()),
                scoped.archives().create(&uploaded.archive, draft("A")).await.map(|_| ()),
            ];
            for refused in refused {
                let error = refused.expect_err(message);
                assert!(matches!(error, Error::Invalid(_) | Error::Limit(_)), "{message}: {error:?}");
                assert!(error.to_string().contains(message), "{message}: {error}");
            }
        }
        assert_eq!(scoped.agents().list().await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_kept_makes_no_agent_at_all() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let keys: Vec<Value> = (0..501).map(|n| json!({ "key": n.to_string(), "value": n })).collect();
        let archive = Zipped::new()
            .with("manifest.yaml", b"name: A\nversion: 1\nentryPoints: { storage: keys.json }\n")
            .with("keys.json", json!({ "keys": keys }).to_string().as_bytes())
            .with("srcdoc.html", b"<p>")
            .bytes();
        let uploaded = scoped.archives().upload("x", &archive).await.unwrap();
        let error = scoped.archives().create(&uploaded.archive, draft("A")).await.unwrap_err();
        assert!(error.to_string().contains("500 keys already"), "{error}");
        assert_eq!(scoped.agents().list().await.unwrap(), []);
        scoped.archives().review_stored(&uploaded.archive).await.expect("the archive is still there");
    })
    .await;
}

//! Files that come with messages: what is kept of them, who can open them, and what models get.

use crate::archives::zipped::Zipped;
use crate::runs::{agent, open, trace::until_finished};
use crate::talk::{ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hub::{Error, Outgoing, Scoped, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::files::FilePreview;
use protocol::log::EntryBody;
use protocol::view::AgentView;
use protocol::{Attachment, AttachmentId, Dimensions, FailureKind};
use serde_json::{Value, json};

/// Made by Pillow 13, the libraries of which most programs use.
macro_rules! picture {
    ($name:literal) => {
        include_bytes!(concat!("fixtures/pictures/", $name)).as_slice()
    };
}

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

async fn bring(scoped: &Scoped<'_>, name: &str, bytes: &[u8]) -> Attachment {
    scoped.attachments().take_in(name, bytes.to_vec()).await.unwrap()
}

async fn send(scoped: &Scoped<'_>, agent: &AgentView, text: &str, files: &[&Attachment]) {
    let attachments: Vec<AttachmentId> = files.iter().map(|file| file.id.clone()).collect();
    let message = Outgoing { text, attachments: &attachments, key: None };
    scoped.runs().send(&agent.id, message, None).await.unwrap();
}

/// What is sent to the model once this was said, when that run is over.
async fn exchange(
    (world, viewer): (&World, &Viewer),
    agent: &AgentView,
    endpoint: &Endpoint,
    (text, files): (&str, &[&Attachment]),
) -> Value {
    let scoped = world.hub.for_viewer(viewer);
    let mut tab = open(world, viewer, "laptop");
    tab.follow(&agent.id, scoped.pages().latest(&agent.id).await.unwrap().seq).await.unwrap();
    send(&scoped, agent, text, files).await;
    until_finished(&mut tab).await;
    last_request(endpoint).await
}

async fn last_request(endpoint: &Endpoint) -> Value {
    endpoint.requests().await.last().unwrap()["body"]["messages"].clone()
}

#[tokio::test]
async fn a_picture_is_kept_upright_small_and_without_what_else_its_file_had() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        for (name, bytes, mime, width, height) in [
            ("turned.jpg", picture!("turned.jpg"), "image/jpeg", 40, 60),
            ("holes.png", picture!("holes.png"), "image/png", 64, 48),
            ("holes.webp", picture!("holes.webp"), "image/png", 64, 48),
            ("lossy.webp", picture!("lossy.webp"), "image/png", 64, 48),
            ("palette.png", picture!("palette.png"), "image/png", 32, 32),
            ("deep.png", picture!("deep.png"), "image/png", 32, 16),
            ("moving.gif", picture!("moving.gif"), "image/png", 24, 24),
            ("cmyk.jpg", picture!("cmyk.jpg"), "image/jpeg", 40, 20),
            ("wide.jpg", picture!("wide.jpg"), "image/jpeg", 1568, 105),
        ] {
            let kept = bring(&scoped, name, bytes).await;
            let dimensions = Some(Dimensions { width, height });
            assert_eq!((kept.name.as_str(), kept.mime.as_str(), kept.dimensions), (name, mime, dimensions));
            let file = scoped.attachments().open(&kept.id).await.unwrap();
            assert_eq!(file.bytes.len() as u64, kept.size, "{name}");
            for secret in [b"Vivarium Optics".as_slice(), b"secret place", b"Exif"] {
                let is_there = file.bytes.windows(secret.len()).any(|part| part == secret);
                assert!(!is_there, "{name}: {}", String::from_utf8_lossy(secret));
            }
            let small = scoped.attachments().open_thumbnail(&kept.id).await.unwrap();
            assert!(!small.bytes.is_empty() && small.mime == mime, "{name}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_attached_is_refused_in_words_and_nothing_is_kept() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let half = &picture!("holes.png")[..150];
        let huge = vec![b'a'; 20 * 1024 * 1024 + 1];
        let mut lying = picture!("holes.png").to_vec();
        lying[..8].copy_from_slice(b"\x89PNG\r\n\x1a\n");
        lying[16..24].copy_from_slice(&[0xff; 8]);
        for (name, bytes, why) in [
            ("bomb.png", picture!("bomb.png"), "40000 × 40000 pixels is too large"),
            ("half.png", half, "it cannot be read"),
            ("lying.png", lying.as_slice(), "cannot be attached"),
            ("empty.png", b"", "it is empty"),
            ("photo.heic", b"\0\0\0\x18ftypheic\0\0\0\0", "Export it as JPEG"),
            ("huge.txt", huge.as_slice(), "a file can have 20 MB. Bring it in parts"),
        ] {
            let failure =
                scoped.attachments().take_in(name, bytes.to_vec()).await.unwrap_err().into_failure();
            assert!(matches!(failure.kind, FailureKind::Invalid | FailureKind::Limit), "{name}: {failure:?}");
            assert!(failure.message.starts_with(name) && failure.message.contains(why), "{failure:?}");
        }
        assert_eq!(scoped.space().read().await.unwrap().kept, 0);
    })
    .await;
}

#[tokio::test]
async fn a_text_is_kept_in_utf_8_whatever_it_was_written_in() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        for (name, bytes, text) in [
            ("umsatz.csv", b"Stra\xdfe;Umsatz\r\nAllee;1,5\r\n".as_slice(), "Straße;Umsatz\r\nAllee;1,5\r\n"),
            ("letter.txt", b"\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!", "Привет, мир!"),
            ("wide.txt", b"\xff\xfeG\0r\0\xfc\0n\0", "Grün"),
        ] {
            let kept = bring(&scoped, name, bytes).await;
            assert_eq!(kept.mime, "text/plain");
            assert_eq!(
                String::from_utf8_lossy(&scoped.attachments().open(&kept.id).await.unwrap().bytes),
                text
            );
        }
    })
    .await;
}

#[tokio::test]
async fn a_model_gets_the_bytes_that_are_kept_on_every_wire_and_at_every_turn() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let photo = bring(&scoped, "turned.jpg", picture!("turned.jpg")).await;
        let notes = bring(&scoped, "notes.md", b"# Ferns\n```\nlike shade\n```\n").await;
        let data = STANDARD.encode(scoped.attachments().open(&photo.id).await.unwrap().bytes);
        for kind in [ProviderKind::Anthropic, ProviderKind::OpenAi] {
            let endpoint = Endpoint::start();
            let agent = agent(&world, &viewer, &endpoint, kind, Home::Hub).await;
            for turn in ["Look", "And again"] {
                let files: &[&Attachment] = if turn == "Look" { &[&photo, &notes] } else { &[] };
                let sent = exchange((&world, &viewer), &agent, &endpoint, (turn, files)).await;
                let parts =
                    sent.as_array().unwrap().iter().filter_map(|message| message["content"].as_array());
                let pictures: Vec<&str> = parts
                    .flatten()
                    .filter_map(|part| match kind {
                        ProviderKind::Anthropic => part["source"]["data"].as_str(),
                        _ => part["image_url"]["url"].as_str()?.strip_prefix("data:image/jpeg;base64,"),
                    })
                    .collect();
                assert_eq!(pictures, [&data], "{kind:?} {turn}");
                let words = sent.to_string();
                assert!(words.contains("[Attached: turned.jpg, notes.md]"), "{words}");
                assert!(words.contains("notes.md:\\n````\\n# Ferns"), "{words}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn what_does_not_fit_a_request_is_named_with_its_size_and_beginning_and_lies_under_uploads() {
    let long: String = (0..40_000).map(|row| format!("{row};fern {row}\n")).collect();
    let packed = Zipped::new().with("ferns.csv", long.as_bytes()).bytes();
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&agent).tools(["read", "grep"]).replace(&scoped, &agent.id).await;
        let mut brought = Vec::new();
        for (name, bytes) in [
            ("long.csv", long.as_bytes()),
            ("ferns.zip", packed.as_slice()),
            ("old.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
            ("program", b"MZ\x90\0\x03"),
        ] {
            let kept = bring(&scoped, name, bytes).await;
            assert_eq!((kept.mime.as_str(), kept.size), ("application/octet-stream", bytes.len() as u64));
            brought.push(kept);
        }
        let files: Vec<&Attachment> = brought.iter().collect();
        let sent = exchange((&world, &viewer), &agent, &endpoint, ("Look", &files)).await.to_string();
        for expected in [
            format!(
                "[The file long.csv has {} bytes, which is too much to show, and is at /uploads/long.csv.",
                long.len()
            ),
            r"It begins so:]\n```\n0;fern 0\n1;fern 1\n".to_owned(),
            format!(
                "[The file ferns.zip has {} bytes and is at /uploads/ferns.zip. It is application/zip",
                packed.len()
            ),
            "[The file program has 5 bytes and is at /uploads/program.".to_owned(),
        ] {
            assert!(sent.contains(&expected), "{expected} is not in {sent}");
        }
        assert!(sent.len() < long.len(), "{} bytes were sent", sent.len());
        let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
        let asked = [
            ("read", json!({ "path": "/uploads/long.csv", "offset": 39_999 })),
            ("grep", json!({ "pattern": "fern 3999[0-9]$", "path": "/uploads" })),
            ("read", json!({ "path": "/uploads/ferns.zip" })),
        ];
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        assert!(results[0].1.contains("39998;fern 39998"), "{results:?}");
        assert!(results[1].1.contains("/uploads/long.csv"), "{results:?}");
        assert!(results[2].1.contains("It is application/zip"), "{results:?}");
    })
    .await;
}

#[tokio::test]
async fn what_came_with_messages_is_listed_and_looked_at_by_its_person_with_the_conversation_that_has_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let (scoped, eve) = (world.hub.for_viewer(&viewer), world.person("eve").await);
        let other_agent = Definition::like(&agent).create(&scoped).await;
        let files = scoped.files();
        let text = |text: &str| FilePreview::Text { text: text.to_owned(), whole: true };
        let brought = [
            (bring(&scoped, "notes.md", b"# Ferns").await, text("# Ferns")),
            (bring(&scoped, "notes.md", b"# Moss").await, text("# Moss")),
            (bring(&scoped, "turned.jpg", picture!("turned.jpg")).await, FilePreview::Picture),
        ];
        assert!(files.list_uploads(&agent.id).await.unwrap().is_empty(), "no message has them yet");
        let sent: Vec<&Attachment> = brought.iter().map(|(file, _)| file).collect();
        exchange((&world, &viewer), &agent, &endpoint, ("Look", &sent)).await;

        let listed = files.list_uploads(&agent.id).await.unwrap();
        assert_eq!(listed.len(), brought.len(), "{listed:?}");
        for (file, preview) in &brought {
            let upload = listed.iter().find(|upload| upload.id == file.id).expect("it is listed");
            assert_eq!((&upload.server, upload.by_tool, upload.size), (&None, false, file.size));
            let opened = files.view_upload(&agent.id, &upload.path).await.unwrap();
            assert_eq!((&opened.file, &opened.preview), (upload, preview));
            let place = opened.conversation.map(|place| (place.id, place.agent));
            assert_eq!(place, Some((agent.conversation.clone(), agent.id.clone())));
            let elsewhere = files.view_upload(&other_agent.id, &upload.path).await;
            assert!(matches!(elsewhere, Err(Error::NotFound("file"))), "{elsewhere:?}");
            let foreign = world.hub.for_viewer(&eve).files().view_upload(&agent.id, &upload.path).await;
            assert!(matches!(foreign, Err(Error::NotFound("agent"))), "{foreign:?}");
        }
        let foreign = world.hub.for_viewer(&eve).files().list_uploads(&agent.id).await;
        assert!(matches!(foreign, Err(Error::NotFound("agent"))), "{foreign:?}");
    })
    .await;
}

#[tokio::test]
async fn a_picture_that_comes_while_a_run_is_under_way_is_in_its_next_call() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let photo = bring(&scoped, "turned.jpg", picture!("turned.jpg")).await;
        let gated = r#"turns: [[{"text":"some words gate b","gate":"gate"}]]"#;
        scoped.runs().send_message(&agent.id, gated, None, None).await.unwrap();
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&agent.id, 0).await.unwrap();
        send(&scoped, &agent, "Look at this too", &[&photo]).await;
        endpoint.open_gate().await;
        until_finished(&mut tab).await;
        let sent = last_request(&endpoint).await.to_string();
        assert!(sent.contains("Look at this too") && sent.contains("image/jpeg"), "{sent}");
    })
    .await;
}

#[tokio::test]
async fn a_model_that_sees_nothing_is_told_what_it_does_not_see() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let provider = endpoint.provider(&scoped, ProviderKind::OpenAi).await;
        let agent = Definition::on(&provider, "llama-3.3-70b-versatile").create(&scoped).await;
        let photo = bring(&scoped, "turned.jpg", picture!("turned.jpg")).await;
        let sent = exchange((&world, &viewer), &agent, &endpoint, ("", &[&photo])).await.to_string();
        assert!(
            sent.contains("[The picture turned.jpg cannot be shown to this model, which sees none.]"),
            "{sent}"
        );
        assert!(!sent.contains("image_url"), "{sent}");
        let page = scoped.pages().latest(&agent.id).await.unwrap();
        assert_eq!(page.conversation.title, "turned.jpg", "a message can be a picture alone");
    })
    .await;
}

#[tokio::test]
async fn what_a_person_brought_is_theirs_and_an_agent_s_model_sees_what_came_with_its_messages() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (hers, eves) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let photo = bring(&hers, "turned.jpg", picture!("turned.jpg")).await;
        let missing = |error: hub::Error| error.into_failure().kind == FailureKind::NotFound;
        assert!(missing(eves.attachments().open(&photo.id).await.unwrap_err()));
        assert!(missing(eves.attachments().open_thumbnail(&photo.id).await.unwrap_err()));
        let agent = agent(&world, &eve, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let ids = [photo.id.clone()];
        let message = Outgoing { text: "Look", attachments: &ids, key: None };
        let refused = eves.runs().send(&agent.id, message, None).await.unwrap_err().into_failure();
        assert!(refused.message.contains("Attach it again"), "{refused:?}");
        assert!(eves.conversations().entries(&agent.id, 0).await.unwrap().is_empty(), "nothing was said");
        // The same content, brought by both, is kept once for each.
        let own = bring(&eves, "mine.jpg", picture!("turned.jpg")).await;
        assert_eq!(own.id, photo.id);
        assert_eq!(hers.attachments().open(&photo.id).await.unwrap().name, "turned.jpg");
    })
    .await;
}

#[tokio::test]
async fn more_than_ten_files_are_refused_and_one_named_twice_comes_once() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let mut ids = Vec::new();
        for number in 0..11 {
            ids.push(bring(&scoped, "n.txt", format!("number {number}").as_bytes()).await.id);
        }
        let message = Outgoing { text: "All", attachments: &ids, key: None };
        let refused = scoped.runs().send(&agent.id, message, None).await.unwrap_err().into_failure();
        assert_eq!(refused.kind, FailureKind::Limit);
        let twice = [ids[0].clone(), ids[1].clone(), ids[0].clone()];
        let message = Outgoing { text: "Two", attachments: &twice, key: None };
        scoped.runs().send(&agent.id, message, None).await.unwrap();
        let entries = scoped.conversations().entries(&agent.id, 0).await.unwrap();
        let EntryBody::Message { attachments, .. } = &entries[0].body else { panic!("{entries:?}") };
        assert_eq!(attachments.iter().map(|file| &file.id).collect::<Vec<_>>(), [&ids[0], &ids[1]]);
    })
    .await;
}

#[tokio::test]
async fn what_no_message_has_goes_after_a_day_and_what_one_has_goes_with_its_agent() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let (said, unsaid) =
            (bring(&scoped, "a.txt", b"said").await, bring(&scoped, "b.txt", b"unsaid").await);
        send(&scoped, &agent, "Read this", &[&said]).await;
        let before = scoped.space().read().await.unwrap().kept;
        world.execute(&format!("UPDATE attachments SET at = at - {}", 2 * DAY_MS)).await;
        let fresh = bring(&scoped, "c.txt", b"fresh").await;
        assert!(scoped.attachments().open(&said.id).await.is_ok());
        assert!(scoped.attachments().open(&unsaid.id).await.is_err());
        assert!(scoped.attachments().open(&fresh.id).await.is_ok());
        scoped.agents().delete(&agent.id).await.unwrap();
        assert!(scoped.attachments().open(&said.id).await.is_err());
        assert!(scoped.space().read().await.unwrap().kept < before);
    })
    .await;
}

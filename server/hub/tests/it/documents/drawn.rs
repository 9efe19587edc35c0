//! Pages of PDF as they look: for a model that sees, and of what is made to harm.

use super::{hostile, keep};
use crate::talk::calls;
use crate::world::{Definition, Endpoint, World, on_sqlite};
use hub::{Scoped, Viewer};
use protocol::agent::ProviderKind;
use protocol::files::FilePreview;
use protocol::log::EntryBody;
use protocol::view::AgentView;
use protocol::{AgentId, ConversationId};
use serde_json::{Value, json};

macro_rules! document {
    ($name:literal) => {
        include_bytes!(concat!("../fixtures/documents/", $name)).as_slice()
    };
}

/// One whose model sees, and a conversation.
async fn seer(world: &World, endpoint: &Endpoint) -> (Viewer, AgentView, ConversationId) {
    let viewer = world.person("ada").await;
    let scoped = world.hub.for_viewer(&viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::Anthropic).await;
    let agent = Definition::on(&provider, "claude-sonnet-4-5").tools(["read"]).create(&scoped).await;
    let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
    (viewer, agent, talk)
}

/// What the results of the conversation show, in order: the name, the size, and how many pixels of a thousand are dark.
async fn shown(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<(String, (u32, u32), usize)> {
    let entries = scoped.conversations().entries(agent, 0).await.unwrap();
    let mut shown = Vec::new();
    for entry in entries {
        let EntryBody::ToolFinished { result, .. } = entry.body else { continue };
        for media in result.media {
            let file = scoped.attachments().open(&media.stored.unwrap().id).await.unwrap();
            let picture = image::load_from_memory(&file.bytes).unwrap().to_luma8();
            let dark = picture.pixels().filter(|pixel| pixel.0[0] < 100).count();
            shown.push((media.name.unwrap(), picture.dimensions(), dark * 1000 / picture.len()));
        }
    }
    shown
}

#[tokio::test]
async fn pages_are_looked_at_as_they_are_and_a_scan_is_seen_where_it_has_no_words() {
    let endpoint = Endpoint::start();
    let files = [
        ("report.pdf", document!("report.pdf")),
        ("owned.pdf", document!("owned.pdf")),
        ("locked.pdf", document!("locked.pdf")),
        ("scan.pdf", document!("scan.pdf")),
        ("office/letter.pdf", document!("office/letter.pdf")),
        ("letter.docx", document!("letter.docx")),
        ("broken.pdf", b"%PDF-1.7\nmoss".as_slice()),
        ("moss.txt", b"moss".as_slice()),
    ];
    let look = |path: &str, pages: &str| json!({ "path": path, "as": "picture", "pages": pages });
    let asked = [
        (look("report.pdf", "2"), "\"page\":2"),
        (look("owned.pdf", "3"), "\"pages\":13"),
        (look("office/letter.pdf", "1-9"), "\"height\":1568"),
        (look("scan.pdf", "1-"), "These are the pages 1 to 4 of 5. Look at more with pages 5-5."),
        (json!({ "path": "scan.pdf" }), "it may be a scan. The first come with this result as they look."),
        (json!({ "path": "report.pdf", "pages": "13" }), "it may be a scan."),
        (json!({ "path": "report.pdf", "pages": "12-13" }), "No text was found on these pages: 13."),
        (look("report.pdf", "14"), "Page 14 of /agent/report.pdf was not drawn. It has 13 pages"),
        (look("locked.pdf", "1"), "Page 1 of /agent/locked.pdf was not drawn. It is encrypted."),
        (look("broken.pdf", "1"), "It is broken, or not what its name says"),
        (json!({ "path": "letter.docx", "as": "picture" }), "Only pages of a PDF come as pictures."),
        (json!({ "path": "moss.txt", "as": "picture" }), "is no document with pages"),
    ];
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = seer(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &files).await;
        let made: Vec<(&str, Value)> = asked.iter().map(|(input, _)| ("read", input.clone())).collect();
        let results = calls(&scoped, &agent.id, &talk, &made).await;
        for (((input, expected), (is_error, told)), at) in asked.iter().zip(&results).zip(0..) {
            assert!(told.contains(expected), "{input}: {told}");
            assert_eq!(*is_error, at >= 7, "{input}: {told}");
        }
        let shown = shown(&scoped, &agent.id).await;
        let (paper, sheet) = ((1109, 1568), (1110, 1568));
        let pages: Vec<(&str, (u32, u32))> =
            shown.iter().map(|(name, size, _)| (name.as_str(), *size)).collect();
        let scanned = [1, 2, 3, 4].map(|page| format!("scan.pdf page {page}"));
        let mut expected =
            vec![("report.pdf page 2", paper), ("owned.pdf page 3", paper), ("letter.pdf page 1", paper)];
        for _ in ["as pictures", "for want of words"] {
            expected.extend(scanned.iter().map(|name| (name.as_str(), sheet)));
        }
        expected.push(("report.pdf page 13", paper));
        assert_eq!(pages, expected);
        let (blank, written) = shown.split_last().unwrap();
        assert_eq!(blank.2, 0, "there is nothing on it");
        for (name, _, dark) in written {
            assert!((1..300).contains(dark), "{name}: {dark} of a thousand pixels are dark");
        }
    })
    .await;
}

#[tokio::test]
async fn a_person_turns_the_pages_of_a_pdf_of_theirs() {
    on_sqlite(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        let agent = Definition::named("Fern").create(&scoped).await;
        let files = ["report.pdf", "letter.docx"].into_iter();
        let files: Vec<_> = files.zip([document!("report.pdf"), document!("letter.docx")]).collect();
        keep(&scoped, &agent, &files).await;
        for (path, expected) in [("report.pdf", 13), ("letter.docx", 0)] {
            let preview = scoped.files().detail(&agent.id, path).await.unwrap().preview;
            let FilePreview::Document { pages, .. } = preview else { panic!("{preview:?}") };
            assert_eq!(pages, expected, "{path}");
        }
        let page = scoped.files().draw_page(&agent.id, "report.pdf", 2).await.unwrap();
        assert_eq!((page.mime, &page.bytes[1..4]), ("image/png", b"PNG".as_slice()));
        for (path, number, word) in [
            ("report.pdf", 14, "It has 13 pages"),
            ("report.pdf", 0, "It has 13 pages"),
            ("letter.docx", 1, "Only pages of a PDF"),
            ("none.pdf", 1, "There is no such file"),
        ] {
            let why = scoped.files().draw_page(&agent.id, path, number).await.unwrap_err().to_string();
            assert!(why.contains(word), "{path}, {number}: {why}");
        }
        let theirs = world.hub.for_viewer(&eve).files().draw_page(&agent.id, "report.pdf", 2).await;
        assert!(matches!(theirs, Err(hub::Error::NotFound(_))), "{theirs:?}");
    })
    .await;
}

#[tokio::test]
async fn a_pdf_that_is_attached_shows_its_first_page() {
    on_sqlite(async |world: World| {
        let viewer = world.person("ada").await;
        let attachments = world.hub.for_viewer(&viewer).attachments();
        for (name, bytes, expected) in [
            ("report.pdf", document!("report.pdf"), Some((1109, 1568))),
            ("locked.pdf", document!("locked.pdf"), None),
            ("letter.docx", document!("letter.docx"), None),
        ] {
            let kept = attachments.take_in(name, bytes.to_vec()).await.unwrap();
            assert_eq!(kept.dimensions.map(|of| (of.width, of.height)), expected, "{name}");
            assert!(!kept.is_picture(), "{name}");
            let small = attachments.open_thumbnail(&kept.id).await.ok();
            assert_eq!(small.is_some(), expected.is_some(), "{name}");
            if let Some(small) = small {
                let picture = image::load_from_memory(&small.bytes).unwrap();
                assert_eq!((small.mime.as_str(), picture.height()), ("image/png", 320), "{name}");
            }
        }

        // One that was attached when nothing was drawn of it yet shows it when it is attached again.
        sqlx::query("UPDATE attachments SET thumbnail = NULL, width = NULL, height = NULL")
            .execute(world.store().await.read())
            .await
            .unwrap();
        let kept = attachments.take_in("report.pdf", document!("report.pdf").to_vec()).await.unwrap();
        assert!(kept.dimensions.is_some() && attachments.open_thumbnail(&kept.id).await.is_ok(), "{kept:?}");
    })
    .await;
}

#[tokio::test]
async fn what_is_made_to_harm_is_drawn_within_bounds_or_not_at_all() {
    let endpoint = Endpoint::start();
    let mut files: Vec<(&str, Vec<u8>)> =
        hostile::pdfs().into_iter().map(|file| (file.name, file.bytes)).collect();
    files.push(("bomb.pdf", hostile::picture_bomb()));
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = seer(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for (name, bytes) in &files {
            keep(&scoped, &agent, &[(*name, bytes.as_slice())]).await;
            let asked = json!({ "path": name, "as": "picture", "pages": "1" });
            let (is_error, told) = calls(&scoped, &agent.id, &talk, &[("read", asked)]).await.remove(0);
            let word = if is_error { "was not drawn" } else { "\"page\":1" };
            assert!(told.contains(word), "{name}: {told}");
        }
        keep(&scoped, &agent, &[("report.pdf", document!("report.pdf"))]).await;
        let asked = json!({ "path": "report.pdf", "as": "picture", "pages": "1" });
        let results = calls(&scoped, &agent.id, &talk, &[("read", asked)]).await;
        assert!(!results[0].0, "the hub lives on: {results:?}");
        let shown = shown(&scoped, &agent.id).await;
        assert!(shown.iter().all(|(_, (width, height), _)| *width.max(height) <= 1568), "{shown:?}");
        assert_eq!(shown.last().unwrap().0, "report.pdf page 1");
    })
    .await;
}

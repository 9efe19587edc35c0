//! Documents: what an agent reads of those of other programs, that what is made to harm does not, and what it makes.

mod charted;
mod composed;
mod drawn;
mod hostile;
mod made;
mod open_formats;
mod printed;

use crate::talk::{ada, calls, until};
use crate::world::{Definition, Endpoint, World, each_store, on_sqlite};
use hub::{Outgoing, Scoped, Viewer};
use protocol::ConversationId;
use protocol::files::FilePreview;
use protocol::view::AgentView;
use serde_json::{Value, json};
use std::time::Duration;

/// Made by `fixtures/documents/make.py`, and by LibreOffice as `fixtures/documents/office/make.sh` says.
macro_rules! document {
    ($name:literal) => {
        ($name, include_bytes!(concat!("fixtures/documents/", $name)).as_slice())
    };
}

/// One who reads and makes them, and a conversation.
async fn reader(world: &World, endpoint: &Endpoint) -> (Viewer, AgentView, ConversationId) {
    let (viewer, agent) = ada(world, endpoint).await;
    let scoped = world.hub.for_viewer(&viewer);
    Definition::like(&agent).tools(["read", "document", "convert"]).replace(&scoped, &agent.id).await;
    let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
    (viewer, agent, talk)
}

async fn keep(scoped: &Scoped<'_>, agent: &AgentView, files: &[(&str, &[u8])]) {
    for (name, bytes) in files {
        scoped.files().write(&agent.id, name, bytes).await.unwrap();
    }
}

#[tokio::test]
async fn what_an_office_wrote_is_read_in_each_of_its_formats() {
    let files = [
        document!("office/letter.docx"),
        document!("office/letter.pdf"),
        document!("office/deck.pptx"),
        document!("office/mosses.xlsx"),
        document!("office/mosses.ods"),
        document!("office/mosses.xls"),
    ];
    let letter: &[&str] = &[
        "# On moss\n\nMoss grows **slowly** and *quietly*",
        "[the garden](https://example.org/moss)",
        "## Kinds\n\n- Star moss\n- Peat moss\n  - of bogs\n",
        "1. First look\n2. Then touch",
        "| **Kind** | **Count** |\n| --- | --- |\n| Star moss | 3 |\n| Sum \\| all |",
        "Ü ß € 苔 🌿",
    ];
    let sheet: &[&str] = &[
        "## Sheet 1 of 2: Moose & Farne\n\n| Row | A | B | C | D |\n",
        "| 1 | Kind | Found | Share | Count |\n",
        "| 2 | Star moss | 2026-03-01 | 0.125 | 3 |\n",
        "2026-03-02 18:05:00 | 1 | 1234.5 |\n",
        "| 4 | Sum |  |  | 1237.5",
    ];
    let read: [(&str, &[&str]); 9] = [
        ("office/letter.docx", letter),
        (
            "office/letter.pdf",
            &["On moss", "Star moss", "Ü ß €", "### Links on this page\n\n- https://example.org/moss"],
        ),
        (
            "office/deck.pptx",
            &["## Slide 1 of 2\n\nOn moss", "- On stones\n- In bogs", "## Slide 2 of 2\n\nWhere"],
        ),
        ("office/mosses.xlsx", sheet),
        ("office/mosses.xlsx", &["1237.5 [=SUM(D2:D3)] |\n", "Merged: A4:C4."]),
        ("office/mosses.ods", sheet),
        ("office/mosses.ods", &["1237.5 [=SUM(D2:D3)] |\n"]),
        ("office/mosses.xls", sheet),
        ("office/mosses.xls", &["1237.5 [=SUM(D2:D3)] |\n"]),
    ];
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &files).await;
        let asked: Vec<_> = read.iter().map(|(path, _)| ("read", json!({ "path": path }))).collect();
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        let mut missing = Vec::new();
        for ((path, has), (_, result)) in read.iter().zip(&results) {
            let told: Value = serde_json::from_str(result).unwrap_or_else(|_| json!({ "text": result }));
            let text = told["text"].as_str().unwrap_or(result).to_owned();
            missing.extend(
                has.iter().filter(|part| !text.contains(**part)).map(|part| (*path, *part, text.clone())),
            );
        }
        assert_eq!(missing, []);
    })
    .await;
}

#[tokio::test]
async fn what_other_programs_wrote_is_read_by_its_pages_slides_and_sheets() {
    let endpoint = Endpoint::start();
    let files = [
        document!("letter.docx"),
        document!("deck.pptx"),
        document!("mosses.xlsx"),
        document!("old.xls"),
        document!("open.ods"),
        document!("report.pdf"),
        document!("owned.pdf"),
    ];
    let ferns = "## Sheet 2 of 3: Ferns\n\n| Row | B |\n| --- | --- |\n| 59 | 59 |\n| 60 | 60 |";
    let read: [(Value, &[&str]); 14] = [
        (
            json!({ "path": "letter.docx" }),
            &[
                "From the garden\n\n# On moss\n\nMoss grows **slowly** and *quietly*.\n\n## Kinds\n\n- Star moss\n",
                "1. First look\n\n| Kind | Count |\n| --- | --- |\n| Star moss | 3 |",
            ],
        ),
        (json!({ "path": "letter.docx", "pages": "1" }), &["has no pages of its own"]),
        (
            json!({ "path": "deck.pptx" }),
            &[
                "## Slide 1 of 3\n\n### On moss",
                "- On stones\n\n> **Notes:**\n> Speak slowly",
                "| Star moss | 3 |",
            ],
        ),
        (
            json!({ "path": "deck.pptx", "pages": "2" }),
            &["### Where", "the slides 2 to 2 of 3. Read on with pages 3-3"],
        ),
        (
            json!({ "path": "mosses.xlsx" }),
            &[
                "## Sheet 1 of 3: Mosses\n\n| Row | A | B | C | D | E |\n",
                "| 2 | Star moss | 2026-03-01 | 09:30:00 | 3 | 0.5 |\n",
                "| 3 | Peat \\| moss | 2026-03-02 18:05:00 |  | 3 | 0.5 |\n",
                "| 4 | Sum |  |  | [=SUM(D2:D3)] |  |\n",
                "Merged: A6:C6.",
                "Secret (hidden)",
            ],
        ),
        (json!({ "path": "mosses.xlsx", "sheet": "ferns", "range": "B59:C99" }), &[ferns]),
        (
            json!({ "path": "mosses.xlsx", "sheet": "Moss" }),
            &["no such sheet. It has: Mosses, Ferns, Secret"],
        ),
        (json!({ "path": "mosses.xlsx", "range": "moss" }), &["moss is no range"]),
        (
            json!({ "path": "old.xls" }),
            &[
                "| 2 | Star moss | 2026-03-01 |",
                "| 3 | Across |  |",
                "Merged: A3:B3.\n\n[Notes, charts and pictures of this kind of workbook are not read.]",
            ],
        ),
        (json!({ "path": "open.ods" }), &["| 2 | Star moss | 3 |"]),
        (
            json!({ "path": "report.pdf" }),
            &["## Page 1 of 13\n\nPage 1 of the moss report\n", "Read on from line", "of pages 1-13"],
        ),
        (
            json!({ "path": "report.pdf", "pages": "12-40" }),
            &["## Page 12 of 13", "Line 29 on page 12", "## Page 13 of 13\n\n[There is no text on this page"],
        ),
        (json!({ "path": "report.pdf", "pages": "14" }), &["It has 13 pages, slides or sheets"]),
        (json!({ "path": "owned.pdf", "pages": "3-" }), &["## Page 3 of 13\n\nPage 3 of the moss report\n"]),
    ];
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &files).await;
        let asked: Vec<(&str, Value)> = read.iter().map(|(input, _)| ("read", input.clone())).collect();
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        for ((input, has), (_, result)) in read.iter().zip(&results) {
            let told: Value = serde_json::from_str(result).unwrap_or_else(|_| json!({ "text": result }));
            let text = format!("{}\n{}", told["text"].as_str().unwrap_or(result), told["more"]);
            for part in *has {
                assert!(text.contains(part), "{input}: {part:?} is not in {text}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn what_lies_on_a_sheet_beside_its_cells_is_told_below_them() {
    let endpoint = Endpoint::start();
    let expected = [
        (
            json!({ "path": "beside.xlsx" }),
            &[
                "| 3 | Peat moss | 5 |\n\nLinks:\n- A2: https://example.org/star\n\nNotes on cells:\n- B3 (Bea): Count again\n  in May & June.\n\n\
                 Charts:\n- Title: What was seen; Series: Series 1\n\nPictures:\n- Picture\n",
                "[It holds no cells.]\n\nCharts:\n- Title: What was seen",
            ][..],
            2,
        ),
        (json!({ "path": "beside.xlsx", "sheet": "Bare" }), &["| 1 | Fern |"][..], 0),
        (json!({ "path": "beside.xlsx", "range": "A1:B9" }), &["| 3 | Peat moss | 5 |"][..], 0),
    ];
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[document!("beside.xlsx")]).await;
        let asked: Vec<(&str, Value)> = expected.iter().map(|(input, ..)| ("read", input.clone())).collect();
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        for ((input, has, charts), (_, result)) in expected.iter().zip(&results) {
            let told: Value = serde_json::from_str(result).unwrap_or_else(|_| json!({ "text": result }));
            let text = told["text"].as_str().unwrap();
            for part in *has {
                assert!(text.contains(part), "{input}: {part:?} is not in {text}");
            }
            assert_eq!(text.matches("Charts:").count(), *charts, "{input}: {text}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_error_about_a_document_of_strangers_has_none_of_their_words() {
    let endpoint = Endpoint::start();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[document!("mosses.xlsx"), ("broken.xlsx", b"PK\x03\x04moss".as_slice())])
            .await;
        sqlx::query("UPDATE files SET untrusted = 1").execute(world.store().await.read()).await.unwrap();
        let asked = [
            ("read", json!({ "path": "mosses.xlsx", "sheet": "Moss" })),
            ("convert", json!({ "path": "mosses.xlsx", "sheet": "Moss", "format": "csv" })),
            ("read", json!({ "path": "broken.xlsx" })),
        ];
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        let sheet = "There is no such sheet. Read it without one, and see which it has.";
        let broken = "It is broken, or not what its name says.";
        for ((is_error, told), expected) in results.iter().zip([sheet, sheet, broken]) {
            assert!(*is_error && told.contains(expected) && !told.contains("Ferns"), "{told}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_filled_into_a_form_and_noted_on_a_page_is_read_with_the_page() {
    let endpoint = Endpoint::start();
    let first = "Who counts the mosses\n\n### Form fields\n\n- name (Your name): Ada Löwe 🌿\n\
        - remarks: Wet feet.\n  No shoes.\n- agrees: Yes\n- newsletter: (not chosen)\n- garden: dry\n- kind: Peat moss";
    let second = "What was found\n\n### Form fields\n\n- found.count: 41\n\n### Notes on this page\n\n\
        - Count again\n  in May.\n- Bea: 41 is too few.\n\
        [Marks, drawings, stamps or files on this page that have no words: 1. They are not read.]";
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[document!("form.pdf")]).await;
        let asked = ["1", "2"].map(|pages| ("read", json!({ "path": "form.pdf", "pages": pages })));
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        for ((_, result), expected) in results.iter().zip([first, second]) {
            let told: Value = serde_json::from_str(result).unwrap_or_else(|_| json!({ "text": result }));
            let text = told["text"].as_str().unwrap();
            assert!(text.contains(expected), "{expected:?} is not in {text:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_note_and_a_comment_are_read_where_they_belong_and_changes_are_told_of() {
    let endpoint = Endpoint::start();
    let expected = [
        "Moss grows[^1].",
        "Ferns too[^c1][^2].[^e1].",
        "Peat stays",
        r"[^1]: In \*shade\*.",
        "[^2]: Slowly.",
        "[^e1]: A book.",
        "[^c1]: Comment (Ada): Which ones?",
    ];
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[document!("notes.docx"), document!("letter.docx")]).await;
        let asked = ["notes.docx", "letter.docx"].map(|path| ("read", json!({ "path": path })));
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        let told: Vec<Value> =
            results.iter().map(|(_, result)| serde_json::from_str(result).unwrap()).collect();
        let read = told[0]["text"].as_str().unwrap();
        assert_eq!(read.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(), expected);
        assert!(told[0]["note"].as_str().unwrap().contains("tracked changes"), "{told:?}");
        assert_eq!(told[1].get("note"), None, "one that nobody changes says nothing of it");
    })
    .await;
}

#[tokio::test]
async fn all_of_a_long_document_is_read_in_parts() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        keep(&scoped, &agent, &[document!("report.pdf")]).await;
        let (mut from, mut seen) = (1, String::new());
        loop {
            let asked = json!({ "path": "report.pdf", "offset": from });
            let results = calls(&scoped, &agent.id, &talk, &[("read", asked)]).await;
            let told: Value = serde_json::from_str(&results[0].1).unwrap();
            let text = told["text"].as_str().unwrap();
            from += text.lines().count();
            seen.push_str(text);
            if told.get("more").is_none() {
                break;
            }
        }
        for page in 1..=12 {
            for line in 0..30 {
                assert!(
                    seen.contains(&format!("\nLine {line} on page {page}: moss is green.\n")),
                    "{page}, {line}"
                );
            }
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_person_attaches_goes_to_the_model_and_is_read_under_uploads() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (name, bytes) = document!("report.pdf");
        let brought = scoped.attachments().take_in(name, bytes.to_vec()).await.unwrap();
        assert_eq!((brought.mime.as_str(), brought.size), ("application/pdf", bytes.len() as u64));
        let message = Outgoing { text: "Look.", attachments: &[brought.id], key: None };
        scoped.runs().send(&agent.id, message, None).await.unwrap();
        let asked = json!({ "path": "/uploads/report.pdf", "pages": "2" });
        let results = calls(&scoped, &agent.id, &talk, &[("read", asked)]).await;
        assert!(results[0].1.contains("Line 0 on page 2"), "{results:?}");
        let told = Value::from(endpoint.requests().await).to_string();
        assert!(told.contains(
            "[The document report.pdf is here as it is, and at /uploads/report.pdf for the tool read.]"
        ));
    })
    .await;
}

#[tokio::test]
async fn of_two_attached_files_with_one_name_each_is_read_where_it_is_said_to_be() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let (_, first) = document!("report.pdf");
        let (_, second) = document!("office/letter.pdf");
        let mut brought = Vec::new();
        for bytes in [first, second] {
            let file = scoped.attachments().take_in("report.pdf", bytes.to_vec()).await.unwrap();
            let message = Outgoing { text: "Look.", attachments: std::slice::from_ref(&file.id), key: None };
            scoped.runs().send(&agent.id, message, None).await.unwrap();
            world.clock.advance(Duration::from_secs(1));
            brought.push(file.id);
        }
        let (older, newer) = (format!("/uploads/{}/report.pdf", &brought[0].0[..8]), "/uploads/report.pdf");
        let read = |path: &str| ("read", json!({ "path": path }));
        let asked = [read(&older), read(newer), read("/uploads/old/report.pdf")];
        let results = calls(&scoped, &agent.id, &talk, &asked).await;
        assert!(results[0].1.contains("Line 0 on page 1"), "{results:?}");
        assert!(results[1].1.contains("Star moss"), "{results:?}");
        let both = format!("the newest first: {newer}, {older}.");
        assert!(results[2].0 && results[2].1.contains(&both), "{results:?}");
        let is_told = async |path: &str| {
            let told =
                format!("[The document report.pdf is here as it is, and at {path} for the tool read.]");
            Value::from(endpoint.requests().await).to_string().contains(&told)
        };
        until(async || is_told(&older).await && is_told(newer).await).await;
    })
    .await;
}

#[tokio::test]
async fn a_person_looks_at_the_beginning_of_a_document() {
    let long: String =
        (0..9000).fold("kind,count\n".to_owned(), |all, row| all + &format!("fern {row},{row}\n"));
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = Definition::named("Fern").create(&scoped).await;
        for ((name, bytes), expected) in [
            (document!("mosses.xlsx"), Ok((3, true, "| 2 | Star moss | 2026-03-01 |"))),
            (document!("report.pdf"), Ok((13, true, "Line 29 on page 1: moss is green."))),
            (("few.csv", b"a;b\n1;2\n".as_slice()), Ok((1, true, "| a | b |\n| --- | --- |\n| 1 | 2 |"))),
            (("long.csv", long.as_bytes()), Ok((1, false, "| fern 999 | 999 |"))),
            (document!("locked.pdf"), Err("It is encrypted.")),
        ] {
            keep(&scoped, &agent, &[(name, bytes)]).await;
            match (scoped.files().detail(&agent.id, name).await.unwrap().preview, expected) {
                (FilePreview::Document { parts, whole, .. }, Ok((count, is_all, has))) => {
                    assert_eq!((parts.len(), whole), (count, is_all), "{name}");
                    assert!(parts[0].text.contains(has), "{name}: {}", parts[0].text);
                }
                (FilePreview::Unread { why }, Err(has)) => assert!(why.contains(has), "{name}: {why}"),
                (preview, _) => panic!("{name}: {preview:?}"),
            }
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_made_to_harm_is_told_of_and_harms_nobody() {
    let endpoint = Endpoint::start();
    let files = hostile::files();
    on_sqlite(async |world: World| {
        let (viewer, agent, talk) = reader(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        for file in &files {
            keep(&scoped, &agent, &[(file.name, &file.bytes)]).await;
            let asked = json!({ "path": file.name });
            let results = calls(&scoped, &agent.id, &talk, &[("read", asked)]).await;
            let (is_error, told) = &results[0];
            assert_eq!(*is_error, file.is_refused, "{}: {told}", file.name);
            assert!(told.contains(file.word), "{}: {:?} is not in {told}", file.name, file.word);
        }
        keep(&scoped, &agent, &[document!("open.ods")]).await;
        let results = calls(&scoped, &agent.id, &talk, &[("read", json!({ "path": "open.ods" }))]).await;
        assert!(results[0].1.contains("Star moss"), "the hub lives on: {results:?}");
    })
    .await;
}

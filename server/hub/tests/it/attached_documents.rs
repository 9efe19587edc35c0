//! Documents that come with messages: each provider's own form of a PDF, and what a document says for who takes none.

use crate::runs::driven::Browser;
use crate::runs::page::Page;
use crate::runs::{open, trace::until_finished};
use crate::world::{Definition, Endpoint, World, each_store};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hub::{Outgoing, Scoped, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::{AgentId, TabId};
use serde_json::{Value, json};

macro_rules! document {
    ($name:literal) => {
        include_bytes!(concat!("fixtures/documents/", $name)).as_slice()
    };
}

const LETTER: &[u8] = document!("office/letter.pdf");

/// Says it with these files, and waits until the run is over.
async fn say(world: &World, viewer: &Viewer, agent: &AgentId, files: &[(&str, &[u8])]) {
    let scoped = world.hub.for_viewer(viewer);
    let mut attachments = Vec::new();
    for (name, bytes) in files {
        attachments.push(scoped.attachments().take_in(name, bytes.to_vec()).await.unwrap().id);
    }
    let mut tab = open(world, viewer, "phone");
    tab.follow(agent, 0).await.unwrap();
    let message = Outgoing { text: "Look.", attachments: &attachments, key: None };
    scoped.runs().send(agent, message, None).await.unwrap();
    until_finished(&mut tab).await;
}

async fn made(
    scoped: &Scoped<'_>,
    endpoint: &Endpoint,
    (kind, model): (ProviderKind, &str),
    tools: &[&str],
) -> AgentId {
    let provider = endpoint.provider(scoped, kind).await;
    Definition::on(&provider, model).tools(tools.iter().copied()).create(scoped).await.id
}

async fn sent(endpoint: &Endpoint) -> Value {
    endpoint.requests().await.into_iter().map(|request| request["body"].clone()).collect()
}

/// Whether the value is somewhere within.
fn has(within: &Value, value: &Value) -> bool {
    within == value
        || match within {
            Value::Array(items) => items.iter().any(|item| has(item, value)),
            Value::Object(fields) => fields.values().any(|field| has(field, value)),
            _ => false,
        }
}

fn of_anthropic(data: &str) -> Value {
    let source = json!({ "type": "base64", "media_type": "application/pdf", "data": data });
    json!({ "type": "document", "source": source, "title": "letter.pdf" })
}

#[tokio::test]
async fn a_pdf_reaches_each_provider_as_it_is_in_its_own_form() {
    let data = STANDARD.encode(LETTER);
    let url = format!("data:application/pdf;base64,{data}");
    let wires = [
        (ProviderKind::Anthropic, "claude-sonnet-4-5", of_anthropic(&data)),
        (
            ProviderKind::OpenRouter,
            "gpt-5-mini",
            json!({ "type": "file", "file": { "filename": "letter.pdf", "file_data": url } }),
        ),
        (
            ProviderKind::OpenAiResponses,
            "gpt-5-mini",
            json!({ "type": "input_file", "filename": "letter.pdf", "file_data": url }),
        ),
        (
            ProviderKind::Gemini,
            "gemini-2.5-flash",
            json!({ "inlineData": { "mimeType": "application/pdf", "data": data } }),
        ),
        (
            ProviderKind::Bedrock,
            "us.anthropic.claude-haiku-4-5-20251001-v1:0",
            json!({ "document": { "format": "pdf", "name": "letter pdf 1", "source": { "bytes": data } } }),
        ),
    ];
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        for (kind, model, form) in &wires {
            let endpoint = Endpoint::start();
            let agent = made(&scoped, &endpoint, (*kind, *model), &["calc"]).await;
            say(&world, &viewer, &agent, &[("letter.pdf", LETTER)]).await;
            let sent = sent(&endpoint).await;
            assert!(has(&sent, form), "{kind:?}: {sent}");
            let page = scoped.pages().latest(&agent).await.unwrap();
            assert!(page.takes_pdf, "a person is told before");
        }
    })
    .await;
}

#[tokio::test]
async fn a_loop_in_a_browser_names_the_pdf_and_the_hub_puts_it_in() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let provider = endpoint.provider(&scoped, ProviderKind::Anthropic).await;
        let definition = Definition::on(&provider, "claude-sonnet-4-5").tools(["calc"]).home(Home::Browser);
        let agent = definition.create(&scoped).await.id;
        let letter = scoped.attachments().take_in("letter.pdf", LETTER.to_vec()).await.unwrap().id;
        let mut laptop = Browser::new(open(&world, &viewer, "laptop"), Page::default());
        laptop.show(&agent).await;
        let message = Outgoing { text: "Look.", attachments: &[letter], key: None };
        scoped.runs().send(&agent, message, Some(&TabId::from("laptop"))).await.unwrap();
        laptop.until_finished().await;
        let sent = sent(&endpoint).await;
        assert!(has(&sent, &of_anthropic(&STANDARD.encode(LETTER))), "{sent}");
    })
    .await;
}

#[tokio::test]
async fn who_takes_no_document_is_told_what_it_says_and_where_to_read_on_only_if_it_can() {
    let files = [
        ("letter.docx", document!("office/letter.docx")),
        ("mosses.xlsx", document!("office/mosses.xlsx")),
        ("letter.pdf", LETTER),
    ];
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        for (tools, may_read) in [(["read"], true), (["calc"], false)] {
            let endpoint = Endpoint::start();
            let agent = made(&scoped, &endpoint, (ProviderKind::OpenAi, "gpt-5-mini"), &tools).await;
            say(&world, &viewer, &agent, &files).await;
            let sent = sent(&endpoint).await.to_string();
            for words in [
                r"letter.docx:\n```\n# On moss\n\nMoss grows **slowly**",
                r"mosses.xlsx:\n```\n## Sheet 1 of 2: Moose & Farne",
                r"letter.pdf:\n```\n## Page 1",
            ] {
                assert!(sent.contains(words), "{words} is not in {sent}");
            }
            assert!(!sent.contains("file_data"), "{sent}");
            assert!(!scoped.pages().latest(&agent).await.unwrap().takes_pdf);
            assert_eq!(
                sent.contains("[The document letter.docx (at /uploads/letter.docx), as text.]"),
                may_read
            );
            assert_eq!(sent.contains("/uploads"), may_read, "{sent}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_document_takes_a_fifth_of_what_the_model_takes_and_the_rest_is_told_of() {
    let cut = "more bytes of report.pdf are too much for this model at a time.";
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        for (tools, rest) in
            [(["read"], " Read it at /uploads/report.pdf with the tool read.]"), (["calc"], "]")]
        {
            let endpoint = Endpoint::start();
            // Nothing is known of it, and little taken for granted.
            let agent = made(&scoped, &endpoint, (ProviderKind::OpenAi, "tiny"), &tools).await;
            say(&world, &viewer, &agent, &[("report.pdf", document!("report.pdf"))]).await;
            let sent = sent(&endpoint).await.to_string();
            assert!(sent.contains("Line 0 on page 1: moss is green."), "{sent}");
            assert!(!sent.contains("Line 29 on page 12"), "{sent}");
            assert!(sent.contains(&format!("{cut}{rest}")), "{sent}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_document_that_cannot_be_read_is_not_sent_and_why_is_said() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let agent = made(&scoped, &endpoint, (ProviderKind::Anthropic, "claude-sonnet-4-5"), &["calc"]).await;
        say(&world, &viewer, &agent, &[("locked.pdf", document!("locked.pdf"))]).await;
        let sent = sent(&endpoint).await.to_string();
        assert!(sent.contains("[The document locked.pdf was not read. It is encrypted."), "{sent}");
        assert!(!sent.contains("application/pdf"), "{sent}");
    })
    .await;
}

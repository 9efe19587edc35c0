//! Archives: those of flo.monster open and become agents, ours come back as they went, and none that
//! is not in order leaves anything behind.

mod others;
mod schedules;
pub mod zipped;

use crate::talk::{ada, ask, until};
use crate::world::{Endpoint, World, each_store, on_sqlite};
use hub::{Accepted, Error, FileListing, Scoped};
use protocol::agent::{Home, ProviderKind};
use protocol::agent::{Hook, HookAction, HookEvent};
use protocol::archive::ArchiveReview;
use protocol::log::EntryBody;
use protocol::page::{Listener, SkinPage};
use protocol::view::{AgentCommand, AgentDraft, AgentView, ConversationFilter, LoopSettings};
use protocol::{AgentId, TabId};
use serde_json::{Value, json};
use zipped::{Odd, Zipped, fixture};

const MANIFEST: &[u8] = b"name: A\nversion: 1.0.0\n";

#[tokio::test]
async fn a_page_with_buttons_opens_as_it_was() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let (review, agent) = import(&scoped, &fixture("counter")).await;
        assert_eq!((review.name.as_str(), review.version.as_str()), ("Counter", "1.2.0"));
        assert_eq!((review.author.as_deref(), review.license.as_deref()), (Some("Somebody"), Some("MIT")));
        assert_eq!(review.draft.tools, ["dom", "runjs", "state"]);
        told(
            &review,
            &[
                "asks for the network ({\"mode\":\"allow-all\"})",
                "budget of 500000 tokens",
                "budget of 2.5 US dollars",
                "model claude-sonnet-4-20250514, which none",
                "It asks for a terminal.",
            ],
        );
        assert_eq!((agent.name.as_str(), agent.max_output_tokens), ("Counter", 8192));
        assert_eq!(agent.instructions.lines().count(), 2);
        let page = scoped.skins().current(&agent.id).await.unwrap().unwrap().page;
        assert!(page.head.contains(".row { display: flex;"), "{}", page.head);
        assert!(page.body.contains("onclick=\"add(1)\"") && page.body.contains("flo.notify('passed'"));
        assert!(!page.body.contains("FLO_BOOTSTRAP"));
        assert_eq!(page.html_attributes["lang"], "en");
        let notes = notes(&scoped, &agent.id).await;
        assert!(
            notes.contains(&"It had a budget of 500000 tokens, which is not kept.".to_owned()),
            "{notes:?}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_captured_page_wins_over_its_document_and_keeps_its_listeners() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let (review, agent) = import(&scoped, &fixture("todo")).await;
        assert_eq!((review.version.as_str(), review.files, review.draft.tools.len()), ("0.3", 2, 3));
        told(
            &review,
            &[
                "can use the skill flo-srcdoc",
                "needs the skill list-keeping",
                "its file context.json",
                "means nothing here: debounce",
            ],
        );
        let page = scoped.skins().current(&agent.id).await.unwrap().unwrap().page;
        assert!(page.body.contains("<div id=\"agent-viewport\"><h1>Things to do</h1>"), "{}", page.body);
        assert!(page.head.contains("ul { padding-left"));
        let heard =
            |selector: &str, event: &str| Listener { selector: selector.to_owned(), event: event.to_owned() };
        let expected = [heard("#add", "submit"), heard("#list li", "click"), heard("#list li", "dblclick")];
        assert_eq!(page.listeners, expected);
        assert_eq!(paths(&scoped, &agent.id).await, ["context.json", "context.terse.json"]);
        assert_eq!(scoped.agents().message_count(&agent.id).await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn state_and_storage_find_their_places() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let (review, notes) = import(&scoped, &fixture("voice-note")).await;
        told(
            &review,
            &[
                "needs the extension com.example.recorder",
                "Its icon is not kept",
                "loads things from fonts.example.com",
                "fields that mean nothing here: screenshots",
                "tools that are not here: flo_unheard_of",
            ],
        );
        assert_eq!((review.state_keys, review.storage_keys, review.rules), (1, 1, 1));
        assert_eq!(
            json!(scoped.states().read(&notes.id).await.unwrap()),
            json!({ "notes": ["Call the plumber"] })
        );
        assert_eq!(scoped.files().read(&notes.id, "about.txt").await.unwrap(), b"Recorded on a walk.\n");

        let (review, watcher) = import(&scoped, &fixture("watcher")).await;
        assert_eq!((review.version.as_str(), review.files), ("2", 2));
        let state = scoped.states().read(&watcher.id).await.unwrap();
        assert_eq!(json!(state), json!({ "place": "Bern", "days": [1, 2, 3] }));
        assert_eq!(scoped.files().read(&watcher.id, "data/rain.csv").await.unwrap(), b"day,rain\n1,0\n");
    })
    .await;
}

#[tokio::test]
async fn what_was_exported_comes_back_as_it_was_and_without_a_key() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let provider = scoped
            .providers()
            .save(None, "Mine", ProviderKind::Anthropic, None, Some("sk-canary-canary"))
            .await
            .unwrap();
        let original = scoped.agents().create(everything(&provider.id.0)).await.unwrap();
        furnish(&world, &ada, &original.id).await;
        scoped.files().write(&original.id, "a/b.bin", &[0, 255, 7]).await.unwrap();
        scoped.skins().save(&original.id, "Night ä").await.unwrap();

        let exported = scoped.archives().export(&original.id).await.unwrap();
        assert_eq!(exported.file_name, "Ada - Co.flo.zip");
        let canary = b"canary".as_slice();
        assert!(!exported.bytes.windows(canary.len()).any(|part| part == canary));

        let uploaded = scoped.archives().upload("x", &exported.bytes).await.unwrap();
        let review = scoped.archives().review_stored(&uploaded.archive).await.unwrap();
        let draft =
            AgentDraft { provider: provider.id.0.clone(), model: original.model.clone(), ..review.draft };
        let copy = scoped.archives().create(&uploaded.archive, draft).await.unwrap();
        assert_eq!(
            AgentView {
                id: original.id.clone(),
                conversation: original.conversation.clone(),
                ..copy.clone()
            },
            AgentView { created_at: copy.created_at, updated_at: copy.updated_at, ..original.clone() }
        );
        let page = async |id: &AgentId| scoped.skins().current(id).await.unwrap().map(|skin| skin.page);
        assert_eq!(page(&copy.id).await, page(&original.id).await);
        assert_eq!(
            scoped.states().read(&copy.id).await.unwrap(),
            scoped.states().read(&original.id).await.unwrap()
        );
        assert_eq!(paths(&scoped, &copy.id).await, ["a/b.bin", "skins/Night ä.srcdoc"]);
        assert_eq!(scoped.files().read(&copy.id, "a/b.bin").await.unwrap(), [0, 255, 7]);
        assert_eq!(notes(&scoped, &copy.id).await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn conversations_come_along_in_an_archive_and_are_brought_in_where_they_are_wanted() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        ask(&scoped, &agent.id, &agent.conversation, "Ferns").await;
        let other = scoped.conversations().create(&agent.id).await.unwrap().id;
        ask(&scoped, &agent.id, &other, "Mosses").await;
        let titles = async |agent: &AgentId| {
            let list = scoped.conversations().list(agent, ConversationFilter::Active, 0).await.unwrap();
            let titles = list.conversations.into_iter().map(|conversation| conversation.title);
            titles.filter(|title| !title.is_empty()).collect::<Vec<_>>()
        };
        let plain = scoped.archives().export(&agent.id).await.unwrap();
        let exported = scoped.archives().export_with_conversations(&agent.id).await.unwrap();
        for (bytes, wanted, conversations, expected) in [
            (&plain.bytes, true, 0, vec![]),
            (&exported.bytes, false, 2, vec![]),
            (&exported.bytes, true, 2, vec!["Ferns", "Mosses"]),
            (&exported.bytes, true, 2, vec!["Ferns", "Mosses"]),
        ] {
            let uploaded = scoped.archives().upload("x", bytes).await.unwrap();
            let review = scoped.archives().review_stored(&uploaded.archive).await.unwrap();
            assert_eq!(review.conversations, conversations);
            assert!(!review.notices.iter().any(|notice| notice.contains("conversations/")), "{review:?}");
            let accepted = Accepted { conversations: wanted, ..Accepted::default() };
            let archive = &uploaded.archive;
            let made = scoped.archives().create_with(archive, review.draft, accepted).await.unwrap();
            let mut there = titles(&made.id).await;
            there.sort();
            assert_eq!(there, expected);
        }
    })
    .await;
}

#[tokio::test]
async fn all_conversations_of_an_archive_are_brought_in_also_if_nobody_waits_and_none_of_an_archive_in_it() {
    on_sqlite(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let at = 1_700_000_000_000_i64;
        let said = |number: u32, messages: u32| {
            let body = json!({ "type": "message", "from": { "type": "person" }, "text": "a" });
            let entry = |seq: u32| json!({ "seq": seq, "at": at, "body": body });
            let entries: Vec<Value> = (1..=messages).map(entry).collect();
            let title = format!("Number {number}");
            let about = json!({ "id": number.to_string(), "title": title, "created_at": at });
            let file =
                json!({ "format": "vivarium.conversation", "conversation": about, "entries": entries });
            file.to_string().into_bytes()
        };
        let inner = Zipped::new().with("conversations.json", &said(0, 1)).bytes();
        let bytes = Zipped::new()
            .with("manifest.yaml", b"name: A\nversion: 1.0.0\nvivarium: { colour: '#3d9a5d' }\n")
            .with("conversations/0000.json", &inner)
            .with("conversations/0001.json", &said(1, 10_000))
            .with("conversations/0002.json", &said(2, 10_000))
            .with("conversations/0003.json", &said(3, 1))
            .bytes();
        let archive = scoped.archives().upload("x", &bytes).await.unwrap().archive;
        let draft = scoped.archives().review_stored(&archive).await.unwrap().draft;
        let accepted = Accepted { conversations: true, ..Accepted::default() };
        let made = async || scoped.agents().list().await.unwrap().pop();
        tokio::select! {
            created = scoped.archives().create_with(&archive, draft, accepted) => drop(created.unwrap()),
            () = until(async || made().await.is_some()) => {}
        }
        let agent = made().await.unwrap().id;
        let titles = async || {
            let list = scoped.conversations().list(&agent, ConversationFilter::Active, 0).await.unwrap();
            let titles = list.conversations.into_iter().map(|conversation| conversation.title);
            let mut titles: Vec<String> = titles.filter(|title| !title.is_empty()).collect();
            titles.sort();
            titles
        };
        until(async || titles().await.len() >= 3).await;
        assert_eq!(titles().await, ["Number 1", "Number 2", "Number 3"]);
    })
    .await;
}

#[tokio::test]
async fn what_comes_out_of_an_archive_begins_with_what_can_run() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let near =
            scoped.providers().save_device_provider(None, "Near", ProviderKind::Ollama, None).await.unwrap();
        let original =
            scoped.agents().create(AgentDraft { home: Home::Hub, ..everything("") }).await.unwrap();
        let exported = scoped.archives().export(&original.id).await.unwrap();
        let uploaded = scoped.archives().upload("x", &exported.bytes).await.unwrap();
        let draft = scoped.archives().review_stored(&uploaded.archive).await.unwrap().draft;
        assert_eq!((draft.provider, draft.home), (near.id.0, Home::Browser));
        let far =
            scoped.providers().save(None, "Far", ProviderKind::Anthropic, None, Some("key")).await.unwrap();
        let draft = scoped.archives().review_stored(&uploaded.archive).await.unwrap().draft;
        assert_eq!((draft.provider, draft.home), (far.id.0, original.home));
    })
    .await;
}

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

#[tokio::test]
async fn an_upload_is_its_persons_and_the_fourth_replaces_the_first() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let (hers, theirs) = (world.hub.for_viewer(&ada), world.hub.for_viewer(&eve));
        let archive = fixture("counter");
        let mut ids = Vec::new();
        for _ in 0..4 {
            ids.push(hers.archives().upload("x", &archive).await.unwrap().archive);
        }
        assert!(matches!(hers.archives().review_stored(&ids[0]).await, Err(Error::NotFound(_))));
        for id in &ids[1..] {
            hers.archives().review_stored(id).await.unwrap();
            assert!(matches!(theirs.archives().review_stored(id).await, Err(Error::NotFound(_))));
            assert!(matches!(theirs.archives().create(id, draft("A")).await, Err(Error::NotFound(_))));
            assert!(matches!(theirs.archives().discard(id).await, Err(Error::NotFound(_))));
        }
        hers.archives().create(&ids[1], draft("A")).await.unwrap();
        assert!(
            matches!(hers.archives().review_stored(&ids[1]).await, Err(Error::NotFound(_))),
            "it was made"
        );
        hers.archives().discard(&ids[2]).await.unwrap();
        assert!(matches!(hers.archives().review_stored(&ids[2]).await, Err(Error::NotFound(_))));
        let too_large = vec![0; hub::LARGEST_ARCHIVE + 1];
        assert!(matches!(hers.archives().upload("x", &too_large).await, Err(Error::Limit(_))));
    })
    .await;
}

#[tokio::test]
async fn every_template_becomes_an_agent_that_needs_nothing_from_elsewhere() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let templates = scoped.archives().templates().unwrap();
        assert_eq!(templates.len(), 6);
        for template in templates {
            let review = scoped.archives().review_stored(&template.archive).await.unwrap();
            assert_eq!(review.notices, Vec::<String>::new(), "{}", template.archive);
            assert!(!review.draft.instructions.is_empty() && !review.draft.tools.is_empty());
            // A form does not send what is out of its bounds, and cannot show where that is.
            assert!(review.draft.max_output_tokens > 0 && review.draft.loop_settings.rounds > 0);
            assert!(!template.description.is_empty());
            let agent = scoped.archives().create(&template.archive, review.draft).await.unwrap();
            assert_eq!((agent.name, agent.colour), (template.name, template.colour));
            let page = scoped.skins().current(&agent.id).await.unwrap().unwrap().page;
            let all = format!("{}{}", page.head, page.body);
            assert!(all.contains("flo.ask(") || all.contains("flo.notify("), "{}", template.archive);
            assert!(!all.contains("://"), "{} reaches elsewhere", template.archive);
            assert!(scoped.archives().still(&template.archive).await.unwrap().is_some());
        }
    })
    .await;
}

async fn import(scoped: &Scoped<'_>, bytes: &[u8]) -> (ArchiveReview, AgentView) {
    let uploaded = scoped.archives().upload("x.flo.zip", bytes).await.unwrap();
    let review = scoped.archives().review_stored(&uploaded.archive).await.unwrap();
    let agent = scoped.archives().create(&uploaded.archive, review.draft.clone()).await.unwrap();
    (review, agent)
}

/// Every expected sentence is among the notices, and no others are.
fn told(review: &ArchiveReview, expected: &[&str]) {
    for words in expected {
        assert!(review.notices.iter().any(|notice| notice.contains(words)), "{words}: {:#?}", review.notices);
    }
    let known = |notice: &&String| expected.iter().any(|words| notice.contains(words));
    let others: Vec<_> = review.notices.iter().filter(|notice| !known(notice)).collect();
    assert!(others.iter().all(|notice| notice.contains("context.terse.json")), "{others:?}");
}

async fn notes(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<String> {
    let imported =
        scoped.pages().latest(agent).await.unwrap().entries.into_iter().find_map(|entry| match entry.body {
            EntryBody::Imported { notes, .. } => Some(notes),
            _ => None,
        });
    imported.expect("the log says where the agent is from")
}

async fn paths(scoped: &Scoped<'_>, agent: &AgentId) -> Vec<String> {
    scoped
        .files()
        .list(agent, &FileListing::default())
        .await
        .unwrap()
        .into_iter()
        .map(|file| file.path)
        .collect()
}

async fn furnish(world: &World, viewer: &hub::Viewer, agent: &AgentId) {
    let tab = world.hub.open_tab(viewer.clone(), TabId("t".to_owned())).unwrap();
    tab.set_state(agent, "count".to_owned(), json!({ "n": 1.5, "text": "ä\u{0001}" })).await.unwrap();
    let page = SkinPage {
        head: "<style>p > b { color: red }</style>".to_owned(),
        body: "<p>Unclosed <b>text\n<script>if (1 < 2) go()</script>".to_owned(),
        html_attributes: [("lang".to_owned(), "de".to_owned())].into(),
        body_attributes: [("class".to_owned(), "x \"y\"".to_owned())].into(),
        listeners: vec![Listener { selector: "#a".to_owned(), event: "click".to_owned() }],
    };
    let store = world.store().await;
    sqlx::query("INSERT INTO skins (agent_id, version, page, at) VALUES ($1, 1, $2, 0)")
        .bind(&agent.0)
        .bind(serde_json::to_string(&page).unwrap())
        .execute(store.read())
        .await
        .unwrap();
}

fn everything(provider: &str) -> AgentDraft {
    AgentDraft {
        name: "Ada & Co".to_owned(),
        colour: "#4a7fc1".to_owned(),
        instructions: "One: two\n- three # four\n\n\"five\"\t{six}\n'".to_owned(),
        provider: provider.to_owned(),
        model: "some:model".to_owned(),
        tools: vec!["dom".to_owned(), "skins".to_owned()],
        max_output_tokens: 1234,
        home: Home::Browser,
        loop_settings: LoopSettings {
            rounds: 7,
            hooks: vec![Hook {
                event: HookEvent::PreToolUse,
                tool: Some("dom".to_owned()),
                holds: None,
                action: HookAction::Deny { reason: "No: never.".to_owned() },
            }],
            hub_after_minutes: Some(15),
            commands: vec![AgentCommand {
                name: "plan".to_owned(),
                label: String::new(),
                text: "Plan my week.".to_owned(),
            }],
            ..LoopSettings::default()
        },
        ..AgentDraft::default()
    }
}

fn draft(name: &str) -> AgentDraft {
    AgentDraft { name: name.to_owned(), provider: String::new(), ..everything("") }
}

/// Letters in which there is nothing to pack.
pub fn noise_text(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let letter = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        b'a' + (state >> 28) as u8
    };
    std::iter::repeat_with(letter).take(length).collect()
}

//! Agents: definitions, cards, pages, what they keep, and that nobody reaches another's.

use crate::world::{Endpoint, World, each_store};
use hub::{Error, Scoped, Viewer};
use protocol::agent::{Home, ProviderKind};
use protocol::agent::{Hook, HookAction, HookEvent, Mode};
use protocol::log::EntryBody;
use protocol::model::{Effort, ModelMessage};
use protocol::page::SkinPage;
use protocol::view::{
    AgentCommand, AgentDraft, AgentView, ContextPart, LoopSettings, PromptPart, Repairs, SamplingSettings,
    Spent, Status,
};
use protocol::{AgentId, Failure, FailureKind, TabId};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Row};

#[tokio::test]
async fn an_agent_is_made_changed_and_listed_by_its_newest_activity() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        assert_eq!(scoped.agents().list().await.unwrap(), []);

        let first = scoped.agents().create(draft(" First ")).await.unwrap();
        let second = scoped.agents().create(draft("Second")).await.unwrap();
        assert_eq!((first.name.as_str(), first.max_output_tokens), ("First", 4096));
        assert_eq!(scoped.agents().get(&first.id).await.unwrap(), first);
        assert_eq!(names(&scoped).await, ["Second", "First"]);

        let changed = AgentDraft { home: Home::Browser, tools: vec!["dom".to_owned()], ..draft("Changed") };
        let edited = scoped.agents().edit(&first.id, changed).await.unwrap();
        assert_eq!((edited.home, edited.tools.as_slice()), (Home::Browser, ["dom".to_owned()].as_slice()));
        assert_eq!(edited.conversation, first.conversation);
        say(&world, &ada, &second.id, "Hello\nyou").await;

        let cards = scoped.agents().list().await.unwrap();
        assert_eq!(cards[0].name, "Second");
        assert_eq!(cards[0].last_line.as_deref(), Some("Hello"));
        assert_eq!(
            (cards[1].status, cards[1].spent, cards[1].skin_version),
            (Status::Idle, Spent::default(), 0)
        );
    })
    .await;
}

#[tokio::test]
async fn pinned_agents_stand_before_the_others_until_they_are_let_go() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let first = scoped.agents().create(draft("First")).await.unwrap();
        scoped.agents().create(draft("Second")).await.unwrap();

        scoped.agents().pin(&first.id, true).await.unwrap();
        assert_eq!(names(&scoped).await, ["First", "Second"]);
        assert!(scoped.agents().list().await.unwrap()[0].pinned);
        scoped.agents().pin(&first.id, false).await.unwrap();
        assert_eq!(names(&scoped).await, ["Second", "First"]);

        let eve = world.person("eve").await;
        refused(world.hub.for_viewer(&eve).agents().pin(&first.id, true).await, FailureKind::NotFound, "");
    })
    .await;
}

#[tokio::test]
async fn a_definition_that_cannot_be_kept_changes_nothing() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = scoped.agents().create(draft("Ada")).await.unwrap();
        let bad = AgentDraft { colour: "red".to_owned(), ..draft("Eve") };
        refused(scoped.agents().create(bad.clone()).await, FailureKind::Invalid, "A colour is written");
        refused(scoped.agents().edit(&agent.id, bad).await, FailureKind::Invalid, "A colour is written");
        assert_eq!(scoped.agents().get(&agent.id).await.unwrap(), agent);
        assert_eq!(names(&scoped).await, ["Ada"]);
    })
    .await;
}

#[tokio::test]
async fn an_agent_uses_only_a_provider_of_its_own_person() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        let kind = ProviderKind::Anthropic;
        let mine = scoped.providers().save(None, "Mine", kind, None, None).await.unwrap();
        let theirs =
            world.hub.for_viewer(&eve).providers().save(None, "Theirs", kind, None, None).await.unwrap();

        let with = |provider: &str| AgentDraft { provider: provider.to_owned(), ..draft("Ada") };
        let agent = scoped.agents().create(with(&mine.id.0)).await.unwrap();
        let page = scoped.pages().latest(&agent.id).await.unwrap();
        assert_eq!((page.provider_name.as_deref(), page.provider_kind), (Some("Mine"), Some(kind)));

        for stranger in [theirs.id.0.as_str(), "missing"] {
            let no = "There is no such provider.";
            refused(scoped.agents().create(with(stranger)).await, FailureKind::NotFound, no);
            refused(scoped.agents().edit(&agent.id, with(stranger)).await, FailureKind::NotFound, no);
        }

        scoped.providers().delete(&mine.id).await.unwrap();
        assert_eq!(scoped.agents().get(&agent.id).await.unwrap().provider, None);
        assert_eq!(scoped.pages().latest(&agent.id).await.unwrap().provider_name, None);
        assert_eq!(scoped.copies().make(&agent.id).await.unwrap().provider, None);
    })
    .await;
}

#[tokio::test]
async fn the_page_has_the_conversation_up_to_its_seq() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let agent = world.hub.for_viewer(&ada).agents().create(draft("Ada")).await.unwrap();
        say(&world, &ada, &agent.id, "one").await;
        set_state(&world, &ada, &agent.id, "k", json!(1)).await.unwrap();
        say(&world, &ada, &agent.id, "two").await;

        let page = world.hub.for_viewer(&ada).pages().latest(&agent.id).await.unwrap();
        let last = page.entries.last().unwrap();
        assert!(last.seq <= page.seq);
        assert!(page.entries.windows(2).all(|pair| pair[0].seq < pair[1].seq));
        let said: Vec<&str> = page
            .entries
            .iter()
            .filter_map(|entry| match &entry.body {
                EntryBody::Message { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(said, ["one", "two"]);
        assert_eq!(
            world.hub.for_viewer(&ada).agents().message_count(&agent.id).await.unwrap(),
            page.card.message_count
        );
    })
    .await;
}

#[tokio::test]
async fn a_copy_has_the_skin_state_and_storage_but_nothing_said() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = scoped.agents().create(draft(&"x".repeat(60))).await.unwrap();
        say(&world, &ada, &agent.id, "hello").await;
        set_state(&world, &ada, &agent.id, "count", json!({ "n": 3 })).await.unwrap();
        store_storage(&world, &agent.id).await;
        draw(&world, &agent.id, 1, "old").await;
        draw(&world, &agent.id, 2, "new").await;

        let copy = scoped.copies().make(&agent.id).await.unwrap();
        assert_eq!(copy.name, format!("{} copy", "x".repeat(55)));
        let same = AgentView {
            id: agent.id.clone(),
            name: agent.name.clone(),
            conversation: agent.conversation.clone(),
            created_at: agent.created_at,
            updated_at: agent.updated_at,
            ..copy.clone()
        };
        assert_eq!(same, agent);
        assert_ne!(copy.conversation, agent.conversation);

        let page = scoped.pages().latest(&copy.id).await.unwrap();
        assert_eq!(
            (page.entries.as_slice(), page.card.message_count, page.card.skin_version),
            ([].as_slice(), 0, 1)
        );
        let skin = scoped.skins().current(&copy.id).await.unwrap().unwrap();
        assert_eq!((skin.version, skin.page.body.as_str()), (1, "new"));
        assert_eq!(
            scoped.states().read(&copy.id).await.unwrap(),
            scoped.states().read(&agent.id).await.unwrap()
        );
        assert_eq!(rows_of(&world, "agent_storage", &copy.id).await, 1);

        set_state(&world, &ada, &copy.id, "count", json!(4)).await.unwrap();
        assert_eq!(scoped.states().read(&agent.id).await.unwrap()["count"], json!({ "n": 3 }));
    })
    .await;
}

#[tokio::test]
async fn deleting_stops_the_run_and_leaves_nothing() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let kind = ProviderKind::Anthropic;
        let provider = endpoint.provider(&scoped, kind).await;
        let definition =
            AgentDraft { provider: provider.0, model: "claude-sonnet-4-5".to_owned(), ..draft("Ada") };
        let agent = scoped.agents().create(definition).await.unwrap();
        let kept = scoped.agents().create(draft("Kept")).await.unwrap();
        say(&world, &ada, &agent.id, "script: hang").await;
        set_state(&world, &ada, &agent.id, "k", json!(1)).await.unwrap();
        store_storage(&world, &agent.id).await;
        draw(&world, &agent.id, 1, "page").await;
        let tables = ["agents", "conversations", "runs", "entries", "skins", "agent_state", "agent_storage"];
        for table in tables {
            assert!(rows_of(&world, table, &agent.id).await > 0, "{table}");
        }

        scoped.agents().delete(&agent.id).await.unwrap();
        for table in tables {
            assert_eq!(rows_of(&world, table, &agent.id).await, 0, "{table}");
        }
        refused(scoped.agents().delete(&agent.id).await, FailureKind::NotFound, "There is no such agent.");
        assert_eq!(scoped.agents().get(&kept.id).await.unwrap(), kept);
    })
    .await;
}

#[tokio::test]
async fn another_persons_agent_is_like_none() {
    each_store(async |world: World| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let agent = world.hub.for_viewer(&ada).agents().create(draft("Ada")).await.unwrap();
        set_state(&world, &ada, &agent.id, "k", json!(1)).await.unwrap();
        draw(&world, &agent.id, 1, "page").await;
        let agent = world.hub.for_viewer(&ada).agents().get(&agent.id).await.unwrap();

        let foreign = attempts(&world, &eve, &agent.id).await;
        let missing = attempts(&world, &eve, &AgentId::from("0190f1e8aaaa7bbb8ccc0123456789ab")).await;
        assert_eq!(foreign, missing);
        for (what, failure) in foreign {
            assert_eq!(failure, Failure::new(FailureKind::NotFound, "There is no such agent."), "{what}");
        }
        assert_eq!(names(&world.hub.for_viewer(&eve)).await, Vec::<String>::new());
        assert_eq!(world.hub.for_viewer(&ada).agents().get(&agent.id).await.unwrap(), agent);
        assert_eq!(world.hub.for_viewer(&ada).states().read(&agent.id).await.unwrap()["k"], json!(1));
    })
    .await;
}

#[tokio::test]
async fn state_has_limits_and_null_removes() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let agent = world.hub.for_viewer(&ada).agents().create(draft("Ada")).await.unwrap().id;
        let set = async |key: &str, value: Value| set_state(&world, &ada, &agent, key, value).await;

        set("ключ", json!({ "a": [1, "é", null] })).await.unwrap();
        set("ключ", json!("second")).await.unwrap();
        set("gone", json!(1)).await.unwrap();
        set("gone", Value::Null).await.unwrap();
        set("never", Value::Null).await.unwrap();
        let state = world.hub.for_viewer(&ada).states().read(&agent).await.unwrap();
        assert_eq!(Vec::from_iter(state), [("ключ".to_owned(), json!("second"))]);

        refused(set("", json!(1)).await, FailureKind::Invalid, "A key has");
        refused(set("a\nb", json!(1)).await, FailureKind::Invalid, "A key has");
        refused(set(&"k".repeat(201), json!(1)).await, FailureKind::Invalid, "A key has");
        set(&"é".repeat(200), json!(1)).await.unwrap();
        refused(set("big", json!("x".repeat(64 * 1024))).await, FailureKind::Limit, "The value of \"big\"");

        let large = json!("x".repeat(64 * 1024 - 2));
        for index in 0..15 {
            set(&format!("large {index}"), large.clone()).await.unwrap();
        }
        refused(set("one too many", large.clone()).await, FailureKind::Limit, "All values together");
        set("large 0", large).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn state_has_at_most_500_keys() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let agent = world.hub.for_viewer(&ada).agents().create(draft("Ada")).await.unwrap().id;
        let store = world.store().await;
        let mut tx = store.write().await.unwrap();
        for index in 0..500 {
            sqlx::query("INSERT INTO agent_state (agent_id, key, value) VALUES ($1, $2, '1')")
                .bind(&agent.0)
                .bind(format!("key {index}"))
                .execute(&mut *tx)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
        store.close().await;

        refused(
            set_state(&world, &ada, &agent, "more", json!(1)).await,
            FailureKind::Limit,
            "There are 500 keys",
        );
        set_state(&world, &ada, &agent, "key 7", json!(2)).await.unwrap();
        set_state(&world, &ada, &agent, "key 8", Value::Null).await.unwrap();
        set_state(&world, &ada, &agent, "more", json!(1)).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_still_is_the_newest_page_without_its_scripts() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = scoped.agents().create(draft("Ada")).await.unwrap().id;
        assert_eq!(scoped.skins().still(&agent, None).await.unwrap(), None);
        assert_eq!(scoped.skins().current(&agent).await.unwrap(), None);
        draw(&world, &agent, 1, "<p>old</p>").await;
        draw(&world, &agent, 2, "<p onclick=\"x()\">new</p><script>x()</script>").await;
        let still = scoped.skins().still(&agent, None).await.unwrap().unwrap();
        assert!(still.ends_with("<body><p>new</p></body></html>"), "{still}");
    })
    .await;
}

#[tokio::test]
async fn the_settings_of_the_loop_are_kept_and_copied() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = scoped.agents().create(draft("Ada")).await.unwrap();
        assert_eq!(agent.loop_settings, LoopSettings { rounds: 25, ..LoopSettings::default() });
        let settings = LoopSettings {
            effort: Some(Effort::High),
            sampling: SamplingSettings { temperature: Some(0.2), ..SamplingSettings::default() },
            rounds: 7,
            hooks: vec![Hook {
                event: HookEvent::PreToolUse,
                tool: Some("run*".to_owned()),
                holds: None,
                action: HookAction::Deny { reason: "No scripts.".to_owned() },
            }],
            clear_after_minutes: Some(20),
            ambient_after_minutes: Some(5),
            hub_after_minutes: Some(15),
            repairs: Repairs::Asked,
            plan: true,
            commands: vec![AgentCommand {
                name: "plan".to_owned(),
                label: "Plan the week".to_owned(),
                text: "Plan my week.".to_owned(),
            }],
            mode: Mode::Autonomous { turns: 3, done: "DONE".to_owned() },
        };
        let changed = AgentDraft { loop_settings: settings.clone(), ..draft("Ada") };
        assert_eq!(scoped.agents().edit(&agent.id, changed).await.unwrap().loop_settings, settings);
        assert_eq!(scoped.copies().make(&agent.id).await.unwrap().loop_settings, settings);
    })
    .await;
}

#[tokio::test]
async fn the_context_is_what_the_definition_and_the_conversation_make() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let tools = vec!["state".to_owned()];
        let agent = scoped.agents().create(AgentDraft { tools, ..draft("Ada") }).await.unwrap();
        say(&world, &ada, &agent.id, "Count the ferns.").await;
        let context = scoped.runs().context_of(&agent.id).await.unwrap();
        let [.., tool, message] = context.sections.as_slice() else {
            panic!("{:?}", context.sections);
        };
        let instructions = context.sections.iter().find_map(|section| match &section.part {
            ContextPart::System { part: PromptPart::Instructions, text } => Some(text.as_str()),
            _ => None,
        });
        assert!(instructions.is_some_and(|text| text.contains("Be kind.")), "{:?}", context.sections);
        assert!(matches!(&tool.part, ContextPart::Tool { tool } if tool.name == "state"));
        let said = ModelMessage::User { text: "Count the ferns.".to_owned(), media: Vec::new() };
        assert_eq!(message.part, ContextPart::Message { message: said });
        assert!(context.sections.iter().all(|section| section.tokens > 0));
        assert_eq!(context.room, scoped.pages().latest(&agent.id).await.unwrap().room);
    })
    .await;
}

#[tokio::test]
async fn every_tool_can_be_given_to_an_agent() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let tools: Vec<String> =
            scoped.agents().tools().await.unwrap().into_iter().map(|tool| tool.name).collect();
        assert!(tools.contains(&"dom".to_owned()));
        let agent =
            scoped.agents().create(AgentDraft { tools: tools.clone(), ..draft("Ada") }).await.unwrap();
        assert_eq!(agent.tools, tools);
    })
    .await;
}

/// What every use case answers this person about this agent.
async fn attempts(world: &World, viewer: &Viewer, id: &AgentId) -> Vec<(&'static str, Failure)> {
    let scoped = world.hub.for_viewer(viewer);
    vec![
        ("agent", failure(scoped.agents().get(id).await)),
        ("page", failure(scoped.pages().latest(id).await)),
        ("context", failure(scoped.runs().context_of(id).await)),
        ("edit", failure(scoped.agents().edit(id, draft("Mine")).await)),
        ("duplicate", failure(scoped.copies().make(id).await)),
        ("delete", failure(scoped.agents().delete(id).await)),
        ("count", failure(scoped.agents().message_count(id).await)),
        ("skin", failure(scoped.skins().current(id).await)),
        ("still", failure(scoped.skins().still(id, None).await)),
        ("state", failure(scoped.states().read(id).await)),
        ("set state", failure(set_state(world, viewer, id, "k", json!(2)).await)),
        ("entries", failure(scoped.conversations().entries(id, 0).await)),
        ("message", failure(scoped.runs().send_message(id, "hi", None, None).await)),
    ]
}

pub fn draft(name: &str) -> AgentDraft {
    AgentDraft {
        name: name.to_owned(),
        colour: "#3d9a5d".to_owned(),
        instructions: "Be kind.".to_owned(),
        provider: String::new(),
        model: String::new(),
        fallback_provider: String::new(),
        fallback_model: String::new(),
        tools: Vec::new(),
        max_output_tokens: 0,
        home: Home::Hub,
        loop_settings: LoopSettings::default(),
    }
}

async fn names(scoped: &Scoped<'_>) -> Vec<String> {
    scoped.agents().list().await.unwrap().into_iter().map(|card| card.name).collect()
}

async fn say(world: &World, viewer: &Viewer, agent: &AgentId, text: &str) {
    world.hub.for_viewer(viewer).runs().send_message(agent, text, None, None).await.unwrap();
}

async fn set_state(
    world: &World,
    viewer: &Viewer,
    agent: &AgentId,
    key: &str,
    value: Value,
) -> hub::Result<()> {
    let tab = world.hub.open_tab(viewer.clone(), TabId::from("tab")).unwrap();
    tab.set_state(agent, key.to_owned(), value).await
}

/// Puts a page into the store, as a run would.
async fn draw(world: &World, agent: &AgentId, version: i64, body: &str) {
    let page = SkinPage { body: body.to_owned(), ..SkinPage::default() };
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    sqlx::query("INSERT INTO skins (agent_id, version, page, at) VALUES ($1, $2, $3, 0)")
        .bind(&agent.0)
        .bind(version)
        .bind(serde_json::to_string(&page).unwrap())
        .execute(&mut *tx)
        .await
        .unwrap();
    sqlx::query("UPDATE agents SET skin_version = $2 WHERE id = $1")
        .bind(&agent.0)
        .bind(version)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    store.close().await;
}

async fn store_storage(world: &World, agent: &AgentId) {
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    sqlx::query("INSERT INTO agent_storage (agent_id, key, value) VALUES ($1, 'note', '\"secret\"')")
        .bind(&agent.0)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    store.close().await;
}

async fn rows_of(world: &World, table: &str, agent: &AgentId) -> i64 {
    let column = if table == "agents" { "id" } else { "agent_id" };
    let sql = AssertSqlSafe(format!("SELECT count(*) FROM {table} WHERE {column} = $1"));
    let store = world.store().await;
    let count = sqlx::query(sql).bind(&agent.0).fetch_one(store.read()).await.unwrap().get(0);
    store.close().await;
    count
}

fn failure<T: std::fmt::Debug>(result: Result<T, Error>) -> Failure {
    result.unwrap_err().into_failure()
}

fn refused<T: std::fmt::Debug>(result: Result<T, Error>, kind: FailureKind, message: &str) {
    let failure = failure(result);
    assert_eq!(failure.kind, kind, "{failure}");
    assert!(failure.message.starts_with(message), "{failure}");
}

//! A copy and an archive: everything that an agent has goes along, or it was said before that it does not.

use crate::agents;
use crate::world::{World, each_store};
use hub::{Accepted, SharedWith, Viewer};
use protocol::Caps;
use protocol::agent::ProviderKind;
use protocol::approval::{PolicyDraft, Verdict};
use protocol::archive::LeftBehind;
use protocol::schedule::{ScheduleDraft, TimingKind};
use protocol::view::{AgentDraft, MadeToolView, Network};
use protocol::{AgentId, Micros, TabId};
use serde_json::json;
use sqlx::{AssertSqlSafe, Row as _};
use std::collections::BTreeSet;

/// What becomes of a part of an agent elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is there too.
    Goes,
    /// It is not, which is said with these words.
    Stays(&'static str),
    /// It is about what the agent did or is doing, and nothing that it has.
    Passes,
}

use Fate::{Goes, Passes, Stays};

/// Every table about agents, with what becomes of its rows in a copy and in an archive.
const TABLES: [(&str, Fate, Fate); 55] = [
    ("agent_attachments", Stays("What was said"), Stays("What was said")),
    ("agent_devices", Passes, Passes),
    ("agent_mcp_mounts", Goes, Stays("MCP servers whose resources it has as files: 1")),
    ("agent_mcp_servers", Goes, Stays("Its MCP servers: 1")),
    ("agent_permissions", Stays("decided about its page: 1"), Stays("decided about its page: 1")),
    ("agent_rules", Goes, Goes),
    ("agent_shares", Stays("agents may ask it: 1"), Stays("agents may ask it: 1")),
    ("agent_skills", Goes, Stays("skills of your library")),
    ("agent_state", Goes, Goes),
    ("agent_storage", Goes, Goes),
    ("agent_tools", Goes, Goes),
    ("approvals", Passes, Passes),
    ("caps", Goes, Stays("Limits on what it may spend")),
    ("delegations", Passes, Passes),
    ("shared_tasks", Passes, Passes),
    ("topic_messages", Passes, Passes),
    ("topic_subscriptions", Stays("Topics that it hears: 1"), Stays("Topics that it hears: 1")),
    ("context_agents", Goes, Stays("What it may know of your context")),
    ("context_sayings", Passes, Passes),
    ("conversations", Stays("What was said"), Stays("What was said")),
    ("empty_folders", Goes, Stays("Folders with nothing in them: 1")),
    ("entries", Stays("What was said"), Stays("What was said")),
    ("external_jobs", Passes, Passes),
    ("finish_triggers", Passes, Passes),
    ("file_reads", Passes, Passes),
    ("files", Goes, Goes),
    ("file_versions", Stays("Earlier versions of its files: 1"), Stays("Earlier versions of its files: 1")),
    ("folders", Goes, Goes),
    ("given_links", Passes, Passes),
    ("holds", Passes, Passes),
    (
        "instruction_versions",
        Stays("Earlier versions of its instructions: 1"),
        Stays("Earlier versions of its instructions: 1"),
    ),
    ("memories", Stays("What it alone remembers: 1"), Stays("What it alone remembers: 1")),
    ("loaded_skills", Passes, Passes),
    ("muted_agents", Passes, Passes),
    ("notifications", Passes, Passes),
    ("packed_conversations", Stays("What was said"), Stays("What was said")),
    ("page_emits", Passes, Passes),
    ("page_errors", Passes, Passes),
    ("pipelines", Passes, Passes),
    ("policy_rules", Goes, Goes),
    ("ratings", Passes, Passes),
    ("runs", Passes, Passes),
    ("schedules", Goes, Goes),
    ("search_documents", Passes, Passes),
    ("search_progress", Passes, Passes),
    ("sent_messages", Passes, Passes),
    ("skins", Stays("Earlier versions of its page: 1"), Stays("Earlier versions of its page: 1")),
    ("spending", Passes, Passes),
    ("stopped_agents", Passes, Passes),
    ("terminal_jobs", Passes, Passes),
    ("terminal_sessions", Passes, Passes),
    ("tool_calls", Passes, Passes),
    ("tool_counts", Passes, Passes),
    ("unread_messages", Passes, Passes),
    ("workspace_agents", Goes, Stays("Its workspace, with the files in it")),
];

/// Every column of an agent, with what becomes of it.
const COLUMNS: [(&str, Fate, Fate); 35] = [
    ("ambient", Passes, Passes),
    ("colour", Goes, Goes),
    ("commands_reach", Goes, Stays("Whether its commands reach the web")),
    ("cost", Passes, Passes),
    ("created_at", Passes, Passes),
    ("fallback_model", Goes, Stays("model in reserve")),
    ("fallback_provider_id", Goes, Stays("model in reserve")),
    ("follows_robots", Goes, Goes),
    ("home", Goes, Goes),
    ("id", Passes, Passes),
    ("input_tokens", Passes, Passes),
    ("instructions", Goes, Goes),
    ("last_line", Passes, Passes),
    ("last_seq", Passes, Passes),
    ("log_bytes", Passes, Passes),
    ("loop_settings", Goes, Goes),
    ("max_output_tokens", Goes, Goes),
    ("message_count", Passes, Passes),
    ("model", Goes, Goes),
    ("mounts", Passes, Passes),
    ("name", Goes, Goes),
    ("network", Goes, Goes),
    ("output_tokens", Passes, Passes),
    ("parent_id", Passes, Passes),
    ("paused_at", Passes, Passes),
    ("paused_in", Passes, Passes),
    ("pinned_at", Passes, Passes),
    ("provider_id", Goes, Stays("Its provider")),
    ("role_id", Goes, Stays("Its role in a team")),
    ("root_id", Passes, Passes),
    ("skin_version", Passes, Passes),
    ("status", Passes, Passes),
    ("tools", Goes, Goes),
    ("updated_at", Passes, Passes),
    ("user_id", Passes, Passes),
];

#[tokio::test]
async fn nothing_of_an_agent_is_lost_unsaid() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = furnished(&world, &ada).await;
        let told = scoped.agents().left_behind(&agent).await.unwrap();
        assert!(told.copy.contains(&"Its own key.".to_owned()), "{told:?}");

        let copy = scoped.copies().make(&agent).await.unwrap().id;
        let exported = scoped.archives().export(&agent).await.unwrap();
        let uploaded = scoped.archives().upload("x", &exported.bytes).await.unwrap();
        let draft = scoped.archives().review_stored(&uploaded.archive).await.unwrap().draft;
        let accepted = Accepted { network: true, rules: true, conversations: false };
        let brought = scoped.archives().create_with(&uploaded.archive, draft, accepted).await.unwrap().id;

        for (table, in_copy, in_archive) in TABLES {
            let own = rows(&world, table, &agent).await;
            holds(table, in_copy, &told.copy, own, rows(&world, table, &copy).await);
            holds(table, in_archive, &told.archive, own, rows(&world, table, &brought).await);
        }
        for (column, in_copy, in_archive) in COLUMNS {
            said(column, in_copy, &told.copy);
            said(column, in_archive, &told.archive);
            if in_copy == Goes && column != "name" {
                let value = async |id| value(&world, column, id).await;
                assert_eq!(value(&copy).await, value(&agent).await, "{column}");
                if matches!(column, "network" | "follows_robots") {
                    assert_eq!(value(&brought).await, value(&agent).await, "{column}");
                }
            }
        }
        let made = scoped.made_tools().list(&agent).await.unwrap();
        for other in [&copy, &brought] {
            let others = scoped.made_tools().list(other).await.unwrap();
            let parts = |tool: &MadeToolView| (tool.name.clone(), tool.code.clone(), tool.reach.clone());
            assert_eq!(parts(&others[0]), parts(&made[0]));
            let rules =
                value_of(&world, "SELECT condition FROM agent_rules WHERE agent_id = $1", other).await;
            assert_eq!(rules.as_deref(), Some("changed"));
        }
    })
    .await;
}

#[tokio::test]
async fn a_rule_that_holds_for_a_while_stays_and_one_that_was_proposed_waits_for_a_yes() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = scoped.agents().create(agents::draft("Ada")).await.unwrap().id;
        let rule = |tool: &str, minutes| PolicyDraft {
            agent: agent.0.clone(),
            tool: tool.to_owned(),
            about: "example.org".to_owned(),
            verdict: "allow".to_owned(),
            minutes,
            ..PolicyDraft::default()
        };
        scoped.policies().add(&rule("fetch", 0)).await.unwrap();
        scoped.policies().add(&rule("fetch", 5)).await.unwrap();
        scoped.networks().set(&agent, Network::Public).await.unwrap();
        let told = scoped.agents().left_behind(&agent).await.unwrap();
        for told in [&told.copy, &told.archive] {
            assert_eq!(*told, ["Rules about its calls that hold for a while: 1."]);
        }
        let tools = async |id: &AgentId| {
            let rules = scoped.policies().list(id).await.unwrap();
            rules.into_iter().map(|rule| (rule.tool, rule.about)).collect::<Vec<_>>()
        };
        let lasting = ("fetch".to_owned(), Some("example.org".to_owned()));
        let copy = scoped.copies().make(&agent).await.unwrap().id;
        assert_eq!(tools(&copy).await, std::slice::from_ref(&lasting));
        scoped.agents().delete(&agent).await.unwrap();
        assert_eq!(tools(&copy).await, std::slice::from_ref(&lasting), "it is the copy's own");

        let exported = scoped.archives().export(&copy).await.unwrap();
        for (accepted, network, rules) in [
            (Accepted::default(), Network::Off, vec![]),
            (Accepted { network: true, ..Accepted::default() }, Network::Public, vec![]),
            (Accepted { rules: true, ..Accepted::default() }, Network::Off, vec![lasting]),
        ] {
            let uploaded = scoped.archives().upload("x", &exported.bytes).await.unwrap();
            let review = scoped.archives().review_stored(&uploaded.archive).await.unwrap();
            assert_eq!((&review.network, review.proposed.len()), (&Network::Public, 1));
            assert_eq!(review.proposed[0].verdict, Verdict::Allow);
            let archive = &uploaded.archive;
            let made = scoped.archives().create_with(archive, review.draft, accepted).await.unwrap();
            assert_eq!((made.network.clone(), tools(&made.id).await), (network, rules), "{accepted:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn who_has_nothing_that_stays_is_told_nothing() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let eve = world.person("eve").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = scoped.agents().create(agents::draft("Ada")).await.unwrap().id;
        assert_eq!(scoped.agents().left_behind(&agent).await.unwrap(), LeftBehind::default());
        assert!(world.hub.for_viewer(&eve).agents().left_behind(&agent).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn every_table_and_column_about_agents_is_looked_at() {
    each_store(async |world: World| {
        let (tables, columns) = schema(&world).await;
        assert_eq!(tables, TABLES.iter().map(|(table, ..)| (*table).to_owned()).collect());
        assert_eq!(columns, COLUMNS.iter().map(|(column, ..)| (*column).to_owned()).collect());
    })
    .await;
}

/// An agent that has something of everything.
async fn furnished(world: &World, ada: &Viewer) -> AgentId {
    let scoped = world.hub.for_viewer(ada);
    let provider = scoped
        .providers()
        .save(None, "Mine", ProviderKind::Anthropic, None, Some("sk-ant-0123456789"))
        .await
        .unwrap();
    let reserve = scoped
        .providers()
        .save(None, "Reserve", ProviderKind::Anthropic, None, Some("sk-ant-9876543210"))
        .await
        .unwrap();
    let fallback = AgentDraft {
        fallback_provider: reserve.id.0,
        fallback_model: "reserve".to_owned(),
        provider: provider.id.0,
        model: "some".to_owned(),
        ..agents::draft("Ada")
    };
    let agent = scoped.agents().create(fallback.clone()).await.unwrap().id;
    let changed = AgentDraft { instructions: "Look around.".to_owned(), ..fallback };
    scoped.agents().edit(&agent, changed).await.unwrap();
    scoped.providers().set_agent_key(&agent, "sk-ant-own-0123456789").await.unwrap();
    scoped.networks().set(&agent, Network::Public).await.unwrap();
    scoped.networks().follow_robots(&agent, true).await.unwrap();
    scoped.networks().let_commands_out(&agent, true).await.unwrap();
    scoped.ledger().limit_agent(&agent, &Caps { per_day: Some(Micros(5)), ..Caps::default() }).await.unwrap();
    for content in [b"b", b"a"] {
        scoped.files().write(&agent, "a.txt", content).await.unwrap();
    }
    scoped.person_context().let_agent(&agent, false, true).await.unwrap();
    let workspace = scoped.workspaces().create("Garden").await.unwrap();
    scoped.workspaces().give(&agent, Some(&workspace)).await.unwrap();
    let hourly = ScheduleDraft {
        name: "Rounds".to_owned(),
        message: "Look around.".to_owned(),
        kind: TimingKind::Every,
        minutes: "60".to_owned(),
        ..ScheduleDraft::default()
    };
    scoped.schedules().create(&agent, &hourly).await.unwrap();
    world.person("fern").await;
    scoped.agent_shares().give(&agent, SharedWith::Person("fern"), Some(Micros(5))).await.unwrap();
    keep(world, ada, &agent).await;
    agent
}

async fn keep(world: &World, ada: &Viewer, agent: &AgentId) {
    let tab = world.hub.open_tab(ada.clone(), TabId("t".to_owned())).unwrap();
    tab.set_state(agent, "count".to_owned(), json!(1)).await.unwrap();
    let reach = json!({ "reads": ["count"] });
    let spec = json!({ "name": "water", "description": "Wet.", "input_schema": { "type": "object" } });
    let page =
        json!({ "head": "", "body": "<p>", "html_attributes": {}, "body_attributes": {}, "listeners": [] });
    let statements = [
        "INSERT INTO mcp_servers (id, user_id, name, url, headers, created_at) SELECT 'm-' || id, user_id, 'garden', 'https://garden.example/mcp', '[]', 1 FROM agents WHERE id = $1".to_owned(),
        "INSERT INTO agent_mcp_servers (agent_id, server_id) SELECT id, 'm-' || id FROM agents WHERE id = $1".to_owned(),
        "INSERT INTO agent_mcp_mounts (agent_id, server_id) SELECT id, 'm-' || id FROM agents WHERE id = $1".to_owned(),
        "INSERT INTO empty_folders (folder_id, path) VALUES ($1, 'build')".to_owned(),
        "INSERT INTO agent_attachments (agent_id, attachment_id) VALUES ($1, 'ab')".to_owned(),
        "INSERT INTO skills (id, user_id, name) SELECT 's-' || id, user_id, 'moss' FROM agents WHERE id = $1".to_owned(),
        "INSERT INTO agent_skills (agent_id, skill_id, chosen) SELECT id, 's-' || id, 'found' FROM agents WHERE id = $1".to_owned(),
        "INSERT INTO topic_subscriptions (user_id, topic, agent_id, created_at) SELECT user_id, 'moss', id, 1 FROM agents WHERE id = $1".to_owned(),
        "INSERT INTO agent_storage (agent_id, key, value) VALUES ($1, 'a', '1')".to_owned(),
        "INSERT INTO memories (id, user_id, agent_id, text, kind, tags, importance, words, state, author, created_at, changed_at) SELECT 'm-' || id, user_id, id, 'Moss.', 'fact', '[]', 3, 'moss', 'kept', 'person', 1, 1 FROM agents WHERE id = $1".to_owned(),
        "INSERT INTO agent_rules (agent_id, key, condition, message) VALUES ($1, 'count', 'changed', 'Look.')".to_owned(),
        format!("INSERT INTO agent_tools (agent_id, name, version, spec, code, deleted, made_at, reach) VALUES ($1, 'water', 3, '{spec}', 'return 1', 0, 1, '{reach}')"),
        "INSERT INTO agent_permissions (agent_id, permission, host, allowed, decided_at) VALUES ($1, 'camera', '', 1, 1)".to_owned(),
        "INSERT INTO policy_rules (id, user_id, agent_id, tool, verdict, made_at) SELECT 'r-' || id, user_id, id, 'fetch', 'deny', 1 FROM agents WHERE id = $1".to_owned(),
        format!("INSERT INTO skins (agent_id, version, page, at) VALUES ($1, 1, '{page}', 0)"),
        format!("INSERT INTO skins (agent_id, version, page, at) VALUES ($1, 2, '{page}', 0)"),
        r##"INSERT INTO agent_roles (id, user_id, name, description, definition, least, created_at, updated_at) SELECT 'o-' || id, user_id, 'gardener', '', '{"name":"gardener","colour":"#3d9a5d"}', 1, 1, 1 FROM agents WHERE id = $1"##.to_owned(),
        "UPDATE agents SET role_id = 'o-' || id WHERE id = $1".to_owned(),
        "UPDATE agents SET skin_version = 2, message_count = 1 WHERE id = $1".to_owned(),
    ];
    let store = world.store().await;
    for statement in statements {
        sqlx::query(AssertSqlSafe(statement)).bind(&agent.0).execute(store.read()).await.unwrap();
    }
}

fn holds(part: &str, fate: Fate, told: &[String], own: i64, others: i64) {
    said(part, fate, told);
    match fate {
        Goes => assert!(own > 0 && others == own, "{part}: {others} of {own} went along"),
        // A new agent begins with a conversation and a log of its own.
        Stays(_) if matches!(part, "conversations" | "entries" | "packed_conversations") => {}
        Stays(_) => assert!(own > others, "{part} went along and is told to stay"),
        Passes => {}
    }
}

fn said(part: &str, fate: Fate, told: &[String]) {
    if let Stays(words) = fate {
        assert!(told.iter().any(|told| told.contains(words)), "{part}: {words} is not in {told:?}");
    }
}

async fn rows(world: &World, table: &str, agent: &AgentId) -> i64 {
    let owner = match table {
        "caps" => "scope = 'agent' AND owner",
        "empty_folders" | "files" | "file_versions" | "file_reads" | "given_links" => "folder_id",
        _ => "agent_id",
    };
    let query = AssertSqlSafe(format!("SELECT COUNT(*) FROM {table} WHERE {owner} = $1"));
    sqlx::query(query).bind(&agent.0).fetch_one(world.store().await.read()).await.unwrap().get(0)
}

async fn value(world: &World, column: &str, agent: &AgentId) -> Option<String> {
    let query = format!("SELECT CAST({column} AS TEXT) FROM agents WHERE id = $1");
    value_of(world, &query, agent).await
}

async fn value_of(world: &World, query: &str, agent: &AgentId) -> Option<String> {
    let query = AssertSqlSafe(query.to_owned());
    sqlx::query(query).bind(&agent.0).fetch_one(world.store().await.read()).await.unwrap().get(0)
}

/// The tables with rows about agents, and the columns of agents themselves.
async fn schema(world: &World) -> (BTreeSet<String>, BTreeSet<String>) {
    let store = world.store().await;
    let pragma =
        "SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'";
    let information = "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT) FROM information_schema.columns WHERE table_schema = 'public'";
    let all = match sqlx::query(pragma).fetch_all(store.read()).await {
        Ok(rows) => rows,
        Err(_) => sqlx::query(information).fetch_all(store.read()).await.unwrap(),
    };
    let all: Vec<(String, String)> = all.iter().map(|row| (row.get(0), row.get(1))).collect();
    let about = |(table, column): &&(String, String)| {
        ["agent_id", "folder_id"].contains(&column.as_str()) || (table == "caps" && column == "owner")
    };
    let tables = all.iter().filter(about).map(|(table, _)| table.clone()).collect();
    let columns =
        all.iter().filter(|(table, _)| table == "agents").map(|(_, column)| column.clone()).collect();
    (tables, columns)
}

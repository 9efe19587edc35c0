//! The tools of an agent's own: those that it makes for itself, and those that its person adds.

use crate::world::{Definition, Endpoint, World, each_store, on_sqlite};
use hub::{CallsQuery, Viewer, WrittenTool};
use protocol::agent::ProviderKind;
use protocol::approval::{PolicyDraft, Verdict};
use protocol::log::{EntryBody, Outcome};
use protocol::view::{ToolAuthor, ToolReach};
use protocol::{AgentId, FailureKind};
use serde_json::{Value, json};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(180);

#[tokio::test]
async fn a_person_reads_what_an_agent_made_and_takes_it_away() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        let agent = maker(&world, &ada, &endpoint).await;
        assert_eq!(scoped.made_tools().list(&agent).await.unwrap(), []);
        for version in [1, 2] {
            let answered = scoped.runs().ask(&agent, "script: list-tools", None, PATIENCE).await.unwrap();
            assert_eq!(answered.outcome, Some(Outcome::Completed), "{:?}", answered.error);
            let made = scoped.made_tools().list(&agent).await.unwrap();
            assert_eq!((made.len(), made[0].name.as_str(), made[0].version), (1, "water", version));
            assert!(made[0].made_at.is_some() && made[0].code.contains("is wet"), "{made:?}");
        }

        for (viewer, id, name) in
            [(&eve, &agent, "water"), (&ada, &AgentId::from("0198c0ffee"), "water"), (&ada, &agent, "fire")]
        {
            let refused = world.hub.for_viewer(viewer).made_tools().delete(id, name).await.unwrap_err();
            assert_eq!(refused.into_failure().kind, FailureKind::NotFound);
        }
        assert!(world.hub.for_viewer(&eve).made_tools().list(&agent).await.is_err());

        scoped.made_tools().delete(&agent, "water").await.unwrap();
        assert_eq!(scoped.made_tools().list(&agent).await.unwrap(), []);
        let told = scoped.runs().ask(&agent, "Is it gone?", None, PATIENCE).await.unwrap();
        let entries = scoped.conversations().entries(&agent, 0).await.unwrap();
        assert!(entries.iter().any(|entry| {
            entry.seq < told.seq && entry.body == EntryBody::ToolDeleted { name: "water".to_owned() }
        }));
        let requests = endpoint.requests().await;
        let declared = requests.last().unwrap()["body"]["tools"].to_string();
        assert!(declared.contains("create_tool") && !declared.contains("water"), "{declared}");
    })
    .await;
}

#[tokio::test]
async fn a_made_tool_whose_schema_grows_while_it_is_checked_is_neither_made_nor_called() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = maker(&world, &ada, &endpoint).await;
        let hostile = json!({
            "name": "bomb", "description": "Grows.", "input_schema": doubling(40), "code": "return 1",
        });
        let making = json!([[{ "tool": "create_tool", "input": hostile }], [{ "text": "{results}" }]]);
        let answered = scoped.runs().ask(&agent, &format!("turns: {making}"), None, PATIENCE).await.unwrap();
        assert!(answered.text.contains("$defs, which is not used here"), "{}", answered.text);
        assert_eq!(scoped.made_tools().list(&agent).await.unwrap(), []);

        // One that was stored before there were bounds is there for the person, and for nobody else.
        store(&world, &agent, &hostile).await;
        assert_eq!(scoped.made_tools().list(&agent).await.unwrap().len(), 1);
        let calling = json!([[{ "tool": "bomb", "input": {} }], [{ "text": "{results}" }]]);
        let answered = scoped.runs().ask(&agent, &format!("turns: {calling}"), None, PATIENCE).await.unwrap();
        assert!(answered.text.contains("bomb cannot be called: The schema has $"), "{}", answered.text);
        let declared = endpoint.requests().await.last().unwrap()["body"]["tools"].to_string();
        assert!(declared.contains("create_tool") && !declared.contains("bomb"), "{declared}");
    })
    .await;
}

#[tokio::test]
async fn patterns_that_take_long_end_with_the_process_that_checks_them() {
    on_sqlite(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = maker(&world, &ada, &endpoint).await;
        let patterns: Vec<_> =
            (0..32).map(|n| json!({ "pattern": format!("[ab]*a[ab]{{{}}}x", 1_500 + n) })).collect();
        let slow = json!({
            "name": "slow", "description": "Takes long.", "code": "return 1",
            "input_schema": { "type": "object", "properties": { "text": { "allOf": patterns } } },
        });
        store(&world, &agent, &slow).await;
        let mut seed = 1_u32;
        let letter = |_| {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            if seed >> 31 == 0 { 'a' } else { 'b' }
        };
        let text: String = (0..120_000).map(letter).collect();
        let calling = json!([[{ "tool": "slow", "input": { "text": text } }], [{ "text": "{results}" }]]);
        let answered = scoped.runs().ask(&agent, &format!("turns: {calling}"), None, PATIENCE).await.unwrap();
        assert!(answered.text.contains("Its patterns take too long"), "{}", answered.text);
    })
    .await;
}

#[tokio::test]
async fn of_many_made_tools_the_model_is_told_of_few_and_finds_the_others() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        for (given, told) in [(&["tool_search"][..], "mow_a mow_b mow_c mow_d mow_e mow_f mow_g mow_h"), (&["list_tools"], ALL)] {
            let agent = made_for(&world, &ada, &endpoint, given).await;
            for name in ALL.split(' ') {
                let tool = json!({ "name": name, "description": format!("Mows {name}."), "input_schema": { "type": "object" } });
                store(&world, &agent, &tool).await;
            }
            let finding = json!([
                [{ "tool": "tool_search", "input": { "query": "Mows mow_j" } }],
                [{ "tool": "mow_j", "input": {} }],
                [{ "text": "{results}" }],
            ]);
            let before = endpoint.requests().await.len();
            scoped.runs().ask(&agent, &format!("turns: {finding}"), None, PATIENCE).await.unwrap();
            let requests = endpoint.requests().await;
            let declared = |request: &Value| {
                let tools = request["body"]["tools"].as_array().cloned().unwrap_or_default();
                let names = tools.iter().filter_map(|tool| tool["function"]["name"].as_str().map(str::to_owned));
                names.filter(|name| name.starts_with("mow_")).collect::<Vec<_>>().join(" ")
            };
            assert_eq!(declared(&requests[before]), told);
            assert!(declared(requests.last().unwrap()).contains("mow_j"), "what was found can be called");
        }
    })
    .await;
}

/// Says what it sees, and counts.
const COUNT: &str = "const keys = flo.state.keys().join('+');
    flo.state.set('count', input.more + flo.state.get('beds'));
    return `beds ${flo.state.get('beds')}, secret ${flo.state.get('secret')}, keys ${keys}, document ${typeof document}`;";

#[tokio::test]
async fn a_tool_that_a_person_added_reaches_the_keys_that_it_declares_and_nothing_else() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = made_for(&world, &ada, &endpoint, &["state"]).await;
        for (key, value) in [("beds", json!(3)), ("secret", json!("moss"))] {
            let input = json!({ "action": "set", "key": key, "value": value });
            called(&world, &ada, &agent, "state", input).await;
        }
        assert_eq!(scoped.made_tools().write(&agent, written("count_beds", COUNT), 0).await.unwrap(), 1);
        let sneaky = "flo.state.set('count', 9); flo.state.set('secret', 9); return 'done'";
        scoped.made_tools().write(&agent, written("sneaky", sneaky), 0).await.unwrap();
        let open = WrittenTool {
            page: true,
            reads: String::new(),
            writes: String::new(),
            ..written("whole_state", "return `secret ${flo.state.get('secret')}`")
        };
        scoped.made_tools().write(&agent, open, 0).await.unwrap();
        let schema = json!({ "type": "object", "properties": { "more": { "type": "integer" } } });
        let peek = "return `more ${input.more}, keys ${Object.keys(input)}`";
        let peek = WrittenTool { input_schema: schema.to_string(), ..written("peek", peek) };
        scoped.made_tools().write(&agent, peek, 0).await.unwrap();

        let told = called(&world, &ada, &agent, "count_beds", json!({ "more": 2 })).await;
        assert!(told.contains("beds 3, secret undefined, keys beds, document undefined"), "{told}");
        let told = called(&world, &ada, &agent, "sneaky", json!({})).await;
        assert!(told.contains("It set secret, which it does not declare"), "{told}");
        let told = called(&world, &ada, &agent, "whole_state", json!({})).await;
        assert!(told.contains("secret moss"), "{told}");
        // What its schema was not asked about does not stand where it looks.
        let told = called(&world, &ada, &agent, "peek", json!({ "__proto__": { "more": "moss" } })).await;
        assert!(told.contains("more undefined, keys __proto__"), "{told}");
        let state = scoped.states().read(&agent).await.unwrap();
        assert_eq!(json!(state), json!({ "beds": 3, "secret": "moss", "count": 5 }));
        // What each could reach when it was called stands with the call.
        let lines = scoped.audit().calls(&CallsQuery::default()).await.unwrap().lines;
        let about = |name: &str| lines.iter().find(|line| line.tool == name).unwrap().about.clone();
        for (tool, reach) in [("count_beds", "beds → count"), ("whole_state", "page")] {
            assert_eq!(about(tool).as_deref(), Some(reach), "{tool}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_tool_from_a_file_waits_until_its_person_accepts_what_they_saw() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        let tools = scoped.made_tools();
        let author = made_for(&world, &ada, &endpoint, &["state"]).await;
        let agent = made_for(&world, &ada, &endpoint, &["state", "create_tool", "delete_tool"]).await;
        tools.write(&author, written("count_beds", COUNT), 0).await.unwrap();
        let file = tools.export(&author, "count_beds").await.unwrap();
        assert_eq!(file.name, "count_beds.tool.json");

        assert_eq!(tools.bring(&agent, &file.bytes).await.unwrap(), "count_beds");
        let waiting = tools.list(&agent).await.unwrap().remove(0);
        let declared = ToolReach { page: false, reads: vec!["beds".into()], writes: vec!["count".into()] };
        assert_eq!((waiting.waiting, waiting.author, waiting.reach), (true, ToolAuthor::File, declared));
        assert_eq!(waiting.code, COUNT);
        let told = called(&world, &ada, &agent, "count_beds", json!({ "more": 2 })).await;
        assert!(told.contains("There is no tool count_beds here."), "{told}");
        let offered = endpoint.requests().await.last().unwrap()["body"]["tools"].to_string();
        assert!(offered.contains("create_tool") && !offered.contains("count_beds"), "{offered}");
        let left = scoped.agents().left_behind(&agent).await.unwrap().copy;
        assert!(left.contains(&"Tools from files that you have not accepted: 1.".to_owned()), "{left:?}");
        assert!(tools.export(&agent, "count_beds").await.is_err(), "what waits is nobody's to give out");
        assert_eq!(news(&world, &ada, &agent).await, Vec::<String>::new());

        let of = |failed: hub::Error| failed.into_failure().kind;
        let theirs = world.hub.for_viewer(&eve);
        assert_eq!(of(theirs.made_tools().accept(&agent, "count_beds", 1).await.unwrap_err()), FailureKind::NotFound);
        assert_eq!(of(theirs.made_tools().bring(&agent, &file.bytes).await.unwrap_err()), FailureKind::NotFound);
        assert_eq!(of(tools.accept(&agent, "count_beds", 2).await.unwrap_err()), FailureKind::Conflict);
        tools.accept(&agent, "count_beds", 1).await.unwrap();
        called(&world, &ada, &agent, "state", json!({ "action": "set", "key": "beds", "value": 4 })).await;
        let told = called(&world, &ada, &agent, "count_beds", json!({ "more": 2 })).await;
        assert!(told.contains("beds 4, secret undefined"), "{told}");

        // The agent calls it, and neither changes it nor takes it away.
        let own = json!({ "name": "count_beds", "description": "Mine.", "input_schema": { "type": "object" }, "code": "return 1" });
        let told = called(&world, &ada, &agent, "create_tool", own).await;
        assert!(told.contains("that of a tool that your person added"), "{told}");
        let told = called(&world, &ada, &agent, "delete_tool", json!({ "name": "count_beds" })).await;
        assert!(told.contains("There is no such tool of your own"), "{told}");

        for refused in [
            tools.bring(&agent, &file.bytes).await.unwrap_err(),
            tools.write(&agent, written("count_beds", "return 1"), 0).await.unwrap_err(),
            tools.write(&agent, written("count_beds", "return 1"), 3).await.unwrap_err(),
        ] {
            assert_eq!(of(refused), FailureKind::Conflict);
        }
        assert_eq!(tools.write(&agent, written("count_beds", "return 1"), 1).await.unwrap(), 2);
        assert_eq!(tools.list(&agent).await.unwrap()[0].author, ToolAuthor::Person);
        tools.delete(&agent, "count_beds").await.unwrap();
        tools.bring(&agent, &file.bytes).await.unwrap();
        assert_eq!(tools.list(&agent).await.unwrap()[0].version, 3);
        // What was never the agent's leaves nothing in its log.
        tools.delete(&agent, "count_beds").await.unwrap();
        assert_eq!(tools.list(&agent).await.unwrap(), []);
        assert_eq!(news(&world, &ada, &agent).await, ["made 1", "made 2", "gone"]);
    })
    .await;
}

#[tokio::test]
async fn a_newer_file_of_a_tool_waits_beside_it_with_its_difference_until_that_very_version_is_accepted() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        let scoped = world.hub.for_viewer(&ada);
        let tools = scoped.made_tools();
        let author = made_for(&world, &ada, &endpoint, &["state"]).await;
        let agent = made_for(&world, &ada, &endpoint, &["state"]).await;
        let mut seen = 0;
        let mut file = async |code: &str| {
            seen = tools.write(&author, written("mow", code), seen).await.unwrap();
            tools.export(&author, "mow").await.unwrap().bytes
        };
        let (first, second, third) =
            (file("return 'first'").await, file("return 'second'").await, file("return 'third'").await);
        tools.bring(&agent, &first).await.unwrap();
        // What waits is replaced by a newer file, and only what was seen is accepted.
        tools.bring(&agent, &second).await.unwrap();
        let of = |failed: hub::Error| failed.into_failure().kind;
        assert_eq!(of(tools.accept(&agent, "mow", 1).await.unwrap_err()), FailureKind::Conflict);
        tools.accept(&agent, "mow", 2).await.unwrap();

        let offered = async || tools.list(&agent).await.unwrap().remove(0).offered;
        tools.bring(&agent, &first).await.unwrap();
        let old = offered().await.unwrap();
        tools.bring(&agent, &third).await.unwrap();
        let new = offered().await.unwrap();
        assert!(new.changes.contains("-return 'second'\n+return 'third'"), "{}", new.changes);
        assert_ne!(old.digest, new.digest);
        let told = called(&world, &ada, &agent, "mow", json!({ "more": 1 })).await;
        assert!(told.contains("second"), "{told}");
        let left = scoped.agents().left_behind(&agent).await.unwrap().copy;
        assert!(left.contains(&"Tools from files that you have not accepted: 1.".to_owned()), "{left:?}");
        let theirs = world.hub.for_viewer(&eve);
        let refused = theirs.made_tools().accept_offered(&agent, "mow", &new.digest).await.unwrap_err();
        assert_eq!(of(refused), FailureKind::NotFound);
        assert_eq!(of(theirs.made_tools().refuse(&agent, "mow").await.unwrap_err()), FailureKind::NotFound);
        let refused = tools.accept_offered(&agent, "mow", &old.digest).await.unwrap_err();
        assert_eq!(of(refused), FailureKind::Conflict);
        tools.accept_offered(&agent, "mow", &new.digest).await.unwrap();
        let told = called(&world, &ada, &agent, "mow", json!({ "more": 1 })).await;
        assert!(told.contains("third"), "{told}");
        let has = tools.list(&agent).await.unwrap().remove(0);
        assert_eq!((has.version, has.author, has.offered), (3, ToolAuthor::File, None));
        assert_eq!(of(tools.bring(&agent, &third).await.unwrap_err()), FailureKind::Conflict);

        tools.bring(&agent, &first).await.unwrap();
        tools.refuse(&agent, "mow").await.unwrap();
        assert_eq!(offered().await, None);
        assert_eq!(of(tools.refuse(&agent, "mow").await.unwrap_err()), FailureKind::NotFound);
        assert_eq!(news(&world, &ada, &agent).await, ["made 2", "made 3"]);
    })
    .await;
}

#[tokio::test]
async fn a_newer_file_of_a_tool_is_let_go_once_its_name_means_a_tool_of_ours() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let agent = Definition::named("Fern").create(&world.hub.for_viewer(&ada)).await.id;
        let tool = json!({ "name": "bash", "description": "Mows.", "input_schema": { "type": "object" } });
        store(&world, &agent, &tool).await;
        let offered = json!({ "spec": tool, "code": "return 2", "reach": {} }).to_string();
        let offering = sqlx::query("UPDATE agent_tools SET offered = $1").bind(offered);
        offering.execute(world.store().await.read()).await.unwrap();
        let tools = world.reopened().await.for_viewer(&ada).made_tools().list(&agent).await.unwrap();
        assert_eq!((tools[0].name.as_str(), &tools[0].offered), ("bash_own", &None));
    })
    .await;
}

#[tokio::test]
async fn what_allows_a_tool_by_its_name_ends_with_that_tool() {
    each_store(async |world: World| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let (tools, policies) = (scoped.made_tools(), scoped.policies());
        let agent = Definition::named("Fern").create(&scoped).await.id;
        let other = Definition::named("Moss").create(&scoped).await.id;
        let say = async |verdict: &str, tool: &str, agent: &str| {
            let draft = PolicyDraft {
                verdict: verdict.to_owned(),
                tool: tool.to_owned(),
                agent: agent.to_owned(),
                ..PolicyDraft::default()
            };
            policies.add(&draft).await.unwrap();
        };
        let rules = async |agent: &AgentId| {
            let rules = policies.list(agent).await.unwrap();
            let mut rules: Vec<_> = rules.into_iter().map(|rule| (rule.verdict, rule.tool)).collect();
            rules.sort_by_key(|(_, tool)| tool.clone());
            rules
        };
        let file = |name: &str, code: &str| {
            let schema = json!({ "type": "object" });
            json!({
                "vivarium_tool": 1, "name": name, "description": "Mows.", "input_schema": schema, "code": code,
            })
            .to_string()
        };
        let of = |verdict: Verdict, tool: &str| (verdict, tool.to_owned());

        tools.bring(&agent, file("mow", "return 1").as_bytes()).await.unwrap();
        tools.accept(&agent, "mow", 1).await.unwrap();
        for (verdict, tool, whose) in [
            ("allow", "mow", &*agent.0),
            ("allow", "mow", ""),
            ("deny", "mow", ""),
            ("allow", "m*", ""),
            ("allow", "mow", &*other.0),
        ] {
            say(verdict, tool, whose).await;
        }
        tools.delete(&agent, "mow").await.unwrap();
        assert_eq!(rules(&agent).await, [of(Verdict::Allow, "m*"), of(Verdict::Deny, "mow")]);
        assert!(rules(&other).await.contains(&of(Verdict::Allow, "mow")), "another agent's tool is another one");

        // One that the agent made, and its person writes anew.
        let made = json!({ "name": "sow", "description": "Sows.", "input_schema": { "type": "object" } });
        store(&world, &agent, &made).await;
        let allowed = async || rules(&agent).await.contains(&of(Verdict::Allow, "sow"));
        say("allow", "sow", &agent.0).await;
        tools.write(&agent, written("sow", "return 2"), 1).await.unwrap();
        assert!(!allowed().await, "it is another author's");
        say("allow", "sow", &agent.0).await;
        tools.write(&agent, written("sow", "return 3"), 2).await.unwrap();
        assert!(allowed().await, "it is the same author's");
        tools.bring(&agent, file("sow", "return 4").as_bytes()).await.unwrap();
        assert!(allowed().await, "it is not accepted");
        let digest = tools.list(&agent).await.unwrap().remove(0).offered.unwrap().digest;
        tools.accept_offered(&agent, "sow", &digest).await.unwrap();
        assert!(!allowed().await, "a file is somebody else's each time");

        tools.bring(&agent, file("hoe", "return 5").as_bytes()).await.unwrap();
        say("allow", "hoe", &agent.0).await;
        tools.refuse(&agent, "hoe").await.unwrap();
        assert!(!rules(&agent).await.contains(&of(Verdict::Allow, "hoe")));
    })
    .await;
}

#[tokio::test]
async fn a_file_that_declares_what_there_is_not_is_refused_whole() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = made_for(&world, &ada, &endpoint, &[]).await;
        let with = |part: &str, value: Value| {
            let mut file = json!({
                "vivarium_tool": 1, "name": "mow", "description": "Mows.",
                "input_schema": { "type": "object" }, "code": "return 1",
            });
            file[part] = value;
            file.to_string()
        };
        for (file, words) in [
            ("{".to_owned(), "not that of a tool"),
            (with("vivarium_tool", json!(2)), "later form"),
            (with("reach", json!({ "network": true })), "unknown field `network`"),
            (with("reach", json!({ "page": true, "reads": ["beds"] })), "either the page or the keys"),
            (with("reach", json!({ "reads": [""] })), "A key has 1 to"),
            (with("name", json!("Mow it")), "a letter first"),
            (with("name", json!("dom")), "built-in"),
            (with("input_schema", doubling(4)), "$defs"),
            (with("code", json!("x".repeat(300_000))), "256 KB"),
            (with("more", json!(vec![0; 3_000])), "more values"),
        ] {
            let refused = scoped.made_tools().bring(&agent, file.as_bytes()).await.unwrap_err();
            let told = refused.into_failure().message;
            assert!(told.contains(words), "{words}: {told}");
        }
        assert_eq!(scoped.made_tools().list(&agent).await.unwrap(), []);
        // One that declares nothing reaches nothing.
        scoped.made_tools().bring(&agent, with("more", json!(1)).as_bytes()).await.unwrap();
        assert_eq!(scoped.made_tools().list(&agent).await.unwrap()[0].reach, ToolReach::default());
    })
    .await;
}

#[tokio::test]
async fn a_reply_is_not_asked_to_be_longer_than_its_model_can_make_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        let agent = maker(&world, &ada, &endpoint).await;
        let view = scoped.agents().get(&agent).await.unwrap();
        for (model, asked, expected) in [("gpt-5-mini", 200_000, 128_000), ("gpt-5-mini", 500, 500)] {
            let wordy = Definition::like(&view).model(&view.provider.clone().unwrap(), model).output(asked);
            wordy.replace(&scoped, &agent).await;
            scoped.runs().ask(&agent, "Hello", None, PATIENCE).await.unwrap();
            let body = endpoint.requests().await.last().unwrap()["body"].clone();
            let most =
                [&body["max_completion_tokens"], &body["max_tokens"]].into_iter().find_map(Value::as_u64);
            assert_eq!(most, Some(expected), "{body}");
        }
    })
    .await;
}

const ALL: &str = "mow_a mow_b mow_c mow_d mow_e mow_f mow_g mow_h mow_i mow_j";

/// A tool that declares to read the key `beds` and to set the key `count`.
fn written(name: &str, code: &str) -> WrittenTool {
    WrittenTool {
        name: name.to_owned(),
        description: "Counts.".to_owned(),
        input_schema: json!({ "type": "object" }).to_string(),
        code: code.to_owned(),
        page: false,
        reads: "beds\r\n".to_owned(),
        writes: "count".to_owned(),
    }
}

/// What came of a call that the agent's model makes.
async fn called(world: &World, viewer: &Viewer, agent: &AgentId, tool: &str, input: Value) -> String {
    let turns = json!([[{ "tool": tool, "input": input }], [{ "text": "{results}" }]]);
    let scoped = world.hub.for_viewer(viewer);
    scoped.runs().ask(agent, &format!("turns: {turns}"), None, PATIENCE).await.unwrap().text
}

/// What the log tells of the agent's own tools.
async fn news(world: &World, viewer: &Viewer, agent: &AgentId) -> Vec<String> {
    let entries = world.hub.for_viewer(viewer).conversations().entries(agent, 0).await.unwrap();
    let told = entries.iter().filter_map(|entry| match &entry.body {
        EntryBody::ToolCreated { version, .. } => Some(format!("made {version}")),
        EntryBody::ToolDeleted { .. } => Some("gone".to_owned()),
        _ => None,
    });
    told.collect()
}

/// An agent that may make tools.
async fn maker(world: &World, viewer: &Viewer, endpoint: &Endpoint) -> AgentId {
    made_for(world, viewer, endpoint, &["list_tools", "create_tool"]).await
}

async fn made_for(world: &World, viewer: &Viewer, endpoint: &Endpoint, tools: &[&str]) -> AgentId {
    let scoped = world.hub.for_viewer(viewer);
    let provider = endpoint.provider(&scoped, ProviderKind::OpenAi).await;
    Definition::on(&provider, "gpt-5-mini").tools(tools.iter().copied()).create(&scoped).await.id
}

/// A schema each level of which doubles what there is to check.
fn doubling(levels: usize) -> Value {
    let mut schema = json!({ "type": "object", "$ref": "#/$defs/d0", "$defs": {} });
    for level in 0..levels {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        schema["$defs"][format!("d{level}")] = json!({ "allOf": [next, next] });
    }
    schema["$defs"][format!("d{levels}")] = json!({});
    schema
}

async fn store(world: &World, agent: &AgentId, tool: &Value) {
    let mut spec = tool.clone();
    spec.as_object_mut().unwrap().remove("code");
    let store = world.store().await;
    let mut tx = store.write().await.unwrap();
    let sql = "INSERT INTO agent_tools (agent_id, name, version, spec, code, deleted, made_at)
        VALUES ($1, $2, 1, $3, 'return 1', 0, 0)";
    let insert = sqlx::query(sql).bind(&agent.0).bind(tool["name"].as_str()).bind(spec.to_string());
    insert.execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

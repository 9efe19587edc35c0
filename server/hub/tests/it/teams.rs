//! Teams from a file and into one, and what the limit of a role holds for.

use crate::talk::{ada, ask};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::Scoped;
use protocol::agent::{Home, ProviderKind};
use protocol::view::{AgentView, LoopSettings, SamplingSettings};
use protocol::{AgentId, FailureKind};
use serde_json::{Value, json};

const NEWSROOM: &str = "\
team: Newsroom
agents:
  - role: editor
    description: Has the others work.
    instructions: You lead.
    tools: [leading, terminal, web_search, rm]
    model: claude-sonnet-4-5
    names: [Anna]
    most: 1
  - role: reviewer
    description: Says what is wrong.
    instructions: Look closely at what is said.
    tools: [read, write, memory]
    model: claude-sonnet-4-5
    home: browser
    least: 2
    most: 3
    temper: mild
    loop:
      sampling:
        temperature: 0.5
        extra: { top_logprobs: 2 }
  - role: poet
    model: no-such-model
    least: 0
";

async fn names(scoped: &Scoped<'_>) -> Vec<String> {
    let mut names: Vec<String> =
        scoped.agents().list().await.unwrap().into_iter().map(|card| card.name).collect();
    names.sort();
    names
}

async fn agent(scoped: &Scoped<'_>, name: &str) -> AgentView {
    let cards = scoped.agents().list().await.unwrap();
    let card = cards.into_iter().find(|card| card.name == name).unwrap_or_else(|| panic!("no {name}"));
    scoped.agents().get(&card.id).await.unwrap()
}

async fn make(scoped: &Scoped<'_>, text: &str) -> Vec<String> {
    let file = scoped.teams().bring(text).await.unwrap();
    let made = scoped.teams().make(&file).await.unwrap();
    made.into_iter().map(|agent| agent.name).collect()
}

#[tokio::test]
async fn a_team_is_shown_with_what_does_not_fit_and_made_at_once_or_not_at_all() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, eve) = (world.person("ada").await, world.person("eve").await);
        let (scoped, eves) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&eve));
        endpoint.provider(&scoped, ProviderKind::Anthropic).await;
        let file = scoped.teams().bring(&NEWSROOM.replace('\n', "\r\n")).await.unwrap();
        let review = scoped.teams().review(&file).await.unwrap();
        assert_eq!(review.team.as_deref(), Some("Newsroom"));
        assert!(names(&scoped).await.is_empty(), "nothing is made yet");
        let [editor, reviewer, poet] = review.roles.as_slice() else { panic!("three roles") };
        assert_eq!((editor.line, editor.provider.as_deref(), editor.makes.as_slice()), (3, Some("Test"), ["Anna".to_owned()].as_slice()));
        assert!(editor.tools.contains(&"agent_spawn".to_owned()) && !editor.tools.contains(&"terminal".to_owned()));
        assert_eq!(
            editor.notices,
            [
                "Line 6: the tool \"terminal\" is left out: a terminal you give yourself, in its settings.",
                "Line 6: the tool \"web_search\" is left out: it comes with what of the web you let the agent reach, in its settings.",
                "Line 6: the tool \"rm\" is left out: there is no such tool.",
            ]
        );
        assert_eq!(reviewer.makes, ["Reviewer", "Reviewer 2"]);
        assert_eq!(reviewer.notices, ["Line 18: \"temper\" means nothing here and is left out."]);
        assert_eq!((poet.provider.as_deref(), poet.makes.len()), (None, 0));
        assert_eq!(
            poet.notices,
            ["Line 24: none of your providers has the model \"no-such-model\". Choose one in the agent's settings."]
        );
        assert_eq!(eves.teams().review(&file).await.unwrap_err().into_failure().kind, FailureKind::NotFound);
        assert_eq!(eves.teams().make(&file).await.unwrap_err().into_failure().kind, FailureKind::NotFound);

        scoped.teams().make(&file).await.unwrap();
        assert_eq!(names(&scoped).await, ["Anna", "Reviewer", "Reviewer 2"]);
        let made = agent(&scoped, "Reviewer").await;
        assert_eq!((made.home, made.model.as_str()), (Home::Browser, "claude-sonnet-4-5"));
        assert_eq!(made.loop_settings.sampling.temperature, Some(0.5));
        assert_eq!(made.loop_settings.sampling.extra, Some(json!({ "top_logprobs": 2 })));
        assert!(scoped.teams().make(&file).await.is_err(), "it was made");

        // What is there counts, and stays as it is.
        let changed = NEWSROOM.replace("Look closely", "Look twice");
        assert!(make(&scoped, &changed).await.is_empty());
        assert!(agent(&scoped, "Reviewer").await.instructions.starts_with("Look closely"));
        let roles = scoped.agent_roles().list().await.unwrap();
        let counts: Vec<_> = roles.iter().map(|role| (role.name.as_str(), role.agents.len(), role.most)).collect();
        assert_eq!(counts, [("editor", 1, Some(1)), ("poet", 0, None), ("reviewer", 2, Some(3))]);
        assert!(eves.agent_roles().list().await.unwrap().is_empty());

        // One mistake anywhere, and nothing of it is made.
        let spoilt = "agents:\n- role: cook\n- role: waiter\n  loop: { rounds: 99 }\n";
        let file = scoped.teams().bring(spoilt).await.unwrap();
        let refused = scoped.teams().make(&file).await.unwrap_err().into_failure();
        assert_eq!((refused.kind, refused.message.as_str()), (FailureKind::Invalid, "Line 3: A run has 1 to 50 rounds."));
        assert_eq!(scoped.agent_roles().list().await.unwrap().len(), 3);
        assert!(scoped.teams().bring(&"x".repeat(256 * 1024 + 1)).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn what_is_exported_comes_back_the_same() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, ben) = (world.person("ada").await, world.person("ben").await);
        let (scoped, bens) = (world.hub.for_viewer(&viewer), world.hub.for_viewer(&ben));
        let provider = endpoint.provider(&scoped, ProviderKind::Anthropic).await;
        endpoint.provider(&bens, ProviderKind::Anthropic).await;
        make(&scoped, NEWSROOM).await;
        let sampling = SamplingSettings { seed: Some(7), ..SamplingSettings::default() };
        let settings = LoopSettings { sampling, ..LoopSettings::default() };
        let alone =
            Definition::named("Moss: the #1").model(&provider, "claude-sonnet-4-5").settings(settings);
        let alone = alone.create(&scoped).await;
        let changed = agent(&scoped, "Reviewer 2").await;
        Definition::like(&changed).replace(&scoped, &changed.id).await;
        scoped.files().write(&alone.id, "a.txt", b"a").await.unwrap();

        let cards = scoped.agents().list().await.unwrap();
        let mut chosen: Vec<AgentId> = cards.into_iter().map(|card| card.id).collect();
        chosen.sort();
        let export = scoped.teams().export(&chosen).await.unwrap();
        chosen.reverse();
        assert_eq!(scoped.teams().export(&chosen).await.unwrap().text, export.text);
        assert!(
            export.left_behind.contains(&"Moss: the #1: its files.".to_owned()),
            "{:?}",
            export.left_behind
        );
        assert!(
            export
                .left_behind
                .iter()
                .any(|words| words.starts_with("Reviewer 2 is not as its role reviewer is")),
            "{:?}",
            export.left_behind
        );
        assert_eq!(
            bens.teams().export(&chosen).await.unwrap_err().into_failure().kind,
            FailureKind::NotFound
        );
        assert!(scoped.teams().export(&[]).await.is_err());

        make(&bens, &export.text).await;
        assert_eq!(names(&bens).await, names(&scoped).await);
        for name in names(&scoped).await {
            let (own, other) = (agent(&scoped, &name).await, agent(&bens, &name).await);
            assert_eq!(
                (&own.instructions, &own.model, &own.tools),
                (&other.instructions, &other.model, &other.tools)
            );
            assert_eq!(
                (own.home, &own.colour, &own.loop_settings),
                (other.home, &other.colour, &other.loop_settings)
            );
        }
        let mut brought = Vec::new();
        for id in &chosen {
            let name = scoped.agents().get(id).await.unwrap().name;
            brought.push(agent(&bens, &name).await.id);
        }
        let again = bens.teams().export(&brought).await.unwrap();
        assert_eq!(again.text, export.text);
    })
    .await;
}

#[tokio::test]
async fn the_limit_of_a_role_holds_whoever_wants_another_of_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let eve = world.person("eve").await;
        make(&scoped, NEWSROOM).await;
        let role = async |name: &str| {
            let roles = scoped.agent_roles().list().await.unwrap();
            roles.into_iter().find(|role| role.name == name).unwrap()
        };
        let reviewer = role("reviewer").await.id;
        assert_eq!(scoped.agent_roles().another(&reviewer).await.unwrap().name, "Reviewer 3");
        for refused in [
            scoped.agent_roles().another(&reviewer).await.map(drop),
            scoped.copies().make(&agent(&scoped, "Reviewer").await.id).await.map(drop),
        ] {
            let refused = refused.unwrap_err().into_failure();
            assert_eq!(refused.kind, FailureKind::Limit);
            assert!(
                refused.message.starts_with("The role reviewer is for 3 at a time"),
                "{}",
                refused.message
            );
        }
        let eves = world.hub.for_viewer(&eve);
        assert!(eves.agent_roles().another(&reviewer).await.is_err());
        assert!(eves.agent_roles().set_limit(&reviewer, None).await.is_err());
        assert!(eves.agent_roles().delete(&reviewer).await.is_err());

        // An agent asks for one by its role: it is told so, has what the role brings, and is held to the limit.
        let tools = ["agent_spawn", "agent_wait", "agent_list", "read", "write"];
        let leader =
            scoped.agents().edit(&view.id, Definition::like(&view).tools(tools).draft()).await.unwrap();
        let spawn = |role: &str| {
            let input = json!({ "label": "Moss", "task": "Say moss.", "role": role, "wait_seconds": 60 });
            json!([{ "tool": "agent_spawn", "input": input }])
        };
        let said = async |calls: Value| {
            let turns = json!([calls, [{ "text": "{results}" }]]);
            ask(&scoped, &leader.id, &leader.conversation, &format!("turns: {turns}")).await
        };
        let list = said(json!([{ "tool": "agent_list", "input": {} }])).await;
        assert!(list.contains("Says what is wrong.") && list.contains("reviewer"), "{list}");
        let refused = said(spawn("reviewer")).await;
        assert!(refused.contains("The role reviewer is for 3 at a time"), "{refused}");
        assert!(said(spawn("cook")).await.contains("There is no role cook"));
        scoped.agent_roles().set_limit(&reviewer, Some(4)).await.unwrap();
        for _ in 0..2 {
            // The first one is done, and leaves its place.
            let done = said(spawn("Reviewer")).await;
            assert!(done.contains("You said: Say moss."), "{done}");
        }
        let sent = endpoint.requests().await;
        let asked = sent
            .iter()
            .map(|request| &request["body"])
            .find(|body| body["system"].to_string().contains("Look closely at what is said."));
        let asked = asked.expect("its instructions are the role's");
        let given: Vec<&str> =
            asked["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
        assert!(given.contains(&"read") && given.contains(&"write"), "{given:?}");
        assert!(!given.contains(&"memory") && !given.contains(&"agent_spawn"), "{given:?}");
        assert_eq!((&asked["temperature"], &asked["top_logprobs"]), (&json!(0.5), &json!(2)));

        scoped.agent_roles().delete(&reviewer).await.unwrap();
        assert!(names(&scoped).await.contains(&"Reviewer".to_owned()), "its agents stay");
        scoped.copies().make(&agent(&scoped, "Reviewer").await.id).await.unwrap();
    })
    .await;
}

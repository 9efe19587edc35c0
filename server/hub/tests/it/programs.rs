//! Other programs that call a person's models: names, money, and what is left when they hang up.

mod alone;
mod answers;
mod limits;
mod opened;
mod place;
mod pushes;
mod runs;
mod settling;
mod words;

use crate::talk::a_moment;
use crate::world::{Definition, Endpoint, World, each_store};
use futures_util::StreamExt;
use hub::{Api, Body, OpenedAgents, Program, Reply, Viewer, Words};
use protocol::Caps;
use protocol::agent::ProviderKind;
use protocol::log::{EntryBody, Outcome};
use protocol::view::{AgentView, CallKind, Share, TokenScope, UsageView};
use protocol::{Micros, TokenId};
use serde_json::{Value, json};

/// A program with a token of this person's, for models only.
pub async fn program(world: &World, viewer: &Viewer, per_month: Option<Micros>) -> (Program, TokenId) {
    let scoped = world.hub.for_viewer(viewer);
    let made = scoped
        .account()
        .make_token("script", TokenScope::Agents, Words::Own, per_month, OpenedAgents::All)
        .await
        .unwrap();
    let bearer = world.hub.accounts().bearer(&made.token, "").await.unwrap().unwrap();
    assert!(bearer.viewer.is_none(), "it calls models and does nothing else");
    (bearer.program, made.view.id)
}

pub async fn provider(world: &World, viewer: &Viewer, name: &str, kind: ProviderKind, endpoint: &Endpoint) {
    let url = Some(endpoint.url.as_str());
    world.hub.for_viewer(viewer).providers().save(None, name, kind, url, Some("key-good")).await.unwrap();
}

pub async fn chat(world: &World, program: &Program, body: Value) -> Reply {
    world.hub.for_program(program).answer(Api::Chat, body.to_string().into()).await
}

pub fn hello(model: &str, text: &str) -> Value {
    json!({ "model": model, "max_tokens": 10_000, "messages": [{ "role": "user", "content": text }] })
}

fn json_of(reply: Reply) -> (u16, Value) {
    let Body::Json(bytes) = reply.body else { panic!("it is no stream") };
    (reply.status, serde_json::from_slice(&bytes).unwrap())
}

async fn usage(world: &World, viewer: &Viewer) -> UsageView {
    world.hub.for_viewer(viewer).ledger().usage().await.unwrap()
}

#[tokio::test]
async fn a_model_is_found_by_its_provider_or_alone_where_one_has_it() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let (program, _) = program(&world, &ada, None).await;
        let (status, body) = json_of(chat(&world, &program, hello("gpt-5-mini", "Hi")).await);
        assert_eq!((status, &body["error"]["code"]), (404, &json!("model_not_found")), "{body}");
        provider(&world, &ada, "One", ProviderKind::OpenAi, &endpoint).await;
        provider(&world, &ada, "Two", ProviderKind::OpenAi, &endpoint).await;
        provider(&world, &ada, "Clau/de", ProviderKind::Anthropic, &endpoint).await;
        let names = world.hub.for_program(&program).models().await.unwrap();
        let names: Vec<&str> = names.iter().map(|model| model.id.as_str()).collect();
        assert!(
            names.contains(&"One/gpt-5-mini") && names.contains(&"Clau/de/claude-sonnet-4-5"),
            "{names:?}"
        );
        for (model, expected) in [
            ("One/gpt-5-mini", Ok(())),
            ("Two/gpt-5-mini", Ok(())),
            ("Clau/de/claude-sonnet-4-5", Ok(())),
            ("claude-sonnet-4-5", Ok(())),
            ("gpt-5-mini", Err("Say which one: One/gpt-5-mini, Two/gpt-5-mini.")),
            ("gpt-9", Err("None of your providers has a model named gpt-9.")),
            ("One/gpt-9", Err("does not exist")),
        ] {
            let (status, body) = json_of(chat(&world, &program, hello(model, "Hi")).await);
            match expected {
                Ok(()) => {
                    assert_eq!(status, 200, "{model}: {body}");
                    assert_eq!(body["choices"][0]["message"]["content"], "You said: Hi");
                    assert_eq!(body["model"], model);
                }
                Err(why) => {
                    assert_eq!(status, 404, "{model}");
                    assert!(body["error"]["message"].as_str().unwrap().contains(why), "{body}");
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_provider_that_does_not_answer_does_not_spoil_the_list() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let (program, _) = program(&world, &ada, None).await;
        let scoped = world.hub.for_viewer(&ada);
        let nobody = Some("http://127.0.0.1:1");
        scoped.providers().save(None, "Down", ProviderKind::Ollama, nobody, None).await.unwrap();
        for at in 0..20 {
            provider(&world, &ada, &format!("Chat {at}"), ProviderKind::OpenAi, &endpoint).await;
        }
        let names = world.hub.for_program(&program).models().await.unwrap();
        let has = |provider: &str| names.iter().any(|model| model.id == format!("{provider}/gpt-5-mini"));
        assert!((0..20).all(|at| has(&format!("Chat {at}"))), "{names:?}");
        // The next one is remembered.
        let asked = endpoint.requests().await.len();
        assert_eq!(world.hub.for_program(&program).models().await.unwrap(), names);
        assert_eq!(endpoint.requests().await.len(), asked);
    })
    .await;
}

#[tokio::test]
async fn a_program_s_call_is_in_the_books_of_its_token() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let (program, token) = program(&world, &ada, None).await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (status, body) = json_of(chat(&world, &program, hello("claude-sonnet-4-5", "Hi")).await);
        assert_eq!(status, 200, "{body}");
        let usage = usage(&world, &ada).await;
        assert_eq!((usage.programs.len(), usage.agents.len()), (1, 0));
        assert_eq!((usage.programs[0].name.as_str(), usage.programs[0].calls), ("script", 1));
        assert_eq!(usage.kinds[0].kind, CallKind::Program);
        assert_eq!(usage.programs[0].input_tokens, body["usage"]["prompt_tokens"].as_u64().unwrap());
        assert!(usage.programs[0].cost.0 > 0);
        let sheet = world.hub.for_viewer(&ada).ledger().usage_sheet().await.unwrap();
        assert!(sheet.lines().nth(1).unwrap().ends_with(&format!("program,\"script\",{token}")), "{sheet}");
        world.hub.for_viewer(&ada).account().revoke_token(&token).await.unwrap();
        let after = crate::programs::usage(&world, &ada).await;
        assert_eq!((after.programs[0].name.as_str(), after.programs[0].calls), ("", 1));
    })
    .await;
}

/// Ten thousand tokens of output are held as 15 cents.
#[tokio::test]
async fn a_program_that_could_pass_a_limit_is_not_let_through() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let scoped = world.hub.for_viewer(&ada);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (poor, _) = program(&world, &ada, Some(Micros(100_000))).await;
        let (rich, _) = program(&world, &ada, Some(Micros(10_000_000))).await;
        let refused = chat(&world, &poor, hello("claude-sonnet-4-5", "Hi")).await;
        assert_eq!(refused.should_retry, Some(false));
        let (status, body) = json_of(refused);
        assert_eq!((status, &body["error"]["type"]), (429, &json!("insufficient_quota")));
        let why = body["error"]["message"].as_str().unwrap();
        assert!(why.starts_with("The program with this token may spend $0.10 a month."), "{why}");
        assert_eq!(json_of(chat(&world, &rich, hello("claude-sonnet-4-5", "Hi")).await).0, 200);
        let caps = Caps { per_day: Some(Micros(1000)), ..Caps::default() };
        scoped.ledger().limit_own(&caps).await.unwrap();
        let (status, body) = json_of(chat(&world, &rich, hello("claude-sonnet-4-5", "Hi")).await);
        assert_eq!(status, 429, "{body}");
        assert!(body["error"]["message"].as_str().unwrap().contains("may spend $0.001000 a day"), "{body}");
    })
    .await;
}

#[tokio::test]
async fn fifty_calls_race_for_the_money_of_ten() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, Some(Micros(1_620_000))).await;
        let body = hello("claude-sonnet-4-5", "turns: [[{\"text\":\"a gate b\",\"gate\":\"gate\"}]]");
        let calls = (0..50).map(|_| chat(&world, &program, body.clone()));
        let open = async {
            loop {
                endpoint.open_gate().await;
            }
        };
        let replies = tokio::select! {
            replies = futures_util::future::join_all(calls) => replies,
            () = open => unreachable!("it goes on for ever"),
        };
        let good = replies.iter().filter(|reply| reply.status == 200).count();
        let usage = usage(&world, &ada).await;
        assert_eq!(usage.programs[0].calls, u64::try_from(good).unwrap());
        assert!(good >= 10 && usage.programs[0].cost <= Micros(1_620_000), "{good} {:?}", usage.programs);
        // Nothing is held any more: the money of one call is there again.
        let last = chat(&world, &program, hello("claude-sonnet-4-5", "Hi")).await;
        assert_eq!(last.status, 200);
    })
    .await;
}

#[tokio::test]
async fn who_hangs_up_in_the_middle_has_used_what_came_and_holds_nothing() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, Some(Micros(320_000))).await;
        let mut body =
            hello("claude-sonnet-4-5", "turns: [[{\"text\":\"some words gate b\",\"gate\":\"gate\"}]]");
        body["stream"] = json!(true);
        let reply = chat(&world, &program, body).await;
        let Body::Events(mut events) = reply.body else { panic!("it is a stream") };
        let mut heard = String::new();
        while !heard.contains("words") {
            heard += std::str::from_utf8(&events.next().await.unwrap()).unwrap();
        }
        drop(events);
        let used = loop {
            let usage = usage(&world, &ada).await;
            if let [line] = usage.programs.as_slice() {
                break line.clone();
            }
            a_moment().await;
        };
        assert!(used.calls == 1 && used.input_tokens > 0 && used.output_tokens > 0, "{used:?}");
        let again = chat(&world, &program, hello("claude-sonnet-4-5", "Hi")).await;
        assert_eq!(again.status, 200, "the hold was let go of");
    })
    .await;
}

#[tokio::test]
async fn a_failure_comes_as_its_api_says_it_and_costs_nothing() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let (program, _) = program(&world, &ada, Some(Micros(10_000_000))).await;
        let calling = world.hub.for_program(&program);
        let turns = "turns: [{\"status\":429,\"type\":\"rate_limit_error\",\"message\":\"Slow.\",\"retry_after\":\"7\"}]";
        for (api, name, words, limit, streams) in [
            (Api::Chat, "One", "messages", "max_tokens", true),
            (Api::Messages, "Two", "messages", "max_tokens", false),
            (Api::Responses, "Three", "input", "max_output_tokens", true),
        ] {
            // A provider that said so is left alone for a while.
            provider(&world, &ada, name, ProviderKind::Anthropic, &endpoint).await;
            let body = json!({
                "model": format!("{name}/claude-sonnet-4-5"), limit: 100, "stream": streams,
                words: [{ "role": "user", "content": turns }],
            });
            let reply = calling.answer(api, body.to_string().into()).await;
            assert_eq!((reply.retry_after_ms.is_some(), reply.should_retry), (true, Some(true)), "{api:?}");
            let (status, body) = json_of(reply);
            assert_eq!(status, 429, "{body}");
            assert_eq!(body["error"]["type"], "rate_limit_error");
        }
        assert_eq!(usage(&world, &ada).await.programs, []);
    })
    .await;
}

#[tokio::test]
async fn a_form_reaches_the_provider_and_what_it_cannot_have_is_refused() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        let (program, _) = program(&world, &ada, None).await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        provider(&world, &ada, "Chat", ProviderKind::OpenAi, &endpoint).await;
        agent(&world, &ada, "Fern").await;
        let schema = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        let format = json!({ "type": "json_schema", "json_schema": {
            "name": "empty", "schema": schema, "strict": true,
        } });
        for (model, place) in [
            ("Claude/claude-sonnet-4-5", "/body/output_config/format/schema"),
            ("Chat/gpt-5-mini", "/body/response_format/json_schema/schema"),
        ] {
            let mut body = hello(model, "turns: [[{\"text\":\"{}\"}]]");
            body["response_format"] = format.clone();
            let (status, body) = json_of(chat(&world, &program, body).await);
            assert_eq!((status, &body["choices"][0]["message"]["content"]), (200, &json!("{}")), "{body}");
            let asked = endpoint.requests().await;
            assert_eq!(asked.last().unwrap().pointer(place), Some(&schema), "{model}");
        }
        let before = endpoint.requests().await.len();
        let pdf = json!({ "type": "file", "file": { "file_data": "data:application/pdf;base64,QQ==" } });
        let pdf = json!([{ "role": "user", "content": [pdf] }]);
        for (model, field, value, why) in [
            ("Claude/claude-sonnet-4-5", "presence_penalty", json!(1), "Anthropic has no presence_penalty"),
            (
                "Chat/gpt-5-mini",
                "messages",
                pdf,
                "OpenAI-compatible shows gpt-5-mini no files of the type application/pdf",
            ),
            ("Chat/gpt-5-mini", "colour", json!("red"), "Unrecognized request argument supplied: colour"),
            ("agent/Fern", "response_format", format, "An agent answers in words of its own"),
        ] {
            let mut body = hello(model, "Hi");
            body[field] = value;
            let reply = chat(&world, &program, body).await;
            assert_eq!(reply.should_retry, Some(false));
            let (status, body) = json_of(reply);
            assert_eq!((status, &body["error"]["type"]), (400, &json!("invalid_request_error")), "{body}");
            assert!(body["error"]["message"].as_str().unwrap().starts_with(why), "{body}");
        }
        assert_eq!(endpoint.requests().await.len(), before, "nobody was asked");
    })
    .await;
}

#[tokio::test]
async fn a_removed_person_s_programs_leave_their_spending_and_no_limit() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let (root, ada) = (world.admin("root").await, world.person("ada").await);
        provider(&world, &root, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let admin = world.hub.as_admin(&root).unwrap();
        let shared = world.hub.for_viewer(&root).providers().list().await.unwrap().remove(0);
        admin.providers().put(&shared.id, &Share { everyone: true, ..Share::default() }).await.unwrap();
        let (program, _) = program(&world, &ada, Some(Micros(10_000_000))).await;
        assert_eq!(chat(&world, &program, hello("claude-sonnet-4-5", "Hi")).await.status, 200);
        let before = admin.ledger().budget(None).await.unwrap().spent;
        assert!(before.ever > Micros(0));
        admin.people().remove(&ada.me.id, "ada").await.unwrap();
        assert_eq!(admin.ledger().budget(None).await.unwrap().spent, before);
    })
    .await;
}

async fn agent(world: &World, viewer: &Viewer, name: &str) -> AgentView {
    let scoped = world.hub.for_viewer(viewer);
    let providers = scoped.providers().list().await.unwrap();
    let agent = Definition::named(name).model(&providers[0].id, "claude-sonnet-4-5").tools(["state"]);
    agent.output(1000).create(&scoped).await
}

#[tokio::test]
async fn an_agent_answers_as_a_model_with_a_real_run() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let fern = agent(&world, &ada, "Fern").await;
        let names = world.hub.for_program(&program).models().await.unwrap();
        assert!(names.iter().any(|model| model.id == "agent/Fern"), "{names:?}");
        let turns = r#"turns: [[{"text":"I write it down."},{"tool":"state","input":{"action":"set","key":"a","value":1}}],[{"text":"Done."}]]"#;
        let (status, body) = json_of(chat(&world, &program, hello("agent/Fern", turns)).await);
        assert_eq!(status, 200, "{body}");
        let whole = &body["choices"][0]["message"]["content"];
        assert_eq!(whole, "I write it down.\n\nDone.");
        let mut streamed = hello("agent/Fern", turns);
        streamed["stream"] = json!(true);
        let Body::Events(events) = chat(&world, &program, streamed).await.body else {
            panic!("it is a stream")
        };
        let text: Vec<u8> = events.collect::<Vec<_>>().await.concat();
        let said = String::from_utf8(text).unwrap();
        let pieces = said.lines().filter_map(|line| line.strip_prefix("data: {")).map(|data| {
            let chunk: Value = serde_json::from_str(&format!("{{{data}")).unwrap();
            chunk["choices"][0]["delta"]["content"].as_str().unwrap_or_default().to_owned()
        });
        assert_eq!(pieces.collect::<String>(), "I write it down.\n\nDone.");
        let usage = usage(&world, &ada).await;
        // Two turns each, in the books of the agent and of the token.
        assert_eq!((usage.agents[0].calls, usage.programs[0].calls), (4, 4));
        assert_eq!((usage.agents[0].name.as_str(), usage.programs[0].name.as_str()), ("Fern", "script"));
        let entries = world.hub.for_viewer(&ada).conversations().entries(&fern.id, 0).await.unwrap();
        assert!(entries.iter().any(|entry| matches!(&entry.body, EntryBody::ToolFinished { .. })));
    })
    .await;
}

#[tokio::test]
async fn an_agent_that_cannot_answer_says_why_in_the_words_of_the_api() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let (ada, eve) = (world.person("ada").await, world.person("eve").await);
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (rich, _) = program(&world, &ada, None).await;
        let (poor, _) = program(&world, &ada, Some(Micros(10))).await;
        let (hers, _) = program(&world, &eve, None).await;
        agent(&world, &ada, "Fern").await;
        let broken =
            "turns: [{\"status\":400,\"type\":\"invalid_request_error\",\"message\":\"No such thing.\"}]";
        for (program, model, text, status) in [
            (&rich, "agent/Moss", "Hi", 404),
            (&hers, "agent/Fern", "Hi", 404),
            (&poor, "agent/Fern", "Hi", 429),
            (&rich, "agent/Fern", " ", 400),
            (&rich, "agent/Fern", broken, 400),
        ] {
            let (found, body) = json_of(chat(&world, program, hello(model, text)).await);
            assert_eq!(found, status, "{model}: {body}");
        }
    })
    .await;
}

#[tokio::test]
async fn who_hangs_up_on_an_agent_stops_its_run_and_no_other() {
    let endpoint = Endpoint::start();
    each_store(async |world| {
        let ada = world.person("ada").await;
        provider(&world, &ada, "Claude", ProviderKind::Anthropic, &endpoint).await;
        let (program, _) = program(&world, &ada, None).await;
        let fern = agent(&world, &ada, "Fern").await;
        let mut body = hello("agent/Fern", "turns: [[{\"text\":\"some words\"},\"hang\"]]");
        body["stream"] = json!(true);
        let Body::Events(mut events) = chat(&world, &program, body).await.body else {
            panic!("it is a stream")
        };
        events.next().await.unwrap();
        let busy = chat(&world, &program, hello("agent/Fern", "Hi")).await;
        assert_eq!((busy.status, busy.should_retry, busy.retry_after_ms), (503, Some(true), Some(2000)));
        drop(events);
        let outcome = loop {
            let entries = world.hub.for_viewer(&ada).conversations().entries(&fern.id, 0).await.unwrap();
            let end = entries.iter().find_map(|entry| match &entry.body {
                EntryBody::RunFinished { outcome, .. } => Some(outcome.clone()),
                _ => None,
            });
            if let Some(outcome) = end {
                break outcome;
            }
            a_moment().await;
        };
        assert_eq!(outcome, Outcome::Stopped);
        let (status, body) = json_of(chat(&world, &program, hello("agent/Fern", "Hi")).await);
        assert_eq!((status, &body["choices"][0]["message"]["content"]), (200, &json!("You said: Hi")));
    })
    .await;
}

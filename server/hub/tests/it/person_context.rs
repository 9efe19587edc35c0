//! What agents are told around what their person says: nothing that was not turned on, only what changed, and never
//! where it does not belong.

use crate::runs::agent;
use crate::talk::{ada, ask, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use hub::{Error, OpenedAgents, Scoped, Words};
use protocol::agent::{Home, ProviderKind};
use protocol::log::{EntryBody, Sender};
use protocol::view::{AgentView, ContextPart, ContextReport, PersonContext, Saying, TokenScope};
use protocol::{AgentId, ContextSource, ConversationId, SayingId, TabId};
use serde_json::{Value, json};
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

async fn conversation(scoped: &Scoped<'_>, agent: &AgentId) -> ConversationId {
    scoped.conversations().create(agent).await.unwrap().id
}

/// What this agent was told after the entry `after`, source by source.
async fn told(scoped: &Scoped<'_>, agent: &AgentId, after: u64) -> Vec<(ContextSource, bool, String)> {
    let entries = scoped.conversations().entries(agent, after).await.unwrap();
    let told = entries.into_iter().filter_map(|entry| match entry.body {
        EntryBody::Message { from: Sender::Context { source, untrusted }, text, .. } => {
            Some((source, untrusted, text))
        }
        _ => None,
    });
    told.collect()
}

/// What it was told with this message.
async fn told_with(
    scoped: &Scoped<'_>,
    agent: &AgentId,
    talk: &ConversationId,
    text: &str,
) -> Vec<(ContextSource, bool, String)> {
    let before = scoped.pages().latest(agent).await.unwrap().seq;
    ask(scoped, agent, talk, text).await;
    told(scoped, agent, before).await
}

async fn show(scoped: &Scoped<'_>) -> PersonContext {
    scoped.person_context().show().await.unwrap()
}

async fn messages(endpoint: &Endpoint) -> Vec<Value> {
    let request = endpoint.requests().await.pop().unwrap();
    let mut messages = request["body"]["messages"].as_array().unwrap().clone();
    // Where the provider is to cache moves on with each request.
    let parts = messages.iter_mut().filter_map(|message| message["content"].as_array_mut()).flatten();
    parts.filter_map(Value::as_object_mut).for_each(|part| drop(part.remove("cache_control")));
    messages
}

async fn give(scoped: &Scoped<'_>, agent: &AgentView, tools: &[&str]) {
    Definition::like(agent).tools(tools.iter().copied()).replace(scoped, &agent.id).await;
}

/// Has the agent read what its page wrote.
async fn taint(world: &World, viewer: &hub::Viewer, agent: &AgentView) {
    let scoped = world.hub.for_viewer(viewer);
    let tab = world.hub.open_tab(viewer.clone(), TabId::from("t")).unwrap();
    tab.set_state(&agent.id, "said".to_owned(), json!("Obey.")).await.unwrap();
    let talk = conversation(&scoped, &agent.id).await;
    calls(&scoped, &agent.id, &talk, &[("state", json!({ "action": "get", "key": "said" }))]).await;
}

#[tokio::test]
async fn a_source_is_told_from_when_it_is_on_and_again_only_where_it_changed() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, ada) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let context = scoped.person_context();
        let talk = conversation(&scoped, &ada.id).await;
        assert_eq!(told_with(&scoped, &ada.id, &talk, "One.").await, []);
        assert!(show(&scoped).await.sources.iter().all(|source| !source.on && source.told.is_empty()));

        // It is told by the minute, and no other one begins meanwhile.
        world.clock.stand_still();
        context.turn_on(ContextSource::Time, "Europe/Vienna").await.unwrap();
        context.turn_on(ContextSource::Place, "  Vienna,\n2nd district ").await.unwrap();
        let now = show(&scoped).await.sources;
        let before = messages(&endpoint).await;
        let was_told = told_with(&scoped, &ada.id, &talk, "Two.").await;
        let sources: Vec<ContextSource> = was_told.iter().map(|(source, ..)| *source).collect();
        assert_eq!(sources, [ContextSource::Time, ContextSource::Place]);
        for (source, untrusted, text) in &was_told {
            let shown = now.iter().find(|one| one.source == *source).unwrap();
            assert_eq!((text, *untrusted), (&shown.told, false), "what is shown is what is sent");
        }
        assert_eq!(was_told[1].2, "Vienna, 2nd district");
        let after = messages(&endpoint).await;
        let last = after.last().unwrap().to_string();
        let at = |words: &str| last.find(words).unwrap_or_else(|| panic!("{words} is not in {last}"));
        assert!(at("[context: local time]") < at("[context: place]") && at("[context: place]") < at("Two."));
        assert_eq!(after[..before.len()], before, "requests go on beginning alike");

        let view = scoped.runs().of_conversation(Some(&talk)).context_of(&ada.id).await.unwrap();
        let sections = view.sections.iter().filter_map(|section| match &section.part {
            ContextPart::Context { source, .. } => Some((*source, section.tokens > 0)),
            _ => None,
        });
        assert_eq!(
            sections.collect::<Vec<_>>(),
            [(ContextSource::Time, true), (ContextSource::Place, true)],
            "each is a section of its own"
        );

        assert_eq!(told_with(&scoped, &ada.id, &talk, "Three.").await, []);
        let before = messages(&endpoint).await;
        world.clock.advance(MINUTE);
        let was_told = told_with(&scoped, &ada.id, &talk, "Four.").await;
        assert!(matches!(was_told.as_slice(), [(ContextSource::Time, false, _)]), "{was_told:?}");
        assert_eq!(messages(&endpoint).await[..before.len()], before);

        context.turn_off(ContextSource::Place).await.unwrap();
        let was_told = told_with(&scoped, &ada.id, &talk, "Five.").await;
        assert!(
            matches!(was_told.as_slice(), [(ContextSource::Place, false, text)] if text.contains("not share this any more")),
            "{was_told:?}"
        );
        context.let_agent(&ada.id, false, false).await.unwrap();
        let was_told = told_with(&scoped, &ada.id, &talk, "Six.").await;
        assert!(matches!(was_told.as_slice(), [(ContextSource::Time, false, _)]), "{was_told:?}");
        assert_eq!(told_with(&scoped, &ada.id, &talk, "Seven.").await, []);

        context.let_agent(&ada.id, true, false).await.unwrap();
        let other = conversation(&scoped, &ada.id).await;
        assert_eq!(told_with(&scoped, &ada.id, &other, "Eight.").await.len(), 1, "another one knows nothing");
        let temporary = scoped.conversations().create_temporary(&ada.id).await.unwrap().id;
        assert_eq!(told_with(&scoped, &ada.id, &temporary, "Nine.").await, []);
    })
    .await;
}

#[tokio::test]
async fn a_branch_is_told_anew_and_hears_of_what_is_not_shared_any_more() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, ada) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let context = scoped.person_context();
        let talk = conversation(&scoped, &ada.id).await;
        context.turn_on(ContextSource::Place, "Vienna").await.unwrap();
        context.turn_on(ContextSource::Keys, "").await.unwrap();
        context.note("mood", "calm").await.unwrap();
        assert_eq!(told_with(&scoped, &ada.id, &talk, "One.").await.len(), 2);
        let entries = scoped.conversations().entries(&ada.id, 0).await.unwrap();
        let run = entries.into_iter().rev().find_map(|entry| entry.run).unwrap();
        // What is told behind the cut is nothing to the branch, nor is its end.
        context.turn_on(ContextSource::Time, "Europe/Vienna").await.unwrap();
        assert_eq!(told_with(&scoped, &ada.id, &talk, "One more.").await.len(), 1);
        context.turn_off(ContextSource::Time).await.unwrap();
        context.turn_off(ContextSource::Place).await.unwrap();
        let fork = scoped.conversations().fork(&talk, &run).await.unwrap().id;
        let was_told = told_with(&scoped, &ada.id, &fork, "Two.").await;
        let [(ContextSource::Place, false, ended), (ContextSource::Keys, false, keys)] = was_told.as_slice()
        else {
            panic!("{was_told:?}")
        };
        assert!(ended.contains("not share this any more") && keys == "mood: calm", "{was_told:?}");
        assert_eq!(told_with(&scoped, &ada.id, &fork, "Three.").await, []);
    })
    .await;
}

#[tokio::test]
async fn a_program_that_speaks_as_its_person_is_told_nothing() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, ada) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        scoped.person_context().turn_on(ContextSource::Place, "Vienna").await.unwrap();
        let made = scoped
            .account()
            .make_token("script", TokenScope::Everything, Words::Own, None, OpenedAgents::All)
            .await;
        let program = world.hub.accounts().viewer_by_token(&made.unwrap().token).await.unwrap().unwrap();
        let talk = conversation(&scoped, &ada.id).await;
        let was_told = told_with(&world.hub.for_viewer(&program), &ada.id, &talk, "Where am I?").await;
        assert_eq!(was_told, []);
        let was_told = told_with(&scoped, &ada.id, &talk, "Where am I?").await;
        assert_eq!(was_told, [(ContextSource::Place, false, "Vienna".to_owned())]);
    })
    .await;
}

#[tokio::test]
async fn a_source_holds_what_it_can_hold_and_what_browsers_report_only_while_it_is_on() {
    each_store(async |world: World| {
        let viewer = world.person("ada").await;
        let scoped = world.hub.for_viewer(&viewer);
        let context = scoped.person_context();
        for (source, entered) in [
            (ContextSource::Time, ""),
            (ContextSource::Time, "Mars/Olympus"),
            (ContextSource::Place, " "),
            (ContextSource::Place, "a\u{7}b"),
            (ContextSource::Place, &"é".repeat(201)),
            (ContextSource::Agents, ""),
        ] {
            let refused = context.turn_on(source, entered).await;
            assert!(matches!(refused, Err(Error::Invalid(_))), "{source:?} {entered:?}: {refused:?}");
        }
        for (latitude, longitude) in [(91.0, 0.0), (0.0, -181.0), (f64::NAN, 0.0)] {
            assert!(matches!(context.locate(latitude, longitude).await, Err(Error::Invalid(_))));
        }
        let told = async |source| {
            let sources = show(&scoped).await.sources;
            sources.into_iter().find(|one| one.source == source).unwrap().told
        };
        let report = ContextReport {
            zone: "Asia/Tokyo".to_owned(),
            phone: true,
            language: "ja".to_owned(),
            path: "/memory?q=secret".to_owned(),
            away: false,
        };
        context.report(&report).await.unwrap();
        assert!(show(&scoped).await.sources.iter().all(|source| !source.on), "a report turns nothing on");
        for source in [ContextSource::Device, ContextSource::Activity] {
            context.turn_on(source, "").await.unwrap();
        }
        context.turn_on(ContextSource::Time, "Europe/Vienna").await.unwrap();
        assert_eq!(
            context.reported().await.unwrap(),
            [ContextSource::Time, ContextSource::Device, ContextSource::Activity]
        );
        context.report(&report).await.unwrap();
        assert!(told(ContextSource::Time).await.contains("in Asia/Tokyo (UTC+09:00)"));
        assert_eq!(told(ContextSource::Device).await, "A phone or tablet, whose language is ja.");
        assert_eq!(told(ContextSource::Activity).await, "Looks at the page Memory.");
        let behind = ContextReport { path: "/schedules".to_owned(), away: true, ..report.clone() };
        context.report(&behind).await.unwrap();
        assert_eq!(told(ContextSource::Activity).await, "Looks at the page Memory.", "in another tab");
        context.report(&ContextReport { away: true, ..report.clone() }).await.unwrap();
        assert!(told(ContextSource::Activity).await.starts_with("Away since "));
        let nonsense = ContextReport {
            zone: "Mars/Olympus".to_owned(),
            language: "<b>".to_owned(),
            path: "elsewhere".to_owned(),
            ..ContextReport::default()
        };
        context.report(&nonsense).await.unwrap();
        assert_eq!(told(ContextSource::Device).await, "A phone or tablet, whose language is ja.");
        context.locate(48.208_91, 16.372_12).await.unwrap();
        assert_eq!(
            told(ContextSource::Place).await,
            "Near 48.21, 16.37 (latitude, longitude), to about a kilometre, found less than an hour ago."
        );
        world.clock.advance(MINUTE * 150);
        assert!(told(ContextSource::Place).await.ends_with("found 2 hours ago."));
        let eve = world.person("eve").await;
        let theirs = world.hub.for_viewer(&eve);
        let fern = scoped.agents().create(crate::agents::draft("Fern")).await.unwrap().id;
        let on_fern = ContextReport { path: format!("/agents/{fern}/files"), ..report.clone() };
        context.report(&on_fern).await.unwrap();
        assert_eq!(told(ContextSource::Activity).await, "Looks at the agent Fern.");
        theirs.person_context().turn_on(ContextSource::Activity, "").await.unwrap();
        theirs.person_context().report(&on_fern).await.unwrap();
        let theirs = show(&theirs).await.sources;
        assert!(theirs.iter().any(|one| one.told == "Looks at another page."), "{theirs:?}");
    })
    .await;
}

#[tokio::test]
async fn a_key_that_one_agent_notes_every_agent_is_told_and_its_person_has_in_hand() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, first) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let context = scoped.person_context();
        let second = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        give(&scoped, &first, &["set_context", "state"]).await;
        let talk = conversation(&scoped, &first.id).await;
        let note = |name: &str, value: &str| ("set_context", json!({ "name": name, "value": value }));
        let refused = calls(&scoped, &first.id, &talk, &[note("mood", "calm")]).await;
        assert!(refused[0].0 && refused[0].1.contains("on the page Context"), "{refused:?}");

        context.turn_on(ContextSource::Keys, "").await.unwrap();
        let results = calls(
            &scoped,
            &first.id,
            &talk,
            &[note("mood", "calm"), note("travelling", "in Lisbon\nuntil Friday"), note("mood", "")],
        )
        .await;
        assert!(results.iter().all(|(failed, _)| !failed), "{results:?}");
        let keys = show(&scoped).await.keys;
        assert_eq!(keys.len(), 1);
        assert_eq!((keys[0].name.as_str(), keys[0].value.as_str()), ("travelling", "in Lisbon until Friday"));
        assert_eq!((keys[0].writer.as_ref(), keys[0].untrusted), (Some(&first.id), false));
        let other = conversation(&scoped, &second.id).await;
        let key = |text: &str| vec![(ContextSource::Keys, false, text.to_owned())];
        assert_eq!(
            told_with(&scoped, &second.id, &other, "Where am I?").await,
            key("travelling: in Lisbon until Friday")
        );

        context.note("travelling", "home").await.unwrap();
        assert_eq!(told_with(&scoped, &second.id, &other, "And now?").await, key("travelling: home"));
        assert_eq!(show(&scoped).await.keys[0].writer, None, "what its person changed is theirs");
        for (name, value) in [("", "a"), ("a\u{7}", "a"), (&"n".repeat(41), "a"), ("a", &"v".repeat(201))] {
            assert!(matches!(context.note(name, value).await, Err(Error::Invalid(_))), "{name} {value}");
        }
        for number in 0..19 {
            context.note(&format!("key {number}"), "a").await.unwrap();
        }
        assert!(matches!(context.note("one more", "a").await, Err(Error::Limit(_))));
        context.note("key 3", "b").await.unwrap();
        for number in 0..4 {
            context.note(&format!("key {number}"), &"𝕧".repeat(200)).await.unwrap();
        }
        assert!(matches!(context.note("key 5", &"𝕧".repeat(200)).await, Err(Error::Limit(_))), "in bytes");
        let temporary = scoped.conversations().create_temporary(&first.id).await.unwrap().id;
        ask(&scoped, &first.id, &temporary, "Hello.").await;
        let request = endpoint.requests().await.pop().unwrap().to_string();
        assert!(!request.contains("set_context") && !request.contains("[context:"), "{request}");
        let eve = world.person("eve").await;
        assert_eq!(show(&world.hub.for_viewer(&eve)).await.keys, []);
    })
    .await;
}

#[tokio::test]
async fn what_strangers_had_a_part_in_marks_whoever_is_told_of_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, first) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let context = scoped.person_context();
        let second = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        for agent in [&first, &second] {
            give(&scoped, agent, &["set_context", "state"]).await;
        }
        context.turn_on(ContextSource::Keys, "").await.unwrap();
        context.note("bank", "Aurora").await.unwrap();
        taint(&world, &viewer, &first).await;
        let note = |name: &str, value: &str| ("set_context", json!({ "name": name, "value": value }));
        let talk = conversation(&scoped, &first.id).await;
        let results = calls(
            &scoped,
            &first.id,
            &talk,
            &[note("bank", "Eve's"), note("bank", ""), note("tip", "Obey.")],
        )
        .await;
        assert_eq!(results.iter().map(|(failed, _)| *failed).collect::<Vec<_>>(), [true, true, false]);
        assert!(results[0].1.contains("only your person changes this key"), "{}", results[0].1);

        let other = conversation(&scoped, &second.id).await;
        let own = vec![
            (ContextSource::Keys, false, "bank: Aurora".to_owned()),
            (ContextSource::Keys, true, "tip: Obey.".to_owned()),
        ];
        assert_eq!(told_with(&scoped, &second.id, &other, "Hello.").await, own);
        let last = messages(&endpoint).await.pop().unwrap().to_string();
        assert!(last.contains("[context: keys]\\n<words-of-strangers>\\ntip: Obey."), "{last}");
        calls(&scoped, &second.id, &other, &[note("mine", "a")]).await;
        let keys = show(&scoped).await.keys;
        assert!(keys.iter().any(|key| key.name == "mine" && key.untrusted), "it has read them too: {keys:?}");
        context.note("tip", "Water it.").await.unwrap();
        let keys = show(&scoped).await.keys;
        assert!(keys.iter().any(|key| key.name == "tip" && !key.untrusted), "its person stands for it now");
        context.note("mine", "").await.unwrap();
        let was_told = told_with(&scoped, &second.id, &other, "And now?").await;
        let [(ContextSource::Keys, false, over), (ContextSource::Keys, false, left)] = was_told.as_slice()
        else {
            panic!("{was_told:?}")
        };
        assert!(over.contains("may be out of date"), "nothing of strangers is left: {over}");
        assert_eq!(left, "bank: Aurora\ntip: Water it.");
        assert_eq!(told_with(&scoped, &second.id, &other, "And now?").await, []);
    })
    .await;
}

#[tokio::test]
async fn an_agent_hears_the_last_answers_of_the_others_where_its_person_lets_it() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, first) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let context = scoped.person_context();
        let second = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        let (talk, other) = (conversation(&scoped, &first.id).await, conversation(&scoped, &second.id).await);
        let says = |text: &str| format!("turns: {}", json!([[{ "text": text }]]));
        ask(&scoped, &first.id, &talk, &says("Before anybody heard.")).await;
        assert_eq!(show(&scoped).await.said, [], "nothing is kept where nobody hears");
        context.let_agent(&second.id, true, true).await.unwrap();
        let long: Vec<String> = (0..40).map(|number| format!("Blüte{number}é")).collect();
        ask(&scoped, &first.id, &talk, &says(&long.join("\n"))).await;
        ask(&scoped, &second.id, &other, &says("Its own words.")).await;
        let was_told = told(&scoped, &second.id, 0).await;
        let beginning: String = long.join(" ").chars().take(200).collect();
        let [(ContextSource::Agents, false, text)] = was_told.as_slice() else { panic!("{was_told:?}") };
        assert!(text.starts_with("Ada (") && text.ends_with(&format!(": {beginning}")), "{text}");

        ask(&scoped, &first.id, &talk, &says("Wat\u{200b}ered.")).await;
        let was_told = told_with(&scoped, &second.id, &other, "And?").await;
        assert!(
            matches!(was_told.as_slice(), [(ContextSource::Agents, false, text)] if text.ends_with(": Watered.")),
            "only what is new: {was_told:?}"
        );
        assert_eq!(told_with(&scoped, &second.id, &other, "And?").await, []);
        assert_eq!(told(&scoped, &first.id, 0).await, [], "it hears nobody");

        let temporary = scoped.conversations().create_temporary(&first.id).await.unwrap().id;
        ask(&scoped, &first.id, &temporary, &says("Between us.")).await;
        let said = |said: &[Saying]| said.iter().map(|saying| saying.text.clone()).collect::<Vec<_>>();
        assert!(!said(&show(&scoped).await.said).contains(&"Between us.".to_owned()));

        for number in 0..12 {
            ask(&scoped, &first.id, &talk, &says(&format!("Number {number}."))).await;
        }
        let kept = show(&scoped).await.said;
        let of_first: Vec<Saying> = kept.iter().filter(|saying| saying.agent == first.id).cloned().collect();
        let expected: Vec<String> = (2..12).rev().map(|number| format!("Number {number}.")).collect();
        assert_eq!(said(&of_first), expected, "a share for each agent");
        let eve = world.person("eve").await;
        let theirs = world.hub.for_viewer(&eve);
        assert_eq!(show(&theirs).await.said, []);
        let strange = theirs.person_context().delete_saying(&of_first[0].id).await;
        assert!(matches!(strange, Err(Error::NotFound("answer"))));
        assert!(theirs.person_context().let_agent(&second.id, true, false).await.is_err());
        context.delete_saying(&of_first[0].id).await.unwrap();
        let new = conversation(&scoped, &second.id).await;
        let was_told = told_with(&scoped, &second.id, &new, "Hello.").await;
        let text = &was_told[0].2;
        assert!(text.contains("Number 10.") && !text.contains("Number 11."), "{text}");
        context.clear_sayings().await.unwrap();
        assert_eq!(show(&scoped).await.said, []);
        let gone = context.delete_saying(&SayingId("gone".to_owned())).await;
        assert!(matches!(gone, Err(Error::NotFound("answer"))));

        ask(&scoped, &first.id, &talk, &says("Still here.")).await;
        assert_eq!(said(&show(&scoped).await.said), ["Still here."]);
        context.let_agent(&second.id, true, false).await.unwrap();
        assert_eq!(show(&scoped).await.said, [], "nobody hears it any more");
        context.let_agent(&second.id, true, true).await.unwrap();
        ask(&scoped, &first.id, &talk, &says("Still here.")).await;
        assert_eq!(said(&show(&scoped).await.said), ["Still here."]);
        scoped.agents().delete(&second.id).await.unwrap();
        assert_eq!(show(&scoped).await.said, [], "who heard it is gone");
    })
    .await;
}

#[tokio::test]
async fn who_hears_an_agent_that_has_read_strangers_has_read_them_too() {
    each_store(async |world: World| {
        let endpoint = Endpoint::start();
        let (viewer, first) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let context = scoped.person_context();
        let second = agent(&world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
        give(&scoped, &second, &["set_context"]).await;
        context.let_agent(&second.id, true, true).await.unwrap();
        context.turn_on(ContextSource::Keys, "").await.unwrap();
        let other = conversation(&scoped, &second.id).await;
        let note = |name: &str| ("set_context", json!({ "name": name, "value": "a" }));
        calls(&scoped, &second.id, &other, &[note("before")]).await;
        taint(&world, &viewer, &first).await;
        let was_told = told_with(&scoped, &second.id, &other, "Hello.").await;
        assert!(
            was_told.iter().any(|(source, untrusted, _)| *source == ContextSource::Agents && *untrusted),
            "{was_told:?}"
        );
        calls(&scoped, &second.id, &other, &[note("after")]).await;
        let keys = show(&scoped).await.keys;
        let untrusted: Vec<(&str, bool)> =
            keys.iter().map(|key| (key.name.as_str(), key.untrusted)).collect();
        assert_eq!(untrusted, [("after", true), ("before", false)]);
    })
    .await;
}

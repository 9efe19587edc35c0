//! The catalogue: of a skill that its agent reads when it needs it, the prompt has a line.

use super::{READING, choose, given, reading, skill, system, told};
use crate::talk::ask;
use crate::world::{Definition, Endpoint, World, each_store};
use protocol::view::{ContextPart, Network, PromptPart, SkillUse};
use serde_json::json;

#[tokio::test]
async fn what_an_agent_can_read_is_announced_to_it_and_what_strangers_say_of_theirs_behind_a_fence() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, view) = reading(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let moss = given(&scoped, &view.id, &skill("moss", "", "Water it."), true, SkillUse::Found).await;
        given(&scoped, &view.id, &skill("fern", "", "Shade."), false, SkillUse::Found).await;
        given(&scoped, &view.id, &skill("ivy", "", "Cut it."), true, SkillUse::Off).await;

        let context = scoped.runs().context_of(&view.id).await.unwrap();
        let tokens = context.sections.iter().find_map(|section| match &section.part {
            ContextPart::System { part: PromptPart::Skills, .. } => Some(section.tokens),
            _ => None,
        });
        assert!(tokens.is_some_and(|tokens| tokens > 0), "{:?}", context.sections);
        let told = system(&scoped, &view.id).await;
        assert!(told.contains("\n- moss: Knows moss.\n"), "{told}");
        let fenced = "<words-of-strangers>\n- fern: Knows fern.\n</words-of-strangers>";
        assert!(told.contains(fenced) && !told.contains("ivy"), "{told}");

        let talk = scoped.conversations().create(&view.id).await.unwrap().id;
        ask(&scoped, &view.id, &talk, "Hello").await;
        let asked = endpoint.requests().await.last().unwrap().to_string();
        assert!(asked.contains("- moss: Knows moss.") && asked.contains("- fern: Knows fern."), "{asked}");
        assert_eq!(system(&scoped, &view.id).await, told, "it begins as before, for the cache");

        choose(&scoped, &view.id, &moss, SkillUse::Always).await;
        let told = system(&scoped, &view.id).await;
        assert!(told.contains("# Skill moss\n") && !told.contains("- moss:"), "{told}");
        for (tools, expected) in [(&READING[..], true), (&["list_skills", "state"], false)] {
            Definition::like(&view).tools(tools.iter().copied()).replace(&scoped, &view.id).await;
            let told = system(&scoped, &view.id).await;
            assert_eq!(told.contains("- fern:"), expected, "{tools:?}: {told}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_skill_that_requires_tools_is_announced_where_they_are_and_nowhere_else() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, view) = reading(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let text = skill("moss", "requires: [document, WebFetch]\n", "Write of it.");
        let id = given(&scoped, &view.id, &text, true, SkillUse::Found).await;
        let lacks = async || {
            let of_agent = scoped.skills().of_agent(&view.id).await.unwrap().remove(0).lacks;
            let of_skill = scoped.skills().get(&id).await.unwrap().agents.remove(0).lacks;
            assert_eq!(of_agent, of_skill);
            of_agent
        };
        let announced = async || {
            let listed = told(&scoped, &view.id, &[("list_skills", json!({}))]).await.remove(0).1;
            let prompt = system(&scoped, &view.id).await;
            ["meetings", "documents", "moss"].map(|name| {
                let stands = prompt.contains(&format!("\n- {name}: "));
                assert_eq!(listed.contains(&format!("\"{name}\"")), stands, "{name}: {listed} {prompt}");
                stands
            })
        };
        let of_the_hub = async |name: &str| {
            let shipped = scoped.skills().shipped_for(&view.id).await.unwrap();
            shipped.into_iter().find(|skill| skill.name == name).unwrap().lacks
        };
        assert_eq!(of_the_hub("documents").await, ["document"]);
        assert_eq!(of_the_hub("meetings").await, [""; 0]);
        assert_eq!(lacks().await, ["document", "fetch"]);
        assert_eq!(announced().await, [true, false, false]);
        Definition::like(&view)
            .tools(READING.into_iter().chain(["document"]))
            .replace(&scoped, &view.id)
            .await;
        assert_eq!(of_the_hub("documents").await, [""; 0]);
        assert_eq!(lacks().await, ["fetch"]);
        assert_eq!(announced().await, [true, true, false]);
        scoped.networks().set(&view.id, Network::Public).await.unwrap();
        assert_eq!(lacks().await, [""; 0]);
        assert_eq!(announced().await, [true, true, true]);
    })
    .await;
}

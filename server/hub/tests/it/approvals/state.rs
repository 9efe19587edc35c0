//! Every way in which `flo.state` is written, and whatever says no to that.

use super::{turns, way_out::Scene};
use crate::world::{Definition, World, each_store_with_a_web};
use agent::tools;
use protocol::agent::{Hook, HookAction, HookEvent};
use protocol::approval::{Decision, PolicyDraft};
use protocol::hub::HubFrame;
use protocol::view::LoopSettings;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The model calls the tool.
    Tool,
    /// The page calls the tool.
    PageTool,
    /// `flo.state.set` in the page.
    Page,
    /// The same in a script of the model's, with no page open.
    Script,
    /// The same in a tool that the agent made.
    MadeTool,
}

const ALL: [Way; 5] = [Way::Tool, Way::PageTool, Way::Page, Way::Script, Way::MadeTool];

fn deny(asker: &str, tool: &str, about: &str) -> PolicyDraft {
    let text = str::to_owned;
    PolicyDraft {
        asker: text(asker),
        tool: text(tool),
        about: text(about),
        verdict: text("deny"),
        ..PolicyDraft::default()
    }
}

impl Scene {
    /// Every tool, one of its own among them, and perhaps a hook.
    async fn equip(&mut self, world: &World, hook: Option<Hook>) {
        let viewer = self.viewer.clone();
        let scoped = world.hub.for_viewer(&viewer);
        let view = scoped.agents().get(&self.agent).await.unwrap();
        let tools = tools::all().iter().filter(|tool| !tool.is_of_the_web()).map(|tool| tool.name);
        let mut draft = Definition::like(&view).tools(tools).draft();
        scoped.agents().edit(&self.agent, draft.clone()).await.unwrap();
        let made = json!({
            "name": "note",
            "description": "Writes.",
            "input_schema": { "type": "object", "properties": {} },
            "code": script(Way::MadeTool),
        });
        self.run(world, &turns(&[json!({ "tool": "create_tool", "input": made })]), Decision::Once).await;
        draft.loop_settings = LoopSettings { hooks: hook.into_iter().collect(), ..LoopSettings::default() };
        scoped.agents().edit(&self.agent, draft).await.unwrap();
    }

    async fn write(&mut self, world: &World, way: Way) {
        let input = json!({ "action": "set", "key": key(way), "value": 1 });
        match way {
            Way::Tool => self.call(world, "state", input).await,
            Way::Script => self.call(world, "runjs", json!({ "code": script(way) })).await,
            Way::MadeTool => self.call(world, "note", json!({})).await,
            Way::Page => {
                // Refused or not, the state says whether it was done.
                let _ = self.tab.set_state(&self.agent, key(way), json!(1)).await;
            }
            Way::PageTool => {
                self.tab.page_call(&self.agent, 9, "state".to_owned(), input).await.unwrap();
                while !matches!(
                    crate::runs::trace::next(&mut self.tab).await,
                    HubFrame::Answered { id: 9, .. }
                ) {}
            }
        }
    }

    async fn call(&mut self, world: &World, tool: &str, input: Value) {
        self.run(world, &turns(&[json!({ "tool": tool, "input": input })]), Decision::Once).await;
    }
}

fn key(way: Way) -> String {
    format!("diary.{way:?}")
}

fn script(way: Way) -> String {
    format!("flo.state.set('{}', 1)", key(way))
}

#[tokio::test]
async fn what_forbids_the_tool_for_state_forbids_every_way_of_writing_it() {
    each_store_with_a_web(async |world: World| {
        let hook = |tool: &str, holds: Option<&str>| Hook {
            event: HookEvent::PreToolUse,
            tool: Some(tool.to_owned()),
            holds: holds.map(str::to_owned),
            action: HookAction::Deny { reason: "Not today.".to_owned() },
        };
        let cases = [
            ("nothing", None, None, ALL.to_vec()),
            ("a hook", Some(hook("state", None)), None, vec![]),
            ("a hook about all", Some(hook("*", None)), None, vec![]),
            ("a hook about a key", Some(hook("state", Some("diary."))), None, vec![]),
            ("a rule", None, Some(deny("", "state", "")), vec![]),
            ("a rule about all", None, Some(deny("", "*", "")), vec![]),
            ("a rule about a key", None, Some(deny("", "state", "diary.*")), vec![]),
            ("a rule about another key", None, Some(deny("", "state", "news.*")), ALL.to_vec()),
            ("a rule for pages", None, Some(deny("page", "state", "")), vec![Way::Tool]),
            ("a rule for models", None, Some(deny("model", "state", "")), vec![Way::PageTool, Way::Page]),
        ];
        for (case, hook, rule, done) in world.share(cases) {
            let mut scene = Scene::begin(&world, &case.replace(' ', "-")).await;
            scene.equip(&world, hook).await;
            if let Some(rule) = rule {
                world.hub.for_viewer(&scene.viewer).policies().add(&rule).await.unwrap();
            }
            for way in ALL {
                scene.write(&world, way).await;
            }
            let state = world.hub.for_viewer(&scene.viewer).states().read(&scene.agent).await.unwrap();
            let expected: BTreeMap<_, _> = done.iter().map(|way| (key(*way), json!(1))).collect();
            assert_eq!(state, expected, "{case}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_page_that_was_denied_six_times_writes_no_state_until_it_is_loaded_anew() {
    each_store_with_a_web(async |world: World| {
        let mut scene = Scene::begin(&world, "ada").await;
        scene.equip(&world, None).await;
        let rule = deny("page", "state", "news.*");
        world.hub.for_viewer(&scene.viewer).policies().add(&rule).await.unwrap();
        for _ in 0..6 {
            let input = json!({ "action": "set", "key": "news.a", "value": 1 });
            scene.tab.page_call(&scene.agent, 9, "state".to_owned(), input).await.unwrap();
            while !matches!(crate::runs::trace::next(&mut scene.tab).await, HubFrame::Answered { id: 9, .. })
            {
            }
        }
        scene.write(&world, Way::Page).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        assert_eq!(scoped.states().read(&scene.agent).await.unwrap(), BTreeMap::new());
        let anew = crate::runs::open(&world, &scene.viewer, "anew");
        anew.set_state(&scene.agent, key(Way::Page), json!(1)).await.unwrap();
        assert_eq!(scoped.states().read(&scene.agent).await.unwrap().len(), 1);
    })
    .await;
}

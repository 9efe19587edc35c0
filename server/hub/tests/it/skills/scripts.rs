//! Scripts of skills: commands of an agent that has read a skill find them, and nothing else runs them.

use super::{accept, choose, skill, told, zipped};
use crate::approvals::{add_rule, until_asked};
use crate::runs::open;
use crate::runs::trace::until_finished;
use crate::talk::{a_moment, ada, calls};
use crate::world::{Definition, Endpoint, World, each_store};
use protocol::approval::Decision;
use protocol::log::EntryBody;
use protocol::view::SkillUse;
use serde_json::{Value, json};

const WATER: &[u8] =
    b"echo \"watered $1\"\n(echo x > \"$0\") 2>/dev/null || echo kept\necho \"$1\" > /agent/watered.txt\n";

#[tokio::test]
async fn a_script_of_a_skill_is_run_by_commands_of_an_agent_that_has_read_it_and_asked_about_like_any() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        Definition::like(&view).tools(["get_skill", "terminal", "read"]).replace(&scoped, &view.id).await;
        let main = skill("moss", "", "Run scripts/water.sh.\u{202e}");
        let files = zipped(&[("SKILL.md", main.as_bytes()), ("scripts/water.sh", WATER)]);
        let id = scoped.skills().upload("moss.zip", files).await.unwrap();
        accept(&scoped, &id, false).await;
        choose(&scoped, &view.id, &id, SkillUse::Found).await;

        // The exact command, before any of it runs.
        let water = "sh /skills/moss/scripts/water.sh fern";
        let run = |command: &str| json!([{ "tool": "terminal", "input": { "command": command } }]);
        let read = json!([{ "tool": "get_skill", "input": { "name": "moss" } }]);
        let turns = json!([read, run(water), [{ "text": "Done." }]]);
        let mut tab = open(&world, &viewer, "laptop");
        tab.follow(&view.id, 0).await.unwrap();
        scoped.runs().send_message(&view.id, &format!("turns: {turns}"), None, None).await.unwrap();
        let asked = until_asked(&mut tab).await;
        assert_eq!((&*asked.call.name, &asked.call.input["command"]), ("terminal", &json!(water)));
        scoped.approvals().answer(&asked.id, &asked.hash, Decision::Deny, "").await.unwrap();
        until_finished(&mut tab).await;
        assert!(scoped.files().read(&view.id, "watered.txt").await.is_err(), "nothing ran");

        add_rule(&world.hub, &viewer, "allow", "terminal", "").await;
        let command = |command: &str| ("terminal", json!({ "command": command }));
        let results = told(
            &scoped,
            &view.id,
            &[
                ("get_skill", json!({ "name": "moss" })),
                command(water),
                command("grep -c $'\\u202e' /skills/moss/SKILL.md; touch /skills/x 2>/dev/null || echo no"),
                ("read", json!({ "path": "watered.txt" })),
            ],
        )
        .await;
        let answers: Vec<Value> =
            results[..3].iter().map(|(_, told)| serde_json::from_str(told).unwrap()).collect();
        assert_eq!(answers[0]["folder"], "/skills/moss");
        assert_eq!(answers[1]["output"], "watered fern\nkept\n", "{results:?}");
        assert_eq!(answers[1]["by"], agent::tools::OTHERS, "what a stranger's script says is a stranger's");
        assert!(results[3].1.contains(agent::tools::OTHERS), "and so is what it wrote: {results:?}");
        assert_eq!(answers[2]["output"], "0\nno\n", "no letter that nobody sees, and nothing to be changed");

        // A skill that is not as it was accepted, or not the agent's any more, is not there.
        let look = "ls /skills/* 2>/dev/null | wc -l";
        let count = async || {
            let read = ("get_skill", json!({ "name": "moss" }));
            let told = self::told(&scoped, &view.id, &[command(look), read, command(look)]).await;
            let [(_, before), _, (_, told)] = &*told else { panic!("{told:?}") };
            let before = serde_json::from_str::<Value>(before).unwrap();
            assert_eq!(before["output"], "0\n", "what was read in another conversation is not there");
            serde_json::from_str::<Value>(told).unwrap()["output"].clone()
        };
        assert_eq!(count().await, "2\n");
        // A branch has what was read before it left.
        let talk = scoped.conversations().create(&view.id).await.unwrap().id;
        calls(&scoped, &view.id, &talk, &[("get_skill", json!({ "name": "moss" }))]).await;
        calls(&scoped, &view.id, &talk, &[command(look)]).await;
        let entries = scoped.conversations().entries(&view.id, 0).await.unwrap();
        let run = entries.into_iter().rev().find_map(|entry| entry.run).unwrap();
        let branch = scoped.runs().regenerate(&talk, &run, "", None).await.unwrap().id;
        let pages = scoped.pages().of_conversation(Some(&branch));
        let entries = loop {
            let entries = pages.latest(&view.id).await.unwrap().entries;
            match entries.last().map(|last| &last.body) {
                Some(EntryBody::RunFinished { .. }) => break entries,
                _ => a_moment().await,
            }
        };
        let told = entries.iter().rev().find_map(|entry| match &entry.body {
            EntryBody::ToolFinished { result, .. } => Some(&result.content),
            _ => None,
        });
        let told: Value = serde_json::from_str(told.unwrap()).unwrap();
        assert_eq!(told["output"], "2\n");
        world.execute("DELETE FROM skill_files WHERE path <> 'SKILL.md'").await;
        assert_eq!(count().await, "2\n", "what was found as it was accepted is not read again");
        world.execute("UPDATE skill_versions SET digest = 'another'").await;
        assert_eq!(count().await, "0\n");
        choose(&scoped, &view.id, &id, SkillUse::Off).await;
        assert_eq!(count().await, "0\n");
    })
    .await;
}

//! Scripts of skills: commands of an agent that has read a skill find them, and nothing else runs them.

use super::{accept, choose, skill, told, zipped};
use crate::approvals::{add_rule, until_asked};
use crate::runs::open;
use crate::runs::trace::until_finished;
use crate::talk::ada;
use crate::world::{Definition, Endpoint, World, each_store};
use protocol::approval::Decision;
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
            let (_, told) = self::told(&scoped, &view.id, &[command(look)]).await.remove(0);
            serde_json::from_str::<Value>(&told).unwrap()["output"].clone()
        };
        assert_eq!(count().await, "2\n");
        world.execute("UPDATE skill_versions SET digest = 'another'").await;
        assert_eq!(count().await, "0\n");
        choose(&scoped, &view.id, &id, SkillUse::Off).await;
        assert_eq!(count().await, "0\n");
    })
    .await;
}

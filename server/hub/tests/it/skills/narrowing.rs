//! What a skill declares that it needs: with it loaded, its agent reaches, reads and changes that and nothing else.

use super::{accept, choose, skill, told, zipped};
use crate::approvals::add_rule;
use crate::talk::ada;
use crate::terminal::way_out::page;
use crate::world::{Definition, Endpoint, Sink, World, on_sqlite_with_a_web};
use protocol::view::{Network, SkillUse};
use serde_json::{Value, json};

#[tokio::test]
async fn a_loaded_skill_keeps_its_agent_to_the_hosts_files_and_scripts_that_it_names() {
    let endpoint = Endpoint::start();
    on_sqlite_with_a_web(async |world: World| {
        let (viewer, view) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let tools = ["get_skill", "read", "write", "glob", "terminal"];
        Definition::like(&view).tools(tools).replace(&scoped, &view.id).await;
        add_rule(&world.hub, &viewer, "allow", "terminal", "").await;
        let other = Sink::start("Thanks.");
        let leading = Sink::leading(&other.url("/led"));
        let network = Network::AllowList { hosts: vec![other.host(), leading.host()] };
        scoped.networks().set(&view.id, network).await.unwrap();
        scoped.networks().let_commands_out(&view.id, true).await.unwrap();
        scoped.files().write(&view.id, "reports/moss.md", b"moss").await.unwrap();
        scoped.files().write(&view.id, "private.md", b"private").await.unwrap();

        // A host that the agent may not reach, it does not get by being named.
        let head = format!(
            "hosts: [\"{}\", evil.example]\nmounts: /agent/reports\nscripts: [a.sh]\n",
            leading.host()
        );
        let main = skill("narrow", &head, "Write reports.");
        let scripts: &[u8] = b"echo x";
        let files = zipped(&[("SKILL.md", main.as_bytes()), ("a.sh", scripts), ("b.sh", scripts)]);
        let id = scoped.skills().upload("narrow.zip", files).await.unwrap();
        let report = scoped.skills().get(&id).await.unwrap().waiting.unwrap().report;
        assert_eq!(
            report.only_mounts,
            Some(vec!["/agent/reports".to_owned()]),
            "shown before it is accepted"
        );
        assert_eq!(report.only_scripts, Some(vec!["a.sh".to_owned()]));
        accept(&scoped, &id, true).await;
        choose(&scoped, &view.id, &id, SkillUse::Found).await;

        let load = ("get_skill", json!({ "name": "narrow" }));
        let fetch = |url: String| ("fetch", json!({ "url": url, "method": "GET" }));
        let read = |path: &str| ("read", json!({ "path": path }));
        let command = format!(
            "ls /agent /skills/narrow; echo y > /agent/private.md; echo y > /agent/reports/y; {}",
            page(&other.url("/command"))
        );
        let results = told(
            &scoped,
            &view.id,
            &[
                read("private.md"),
                load.clone(),
                read("private.md"),
                read("/agent/reports/moss.md"),
                ("write", json!({ "path": "new.md", "content": "x" })),
                ("write", json!({ "path": "reports/new.md", "content": "x" })),
                ("glob", json!({ "pattern": "**/*.md" })),
                ("terminal", json!({ "command": command })),
                fetch(leading.url("/")),
                fetch(other.url("/asked")),
                fetch("https://evil.example/".to_owned()),
            ],
        )
        .await;
        let failed: Vec<bool> = results.iter().map(|(is_error, _)| *is_error).collect();
        let expected = [false, false, true, false, true, false, false, false, true, true, true];
        assert_eq!(failed, expected, "{results:?}");
        let only = |what: &str| format!("the skill narrow is loaded, and with it only {what}");
        assert!(results[2].1.contains(&only("/agent/reports may be read")), "{}", results[2].1);
        assert!(results[8].1.contains(&only(&leading.host())), "where it is led: {}", results[8].1);
        assert!(results[9].1.contains(&only(&leading.host())), "{}", results[9].1);
        assert!(results[10].1.contains("is not on the list"), "{}", results[10].1);
        let found = &results[6].1;
        assert!(found.contains("reports/moss.md") && !found.contains("private"), "{found}");
        let ran: Value = serde_json::from_str(&results[7].1).unwrap();
        let output = ran["output"].as_str().unwrap();
        assert!(output.contains("reports") && !output.contains("private"), "{ran}");
        assert!(output.contains("a.sh") && !output.contains("b.sh"), "{ran}");
        assert_eq!(ran["not_kept"][0]["path"], "/agent/private.md", "{ran}");
        assert!(ran["not_reached"][0]["why"].as_str().unwrap().contains(&only(&leading.host())), "{ran}");
        assert_eq!((leading.heard().len(), other.heard().len()), (1, 0));
        assert_eq!(scoped.files().read(&view.id, "private.md").await.unwrap(), b"private");

        // Whoever is kept to it has no sub-agent that is not.
        let tools = ["get_skill", "read", "agent_spawn", "agent_wait"];
        Definition::like(&view).tools(tools).replace(&scoped, &view.id).await;
        let task =
            json!([[{ "tool": "read", "input": { "path": "private.md" } }], [{ "text": "{results}" }]]);
        let spawn = json!({ "label": "Moss", "task": format!("turns: {task}") });
        let asked = [load, ("agent_spawn", spawn), ("agent_wait", json!({ "ids": "{ids}" }))];
        let results = told(&scoped, &view.id, &asked).await;
        assert!(results[2].1.contains(&only("/agent/reports may be read")), "{results:?}");

        // The next run is as free as before.
        assert!(!told(&scoped, &view.id, &[read("private.md")]).await[0].0);
    })
    .await;
}

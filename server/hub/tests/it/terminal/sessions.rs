//! What one command hands to the next, and how long commands may run.

use super::Scene;
use crate::talk::calls;
use crate::world::{World, each_store, on_sqlite};
use hub::{Scoped, TerminalUse};
use protocol::view::{TerminalRoom, TerminalRules};
use serde_json::{Value, json};
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(61);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Scene {
    async fn in_session(&self, scoped: &Scoped<'_>, name: &str, command: &str) -> Value {
        self.told(scoped, json!({ "command": command, "session": name })).await
    }
}

#[tokio::test]
async fn a_session_begins_where_its_last_command_ended() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        scoped.files().write(agent, "src/a.txt", b"a").await.unwrap();
        let first =
            "cd src; export NAME=$'oak\\nfern' LD_PRELOAD=/agent/none.so; private=1; export PATH=/agent/bin:$PATH";
        assert_eq!(scene.in_session(&scoped, "build", first).await["exit_code"], 0);
        let show = "pwd; echo \"$NAME <$private> ${PATH%%:*} $HOME\"";
        let shown = scene.in_session(&scoped, "build", show).await;
        let expected = "/agent/src\noak\nfern <> /agent/bin /tmp\n";
        assert!(shown["output"].as_str().unwrap().ends_with(expected), "{shown}");
        // Another session, and a command without one, begin anew.
        for session in [json!(null), json!("other")] {
            let mut input = json!({ "command": "pwd; echo \"<$NAME>\"" });
            if session.is_string() {
                input["session"] = session;
            }
            assert_eq!(scene.told(&scoped, input).await["output"], "/agent\n<>\n");
        }
        // A path that is given counts for more. A command that failed has ended; one that was ended has not.
        let command = "pwd; unset LD_PRELOAD; export NAME=moss; exit 3";
        let there = json!({ "command": command, "session": "build", "path": "/agent" });
        let failed = scene.told(&scoped, there).await;
        assert_eq!(failed["exit_code"], 3, "{failed}");
        let over = json!({ "command": "export NAME=lost; sleep 60", "session": "build", "timeout_s": 1 });
        let over = scene.told(&scoped, over).await;
        assert!(over["session"].as_str().unwrap().contains("as it was before"), "{over}");
        assert_eq!(scene.in_session(&scoped, "build", "echo $NAME; pwd").await["output"], "moss\n/agent\n");
        // A folder that is gone with the room is said.
        let gone = scene.in_session(&scoped, "build", "mkdir /tmp/x; cd /tmp/x").await;
        assert!(gone["session"].as_str().unwrap().contains("/tmp/x is gone"), "{gone}");
        assert_eq!(scene.in_session(&scoped, "build", "pwd").await["output"], "/agent\n");
        let job = json!({ "command": "echo $NAME; sleep 1", "session": "build", "background": true });
        let job = scene.told(&scoped, job).await["job"].clone();
        let said = scene.told(&scoped, json!({ "action": "output", "job": job, "wait_s": 30 })).await;
        assert!(said["output"].as_str().unwrap().starts_with("moss\n"), "{said}");
    })
    .await;
}

#[tokio::test]
async fn an_administrator_says_who_has_a_terminal_and_for_how_long() {
    each_store(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let admin = world.hub.as_admin(&scene.viewer).unwrap();
        let has_it =
            async || scoped.agents().tools().await.unwrap().iter().any(|tool| tool.name == "terminal");
        let set = async |whose, minutes_a_day| {
            admin.terminal().set(TerminalRules { whose, minutes_a_day, room: TerminalRoom::default() }).await
        };
        let failed = async || {
            let command = ("terminal", json!({ "command": "true" }));
            let (failed, told) = calls(&scoped, &scene.agent.id, &scene.talk, &[command]).await.remove(0);
            assert!(failed, "{told}");
            told
        };
        let settings = admin.terminal().read().await.unwrap();
        let usual =
            TerminalRules { whose: TerminalUse::Members, minutes_a_day: None, room: TerminalRoom::default() };
        assert_eq!(settings.rules, usual);
        assert_eq!((settings.is_switched_off, settings.not_here), (false, None));
        assert!(has_it().await);
        set(TerminalUse::Nobody, None).await.unwrap();
        assert!(!has_it().await);
        failed().await;
        for minutes in [0, 1441] {
            assert!(set(TerminalUse::Everyone, Some(minutes)).await.is_err());
        }
        set(TerminalUse::Admins, Some(1)).await.unwrap();
        let [ran] = scene.run(&scoped, ["echo moss"]).await;
        assert_eq!(ran["output"], "moss\n");
        // A job that runs uses it up.
        let job = scene.begin_job(&scoped, "sleep 600").await;
        world.clock.advance(MINUTE);
        let ended = scene.told(&scoped, json!({ "action": "output", "job": job, "wait_s": 30 })).await;
        assert_eq!(ended["running"], false, "{ended}");
        assert!(failed().await.contains("minutes"));
        world.clock.advance(DAY);
        let [ran] = scene.run(&scoped, ["echo moss"]).await;
        assert_eq!(ran["output"], "moss\n");
    })
    .await;
}

#[tokio::test]
async fn an_administrator_says_how_much_a_room_may_have() {
    on_sqlite(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let admin = world.hub.as_admin(&scene.viewer).unwrap();
        let set = async |memory_mb, disk_mb, processes| {
            let room = TerminalRoom { memory_mb, disk_mb, processes };
            admin
                .terminal()
                .set(TerminalRules { whose: TerminalUse::Members, minutes_a_day: None, room })
                .await
        };
        for (memory_mb, disk_mb, processes) in
            [(Some(63), None, None), (None, Some(65_537), None), (None, None, Some(7))]
        {
            assert!(set(memory_mb, disk_mb, processes).await.is_err());
        }
        let settings = set(Some(256), Some(64), Some(16)).await.unwrap();
        assert_eq!(settings.rules.room.memory_mb, Some(256));
        let [memory, file, disk, processes] = scene
            .run(
                &scoped,
                [
                    "python3 -c 'x = bytearray(400_000_000)' 2>&1 | tail -1",
                    "python3 -c 'open(\"/tmp/a\", \"wb\").write(bytes(40_000_000))' 2>&1 | tail -1",
                    "for i in 1 2 3; do head -c 30M /dev/zero > /tmp/$i; done; sleep 60",
                    "for i in $(seq 30); do sleep 60 & done; wait",
                ],
            )
            .await;
        assert_eq!(memory["output"], "MemoryError\n");
        assert_eq!(file["output"], "OSError: [Errno 27] File too large\n");
        assert!(disk["ended"].as_str().unwrap().contains("more disk than an administrator"), "{disk}");
        assert!(
            processes["ended"].as_str().unwrap().contains("more processes than an administrator"),
            "{processes}"
        );
        // More than is usual is given as well.
        set(Some(2048), None, None).await.unwrap();
        let [large] = scene.run(&scoped, ["ulimit -d; ulimit -u"]).await;
        assert_eq!(large["output"], "2097152\n128\n");
    })
    .await;
}

//! Two people on one hub, one of whom means harm: neither sees, slows or fills what is the other's.

use crate::approvals::add_rule;
use crate::runs::agent;
use crate::talk::ask;
use crate::terminal::Scene;
use crate::world::{Definition, Endpoint, World, on_postgres};
use futures_util::future::join_all;
use hub::FileListing;
use protocol::agent::{Home, ProviderKind};
use serde_json::json;

/// What somebody's commands do to take all there is: they listen, turn, watch, multiply, and fill memory and
/// disk.
const GREEDY: [&str; 3] = [
    "python3 -m http.server 8000 --bind 127.0.0.1 >/dev/null 2>&1 & \
     python3 -c 'import time; x = bytearray(400_000_000); time.sleep(600)' & echo begun; wait",
    "for i in 1 2 3 4; do (while :; do :; done) & done; python3 -c 'import ctypes, time; libc = ctypes.CDLL(None); \
     watches = [libc.inotify_init() for _ in range(1000)]; print(\"begun\", flush=True); time.sleep(600)'",
    "bomb() { bomb | bomb & }; echo begun; bomb 2>/dev/null; sleep 600",
];

/// What the other looks for: name, command, and what it says.
const LOOKS: [(&str, &str, &str); 9] = [
    (
        "a server of theirs",
        "(exec 3<>/dev/tcp/127.0.0.1/8000) 2>/dev/null && echo reached || echo no",
        "no\n",
    ),
    ("processes of theirs", "ls /proc | grep -cE '^[0-9]+$' | awk '{ print ($1 < 10) }'", "1\n"),
    ("what they left", "ls /tmp /dev/shm | grep -c theirs", "0\n"),
    ("rooms of theirs", "ls -d /tmp/vivarium-rooms* 2>/dev/null | wc -l", "0\n"),
    ("files of theirs", "ls -R /agent | grep -c secret", "0\n"),
    ("disk", "head -c 50000000 /dev/zero > /tmp/own && wc -c < /tmp/own", "50000000\n"),
    ("memory", "python3 -c 'x = bytearray(200_000_000); print(len(x))'", "200000000\n"),
    (
        "news of a file",
        "echo moss > /tmp/news; tail -f /tmp/news > /tmp/seen 2>/dev/null & sleep 1; echo fern >> /tmp/news; \
         for i in $(seq 300); do grep -q fern /tmp/seen && break; sleep 0.1; done; cat /tmp/seen",
        "moss\nfern\n",
    ),
    ("processes of their own", "for i in $(seq 40); do sleep 0.1 & done; wait; echo all", "all\n"),
];

async fn with_a_terminal(world: &World, name: &str) -> Scene {
    let endpoint = Endpoint::start();
    let viewer = world.person(name).await;
    let agent = agent(world, &viewer, &endpoint, ProviderKind::Anthropic, Home::Hub).await;
    let scoped = world.hub.for_viewer(&viewer);
    Definition::like(&agent).tools(["terminal"]).replace(&scoped, &agent.id).await;
    add_rule(&world.hub, &viewer, "allow", "terminal", "").await;
    let talk = scoped.conversations().create(&agent.id).await.unwrap().id;
    Scene { viewer, agent, talk, _endpoint: endpoint }
}

#[tokio::test]
async fn two_people_who_do_not_trust_each_other_each_have_a_whole_terminal() {
    on_postgres(async |world: World| {
        let (eve, bob) = (with_a_terminal(&world, "eve").await, with_a_terminal(&world, "bob").await);
        let (of_eve, of_bob) = (world.hub.for_viewer(&eve.viewer), world.hub.for_viewer(&bob.viewer));
        of_eve.files().write(&eve.agent.id, "secret.txt", b"theirs").await.unwrap();
        let mut jobs = Vec::new();
        for command in GREEDY {
            let job = eve.begin_job(&of_eve, &format!("touch /tmp/theirs /dev/shm/theirs; {command}")).await;
            let begun = json!({ "action": "output", "job": job, "wait_s": 60 });
            assert_eq!(eve.told(&of_eve, begun).await["output"], "begun\n", "{command}");
            jobs.push(job);
        }
        // More than may run at once, in conversations of their own: the others wait.
        let mut talks = Vec::new();
        for _ in 0..6 {
            talks.push(of_eve.conversations().create(&eve.agent.id).await.unwrap().id);
        }
        let endless = json!({ "command": "cat /dev/zero > /tmp/all", "timeout_s": 60 });
        let turns = json!([[{ "tool": "terminal", "input": endless }], [{ "text": "Done." }]]);
        let said = format!("turns: {turns}");
        let waiting = join_all(talks.iter().map(|talk| ask(&of_eve, &eve.agent.id, talk, &said)));
        let looking = async {
            for (name, command, expected) in LOOKS {
                let [looked] = bob.run(&of_bob, [command]).await;
                assert_eq!(looked["output"], expected, "{name}: {looked}");
            }
        };
        let (ended, ()) = tokio::join!(waiting, looking);
        assert!(ended.iter().all(|told| told == "Done."), "{ended:?}");
        for job in jobs {
            eve.told(&of_eve, json!({ "action": "stop", "job": job })).await;
        }
        assert_eq!(of_bob.files().list(&bob.agent.id, &FileListing::default()).await.unwrap().len(), 0);
    })
    .await;
}

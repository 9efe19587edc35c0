//! What a command reaches: the hosts on its agent's list if its person lets it, and nothing past them.

use super::Scene;
use crate::approvals::{add_rule, until_asked};
use crate::runs::open;
use crate::talk::calls;
use crate::world::{Definition, Site, World, on_sqlite_with_a_web};
use protocol::approval::ApprovalReason;
use protocol::view::Network;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::JoinHandle;

/// What a program does that knows of the proxy.
pub fn page(url: &str) -> String {
    format!(
        "exec 3<>/dev/tcp/127.0.0.1/3128 && printf 'GET {url} HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n' >&3 && cat <&3"
    )
}

/// A tunnel, and what is said in it; then what comes back.
fn tunnel(place: &str, says: &str) -> String {
    format!(
        "exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT {place} HTTP/1.1\\r\\n\\r\\n' >&3; \
         IFS= read -r said <&3; echo \"$said\"; while IFS= read -r line <&3 && [ \"$line\" != $'\\r' ]; do :; done; \
         {says} >&3; cat <&3"
    )
}

fn hosts(hosts: &[&str]) -> Network {
    Network::AllowList { hosts: hosts.iter().map(|host| (*host).to_owned()).collect() }
}

/// Host and port.
fn place(site: &Site) -> String {
    site.url("").trim_start_matches("http://").trim_end_matches('/').to_owned()
}

#[tokio::test]
async fn a_command_reaches_the_hosts_on_its_list_if_its_person_lets_it_and_no_others() {
    on_sqlite_with_a_web(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        let (listed, other) = (Site::start(), Site::start());
        listed.put("/moss", "text/plain", b"It is damp.");
        other.put("/moss", "text/plain", b"It is secret.");
        let place = place(&listed);
        let ask = page(&listed.url("/moss"));
        let ran = async |command: &str| {
            let [ran] = scene.run(&scoped, [command]).await;
            ran
        };
        // Nothing, until both are said.
        for (network, allowed) in [(hosts(&[&place]), false), (Network::Off, true), (Network::Public, true)] {
            scoped.networks().set(agent, network.clone()).await.unwrap();
            scoped.networks().let_commands_out(agent, allowed).await.unwrap();
            let closed = ran(&format!("echo \"<$https_proxy>\"; {ask}")).await;
            assert!(closed["output"].as_str().unwrap().starts_with("<>\n"), "{closed}");
            assert_ne!(closed["exit_code"], 0, "{network:?} {closed}");
            assert!(closed.get("reached").is_none() && closed.get("by").is_none(), "{closed}");
        }
        scoped.networks().set(agent, hosts(&[&place])).await.unwrap();
        // The room is as empty as one without.
        let fds =
            ran("ls /proc/self/fd | wc -l; ls /run; (echo x > /run/vivarium) 2>/dev/null || echo no").await;
        assert_eq!(fds["output"], "4\nvivarium\nno\n", "{fds}");
        // Another place, the same by another name, and what is none.
        for (command, why) in [
            (page(&other.url("/moss")), "is not on the list"),
            (page("http://localhost:1/"), "is not on the list"),
            (page("http://169.254.169.254/latest"), "is not on the list"),
            (page("ftp://127.0.0.1/"), "no address of the web"),
            (tunnel("example.org:443", "true"), "is not on the list"),
            (tunnel(&place, "printf 'SSH-2.0-x\\r\\n\\r\\n'"), "a tunnel is for TLS"),
        ] {
            let refused = ran(&command).await;
            assert!(!refused.to_string().contains("secret"), "{refused}");
            let told = refused["not_reached"][0]["why"].as_str().unwrap_or_default();
            assert!(told.contains(why), "{command}: {refused}");
            assert!(refused.get("reached").is_none(), "{refused}");
        }
        assert_eq!(other.asked(), Vec::<String>::new());
        let reached = ran(&format!("echo \"$https_proxy\"; {ask} | tee moss.txt")).await;
        let said = reached["output"].as_str().unwrap();
        assert!(said.starts_with("http://127.0.0.1:3128\nHTTP/1.1 200"), "{reached}");
        assert!(said.ends_with("It is damp."), "{reached}");
        assert_eq!(reached["reached"][0]["place"], format!("http://{place}"), "{reached}");
        assert!(reached["reached"][0]["bytes"].as_u64() > Some(50), "{reached}");
        // What came from elsewhere is somebody else's, and so is the file.
        assert_eq!(reached["by"], agent::tools::OTHERS);
        let results = calls(&scoped, agent, &scene.talk, &[("read", json!({ "path": "moss.txt" }))]).await;
        assert!(results[0].1.contains(agent::tools::OTHERS), "{results:?}");
        // From now on what is the agent's could be carried out because strangers said so.
        let mut tab = open(&world, &scene.viewer, "follower");
        let after = scoped.pages().latest(agent).await.unwrap().seq;
        tab.follow(agent, after).await.unwrap();
        let said = format!("turns: {}", json!([[{ "tool": "terminal", "input": { "command": ask } }]]));
        scoped.runs().send_message(agent, &said, None, None).await.unwrap();
        let asked = until_asked(&mut tab).await;
        assert_eq!((asked.why, &asked.reaches), (ApprovalReason::WayOut, &vec![place]));
    })
    .await;
}

#[tokio::test]
async fn what_forbids_to_read_a_page_forbids_a_command_to_reach_its_host() {
    on_sqlite_with_a_web(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        let site = Site::start();
        let place = place(&site);
        scoped.networks().set(agent, hosts(&[&place])).await.unwrap();
        scoped.networks().let_commands_out(agent, true).await.unwrap();
        let ran = async |command: &str| {
            let [ran] = scene.run(&scoped, [command]).await;
            ran["not_reached"][0]["why"].as_str().unwrap_or_default().to_owned()
        };
        let page = page(&site.url("/moss"));
        add_rule(&world.hub, &scene.viewer, "ask", "fetch", "127.0.0.1").await;
        assert!(ran(&page).await.contains("is asked before"));
        // Of what is sealed nobody sees the path.
        add_rule(&world.hub, &scene.viewer, "deny", "fetch", "127.0.0.1/private").await;
        assert!(ran(&page).await.contains("is asked before"));
        assert!(ran(&tunnel(&place, "true")).await.contains("a rule of your person's is against it"));
        assert_eq!(site.asked(), Vec::<String>::new());
    })
    .await;
}

/// Answers the first words that it hears with its own.
fn sealed_server() -> (u16, JoinHandle<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let hears = std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut heard) = (stream.unwrap(), vec![0; 4096]);
            let read = stream.read(&mut heard).unwrap();
            heard.truncate(read);
            if read > 0 {
                stream.write_all(b"moss\n").unwrap();
                return heard;
            }
        }
        Vec::new()
    });
    (port, hears)
}

/// The first words of a client that wants this host, and a command that says them.
fn greeting(host: &'static str) -> (Vec<u8>, String) {
    let config = ClientConfig::builder().with_root_certificates(RootCertStore::empty()).with_no_client_auth();
    let name = ServerName::try_from(host).unwrap();
    let mut client = ClientConnection::new(Arc::new(config), name).unwrap();
    let mut bytes = Vec::new();
    client.write_tls(&mut bytes).unwrap();
    let octal: String = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
    (bytes, format!("printf '{octal}'"))
}

#[tokio::test]
async fn a_tunnel_carries_what_is_sealed_to_the_host_that_it_is_for() {
    on_sqlite_with_a_web(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        let (port, server) = sealed_server();
        let place = format!("localhost:{port}");
        scoped.networks().set(agent, hosts(&[&place])).await.unwrap();
        scoped.networks().let_commands_out(agent, true).await.unwrap();
        let (_, for_another) = greeting("example.org");
        let [other] = scene.run(&scoped, [tunnel(&place, &for_another).as_str()]).await;
        assert!(other["not_reached"][0]["why"].as_str().unwrap().contains("another host"), "{other}");
        assert!(other.get("reached").is_none(), "{other}");
        let (bytes, for_it) = greeting("localhost");
        let [told] = scene.run(&scoped, [tunnel(&place, &for_it).as_str()]).await;
        assert_eq!(told["output"], "HTTP/1.1 200 OK\nmoss\n", "{told}");
        assert_eq!(told["reached"][0]["place"], format!("https://{place}"), "{told}");
        assert_eq!(server.join().unwrap(), bytes);
    })
    .await;
}

#[tokio::test]
async fn what_a_person_says_of_hosts_holds_for_a_job_that_runs() {
    on_sqlite_with_a_web(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        let site = Site::start();
        site.put("/moss", "text/plain", b"It is damp.");
        scoped.networks().set(agent, hosts(&[&place(&site)])).await.unwrap();
        scoped.networks().let_commands_out(agent, true).await.unwrap();
        let ask = page(&site.url("/moss"));
        let job = scene.begin_job(&scoped, &format!("({ask}); read x; ({ask}); read y")).await;
        let said = scene.told(&scoped, json!({ "action": "output", "job": job, "wait_s": 30 })).await;
        assert!(said["output"].as_str().unwrap().starts_with("HTTP/1.1 200"), "{said}");
        assert_eq!(said["by"], agent::tools::OTHERS);
        scoped.networks().let_commands_out(agent, false).await.unwrap();
        let input = json!({ "action": "input", "job": job, "text": "\n", "wait_s": 30 });
        let said: Value = scene.told(&scoped, input).await;
        assert!(said["output"].as_str().unwrap().contains("HTTP/1.1 403"), "{said}");
        assert!(said["not_reached"][0]["why"].as_str().unwrap().contains("may not reach"), "{said}");
    })
    .await;
}

/// What is said to the proxy as it is; then what comes back.
fn raw(said: &str) -> String {
    format!("exec 3<>/dev/tcp/127.0.0.1/3128 && printf '{said}' >&3 && cat <&3")
}

#[tokio::test]
async fn no_spelling_of_an_address_and_no_trick_with_requests_leads_past_the_list() {
    on_sqlite_with_a_web(async |world: World| {
        let scene = Scene::begin(&world).await;
        let scoped = world.hub.for_viewer(&scene.viewer);
        let (listed, other) = (Site::start(), Site::start());
        listed.put("/moss", "text/plain", b"It is damp.");
        other.put("/moss", "text/plain", b"It is secret.");
        let (place, elsewhere) = (place(&listed), place(&other));
        let port = elsewhere.rsplit(':').next().unwrap();
        // What a person lists by mistake is still nothing that a command reaches.
        let list = hosts(&[&place, "169.254.169.254", "100.100.100.200", "10.0.0.1", "[fe80::1]"]);
        // An agent that has heard from elsewhere is asked about before the next: each command has its own.
        let ran = async |command: &str| {
            let another = Definition::like(&scene.agent).tools(["terminal"]).create(&scoped).await.id;
            scoped.networks().set(&another, list.clone()).await.unwrap();
            scoped.networks().let_commands_out(&another, true).await.unwrap();
            let talk = scoped.conversations().create(&another).await.unwrap().id;
            let order = ("terminal", json!({ "command": command }));
            let (failed, told) = calls(&scoped, &another, &talk, &[order]).await.remove(0);
            assert!(!failed, "{told}");
            serde_json::from_str::<Value>(&told).unwrap()
        };
        let (good, bad) = (format!("http://{place}/moss"), format!("http://{elsewhere}/moss"));
        let attempts = [
            ("metadata", page("http://169.254.169.254/latest"), "is not a public address"),
            ("metadata of another cloud", page("http://100.100.100.200/latest"), "is not a public address"),
            ("a private address", page("http://10.0.0.1/"), "is not a public address"),
            ("an address of the link", page("http://[fe80::1]/"), "is not a public address"),
            ("metadata, sealed", tunnel("169.254.169.254:443", "true"), "is not a public address"),
            (
                "a user before the host",
                page(&format!("http://{place}@{elsewhere}/moss")),
                "no address of the web",
            ),
            ("a decimal address", page(&format!("http://2130706433:{port}/moss")), "is not on the list"),
            ("an octal address", page(&format!("http://0177.0.0.1:{port}/moss")), "is not on the list"),
            ("a short address", page(&format!("http://127.1:{port}/moss")), "is not on the list"),
            (
                "one within another",
                page(&format!("http://[::ffff:127.0.0.1]:{port}/moss")),
                "is not on the list",
            ),
            ("mail", tunnel("127.0.0.1:25", "true"), "is not on the list"),
            ("a shell elsewhere", tunnel("127.0.0.1:22", "true"), "is not on the list"),
            ("no host", raw("GET /moss HTTP/1.1\\r\\n\\r\\n"), "no address of the web"),
            (
                "a second request behind the first",
                raw(&format!(
                    "GET {good} HTTP/1.1\\r\\n\\r\\nGET {bad} HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n"
                )),
                "is not on the list",
            ),
            (
                "a request in the body of another",
                raw(&format!(
                    "POST {good} HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n\
                     GET {bad} HTTP/1.1\\r\\nConnection: close\\r\\n\\r\\n"
                )),
                "is not on the list",
            ),
        ];
        let mut got_out = Vec::new();
        for (name, command, why) in attempts {
            let told = ran(&command).await;
            let refused = told["not_reached"].as_array().map(Vec::as_slice).unwrap_or_default();
            let is_refused =
                refused.iter().any(|one| one["why"].as_str().is_some_and(|said| said.contains(why)));
            if !is_refused || told.to_string().contains("secret") {
                got_out.push(format!("{name}: {told}"));
            }
        }
        assert!(got_out.is_empty(), "{}", got_out.join("\n"));
        // Whom it is for is what the address says, whatever else does.
        let named =
            raw(&format!("GET {good} HTTP/1.1\\r\\nHost: {elsewhere}\\r\\nConnection: close\\r\\n\\r\\n"));
        let told = ran(&named).await;
        assert!(told["output"].as_str().unwrap().ends_with("It is damp."), "{told}");
        assert_eq!(other.asked(), Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn the_way_out_of_one_room_is_none_of_another() {
    on_sqlite_with_a_web(async |world: World| {
        let scene = Scene::begin(&world).await;
        let (scoped, agent) = (world.hub.for_viewer(&scene.viewer), &scene.agent.id);
        let site = Site::start();
        scoped.networks().set(agent, hosts(&[&place(&site)])).await.unwrap();
        scoped.networks().let_commands_out(agent, true).await.unwrap();
        scene.begin_job(&scoped, "sleep 600").await;
        let beside = Definition::like(&scene.agent).tools(["terminal"]).create(&scoped).await.id;
        let talk = scoped.conversations().create(&beside).await.unwrap().id;
        let command = format!("({}) 2>/dev/null || echo closed", page(&site.url("/moss")));
        let order = ("terminal", json!({ "command": command }));
        let (failed, told) = calls(&scoped, &beside, &talk, &[order]).await.remove(0);
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!((failed, &told["output"]), (false, &json!("closed\n")), "{told}");
        assert_eq!(site.asked(), Vec::<String>::new());
    })
    .await;
}

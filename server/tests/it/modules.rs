//! Which module of a crate may use which. Read off the sources: each path that begins with `crate::`.

mod graph;

use graph::Graph;

/// What is named here uses nothing that uses it again, however long the way around.
#[test]
fn no_module_uses_what_uses_it() {
    for source in ["app/src", "sandbox/protocol/src", "server/src"] {
        let graph = Graph::read(source);
        assert!(!graph.is_empty(), "{source} has no modules");
        if let Some(circle) = graph.circle() {
            panic!("{source}: {circle}");
        }
    }
}

#[test]
fn one_import_that_is_put_back_is_found() {
    for (source, module, code, found) in [
        (
            "sandbox/protocol/src",
            "log",
            "use crate::model::Usage;\nuse crate::view::{AgentCard, ContextRoom};",
            "log uses view",
        ),
        ("sandbox/protocol/src", "log", "skill_report.leaves_script(path)", "log uses view"),
        ("app/src", "keys", "use crate::providers::api::list_providers;", "keys uses providers"),
        ("app/src", "ui", "use crate::chrome::{NotFound, Shell};", "ui uses chrome"),
        ("app/src", "browser", "crate::agents::api::get_skin(agent)", "browser uses agents"),
        ("app/src", "money", "use crate::App;", "money uses routes"),
    ] {
        let mut graph = Graph::read(source);
        graph.read_text(module, "planted.rs", code);
        let circle = graph.circle().unwrap_or_else(|| panic!("{found}, and no circle is seen"));
        assert!(circle.contains(found) && circle.contains("planted.rs"), "{circle}");
    }
}

/// The modules of the hub, from below. A wing uses those before it, and itself.
const WINGS: &[(&str, &[&str])] = &[
    (
        "base",
        &[
            "access",
            "buckets",
            "byte_quota",
            "clock",
            "cluster",
            "difference",
            "disk",
            "error",
            "fair_cache",
            "fair_queue",
            "figures",
            "log",
            "nodes",
            "slowness",
            "store",
            "tally",
            "tasks",
        ],
    ),
    ("live", &["live", "running"]),
    ("people", &["accounts", "audit", "groups", "ledger", "vault"]),
    ("models", &["facts", "models", "oauth_server", "outbound", "providers", "traces"]),
    (
        "agents",
        &[
            "agent_cards",
            "agent_roles",
            "agent_shares",
            "agents",
            "attachments",
            "conversations",
            "documents",
            "engine",
            "files",
            "instructions",
            "made_tools",
            "marks",
            "memories",
            "mcp_servers",
            "network",
            "notifications",
            "open_data",
            "peers",
            "permissions",
            "person_context",
            "policy",
            "search",
            "shares",
            "skills",
            "skins",
            "space",
            "speech",
            "state",
            "terminal",
            "web_client",
            "web_search",
            "web_secrets",
            "workspaces",
            "zip",
        ],
    ),
    (
        "running",
        &[
            "approvals",
            "delegations",
            "external_jobs",
            "gateway",
            "pipelines",
            "runs",
            "schedules",
            "side_calls",
            "todo",
            "tools",
            "topics",
        ],
    ),
    (
        "top",
        &[
            "archives",
            "backups",
            "console",
            "copies",
            "guide",
            "hub_status",
            "imports",
            "leaving",
            "log_levels",
            "membership",
            "metrics",
            "model_endpoints",
            "opening",
            "pages",
            "program_runs",
            "repair",
            "reviews",
            "settings",
            "tabs",
            "takeout",
            "teams",
        ],
    ),
];

#[test]
fn no_wing_of_the_hub_uses_one_above_it() {
    let hub = Graph::read("server/hub/src");
    let placed: Vec<_> = WINGS.iter().flat_map(|(_, modules)| *modules).collect();
    let unplaced: Vec<_> = hub.modules().filter(|module| !placed.contains(&module)).collect();
    assert!(unplaced.is_empty(), "these modules stand in no wing: {unplaced:?}");
    let upward = upward(&hub);
    assert!(upward.is_empty(), "{}", upward.join("\n"));
}

#[test]
fn a_call_of_a_higher_wing_is_found_like_an_import() {
    let hub = Graph::read("server/hub/src");
    for (module, code, found) in [
        ("accounts", "use crate::runs::Runs;", "accounts uses runs"),
        ("ledger", "self.hub.runs().continue_run(agent, None)", "ledger uses runs"),
        ("agents", "self.scoped\n    .hub\n    .schedules()\n    .look()", "agents uses schedules"),
        ("log", "let live = hub.live();", "log uses live"),
        ("vault", "self.hub.0.model_endpoints.named", "vault uses model_endpoints"),
        ("log", "appending.reopen_call(run, turn, call).await?", "log uses runs"),
        ("ledger", "Appending::begin_due(&mut one, due, place, run)", "ledger uses schedules"),
        (
            "log",
            "impl Appending {\n    fn a(&mut self) {\n        self.book(place, call)\n    }\n}",
            "log uses ledger",
        ),
        ("live", "tab\n    .skin_claim(request)", "live uses tabs"),
        ("accounts", "self.hub.drain(limit).await", "accounts uses leaving"),
        ("vault", "hub.keep_backups(plan);", "vault uses backups"),
        ("agents", "let calling = self.hub.for_program(&program);", "agents uses model_endpoints"),
    ] {
        let mut hub = hub.clone();
        hub.read_text(module, "planted.rs", code);
        let upward = upward(&hub);
        assert_eq!(upward.len(), 1, "{upward:?}");
        assert!(upward[0].starts_with(found) && upward[0].contains("planted.rs"), "{upward:?}");
    }
}

fn upward(hub: &Graph) -> Vec<String> {
    let height = |module: &str| WINGS.iter().position(|(_, modules)| modules.contains(&module));
    hub.edges().filter(|(from, to)| height(from) < height(to)).map(|(from, to)| hub.edge(from, to)).collect()
}

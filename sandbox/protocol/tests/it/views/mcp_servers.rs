//! MCP servers: their tools, commands, programs and apps.

use crate::golden::{Section, section};
use crate::samples::AT;
use protocol::view::{
    AppPermission, GivenAgent, McpApp, McpAppHost, McpChoice, McpCommand, McpConnection, McpLent, McpLogKind,
    McpLogLine, McpProgram, McpPrograms, McpPrompt, McpPromptArgument, McpServerDetail, McpServerView,
    McpSignIn, McpToolState, McpToolView, McpVariable,
};

pub fn servers() -> Vec<Section> {
    vec![
        section("McpServerDetail", &[mcp_server()]),
        section("McpCommand", &[mcp_command()]),
        section("McpPrograms", &[mcp_programs()]),
        section("McpVariable", &[McpVariable { name: "GARDEN_KEY".to_owned(), value: "moss".to_owned() }]),
        section("McpApp", &[mcp_app()]),
    ]
}

pub fn choices() -> Vec<Section> {
    vec![section("McpChoice", &[McpChoice { server: mcp_server().server, is_chosen: true, untold: 3 }])]
}

pub fn mcp_app() -> McpApp {
    McpApp {
        name: "show".to_owned(),
        input_schema: serde_json::json!({ "type": "object" }),
        server: "s1".into(),
        server_name: "garden".to_owned(),
        digest: "5f".to_owned(),
        is_bordered: true,
        connect: vec!["https://api.example".to_owned()],
        load: Vec::new(),
        wanted: vec!["https://tiles.example".to_owned()],
        uses: vec![AppPermission::Camera, AppPermission::Geolocation],
        wants_to_use: vec![AppPermission::Microphone, AppPermission::ClipboardWrite],
    }
}

pub fn mcp_programs() -> McpPrograms {
    McpPrograms {
        programs: vec![McpProgram {
            name: "garden".to_owned(),
            words: ["npx", "-y", "garden-server"].map(str::to_owned).to_vec(),
            hosts: vec!["registry.npmjs.org".to_owned()],
            variables: vec!["GARDEN_KEY".to_owned()],
        }],
        not_here: Some("bubblewrap is not installed".to_owned()),
    }
}

pub fn mcp_command() -> McpCommand {
    McpCommand {
        server: "server-1".into(),
        server_name: "garden".to_owned(),
        prompt: McpPrompt {
            name: "plan".to_owned(),
            title: "Plan a bed".to_owned(),
            description: "Plans what grows where.".to_owned(),
            arguments: vec![McpPromptArgument {
                name: "bed".to_owned(),
                description: "Which one.".to_owned(),
                is_required: true,
            }],
        },
    }
}

pub fn mcp_server() -> McpServerDetail {
    let tool = |name: &str, state| McpToolView {
        name: name.to_owned(),
        called: format!("mcp_garden_{name}"),
        description: "Waters the moss.".to_owned(),
        input_schema: serde_json::json!({ "type": "object", "properties": { "litres": { "type": "integer" } } }),
        digest: "0a1b".to_owned(),
        is_destructive: name == "uproot",
        state,
    };
    McpServerDetail {
        server: McpServerView {
            id: "server-1".into(),
            name: "garden".to_owned(),
            url: "https://garden.example/mcp".to_owned(),
            headers: vec!["authorization".to_owned()],
            looked_at: Some(AT),
            failure: Some("Nothing answers at https://garden.example. Is it running?".to_owned()),
            tools_on: 1,
            tools_off: 1,
            tools_changed: 1,
            tools_new: 1,
            left_out: 2,
            connection: McpConnection::Connected {
                place: "https://sign-in.example".to_owned(),
                scopes: vec!["garden".to_owned()],
                since: AT,
            },
            sign_in_failure: Some("The sign-in was refused (access_denied).".to_owned()),
            lent: Some(McpLent::By { name: "Ada".to_owned() }),
        },
        tools: vec![
            tool("water", McpToolState::On),
            tool("uproot", McpToolState::Off),
            tool("prune", McpToolState::New),
            tool("plant", McpToolState::Changed { difference: "-Plants.\n+Plants two.\n".to_owned() }),
            tool("burn", McpToolState::Unusable { why: "Its schema is too large.".to_owned() }),
        ],
        prompts: vec![mcp_command().prompt],
        sign_in: Some(McpSignIn {
            place: "https://sign-in.example".to_owned(),
            scopes: vec!["garden".to_owned()],
            address: "https://sign-in.example/authorize?state=moss".to_owned(),
        }),
        sharing: None,
        app_hosts: vec![McpAppHost { host: "https://tiles.example".to_owned(), allowed: true }],
        log: vec![
            McpLogLine { at: AT, kind: McpLogKind::Warning, words: "The moss is dry.".to_owned() },
            McpLogLine { at: AT, kind: McpLogKind::Output, words: "listening".to_owned() },
        ],
        agents: vec![GivenAgent {
            agent: "agent-1".into(),
            name: "Ada".to_owned(),
            has: true,
            lacks: Vec::new(),
        }],
    }
}

//! `capabilities`: where the agent runs and what it can use right now.

use crate::gateway::Caller;
use protocol::view::Home;
use serde_json::json;

pub(super) fn describe(caller: &Caller<'_>) -> String {
    let page_open = caller.hub.live.stage(caller.agent).is_some();
    let (home, mode) = match (caller.home, page_open) {
        (Home::Browser, _) => ("browser", "browser-with-hub"),
        (Home::Hub, true) => ("hub", "hub-with-browser"),
        (Home::Hub, false) => ("hub", "hub-only"),
    };
    let tools: Vec<_> = caller.spec.tools.iter().map(|tool| tool.name.as_str()).collect();
    json!({
        "executionMode": mode,
        "home": home,
        "pageOpen": page_open,
        "tools": tools,
        "network": "none",
        "page": {
            "scripts": true,
            "forms": true,
            "network": false,
            "storage": "flo.state",
        },
    })
    .to_string()
}

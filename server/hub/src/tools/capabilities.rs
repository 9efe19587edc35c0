//! `capabilities`: where the agent runs and what it can use right now.

use super::{ToolError, skin};
use crate::gateway::Caller;
use protocol::view::Home;
use serde_json::json;

pub(super) async fn describe(caller: &Caller<'_>) -> Result<String, ToolError> {
    let page_open = skin::stage(caller).is_some();
    let (runjs, dom) = if page_open { ("page", "page") } else { ("engine", "structural") };
    let (home, mode) = match (caller.home, page_open) {
        (Home::Browser, _) => ("browser", "browser-with-hub"),
        (Home::Hub, true) => ("hub", "hub-with-browser"),
        (Home::Hub, false) => ("hub", "hub-only"),
    };
    let tools: Vec<_> = caller.spec.tools.iter().map(|tool| tool.name.as_str()).collect();
    let network = caller.hub.network_of(caller.agent).await?;
    let told = json!({
        "executionMode": mode,
        "home": home,
        "pageOpen": page_open,
        "runjs": runjs,
        "dom": dom,
        "tools": tools,
        "network": network,
        "page": {
            "scripts": true,
            "forms": true,
            "network": false,
            "storage": "flo.state",
        },
    });
    Ok(told.to_string())
}

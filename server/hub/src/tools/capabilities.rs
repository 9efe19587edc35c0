//! `capabilities`: where the agent runs and what it can use right now.

use super::{ToolError, devices};
use crate::gateway::Caller;
use protocol::agent::Home;
use protocol::approval::Asker;
use serde_json::json;

/// The ways in which loop, hub and page can be together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The hub drives, and a browser shows the page.
    HubWithBrowser,
    HubOnly,
    /// A tab drives, and is in touch with the hub.
    BrowserWithHub,
    /// A tab drives, and has lost the hub for the moment.
    BrowserOnly,
}

impl Mode {
    fn of(home: Home, has_page: bool, has_driver: bool) -> Self {
        match (home, has_page, has_driver) {
            (Home::Hub, true, _) => Self::HubWithBrowser,
            (Home::Hub, false, _) => Self::HubOnly,
            (Home::Browser, _, true) => Self::BrowserWithHub,
            (Home::Browser, _, false) => Self::BrowserOnly,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::HubWithBrowser => "hub-with-browser",
            Self::HubOnly => "hub-only",
            Self::BrowserWithHub => "browser-with-hub",
            Self::BrowserOnly => "browser-only",
        }
    }
}

pub(super) async fn describe(caller: &Caller<'_>) -> Result<String, ToolError> {
    let page_open = caller.hub.live().stage(caller.agent).is_some();
    let (runjs, dom) = if page_open { ("page", "page") } else { ("engine", "structural") };
    let home = match caller.home {
        Home::Hub => "hub",
        Home::Browser => "browser",
    };
    let mode = Mode::of(caller.home, page_open, caller.tab.is_some());
    let devices = devices::list(caller).await?;
    let tools: Vec<_> = caller.spec.given().map(|tool| tool.name.as_str()).collect();
    let network = caller.hub.networks().of_agent(caller.root).await?;
    let secrets = match caller.asker() {
        Asker::Model => caller.hub.web_secrets().of_agent(&caller.owner.0, caller.root).await?,
        // A page sends none.
        Asker::Page => Vec::new(),
    };
    let secrets: Vec<_> =
        secrets.iter().map(|secret| json!({ "name": secret.name, "host": secret.place })).collect();
    let told = json!({
        "executionMode": mode.name(),
        "home": home,
        "pageOpen": page_open,
        "devices": devices,
        "runjs": runjs,
        "dom": dom,
        "tools": tools,
        "network": network,
        "secrets": secrets,
        "page": {
            "scripts": true,
            "forms": true,
            "network": false,
            "storage": "flo.state",
        },
    });
    Ok(told.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_four_modes() {
        for (home, has_page, has_driver, expected) in [
            (Home::Hub, true, false, "hub-with-browser"),
            (Home::Hub, false, false, "hub-only"),
            (Home::Browser, true, true, "browser-with-hub"),
            (Home::Browser, false, true, "browser-with-hub"),
            (Home::Browser, true, false, "browser-only"),
        ] {
            assert_eq!(Mode::of(home, has_page, has_driver).name(), expected);
        }
    }
}

//! The page of an agent in the clients of others (MCP Apps): what it looks like now, still, below the call that asked it.

use super::super::rpc::RpcError;
use super::Asker;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hub::Viewer;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// What clients call the extension, and pages of its kind.
const EXTENSION: &str = "io.modelcontextprotocol/ui";
const MIME: &str = "text/html;profile=mcp-app";
pub(super) const ADDRESS: &str = "ui://vivarium/page";
/// The tool that this page calls. No agent is called so: all have `_` in their names.
pub(super) const TOOL: &str = "page";
/// Largest page that is shown there, in bytes.
const LARGEST: usize = 256 * 1024;

/// Its policy names its one script: what it shows is parsed once more there, perhaps not as it was here.
static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    let html = include_str!("page.html");
    html.replacen("{script}", &STANDARD.encode(Sha256::digest(script(html))), 1)
});

fn script(html: &str) -> &str {
    let (_, behind) = html.split_once("<script type=\"module\">").unwrap_or_default();
    behind.split_once("</script>").unwrap_or_default().0
}

impl Asker {
    /// Whether the client shows pages, and the token may see what its person does.
    pub(super) fn shows_pages(&self) -> bool {
        self.viewer.is_some() && self.client_shows_pages
    }

    /// What an agent's page looks like now.
    pub(super) async fn page(&self, viewer: &Viewer, arguments: &Value) -> Result<Value, RpcError> {
        let agent = self.named(arguments["agent"].as_str().unwrap_or_default()).await?;
        let still = self.state.hub.for_viewer(viewer).skins().still(&agent.id, None).await?;
        let address = format!("{}/agents/{}", self.origin, agent.id);
        let mut shown = json!({ "name": agent.name, "address": address });
        let words = match still {
            None => "It has drawn no page.",
            Some(html) if html.len() > LARGEST => {
                shown["isTooLarge"] = json!(true);
                "The page is too large to be shown here."
            }
            Some(html) => {
                shown["html"] = json!(html);
                "The page is shown."
            }
        };
        Ok(json!({ "content": [{ "type": "text", "text": words }], "structuredContent": shown }))
    }
}

/// The tool for the page alone.
pub(super) fn tool() -> Value {
    json!({
        "name": TOOL,
        "title": "What an agent's page looks like now",
        "description": "For the page that is shown below a call of an agent.",
        "inputSchema": {
            "type": "object",
            "properties": { "agent": { "type": "string", "description": "The tool that asks the agent." } },
            "required": ["agent"],
            "additionalProperties": false,
        },
        "annotations": { "readOnlyHint": true, "openWorldHint": false },
        "_meta": { "ui": { "visibility": ["app"] } },
    })
}

/// What the tool of an agent says of its page.
pub(super) fn meta() -> Value {
    json!({ "ui": { "resourceUri": ADDRESS } })
}

pub(super) fn resource() -> Value {
    json!({ "contents": [{
        "uri": ADDRESS,
        "mimeType": MIME,
        "text": *DOCUMENT,
        "_meta": { "ui": { "prefersBorder": true } },
    }] })
}

/// Whether these capabilities of a client say that it shows pages.
pub(super) fn are_shown_by(capabilities: &Value) -> bool {
    let kinds = &capabilities["extensions"][EXTENSION]["mimeTypes"];
    kinds.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == MIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_of_the_document_lets_its_own_script_run_and_no_other() {
        let script = script(&DOCUMENT);
        assert!(script.contains("ui/initialize") && DOCUMENT.matches("<script").count() == 1);
        let allowed = format!("script-src 'sha256-{}';", STANDARD.encode(Sha256::digest(script)));
        let (before, _) = DOCUMENT.split_once("<script").unwrap();
        assert!(before.contains(&allowed), "{before}");
    }
}

//! The page of an agent in the clients of others (MCP Apps): alive in a frame of its own below the call that asked the
//! agent, or still where the client lets no frame be. What it says there is in `says.rs`.

use super::super::rpc::RpcError;
use super::call::{Begun, failed};
use super::{Asker, says};
use crate::sandbox;
use hub::{Hub, OfferedAgent, Tab, Viewer};
use protocol::hub::HubFrame;
use protocol::log::EntryBody;
use serde_json::{Value, json};
use std::sync::LazyLock;
use std::time::Duration;
use tokio::time::timeout;

/// What clients call the extension, and pages of its kind.
const EXTENSION: &str = "io.modelcontextprotocol/ui";
const MIME: &str = "text/html;profile=mcp-app";
pub(super) const ADDRESS: &str = "ui://vivarium/page";
/// The tool by which this page is seen. No agent is called so: all have the end of an id behind their names.
pub(super) const TOOL: &str = "page";
/// Largest page that is shown there, with what it keeps, in bytes.
const LARGEST: usize = 256 * 1024;
/// How long one call waits for the page to become another.
const PATIENCE: Duration = Duration::from_secs(20);
/// What such a call counts for: it has the hub read a log.
const FOLLOW_COST: u32 = 10;

/// It holds the frame document of a skin, and walls itself and that one off like a skin's frame.
static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
    let policy = sandbox::skin_policy_in_markup();
    let wall = format!(
        "<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">"
    );
    let frame = String::from_utf8_lossy(bundle::SKIN_HTML.plain).replacen("<head>", &wall, 1);
    // In a script of a document no `<` may stand that could end it.
    let frame = Value::from(frame).to_string().replace('<', "\\u003c");
    include_str!("page.html").replacen("{policy}", &policy, 1).replacen("'{frame}'", &frame, 1)
});

impl Asker {
    /// Whether the client shows pages, and the token may see what its person does.
    pub(super) fn shows_pages(&self) -> bool {
        self.viewer.is_some() && self.client_shows_pages
    }

    /// What an agent's page is now; `after` an entry of its log, when it has become another since then.
    pub(super) async fn page(
        &self,
        viewer: &Viewer,
        id: &Value,
        arguments: &Value,
    ) -> Result<Begun, RpcError> {
        let agent = self.named(arguments["agent"].as_str().unwrap_or_default()).await?;
        let look = Look {
            hub: self.state.hub.clone(),
            viewer: viewer.clone(),
            address: format!("{}/agents/{}", self.origin, agent.id),
            agent,
            has: arguments["version"].as_u64(),
        };
        if arguments["still"] == true {
            return Ok(Begun::Answered(look.still().await?));
        }
        let Some(after) = arguments["after"].as_u64() else {
            return Ok(Begun::Answered(look.whole().await?));
        };
        let Some(place) = self.wait_in_line(viewer, FOLLOW_COST) else {
            return Ok(Begun::Answered(failed(says::TOO_MUCH)));
        };
        let mut tab = look.hub.open_page_elsewhere(look.viewer.clone())?;
        tab.follow(&look.agent.id, after).await?;
        Ok(self.later(id, async move {
            let _place = place;
            let mut at = after;
            let looked = match timeout(PATIENCE, change(&mut tab, &mut at)).await {
                Ok(Changed::Page) => look.now(at).await,
                Ok(Changed::Lost) => return failed(says::CUT),
                Err(_) => Ok(look.as_before(at)),
            };
            looked.unwrap_or_else(|error| failed(&error.into_failure().to_string()))
        }))
    }
}

/// How the page came to be looked at again.
enum Changed {
    Page,
    /// The token was revoked, or the hub is too busy.
    Lost,
}

/// Waits until the page, or what it shares with its agent, is another than at the entry behind which the tab begins. `at`
/// is the newest entry that was heard of.
async fn change(tab: &mut Tab, at: &mut u64) -> Changed {
    let (mut is_another, mut is_caught_up) = (false, false);
    while !(is_another && is_caught_up) {
        let Some(frame) = tab.next().await else { return Changed::Lost };
        match serde_json::from_slice::<HubFrame>(&frame.text) {
            Ok(HubFrame::CaughtUp { seq, .. }) => {
                *at = seq.max(*at);
                is_caught_up = true;
            }
            Ok(HubFrame::Entry { entry }) => {
                *at = entry.seq.max(*at);
                is_another |=
                    matches!(entry.body, EntryBody::Skin { .. } | EntryBody::State { superseded: false, .. });
            }
            // What else a tab is told is about other things than its page.
            _ => {}
        }
    }
    Changed::Page
}

/// Whose page is looked at, and by whom.
struct Look {
    hub: Hub,
    viewer: Viewer,
    agent: OfferedAgent,
    address: String,
    /// The version that whoever looks has.
    has: Option<u64>,
}

impl Look {
    async fn whole(&self) -> hub::Result<Value> {
        let cards = self.hub.for_viewer(&self.viewer).agents().list().await?;
        let card = cards.iter().find(|card| card.id == self.agent.id);
        self.now(card.map_or(0, |card| card.seq)).await
    }

    /// The page and what it keeps, at the entry `seq` or later: what changes meanwhile is told once more.
    async fn now(&self, seq: u64) -> hub::Result<Value> {
        let scoped = self.hub.for_viewer(&self.viewer);
        let Some(skin) = scoped.skins().current(&self.agent.id).await? else {
            return Ok(shown("It has drawn no page.", self.told(seq, 0)));
        };
        let state = scoped.states().read(&self.agent.id).await?;
        let mut told = self.told(seq, skin.version);
        let (page, state) = (serde_json::to_value(&skin.page)?, serde_json::to_value(state)?);
        if page.to_string().len() + state.to_string().len() > LARGEST {
            return Ok(too_large(told));
        }
        told["state"] = state;
        if self.has != Some(skin.version) {
            told["page"] = page;
        }
        Ok(shown("The page is shown.", told))
    }

    /// What it looks like now, with nothing in it that runs.
    async fn still(&self) -> hub::Result<Value> {
        let still = self.hub.for_viewer(&self.viewer).skins().still(&self.agent.id, None).await?;
        let mut told = json!({ "name": self.agent.name, "address": self.address });
        Ok(match still {
            None => shown("It has drawn no page.", told),
            Some(html) if html.len() > LARGEST => too_large(told),
            Some(html) => {
                told["html"] = json!(html);
                shown("The page is shown.", told)
            }
        })
    }

    fn as_before(&self, seq: u64) -> Value {
        shown("The page is as it was.", self.told(seq, self.has.unwrap_or_default()))
    }

    fn told(&self, seq: u64, version: u64) -> Value {
        json!({ "name": self.agent.name, "address": self.address, "seq": seq, "version": version })
    }
}

fn too_large(mut told: Value) -> Value {
    told["isTooLarge"] = json!(true);
    shown("The page is too large to be shown here.", told)
}

fn shown(words: &str, told: Value) -> Value {
    json!({ "content": [{ "type": "text", "text": words }], "structuredContent": told })
}

/// The tool by which the page is seen, for the page alone.
pub(super) fn tool() -> Value {
    json!({
        "name": TOOL,
        "title": "What an agent's page looks like now",
        "description": "For the page that is shown below a call of an agent.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "agent": says::agent(),
                "after": { "type": "integer", "minimum": 0, "description": "Answers when the page, or what it keeps, became another since this entry of the agent's log, as an answer named it in seq, or after twenty seconds." },
                "version": { "type": "integer", "minimum": 0, "description": "Which one whoever asks has." },
                "still": { "type": "boolean", "description": "As HTML in which nothing runs." },
            },
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
    fn the_document_walls_itself_and_the_frame_in_it_off_like_a_frame_of_a_skin() {
        let policy = sandbox::skin_policy_in_markup();
        let wall = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
        let (before, script) = DOCUMENT.split_once("<script type=\"module\">").unwrap();
        assert!(before.contains(&wall), "{before}");
        let (script, behind) = script.split_once("</script>").unwrap();
        assert!(script.contains("ui/initialize") && !behind.contains("script"));
        let (_, frame) = script.split_once("const FRAME = ").unwrap();
        let (frame, _) = frame.split_once(";\n").unwrap();
        let frame: String = serde_json::from_str(frame).unwrap();
        let (before, _) = frame.split_once("<script>").unwrap();
        assert!(before.contains(&wall), "{before}");
    }
}

//! What a tool says of its page.

use super::super::resources::ADDRESS;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How such a page's address begins.
const SCHEME: &str = "ui://";
/// Where it stood before the extension had a part of its own.
const OLD: &str = "ui/resourceUri";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Ui {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    /// `model` and `app`. Absent: for both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    visibility: Option<Vec<String>>,
}

impl Ui {
    /// `None`: it has no page, and is there for everybody.
    pub(in super::super) fn of(tool: &Value) -> Option<Self> {
        let meta = tool.get("_meta")?;
        let ui = meta.get("ui");
        let address = ui.and_then(|ui| ui.get("resourceUri")).or_else(|| meta.get(OLD));
        let is_address =
            |it: &&str| it.starts_with(SCHEME) && it.len() <= ADDRESS && !it.chars().any(char::is_control);
        let page = address.and_then(Value::as_str).filter(is_address).map(str::to_owned);
        let visibility = ui.and_then(|ui| ui.get("visibility")).and_then(Value::as_array).map(|named| {
            let named = named.iter().filter_map(Value::as_str);
            named.filter(|name| matches!(*name, "model" | "app")).map(str::to_owned).collect()
        });
        let ui = Self { page, visibility };
        (ui != Self::default()).then_some(ui)
    }

    pub(in super::super) fn page(&self) -> Option<&str> {
        self.page.as_deref()
    }

    pub(in super::super) fn has_page(&self) -> bool {
        self.page.is_some() && self.is_for_models()
    }

    pub(in super::super) fn is_for_models(&self) -> bool {
        self.is_for("model")
    }

    pub(in super::super) fn is_for_pages(&self) -> bool {
        self.is_for("app")
    }

    fn is_for(&self, who: &str) -> bool {
        self.visibility.as_ref().is_none_or(|named| named.iter().any(|name| name == who))
    }

    /// For comparing what was said yes to with what is offered.
    pub(in super::super) fn lines(&self) -> String {
        let page = self.page.as_ref().map(|page| format!("It shows {page}"));
        let who = self.visibility.as_ref().map(|named| format!("It is there for: {}", named.join(", ")));
        page.into_iter().chain(who).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_tool_says_which_page_it_has_and_who_may_call_it() {
        for (meta, page, models, pages) in [
            (json!({}), None, true, true),
            (json!({ "ui": { "resourceUri": "ui://a" } }), Some("ui://a"), true, true),
            (json!({ "ui/resourceUri": "ui://old" }), Some("ui://old"), true, true),
            (
                json!({ "ui": { "resourceUri": "ui://new" }, "ui/resourceUri": "ui://old" }),
                Some("ui://new"),
                true,
                true,
            ),
            (json!({ "ui": { "resourceUri": "https://a.example" } }), None, true, true),
            (json!({ "ui": { "resourceUri": "ui://a\nb" } }), None, true, true),
            (json!({ "ui": { "visibility": ["app"] } }), None, false, true),
            (json!({ "ui": { "visibility": ["model"] } }), None, true, false),
            (json!({ "ui": { "visibility": ["admin"] } }), None, false, false),
            (json!({ "ui": 7 }), None, true, true),
        ] {
            let ui = Ui::of(&json!({ "name": "a", "_meta": meta })).unwrap_or_default();
            assert_eq!((ui.page(), ui.is_for_models(), ui.is_for_pages()), (page, models, pages), "{meta}");
        }
    }
}

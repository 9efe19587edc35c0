//! The value that a form field has when its page opens.

use super::tree::{NodeId, Tree};
use html5ever::{local_name, ns};
use serde_json::{Map, Value, json};

impl Tree {
    /// `value`, and `checked` of what can be ticked.
    pub(super) fn field_of(&self, id: NodeId) -> Map<String, Value> {
        let Some(element) = self.element(id).filter(|element| element.name.ns == ns!(html)) else {
            return Map::new();
        };
        let mut field = Map::new();
        match element.name.local {
            local_name!("input") => {
                let kind = element.attribute("type").unwrap_or_default().to_ascii_lowercase();
                let is_ticked = kind == "checkbox" || kind == "radio";
                let usual = if is_ticked { "on" } else { "" };
                field.insert("value".to_owned(), json!(element.attribute("value").unwrap_or(usual)));
                if is_ticked {
                    field.insert("checked".to_owned(), json!(element.attribute("checked").is_some()));
                }
            }
            local_name!("textarea") => {
                field.insert("value".to_owned(), json!(self.text_of(id)));
            }
            local_name!("select") => {
                field.insert("value".to_owned(), json!(self.selected(id)));
            }
            _ => {}
        }
        field
    }

    fn selected(&self, id: NodeId) -> String {
        let is_option =
            |id: &NodeId| self.element(*id).is_some_and(|one| one.is_html(&local_name!("option")));
        let options: Vec<_> = self.all_below(id).filter(is_option).collect();
        let has =
            |id: &NodeId, name: &str| self.element(*id).is_some_and(|one| one.attribute(name).is_some());
        let chosen = options.iter().rev().find(|id| has(id, "selected"));
        let first = || options.iter().find(|option| !has(option, "disabled") && !has(&id, "multiple"));
        chosen.or_else(first).map_or_else(String::new, |option| self.value_of_option(*option))
    }

    fn value_of_option(&self, id: NodeId) -> String {
        let own = self.element(id).and_then(|option| option.attribute("value"));
        own.map_or_else(
            || self.text_of(id).split_ascii_whitespace().collect::<Vec<_>>().join(" "),
            str::to_owned,
        )
    }
}

//! The `dom` tool on a page that nobody has open: what the page's own `sandbox/page/skin/dom.js` does,
//! as far as it needs no screen and no script. Scripts stay in the page and run when it opens.

pub(super) mod document;
mod effort;
mod form;
mod parse;
mod select;
mod style;
mod tree;
mod write;

use effort::TooMuch;
use html5ever::local_name;
use protocol::page::{Listener, SkinPage};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tree::{NodeId, Tree};

const TEXT_IN_QUERY: usize = 500;
const MAX_MATCHES: usize = 20;
const LISTENERS: usize = 200;
/// Longest event and selector together, in UTF-16 units as in the page.
const NAME: usize = 100;

const NOTE: &str =
    "No open page answers: this is the page as it is stored. Nothing is rendered, and no script has run.";

/// What went wrong, in words for the model.
#[derive(Debug)]
pub(super) struct Fault(String);

impl Fault {
    pub(super) fn into_result(self) -> Value {
        json!({ "error": self.0 })
    }
}

impl From<TooMuch> for Fault {
    fn from(_: TooMuch) -> Self {
        Self("the HTML cannot be read: too much is open in it, or there is too much of it".to_owned())
    }
}

type Outcome = Result<Value, Fault>;

#[derive(Deserialize)]
struct Input {
    action: String,
    selector: Option<String>,
    html: Option<String>,
    #[serde(default)]
    position: Position,
    text: Option<String>,
    #[serde(default)]
    attributes: Changes,
    #[serde(default)]
    style: Changes,
    limit: Option<usize>,
    event: Option<String>,
}

/// `null` removes.
type Changes = BTreeMap<String, Option<String>>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Position {
    #[default]
    Append,
    Prepend,
    Replace,
    Before,
    After,
}

/// Performs one call. The page comes back as it is after it, whatever the outcome.
pub(super) fn perform(page: SkinPage, input: &Value) -> (SkinPage, Outcome) {
    let mut document = match Document::open(&page) {
        Ok(document) => document,
        Err(too_much) => return (page, Err(too_much.into())),
    };
    let outcome = match Input::deserialize(input) {
        Ok(input) => document.act(&input),
        Err(error) => Err(Fault(error.to_string())),
    };
    (document.close(), outcome)
}

struct Document {
    tree: Tree,
    root: NodeId,
    head: NodeId,
    body: NodeId,
    listeners: Vec<Listener>,
}

impl Document {
    fn open(page: &SkinPage) -> Result<Self, TooMuch> {
        let mut tree = Tree::default();
        let root = tree.add_html(local_name!("html"));
        let head = tree.add_html(local_name!("head"));
        let body = tree.add_html(local_name!("body"));
        tree.append(root, head);
        tree.append(root, body);
        for (id, attributes) in [(root, &page.html_attributes), (body, &page.body_attributes)] {
            let Some(element) = tree.element_mut(id) else { continue };
            for (name, value) in attributes {
                element.set_attribute(name, value);
            }
        }
        for (id, html) in [(head, &page.head), (body, &page.body)] {
            for node in tree.parse(html, id)? {
                tree.append(id, node);
            }
        }
        Ok(Self { tree, root, head, body, listeners: page.listeners.clone() })
    }

    fn close(self) -> SkinPage {
        SkinPage {
            head: self.tree.inner_html(self.head),
            body: self.tree.inner_html(self.body),
            html_attributes: self.tree.attributes_of(self.root),
            body_attributes: self.tree.attributes_of(self.body),
            listeners: self.listeners,
        }
    }

    fn act(&mut self, input: &Input) -> Outcome {
        match input.action.as_str() {
            "create" => self.create(input),
            "modify" => self.modify(input),
            "query" => self.query(input),
            "remove" => self.remove(input),
            "listen" => self.listen(input),
            "unlisten" => self.unlisten(input),
            "get_listeners" => Ok(json!({ "listeners": self.listeners })),
            "wait_for" => self.wait_for(input),
            "screenshot" => Err(Fault(
                "no page is open, so there is no picture of it; name a device to wait for one".to_owned(),
            )),
            action => Err(Fault(format!("unknown action: {action}"))),
        }
    }

    fn create(&mut self, input: &Input) -> Outcome {
        let Some(html) = &input.html else { return Err(Fault("create needs html".to_owned())) };
        let place = self.select_some(input.selector.as_deref().unwrap_or("body"))?[0];
        self.check_position(place, input.position)?;
        let holder = self.tree.add_element(parse::template(), Vec::new());
        let nodes = self.tree.parse(html, holder)?;
        self.insert(place, input.position, &nodes);
        let elements: Vec<_> = nodes.into_iter().filter(|id| self.tree.element(*id).is_some()).collect();
        Ok(json!({ "created": self.tags_of(&elements), "rendered": rendered(), "note": NOTE }))
    }

    fn check_position(&self, place: NodeId, position: Position) -> Result<(), Fault> {
        let may_be = match position {
            Position::Append | Position::Prepend => true,
            Position::Replace => place != self.root,
            Position::Before | Position::After => !self.is_fixed(place),
        };
        if may_be {
            return Ok(());
        }
        let position = format!("{position:?}").to_lowercase();
        Err(Fault(format!(
            "nothing can be put at position {position} of {}; use append, prepend or replace on body",
            self.tree.tag_of(place)
        )))
    }

    fn insert(&mut self, place: NodeId, position: Position, nodes: &[NodeId]) {
        let node = self.tree.node(place);
        let (parent, next) = match position {
            Position::Append | Position::Replace => (Some(place), None),
            Position::Prepend => (Some(place), node.first),
            Position::Before => (node.parent, Some(place)),
            Position::After => (node.parent, node.next),
        };
        if position == Position::Replace {
            self.tree.clear(place);
        }
        let Some(parent) = parent else { return };
        for id in nodes {
            self.tree.insert(parent, *id, next);
        }
    }

    fn modify(&mut self, input: &Input) -> Outcome {
        let element = self.select_some(needed(input.selector.as_deref(), "selector", "modify")?)?[0];
        let Input { html, text, attributes, style, .. } = input;
        if html.is_none() && text.is_none() && attributes.is_empty() && style.is_empty() {
            return Err(Fault("modify needs html, text, attributes or style".to_owned()));
        }
        if html.is_some() && text.is_some() {
            return Err(Fault("modify takes html or text, not both".to_owned()));
        }
        if (html.is_some() || text.is_some()) && element == self.root {
            let why = "the content of html cannot be replaced as a whole; modify head or body";
            return Err(Fault(why.to_owned()));
        }
        self.change_attributes(element, attributes)?;
        let ignored = self.change_style(element, style);
        if let Some(text) = text {
            self.tree.clear(element);
            if !text.is_empty() {
                let text = self.tree.add(tree::Kind::Text(text.clone()));
                self.tree.append(element, text);
            }
        }
        if let Some(html) = html {
            let nodes = self.tree.parse(html, element)?;
            let holder = self.tree.element(element).and_then(|element| element.contents).unwrap_or(element);
            self.tree.clear(holder);
            for node in nodes {
                self.tree.append(holder, node);
            }
        }
        let mut result =
            json!({ "modified": self.tree.tag_of(element), "rendered": rendered(), "note": NOTE });
        if !ignored.is_empty() {
            result["ignored_style"] = json!(ignored);
        }
        Ok(result)
    }

    fn change_attributes(&mut self, id: NodeId, changes: &Changes) -> Result<(), Fault> {
        let Some(element) = self.tree.element_mut(id) else { return Ok(()) };
        for (name, value) in changes {
            let is_name = !name.is_empty()
                && !name.contains(|c: char| c.is_ascii_whitespace() || matches!(c, '\0' | '/' | '=' | '>'));
            if !is_name {
                return Err(Fault(format!("{name:?} is not a valid attribute name")));
            }
            let is_html = element.name.ns == html5ever::ns!(html);
            let name = if is_html { name.to_ascii_lowercase() } else { name.clone() };
            match value {
                Some(value) => element.set_attribute(&name, value),
                None => element.remove_attribute(&name),
            }
        }
        Ok(())
    }

    /// Gives back what is no declaration.
    fn change_style(&mut self, id: NodeId, changes: &Changes) -> Vec<String> {
        let Some(element) = self.tree.element_mut(id) else { return Vec::new() };
        let mut ignored = Vec::new();
        for (name, value) in changes {
            let before = element.attribute("style").unwrap_or_default();
            let (after, taken) = style::change(before, name, value.as_deref());
            if !taken {
                ignored.push(format!("{name}: {}", value.as_deref().unwrap_or_default()));
            }
            if after != before {
                element.set_attribute("style", &after);
            }
        }
        ignored
    }

    fn query(&self, input: &Input) -> Outcome {
        let found = self.select_some(needed(input.selector.as_deref(), "selector", "query")?)?;
        let elements: Vec<Value> =
            found.iter().take(input.limit.unwrap_or(MAX_MATCHES)).map(|id| self.describe(*id)).collect();
        Ok(json!({ "count": found.len(), "elements": elements, "note": NOTE }))
    }

    fn describe(&self, id: NodeId) -> Value {
        let mut told = self.tree.field_of(id);
        let tag = self.tree.element(id).map(|element| element.name.local.to_string());
        told.insert("tag".to_owned(), json!(tag));
        told.insert("attributes".to_owned(), json!(self.tree.attributes_of(id)));
        told.insert("text".to_owned(), Value::from(shorten(&self.tree.text_of(id), TEXT_IN_QUERY)));
        told.insert("rendered".to_owned(), rendered());
        told.into()
    }

    fn remove(&mut self, input: &Input) -> Outcome {
        let found = self.select_some(needed(input.selector.as_deref(), "selector", "remove")?)?;
        if let Some(fixed) = found.iter().find(|id| self.is_fixed(**id)) {
            let tag = self.tree.tag_of(*fixed);
            return Err(Fault(format!("{tag} cannot be removed; replace its content")));
        }
        for id in &found {
            self.tree.detach(*id);
        }
        Ok(json!({ "removed": self.tags_of(&found), "rendered": rendered(), "note": NOTE }))
    }

    fn listen(&mut self, input: &Input) -> Outcome {
        let selector = needed(input.selector.as_deref(), "selector", "listen")?;
        let event = needed(input.event.as_deref(), "event", "listen")?;
        let matches = self.select(selector)?.len();
        let name = format!("{event} {selector}");
        if name.encode_utf16().count() > NAME {
            let why = format!("event and selector are longer than {NAME} characters; give the element an id");
            return Err(Fault(why));
        }
        if self.listeners.len() >= LISTENERS {
            return Err(Fault(format!("the page has {LISTENERS} listeners, which is the most")));
        }
        let listener = Listener { selector: selector.to_owned(), event: event.to_owned() };
        if !self.listeners.contains(&listener) {
            self.listeners.push(listener);
        }
        Ok(json!({ "listening": name, "matches": matches, "rendered": rendered(), "note": NOTE }))
    }

    fn unlisten(&mut self, input: &Input) -> Outcome {
        let selector = needed(input.selector.as_deref(), "selector", "unlisten")?;
        let event = needed(input.event.as_deref(), "event", "unlisten")?;
        let before = self.listeners.len();
        self.listeners.retain(|one| one.selector != selector || one.event != event);
        if self.listeners.len() == before {
            return Err(Fault(format!("nothing listens to {event} on {selector}")));
        }
        Ok(json!({ "ended": format!("{event} {selector}") }))
    }

    fn wait_for(&self, input: &Input) -> Outcome {
        let wanted = needed(input.selector.as_deref(), "selector", "wait_for")?;
        let found = self.select(wanted)?;
        let Some(first) = found.first() else {
            let why = "no page is open, so nothing will change by waiting";
            return Err(Fault(format!("no element matches {wanted}; {why}")));
        };
        let found = json!({
            "found": self.tree.tag_of(*first),
            "count": found.len(),
            "millis": 0,
            "rendered": rendered(),
            "note": NOTE,
        });
        Ok(found)
    }

    fn select(&self, selector: &str) -> Result<Vec<NodeId>, Fault> {
        self.tree
            .select(self.root, selector)
            .ok_or_else(|| Fault(format!("not a valid CSS selector: {selector}")))
    }

    /// Like `select`, but refuses to find nothing.
    fn select_some(&self, selector: &str) -> Result<Vec<NodeId>, Fault> {
        let found = self.select(selector)?;
        if found.is_empty() {
            return Err(Fault(format!("no element matches {selector}")));
        }
        Ok(found)
    }

    fn is_fixed(&self, id: NodeId) -> bool {
        [self.root, self.head, self.body].contains(&id)
    }

    fn tags_of(&self, elements: &[NodeId]) -> Vec<String> {
        let mut tags: Vec<_> = elements.iter().take(MAX_MATCHES).map(|id| self.tree.tag_of(*id)).collect();
        if elements.len() > MAX_MATCHES {
            tags.push(format!("… {} in all", elements.len()));
        }
        tags
    }
}

/// The size on a screen, of which there is none.
fn rendered() -> Value {
    json!({ "width": null, "height": null, "visible": null })
}

fn needed<'a>(value: Option<&'a str>, name: &str, action: &str) -> Result<&'a str, Fault> {
    value.ok_or_else(|| Fault(format!("{action} needs {name}")))
}

/// At most `length` UTF-16 units, as the page counts.
fn shorten(text: &str, length: usize) -> String {
    if text.encode_utf16().count() <= length {
        return text.to_owned();
    }
    let mut units = 0;
    let mut short: String = text
        .chars()
        .take_while(|c| {
            units += c.len_utf16();
            units < length
        })
        .collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests;

//! A tree as HTML and as text.

use super::tree::{Element, Kind, NodeId, Tree, qualified};
use html5ever::serialize::{HtmlSerializer, SerializeOpts, Serializer, TraversalScope};
use std::collections::BTreeMap;
use std::io;

enum TraversalStep {
    Enter(NodeId),
    Leave(NodeId),
}

impl Tree {
    /// What stands inside the element, as HTML.
    pub(super) fn inner_html(&self, id: NodeId) -> String {
        let mut html = Vec::new();
        self.write_inner(id, &mut html).expect("writing to memory does not fail");
        String::from_utf8(html).expect("HTML is written from text")
    }

    /// Without recursion: a page can be nested deeper than the stack is high.
    fn write_inner(&self, id: NodeId, html: &mut Vec<u8>) -> io::Result<()> {
        let name = self.element(id).map(|element| element.name.clone());
        let options =
            SerializeOpts { traversal_scope: TraversalScope::ChildrenOnly(name), ..SerializeOpts::default() };
        let mut serializer = HtmlSerializer::new(html, options);
        let mut steps = self.steps_into(id);
        while let Some(step) = steps.pop() {
            match step {
                TraversalStep::Enter(id) => match &self.node(id).kind {
                    Kind::Element(Element { name, attributes, .. }) => {
                        let attributes =
                            attributes.iter().map(|attribute| (&attribute.name, &*attribute.value));
                        serializer.start_elem(name.clone(), attributes)?;
                        steps.push(TraversalStep::Leave(id));
                        steps.extend(self.steps_into(id));
                    }
                    Kind::Text(text) => serializer.write_text(text)?,
                    Kind::Comment(text) => serializer.write_comment(text)?,
                    Kind::Instruction { target, text } => {
                        serializer.write_processing_instruction(target, text)?;
                    }
                    Kind::Fragment => {}
                },
                TraversalStep::Leave(id) => {
                    if let Some(element) = self.element(id) {
                        serializer.end_elem(element.name.clone())?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Its children, the last one first; those of a template are its contents.
    fn steps_into(&self, id: NodeId) -> Vec<TraversalStep> {
        let holder = self.element(id).and_then(|element| element.contents).unwrap_or(id);
        let mut steps: Vec<_> = self.children(holder).map(TraversalStep::Enter).collect();
        steps.reverse();
        steps
    }

    pub(super) fn text_of(&self, id: NodeId) -> String {
        let mut all = String::new();
        for below in self.all_below(id) {
            if let Kind::Text(text) = &self.node(below).kind {
                all.push_str(text);
            }
        }
        all
    }

    pub(super) fn attributes_of(&self, id: NodeId) -> BTreeMap<String, String> {
        let attributes = self.element(id).map_or(&[][..], |element| &element.attributes);
        attributes.iter().map(|one| (qualified(&one.name), one.value.to_string())).collect()
    }

    /// An element as a short tag: `<div#id.class>`.
    pub(super) fn tag_of(&self, id: NodeId) -> String {
        let Some(element) = self.element(id) else { return String::new() };
        let part = |mark: &str, name: &str| match element.attribute(name) {
            Some(value) if !value.is_empty() => format!("{mark}{value}"),
            Some(_) | None => String::new(),
        };
        format!("<{}{}{}>", element.name.local, part("#", "id"), part(".", "class"))
    }
}

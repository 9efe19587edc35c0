//! Reading HTML into a tree, by the rules of browsers, as far as it is no more than a page needs.

use super::effort::{Effort, TooMuch};
use super::tree::{Kind, NodeId, Tree};
use html5ever::driver::{Parser, parse_document, parse_fragment_for_element};
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, local_name, ns};
use std::borrow::Cow;
use std::cell::RefCell;
use std::mem;

/// Bytes that are read between two looks at what it took.
const PIECE: usize = 256;

impl Tree {
    /// Reads a document as a whole, into a node that holds it.
    pub(super) fn parse_document(&mut self, html: &str) -> Result<NodeId, TooMuch> {
        let document = self.add(Kind::Fragment);
        let parser = parse_document(Sink::new(document, mem::take(self)), ParseOpts::default());
        let effort;
        (*self, effort) = feed(parser, html);
        effort.check()?;
        Ok(document)
    }

    /// Reads HTML as what stands inside `context`. The nodes are not yet anywhere.
    pub(super) fn parse(&mut self, html: &str, context: NodeId) -> Result<Vec<NodeId>, TooMuch> {
        let form = self.form_around(context);
        let document = self.add(Kind::Fragment);
        let sink = Sink::new(document, mem::take(self));
        let parser = parse_fragment_for_element(sink, ParseOpts::default(), context, true, form);
        let effort;
        (*self, effort) = feed(parser, html);
        effort.check()?;
        let Some(root) = self.node(document).first else { return Ok(Vec::new()) };
        let nodes: Vec<_> = self.children(root).collect();
        for node in &nodes {
            self.detach(*node);
        }
        Ok(nodes)
    }

    fn form_around(&self, context: NodeId) -> Option<NodeId> {
        let mut around = std::iter::successors(Some(context), |id| self.node(*id).parent);
        around.find(|id| self.element(*id).is_some_and(|element| element.is_html(&local_name!("form"))))
    }
}

/// Reads the text piece by piece, and says what it took. Of one that is too much there is the tree so far.
fn feed(mut parser: Parser<Sink>, html: &str) -> (Tree, Effort) {
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
        parser.process(StrTendril::from(piece));
        if parser.tokenizer.sink.sink.effort.check().is_err() {
            return parser.tokenizer.sink.sink.finish();
        }
        rest = after;
    }
    let document = parser.tokenizer.sink.sink.document;
    let (tree, effort) = parser.finish();
    // What was put elsewhere took what is in it along.
    effort.went_down_to(tree.depth_below(document));
    (tree, effort)
}

struct Sink {
    document: NodeId,
    tree: RefCell<Tree>,
    effort: Effort,
}

#[derive(Debug)]
struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl Sink {
    fn new(document: NodeId, tree: Tree) -> Self {
        Self { document, tree: RefCell::new(tree), effort: Effort::default() }
    }

    /// Puts what was read into `parent` before `next`; text joins the text before it.
    fn put(&self, parent: NodeId, child: NodeOrText<NodeId>, next: Option<NodeId>) {
        let mut tree = self.tree.borrow_mut();
        let node = match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                let before = match next {
                    Some(next) => tree.node(next).previous,
                    None => tree.node(parent).last,
                };
                if let Some(already) = before.and_then(|before| tree.text_mut(before)) {
                    already.push_str(&text);
                    return;
                }
                self.effort.made_node();
                tree.add(Kind::Text(text.into()))
            }
        };
        tree.insert(parent, node, next);
        self.effort.went_down_to(tree.node(node).depth);
    }

    fn parent_of(&self, node: NodeId) -> Option<NodeId> {
        self.tree.borrow().node(node).parent
    }
}

impl TreeSink for Sink {
    type Handle = NodeId;
    type Output = (Tree, Effort);
    type ElemName<'a> = Name;

    fn finish(self) -> (Tree, Effort) {
        (self.tree.into_inner(), self.effort)
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn get_document(&self) -> NodeId {
        self.document
    }

    fn elem_name(&self, target: &NodeId) -> Name {
        self.effort.made_steps(1);
        let tree = self.tree.borrow();
        Name(tree.element(*target).expect("the parser asks for names of elements only").name.clone())
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _flags: ElementFlags) -> NodeId {
        self.effort.made_node();
        self.effort.made_steps(attributes.len());
        self.tree.borrow_mut().add_element(name, attributes)
    }

    fn create_comment(&self, text: StrTendril) -> NodeId {
        self.effort.made_node();
        self.tree.borrow_mut().add(Kind::Comment(text.into()))
    }

    fn create_pi(&self, target: StrTendril, text: StrTendril) -> NodeId {
        self.effort.made_node();
        let kind = Kind::Instruction { target: target.into(), text: text.into() };
        self.tree.borrow_mut().add(kind)
    }

    fn append(&self, parent: &NodeId, child: NodeOrText<NodeId>) {
        self.put(*parent, child, None);
    }

    fn append_based_on_parent_node(&self, element: &NodeId, previous: &NodeId, child: NodeOrText<NodeId>) {
        match self.parent_of(*element) {
            Some(parent) => self.put(parent, child, Some(*element)),
            None => self.put(*previous, child, None),
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn get_template_contents(&self, target: &NodeId) -> NodeId {
        let tree = self.tree.borrow();
        let element = tree.element(*target);
        element.and_then(|element| element.contents).expect("the parser asks for contents of templates only")
    }

    fn same_node(&self, one: &NodeId, other: &NodeId) -> bool {
        self.effort.made_steps(1);
        one == other
    }

    fn append_before_sibling(&self, sibling: &NodeId, child: NodeOrText<NodeId>) {
        if let Some(parent) = self.parent_of(*sibling) {
            self.put(parent, child, Some(*sibling));
        }
    }

    fn add_attrs_if_missing(&self, target: &NodeId, attributes: Vec<Attribute>) {
        let mut tree = self.tree.borrow_mut();
        let Some(element) = tree.element_mut(*target) else { return };
        self.effort.made_steps(attributes.len().saturating_mul(element.attributes.len() + attributes.len()));
        for attribute in attributes {
            if !element.attributes.iter().any(|known| known.name == attribute.name) {
                element.attributes.push(attribute);
            }
        }
    }

    fn remove_from_parent(&self, target: &NodeId) {
        self.tree.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &NodeId, new_parent: &NodeId) {
        let mut tree = self.tree.borrow_mut();
        let children: Vec<_> = tree.children(*node).collect();
        self.effort.made_steps(children.len());
        for child in children {
            tree.append(*new_parent, child);
        }
    }
}

/// The name of a `template`, in whose place any HTML can stand.
pub(super) fn template() -> QualName {
    QualName::new(None, ns!(html), local_name!("template"))
}

#[cfg(test)]
mod tests;

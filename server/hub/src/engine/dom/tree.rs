//! A document as a tree of linked nodes in one list. Nodes that are taken out stay in the list: it
//! lives for one command.

use html5ever::{Attribute, LocalName, Namespace, QualName, local_name, ns};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(usize);

#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) parent: Option<NodeId>,
    pub(super) previous: Option<NodeId>,
    pub(super) next: Option<NodeId>,
    pub(super) first: Option<NodeId>,
    pub(super) last: Option<NodeId>,
    /// Elements around it when it was put where it is.
    pub(super) depth: u32,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// What holds other nodes and is none itself.
    Fragment,
    Element(Element),
    Text(String),
    Comment(String),
    Instruction {
        target: String,
        text: String,
    },
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: QualName,
    pub(super) attributes: Vec<Attribute>,
    /// The fragment that a `template` holds apart.
    pub(super) contents: Option<NodeId>,
}

#[derive(Debug, Default)]
pub(super) struct Tree(Vec<Node>);

impl Tree {
    pub(super) fn add(&mut self, kind: Kind) -> NodeId {
        let node = Node { kind, parent: None, previous: None, next: None, first: None, last: None, depth: 0 };
        self.0.push(node);
        NodeId(self.0.len() - 1)
    }

    /// Makes an element, and the contents of a `template`.
    pub(super) fn add_element(&mut self, name: QualName, attributes: Vec<Attribute>) -> NodeId {
        let is_template = name.ns == ns!(html) && name.local == local_name!("template");
        let contents = is_template.then(|| self.add(Kind::Fragment));
        self.add(Kind::Element(Element { name, attributes, contents }))
    }

    /// Makes an HTML element without attributes.
    pub(super) fn add_html(&mut self, name: LocalName) -> NodeId {
        self.add_element(QualName::new(None, ns!(html), name), Vec::new())
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.0[id.0]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.0[id.0]
    }

    pub(super) fn element(&self, id: NodeId) -> Option<&Element> {
        match &self.node(id).kind {
            Kind::Element(element) => Some(element),
            Kind::Fragment | Kind::Text(_) | Kind::Comment(_) | Kind::Instruction { .. } => None,
        }
    }

    pub(super) fn element_mut(&mut self, id: NodeId) -> Option<&mut Element> {
        match &mut self.node_mut(id).kind {
            Kind::Element(element) => Some(element),
            Kind::Fragment | Kind::Text(_) | Kind::Comment(_) | Kind::Instruction { .. } => None,
        }
    }

    pub(super) fn text_mut(&mut self, id: NodeId) -> Option<&mut String> {
        match &mut self.node_mut(id).kind {
            Kind::Text(text) => Some(text),
            Kind::Fragment | Kind::Element(_) | Kind::Comment(_) | Kind::Instruction { .. } => None,
        }
    }

    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).first, |child| self.node(*child).next)
    }

    /// The node and all below it, in the order of the document. Contents of templates are apart.
    pub(super) fn all_below(&self, top: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(top), move |id| {
            if let Some(first) = self.node(*id).first {
                return Some(first);
            }
            let mut at = *id;
            while at != top {
                if let Some(next) = self.node(at).next {
                    return Some(next);
                }
                at = self.node(at).parent?;
            }
            None
        })
    }

    /// The same, and what is in templates, without an order.
    pub(super) fn everything_below(&self, top: NodeId) -> impl Iterator<Item = NodeId> {
        let mut left = vec![top];
        std::iter::from_fn(move || {
            let id = left.pop()?;
            left.extend(self.children(id));
            left.extend(self.element(id).and_then(|element| element.contents));
            Some(id)
        })
    }

    /// How deep the deepest node is; what is in a template is as deep as it would be in its place.
    pub(super) fn depth_below(&self, top: NodeId) -> u32 {
        let (mut deepest, mut left) = (0, vec![(top, 0)]);
        while let Some((id, depth)) = left.pop() {
            deepest = deepest.max(depth);
            let contents = self.element(id).and_then(|element| element.contents);
            for holder in std::iter::once(id).chain(contents) {
                left.extend(self.children(holder).map(|child| (child, depth + 1)));
            }
        }
        deepest
    }

    /// Takes the node out of where it is.
    pub(super) fn detach(&mut self, id: NodeId) {
        let Node { parent, previous, next, .. } = *self.node(id);
        match (previous, parent) {
            (Some(previous), _) => self.node_mut(previous).next = next,
            (None, Some(parent)) => self.node_mut(parent).first = next,
            (None, None) => {}
        }
        match (next, parent) {
            (Some(next), _) => self.node_mut(next).previous = previous,
            (None, Some(parent)) => self.node_mut(parent).last = previous,
            (None, None) => {}
        }
        let node = self.node_mut(id);
        (node.parent, node.previous, node.next) = (None, None, None);
    }

    /// Puts the node into `parent` before the child `next`, or last.
    pub(super) fn insert(&mut self, parent: NodeId, id: NodeId, next: Option<NodeId>) {
        self.detach(id);
        let previous = match next {
            Some(next) => self.node(next).previous,
            None => self.node(parent).last,
        };
        let depth = self.node(parent).depth.saturating_add(1);
        let contents = self.element(id).and_then(|element| element.contents);
        for below in std::iter::once(id).chain(contents) {
            self.node_mut(below).depth = depth;
        }
        let node = self.node_mut(id);
        (node.parent, node.previous, node.next) = (Some(parent), previous, next);
        match previous {
            Some(previous) => self.node_mut(previous).next = Some(id),
            None => self.node_mut(parent).first = Some(id),
        }
        match next {
            Some(next) => self.node_mut(next).previous = Some(id),
            None => self.node_mut(parent).last = Some(id),
        }
    }

    pub(super) fn append(&mut self, parent: NodeId, id: NodeId) {
        self.insert(parent, id, None);
    }

    pub(super) fn clear(&mut self, parent: NodeId) {
        while let Some(child) = self.node(parent).first {
            self.detach(child);
        }
    }
}

impl Element {
    pub(super) fn is_html(&self, name: &LocalName) -> bool {
        self.name.ns == ns!(html) && self.name.local == *name
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|attribute| qualified(&attribute.name) == name)
            .map(|attribute| &*attribute.value)
    }

    pub(super) fn set_attribute(&mut self, name: &str, value: &str) {
        let place = self.attributes.iter_mut().find(|attribute| qualified(&attribute.name) == name);
        match place {
            Some(attribute) => attribute.value = value.into(),
            None => {
                let name = QualName::new(None, Namespace::default(), LocalName::from(name));
                self.attributes.push(Attribute { name, value: value.into() });
            }
        }
    }

    pub(super) fn remove_attribute(&mut self, name: &str) {
        self.attributes.retain(|attribute| qualified(&attribute.name) != name);
    }
}

/// The name as scripts and people write it.
pub(super) fn qualified(name: &QualName) -> String {
    match &name.prefix {
        Some(prefix) => format!("{prefix}:{}", name.local),
        None => name.local.to_string(),
    }
}

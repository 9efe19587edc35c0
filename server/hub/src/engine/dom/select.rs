//! CSS selectors over a tree.

mod language;

use super::tree::{NodeId, Tree};
use cssparser::{Parser, ParserInput};
use html5ever::{local_name, ns};
use language::{Language, Name, PseudoClass, PseudoElement};
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode, SelectorCaches,
};
use selectors::matching::{ElementSelectorFlags, matches_selector_list};
use selectors::parser::ParseRelative;
use selectors::{Element, OpaqueElement, SelectorList};

impl Tree {
    /// What the selector matches below `root`, itself included, in the order of the document. `None`: it
    /// is not a selector.
    pub(super) fn select(&self, root: NodeId, selector: &str) -> Option<Vec<NodeId>> {
        let mut input = ParserInput::new(selector);
        let mut parser = Parser::new(&mut input);
        let list = SelectorList::parse_disallow_pseudo(&Language, &mut parser, ParseRelative::No).ok()?;
        let mut caches = SelectorCaches::default();
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            &mut caches,
            QuirksMode::NoQuirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        let matches = |id: &NodeId| match self.element(*id) {
            Some(_) => matches_selector_list(&list, &At { tree: self, id: *id }, &mut context),
            None => false,
        };
        Some(self.all_below(root).filter(matches).collect())
    }
}

/// An element at its place.
#[derive(Clone, Copy, Debug)]
struct At<'a> {
    tree: &'a Tree,
    id: NodeId,
}

impl<'a> At<'a> {
    fn element(&self) -> &'a super::tree::Element {
        self.tree.element(self.id).expect("only elements are looked at")
    }

    fn at(&self, id: NodeId) -> Option<Self> {
        self.tree.element(id).map(|_| Self { tree: self.tree, id })
    }

    fn nearest(&self, from: Option<NodeId>, step: impl Fn(NodeId) -> Option<NodeId>) -> Option<Self> {
        std::iter::successors(from, |id| step(*id)).find_map(|id| self.at(id))
    }

    fn is_one_of(&self, names: &[&str]) -> bool {
        let name = &self.element().name;
        name.ns == ns!(html) && names.contains(&&*name.local)
    }

    fn has(&self, attribute: &str) -> bool {
        self.element().attribute(attribute).is_some()
    }

    fn is_disabled(&self) -> bool {
        const CAN_BE: &[&str] = &["button", "fieldset", "input", "optgroup", "option", "select", "textarea"];
        let by_group = || {
            let mut around = std::iter::successors(self.parent_element(), Element::parent_element);
            around.any(|one| one.is_one_of(&["fieldset"]) && one.has("disabled"))
        };
        self.is_one_of(CAN_BE)
            && (self.has("disabled") || (!self.is_one_of(&["option", "optgroup"]) && by_group()))
    }
}

impl Element for At<'_> {
    type Impl = Language;

    fn opaque(&self) -> OpaqueElement {
        OpaqueElement::new(self.tree.node(self.id))
    }

    fn parent_element(&self) -> Option<Self> {
        self.at(self.tree.node(self.id).parent?)
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let before = |id| self.tree.node(id).previous;
        self.nearest(before(self.id), before)
    }

    fn next_sibling_element(&self) -> Option<Self> {
        let after = |id| self.tree.node(id).next;
        self.nearest(after(self.id), after)
    }

    fn first_element_child(&self) -> Option<Self> {
        self.nearest(self.tree.node(self.id).first, |id| self.tree.node(id).next)
    }

    fn is_html_element_in_html_document(&self) -> bool {
        self.element().name.ns == ns!(html)
    }

    fn has_local_name(&self, name: &str) -> bool {
        &*self.element().name.local == name
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        &*self.element().name.ns == namespace
    }

    fn is_same_type(&self, other: &Self) -> bool {
        let (one, other) = (&self.element().name, &other.element().name);
        one.local == other.local && one.ns == other.ns
    }

    fn attr_matches(
        &self,
        namespace: &NamespaceConstraint<&Name>,
        name: &Name,
        operation: &AttrSelectorOperation<&Name>,
    ) -> bool {
        self.element().attributes.iter().any(|attribute| {
            let is_there = match namespace {
                NamespaceConstraint::Any => true,
                NamespaceConstraint::Specific(namespace) => &*attribute.name.ns == namespace.as_ref(),
            };
            is_there && &*attribute.name.local == name.as_ref() && operation.eval_str(&attribute.value)
        })
    }

    fn match_non_ts_pseudo_class(
        &self,
        class: &PseudoClass,
        _context: &mut MatchingContext<'_, Language>,
    ) -> bool {
        match class {
            PseudoClass::Link => self.is_link(),
            PseudoClass::Checked => {
                (self.is_one_of(&["input"]) && self.has("checked"))
                    || (self.is_one_of(&["option"]) && self.has("selected"))
            }
            PseudoClass::Disabled => self.is_disabled(),
            PseudoClass::Enabled => {
                self.is_one_of(&["button", "fieldset", "input", "optgroup", "option", "select", "textarea"])
                    && !self.is_disabled()
            }
            PseudoClass::Required => self.is_one_of(&["input", "select", "textarea"]) && self.has("required"),
            PseudoClass::Optional => {
                self.is_one_of(&["input", "select", "textarea"]) && !self.has("required")
            }
            PseudoClass::Never => false,
        }
    }

    fn match_pseudo_element(
        &self,
        element: &PseudoElement,
        _context: &mut MatchingContext<'_, Language>,
    ) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _flags: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        self.is_one_of(&["a", "area"]) && self.has("href")
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Name, case: CaseSensitivity) -> bool {
        self.element().attribute("id").is_some_and(|own| case.eq(own.as_bytes(), id.as_ref().as_bytes()))
    }

    fn has_class(&self, name: &Name, case: CaseSensitivity) -> bool {
        let classes = self.element().attribute("class").unwrap_or_default();
        classes.split_ascii_whitespace().any(|own| case.eq(own.as_bytes(), name.as_ref().as_bytes()))
    }

    fn has_custom_state(&self, _name: &Name) -> bool {
        false
    }

    fn imported_part(&self, _name: &Name) -> Option<Name> {
        None
    }

    fn is_part(&self, _name: &Name) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        self.tree.children(self.id).all(|id| match &self.tree.node(id).kind {
            super::tree::Kind::Element(_) => false,
            super::tree::Kind::Text(text) => text.is_empty(),
            super::tree::Kind::Fragment
            | super::tree::Kind::Comment(_)
            | super::tree::Kind::Instruction { .. } => true,
        })
    }

    fn is_root(&self) -> bool {
        self.element().is_html(&local_name!("html")) && self.parent_element().is_none()
    }

    fn add_element_unique_hashes(&self, _filter: &mut BloomFilter) -> bool {
        false
    }
}

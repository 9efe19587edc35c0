//! Messages that know which one they answer, and the line of them that ends in one.

use std::collections::{HashMap, HashSet};

/// Messages in the order in which they were said.
#[derive(Debug)]
pub(super) struct Line<T> {
    pub(super) messages: Vec<T>,
    /// It goes in a circle, or begins behind a message that is missing.
    pub(super) is_broken: bool,
}

/// A message of a tree.
#[derive(Debug)]
pub(super) struct Node<T> {
    pub(super) id: String,
    pub(super) parent: Option<String>,
    pub(super) at: Option<i64>,
    pub(super) message: T,
}

/// Messages by their ids. Of two with one id the first counts.
#[derive(Debug)]
pub(super) struct Tree<T> {
    nodes: Vec<Node<T>>,
    places: HashMap<String, usize>,
}

impl<T: Copy> Tree<T> {
    pub(super) fn new(nodes: Vec<Node<T>>) -> Self {
        let mut places = HashMap::with_capacity(nodes.len());
        for (place, node) in nodes.iter().enumerate() {
            places.entry(node.id.clone()).or_insert(place);
        }
        Self { nodes, places }
    }

    /// The line that ends in this message, or without it in the one that was said last of those that nobody
    /// answered.
    pub(super) fn line(&self, last: Option<&str>) -> Line<T> {
        let last = last.and_then(|id| self.places.get(id).copied()).or_else(|| self.newest());
        let (mut messages, mut seen, mut is_broken) = (Vec::new(), HashSet::new(), false);
        let mut next = last;
        while let Some(place) = next {
            if !seen.insert(place) {
                is_broken = true;
                break;
            }
            let node = &self.nodes[place];
            messages.push(node.message);
            next = match &node.parent {
                Some(parent) if !is_nil(parent) => {
                    let place = self.places.get(parent).copied();
                    is_broken |= place.is_none();
                    place
                }
                Some(_) | None => None,
            };
        }
        messages.reverse();
        Line { messages, is_broken }
    }

    /// All of them, in no order.
    pub(super) fn messages(&self) -> impl Iterator<Item = T> {
        self.nodes.iter().map(|node| node.message)
    }

    fn newest(&self) -> Option<usize> {
        let answered: HashSet<&str> = self.nodes.iter().filter_map(|node| node.parent.as_deref()).collect();
        let open = self.nodes.iter().enumerate().filter(|(_, node)| !answered.contains(node.id.as_str()));
        let newest = open.max_by_key(|(place, node)| (node.at, *place)).map(|(place, _)| place);
        newest.or_else(|| self.nodes.len().checked_sub(1))
    }
}

/// Where products write an id for no message.
fn is_nil(id: &str) -> bool {
    let zeros = id.bytes().filter(|byte| *byte == b'0').count();
    let dashes = id.bytes().filter(|byte| *byte == b'-').count();
    // Some say which version of ids it is.
    id.is_empty() || (dashes == 4 && id.len() == 36 && zeros >= 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(nodes: &[(&'static str, &str, i64)], last: Option<&str>) -> (String, bool) {
        let node = |(id, parent, at): &(&'static str, &str, i64)| Node {
            id: (*id).to_owned(),
            parent: Some((*parent).to_owned()),
            at: Some(*at),
            message: *id,
        };
        let line = Tree::new(nodes.iter().map(node).collect()).line(last);
        (line.messages.concat(), line.is_broken)
    }

    #[test]
    fn a_line_goes_back_to_its_beginning_whatever_the_tree_is_like() {
        let nil = "00000000-0000-0000-0000-000000000000";
        let tree = [("a", "", 1), ("b", "a", 2), ("c", "a", 3), ("d", "b", 4), ("e", "c", 3)];
        for (nodes, last, expected, is_broken) in [
            (tree.as_slice(), Some("e"), "ace", false),
            (&tree, Some("b"), "ab", false),
            (&tree, Some("no"), "abd", false),
            (&tree, None, "abd", false),
            (&[("a", nil, 1), ("b", "a", 2)], None, "ab", false),
            (&[("a", "00000000-0000-4000-8000-000000000000", 1)], None, "a", false),
            (&[("a", "gone", 1), ("b", "a", 2)], Some("b"), "ab", true),
            (&[("a", "b", 1), ("b", "a", 2)], Some("b"), "ab", true),
            (&[("a", "a", 1)], None, "a", true),
            (&[("a", "", 1), ("a", "", 2)], Some("a"), "a", false),
            (&[], Some("a"), "", false),
        ] {
            assert_eq!(line(nodes, last), (expected.to_owned(), is_broken), "{nodes:?}");
        }
    }

    #[test]
    fn a_line_of_very_many_is_walked_once() {
        let node = |number: u32| Node {
            id: number.to_string(),
            parent: number.checked_sub(1).map(|before| before.to_string()),
            at: None,
            message: number,
        };
        let line = Tree::new((0..100_000).map(node).collect()).line(None);
        assert_eq!((line.messages.len(), line.messages[0], line.is_broken), (100_000, 0, false));
    }
}

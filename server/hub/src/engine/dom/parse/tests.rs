use super::*;
use proptest::prelude::*;

const TAGS: [&str; 28] = [
    "svg",
    "math",
    "style",
    "title",
    "p",
    "div",
    "b",
    "a",
    "table",
    "tr",
    "td",
    "template",
    "select",
    "option",
    "foreignObject",
    "desc",
    "mi",
    "annotation-xml",
    "textarea",
    "script",
    "nobr",
    "button",
    "form",
    "li",
    "frameset",
    "plaintext",
    "caption",
    "font color=x",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// However elements stand within each other, foreign ones among them, the tree is what was counted or less.
    #[test]
    fn a_tree_is_no_larger_and_no_deeper_than_what_was_counted(
        steps in proptest::collection::vec((0..TAGS.len(), 0u8..6, 1usize..600), 1..12),
    ) {
        let mut html = String::new();
        for (tag, what, times) in steps {
            let piece = match what {
                0 => format!("</{}>", TAGS[tag]),
                1 => format!("<{}>x", TAGS[tag]),
                2 => format!("<{}/>", TAGS[tag]),
                _ => format!("<{}>", TAGS[tag]),
            };
            html.push_str(&piece.repeat(times));
        }
        let mut tree = Tree::default();
        let document = tree.add(Kind::Fragment);
        let (tree, effort) = feed(parse_document(Sink::new(document, tree), ParseOpts::default()), &html);
        let (nodes, depth) = effort.counted();
        // The holders of documents and of what is in templates are no nodes.
        let is_node = |id: &NodeId| !matches!(tree.node(*id).kind, Kind::Fragment);
        prop_assert!(tree.everything_below(document).filter(is_node).count() <= nodes);
        prop_assert!(effort.check().is_err() || tree.depth_below(document) <= depth);
    }
}

use super::*;

fn walked(body: &str) -> Walked {
    let xml = format!(
        "<office:document-content><office:automatic-styles>\
         <style:style style:name=\"B\" style:family=\"text\"><style:text-properties fo:font-weight=\"bold\"/>\
         </style:style><text:list-style style:name=\"N\"><text:list-level-style-number text:level=\"1\"/>\
         </text:list-style></office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    );
    let mut styles = Styles::default();
    styles.take(xml.as_bytes()).unwrap();
    read(xml.as_bytes(), &styles).unwrap()
}

#[test]
fn a_text_keeps_its_headings_lists_tables_links_and_notes() {
    for (body, text) in [
        (
            "<text:h text:outline-level=\"2\">On  moss</text:h><text:p>It grows <text:span \
             text:style-name=\"B\">slowly </text:span>&amp;<text:s text:c=\"2\"/>well.</text:p>",
            "## On moss\n\nIt grows **slowly** &  well.",
        ),
        (
            "<text:list><text:list-item><text:p>Star</text:p></text:list-item><text:list-item><text:p>Peat</text:p>\
             <text:list><text:list-item><text:p>of bogs</text:p><text:p>and fens</text:p></text:list-item></text:list>\
             </text:list-item></text:list><text:list text:style-name=\"N\"><text:list-item><text:p>Look</text:p>\
             </text:list-item><text:list-item><text:p>Touch</text:p></text:list-item></text:list>",
            "- Star\n- Peat\n  - of bogs\n    and fens\n\n1. Look\n2. Touch",
        ),
        (
            "<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Kind</text:p>\
             </table:table-cell><table:table-cell/></table:table-row></table:table-header-rows><table:table-row>\
             <table:table-cell><text:p>A|B</text:p><text:p>C</text:p></table:table-cell>\
             <table:table-cell><table:table><table:table-row><table:table-cell><text:p>in</text:p></table:table-cell>\
             </table:table-row></table:table></table:table-cell></table:table-row></table:table><text:p>End</text:p>",
            "| Kind |  |\n| --- | --- |\n| A\\|B C | in |\n\nEnd",
        ),
        (
            "<text:p>See <text:a xlink:href=\"https://moss.example/\">the garden</text:a><text:note>\
             <text:note-citation>1</text:note-citation><text:note-body><text:p>In May.</text:p></text:note-body>\
             </text:note> now<office:annotation><dc:creator>Bea</dc:creator><dc:date>2026</dc:date>\
             <text:p>Sure?</text:p></office:annotation>.</text:p>",
            "See [the garden](https://moss.example/)[^1] now[^2].\n\n[^1]: In May.\n\n[^2]: (Bea) Sure?",
        ),
    ] {
        assert_eq!(walked(body).text, text);
    }
}

#[test]
fn what_was_deleted_is_not_in_it_and_that_something_was_is_said() {
    let gone = "<text:tracked-changes><text:changed-region><text:p>gone</text:p></text:changed-region>\
                </text:tracked-changes><text:p>here</text:p>";
    let found = walked(gone);
    assert_eq!((found.text.as_str(), found.has_changes), ("here", true));
    assert!(!walked("<text:tracked-changes/><text:p>here</text:p>").has_changes);
}

#[test]
fn a_slide_has_its_title_and_what_is_said_with_it() {
    let body = "<draw:page><draw:frame presentation:class=\"title\"><draw:text-box><text:p>On moss</text:p>\
                </draw:text-box></draw:frame><draw:frame><draw:text-box><text:list><text:list-item>\
                <text:p>On stones</text:p></text:list-item></text:list></draw:text-box></draw:frame>\
                <presentation:notes><text:p>Speak</text:p><text:p>slowly</text:p></presentation:notes></draw:page>\
                <draw:page/>";
    let expected = "### On moss\n\n- On stones\n\n> **Notes:**\n> Speak\n> slowly";
    assert_eq!(walked(body).slides, [expected, ""]);
}

#[test]
fn what_lies_too_deep_or_says_too_much_is_refused() {
    let styles = Styles::default();
    let refused = |xml: &str| read(xml.as_bytes(), &styles).err();
    let deep = |depth: usize| format!("{}{}", "<text:span>".repeat(depth), "</text:span>".repeat(depth));
    assert!(refused(&deep(DEEPEST)).is_none());
    assert!(matches!(refused(&deep(DEEPEST + 1)), Some(Unopened::Broken(_))));
    let long = format!("<text:p>{}</text:p>", "m".repeat(LONGEST + 1));
    assert!(matches!(refused(&long), Some(Unopened::TooLong)));
    assert!(matches!(refused("<a></b>"), Some(Unopened::Broken(_))));
    let wide = "<table:table-row><table:table-cell table:number-columns-repeated=\"999999999\"><text:p>m</text:p>\
                </table:table-cell></table:table-row>";
    assert!(refused(wide).is_none());
    let many = format!("<table:table>{}</table:table>", wide.repeat(1000));
    assert!(matches!(refused(&many), Some(Unopened::TooLong)));
}

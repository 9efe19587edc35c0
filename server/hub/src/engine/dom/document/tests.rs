use super::super::effort::MAX_NODES;
use super::*;
use crate::skins::document::write;

fn page_of(html: &str) -> Result<SkinPage, Unread> {
    read(Reading { html: html.to_owned(), viewport: None }).map(|document| document.page)
}

#[test]
fn a_page_comes_back_from_its_document() {
    let texts = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    let page = SkinPage {
        head: "<style>a > b { color: red }</style><title>Ä &amp; ß</title>".to_owned(),
        body: "<p class=\"x\">1 &lt; 2</p><script>if (1 < 2 && \"</p>\") go();</script>\
               <button onclick=\"go('a')\">Go</button><template><li>a</li></template>\n"
            .to_owned(),
        html_attributes: texts(&[("lang", "en"), ("data-q", "a\"b&c")]),
        body_attributes: texts(&[("class", "dark")]),
        listeners: vec![Listener { selector: "a[href=\"x\"]".to_owned(), event: "click".to_owned() }],
    };
    assert_eq!(page_of(&write(&page)), Ok(page));
}

#[test]
fn any_text_is_a_page() {
    for (html, head, body) in [
        ("", "", ""),
        ("Hello", "", "Hello"),
        ("<p>a<p>b", "", "<p>a</p><p>b</p>"),
        ("<title>T</title><h1>H</h1>", "<title>T</title>", "<h1>H</h1>"),
        (
            "<!doctype html><html><head><style>p{}</style></head><body>x</body></html>",
            "<style>p{}</style>",
            "x",
        ),
    ] {
        let page = page_of(html).unwrap();
        assert_eq!((page.head.as_str(), page.body.as_str()), (head, body), "{html}");
    }
}

#[test]
fn a_document_fills_its_viewport_if_it_has_one() {
    for (html, expected) in [
        (
            "<p>a</p><div id=agent-viewport class=x><p>old</p></div>\n",
            Some("<p>a</p><div id=\"agent-viewport\" class=\"x\"><b>new</b></div>\n"),
        ),
        ("<div id=\"viewport\"></div>", None),
    ] {
        let reading = Reading { html: html.to_owned(), viewport: Some("<b>new".to_owned()) };
        assert_eq!(read(reading).unwrap().filled.as_deref(), expected, "{html}");
    }
}

#[test]
fn what_a_page_wants_from_elsewhere_is_found_wherever_it_stands() {
    let page = SkinPage {
        head: "<link rel=stylesheet href=//a.example/x><base href=//not.example>".to_owned(),
        body: "<img src=https://b.example/x><template><video poster=http://c.example></template>\
               <a href=//not.example>a</a><img src=/own><img src=data:,x>"
            .to_owned(),
        ..SkinPage::default()
    };
    assert_eq!(servers(&page).into_iter().collect::<Vec<_>>(), ["a.example", "b.example", "c.example"]);
}

/// What people write, and what is written against the parser: foreign elements in which nothing is raw text,
/// templates that begin anew, formatting that is opened again and again, tables that put things elsewhere.
#[test]
fn what_people_write_is_read_and_what_is_written_against_the_parser_is_given_up() {
    let ids: String = (0..50_000).map(|n| format!("<b id={n}>")).collect();
    for (html, expected) in [
        (String::new(), true),
        ("a < b and </> <3 <".to_owned(), true),
        ("<div><p>some words</p></div>".repeat(8_000), true),
        ("<li>an item".repeat(4_000), true),
        (format!("<script>{}</script><p>", "if (a <b ) c();".repeat(20_000)), true),
        ("<script>".repeat(40_000), true),
        (format!("<svg>{}</svg>", "<g><title>a</title><path d='M0 0'/></g>".repeat(10_000)), true),
        (ids.clone(), false),
        (format!("{}{}", &ids[..20_000], "<p>x".repeat(20_000)), true),
        (format!("<p>{}{}", &ids[..20_000], "<p>x".repeat(100_000)), false),
        ("<div>".repeat(300_000), false),
        (format!("{}{}", "<q>".repeat(1_000), "</x>".repeat(200_000)), false),
        ("<DIV/>".repeat(300_000), false),
        (format!("<svg><style><p>{}", "<q>".repeat(10_000)), false),
        (format!("<svg><style>{}", "<g>".repeat(10_000)), false),
        (format!("<svg><title><p>{}", "<div>".repeat(10_000)), false),
        (format!("<math><mi><textarea><p>{}", "<div>".repeat(10_000)), true),
        (format!("<math><annotation-xml><style>{}", "<x>".repeat(10_000)), false),
        (format!("<svg><script>{}", "<g>".repeat(10_000)), false),
        ("<template>".repeat(100_000), false),
        ("<svg><foreignObject>".repeat(50_000), false),
        ("<table><tr><td>".repeat(50_000), false),
        (format!("{}{}", "<a><table>".repeat(500), "<p>x".repeat(20_000)), true),
        ("<b><p>".repeat(10_000), true),
        ("<!---->".repeat(MAX_NODES + 1), false),
    ] {
        let start: String = html.chars().take(40).collect();
        match page_of(&html) {
            Ok(_) | Err(Unread::TooLarge) => assert!(expected, "{start}…"),
            Err(Unread::TooMuch) => assert!(!expected, "{start}…"),
        }
    }
}

#[test]
fn attributes_that_one_tag_after_another_adds_to_the_root_are_counted() {
    let html: String = (0..20_000).map(|n| format!("<html a{n}>")).collect();
    assert_eq!(page_of(&html), Err(Unread::TooMuch));
}

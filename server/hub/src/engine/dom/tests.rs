use super::*;

fn page(head: &str, body: &str) -> SkinPage {
    SkinPage { head: head.to_owned(), body: body.to_owned(), ..SkinPage::default() }
}

/// Performs a call on a body and gives the result without what is the same in all, and the body after it.
fn performed(body: &str, input: Value) -> (Value, String) {
    let (page, outcome) = perform(page("", body), &input);
    let mut result = outcome.unwrap_or_else(Fault::into_result);
    let Some(parts) = result.as_object_mut() else { panic!("{result}") };
    parts.remove("note");
    if let Some(size) = parts.remove("rendered") {
        assert_eq!(size, json!({ "width": null, "height": null, "visible": null }));
    }
    (result, page.body)
}

#[test]
fn create_puts_html_where_it_was_told_to() {
    let list = "<ul id=\"l\"><li>a</li></ul>";
    for (position, selector, expected) in [
        ("append", "#l", "<ul id=\"l\"><li>a</li><li class=\"x y\">b</li>c</ul>"),
        ("prepend", "#l", "<ul id=\"l\"><li class=\"x y\">b</li>c<li>a</li></ul>"),
        ("replace", "#l", "<ul id=\"l\"><li class=\"x y\">b</li>c</ul>"),
        ("before", "li", "<ul id=\"l\"><li class=\"x y\">b</li>c<li>a</li></ul>"),
        ("after", "li", "<ul id=\"l\"><li>a</li><li class=\"x y\">b</li>c</ul>"),
        ("append", "body", "<ul id=\"l\"><li>a</li></ul><li class=\"x y\">b</li>c"),
        ("replace", "body", "<li class=\"x y\">b</li>c"),
    ] {
        let html = "<li class='x y'>b</li>c";
        let input = json!({ "action": "create", "selector": selector, "html": html, "position": position });
        let (result, body) = performed(list, input);
        assert_eq!((result, body.as_str()), (json!({ "created": ["<li.x y>"] }), expected), "{position}");
    }
}

#[test]
fn html_is_read_as_browsers_read_it() {
    for (html, expected) in [
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<b><i>x</b>y</i>", "<b><i>x</i></b><i>y</i>"),
        ("<tr><td>1", "<tr><td>1</td></tr>"),
        ("<table>x<tr><td>1</table>", "x<table><tbody><tr><td>1</td></tr></tbody></table>"),
        ("</div><div class=a class=b>", "<div class=\"a\"></div>"),
        ("<template><tr><td>1</template>", "<template><tr><td>1</td></tr></template>"),
        ("<svg viewbox='0 0 1 1'><a xlink:href='#x'/></svg>", {
            "<svg viewBox=\"0 0 1 1\"><a xlink:href=\"#x\"></a></svg>"
        }),
        ("<script>if (a < b && c) {}</script>", "<script>if (a < b && c) {}</script>"),
        ("<textarea>\na</textarea>&nbsp;&lt;", "<textarea>a</textarea>&nbsp;&lt;"),
        ("<br></br><img src=x>", "<br><br><img src=\"x\">"),
        ("<!-- a --><?b c?>", "<!-- a --><!--?b c?-->"),
        ("<html lang=de><body class=x>a", "a"),
        ("", ""),
    ] {
        assert_eq!(performed("", json!({ "action": "create", "html": html })).1, expected, "{html}");
    }
}

#[test]
fn modify_changes_the_first_match() {
    for (body, input, expected) in [
        ("<p>a</p><p>b</p>", json!({ "selector": "p", "text": "<x>" }), "<p>&lt;x&gt;</p><p>b</p>"),
        ("<p>a</p>", json!({ "selector": "p", "html": "<b>x" }), "<p><b>x</b></p>"),
        ("<table></table>", json!({ "selector": "table", "html": "<tr><td>x" }), {
            "<table><tbody><tr><td>x</td></tr></tbody></table>"
        }),
        ("<style>a</style>", json!({ "selector": "style", "html": "a > b {}" }), "<style>a > b {}</style>"),
        ("<template>a</template>", json!({ "selector": "template", "html": "<p>b" }), {
            "<template><p>b</p></template>"
        }),
        (
            "<p id=\"a\" title=\"t\">x</p>",
            { json!({ "selector": "p", "attributes": { "title": null, "DATA-x": "1\"", "id": "b" } }) },
            "<p id=\"b\" data-x=\"1&quot;\">x</p>",
        ),
        ("<p>x</p>", json!({ "selector": "p", "style": { "color": "red", "--Own": "1 2" } }), {
            "<p style=\"--Own: 1 2; color: red;\">x</p>"
        }),
        ("<p style=\"color:red;margin:0\">x</p>", json!({ "selector": "p", "style": { "color": null } }), {
            "<p style=\"margin: 0;\">x</p>"
        }),
        (
            "<p style=\"background:url(a;b);x\">x</p>",
            json!({ "selector": "p", "style": { "top": "1px" } }),
            { "<p style=\"background: url(a;b); top: 1px;\">x</p>" },
        ),
    ] {
        let mut input = input;
        input["action"] = json!("modify");
        let (result, after) = performed(body, input.clone());
        assert!(result["modified"].is_string(), "{input}: {result}");
        assert_eq!(after, expected, "{input}");
    }
}

#[test]
fn a_style_that_says_more_than_its_property_is_ignored() {
    for value in ["red; top: 0", "red !important", "\"open", "calc(1px", "}", "a /* ", ")", "{}"] {
        let input = json!({ "action": "modify", "selector": "p", "style": { "color": value } });
        let (result, body) = performed("<p style=\"left: 0;\">x</p>", input);
        assert_eq!(result["ignored_style"], json!([format!("color: {value}")]), "{value}");
        assert_eq!(body, "<p style=\"left: 0;\">x</p>", "{value}");
    }
}

#[test]
fn query_describes_what_it_finds() {
    let body = "<form><input id=\"n\" value=\"1\"><input type=\"checkbox\" checked><textarea>t</textarea>\
        <select><option>a  b</option><option value=\"2\" selected>c</option></select></form>\
        <p class=\"k\">x<b>y</b></p><template><p class=\"k\">no</p></template>";
    for (selector, expected) in [
        (
            "#n",
            json!({ "tag": "input", "attributes": { "id": "n", "value": "1" }, "text": "", "value": "1" }),
        ),
        (
            ":checked[type]",
            json!({ "tag": "input", "attributes": { "type": "checkbox", "checked": "" },
            "text": "", "value": "on", "checked": true }),
        ),
        ("textarea", json!({ "tag": "textarea", "attributes": {}, "text": "t", "value": "t" })),
        ("select", json!({ "tag": "select", "attributes": {}, "text": "a  bc", "value": "2" })),
        ("p.k", json!({ "tag": "p", "attributes": { "class": "k" }, "text": "xy" })),
        ("template", json!({ "tag": "template", "attributes": {}, "text": "" })),
    ] {
        let (mut result, _) = performed(body, json!({ "action": "query", "selector": selector }));
        assert_eq!(result["count"], 1, "{selector}");
        result["elements"][0].as_object_mut().unwrap().remove("rendered").unwrap();
        assert_eq!(result["elements"], json!([expected]), "{selector}");
    }
    let many = "<i></i>".repeat(30);
    for (limit, expected) in [(json!(null), 20), (json!(3), 3)] {
        let mut input = json!({ "action": "query", "selector": "i" });
        if !limit.is_null() {
            input["limit"] = limit;
        }
        let (result, _) = performed(&many, input);
        let shown = result["elements"].as_array().unwrap().len();
        assert_eq!((&result["count"], shown), (&json!(30), expected));
    }
}

#[test]
fn long_text_is_cut_as_the_page_cuts_it() {
    for (text, length, expected) in
        [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("😀😀", 4, "😀😀"), ("😀😀😀", 4, "😀…")]
    {
        assert_eq!(shorten(text, length), expected);
    }
}

#[test]
fn selectors_are_those_of_css() {
    let body = "<div id=\"a\" class=\"x\"><p>1</p><p lang=\"de-AT\">2</p></div><a href=\"#\">l</a>\
        <fieldset disabled><button>b</button></fieldset><svg><linearGradient></linearGradient></svg>";
    for (selector, count) in [
        ("*", 11),
        ("body > *", 4),
        ("div > p + p", 1),
        ("p:nth-child(2n of p)", 1),
        ("p:not(:first-child, .y)", 1),
        ("div:has(> p[lang|=de])", 1),
        (":is(a, button)", 2),
        (":scope > body", 1),
        ("html:root", 1),
        ("a:any-link", 1),
        ("button:disabled", 1),
        ("p:hover", 0),
        ("[CLASS=x]", 1),
        ("linearGradient", 1),
        ("P", 2),
        ("p:empty", 0),
    ] {
        let (result, _) = performed(body, json!({ "action": "query", "selector": selector }));
        let found = result["count"].as_u64().unwrap_or_default();
        assert_eq!(found, count, "{selector}: {result}");
    }
    for selector in ["", "p {", "p:nonsense", "> p", "p,,a", "p::before(", "|||"] {
        let (result, _) = performed(body, json!({ "action": "query", "selector": selector }));
        assert_eq!(result, json!({ "error": format!("not a valid CSS selector: {selector}") }));
    }
}

#[test]
fn remove_takes_all_that_match() {
    let (result, body) =
        performed("<p>a</p><p><b>b</b></p>c", json!({ "action": "remove", "selector": "p, b" }));
    assert_eq!((result, body.as_str()), (json!({ "removed": ["<p>", "<p>", "<b>"] }), "c"));
}

#[test]
fn listeners_are_kept_with_the_page() {
    let listener = |selector: &str| Listener { selector: selector.to_owned(), event: "click".to_owned() };
    let mut page = page("", "<b id=\"a\"></b>");
    for (input, expected) in [
        (json!({ "action": "listen", "selector": "#a", "event": "click" }), vec![listener("#a")]),
        (json!({ "action": "listen", "selector": "#a", "event": "click" }), vec![listener("#a")]),
        (json!({ "action": "listen", "selector": ".later", "event": "click" }), {
            vec![listener("#a"), listener(".later")]
        }),
        (json!({ "action": "unlisten", "selector": "#a", "event": "click" }), vec![listener(".later")]),
    ] {
        let (after, outcome) = perform(page, &input);
        assert!(outcome.is_ok(), "{input}: {outcome:?}");
        assert_eq!(after.listeners, expected, "{input}");
        page = after;
    }
    let (_, outcome) = perform(page, &json!({ "action": "get_listeners" }));
    assert_eq!(outcome.unwrap(), json!({ "listeners": [{ "selector": ".later", "event": "click" }] }));
}

#[test]
fn wait_for_does_not_wait() {
    let found = performed("<p id=\"x\"></p>", json!({ "action": "wait_for", "selector": "p" })).0;
    assert_eq!(found, json!({ "found": "<p#x>", "count": 1, "millis": 0 }));
    let missing = performed("", json!({ "action": "wait_for", "selector": "p", "timeout_ms": 5000 })).0;
    let why = "no element matches p; no page is open, so nothing will change by waiting";
    assert_eq!(missing, json!({ "error": why }));
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    for (input, error) in [
        (json!({ "action": "create" }), "create needs html"),
        (json!({ "action": "create", "selector": "#no", "html": "x" }), "no element matches #no"),
        (json!({ "action": "create", "selector": "html", "position": "replace", "html": "x" }), {
            "nothing can be put at position replace of <html>; use append, prepend or replace on body"
        }),
        (json!({ "action": "create", "selector": "body", "position": "after", "html": "x" }), {
            "nothing can be put at position after of <body>; use append, prepend or replace on body"
        }),
        (json!({ "action": "modify", "selector": "p" }), "modify needs html, text, attributes or style"),
        (json!({ "action": "modify", "selector": "p", "html": "", "text": "" }), {
            "modify takes html or text, not both"
        }),
        (json!({ "action": "modify", "selector": "html", "text": "" }), {
            "the content of html cannot be replaced as a whole; modify head or body"
        }),
        (json!({ "action": "modify", "selector": "p", "attributes": { "a b": "" } }), {
            "\"a b\" is not a valid attribute name"
        }),
        (json!({ "action": "query" }), "query needs selector"),
        (json!({ "action": "remove", "selector": "*" }), "<html> cannot be removed; replace its content"),
        (json!({ "action": "listen", "selector": "p" }), "listen needs event"),
        (json!({ "action": "listen", "selector": "p:", "event": "click" }), "not a valid CSS selector: p:"),
        (json!({ "action": "unlisten", "selector": "p", "event": "click" }), "nothing listens to click on p"),
        (json!({ "action": "screenshot" }), {
            "no page is open, so there is no picture of it; name a device to wait for one"
        }),
        (json!({ "action": "dance" }), "unknown action: dance"),
    ] {
        let (result, body) = performed("<p>a</p>", input.clone());
        assert_eq!((result, body.as_str()), (json!({ "error": error }), "<p>a</p>"), "{input}");
    }
    let long = "#a".repeat(60);
    let (result, _) = performed("", json!({ "action": "listen", "selector": long, "event": "click" }));
    assert!(result["error"].as_str().unwrap().contains("longer than 100 characters"), "{result}");
}

#[test]
fn head_and_the_attributes_of_the_root_are_part_of_the_page() {
    let before = SkinPage {
        html_attributes: BTreeMap::from([("lang".to_owned(), "de".to_owned())]),
        body_attributes: BTreeMap::from([("class".to_owned(), "dark".to_owned())]),
        ..page("<title>T</title><style>p > b {}</style><noscript><b>x</b></noscript>", "<p>x</p>")
    };
    let (same, _) = perform(before.clone(), &json!({ "action": "query", "selector": "html" }));
    assert_eq!(same, before);
    let mut after = before;
    for input in [
        json!({ "action": "modify", "selector": "html", "attributes": { "lang": "en", "data-a": "1" } }),
        json!({ "action": "modify", "selector": "body", "attributes": { "class": null } }),
        json!({ "action": "create", "selector": "head", "html": "<meta charset=utf-8>" }),
        json!({ "action": "remove", "selector": "style, noscript" }),
    ] {
        after = perform(after, &input).0;
    }
    assert_eq!(after.head, "<title>T</title><meta charset=\"utf-8\">");
    assert!(after.body_attributes.is_empty());
    assert_eq!(json!(after.html_attributes), json!({ "lang": "en", "data-a": "1" }));
}

#[test]
fn a_page_that_is_nested_as_deep_as_it_is_long_is_written_as_it_was() {
    let deep = format!("{}x{}", "<b>".repeat(5000), "</b>".repeat(5000));
    let (result, body) = performed(&deep, json!({ "action": "query", "selector": "b b > b:not(:has(b))" }));
    assert_eq!((&result["count"], body), (&json!(1), deep));
}

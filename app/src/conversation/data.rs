//! What a call was given and brought, as a person reads data: JSON with a line for each value and in colours, and rows of
//! records as a table above it.

mod records;

use crate::prelude::*;
use records::Records;
use serde::de::IgnoredAny;

/// A longer text stands as it came: to read it costs the page its time.
const LONGEST: usize = 100_000;
/// The same for one that becomes longer by its lines: each value of a deep one stands behind as many spaces.
const LONGEST_INDENTED: usize = 4 * LONGEST;

/// `is_opened`: somebody looks at it, so that it is worth its lines and colours.
pub fn data(text: &str, is_opened: bool) -> AnyView {
    let Some(pretty) = is_opened.then(|| indented(text)).flatten() else {
        return view! { <pre tabindex="0">{text.to_owned()}</pre> }.into_any();
    };
    let table = Records::of(text).map(Records::view);
    view! {
        {table}
        <pre tabindex="0" data-language="json"><code>{pretty}</code></pre>
    }
    .into_any()
}

/// An object or a list with a line for each value, in the order and with the digits that it came with. `None`: it is no
/// JSON, only one value, or too long.
fn indented(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > LONGEST
        || !text.starts_with(['{', '['])
        || serde_json::from_str::<IgnoredAny>(text).is_err()
    {
        return None;
    }
    let mut pretty = String::with_capacity(text.len() * 2);
    let (mut depth, mut is_in_string, mut is_escaped) = (0, false, false);
    let mut chars = text.chars().filter(|char| !char.is_control()).peekable();
    while let Some(char) = chars.next() {
        if pretty.len() > LONGEST_INDENTED {
            return None;
        }
        if is_in_string {
            pretty.push(char);
            is_in_string = is_escaped || char != '"';
            is_escaped = !is_escaped && char == '\\';
            continue;
        }
        match char {
            ' ' => {}
            '"' => {
                is_in_string = true;
                pretty.push(char);
            }
            '{' | '[' => {
                pretty.push(char);
                while chars.next_if_eq(&' ').is_some() {}
                if let Some(end) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    pretty.push(end);
                    continue;
                }
                depth += 1;
                new_line(&mut pretty, depth);
            }
            '}' | ']' => {
                depth -= 1;
                new_line(&mut pretty, depth);
                pretty.push(char);
            }
            ',' => {
                pretty.push(char);
                new_line(&mut pretty, depth);
            }
            ':' => pretty.push_str(": "),
            char => pretty.push(char),
        }
    }
    Some(pretty)
}

fn new_line(pretty: &mut String, depth: usize) {
    pretty.push('\n');
    for _ in 0..depth {
        pretty.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, indented};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn json_has_a_line_for_each_value_and_stays_in_its_order() {
        let text = r#" {"b" : [1.50, {} , [ ]],"a":"x, {\\\"y\": \\"}"#;
        let expected =
            "{\n  \"b\": [\n    1.50,\n    {},\n    []\n  ],\n  \"a\": \"x, {\\\\\\\"y\\\": \\\\\"\n}";
        assert_eq!(indented(text).as_deref(), Some(expected));
        for other in ["Done.", "7", "\"a\"", "{", "{} and more", ""] {
            assert_eq!(indented(other), None, "{other}");
        }
    }

    #[test]
    fn what_would_become_too_long_by_its_lines_stands_as_it_came() {
        let deep = |brackets: usize| format!("{}1{}", "[".repeat(brackets), "]".repeat(brackets));
        let wide = format!("{}{}1{}", "[".repeat(32), "1,".repeat(40_000), "]".repeat(32));
        for (text, is_shown) in [(deep(200), true), (deep(4_000), false), (wide, false)] {
            assert!(text.len() <= LONGEST);
            assert_eq!(indented(&text).is_some(), is_shown, "{} brackets", text.matches('[').count());
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[ -~\\n\"\\\\\u{e4}]{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::hash_map("[a-c:,{} ]{0,4}", inner, 0..5)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_shown_says_the_same(value in any_json().prop_filter("whole", |value| !value.is_string())) {
            if let Some(pretty) = indented(&value.to_string()) {
                prop_assert_eq!(&serde_json::from_str::<Value>(&pretty).unwrap(), &value);
                prop_assert_eq!(pretty, serde_json::to_string_pretty(&value).unwrap());
            }
        }
    }
}

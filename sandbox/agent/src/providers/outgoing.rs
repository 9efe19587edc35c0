//! History as providers take it back: what a model once said may hold names and arguments that a
//! server refuses to read again.

use serde_json::{Value, json};

/// Arguments as the object that servers insist on; raw text that is not JSON goes into one.
pub(super) fn object_input(input: &Value) -> Value {
    match input {
        Value::Object(_) => input.clone(),
        Value::String(raw) => json!({ "invalid_json": raw }),
        other => json!({ "invalid_json": other.to_string() }),
    }
}

/// `text` in letters, digits, `_` and `-`, at most `limit` of them; what is so already stays.
pub(super) fn plain_token(text: &str, limit: usize) -> String {
    let mut token = String::new();
    for char in text.chars() {
        if char.is_ascii_alphanumeric() || matches!(char, '_' | '-') {
            token.push(char);
        } else {
            token.push_str(&format!("_{:x}", u32::from(char)));
        }
    }
    token.truncate(limit);
    if token.is_empty() {
        token.push('_');
    }
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_token_stays_and_another_becomes_one() {
        let table = [
            ("toolu_01-A", "toolu_01-A"),
            ("functions.get:0", "functions_2eget_3a0"),
            ("", "_"),
            ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst"),
        ];
        for (text, expected) in table {
            assert_eq!(plain_token(text, 20), expected);
        }
    }

    #[test]
    fn arguments_are_an_object_whatever_the_model_said() {
        let table = [
            (json!({ "a": 1 }), json!({ "a": 1 })),
            (json!("{\"a\":"), json!({ "invalid_json": "{\"a\":" })),
            (json!([1]), json!({ "invalid_json": "[1]" })),
        ];
        for (input, expected) in table {
            assert_eq!(object_input(&input), expected);
        }
    }
}

//! JSON in its one form (RFC 8785), of which a signature is made.

use serde_json::{Map, Number, Value};
use std::fmt::Write as _;

/// What a signature is not of.
const SIGNATURES: &str = "signatures";
/// The whole numbers that every reader of JSON has.
const LARGEST: i64 = (1 << 53) - 1;
/// Other numbers are written without an exponent from here to there.
const SMALLEST_PLAIN: f64 = 1e-6;
const LARGEST_PLAIN: f64 = 1e21;

/// The card without its signatures. `None`: it has a number of which there is no such form here.
pub(super) fn canonical(card: &Value) -> Option<String> {
    let mut text = String::new();
    write(&without_signatures(card), &mut text)?;
    Some(text)
}

/// The same without what is empty, which signers that know the card as a message of fields leave out.
pub(super) fn canonical_of_what_is_there(card: &Value) -> Option<String> {
    let mut text = String::new();
    write(&without_empty(without_signatures(card))?, &mut text)?;
    Some(text)
}

fn without_signatures(card: &Value) -> Value {
    let mut card = card.clone();
    if let Value::Object(fields) = &mut card {
        fields.remove(SIGNATURES);
    }
    card
}

fn without_empty(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::Array(all) => {
            let all: Vec<Value> = all.into_iter().filter_map(without_empty).collect();
            (!all.is_empty()).then_some(Value::Array(all))
        }
        Value::Object(fields) => {
            let fields: Map<String, Value> = fields
                .into_iter()
                .filter_map(|(name, value)| without_empty(value).map(|value| (name, value)))
                .collect();
            (!fields.is_empty()).then_some(Value::Object(fields))
        }
        other => Some(other),
    }
}

fn write(value: &Value, text: &mut String) -> Option<()> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => write!(text, "{value}").ok()?,
        Value::Number(number) => text.push_str(&number_in_text(number)?),
        Value::Array(all) => {
            text.push('[');
            for (at, one) in all.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { "," });
                write(one, text)?;
            }
            text.push(']');
        }
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            text.push('{');
            for (at, (name, one)) in fields.into_iter().enumerate() {
                text.push_str(if at == 0 { "" } else { "," });
                write!(text, "{}:", Value::from(name.as_str())).ok()?;
                write(one, text)?;
            }
            text.push('}');
        }
    }
    Some(())
}

fn number_in_text(number: &Number) -> Option<String> {
    if let Some(whole) = number.as_i64() {
        return (-LARGEST..=LARGEST).contains(&whole).then(|| whole.to_string());
    }
    let number = number.as_f64()?;
    if number == 0.0 {
        return Some("0".to_owned());
    }
    (SMALLEST_PLAIN..LARGEST_PLAIN).contains(&number.abs()).then(|| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_card_has_one_form_whatever_it_was_written_like() {
        for (card, expected) in [
            (json!({ "b": 1, "a": [true, null, "x"] }), Some(r#"{"a":[true,null,"x"],"b":1}"#)),
            // By units of UTF-16: the emoji before the ligature.
            (json!({ "\u{fb33}": 1, "\u{1f600}": 2 }), Some("{\"\u{1f600}\":2,\"\u{fb33}\":1}")),
            (json!("\u{20ac}$\u{f}\nA'B\"\\\\\"/"), Some(r#""€$\u000f\nA'B\"\\\\\"/""#)),
            (
                json!([0.5, -0.0, 4.5, 1.0, 0.002, 333333333.3333333]),
                Some("[0.5,0,4.5,1,0.002,333333333.3333333]"),
            ),
            (json!([1e30]), None),
            (json!([9_007_199_254_740_993_i64]), None),
            (json!({ "name": "", "signatures": [1] }), Some(r#"{"name":""}"#)),
        ] {
            assert_eq!(canonical(&card).as_deref(), expected, "{card}");
        }
        let card = json!({ "a": "", "b": [{}, [""], { "c": null }], "d": { "e": false }, "signatures": 1 });
        assert_eq!(canonical_of_what_is_there(&card).as_deref(), Some(r#"{"d":{"e":false}}"#));
        assert_eq!(canonical_of_what_is_there(&json!({})), None);
    }
}

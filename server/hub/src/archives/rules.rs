//! Rules about state as flo.monster writes them: a condition is an expression in JavaScript, of the new value
//! `val`. Ours are written so too, and once more in our own words, which say more.

use agent::rules::{Condition, Literal, Operator, Path};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What flo.monster calls the new value.
const VALUE: &str = "val";
const ALWAYS: &str = "always";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Escalation {
    condition: Value,
    /// The condition in our words.
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<String>,
    message: Option<String>,
}

impl Escalation {
    /// `None` for a condition that is none of ours, which then has to be told with its message.
    pub(super) fn of(when: &str, message: &str) -> Option<Self> {
        let condition: Condition = when.parse().ok()?;
        Some(Self {
            condition: json!(javascript(&condition)),
            when: Some(when.to_owned()),
            message: Some(message.to_owned()),
        })
    }

    /// The condition in our words. The error is what it says instead.
    pub(super) fn when(&self) -> Result<String, String> {
        let own = self.when.as_deref().and_then(|when| when.parse::<Condition>().ok());
        let text = match &self.condition {
            Value::Bool(true) => ALWAYS.to_owned(),
            Value::String(text) => text.trim().to_owned(),
            other => other.to_string(),
        };
        let condition = own.or_else(|| read(&text).ok());
        condition.map(|condition| condition.to_string()).ok_or(text)
    }

    /// One without a message is about its key alone.
    pub(super) fn message(&self, key: &str) -> String {
        let message = self.message.as_deref().map(str::trim).filter(|message| !message.is_empty());
        message.map_or_else(|| format!("{key} has changed."), str::to_owned)
    }
}

/// A change is not seen in the new value alone: there such a rule wakes each time.
fn javascript(condition: &Condition) -> String {
    if *condition == Condition::Always || has_change(condition) {
        return ALWAYS.to_owned();
    }
    expression(condition)
}

fn has_change(condition: &Condition) -> bool {
    match condition {
        Condition::Changed(_) => true,
        Condition::Always | Condition::Compare(..) => false,
        Condition::Not(inner) => has_change(inner),
        Condition::And(one, other) | Condition::Or(one, other) => has_change(one) || has_change(other),
    }
}

fn expression(condition: &Condition) -> String {
    match condition {
        Condition::Always | Condition::Changed(_) => "true".to_owned(),
        Condition::Compare(path, operator, literal) => {
            format!("{} {} {}", access(path), sign(*operator), value(literal))
        }
        Condition::Not(inner) => format!("!({})", expression(inner)),
        Condition::And(one, other) => format!("({}) && ({})", expression(one), expression(other)),
        Condition::Or(one, other) => format!("({}) || ({})", expression(one), expression(other)),
    }
}

fn access(path: &Path) -> String {
    path.0.iter().fold(VALUE.to_owned(), |before, step| format!("{before}?.[{}]", json!(step)))
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Equal => "===",
        Operator::NotEqual => "!==",
    }
}

fn value(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Number(value) => value.to_string(),
        Literal::Text(value) => json!(value).to_string(),
    }
}

/// Reads an expression, or the function that a page wrote it as.
fn read(text: &str) -> Result<Condition, String> {
    if text == ALWAYS || text == "true" {
        return Ok(Condition::Always);
    }
    let (name, body) = function(text).unwrap_or((VALUE, text));
    let words = translated(name, body.trim().trim_end_matches(';').trim()).ok_or(text)?;
    words.parse().map_err(|_| text.to_owned())
}

/// The parameter and the one expression of a function.
fn function(text: &str) -> Option<(&str, &str)> {
    if let Some(rest) = text.strip_prefix("function") {
        let (head, rest) = rest.split_once('{')?;
        let parameter = head.split_once('(')?.1.split([',', ')', '\n']).next()?.trim();
        let body = rest.trim_end().strip_suffix('}')?.trim().strip_prefix("return")?;
        return Some((parameter, body));
    }
    let (parameter, body) = text.split_once("=>")?;
    let parameter = parameter.trim().trim_start_matches('(').trim_end_matches(')').trim();
    Some((parameter, body))
}

/// The expression in our words, as far as signs go: whether it means something is asked when it is read.
fn translated(name: &str, text: &str) -> Option<String> {
    const SIGNS: [(&str, &str); 7] = [
        ("===", "=="),
        ("!==", "!="),
        ("&&", " and "),
        ("||", " or "),
        ("?.", "."),
        ("!=", "!="),
        ("!", " not "),
    ];
    let mut words = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if matches!(first, '"' | '\'') {
            let (inner, after) = rest[1..].split_once(first)?;
            if inner.contains('\\') {
                return None;
            }
            words.push_str(&json!(inner).to_string());
            rest = after;
        } else if let Some((sign, ours)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            words.push_str(ours);
            rest = &rest[sign.len()..];
        } else if is_of_name(first) {
            let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let is_value = word == name && !words.ends_with('.');
            words.push_str(if is_value { "" } else { word });
            rest = after;
        } else {
            words.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    Some(words)
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_of_flo_monster_is_read_where_ours_can_say_it() {
        for (condition, expected) in [
            (json!("always"), Ok("always")),
            (json!(true), Ok("always")),
            (json!("val > 100"), Ok("> 100")),
            (json!("val.count >= 3 && val.on === true"), Ok(".count >= 3 and .on == true")),
            (json!("!(val?.name !== 'val || x')"), Ok("not .name != \"val || x\"")),
            (json!("function anonymous(val\n) {\nreturn val > 100\n}"), Ok("> 100")),
            (json!("(v) => v.n < 1 || v.n > 9"), Ok(".n < 1 or .n > 9")),
            (json!("val.items.some(item => item.done)"), Err("val.items.some(item => item.done)")),
            (json!("val"), Err("val")),
            (json!(7), Err("7")),
        ] {
            let read = Escalation { condition: condition.clone(), ..Escalation::default() }.when();
            assert_eq!(read.as_deref().map_err(String::as_str), expected, "{condition}");
        }
    }

    #[test]
    fn ours_is_an_expression_there_and_itself_here() {
        for (when, expected) in [
            ("always", "always"),
            ("changed", "always"),
            ("> 100", "val > 100"),
            (".a.\"b c\" == \"x\"", "val?.[\"a\"]?.[\"b c\"] === \"x\""),
            ("not (== 1 or == 2)", "!((val === 1) || (val === 2))"),
        ] {
            let escalation = Escalation::of(when, "m").unwrap();
            assert_eq!(escalation.condition, json!(expected), "{when}");
            assert_eq!(escalation.when(), Ok(when.to_owned()));
        }
    }
}

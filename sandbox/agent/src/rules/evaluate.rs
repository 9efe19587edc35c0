//! Whether a condition holds for a value, given the one before it.

use super::{Condition, Literal, Operator, Path};
use serde_json::Value;
use std::cmp::Ordering;

/// Whether a rule with this condition fires on a write. One that only compares fires when it comes
/// true, not again while it stays so; one that speaks of writes or changes fires on each.
pub fn fires(condition: &Condition, old: &Value, new: &Value) -> bool {
    holds(condition, old, new) && (is_about_change(condition) || !holds(condition, old, old))
}

pub fn holds(condition: &Condition, old: &Value, new: &Value) -> bool {
    match condition {
        Condition::Always => true,
        Condition::Changed(path) => at(old, path) != at(new, path),
        Condition::Compare(path, operator, literal) => compare(at(new, path), *operator, literal),
        Condition::Not(inner) => !holds(inner, old, new),
        Condition::And(one, other) => holds(one, old, new) && holds(other, old, new),
        Condition::Or(one, other) => holds(one, old, new) || holds(other, old, new),
    }
}

/// Whether it speaks of writes or changes anywhere.
pub fn is_about_change(condition: &Condition) -> bool {
    match condition {
        Condition::Always | Condition::Changed(_) => true,
        Condition::Compare(..) => false,
        Condition::Not(inner) => is_about_change(inner),
        Condition::And(one, other) | Condition::Or(one, other) => {
            is_about_change(one) || is_about_change(other)
        }
    }
}

/// What is there, or `null`.
fn at<'a>(value: &'a Value, path: &Path) -> &'a Value {
    path.0.iter().fold(value, |value, step| match value {
        Value::Object(fields) => fields.get(step).unwrap_or(&Value::Null),
        Value::Array(items) => {
            step.parse::<usize>().ok().and_then(|place| items.get(place)).unwrap_or(&Value::Null)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => &Value::Null,
    })
}

/// Values of different kinds are different, and neither is greater.
fn compare(value: &Value, operator: Operator, literal: &Literal) -> bool {
    let order = match (value, literal) {
        (Value::Null, Literal::Null) => Some(Ordering::Equal),
        (Value::Bool(value), Literal::Bool(literal)) => Some(value.cmp(literal)),
        (Value::Number(value), Literal::Number(literal)) => {
            value.as_f64().and_then(|value| value.partial_cmp(literal))
        }
        (Value::String(value), Literal::Text(literal)) => Some(value.as_str().cmp(literal)),
        (
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_),
            Literal::Null | Literal::Bool(_) | Literal::Number(_) | Literal::Text(_),
        ) => None,
    };
    match operator {
        Operator::Greater => order == Some(Ordering::Greater),
        Operator::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        Operator::Less => order == Some(Ordering::Less),
        Operator::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Operator::Equal => order == Some(Ordering::Equal),
        Operator::NotEqual => order != Some(Ordering::Equal),
    }
}

//! A condition as the text that it is read from.

use super::{Condition, Literal, Operator, Path};
use std::fmt::{Display, Formatter, Result};

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Always => f.write_str("always"),
            Self::Changed(path) => write!(f, "{path}changed"),
            Self::Compare(path, operator, literal) => write!(f, "{path}{operator} {literal}"),
            Self::Not(inner) => {
                f.write_str("not ")?;
                let is_joined = matches!(**inner, Self::And(..) | Self::Or(..));
                write_in(f, inner, is_joined)
            }
            Self::And(one, other) => {
                write_in(f, one, matches!(**one, Self::Or(..)))?;
                f.write_str(" and ")?;
                write_in(f, other, matches!(**other, Self::And(..) | Self::Or(..)))
            }
            Self::Or(one, other) => {
                write!(f, "{one} or ")?;
                write_in(f, other, matches!(**other, Self::Or(..)))
            }
        }
    }
}

fn write_in(f: &mut Formatter<'_>, condition: &Condition, parentheses: bool) -> Result {
    if parentheses { write!(f, "({condition})") } else { write!(f, "{condition}") }
}

/// With a space behind it, if there is one.
impl Display for Path {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for step in &self.0 {
            if is_name(step) {
                write!(f, ".{step}")?;
            } else {
                write!(f, ".{}", quoted(step))?;
            }
        }
        if self.0.is_empty() { Ok(()) } else { f.write_str(" ") }
    }
}

impl Display for Operator {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
        })
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            // Both are shortest and read back as the same number; large ones would be a row of zeros.
            Self::Number(value) if value.abs() < 1e15 && value.fract() == 0.0 => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value:?}"),
            Self::Text(text) => f.write_str(&quoted(text)),
        }
    }
}

pub(super) fn is_name(step: &str) -> bool {
    !step.is_empty() && step.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

//! Conditions on a value and its change, for rules that wake an agent. A text is read into a
//! [`Condition`], which prints as that text; nothing in it is ever run.
//!
//! ```text
//! condition  = and ("or" and)*
//! and        = not ("and" not)*
//! not        = "not" not | "(" condition ")" | test
//! test       = "always" | path? "changed" | path? operator literal
//! operator   = ">" | ">=" | "<" | "<=" | "==" | "!="
//! path       = ("." (name | string))+          a way into the value: .items.0.title
//! literal    = number | string | "true" | "false" | "null"         as in JSON
//! ```

mod evaluate;
mod print;
mod read;
#[cfg(test)]
mod tests;

pub use evaluate::{fires, holds, is_about_change};
pub use read::Misread;

/// Longest text of a condition, in bytes.
pub const MAX_CONDITION_BYTES: usize = 500;

#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Each time that the value is written.
    Always,
    /// The value, or what is at the path, is another than before.
    Changed(Path),
    Compare(Path, Operator, Literal),
    Not(Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}

/// Names and places in lists that lead into a value; empty for the value itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<String>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
}

/// Numbers are those of JavaScript.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
}

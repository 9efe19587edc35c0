//! Reads the text of a condition.

use super::{Condition, Literal, MAX_CONDITION_BYTES, Operator, Path};
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// Why a text is no condition, in words for whoever wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread(String);

impl Display for Misread {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misread {}

impl FromStr for Condition {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Self, Misread> {
        if text.len() > MAX_CONDITION_BYTES {
            return Err(Misread(format!("The condition is longer than {MAX_CONDITION_BYTES} bytes.")));
        }
        let mut reader = Reader { rest: text.trim_start() };
        let condition = reader.any()?;
        if reader.rest.is_empty() { Ok(condition) } else { Err(reader.expected("and, or, or the end")) }
    }
}

/// What is not read yet; never begins with a space.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn any(&mut self) -> Result<Condition, Misread> {
        let mut one = self.all()?;
        while self.word("or") {
            one = Condition::Or(Box::new(one), Box::new(self.all()?));
        }
        Ok(one)
    }

    fn all(&mut self) -> Result<Condition, Misread> {
        let mut one = self.single()?;
        while self.word("and") {
            one = Condition::And(Box::new(one), Box::new(self.single()?));
        }
        Ok(one)
    }

    fn single(&mut self) -> Result<Condition, Misread> {
        if self.word("not") {
            return Ok(Condition::Not(Box::new(self.single()?)));
        }
        if self.mark("(") {
            let inner = self.any()?;
            return if self.mark(")") { Ok(inner) } else { Err(self.expected(")")) };
        }
        if self.word("always") {
            return Ok(Condition::Always);
        }
        let path = self.path()?;
        if self.word("changed") {
            return Ok(Condition::Changed(path));
        }
        let Some(operator) = self.operator() else {
            return Err(self.expected("always, changed, or one of > >= < <= == !="));
        };
        Ok(Condition::Compare(path, operator, self.literal()?))
    }

    fn path(&mut self) -> Result<Path, Misread> {
        let mut steps = Vec::new();
        while let Some(rest) = self.rest.strip_prefix('.') {
            let (step, rest) = if rest.starts_with('"') {
                split_text(rest).ok_or_else(|| self.expected("a whole string"))?
            } else {
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'));
                let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
                (name.to_owned(), rest)
            };
            if step.is_empty() && !self.rest.starts_with(".\"") {
                return Err(self.expected("a name behind the dot"));
            }
            steps.push(step);
            self.rest = rest;
        }
        self.rest = self.rest.trim_start();
        Ok(Path(steps))
    }

    fn operator(&mut self) -> Option<Operator> {
        let all = [
            (">=", Operator::GreaterOrEqual),
            ("<=", Operator::LessOrEqual),
            ("==", Operator::Equal),
            ("!=", Operator::NotEqual),
            (">", Operator::Greater),
            ("<", Operator::Less),
        ];
        all.into_iter().find(|(mark, _)| self.mark(mark)).map(|(_, operator)| operator)
    }

    fn literal(&mut self) -> Result<Literal, Misread> {
        if self.rest.starts_with('"') {
            let (text, rest) = split_text(self.rest).ok_or_else(|| self.expected("a whole string"))?;
            self.rest = rest.trim_start();
            return Ok(Literal::Text(text));
        }
        for (word, literal) in
            [("null", Literal::Null), ("true", Literal::Bool(true)), ("false", Literal::Bool(false))]
        {
            if self.word(word) {
                return Ok(literal);
            }
        }
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')));
        let (number, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let is_json = serde_json::from_str::<serde_json::Number>(number).is_ok();
        match number.parse::<f64>() {
            Ok(value) if is_json && value.is_finite() => {
                self.rest = rest.trim_start();
                Ok(Literal::Number(value))
            }
            Ok(_) | Err(_) => Err(self.expected("a number, a string in double quotes, true, false or null")),
        }
    }

    /// Takes this word, if it is the next one as a whole.
    fn word(&mut self, word: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(word) else { return false };
        if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return false;
        }
        self.rest = rest.trim_start();
        true
    }

    fn mark(&mut self, mark: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(mark) else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn expected(&self, what: &str) -> Misread {
        let found: String = self.rest.chars().take(20).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { found };
        Misread(format!("The condition needs {what} where it says: {found}"))
    }
}

/// The JSON string at the beginning, and what comes after it.
fn split_text(rest: &str) -> Option<(String, &str)> {
    let mut escaped = false;
    let (end, _) = rest.char_indices().skip(1).find(|(_, c)| {
        let is_end = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        is_end
    })?;
    let (text, rest) = rest.split_at(end + 1);
    Some((serde_json::from_str(text).ok()?, rest))
}

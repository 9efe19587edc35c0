//! What an agent asks its person: read from the call that asks it, and whether an answer fits. Nothing is
//! stored here.

mod form;
mod text;

use crate::error::{Error, Result};
use crate::web_secrets::{self, SecretAsked};
use jiff::civil::Date;
use protocol::Attachment;
use protocol::question::{Answer, AnswerDraft, Question, QuestionOption, Wanted};
use serde::Deserialize;
use serde_json::{Number, Value};
use std::collections::BTreeSet;

/// Characters of a question, of an option's label and description, and of words beside options.
const TEXT: usize = 1000;
const LABEL: usize = 100;
const DESCRIPTION: usize = 300;
const OTHER: usize = 500;
/// How long a question waits if its agent does not say: a day.
const USUAL_WAIT_MINUTES: u32 = 24 * 60;
/// Digits of a number that are kept exactly.
const DIGITS: usize = 15;

/// The input of `ask_user`, as far as its schema has checked it.
#[derive(Deserialize)]
struct Asked {
    question: String,
    kind: Kind,
    options: Option<Vec<QuestionOption>>,
    #[serde(default)]
    other: bool,
    min: Option<Number>,
    max: Option<Number>,
    default: Option<String>,
    wait_minutes: Option<u32>,
    name: Option<String>,
    host: Option<String>,
    header: Option<String>,
    scheme: Option<String>,
}

impl Asked {
    fn secret(&self) -> SecretAsked<'_> {
        SecretAsked {
            name: self.name.as_deref(),
            host: self.host.as_deref(),
            header: self.header.as_deref(),
            scheme: self.scheme.as_deref(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Choice,
    Several,
    Text,
    Number,
    Date,
    File,
    Secret,
}

/// The question that this call asks. What is wrong with it comes back as words for the model.
pub(crate) fn read(input: &Value) -> std::result::Result<Question, String> {
    let asked = Asked::deserialize(input).map_err(|error| error.to_string())?;
    let text = asked.question.trim();
    if text.is_empty() || text.chars().count() > TEXT {
        return Err(format!("A question has 1 to {TEXT} characters."));
    }
    let wanted = wanted(&asked)?;
    let default = match &asked.default {
        Some(_) if asked.kind == Kind::File => {
            return Err("A file has no default. Leave it out.".to_owned());
        }
        Some(_) if asked.kind == Kind::Secret => {
            return Err("A secret has no default. Leave it out.".to_owned());
        }
        Some(default) => Some(
            fit(&wanted, draft_of(&wanted, default), None)
                .map_err(|error| format!("The default does not fit: {}", error.into_failure().message))?,
        ),
        None => None,
    };
    Ok(Question {
        server: None,
        text: text.to_owned(),
        wanted,
        default,
        wait_minutes: asked.wait_minutes.unwrap_or(USUAL_WAIT_MINUTES),
    })
}

fn wanted(asked: &Asked) -> std::result::Result<Wanted, String> {
    let has_bounds = asked.min.is_some() || asked.max.is_some();
    match asked.kind {
        Kind::Choice | Kind::Several => {}
        Kind::Text | Kind::Number | Kind::Date | Kind::File | Kind::Secret => {
            if asked.options.is_some() || asked.other {
                return Err("Only choice and several have options.".to_owned());
            }
        }
    }
    if has_bounds && !matches!(asked.kind, Kind::Several | Kind::Number) {
        return Err("Only number and several have min and max.".to_owned());
    }
    if asked.kind != Kind::Secret && !asked.secret().is_nothing() {
        return Err("Only secret has name, host, header and scheme.".to_owned());
    }
    Ok(match asked.kind {
        Kind::Choice => Wanted::Choice { options: options(asked)?, other: asked.other },
        Kind::Several => {
            let options = options(asked)?;
            let all = u32::try_from(options.len()).unwrap_or(u32::MAX).saturating_add(u32::from(asked.other));
            let (least, most) = (count(asked.min.as_ref(), 1)?, count(asked.max.as_ref(), all)?);
            if least > most || most > all {
                return Err(format!("With these options min and max lie between 0 and {all}."));
            }
            Wanted::Several { options, other: asked.other, least, most }
        }
        Kind::Text => Wanted::Text { least: None, most: None, format: None },
        Kind::Number => {
            if let (Some(min), Some(max)) = (&asked.min, &asked.max)
                && min.as_f64() > max.as_f64()
            {
                return Err("min is greater than max.".to_owned());
            }
            Wanted::Number { least: asked.min.clone(), most: asked.max.clone(), whole: false }
        }
        Kind::Date => Wanted::Date,
        Kind::File => Wanted::File,
        Kind::Secret => web_secrets::wanted(asked.secret())?,
    })
}

fn options(asked: &Asked) -> std::result::Result<Vec<QuestionOption>, String> {
    let Some(given) = &asked.options else {
        return Err("choice and several need options.".to_owned());
    };
    let mut labels = BTreeSet::new();
    let mut options = Vec::new();
    for option in given {
        let label = option.label.trim().to_owned();
        if label.is_empty() || label.chars().count() > LABEL || label.chars().any(char::is_control) {
            return Err(format!("A label is one line of 1 to {LABEL} characters."));
        }
        let description = option.description.as_deref().map(str::trim).filter(|words| !words.is_empty());
        if description.is_some_and(|words| words.chars().count() > DESCRIPTION) {
            return Err(format!("The description of {label} has more than {DESCRIPTION} characters."));
        }
        if !labels.insert(label.clone()) {
            return Err(format!("The option {label} is there twice."));
        }
        options.push(QuestionOption { label, description: description.map(str::to_owned) });
    }
    Ok(options)
}

/// How many options are chosen at least or at most.
fn count(asked: Option<&Number>, usual: u32) -> std::result::Result<u32, String> {
    let Some(asked) = asked else { return Ok(usual) };
    let whole = asked.as_u64().and_then(|count| u32::try_from(count).ok());
    whole.ok_or_else(|| "min and max of several are whole numbers.".to_owned())
}

/// A default, as a person would have said it.
fn draft_of(wanted: &Wanted, default: &str) -> AnswerDraft {
    let chosen = |labels: Vec<String>| AnswerDraft { chosen: labels, ..AnswerDraft::default() };
    match wanted {
        Wanted::Choice { .. } => chosen(vec![default.trim().to_owned()]),
        Wanted::Several { .. } => chosen(default.lines().map(|label| label.trim().to_owned()).collect()),
        Wanted::Text { .. }
        | Wanted::Number { .. }
        | Wanted::Date
        | Wanted::File
        | Wanted::Secret { .. }
        | Wanted::Form { .. }
        | Wanted::Visit { .. } => AnswerDraft { text: default.to_owned(), ..AnswerDraft::default() },
    }
}

/// What somebody means who has words alone: labels of options, each on a line of its own, or what is none of them.
pub(super) fn said_in_words(wanted: &Wanted, words: &str) -> AnswerDraft {
    let (Wanted::Choice { options, .. } | Wanted::Several { options, .. }) = wanted else {
        return AnswerDraft { text: words.to_owned(), ..AnswerDraft::default() };
    };
    let (mut chosen, mut own) = (Vec::new(), Vec::new());
    for line in words.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let is_said = |option: &&QuestionOption| option.label.to_lowercase() == line.to_lowercase();
        match options.iter().find(is_said) {
            Some(option) => chosen.push(option.label.clone()),
            None => own.push(line),
        }
    }
    AnswerDraft { chosen, text: own.join("\n"), ..AnswerDraft::default() }
}

/// What was said, if the question takes it. `file` is the one that the draft names.
pub(super) fn fit(wanted: &Wanted, said: AnswerDraft, file: Option<Attachment>) -> Result<Answer> {
    if said.skip {
        return Ok(Answer::Skipped);
    }
    let text = said.text.trim();
    match wanted {
        Wanted::Choice { options, other } => {
            let (labels, other) = chosen(options, *other, &said)?;
            match labels.len() + usize::from(other.is_some()) {
                0 => Err(Error::invalid("Choose one of the answers.")),
                1 => Ok(Answer::Chosen { labels, other }),
                _ => Err(Error::invalid("Choose one answer only, or write your own and choose none.")),
            }
        }
        Wanted::Several { options, other, least, most } => {
            let (labels, other) = chosen(options, *other, &said)?;
            let count = u32::try_from(labels.len()).unwrap_or(u32::MAX) + u32::from(other.is_some());
            if count < *least || count > *most {
                return Err(Error::invalid(match least == most {
                    true => format!("Choose {least} of them."),
                    false => format!("Choose {least} to {most} of them."),
                }));
            }
            Ok(Answer::Chosen { labels, other })
        }
        Wanted::Text { least, most, format } => text::fit(text, *least, *most, *format),
        Wanted::Number { least, most, whole } => number(text, least.as_ref(), most.as_ref(), *whole),
        Wanted::Date => {
            let date: Date = text
                .parse()
                .map_err(|_| Error::invalid("Give a date with year, month and day, like 2026-11-24."))?;
            Ok(Answer::Date { date: date.to_string() })
        }
        Wanted::File => {
            let file = file.ok_or_else(|| Error::invalid("Choose a file, or skip the question."))?;
            Ok(Answer::File { file })
        }
        Wanted::Secret { .. } => web_secrets::entered(text).map(|_| Answer::Kept),
        Wanted::Form { fields } => form::fit(fields, said.fields),
        Wanted::Visit { .. } => Ok(Answer::Form { fields: Vec::new() }),
    }
}

/// The options that were chosen, in their order, and the words beside them.
fn chosen(
    options: &[QuestionOption],
    other: bool,
    said: &AnswerDraft,
) -> Result<(Vec<String>, Option<String>)> {
    // A form sends an empty one for words of one's own.
    let meant: BTreeSet<&str> =
        said.chosen.iter().map(String::as_str).filter(|label| !label.is_empty()).collect();
    let labels: Vec<String> = options
        .iter()
        .map(|option| &option.label)
        .filter(|label| meant.contains(label.as_str()))
        .cloned()
        .collect();
    if labels.len() < meant.len() {
        return Err(Error::invalid("That is none of the answers that are offered. Load the page again."));
    }
    let own = Some(said.text.trim()).filter(|own| !own.is_empty());
    if own.is_some() && !other {
        return Err(Error::invalid("Choose from the answers that are offered."));
    }
    if own.is_some_and(|own| own.chars().count() > OTHER) {
        return Err(Error::invalid(format!("An answer of your own has at most {OTHER} characters.")));
    }
    Ok((labels, own.map(str::to_owned)))
}

fn number(text: &str, least: Option<&Number>, most: Option<&Number>, is_whole: bool) -> Result<Answer> {
    // Where people write it so.
    let text = text.replace(',', ".");
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte))
        && text.bytes().filter(u8::is_ascii_digit).count() <= DIGITS;
    let whole = || text.parse::<i64>().ok().map(Number::from);
    let number = is_plain
        .then(|| whole().or_else(|| text.parse().ok().and_then(Number::from_f64)))
        .flatten()
        .ok_or_else(|| {
            Error::invalid(format!("Give a number of at most {DIGITS} digits, like 12 or 3.5."))
        })?;
    if is_whole && !number.is_i64() {
        return Err(Error::invalid("Give a whole number."));
    }
    let is_below = least.is_some_and(|least| number.as_f64() < least.as_f64());
    let is_above = most.is_some_and(|most| number.as_f64() > most.as_f64());
    if !is_below && !is_above {
        return Ok(Answer::Number { number });
    }
    Err(Error::invalid(match (least, most) {
        (Some(least), Some(most)) => format!("Give a number from {least} to {most}."),
        (Some(least), None) => format!("Give a number of {least} or more."),
        (None, Some(most)) => format!("Give a number of {most} or less."),
        (None, None) => "Give a number.".to_owned(),
    }))
}

#[cfg(test)]
mod tests;

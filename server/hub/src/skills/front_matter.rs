//! The head of a `SKILL.md`: a few fields of YAML between two lines of dashes, read as far as it goes. A colon in a
//! text without quotes is repaired; what is no YAML, or says not what the skill is for, is refused.

use crate::error::{Error, Result};
use serde_json::{Map, Value};

/// Longest head, in bytes.
const HEAD: usize = 16 * 1024;
/// Longest fields, in characters.
const DESCRIPTION: usize = 1024;
const LINE: usize = 200;
/// What is named at most of one kind: tools, hosts, files.
const NAMES: usize = 50;
/// Elsewhere it has more than names of tools.
const REQUIRES: &str = "requires";
/// Fields of which agents are told nothing and people neither.
const KNOWN: [&str; 11] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
    REQUIRES,
    "hosts",
    "mounts",
    "scripts",
    "version",
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) licence: Option<String>,
    pub(super) compatibility: Option<String>,
    pub(super) allowed_tools: Option<Vec<String>>,
    pub(super) requires: Vec<String>,
    pub(super) hosts: Option<Vec<String>>,
    pub(super) mounts: Option<Vec<String>>,
    pub(super) scripts: Option<Vec<String>>,
    /// Names of other fields.
    pub(super) others: Vec<String>,
    /// It had to be repaired or cut to be read.
    pub(super) is_odd: bool,
}

/// The head, and what follows it.
pub(super) fn read(text: &str) -> Result<(Head, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (head, body) = split(text).ok_or_else(|| {
        Error::invalid(
            "SKILL.md has no head. It begins with a line ---, then name: and description:, then another line ---.",
        )
    })?;
    if head.len() > HEAD {
        return Err(Error::invalid("The head of SKILL.md is longer than 16 KB."));
    }
    let (fields, is_repaired) = match fields(head) {
        Ok(fields) => (fields, false),
        Err(why) => match fields(&repaired(head)) {
            Ok(fields) => (fields, true),
            Err(_) => {
                return Err(Error::invalid(format!(
                    "The head of SKILL.md cannot be read as YAML: {why}. Put texts with special characters into quotes."
                )));
            }
        },
    };
    let text = |name: &str| fields.get(name).and_then(as_text);
    let description = text("description").filter(|text| !text.is_empty()).ok_or_else(|| {
        Error::invalid(
            "SKILL.md has no description. Say in its head what the skill is for and when it is used.",
        )
    })?;
    let cut = |text: String, most: usize| -> String { text.chars().take(most).collect() };
    let is_long = description.chars().count() > DESCRIPTION;
    let head = Head {
        name: cut(text("name").unwrap_or_default(), LINE),
        description: cut(description, DESCRIPTION),
        licence: text("license").map(|text| cut(text, LINE)),
        compatibility: text("compatibility").map(|text| cut(text, LINE)),
        allowed_tools: fields.get("allowed-tools").map(tools),
        requires: fields.get(REQUIRES).map(tools).unwrap_or_default(),
        hosts: fields.get("hosts").map(names),
        mounts: fields.get("mounts").map(names),
        scripts: fields.get("scripts").map(names),
        others: others(&fields),
        is_odd: is_repaired || is_long,
    };
    Ok((head, body))
}

fn split(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("---")?;
    let start = rest.find('\n')? + 1;
    if !rest[..start].trim().is_empty() {
        return None;
    }
    let rest = &rest[start..];
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((&rest[..at], &rest[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

fn fields(head: &str) -> std::result::Result<Map<String, Value>, String> {
    // An anchor that is repeated inside others grows without an end: no field needs one.
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_depth: 8, max_nodes: 500, max_anchors: 0, max_aliases: 0 },
        with_snippet: false,
    };
    match serde_saphyr::from_str_with_options(head, options) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err("it is no list of fields".to_owned()),
        Err(error) => Err(error.to_string().lines().next().unwrap_or_default().to_owned()),
    }
}

/// Texts of one line in quotes.
fn repaired(head: &str) -> String {
    let mut lines = String::new();
    for line in head.lines() {
        let field = line.split_once(':').filter(|(name, _)| is_name(name));
        match field.map(|(name, text)| (name, text.trim())) {
            Some((name, text)) if !text.is_empty() && !text.starts_with(['"', '\'', '[', '{', '|', '>']) => {
                lines.push_str(&format!("{name}: {}\n", Value::from(text)));
            }
            Some(_) | None => lines.push_str(&format!("{line}\n")),
        }
    }
    lines
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'))
}

/// On one line.
fn as_text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Names of tools, in a list or in one text. What stands behind one in brackets holds elsewhere.
fn tools(value: &Value) -> Vec<String> {
    let texts: Vec<&str> = match value {
        Value::String(text) => vec![text],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    };
    let mut names: Vec<String> = Vec::new();
    for text in texts {
        let mut depth = 0_usize;
        let bare: String = text
            .chars()
            .map(|letter| {
                let inside = depth > 0;
                match letter {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if inside || matches!(letter, '(' | ')') { ' ' } else { letter }
            })
            .collect();
        let named = bare.split(|letter: char| letter == ',' || letter.is_whitespace());
        names.extend(named.filter(|name| !name.is_empty()).map(|name| name.chars().take(LINE).collect()));
    }
    names.dedup();
    names.truncate(NAMES);
    names
}

/// Hosts or files, in a list or in one text.
fn names(value: &Value) -> Vec<String> {
    let separates = |letter: char| letter == ',' || letter.is_whitespace();
    let names: Vec<&str> = match value {
        Value::String(text) => text.split(separates).collect(),
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::trim).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    };
    let named = names.into_iter().filter(|name| !name.is_empty());
    named.take(NAMES).map(|name| name.chars().take(LINE).collect()).collect()
}

fn others(fields: &Map<String, Value>) -> Vec<String> {
    let is_other = |(name, value): &(&String, &Value)| {
        !KNOWN.contains(&name.as_str()) || (*name == REQUIRES && value.is_object())
    };
    let others = fields.iter().filter(is_other).map(|(name, _)| name);
    others.take(NAMES).map(|name| name.chars().take(LINE).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_as_far_as_it_goes() {
        let head = |name: &str, description: &str| Head {
            name: name.to_owned(),
            description: description.to_owned(),
            ..Head::default()
        };
        for (text, expected) in [
            ("---\nname: moss\ndescription: Knows moss.\n---\nBody\n", head("moss", "Knows moss.")),
            (
                "\u{feff}---  \r\nname: moss\r\ndescription: Knows moss.\r\n---\r\nBody\n",
                head("moss", "Knows moss."),
            ),
            (
                "---\nname: moss\ndescription: Use when: it is damp # or not\n---\nBody\n",
                Head { is_odd: true, ..head("moss", "Use when: it is damp # or not") },
            ),
            ("---\ndescription: >\n  Two\n  lines.\n---\nBody\n", head("", "Two lines.")),
            (
                "---\nname: 7\ndescription: d\nlicense: MIT\nallowed-tools: Read, Bash(git add:*) WebFetch\nhooks:\n  a: b\n---\nBody\n",
                Head {
                    licence: Some("MIT".to_owned()),
                    allowed_tools: Some(["Read", "Bash", "WebFetch"].map(str::to_owned).into()),
                    others: vec!["hooks".to_owned()],
                    ..head("7", "d")
                },
            ),
            (
                "---\ndescription: d\nallowed-tools: [Read, \"Bash(*)\"]\n---\nBody\n",
                Head { allowed_tools: Some(["Read", "Bash"].map(str::to_owned).into()), ..head("", "d") },
            ),
            (
                "---\ndescription: d\nhosts: a.example, *.b.example\nmounts: [/agent/a b, notes.md]\nscripts:\n---\nBody\n",
                Head {
                    hosts: Some(["a.example", "*.b.example"].map(str::to_owned).into()),
                    mounts: Some(["/agent/a b", "notes.md"].map(str::to_owned).into()),
                    scripts: Some(Vec::new()),
                    ..head("", "d")
                },
            ),
            (
                "---\ndescription: d\nrequires: [document, Read]\n---\nBody\n",
                Head { requires: ["document", "Read"].map(str::to_owned).into(), ..head("", "d") },
            ),
            (
                "---\ndescription: d\nrequires: { bins: [curl] }\n---\nBody\n",
                Head { others: vec!["requires".to_owned()], ..head("", "d") },
            ),
            (
                "---\ndescription: d\nallowed-tools:\n---\nBody\n",
                Head { allowed_tools: Some(Vec::new()), ..head("", "d") },
            ),
        ] {
            let (read, body) = read(text).expect("it can be read");
            assert_eq!((read, body), (expected, "Body\n"), "{text}");
        }
        let long = format!("---\ndescription: {}\n---\n", "moss ".repeat(400));
        let (read, _) = read(&long).expect("it is cut");
        assert!(read.is_odd && read.description.chars().count() == 1024);
    }

    #[test]
    fn what_is_no_head_is_refused_in_words() {
        for (text, why) in [
            ("# Moss\n", "has no head"),
            ("---\nname: moss\n", "has no head"),
            ("--- name\n---\n", "has no head"),
            ("---\nname: moss\n---\n", "has no description"),
            ("---\ndescription: ''\n---\n", "has no description"),
            ("---\ndescription: [a, b]\n---\n", "has no description"),
            ("---\njust words\n---\n", "cannot be read as YAML"),
            ("---\n\t{ : [\n---\n", "cannot be read as YAML"),
            ("---\ndescription: &a x\nname: *a\nb: [\n---\n", "cannot be read as YAML"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        let long = format!("---\ndescription: d\nx: {}\n---\n", "y".repeat(HEAD));
        assert!(read(&long).is_err());
        let mut bomb = "---\ndescription: d\na0: &a0 [x,x]\n".to_owned();
        for n in 1..9 {
            bomb.push_str(&format!("a{n}: &a{n} [*a{},*a{}]\n", n - 1, n - 1));
        }
        bomb.push_str("---\n");
        assert!(read(&bomb).is_err() || read(&bomb).is_ok_and(|(head, _)| head.others.len() < 20));
    }
}

//! What a site lists of its own skills, below `/.well-known/agent-skills/`: Agent Skills Discovery of 0.2, in which
//! each has an address and a digest, and of 0.1, in which each has a folder and names its files.

use super::archive::{MOST_SKILLS, told};
use super::parcel::{FILES, digest};
use crate::error::{Error, Result};
use crate::files::FilePath;
use crate::nodes;
use protocol::view::FoundSkill;
use serde_json::Value;

/// Where a site has its list, the newer address first.
pub(super) const ADDRESSES: [&str; 2] =
    ["/.well-known/agent-skills/index.json", "/.well-known/skills/index.json"];

/// A skill of the list, and how it is had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub(super) name: String,
    description: String,
    pub(super) parts: Parts,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// A `SKILL.md` or an archive, by its address, which may be one below that of the list.
    Whole { url: String, digest: Option<String> },
    /// By their paths below the folder of the skill's name.
    Files(Vec<String>),
}

/// Bytes of a list, and values in it.
const LARGEST: usize = 1024 * 1024;
const VALUES: usize = 20_000;

/// `None`: it is no list, or a larger one than any is.
pub(super) fn read(bytes: &[u8]) -> Option<Vec<Listed>> {
    if bytes.len() > LARGEST || nodes::count(bytes) > VALUES {
        return None;
    }
    let index: Value = serde_json::from_slice(bytes).ok()?;
    let skills = index.get("skills")?.as_array()?;
    Some(skills.iter().filter_map(listed).take(MOST_SKILLS).collect())
}

/// What is on it, for somebody to choose from.
pub(super) fn found(list: Vec<Listed>) -> Vec<FoundSkill> {
    let found = |Listed { name, description, .. }: Listed| FoundSkill {
        name: told(&name),
        description: told(&description),
        within: name,
    };
    list.into_iter().map(found).collect()
}

/// Refuses what is not what the list pins.
pub(super) fn check_digest(pinned: Option<&str>, bytes: &[u8]) -> Result<()> {
    let Some(pinned) = pinned else { return Ok(()) };
    let of = pinned.strip_prefix("sha256:").unwrap_or(pinned);
    if of.eq_ignore_ascii_case(&digest(bytes)) {
        return Ok(());
    }
    Err(Error::Upstream(
        "What came is not what was announced: its SHA-256 is another one. Nothing was taken.".to_owned(),
    ))
}

fn listed(skill: &Value) -> Option<Listed> {
    let text = |field: &str| skill.get(field).and_then(Value::as_str).filter(|text| !text.is_empty());
    let name = text("name").filter(|name| name.len() <= 100)?.to_owned();
    let description = text("description").unwrap_or_default().to_owned();
    let parts = match (text("url"), skill.get("files").and_then(Value::as_array)) {
        (Some(url), _) => Parts::Whole { url: url.to_owned(), digest: text("digest").map(str::to_owned) },
        (None, Some(files)) if files.len() <= FILES && FilePath::check(&name).is_ok() => {
            let file =
                |file: &Value| file.as_str().filter(|path| FilePath::check(path).is_ok()).map(str::to_owned);
            Parts::Files(files.iter().map(file).collect::<Option<_>>()?)
        }
        (None, Some(_) | None) => return None,
    };
    Some(Listed { name, description, parts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_has_what_can_be_had() {
        let whole = |url: &str, digest: Option<&str>| {
            Some(Parts::Whole { url: url.to_owned(), digest: digest.map(str::to_owned) })
        };
        let files = |files: &[&str]| Some(Parts::Files(files.iter().map(|it| (*it).to_owned()).collect()));
        for (skill, expected) in [
            (
                json!({ "name": "moss", "type": "skill-md", "description": "d", "url": "moss/SKILL.md", "digest": "sha256:ab" }),
                whole("moss/SKILL.md", Some("sha256:ab")),
            ),
            (json!({ "name": "moss", "url": "/moss.tar.gz" }), whole("/moss.tar.gz", None)),
            (json!({ "name": "moss", "files": ["SKILL.md", "a/b.md"] }), files(&["SKILL.md", "a/b.md"])),
            (json!({ "name": "moss", "files": ["SKILL.md", "../b.md"] }), None),
            (json!({ "name": "../moss", "files": ["SKILL.md"] }), None),
            (json!({ "name": "moss", "files": vec!["a"; 201] }), None),
            (json!({ "name": "moss" }), None),
            (json!({ "url": "moss/SKILL.md" }), None),
            (json!("moss"), None),
        ] {
            let index = json!({ "skills": [skill] }).to_string();
            let list = read(index.as_bytes()).expect("it is a list");
            assert_eq!(list.into_iter().next().map(|listed| listed.parts), expected, "{skill}");
        }
        for text in ["[]", "{", "{\"skills\":7}", "<h1>Moss</h1>"] {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn what_is_pinned_is_held_to_it() {
        let pinned = format!("sha256:{}", digest(b"moss").to_uppercase());
        assert!(check_digest(None, b"moss").is_ok() && check_digest(Some(&pinned), b"moss").is_ok());
        assert!(
            check_digest(Some(&pinned), b"fern").is_err() && check_digest(Some("md5:1"), b"moss").is_err()
        );
    }
}

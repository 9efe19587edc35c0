//! `glob` and `grep`: files by their names, and by what stands in them.

use super::grep::{How, Mode, Pattern, Search};
use super::mounts::{self, Content, Found, Mounted, contents_of};
use super::{ROOM, flag, mark, number, text};
use crate::clock::Moment;
use crate::documents::kind_of;
use crate::error::Error;
use crate::files::{decoded, parts};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use globset::{GlobBuilder, GlobMatcher};
use serde_json::json;

/// Files that a pattern finds at most.
const FILES: usize = 100;
/// Bytes that one search reads.
const READ: u64 = 20 * 1024 * 1024;
/// Files of a device that one search reads.
const FILES_OF_DEVICE: usize = 300;
/// The same of a server, and for how long.
const FILES_OF_SERVER: usize = 50;
const SEARCH_MS: i64 = 60_000;
/// What a search finds at most, if it says nothing else.
pub(super) const LIMIT: usize = 100;

/// Types of files, each with the endings that it has.
const TYPES: [(&str, &[&str]); 30] = [
    ("c", &["c", "h"]),
    ("cpp", &["cpp", "cc", "cxx", "hpp", "hh", "hxx", "h"]),
    ("cs", &["cs"]),
    ("css", &["css", "scss", "sass", "less"]),
    ("csv", &["csv", "tsv"]),
    ("go", &["go"]),
    ("html", &["html", "htm", "xhtml"]),
    ("java", &["java"]),
    ("js", &["js", "jsx", "mjs", "cjs"]),
    ("json", &["json", "jsonl", "ndjson"]),
    ("kotlin", &["kt", "kts"]),
    ("lua", &["lua"]),
    ("make", &["mk", "mak"]),
    ("md", &["md", "markdown", "mdx"]),
    ("perl", &["pl", "pm"]),
    ("php", &["php"]),
    ("py", &["py", "pyi"]),
    ("python", &["py", "pyi"]),
    ("r", &["r", "rmd"]),
    ("ruby", &["rb"]),
    ("rust", &["rs"]),
    ("sh", &["sh", "bash", "zsh"]),
    ("sql", &["sql"]),
    ("svg", &["svg"]),
    ("swift", &["swift"]),
    ("toml", &["toml"]),
    ("ts", &["ts", "tsx", "mts", "cts"]),
    ("txt", &["txt", "text", "log"]),
    ("xml", &["xml", "xsd", "xsl"]),
    ("yaml", &["yaml", "yml"]),
];

pub(in crate::tools) async fn glob(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let pattern = Names::new(text(call, "pattern"))?;
    let folder = folder(call, Some(&pattern))?;
    let (mut found, not_all) = mounts::found(caller, &folder, &Mounted::parse(&folder)?).await?;
    found.retain(|found| pattern.fits(&found.path, &folder));
    found.sort_by(|one, other| other.at.cmp(&one.at).then_with(|| one.path.cmp(&other.path)));
    let total = found.len();
    let (mut paths, mut room, mut untrusted) = (Vec::new(), ROOM, false);
    for found in found.into_iter().take(FILES) {
        let size = found.path.len() + 3;
        if size > room {
            break;
        }
        room -= size;
        untrusted |= found.untrusted;
        paths.push(found.path);
    }
    let mut answer = json!({ "total": total });
    if paths.len() < total {
        answer["more"] = format!("{} more. Narrow the pattern.", total - paths.len()).into();
    }
    answer["paths"] = paths.into();
    if let Some(why) = not_all {
        answer["not_all"] = why.into();
    }
    mark(&mut answer, untrusted);
    Ok(answer.to_string())
}

pub(in crate::tools) async fn grep(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let how = How { ignore_case: flag(call, "ignore_case"), multiline: flag(call, "multiline") };
    let pattern = Pattern::new(text(call, "pattern"), how).map_err(ToolError)?;
    let around = |side| number(call, side).or_else(|| number(call, "context")).unwrap_or_default();
    let mode = match text(call, "output_mode") {
        "content" => Mode::Content { before: around("before"), after: around("after") },
        "count" => Mode::Count,
        _ => Mode::Files,
    };
    let names = match text(call, "glob") {
        "" => None,
        glob => Some(Names::new(glob)?),
    };
    let folder = folder(call, names.as_ref())?;
    let place = Mounted::parse(&folder)?;
    let (mut all, not_all) = mounts::found(caller, &folder, &place).await?;
    all.retain(|found| {
        let name = found.path.rsplit('/').next().unwrap_or_default();
        names.as_ref().is_none_or(|names| names.fits(&found.path, &folder) || names.glob.is_match(name))
    });
    if let Some(endings) = endings_of(text(call, "type"))? {
        all.retain(|found| ends_in(&found.path, endings));
    }
    let offset = number(call, "offset").unwrap_or_default();
    let mut search = Search::new(pattern, mode, offset, number(call, "limit").unwrap_or(LIMIT), ROOM);
    let searched = within_bounds(all.iter().map(|found| found.size), &place);
    let (mut unread, mut untrusted) = (all.len() - searched, false);
    all.truncate(searched);
    let patience = Patience::new(caller, &place);
    // Each of elsewhere is a way there and back.
    let parts = parts(all, |found| if place.is_elsewhere() { u64::MAX / 2 } else { found.size });
    for part in parts {
        if search.is_full() || patience.is_over(caller) {
            unread += part.len();
            continue;
        }
        let contents = contents_of(caller, &part).await?;
        let done = tokio::task::spawn_blocking(move || {
            let mut searched = Searched { search, unread: 0, untrusted: false };
            for found in part {
                searched.take(&found, contents.get(&found.path));
            }
            searched
        });
        let done = done.await.map_err(Error::internal)?;
        search = done.search;
        unread += done.unread;
        untrusted |= done.untrusted;
    }
    let mut answer = search.answer(unread);
    if let Some(why) = not_all {
        answer["not_all"] = why.into();
    }
    mark(&mut answer, untrusted);
    Ok(answer.to_string())
}

/// A search, and what became of a part of the files.
struct Searched {
    search: Search,
    unread: usize,
    untrusted: bool,
}

impl Searched {
    fn take(&mut self, found: &Found, content: Option<&Content>) {
        let Some(content) = content.filter(|_| !self.search.is_full()) else {
            self.unread += 1;
            return;
        };
        let before = self.search.found();
        if kind_of(&found.path, &content.bytes).is_some() {
            self.search.pass_document(&found.path);
        } else if let Some(decoded) = decoded(&content.bytes) {
            self.search.take(&found.path, &decoded.text);
        } else {
            self.search.pass_binary();
        }
        self.untrusted |= found.untrusted && self.search.found() > before;
    }
}

/// How long one search goes on with a place elsewhere, which may say little of how much there is to read.
pub(super) struct Patience(Option<Moment>);

impl Patience {
    pub(super) fn new(caller: &Caller<'_>, place: &Mounted) -> Self {
        Self(matches!(place, Mounted::Server(..)).then(|| caller.hub.moment().plus_ms(SEARCH_MS)))
    }

    pub(super) fn is_over(&self, caller: &Caller<'_>) -> bool {
        self.0.is_some_and(|end| caller.hub.moment() >= end)
    }
}

/// How many of the files, by their sizes, one search reads.
pub(super) fn within_bounds(sizes: impl Iterator<Item = u64>, place: &Mounted) -> usize {
    let most = match place {
        Mounted::Device(_) | Mounted::Local => FILES_OF_DEVICE,
        Mounted::Server(..) | Mounted::Servers => FILES_OF_SERVER,
        Mounted::Root | Mounted::In(..) | Mounted::Uploads(_) => usize::MAX,
    };
    let mut read = 0;
    sizes
        .take(most)
        .take_while(|size| {
            read += size;
            read <= READ
        })
        .count()
}

/// Where is looked. A pattern that begins with a mount is looked for there.
fn folder(call: &ResolvedCall, names: Option<&Names>) -> Result<String, ToolError> {
    match (text(call, "path"), names) {
        ("", Some(names)) if names.is_from_the_root() => names.mount(),
        ("", _) => Ok(agent::tools::OWN_FILES.to_owned()),
        (path, _) => Ok(path.to_owned()),
    }
}

/// A pattern of paths.
struct Names {
    pattern: String,
    glob: GlobMatcher,
}

impl Names {
    fn new(pattern: &str) -> Result<Self, ToolError> {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        let glob = glob.map_err(|error| ToolError(format!("The pattern cannot be read: {error}.")))?;
        Ok(Self { pattern: pattern.to_owned(), glob: glob.compile_matcher() })
    }

    fn is_from_the_root(&self) -> bool {
        self.pattern.starts_with('/')
    }

    /// Whether the path fits from the folder on, or as a whole if the pattern begins at the root.
    fn fits(&self, path: &str, folder: &str) -> bool {
        match self.is_from_the_root() {
            true => self.glob.is_match(path),
            false => self.glob.is_match(relative(path, folder)),
        }
    }

    /// Where paths are that fit, if it begins at the root: in all mounts, or in the one that it names.
    fn mount(&self) -> Result<String, ToolError> {
        let (first, _) = self.pattern[1..].split_once('/').unwrap_or_default();
        let mount = format!("/{first}");
        match Mounted::parse(&mount) {
            Ok(Mounted::In(..) | Mounted::Uploads(_)) => Ok(mount),
            // Whether one may look there is asked by the path of a call.
            Ok(Mounted::Device(_) | Mounted::Local | Mounted::Servers | Mounted::Server(..)) => {
                Err(ToolError(format!("To look below {mount}, give a folder of it in path.")))
            }
            Ok(Mounted::Root) | Err(_) => Ok("/".to_owned()),
        }
    }
}

/// What files of the type end in. None: any type is wanted.
fn endings_of(kind: &str) -> Result<Option<&'static [&'static str]>, ToolError> {
    let known = TYPES.into_iter().find(|(name, _)| *name == kind).map(|(_, endings)| endings);
    if kind.is_empty() || known.is_some() {
        return Ok(known);
    }
    let names = TYPES.map(|(name, _)| name).join(", ");
    Err(ToolError(format!("{kind} is no type here. Give a glob, or one of {names}.")))
}

fn ends_in(path: &str, endings: &[&str]) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| endings.contains(&ending.as_str()))
}

fn relative<'p>(path: &'p str, folder: &str) -> &'p str {
    path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_from_the_root_fits_whole_paths_and_any_other_those_from_the_folder_on() {
        for (pattern, folder, path, fits) in [
            ("*.md", "/agent", "/agent/a.md", true),
            ("*.md", "/agent", "/agent/b/a.md", false),
            ("b/*.md", "/agent", "/agent/b/a.md", true),
            ("/agent/**/*.md", "/agent", "/agent/b/a.md", true),
            ("/agent/**/*.md", "/agent", "/agent/a.md", true),
            ("/agent/*.md", "/agent/b", "/agent/b/a.md", false),
            ("/agent/b/*.md", "/agent/b", "/agent/b/a.md", true),
            ("/**/*.md", "/", "/workspace/a.md", true),
        ] {
            assert_eq!(Names::new(pattern).unwrap().fits(path, folder), fits, "{pattern} {path}");
        }
    }

    #[test]
    fn a_pattern_from_the_root_says_where_is_looked() {
        for (pattern, mount) in [
            ("/agent/*.md", Some("/agent")),
            ("/workspace/**", Some("/workspace")),
            ("/opfs/*", None),
            ("/mcp/garden/*", None),
            ("/{agent,uploads}/*", Some("/")),
            ("/**", Some("/")),
        ] {
            assert_eq!(Names::new(pattern).unwrap().mount().ok().as_deref(), mount, "{pattern}");
        }
    }
}

//! `symbols`: where names in code are defined and where they stand, which the process without rights finds.

use super::find::{LIMIT, Patience, within_bounds};
use super::mounts::{self, Found, Mounted, contents_of};
use super::{OF_OTHERS, OWN_FILES, ROOM, mark, number, text};
use crate::engine::{CodeLanguage, SymbolPlace, SymbolSearch, SymbolsWanted};
use crate::files::{decoded, parts};
use crate::gateway::Caller;
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use serde_json::{Value, json};
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(10);
/// Room in an answer for what is said beside its lines.
const BESIDE: usize = 1_000;

pub(in crate::tools) async fn symbols(caller: &Caller<'_>, call: &ResolvedCall) -> Result<String, ToolError> {
    let wanted = wanted(call)?;
    let path = match text(call, "path") {
        "" => OWN_FILES,
        path => path,
    };
    let place = Mounted::parse(path)?;
    let (all, not_all) = mounts::found(caller, path, &place).await?;
    let is_file = all.iter().any(|found| found.path == path);
    let mut code: Vec<(CodeLanguage, Found)> = all
        .into_iter()
        .filter(|found| !is_of_others(&found.path, path))
        .filter_map(|found| language_of(&found.path).map(|language| (language, found)))
        .collect();
    if is_file && code.is_empty() {
        return Err(ToolError(format!("{path} is in no language whose names are found here. Use grep.")));
    }
    let searched = within_bounds(code.iter().map(|(_, found)| found.size), &place);
    let mut search = Search {
        offset: number(call, "offset").unwrap_or_default(),
        limit: number(call, "limit").unwrap_or(LIMIT),
        found: Vec::new(),
        more: false,
        files: 0,
        unread: code.len() - searched,
        failed: None,
        untrusted: false,
    };
    code.truncate(searched);
    let patience = Patience::new(caller, &place);
    // Each of elsewhere is a way there and back.
    let size =
        |(_, found): &(CodeLanguage, Found)| if place.is_elsewhere() { u64::MAX / 2 } else { found.size };
    for part in parts(code, size) {
        match search.more || patience.is_over(caller) {
            true => search.unread += part.len(),
            false => search.take(caller, part, &wanted).await?,
        }
    }
    Ok(search.answer(not_all).to_string())
}

fn wanted(call: &ResolvedCall) -> Result<SymbolsWanted, ToolError> {
    let name = text(call, "name").to_owned();
    let action = text(call, "action");
    match action {
        "outline" => Ok(SymbolsWanted::Outline),
        _ if name.is_empty() => Err(ToolError(format!(
            "{action} needs `name`, a name as it is written in the code. What stands at a line and column is told by read."
        ))),
        "definitions" => Ok(SymbolsWanted::Definitions(name)),
        _ => Ok(SymbolsWanted::References(name)),
    }
}

fn is_of_others(path: &str, below: &str) -> bool {
    let within = path.strip_prefix(below).unwrap_or(path);
    within.split('/').any(|part| OF_OTHERS.contains(&part))
}

fn language_of(path: &str) -> Option<CodeLanguage> {
    let (_, ending) = path.rsplit_once('.')?;
    Some(match ending.to_ascii_lowercase().as_str() {
        "c" | "h" | "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" => CodeLanguage::C,
        "go" => CodeLanguage::Go,
        "java" => CodeLanguage::Java,
        "cjs" | "cts" | "js" | "jsx" | "mjs" | "mts" | "ts" | "tsx" => CodeLanguage::JavaScript,
        "py" | "pyi" => CodeLanguage::Python,
        "rs" => CodeLanguage::Rust,
        _ => return None,
    })
}

/// A search under way.
struct Search {
    /// Places that were told before, and those that are told now at most.
    offset: usize,
    limit: usize,
    /// From the first one on.
    found: Vec<String>,
    more: bool,
    /// How many were looked through, and how many were not.
    files: usize,
    unread: usize,
    /// Why some were not.
    failed: Option<String>,
    untrusted: bool,
}

impl Search {
    async fn take(
        &mut self,
        caller: &Caller<'_>,
        part: Vec<(CodeLanguage, Found)>,
        wanted: &SymbolsWanted,
    ) -> Result<(), ToolError> {
        let (languages, part): (Vec<_>, Vec<_>) = part.into_iter().unzip();
        let contents = contents_of(caller, &part).await?;
        let (mut texts, mut of) = (Vec::new(), Vec::new());
        for (language, found) in languages.into_iter().zip(part) {
            let content = contents.get(&found.path).and_then(|content| decoded(&content.bytes));
            let Some(content) = content else {
                self.unread += 1;
                continue;
            };
            self.files += 1;
            if may_have(wanted, &content.text) {
                texts.push((language, content.text.into_owned()));
                of.push(found);
            }
        }
        if texts.is_empty() {
            return Ok(());
        }
        // One more than is told says that there is more.
        let most = self.offset + self.limit + 1 - self.found.len();
        let search = SymbolSearch { texts, wanted: wanted.clone(), most };
        match caller.hub.engine().perform(caller.owner, search, TIMEOUT).await {
            Ok(told) => {
                for place in &told.places {
                    if self.found.len() == self.offset + self.limit {
                        self.more = true;
                        break;
                    }
                    let Some(found) = of.get(place.text) else { continue };
                    self.untrusted |= found.untrusted;
                    self.found.push(line(&found.path, place));
                }
                self.more |= told.more;
            }
            // What the other files have is told all the same.
            Err(error) => {
                self.files -= of.len();
                self.unread += of.len();
                self.failed = Some(error.to_string());
            }
        }
        Ok(())
    }

    fn answer(self, not_all: Option<&str>) -> Value {
        let (mut lines, mut room, mut more) = (Vec::new(), ROOM - BESIDE, self.more);
        for line in self.found.into_iter().skip(self.offset) {
            let size = json!(line).to_string().len() + 1;
            if size > room {
                more = true;
                break;
            }
            room -= size;
            lines.push(line);
        }
        let mut answer = json!({ "files": self.files });
        if more {
            let told = self.offset + lines.len();
            answer["more"] =
                format!("There is more. Read on with offset {told}, or name a file or a folder.").into();
        }
        answer["places"] = lines.into();
        if self.unread > 0 {
            let why = self.failed.map_or_else(String::new, |why| format!(" ({why})"));
            answer["not_searched"] =
                format!("{} files of code were not searched{why}. Name a folder.", self.unread).into();
        }
        if let Some(why) = not_all {
            answer["not_all"] = why.into();
        }
        mark(&mut answer, self.untrusted);
        answer
    }
}

/// Whether there is anything to find, before it is read word by word.
fn may_have(wanted: &SymbolsWanted, text: &str) -> bool {
    match wanted {
        SymbolsWanted::Outline => true,
        SymbolsWanted::Definitions(name) | SymbolsWanted::References(name) => {
            text.contains(name.rsplit([':', '.']).next().unwrap_or(name))
        }
    }
}

fn line(path: &str, place: &SymbolPlace) -> String {
    let SymbolPlace { line, column, to, shown, defines, .. } = place;
    match defines {
        Some(defines) => format!("{path}:{line}-{to}: {defines}: {shown}"),
        None => format!("{path}:{line}:{column}: {shown}"),
    }
}

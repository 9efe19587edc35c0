//! `diagnostics`: what is wrong with code and data. Data is read by parsers of our own, in the process without rights;
//! code by the programs of the machine, in a room of which nothing is kept.

mod checkers;
mod said;

use super::mounts::{AGENT, Found, Mounted, below, contents_of, missing};
use super::room::{InRoom, fill};
use super::{OF_OTHERS, ROOM, mark, number, text};
use crate::engine::{DataFormat, SyntaxCheck};
use crate::files::{parts, text_of};
use crate::gateway::Caller;
use crate::terminal::{Ended, Order, Ran};
use crate::tools::ToolError;
use agent::tools::ResolvedCall;
use checkers::{CHECKERS, Checker, script};
use said::{Diagnostic, Said};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

const SYNTAX_TIMEOUT: Duration = Duration::from_secs(10);
const CHECK_TIMEOUT: Duration = Duration::from_secs(60);
/// Files of data, and bytes of the paths of code, that one call checks.
const MOST_DATA: usize = 500;
const MOST_PATHS: usize = 30_000;
/// Bytes of what checkers say.
const MOST_SAID: usize = 200_000;
/// Lines that are told, if the call says nothing else.
const LIMIT: usize = 100;

/// What there is to check.
#[derive(Default)]
struct ToCheck {
    data: Vec<(DataFormat, Found)>,
    code: BTreeMap<usize, Vec<String>>,
}

/// What came of it.
#[derive(Default)]
struct Checked {
    found: Vec<Diagnostic>,
    files: usize,
    /// By what, by language.
    by: BTreeMap<&'static str, Vec<String>>,
    /// Why not, by language.
    not: BTreeMap<&'static str, String>,
    untrusted: bool,
}

pub(in crate::tools) async fn diagnostics(
    caller: &Caller<'_>,
    call: &ResolvedCall,
) -> Result<String, ToolError> {
    let path = text(call, "path");
    let place = Mounted::parse(path)?;
    if place.is_elsewhere() {
        return Err(ToolError(format!(
            "Files of devices and servers are not checked. Copy it to {AGENT} first."
        )));
    }
    let all = below(caller, &place).await?;
    if all.is_empty() && path != AGENT {
        return Err(missing(caller, path).await?);
    }
    let to_check = sorted(all, path);
    let mut checked = Checked::default();
    check_data(caller, to_check.data, &mut checked).await?;
    check_code(caller, to_check.code, &mut checked).await?;
    Ok(checked.answer(number(call, "limit").unwrap_or(LIMIT)).to_string())
}

fn sorted(all: Vec<Found>, path: &str) -> ToCheck {
    let mut to_check = ToCheck::default();
    for found in all {
        let within = found.path.strip_prefix(path).unwrap_or(&found.path);
        if within.split('/').any(|part| OF_OTHERS.contains(&part)) {
            continue;
        }
        let ending = found.path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
        let data = match ending.as_str() {
            "json" => Some(DataFormat::Json),
            "yaml" | "yml" => Some(DataFormat::Yaml),
            "toml" => Some(DataFormat::Toml),
            _ => None,
        };
        if let Some(format) = data {
            to_check.data.push((format, found));
        } else if let Some(at) =
            CHECKERS.iter().position(|checker| checker.endings.contains(&ending.as_str()))
        {
            to_check.code.entry(at).or_default().push(found.path);
        }
    }
    to_check
}

async fn check_data(
    caller: &Caller<'_>,
    mut data: Vec<(DataFormat, Found)>,
    checked: &mut Checked,
) -> Result<(), ToolError> {
    if data.len() > MOST_DATA {
        let left = data.len() - MOST_DATA;
        checked.not.insert("data", format!("{left} files are more than are checked at once. Name a folder."));
        data.truncate(MOST_DATA);
    }
    for part in parts(data, |(_, found)| found.size) {
        let (formats, part): (Vec<_>, Vec<_>) = part.into_iter().unzip();
        let mut contents = contents_of(caller, &part).await?;
        let (mut texts, mut of) = (Vec::new(), Vec::new());
        for (format, found) in formats.into_iter().zip(part) {
            let Some(content) = contents.remove(&found.path) else { continue };
            checked.untrusted |= found.untrusted;
            checked.files += 1;
            match text_of(&content.bytes) {
                Some(text) => {
                    texts.push((format, text.to_owned()));
                    of.push(found.path);
                }
                None => checked.found.push(Diagnostic::at_start(found.path, "it is no text in UTF-8")),
            }
        }
        let faults = caller.hub.engine().perform(caller.owner, SyntaxCheck { texts }, SYNTAX_TIMEOUT).await;
        // What is wrong with the rest is told all the same.
        let faults = match faults {
            Ok(faults) => faults,
            Err(error) => {
                checked.files -= of.len();
                let which = of.first().map_or("", String::as_str);
                let why =
                    format!("{} files from {which} on could not be checked: {error}. Name one.", of.len());
                checked.not.insert("data", why);
                continue;
            }
        };
        for (path, fault) in of.into_iter().zip(faults) {
            let Some(fault) = fault else { continue };
            checked.found.push(Diagnostic {
                path,
                line: fault.line,
                column: Some(fault.column),
                severity: "error".to_owned(),
                message: fault.message,
            });
        }
    }
    Ok(())
}

async fn check_code(
    caller: &Caller<'_>,
    code: BTreeMap<usize, Vec<String>>,
    checked: &mut Checked,
) -> Result<(), ToolError> {
    if code.is_empty() {
        return Ok(());
    }
    let (mut room, mut asked) = (MOST_PATHS, Vec::new());
    for (at, paths) in code {
        let checker: &'static Checker = &CHECKERS[at];
        let (all, mut taken) = (paths.len(), Vec::new());
        for path in paths {
            let Some(left) = room.checked_sub(path.len()) else { break };
            room = left;
            taken.push(path);
        }
        if taken.len() < all {
            let left = all - taken.len();
            let why = format!("{left} files are more than are checked at once. Name a folder.");
            checked.not.insert(checker.language, why);
        }
        asked.push((checker, taken));
    }
    let turn = match caller.hub.terminal_allowance().of(caller.owner).await? {
        Ok(allowed) => caller.hub.terminal().turn(&allowed).await,
        Err(why) => Err(why),
    };
    let empty = match turn {
        Ok(empty) => empty,
        Err(why) => {
            asked.iter().for_each(|(checker, _)| {
                checked.not.insert(checker.language, why.to_string());
            });
            return Ok(());
        }
    };
    let InRoom { untrusted, .. } = fill(caller, &empty).await?;
    checked.untrusted |= untrusted;
    let order = Order {
        command: script(&asked),
        workdir: AGENT.to_owned(),
        timeout: CHECK_TIMEOUT,
        output: MOST_SAID,
        session: None,
    };
    let timed = caller.hub.terminal_allowance().timed(caller.owner);
    let Ran { output, ended, .. } = empty.run(&order).await.map_err(super::not_run)?;
    drop(timed);
    let Said { found, by, mut failed } = Said::read(&output.text);
    for (checker, paths) in &asked {
        let programs: Vec<String> = by.get(checker.language).cloned().unwrap_or_default();
        let failure = failed.remove(checker.language);
        if let Some(why) = &failure {
            checked.not.insert(checker.language, why.clone());
        }
        if programs.is_empty() && failure.is_some() {
            continue;
        }
        if programs.is_empty() {
            let names: Vec<&str> = checker.programs.iter().map(|program| program.name).collect();
            let why = match ended {
                _ if checker.programs.is_empty() => {
                    format!(
                        "{} files are checked by running their build: do that with the terminal.",
                        paths.len()
                    )
                }
                Ended::Exited(_) => {
                    format!(
                        "This machine has no {}, so {} files were not checked.",
                        names.join(" or "),
                        paths.len()
                    )
                }
                _ => "The checks before it took too long. Name a folder.".to_owned(),
            };
            checked.not.insert(checker.language, why);
            continue;
        }
        checked.files += paths.len();
        checked.by.insert(checker.language, programs);
    }
    checked.found.extend(found);
    Ok(())
}

impl Checked {
    fn answer(mut self, limit: usize) -> Value {
        self.found.sort();
        self.found.dedup();
        let total = self.found.len();
        let (mut lines, mut room) = (Vec::new(), ROOM - 1_500);
        for found in self.found.into_iter().take(limit) {
            let line = found.to_string();
            let size = json!(line).to_string().len() + 1;
            if size > room {
                break;
            }
            room -= size;
            lines.push(line);
        }
        let mut answer = json!({ "files": self.files, "found": total });
        if lines.len() < total {
            answer["more"] = format!("{} more. Name a file or a folder.", total - lines.len()).into();
        }
        answer["diagnostics"] = lines.into();
        let by: Map<String, Value> =
            self.by.into_iter().map(|(name, by)| (name.to_owned(), json!(by))).collect();
        if !by.is_empty() {
            answer["checked_by"] = by.into();
        }
        if !self.not.is_empty() {
            answer["not_checked"] = json!(self.not);
        }
        mark(&mut answer, self.untrusted);
        answer
    }
}

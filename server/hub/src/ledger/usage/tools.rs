//! How often tools were called and what became of the calls: by tool on the page, and by day in a file. Read
//! off the counts that the gateway keeps; the calls themselves are far more.

use super::super::day;
use super::sheet::{SHEET_DAYS, Sheet, quoted};
use crate::Hub;
use crate::error::{Error, Result};
use crate::ledger::{OwnLedger, WholeLedger};
use crate::store::{Row, query};
use agent::tools::find;
use protocol::view::{CalledTool, ToolUsage};
use std::cmp::Reverse;

impl OwnLedger<'_> {
    /// The last year of one's own, a line for each day, agent, tool, caller and outcome.
    pub async fn tool_sheet(self) -> Result<String> {
        let rows = query(
            "SELECT c.epoch_day, c.agent_id, COALESCE(a.name, '') AS agent, c.caller, c.name, c.outcome,
                    c.calls, c.took_ms
             FROM tool_counts c LEFT JOIN agents a ON a.id = c.agent_id
             WHERE c.user_id = $1 AND c.epoch_day > $2
             ORDER BY c.epoch_day, agent, c.agent_id, c.name, c.caller, c.outcome",
            (self.scoped.owner(), day::number_of(self.scoped.hub.now()) - SHEET_DAYS),
        )
        .fetch_all::<Row>(self.scoped.hub.store().read())
        .await?;
        let mut sheet = Sheet::of("day,agent,agent_id,tool,kind,caller,outcome,calls,took_ms");
        for row in &rows {
            let (agent, id) = (row.get::<String>("agent")?, row.get("agent_id")?);
            let [day, tool @ ..] = fields(row, Reader::Own)?;
            sheet.line([day, quoted(&agent), id].into_iter().chain(tool));
        }
        Ok(sheet.text())
    }
}

impl WholeLedger<'_> {
    /// The last year of everybody together, a line for each day, tool, caller and outcome. What agents call
    /// tools of their own is theirs and their person's.
    pub async fn tool_sheet(self) -> Result<String> {
        let rows = query(
            "SELECT epoch_day, caller, name, outcome, CAST(SUM(calls) AS BIGINT) AS calls,
                    CAST(SUM(took_ms) AS BIGINT) AS took_ms
             FROM tool_counts WHERE epoch_day > $1
             GROUP BY epoch_day, name, caller, outcome ORDER BY epoch_day, name, caller, outcome",
            (day::number_of(self.hub.now()) - SHEET_DAYS,),
        )
        .fetch_all::<Row>(self.hub.store().read())
        .await?;
        let mut sheet = Sheet::of("day,tool,kind,caller,outcome,calls,took_ms");
        for row in &rows {
            sheet.line(fields(row, Reader::Admin)?);
        }
        Ok(sheet.text())
    }
}

/// Calls of `owner`'s agents and pages in the last days, by tool.
pub(super) async fn of_person(hub: &Hub, owner: &str, days: i64) -> Result<Vec<ToolUsage>> {
    let rows = query(
        "SELECT caller, name, outcome, CAST(SUM(calls) AS BIGINT) AS calls,
         CAST(SUM(took_ms) AS BIGINT) AS took_ms
         FROM tool_counts WHERE user_id = $1 AND epoch_day > $2 GROUP BY caller, name, outcome",
        (owner, day::number_of(hub.now()) - days),
    )
    .fetch_all::<Row>(hub.store().read())
    .await?;
    by_tool(&rows, Reader::Own)
}

/// The same of everybody.
pub(super) async fn of_everybody(hub: &Hub, days: i64) -> Result<Vec<ToolUsage>> {
    let rows = query(
        "SELECT caller, name, outcome, CAST(SUM(calls) AS BIGINT) AS calls,
         CAST(SUM(took_ms) AS BIGINT) AS took_ms
         FROM tool_counts WHERE epoch_day > $1 GROUP BY caller, name, outcome",
        (day::number_of(hub.now()) - days,),
    )
    .fetch_all::<Row>(hub.store().read())
    .await?;
    by_tool(&rows, Reader::Admin)
}

#[derive(Clone, Copy)]
enum Reader {
    Own,
    Admin,
}

/// What a reader may know of the tool of this name.
fn tool(name: String, reader: Reader) -> CalledTool {
    match (find(&name), reader) {
        (Some(tool), Reader::Own | Reader::Admin) => CalledTool::BuiltIn { name: tool.name.to_owned() },
        (None, Reader::Own | Reader::Admin) if name.is_empty() => CalledTool::Nothing,
        (None, Reader::Own) => CalledTool::Made { name },
        (None, Reader::Admin) => CalledTool::Made { name: String::new() },
    }
}

/// The tool that was called most often first.
fn by_tool(rows: &[Row], reader: Reader) -> Result<Vec<ToolUsage>> {
    let mut lines: Vec<ToolUsage> = Vec::new();
    for row in rows {
        let tool = tool(row.get("name")?, reader);
        let at = lines.iter().position(|line| line.tool == tool).unwrap_or_else(|| {
            lines.push(ToolUsage::of(tool));
            lines.len() - 1
        });
        let line = &mut lines[at];
        let calls = count(row, "calls")?;
        line.calls += calls;
        if row.get::<String>("caller")? == "page" {
            line.of_pages += calls;
        }
        line.took_ms += count(row, "took_ms")?;
        let outcome: String = row.get("outcome")?;
        match outcome.as_str() {
            "done" | "cached" => line.done += calls,
            "failed" => line.failed += calls,
            "refused" | "denied" => line.refused += calls,
            "stopped" | "unknown" | "not_made" => line.unfinished += calls,
            outcome => return Err(Error::internal(format!("calls ended in the unknown way {outcome:?}"))),
        }
    }
    lines.sort_by(|one, other| (Reverse(one.calls), &one.tool).cmp(&(Reverse(other.calls), &other.tool)));
    Ok(lines)
}

fn fields(row: &Row, reader: Reader) -> Result<[String; 7]> {
    let (name, kind) = match tool(row.get("name")?, reader) {
        CalledTool::BuiltIn { name } => (name, "built_in"),
        CalledTool::Made { name } => (name, "made"),
        CalledTool::Nothing => (String::new(), "none"),
    };
    Ok([
        day::named(row.get("epoch_day")?),
        quoted(&name),
        kind.to_owned(),
        row.get("caller")?,
        row.get("outcome")?,
        count(row, "calls")?.to_string(),
        count(row, "took_ms")?.to_string(),
    ])
}

fn count(row: &Row, column: &str) -> Result<u64> {
    Ok(u64::try_from(row.get::<i64>(column)?).unwrap_or(0))
}

//! To which tools a skill keeps its agent while it is loaded. It can only leave some out: what the agent was not
//! given, it does not get.

use crate::error::Result;
use crate::skills::Skills;
use crate::store::{Json, Row, query};
use agent::tools;
use protocol::RunId;

/// Names by which other products call tools that there are here.
const ELSEWHERE: [(&str, &str); 6] = [
    ("webfetch", "fetch"),
    ("websearch", "web_search"),
    ("multiedit", "edit"),
    ("notebookread", "read"),
    ("ls", "glob"),
    ("skill", "get_skill"),
];
/// Tools by which skills are read: no skill keeps its agent from others.
const READING: [&str; 2] = ["list_skills", "get_skill"];

impl Skills<'_> {
    /// Why a call of the tool may not be made in this run. `None`: no skill is against it.
    pub(crate) async fn against(self, run: &RunId, tool: &str) -> Result<Option<String>> {
        if READING.contains(&tool) {
            return Ok(None);
        }
        let rows: Vec<Row> = query(
            "SELECT name, allowed_tools FROM loaded_skills
             WHERE run_id = $1 AND allowed_tools IS NOT NULL ORDER BY name",
            (run,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for row in rows {
            let Json(allowed): Json<Vec<String>> = row.get("allowed_tools")?;
            if !allows(&allowed, tool) {
                let name: String = row.get("name")?;
                return Ok(Some(why(&name, &allowed)));
            }
        }
        Ok(None)
    }
}

/// The tool of ours that is meant.
pub(super) fn known(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let meant = ELSEWHERE.iter().find(|(other, _)| *other == lower).map_or(lower.as_str(), |(_, own)| own);
    tools::find(meant).map(|tool| tool.name)
}

fn allows(allowed: &[String], tool: &str) -> bool {
    allowed.iter().any(|name| name == "*" || name == tool || known(name) == Some(tool))
}

fn why(skill: &str, allowed: &[String]) -> String {
    let allowed = match allowed {
        [] => "no tools".to_owned(),
        allowed => allowed.join(", "),
    };
    format!(
        "Not allowed: the skill {skill} is loaded, and with it only {allowed} may be called until this run ends."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_meant_by_any_of_its_names() {
        for (allowed, tool, expected) in [
            (&["Read", "WebFetch"][..], "read", true),
            (&["Read", "WebFetch"], "fetch", true),
            (&["Read", "WebFetch"], "write", false),
            (&["fs_write"], "write", true),
            (&["Bash"], "runjs", false),
            (&["*"], "write", true),
            (&["water"], "water", true),
            (&[], "read", false),
        ] {
            let allowed: Vec<String> = allowed.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(allows(&allowed, tool), expected, "{allowed:?} {tool}");
        }
        assert!(why("moss", &[]).contains("the skill moss is loaded, and with it only no tools"));
    }
}

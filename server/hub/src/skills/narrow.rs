//! To which tools, hosts and files a skill keeps its agent while it is loaded. It can only leave some out: what the
//! agent was not given, it does not get.

use crate::error::Result;
use crate::network;
use crate::outbound::Target;
use crate::skills::Skills;
use crate::store::{FromRow, Json, Row, query};
use agent::tools::{self, ResolvedCall, whole_path};
use protocol::RunId;
use protocol::view::Network;

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
const READING: [&str; 2] = [tools::LIST_SKILLS, tools::GET_SKILL];

/// What a skill leaves of what a run has. None: all of it.
pub(crate) struct Narrowing {
    skill: String,
    tools: Option<Vec<String>>,
    hosts: Option<Vec<String>>,
    mounts: Option<Vec<String>>,
}

impl FromRow for Narrowing {
    fn from_row(row: &Row) -> Result<Self> {
        let names = |column: &'static str| {
            Ok::<_, crate::error::Error>(
                row.get::<Option<Json<Vec<String>>>>(column)?.map(|Json(names)| names),
            )
        };
        Ok(Self {
            skill: row.get("name")?,
            tools: names("allowed_tools")?,
            hosts: names("hosts")?,
            mounts: names("mounts")?,
        })
    }
}

impl Skills<'_> {
    /// What the skills leave that the run has loaded.
    pub(crate) async fn narrowing(self, run: &RunId) -> Result<Vec<Narrowing>> {
        query(
            "SELECT name, allowed_tools, hosts, mounts FROM loaded_skills WHERE run_id = $1
             AND (allowed_tools IS NOT NULL OR hosts IS NOT NULL OR mounts IS NOT NULL) ORDER BY name",
            (run,),
        )
        .fetch_all(self.hub.store().read())
        .await
    }

    /// Why a call that leads to this place, if to one, may not be made in this run. `None`: no skill is against it.
    pub(crate) async fn against(
        self,
        run: &RunId,
        call: &ResolvedCall,
        target: Option<&Target>,
    ) -> Result<Option<String>> {
        if READING.contains(&call.name()) {
            return Ok(None);
        }
        let loaded = self.narrowing(run).await?;
        Ok(loaded.iter().find_map(|narrowing| narrowing.against(call, target)))
    }
}

impl Narrowing {
    fn against(&self, call: &ResolvedCall, target: Option<&Target>) -> Option<String> {
        if let Some(tools) = self.tools.as_ref().filter(|tools| !allows(tools, call.name())) {
            return Some(self.why(&format!("{} may be called", only(tools, "no tools"))));
        }
        let is_kept_from = |hosts: &Vec<String>| match target {
            Some(target) => network::permit(&Network::AllowList { hosts: hosts.clone() }, target).is_err(),
            // What a program that others wrote reaches nobody knows.
            None => hosts.is_empty() && call.elsewhere().is_some(),
        };
        if let Some(hosts) = self.hosts.as_ref().filter(|hosts| is_kept_from(hosts)) {
            return Some(self.why(&format!("{} may be reached", only(hosts, "no hosts"))));
        }
        let mounts = self.mounts.as_ref().filter(|_| call.paths().any(|path| !self.leaves(path)));
        mounts.map(|mounts| self.why(&format!("{} may be read and changed", only(mounts, "no files"))))
    }

    /// Whether what is there may be read and changed.
    pub(crate) fn leaves(&self, path: &str) -> bool {
        let is_within = |mount: &String| {
            let mount = whole_path(mount);
            let below = whole_path(path).strip_prefix(&mount).map(str::to_owned);
            mount == "/" || below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
        };
        self.mounts.as_ref().is_none_or(|mounts| mounts.iter().any(is_within))
    }

    fn why(&self, only: &str) -> String {
        let skill = &self.skill;
        format!("Not allowed: the skill {skill} is loaded, and with it {only} until this run ends.")
    }
}

fn only(names: &[String], none: &str) -> String {
    if names.is_empty() { none.to_owned() } else { format!("only {}", names.join(", ")) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::ToolCall;
    use serde_json::json;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

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
            assert_eq!(allows(&names(allowed), tool), expected, "{allowed:?} {tool}");
        }
    }

    #[test]
    fn a_skill_leaves_what_it_names_and_what_is_below() {
        let cases: [(Option<&[&str]>, &str, bool); 8] = [
            (Some(&["reports", "/uploads/"]), "/agent/reports", true),
            (Some(&["reports", "/uploads/"]), "reports/a.md", true),
            (Some(&["reports", "/uploads/"]), "/uploads/a.pdf", true),
            (Some(&["reports", "/uploads/"]), "/agent/reports.md", false),
            (Some(&["reports", "/uploads/"]), "/agent", false),
            (Some(&["/"]), "/workspace/a", true),
            (Some(&[]), "/agent/a", false),
            (None, "/agent/a", true),
        ];
        for (mounts, path, expected) in cases {
            let mounts = mounts.map(names);
            let narrowing = Narrowing { skill: "moss".to_owned(), tools: None, hosts: None, mounts };
            assert_eq!(narrowing.leaves(path), expected, "{path}");
        }
        let hosts = Some(names(&["a.example", "*.b.example"]));
        let narrowing = Narrowing { skill: "moss".to_owned(), tools: None, hosts, mounts: None };
        for (url, expected) in [
            ("https://a.example/x", true),
            ("https://www.b.example/", true),
            ("https://c.example/", false),
            ("https://a.example.c.example/", false),
        ] {
            let input = json!({ "url": url });
            let call = ResolvedCall::of(ToolCall { id: "".into(), name: "fetch".to_owned(), input });
            let target = Target::parse(url).expect("it is an address");
            let against = narrowing.against(&call, Some(&target));
            assert_eq!(against.is_none(), expected, "{url} {against:?}");
        }
        for (hosts, expected) in [(&["a.example"][..], true), (&[], false)] {
            let hosts = Some(names(hosts));
            let narrowing = Narrowing { skill: "moss".to_owned(), tools: None, hosts, mounts: None };
            let call = ToolCall { id: "".into(), name: "mcp_garden_water".to_owned(), input: json!({}) };
            let against = narrowing.against(&ResolvedCall::of(call).performed_at("stdio:garden"), None);
            assert_eq!(against.is_none(), expected, "{against:?}");
        }
        let none = Narrowing { skill: "moss".to_owned(), tools: Some(Vec::new()), hosts: None, mounts: None };
        let call = ResolvedCall::of(ToolCall { id: "".into(), name: "read".to_owned(), input: json!({}) });
        let why = none.against(&call, None).expect("it allows no tool");
        assert!(why.contains("the skill moss is loaded, and with it no tools may be called"), "{why}");
    }
}

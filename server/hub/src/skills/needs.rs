//! What a skill requires of an agent: tools without which it is of no use there. It gives none of them; an agent that
//! lacks one is not told of the skill, and its person sees which.

use super::narrow::known;
use crate::error::Result;
use crate::skills::Skills;
use crate::store::{Json, Row, query};
use agent::tools;
use protocol::AgentId;
use protocol::view::Network;
use std::collections::BTreeSet;

/// Of these tools, by any of their names, those that are not among the given ones.
pub(super) fn lacking(required: &[impl AsRef<str>], given: &BTreeSet<&str>) -> Vec<String> {
    let meant = required.iter().map(|name| known(name.as_ref()).unwrap_or(name.as_ref()));
    meant.filter(|name| !given.contains(name)).map(str::to_owned).collect()
}

impl Skills<'_> {
    /// The names of all tools that the agent has, whoever brings them.
    pub(super) async fn given_tools(self, agent: &AgentId) -> Result<BTreeSet<String>> {
        let row: Row = query("SELECT tools, network FROM agents WHERE id = $1", (agent,))
            .fetch_one(self.hub.store().read())
            .await?;
        let mut names: BTreeSet<String> = row.get::<Json<_>>("tools")?.0;
        match row.get::<Json<_>>("network")?.0 {
            Network::Off => {}
            Network::AllowList { .. } | Network::Public => {
                let of_the_web = tools::all().iter().filter(|tool| tool.is_of_the_web());
                names.extend(of_the_web.map(|tool| tool.name.to_owned()));
            }
        }
        names.extend(self.hub.made_tools().list(agent).await?.into_iter().map(|tool| tool.spec.name));
        names.extend(self.hub.mcp_servers().tools_of(agent).await?.into_iter().map(|tool| tool.name));
        Ok(names)
    }
}

/// As [`lacking`] takes them.
pub(super) fn named(given: &BTreeSet<String>) -> BTreeSet<&str> {
    given.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_lacked_by_the_name_that_it_has_here() {
        for (required, given, expected) in [
            (&[][..], &[][..], &[][..]),
            (&["Read", "fs_write"], &["read", "write"], &[]),
            (&["Read", "WebFetch", "python3"], &["read"], &["fetch", "python3"]),
            (&["mcp_garden_water"], &["mcp_garden_water"], &[]),
        ] {
            let given: BTreeSet<&str> = given.iter().copied().collect();
            assert_eq!(lacking(required, &given), expected, "{required:?}");
        }
    }
}

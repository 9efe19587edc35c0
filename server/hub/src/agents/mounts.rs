//! Which folders of the agent at the top a sub-agent has. Who makes it says so, and can give away what it has itself.

use crate::error::{Error, Result};
use crate::store::{Json, Store, query};
use agent::tools::{ResolvedCall, whole_path};
use protocol::AgentId;

/// Paths from the root. None: all of them.
#[derive(Debug, Default)]
pub(crate) struct Mounts(Option<Vec<String>>);

impl Mounts {
    pub(crate) async fn of_agent(store: &Store, agent: &AgentId) -> Result<Self> {
        let kept: Option<Json<Vec<String>>> =
            query("SELECT mounts FROM agents WHERE id = $1 AND mounts IS NOT NULL", (agent,))
                .fetch_optional(store.read())
                .await?;
        Ok(Self(kept.map(|Json(mounts)| mounts)))
    }

    /// Whether what is there may be read and changed.
    pub(crate) fn leaves(&self, path: &str) -> bool {
        let path = whole_path(path);
        let is_within = |mount: &String| {
            let below = path.strip_prefix(mount.as_str());
            mount == "/" || below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
        };
        self.0.as_ref().is_none_or(|mounts| mounts.iter().any(is_within))
    }

    /// Why a call may not be made. `None`: all that it names is among them.
    pub(crate) fn against(&self, call: &ResolvedCall) -> Option<String> {
        let mounts = self.0.as_ref().filter(|_| call.paths().any(|path| !self.leaves(path)))?;
        Some(format!("Not allowed: who made you left you the files under {} alone.", mounts.join(", ")))
    }

    /// Those of them that one gets which is made by who has these.
    pub(crate) fn narrowed(&self, asked: &[String]) -> Result<Vec<String>> {
        let given = asked.iter().map(|mount| match self.leaves(mount) {
            true => Ok(whole_path(mount)),
            false => {
                Err(Error::invalid(format!("You do not have {mount} yourself, and cannot give it away.")))
            }
        });
        given.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gives_away_more_than_it_has() {
        let some = Mounts(Some(vec!["/agent/moss".to_owned(), "/uploads".to_owned()]));
        for (asked, given) in [
            ("/agent/moss", Some("/agent/moss")),
            ("moss/green/", Some("/agent/moss/green")),
            ("/uploads", Some("/uploads")),
            ("/agent", None),
            ("/agent/mosses", None),
            ("/workspace", None),
            ("/", None),
        ] {
            let narrowed = some.narrowed(&[asked.to_owned()]).ok();
            assert_eq!(narrowed, given.map(|given| vec![given.to_owned()]), "{asked}");
            assert!(Mounts::default().narrowed(&[asked.to_owned()]).is_ok(), "{asked}");
        }
        let all = Mounts(Some(vec!["/".to_owned()]));
        assert!(all.leaves("/workspace/a.md") && !some.leaves("/workspace/a.md") && some.leaves("moss/a.md"));
    }
}

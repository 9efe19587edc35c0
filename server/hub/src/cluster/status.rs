//! How each node is, for whoever runs the hub.

use super::Cluster;
use super::lease::{LEASE_MS, NOW};
use crate::error::Result;
use crate::store::{Dialect, FromRow, Row, query};
use protocol::view::{BusyPerson, NodeStatus};

/// Of those with runs under way, how many are named for each node.
const NAMED: usize = 10;

/// Somebody with runs under way there.
struct Busy {
    node: String,
    person: BusyPerson,
}

/// What doctor says of a node.
#[derive(Debug)]
pub struct NodeFinding {
    pub id: String,
    /// What is fine, or else what is wrong.
    pub finding: std::result::Result<String, String>,
}

impl Cluster<'_> {
    /// Every node, the oldest first. None: there are no nodes on this database.
    pub(crate) async fn nodes(self) -> Result<Vec<NodeStatus>> {
        if self.hub.store().dialect() != Dialect::Postgres {
            return Ok(Vec::new());
        }
        let busy = self.busy().await?;
        let mut all: Vec<NodeStatus> = query(
            [
                "SELECT n.id, n.version, n.began_at, n.nats_us, n.hands_over, $1 - n.alive_until +",
                NOW,
                "AS silent_ms, (SELECT COUNT(*) FROM placements p WHERE p.node_id = n.id) AS people
                 FROM nodes n ORDER BY n.began_at, n.id",
            ],
            (LEASE_MS,),
        )
        .fetch_all(self.hub.store().read())
        .await?;
        for one in &mut all {
            one.is_this = self.own_id() == Some(one.id.as_str());
            let here: Vec<&BusyPerson> =
                busy.iter().filter(|busy| busy.node == one.id).map(|busy| &busy.person).collect();
            one.runs = here.iter().map(|person| person.runs).sum();
            one.busiest = here.into_iter().take(NAMED).cloned().collect();
        }
        Ok(all)
    }

    /// The same in words.
    pub async fn examine(self) -> Result<Vec<NodeFinding>> {
        let nodes = self.nodes().await?;
        let former: Vec<String> =
            query("SELECT id FROM nodes WHERE build = ''", ()).fetch_all(self.hub.store().read()).await?;
        Ok(nodes
            .iter()
            .map(|node| NodeFinding {
                id: node.id.clone(),
                finding: examined(node, former.contains(&node.id)),
            })
            .collect())
    }

    /// Everybody with runs under way, who has the most first.
    async fn busy(self) -> Result<Vec<Busy>> {
        // In this order SQLite's planner begins with what is under way.
        query(
            "SELECT p.node_id, u.id, u.name, COUNT(*) AS under_way
             FROM runs r CROSS JOIN agents a CROSS JOIN placements p CROSS JOIN users u
             WHERE r.running = 1 AND a.id = r.agent_id AND p.user_id = a.user_id AND u.id = p.user_id
             GROUP BY p.node_id, u.id, u.name ORDER BY under_way DESC, u.name",
            (),
        )
        .fetch_all(self.hub.store().read())
        .await
    }
}

/// `is_former`: it is of a version that names no build, and says nothing of NATS either.
fn examined(node: &NodeStatus, is_former: bool) -> std::result::Result<String, String> {
    let NodeStatus { version, people, runs, .. } = node;
    if i64::try_from(node.silent_ms).unwrap_or(i64::MAX) >= LEASE_MS {
        return Ok(format!(
            "says nothing for {} s: it has ended, or another node takes its people on",
            node.silent_ms / 1000
        ));
    }
    let over_nats = match node.nats_us {
        Some(took) => format!("a word over NATS takes {}.{} ms", took / 1000, took % 1000 / 100),
        None if is_former => "it does not say how long a word over NATS takes".to_owned(),
        None => {
            return Err("hears nothing over NATS. See to its way to where VIVARIUM_NATS_URL says.".to_owned());
        }
    };
    let named: Vec<String> =
        node.busiest.iter().map(|BusyPerson { name, runs, .. }| format!("{name} {runs}")).collect();
    let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
    Ok(format!("version {version}, accounts: {people}, runs under way: {runs}{named}, {over_nats}"))
}

impl FromRow for Busy {
    fn from_row(row: &Row) -> Result<Self> {
        let runs = row.get::<i64>(3)?.unsigned_abs();
        Ok(Self { node: row.get(0)?, person: BusyPerson { id: row.get(1)?, name: row.get(2)?, runs } })
    }
}

impl FromRow for NodeStatus {
    fn from_row(row: &Row) -> Result<Self> {
        let nats_us: Option<i64> = row.get("nats_us")?;
        Ok(Self {
            id: row.get("id")?,
            version: row.get("version")?,
            began_at: row.get("began_at")?,
            silent_ms: u64::try_from(row.get::<i64>("silent_ms")?).unwrap_or_default(),
            people: u64::try_from(row.get::<i64>("people")?).unwrap_or_default(),
            runs: 0,
            busiest: Vec::new(),
            hands_over: row.get::<i64>("hands_over")? == 1,
            nats_us: nats_us.and_then(|took| u64::try_from(took).ok()),
            is_this: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_of_a_version_that_says_nothing_of_nats_is_not_taken_for_one_that_hears_nothing() {
        for (nats_us, is_former, is_fine, says) in [
            (Some(1_250), false, true, "a word over NATS takes 1.2 ms"),
            (None, true, true, "does not say how long a word over NATS takes"),
            (None, false, false, "hears nothing over NATS"),
        ] {
            let node = NodeStatus {
                id: "fern".to_owned(),
                version: "1.0".to_owned(),
                began_at: 0,
                silent_ms: 0,
                people: 1,
                runs: 0,
                busiest: Vec::new(),
                nats_us,
                hands_over: false,
                is_this: false,
            };
            let finding = examined(&node, is_former);
            assert_eq!(finding.is_ok(), is_fine, "{finding:?}");
            let (Ok(said) | Err(said)) = finding;
            assert!(said.contains(says), "{said}");
        }
    }
}

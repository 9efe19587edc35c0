//! Tools whose name has become another one of a tool of ours since they were made. Rules, marks and calls by that name
//! are about ours, so they get a name of their own.

use crate::error::Result;
use crate::store::{Json, Store, query};
use agent::tools;
use protocol::AgentId;
use protocol::model::ToolSpec;

/// What is put behind such a name.
const OWN: &str = "_own";

/// Renames them, and lets go of what was offered under the name of before. One whose new name is taken as well stays, and is called no more.
pub(crate) async fn rename_like_ours(store: &Store) -> Result<()> {
    let made: Vec<(AgentId, String)> =
        query("SELECT agent_id, name FROM agent_tools", ()).fetch_all(store.read()).await?;
    for (agent, name) in made.into_iter().filter(|(_, name)| tools::canonical(name) != name) {
        let mut tx = store.write().await?;
        let Json(mut spec): Json<ToolSpec> =
            query("SELECT spec FROM agent_tools WHERE agent_id = $1 AND name = $2", (&agent, &name))
                .fetch_one(&mut *tx)
                .await?;
        spec.name = format!("{name}{OWN}");
        query(
            "UPDATE agent_tools SET name = $3, spec = $4, offered = NULL WHERE agent_id = $1 AND name = $2
               AND NOT EXISTS (SELECT 1 FROM agent_tools t WHERE t.agent_id = $1 AND t.name = $3)",
            (&agent, &name, &spec.name, Json(&spec)),
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
    }
    Ok(())
}

//! What a removed person spent stays spent, or the hub's limits would forget it.

use crate::error::Result;
use crate::store::{Transaction, query};

/// Puts what a person spent to somebody else's account, and forgets their limits.
pub(crate) async fn hand_over(tx: &mut Transaction, from: &str, to: &str) -> Result<()> {
    query("UPDATE spending SET user_id = $2 WHERE user_id = $1", (from, to)).execute(&mut **tx).await?;
    query(
        "DELETE FROM caps WHERE (scope IN ('person', 'member') AND owner = $1)
             OR (scope = 'agent' AND owner IN (SELECT id FROM agents WHERE user_id = $1))
             OR (scope = 'shared' AND owner IN (SELECT id FROM providers WHERE user_id = $1))
             OR (scope = 'token' AND owner IN (SELECT id FROM tokens WHERE user_id = $1))
             OR (scope = 'schedule' AND owner IN (SELECT s.id FROM schedules s
             JOIN agents a ON a.id = s.agent_id
                                                  WHERE a.user_id = $1))
             OR (scope = 'pipeline' AND owner IN (SELECT id FROM pipelines WHERE user_id = $1))",
        (from,),
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

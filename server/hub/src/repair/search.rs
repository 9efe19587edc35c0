//! The index in which people search. It is made from the logs, so it can be thrown away: it is read from them anew when
//! somebody next searches.

use super::Result;
use crate::store::Dialect;
use sqlx::{AnyConnection, Executor};

/// Logs that were read further than they go.
const BEYOND: &str = "SELECT COUNT(*) FROM search_progress p JOIN agents a ON a.id = p.agent_id
     WHERE p.seq > a.last_seq";
/// What is found of entries that are not there.
const GONE: &str = "SELECT COUNT(*) FROM search_documents d WHERE NOT EXISTS (
     SELECT 1 FROM entries e WHERE e.agent_id = d.agent_id AND e.seq = d.seq)
     AND NOT EXISTS (SELECT 1 FROM packed_conversations p WHERE p.conversation_id = d.packed_in)";

pub(super) async fn fits(connection: &mut AnyConnection, dialect: Dialect) -> Result<bool> {
    let wordless = match dialect {
        Dialect::Sqlite => {
            let check = "INSERT INTO search_index (search_index) VALUES ('integrity-check')";
            if connection.execute(check).await.is_err() {
                return Ok(false);
            }
            "SELECT (SELECT COUNT(*) FROM search_documents) - (SELECT COUNT(*) FROM search_index_docsize)"
        }
        Dialect::Postgres => "SELECT COUNT(*) FROM search_documents WHERE words IS NULL",
    };
    for statement in [wordless, BEYOND, GONE] {
        let count: i64 = sqlx::query_scalar(statement).fetch_one(&mut *connection).await?;
        if count != 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(super) async fn mend(connection: &mut AnyConnection, dialect: Dialect) -> Result<()> {
    if dialect == Dialect::Sqlite {
        // Its rows may be what is damaged, so they are not taken out one by one.
        connection.execute("DROP TRIGGER IF EXISTS search_documents_gone").await?;
        connection.execute("DROP TABLE IF EXISTS search_index").await?;
    }
    for emptied in ["DELETE FROM search_documents", "DELETE FROM search_progress"] {
        connection.execute(emptied).await?;
    }
    for statement in dialect.full_text() {
        connection.execute(*statement).await?;
    }
    Ok(())
}

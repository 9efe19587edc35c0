//! Names that were kept in another spelling before, brought into the one in which they are kept now.

use super::{FilePath, lock};
use crate::error::Result;
use crate::store::{Store, Transaction, query};
use protocol::FolderId;

/// Files that are still called otherwise, and all that belongs to them, get the name as it is spelled now. Of two that
/// are the same then the second gets a number, so that neither is lost.
pub(crate) async fn respell(store: &Store, now: i64) -> Result<()> {
    // In ASCII there is one spelling of each.
    let names: Vec<(FolderId, String)> = query(
        "SELECT folder_id, path FROM files WHERE OCTET_LENGTH(path) <> LENGTH(path)
         UNION
         SELECT folder_id, path FROM file_versions WHERE OCTET_LENGTH(path) <> LENGTH(path)",
        (),
    )
    .fetch_all(store.read())
    .await?;
    for (folder, path) in names {
        let Some(spelled) = spelled(&path) else { continue };
        if spelled == path {
            continue;
        }
        let mut tx = store.write().await?;
        lock(&mut tx, &folder, now).await?;
        let to = free(&mut tx, &folder, &spelled).await?;
        for table in ["files", "file_versions", "file_reads"] {
            let text = format!("UPDATE {table} SET path = $3 WHERE folder_id = $1 AND path = $2");
            query(sqlx::AssertSqlSafe(text), (&folder, &path, &to)).execute(&mut *tx).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// None: it could never be a name.
fn spelled(path: &str) -> Option<String> {
    FilePath::seen(path).ok().map(|path| path.to_string())
}

/// The path, or the first with a number behind the name that nothing has and had.
async fn free(tx: &mut Transaction, folder: &FolderId, path: &str) -> Result<String> {
    let mut number = 1;
    loop {
        let name = if number == 1 { path.to_owned() } else { numbered(path, number) };
        let is_taken = query(
            "SELECT 1 FROM files WHERE folder_id = $1 AND path = $2
             UNION ALL SELECT 1 FROM file_versions WHERE folder_id = $1 AND path = $2",
            (folder, &name),
        )
        .exists(&mut **tx)
        .await?;
        if !is_taken {
            return Ok(name);
        }
        number += 1;
    }
}

fn numbered(path: &str, number: usize) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, format!(".{ending}")),
        Some(_) | None => (name, String::new()),
    };
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}{stem} {number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_before_the_ending() {
        for (path, expected) in [("a.md", "a 2.md"), ("b/a", "b/a 2"), (".a", ".a 2"), ("b.c/a", "b.c/a 2")] {
            assert_eq!(numbered(path, 2), expected);
        }
    }
}

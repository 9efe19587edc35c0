//! Names that were kept in another spelling before, brought into the one in which they are kept now.

use super::{FilePath, lock};
use crate::accounts;
use crate::error::Result;
use crate::store::{Store, Transaction, query};
use protocol::FolderId;

/// Among the settings of the hub once it is done: from then on all names come in as they are spelled.
const DONE: &str = "paths_are_spelled";
/// What a file is called whose name cannot be kept.
const UNNAMED: &str = "file";

/// Files that are still called otherwise, and all that belongs to them, get the name as it is spelled now. Of two that
/// are the same then the second gets a number, so that neither is lost.
pub(crate) async fn respell(store: &Store, now: i64) -> Result<()> {
    if query("SELECT 1 FROM settings WHERE key = $1", (DONE,)).exists(store.read()).await? {
        return Ok(());
    }
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
        let spelled = spelled(&path);
        if spelled == path {
            continue;
        }
        let mut tx = store.write().await?;
        lock(&mut tx, &folder, now).await?;
        let to = free(&mut tx, &folder, &spelled).await?;
        // What was read of a file that is not there any more says nothing.
        query("DELETE FROM file_reads WHERE folder_id = $1 AND path = $2", (&folder, &to))
            .execute(&mut *tx)
            .await?;
        for table in ["files", "file_versions", "file_reads"] {
            let text = format!("UPDATE {table} SET path = $3 WHERE folder_id = $1 AND path = $2");
            query(sqlx::AssertSqlSafe(text), (&folder, &path, &to)).execute(&mut *tx).await?;
        }
        tx.commit().await?;
    }
    let mut tx = store.write().await?;
    accounts::put_setting(&mut tx, DONE, "1").await?;
    tx.commit().await?;
    Ok(())
}

/// What could never be a name becomes `file`, in its folder if that has one.
fn spelled(path: &str) -> String {
    let folder = path.rsplit_once('/').map(|(folder, _)| format!("{folder}/{UNNAMED}"));
    let seen = FilePath::seen(path).ok().or_else(|| FilePath::seen(&folder?).ok());
    seen.map_or_else(|| UNNAMED.to_owned(), |path| path.to_string())
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

/// The name is shortened until the number has room behind it.
fn numbered(path: &str, number: usize) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem, format!(".{ending}")),
        Some(_) | None => (name, String::new()),
    };
    let slash = if folder.is_empty() { "" } else { "/" };
    let mut stem = stem.to_owned();
    while !stem.trim().is_empty() {
        let name = format!("{folder}{slash}{} {number}{ending}", stem.trim_end());
        if FilePath::check(&name).is_ok() {
            return name;
        }
        stem.pop();
    }
    format!("{UNNAMED} {number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_before_the_ending() {
        for (path, expected) in [("a.md", "a 2.md"), ("b/a", "b/a 2"), (".a", ".a 2"), ("b.c/a", "b.c/a 2")] {
            assert_eq!(numbered(path, 2), expected);
        }
        let long = format!("{}.md", "\u{e4}".repeat(126));
        assert_eq!(numbered(&long, 2), format!("{} 2.md", "\u{e4}".repeat(125)));
        let folder = format!("{}/{}", "x".repeat(255), "y".repeat(254));
        assert_eq!(numbered(&format!("{folder}/a"), 2), "file 2", "there is no room");
    }

    #[test]
    fn what_cannot_be_a_name_is_called_file() {
        // Composed, each of these signs is longer.
        let long = "\u{1d15e}".repeat(50);
        for (path, expected) in [
            ("a\u{200b}b", "ab"),
            ("\u{200b}", "file"),
            ("cafe\u{301}/\u{200b}", "caf\u{e9}/file"),
            ("\u{200b}/\u{200b}", "file"),
            (long.as_str(), "file"),
        ] {
            assert_eq!(spelled(path), expected, "{path:?}");
        }
    }
}

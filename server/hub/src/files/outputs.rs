//! What commands said, where that is more than a result tells: files of the agent, the newest few, for a day. What is
//! let go of is in no bin. No command finds them: they would fill its room, and mark what it says.

use super::changing::{Changing, NewFile};
use super::stored::Written;
use super::{FilePath, digest_of};
use crate::error::Result;
use crate::store::{Transaction, query};
use protocol::FolderId;

/// The folder that they are in.
const FOLDER: &str = ".outputs/";
/// How many there are at most.
const MOST_OUTPUTS: usize = 5;
const LIFETIME_MS: i64 = 24 * 60 * 60 * 1000;

/// Where the next one would be.
pub(crate) fn output_path(text: &str, now: i64) -> Result<FilePath> {
    FilePath::check(&format!("{FOLDER}{now}-{}.txt", &digest_of(text.as_bytes())[..8]))
}

pub(crate) fn is_among_outputs(path: &str) -> bool {
    path.starts_with(FOLDER)
}

/// Keeps of one what a file may have, and says how many bytes that are, or why it is not kept.
pub(crate) async fn keep_output(
    tx: &mut Transaction,
    folder: &FolderId,
    (path, mut text): (FilePath, String),
    written: &Written,
) -> Result<std::result::Result<usize, String>> {
    let mut changing = Changing::begin(tx, folder, written.at).await?;
    let_go(&mut changing, written.at).await?;
    let there: Vec<String> = query(
        "SELECT path FROM files WHERE folder_id = $1 AND SUBSTR(path, 1, CAST($2 AS INTEGER)) = $3
         ORDER BY at DESC, path DESC",
        (folder, FOLDER.len(), FOLDER),
    )
    .fetch_all(&mut **changing.tx)
    .await?;
    let old = there.iter().filter(|path| is_output(path)).skip(MOST_OUTPUTS - 1);
    let old: Vec<FilePath> = old.map(|path| FilePath::check(path)).collect::<Result<_>>()?;
    changing.forget(&old).await?;
    text.truncate(text.floor_char_boundary(changing.largest_file()));
    let bytes = text.len();
    let file = NewFile { path, bytes: text.into_bytes(), untrusted: false, by_others: false };
    let outcome = changing.put(vec![file], written).await?.pop();
    changing.end(written.at).await?;
    Ok(outcome.map_or(Ok(bytes), |outcome| outcome.map(|_| bytes)))
}

/// Lets go of those whose day is over.
pub(super) async fn let_go(changing: &mut Changing<'_>, now: i64) -> Result<()> {
    let there: Vec<String> = query(
        "SELECT path FROM files WHERE folder_id = $1 AND SUBSTR(path, 1, CAST($2 AS INTEGER)) = $3 AND at < $4",
        (changing.folder, FOLDER.len(), FOLDER, now - LIFETIME_MS),
    )
    .fetch_all(&mut **changing.tx)
    .await?;
    let old = there.iter().filter(|path| is_output(path));
    let old: Vec<FilePath> = old.map(|path| FilePath::check(path)).collect::<Result<_>>()?;
    changing.forget(&old).await
}

/// What somebody else put into the folder stays.
fn is_output(path: &str) -> bool {
    let name = path.strip_prefix(FOLDER).and_then(|name| name.strip_suffix(".txt"));
    name.and_then(|name| name.split_once('-')).is_some_and(|(at, digest)| {
        let is_time = !at.is_empty() && at.bytes().all(|byte| byte.is_ascii_digit());
        is_time && digest.len() == 8 && digest.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

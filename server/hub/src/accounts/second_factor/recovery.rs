//! Recovery codes: ten, each good once, for when the device with the codes is not there.

use super::super::secrets::stored;
use crate::clock::random;
use crate::error::Result;
use crate::store::{Transaction, query};
use data_encoding::BASE32_NOPAD;
use protocol::view::RecoveryCodes;
use sqlx::{Any, Executor};

const CODES: usize = 10;

/// Makes new codes in place of those that were there.
pub(super) async fn make(tx: &mut Transaction, user: &str) -> Result<RecoveryCodes> {
    forget(tx, user).await?;
    let codes: Vec<String> = (0..CODES).map(|_| new_code()).collect();
    for code in &codes {
        query(
            "INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)",
            (user, stored(&as_compared(code))),
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(RecoveryCodes { codes })
}

/// `true`: it was one of the person's, and is gone now.
pub(super) async fn use_up(tx: &mut Transaction, user: &str, code: &str) -> Result<bool> {
    let used = query(
        "DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2",
        (user, stored(&as_compared(code))),
    )
    .execute(&mut **tx)
    .await?;
    Ok(used > 0)
}

pub(super) async fn left(executor: impl Executor<'_, Database = Any>, user: &str) -> Result<u32> {
    let left: i64 = query("SELECT count(*) AS count FROM recovery_codes WHERE user_id = $1", (user,))
        .fetch_one(executor)
        .await?;
    Ok(u32::try_from(left).unwrap_or_default())
}

pub(super) async fn forget(tx: &mut Transaction, user: &str) -> Result<()> {
    query("DELETE FROM recovery_codes WHERE user_id = $1", (user,)).execute(&mut **tx).await?;
    Ok(())
}

/// 80 random bits, in groups of four characters.
fn new_code() -> String {
    let text = BASE32_NOPAD.encode(&random::<10>()).to_lowercase();
    let groups: Vec<&str> = (0..text.len()).step_by(4).map(|at| &text[at..at + 4]).collect();
    groups.join("-")
}

/// However somebody typed it.
fn as_compared(code: &str) -> String {
    code.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_however_it_is_typed() {
        let code = new_code();
        assert_eq!(code.len(), 19, "{code}");
        let bare = code.replace('-', "");
        for typed in [code.to_uppercase(), bare.clone(), format!(" {} ", code.replace('-', " "))] {
            assert_eq!(as_compared(&typed), bare);
        }
        assert_ne!(as_compared(&new_code()), bare);
    }
}

//! Tokens that programs are given by OAuth: an API token like the others, but for where and how long it is good.

use super::look;
use super::secrets::stored;
use super::tokens::new_token;
use crate::accounts::Accounts;
use crate::error::Result;
use crate::store::{Transaction, query};
use protocol::TokenId;
use protocol::view::TokenScope;

/// Characters of a token's name.
const LONGEST_NAME: usize = 40;

pub(crate) struct Granted<'a> {
    pub(crate) id: &'a TokenId,
    pub(crate) owner: &'a str,
    pub(crate) name: &'a str,
    pub(crate) scope: TokenScope,
    pub(crate) relays: bool,
    /// Unix milliseconds.
    pub(crate) at: i64,
}

impl Accounts<'_> {
    /// The answer is the only time that the token itself is seen.
    pub(crate) async fn add_granted(self, tx: &mut Transaction, it: &Granted<'_>) -> Result<String> {
        let token = new_token();
        query(
            "INSERT INTO tokens (id, user_id, token_hash, name, scope, created_at, relays)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            (it.id, it.owner, stored(&token), it.name, it.scope, it.at, it.relays),
        )
        .execute(&mut **tx)
        .await?;
        Ok(token)
    }
}

/// What a token is called that a stranger named.
pub(crate) fn token_name(said: &str) -> String {
    said.chars().filter(|it| !it.is_control() && !look::is_hidden(*it)).take(LONGEST_NAME).collect()
}

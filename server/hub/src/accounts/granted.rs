//! Tokens that programs are given by OAuth: an API token like the others, but for where and how long it is good.

use super::look;
use super::secrets::stored;
use super::tokens::token_of;
use crate::access::OpenedAgents;
use crate::accounts::Accounts;
use crate::error::Result;
use crate::store::{Transaction, query};
use protocol::TokenId;
use protocol::view::TokenScope;

/// Characters of a token's name.
const LONGEST_NAME: usize = 40;
/// Those of who vouches for it.
const LONGEST_VOUCHED: usize = 25;

pub(crate) struct Granted<'a> {
    pub(crate) id: &'a TokenId,
    pub(crate) owner: &'a str,
    pub(crate) name: &'a str,
    pub(crate) scope: TokenScope,
    pub(crate) relays: bool,
    pub(crate) opened: &'a OpenedAgents,
    /// Unix milliseconds.
    pub(crate) at: i64,
}

impl Accounts<'_> {
    pub(crate) async fn add_granted(self, tx: &mut Transaction, it: &Granted<'_>, token: &str) -> Result<()> {
        query(
            "INSERT INTO tokens (id, user_id, token_hash, name, scope, created_at, relays, agents)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            (it.id, it.owner, stored(token), it.name, it.scope, it.at, it.relays, it.opened.column()),
        )
        .execute(&mut **tx)
        .await?;
        Ok(())
    }
}

/// The token that is made of this secret, of at least 80 bits that nobody can guess.
pub(crate) fn granted_token(secret: &str) -> String {
    token_of(secret)
}

/// What a token is called that a stranger named; who vouches for the name stands behind it, and is not pushed out.
pub(crate) fn token_name(said: &str, vouched: &str) -> String {
    let shown =
        |text: &str| text.chars().filter(|it| !it.is_control() && !look::is_hidden(*it)).collect::<String>();
    let vouched: Vec<char> = shown(vouched).chars().collect();
    let vouched: String = vouched[vouched.len().saturating_sub(LONGEST_VOUCHED)..].iter().collect();
    let room = LONGEST_NAME - vouched.chars().count() - 3;
    let said = shown(said).split_whitespace().collect::<Vec<_>>().join(" ");
    let said: String = said.chars().take(room).collect();
    format!("{} ({vouched})", said.trim_end())
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_NAME, token_name};

    #[test]
    fn who_vouches_for_a_name_stands_behind_it_whatever_it_is() {
        for (said, vouched, expect) in [
            ("Fern Desk", "unverified", "Fern Desk (unverified)"),
            ("Claude (claude.ai)                 .", "evil.example", "Claude (claude.ai) . (evil.example)"),
            ("a\u{202e}b", "moss.example", "ab (moss.example)"),
        ] {
            assert_eq!(token_name(said, vouched), expect);
        }
        let long = token_name(&"a".repeat(60), &format!("{}.example", "b".repeat(80)));
        assert!(long.chars().count() <= LONGEST_NAME && long.ends_with("b.example)"), "{long}");
    }
}

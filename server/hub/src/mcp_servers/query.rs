//! What follows the question mark in the address of a server. Some want a key there, so it is kept like headers: sealed
//! for that server. The address that is kept and shown has the names of its parts alone.

use super::failure::McpFailure;
use super::{McpServers, rows};
use crate::outbound::Target;
use crate::vault::Secret;
use percent_encoding::percent_decode_str;
use protocol::{McpServerId, UserId};
use redact::Needles;
use std::borrow::Cow;

/// Stands for a value, and for what has no name.
const HIDDEN: &str = "*";
/// What is in the name of a part whose value opens something. Others say which project or team is meant, which those
/// who ask may hear of.
const KEYS: [&str; 7] = ["key", "token", "secret", "pass", "auth", "cred", "sig"];

#[derive(Debug)]
pub(super) struct SecretQuery(Secret);

impl SecretQuery {
    /// `None`: the address has none.
    pub(super) fn of(address: &Target) -> Option<Self> {
        let query = address.url().query().filter(|query| !query.is_empty())?;
        Some(Self(Secret::new(query.to_owned())))
    }

    /// What is sealed.
    pub(super) fn secret(&self) -> &Secret {
        &self.0
    }

    /// As it is shown.
    pub(super) fn names(&self) -> String {
        let names = self.parts().map(|part| match named(part) {
            Some((name, _)) => format!("{name}={HIDDEN}"),
            None => HIDDEN.to_owned(),
        });
        names.collect::<Vec<_>>().join("&")
    }

    /// The text without the keys in it.
    pub(super) fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let keys = self.parts().filter_map(|part| match named(part) {
            Some((name, value)) => opens_something(name).then_some(value),
            None => Some(part),
        });
        let spellings =
            keys.flat_map(|key| [Cow::Borrowed(key), percent_decode_str(key).decode_utf8_lossy()]);
        let mut hidden = Cow::Borrowed(text);
        for needles in spellings.filter_map(|key| Needles::of(&key)) {
            if let Cow::Owned(clean) = needles.hide(&hidden) {
                hidden = Cow::Owned(clean);
            }
        }
        hidden
    }

    fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.expose().split('&').filter(|part| !part.is_empty())
    }
}

/// `None`: it may be a key as a whole, like one that ends in equals signs.
fn named(part: &str) -> Option<(&str, &str)> {
    let (name, value) = part.split_once('=')?;
    (!name.is_empty() && !value.trim_start_matches('=').is_empty()).then_some((name, value))
}

fn opens_something(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    KEYS.iter().any(|word| name.contains(word))
}

impl McpServers<'_> {
    /// Where a server of this person's is that is shown like this, and what of it is kept apart.
    pub(super) async fn whole(
        self,
        owner: &UserId,
        id: &McpServerId,
        shown: &Target,
    ) -> Result<(Target, Option<SecretQuery>), McpFailure> {
        if shown.url().query().is_none() {
            return Ok((shown.clone(), None));
        }
        let (whose, of) = self.sealed_for(owner, id).await?;
        let place = shown.place();
        let sealed = self.hub.vault().read(self.hub.store(), rows::query_place(&whose.0, &of, &place)).await;
        let sealed = sealed.map_err(|error| {
            tracing::warn!("what is kept of the address of an MCP server cannot be read: {error:?}");
            McpFailure::NoQuery
        })?;
        let query = SecretQuery(sealed.ok_or(McpFailure::NoQuery)?);
        Ok((shown.with_query(Some(query.0.expose())), Some(query)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_follows_the_question_mark_names_are_shown_and_keys_are_hidden() {
        for (query, names, said, hidden) in [
            (
                "project_ref=moss-and-fern-7&read_only=true",
                "project_ref=*&read_only=*",
                "moss-and-fern-7",
                "moss-and-fern-7",
            ),
            ("apiKey=long-canary-1&team=a", "apiKey=*&team=*", "You sent long-canary-1.", "You sent [key]."),
            ("token=long%2Fcanary%2F1", "token=*", "long/canary/1, long%2Fcanary%2F1", "[key], [key]"),
            ("long-canary-1", "*", "It was long-canary-1.", "It was [key]."),
            ("long-canary-1==", "*", "It was long-canary-1==.", "It was [key]."),
            ("=long-canary-1", "*", "It was =long-canary-1.", "It was [key]."),
            ("&&a=1&", "a=*", "1", "1"),
        ] {
            let address = Target::parse(&format!("https://garden.example/mcp?{query}")).expect(query);
            let found = SecretQuery::of(&address).expect(query);
            assert_eq!((found.names().as_str(), &*found.hide(said)), (names, hidden), "{query}");
        }
        for address in ["https://garden.example/mcp", "https://garden.example/mcp?"] {
            assert!(SecretQuery::of(&Target::parse(address).expect(address)).is_none());
        }
    }
}

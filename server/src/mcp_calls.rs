//! Calls of MCP under way, so that a client can give one up by its number.

use protocol::TokenId;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// Bytes of what a client calls its session.
const LONGEST_SESSION: usize = 200;

type Key = (TokenId, String, String);

/// As many as there are runs under way and places for sockets at most: each is a run, or what a page waits for.
#[derive(Debug, Default)]
pub struct Calls(Mutex<HashMap<Key, CancellationToken>>);

/// Known until it is dropped.
pub struct CallUnderWay {
    calls: Arc<Calls>,
    key: Key,
    pub given_up: CancellationToken,
}

impl Calls {
    /// A number that is used again before its call is over means the later one.
    pub fn begin(self: &Arc<Self>, token: &TokenId, session: &str, id: &Value) -> CallUnderWay {
        let (key, given_up) = (key(token, session, id), CancellationToken::new());
        self.lock().insert(key.clone(), given_up.clone());
        CallUnderWay { calls: Arc::clone(self), key, given_up }
    }

    pub fn cancel(&self, token: &TokenId, session: &str, id: &Value) {
        if let Some(call) = self.lock().get(&key(token, session, id)) {
            call.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CallUnderWay {
    fn drop(&mut self) {
        self.calls.lock().remove(&self.key);
    }
}

fn key(token: &TokenId, session: &str, id: &Value) -> Key {
    (token.clone(), session.chars().take(LONGEST_SESSION).collect(), id.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_call_is_given_up_by_its_own_client_alone() {
        let calls = Arc::new(Calls::default());
        let (ada, eve) = (TokenId::from("ada"), TokenId::from("eve"));
        let call = calls.begin(&ada, "s", &json!(1));
        for (token, session, id) in
            [(&eve, "s", json!(1)), (&ada, "t", json!(1)), (&ada, "s", json!("1")), (&ada, "s", json!(2))]
        {
            calls.cancel(token, session, &id);
            assert!(!call.given_up.is_cancelled());
        }
        calls.cancel(&ada, "s", &json!(1));
        assert!(call.given_up.is_cancelled());
        drop(call);
        assert!(calls.lock().is_empty());
    }
}

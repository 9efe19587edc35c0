//! What servers say of what they do, beside their answers: the newest lines of each, for its person.

use super::progress::{Hides, in_a_line};
use protocol::McpServerId;
use protocol::view::{McpLogKind, McpLogLine};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lines of a server, and characters of one.
const LINES: usize = 40;
const WORDS: usize = 300;
/// Servers that are known at once: who was silent for longest is forgotten.
const MOST_KNOWN: usize = 2_000;
/// Bytes of a line that has not ended.
const UNENDED: usize = 4096;

/// As they were said since the hub was started.
#[derive(Debug, Default)]
pub(in super::super) struct LogLines(Mutex<HashMap<McpServerId, VecDeque<McpLogLine>>>);

impl LogLines {
    /// The newest first.
    pub(in super::super) fn of(&self, server: &McpServerId) -> Vec<McpLogLine> {
        self.all().get(server).into_iter().flatten().rev().cloned().collect()
    }

    pub(in super::super) fn forget(&self, server: &McpServerId) {
        self.all().remove(server);
    }

    /// What it says by `notifications/message`.
    pub(super) fn take(&self, server: &McpServerId, at: i64, params: &Value, secrets: &dyn Hides) {
        let said = match params.get("data") {
            Some(Value::String(said)) => said.clone(),
            Some(said) => said.to_string(),
            None => return,
        };
        let said = match params.get("logger").and_then(Value::as_str) {
            Some(logger) if !logger.is_empty() => format!("{logger}: {said}"),
            Some(_) | None => said,
        };
        let kind = match params.get("level").and_then(Value::as_str) {
            Some("debug") => McpLogKind::Debug,
            Some("warning") => McpLogKind::Warning,
            Some("error" | "critical" | "alert" | "emergency") => McpLogKind::Error,
            Some(_) | None => McpLogKind::Info,
        };
        self.keep(server, at, kind, &secrets.without_secrets(&said));
    }

    /// What a program says beside its answers.
    pub(super) fn put(&self, server: &McpServerId, at: i64, words: &str) {
        self.keep(server, at, McpLogKind::Output, words);
    }

    fn keep(&self, server: &McpServerId, at: i64, kind: McpLogKind, words: &str) {
        let words = in_a_line(words, WORDS);
        if words.is_empty() {
            return;
        }
        let mut all = self.all();
        if all.len() >= MOST_KNOWN && !all.contains_key(server) {
            let silent = all.iter().min_by_key(|(_, lines)| lines.back().map(|line| line.at));
            if let Some(silent) = silent.map(|(server, _)| server.clone()) {
                all.remove(&silent);
            }
        }
        let lines = all.entry(server.clone()).or_default();
        lines.push_back(McpLogLine { at, kind, words });
        if lines.len() > LINES {
            lines.pop_front();
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<McpServerId, VecDeque<McpLogLine>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lines that come in pieces.
#[derive(Debug, Default)]
pub(super) struct Pieces(Vec<u8>);

impl Pieces {
    /// Those that have ended by now; of many the last ones.
    pub(super) fn take(&mut self, piece: &[u8]) -> Vec<Vec<u8>> {
        self.0.extend(piece);
        let mut ended: Vec<u8> = Vec::new();
        if let Some(end) = self.0.iter().rposition(|byte| *byte == b'\n') {
            ended = self.0.drain(..=end).collect();
        }
        let surplus = self.0.len().saturating_sub(UNENDED);
        self.0.drain(..surplus);
        let lines: Vec<&[u8]> = ended.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        lines[lines.len().saturating_sub(LINES)..].iter().map(|line| line.to_vec()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    struct Key;

    impl Hides for Key {
        fn without_secrets(&self, text: &str) -> String {
            text.replace("canary", "[key]")
        }
    }

    #[test]
    fn of_what_a_server_says_of_itself_the_newest_lines_are_kept_without_keys() {
        let (log, server) = (LogLines::default(), McpServerId("s".to_owned()));
        for (params, expected) in [
            (json!({ "level": "debug", "data": "a\n b\u{202e}" }), (McpLogKind::Debug, "a b")),
            (
                json!({ "level": "notice", "logger": "beds", "data": { "dry": true } }),
                (McpLogKind::Info, "beds: {\"dry\":true}"),
            ),
            (json!({ "level": "warning", "data": "canary" }), (McpLogKind::Warning, "[key]")),
            (json!({ "level": "alert", "data": "x" }), (McpLogKind::Error, "x")),
        ] {
            log.take(&server, 7, &params, &Key);
            let newest = log.of(&server).remove(0);
            assert_eq!((newest.at, newest.kind, &*newest.words), (7, expected.0, expected.1), "{params}");
        }
        log.take(&server, 7, &json!({ "level": "info" }), &Key);
        log.put(&server, 8, "  ");
        assert_eq!(log.of(&server).len(), 4);
        for number in 0..100 {
            log.put(&server, 8, &format!("{number} {}", "x".repeat(1_000)));
        }
        let kept = log.of(&server);
        assert!(kept[0].words.starts_with("99 x") && kept[0].words.chars().count() == WORDS + 1);
        assert_eq!((kept.len(), kept[0].kind), (LINES, McpLogKind::Output));
        for number in 0..MOST_KNOWN {
            log.put(&McpServerId(format!("s{number}")), 9, "later");
        }
        assert_eq!((log.of(&server).len(), log.all().len()), (0, MOST_KNOWN));
    }

    #[test]
    fn lines_that_come_in_pieces_are_put_together_and_one_without_an_end_is_cut() {
        let mut pieces = Pieces::default();
        assert_eq!(pieces.take(b"on"), Vec::<Vec<u8>>::new());
        assert_eq!(pieces.take(b"e\n\ntwo\nth"), [b"one".to_vec(), b"two".to_vec()]);
        assert_eq!(pieces.take(&[b'x'; 10_000]), Vec::<Vec<u8>>::new());
        assert_eq!(pieces.take(b"\n"), [vec![b'x'; UNENDED]]);
        assert_eq!(pieces.take("a\n".repeat(1_000).as_bytes()).len(), LINES);
    }
}

//! A task elsewhere, folded from what its agent tells of it. It may tell anything: what is about another task is
//! nothing, and what it says ends at a bound.

use serde_json::Value;

/// Bytes of what it says that are kept.
const ROOM: usize = 256 * 1024;
/// Bytes of an id, and how many artifacts are told apart.
const LONGEST_ID: usize = 200;
const MOST_ARTIFACTS: usize = 100;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PeerTaskState {
    #[default]
    Works,
    /// It wants to hear more before it goes on, or that somebody signs in.
    Asks,
    Completed,
    Failed,
    Cancelled,
}

/// What is known of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) task: Option<String>,
    pub(crate) context: Option<String>,
    pub(crate) state: PeerTaskState,
    /// By artifact.
    artifacts: Vec<(String, String)>,
    /// What goes with its state, or its one answer.
    words: String,
    is_cut: bool,
}

impl Told {
    pub(crate) fn of(task: Option<String>, context: Option<String>) -> Self {
        Self { task, context, ..Self::default() }
    }

    pub(crate) fn is_over(&self) -> bool {
        match self.state {
            PeerTaskState::Works | PeerTaskState::Asks => false,
            PeerTaskState::Completed | PeerTaskState::Failed | PeerTaskState::Cancelled => true,
        }
    }

    /// What it said so far.
    pub(crate) fn text(&self) -> String {
        let parts: Vec<&str> =
            self.artifacts.iter().map(|(_, text)| text.as_str()).filter(|text| !text.is_empty()).collect();
        // Of an answer that goes on, what stood before it is not here.
        let mut text = parts.join("\n\n").trim_start().to_owned();
        if text.is_empty() || self.state == PeerTaskState::Asks {
            text = [text.as_str(), &self.words].join("\n\n").trim().to_owned();
        }
        if self.is_cut {
            text.push_str("\n\n[It said more than 256 KB; the rest was not kept.]");
        }
        text
    }

    /// What goes with the state that it is in.
    pub(crate) fn words(&self) -> &str {
        &self.words
    }

    /// Takes one thing in that is told. `false`: it is nothing of the protocol.
    pub(crate) fn take(&mut self, told: &Value) -> bool {
        if let Some(task) = told.get("task") {
            return self.take_task(task);
        }
        if let Some(message) = told.get("message") {
            self.note_ids(None, message.get("contextId"));
            self.words = self.within_room(&text_of(message), 0);
            self.state = PeerTaskState::Completed;
            return true;
        }
        if let Some(update) = told.get("statusUpdate") {
            return !self.is_mine(update) || self.take_status(&update["status"]);
        }
        if let Some(update) = told.get("artifactUpdate") {
            if self.is_mine(update) {
                self.take_artifact(&update["artifact"], update["append"] == true);
            }
            return true;
        }
        false
    }

    /// The whole task as it stands now. What was told of its artifacts before is told anew, or stands in it.
    pub(crate) fn take_task(&mut self, task: &Value) -> bool {
        let Some(id) = task.get("id") else { return false };
        if self.task.as_ref().is_some_and(|own| id != own.as_str()) {
            return true;
        }
        self.note_ids(Some(id), task.get("contextId"));
        if self.task.is_none() {
            return false;
        }
        self.artifacts.clear();
        self.is_cut = false;
        for artifact in task["artifacts"].as_array().into_iter().flatten() {
            self.take_artifact(artifact, false);
        }
        self.take_status(&task["status"])
    }

    fn take_status(&mut self, status: &Value) -> bool {
        self.state = match status["state"].as_str() {
            Some("TASK_STATE_SUBMITTED" | "TASK_STATE_WORKING") => PeerTaskState::Works,
            Some("TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_AUTH_REQUIRED") => PeerTaskState::Asks,
            Some("TASK_STATE_COMPLETED") => PeerTaskState::Completed,
            Some("TASK_STATE_FAILED" | "TASK_STATE_REJECTED") => PeerTaskState::Failed,
            Some("TASK_STATE_CANCELED") => PeerTaskState::Cancelled,
            _ => return false,
        };
        self.words = match status.get("message") {
            Some(message) => self.within_room(&text_of(message), 0),
            None => String::new(),
        };
        true
    }

    fn take_artifact(&mut self, artifact: &Value, is_more: bool) {
        let id = artifact["artifactId"].as_str().unwrap_or_default();
        let text = text_of(artifact);
        let at = self.artifacts.iter().position(|(known, _)| known == id);
        let others: usize = self
            .artifacts
            .iter()
            .enumerate()
            .filter(|(place, _)| is_more || Some(*place) != at)
            .map(|(_, (_, text))| text.len())
            .sum();
        let text = self.within_room(&text, others);
        match at {
            Some(at) if is_more => self.artifacts[at].1.push_str(&text),
            Some(at) => self.artifacts[at].1 = text,
            None if self.artifacts.len() < MOST_ARTIFACTS && id.len() <= LONGEST_ID => {
                self.artifacts.push((id.to_owned(), text));
            }
            None => self.is_cut = true,
        }
    }

    fn within_room(&mut self, text: &str, taken: usize) -> String {
        let room = ROOM.saturating_sub(taken);
        if text.len() <= room {
            return text.to_owned();
        }
        self.is_cut = true;
        let end = (0..=room).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text[..end].to_owned()
    }

    fn is_mine(&self, update: &Value) -> bool {
        let named = update.get("taskId").and_then(Value::as_str);
        self.task.as_deref().is_some_and(|own| named.is_none_or(|named| named == own))
    }

    fn note_ids(&mut self, task: Option<&Value>, context: Option<&Value>) {
        let id = |value: Option<&Value>| {
            let id = value.and_then(Value::as_str)?;
            (!id.is_empty() && id.len() <= LONGEST_ID).then(|| id.to_owned())
        };
        self.task = self.task.take().or_else(|| id(task));
        self.context = id(context).or_else(|| self.context.take());
    }
}

/// The texts among its parts. Of files it is said that they are there.
fn text_of(of: &Value) -> String {
    let part = |part: &Value| {
        if let Some(text) = part["text"].as_str() {
            return text.to_owned();
        }
        if let Some(data) = part.get("data").filter(|data| !data.is_null()) {
            return data.to_string();
        }
        let name: String = part["filename"].as_str().unwrap_or("without a name").chars().take(100).collect();
        format!("[a file that is not shown to you: {name}]")
    };
    let parts: Vec<String> = of["parts"].as_array().into_iter().flatten().map(part).collect();
    parts.join("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn task(state: &str) -> Value {
        json!({ "task": { "id": "t", "contextId": "c", "status": { "state": state } } })
    }

    fn said(task: &str, text: &str, append: bool) -> Value {
        let artifact = json!({ "artifactId": "a", "parts": [{ "text": text }] });
        json!({ "artifactUpdate": { "taskId": task, "artifact": artifact, "append": append } })
    }

    fn is(state: &str) -> Value {
        json!({ "statusUpdate": { "taskId": "t", "status": { "state": state } } })
    }

    fn check(told: &[Value], expected: (PeerTaskState, &str)) {
        let mut folded = Told::default();
        for one in told {
            assert!(folded.take(one), "{one}");
        }
        assert_eq!((folded.state, folded.text().as_str()), expected, "{told:?}");
    }

    #[test]
    fn a_task_is_what_is_told_of_it_and_of_no_other() {
        let works = task("TASK_STATE_WORKING");
        let completed = is("TASK_STATE_COMPLETED");
        let whole = json!({ "task": {
            "id": "t", "status": { "state": "TASK_STATE_WORKING" },
            "artifacts": [{ "artifactId": "a", "parts": [{ "text": "Moss" }] }],
        } });
        check(std::slice::from_ref(&works), (PeerTaskState::Works, ""));
        check(
            &[works.clone(), said("t", "Mo", false), said("t", "ss", true), completed.clone()],
            (PeerTaskState::Completed, "Moss"),
        );
        // Resumed by a peer that tells everything anew, and by one that goes on behind what it shows.
        check(
            &[
                works.clone(),
                said("t", "Mo", false),
                works.clone(),
                said("t", "Mo", false),
                said("t", "ss", true),
            ],
            (PeerTaskState::Works, "Moss"),
        );
        check(
            &[works.clone(), said("t", "Mo", false), whole, said("t", " is green", true)],
            (PeerTaskState::Works, "Moss is green"),
        );
        check(&[works.clone(), said("other", "lies", false)], (PeerTaskState::Works, ""));
        let message = json!({ "message": { "contextId": "c", "parts": [{ "text": "At once." }, { "url": "https://a" }] } });
        check(
            &[message],
            (PeerTaskState::Completed, "At once.[a file that is not shown to you: without a name]"),
        );
        let asks = json!({ "statusUpdate": { "taskId": "t", "status": {
            "state": "TASK_STATE_INPUT_REQUIRED", "message": { "parts": [{ "text": "Which one?" }] },
        } } });
        check(&[works, asks], (PeerTaskState::Asks, "Which one?"));
        for nothing in [json!({}), json!([]), json!("x"), json!({ "task": {} }), task("TASK_STATE_DANCING")] {
            assert!(!Told::default().take(&nothing), "{nothing}");
        }
    }

    #[test]
    fn what_is_kept_ends_at_a_bound() {
        let mut folded = Told::default();
        folded.take(&task("TASK_STATE_WORKING"));
        for _ in 0..40 {
            folded.take(&said("t", &"ä".repeat(5_000), true));
        }
        assert!(folded.text().len() < ROOM + 100 && folded.text().ends_with("was not kept.]"));
        let mut ids = Told::default();
        assert!(!ids.take(&json!({ "task": { "id": "x".repeat(300), "status": {} } })));
    }
}

//! A conversation as Markdown, for people and for programs that read it: what was said, and which tools were
//! called with what. What a model thought on the way is left out.

use jiff::Timestamp;
use protocol::Attachment;
use protocol::log::{CallEvent, Class, Entry, ReplyEvent, Sender};
use protocol::model::{Block, ToolResult};
use protocol::todo::{TodoItem, TodoList, TodoState};
use protocol::view::{Rating, Thumb};

/// What stands above the first message.
pub(super) fn head(title: &str, agent: &str) -> String {
    let title = if title.is_empty() { "New conversation" } else { title };
    format!("# {}\n\nA conversation with {}.\n", on_one_line(title), on_one_line(agent))
}

/// One entry, with a blank line before it. Nothing for what nobody said or did.
pub(super) fn entry(entry: &Entry, agent: &str) -> String {
    match entry.body.class() {
        Class::Said {
            from: Sender::Devices | Sender::Todo | Sender::Rating | Sender::Context { .. },
            ..
        } => String::new(),
        Class::Said { from, text, attachments } => {
            let (who, at) = (speaker(from), written(entry.at));
            format!("\n## {who}, {at}\n\n{}{}", text.trim_end(), attached(text, attachments))
        }
        Class::Reply(ReplyEvent::Block { block: Block::Text { text }, .. }) => {
            format!("\n## {}, {}\n\n{}\n", on_one_line(agent), written(entry.at), text.trim_end())
        }
        Class::Reply(ReplyEvent::Block { block: Block::ToolUse(call), .. }) => {
            format!("\n**Tool** `{}`\n\n{}\n", call.name, fenced("json", &call.input.to_string()))
        }
        Class::Call(CallEvent::Finished { result, .. }) => answer(result),
        Class::Run(_)
        | Class::Reply(_)
        | Class::Call(_)
        | Class::Loop(_)
        | Class::Compaction(_)
        | Class::HubNotice { .. }
        | Class::Used { .. }
        | Class::Agent(_) => String::new(),
    }
}

/// What the person thinks of the answer above it.
pub(super) fn rating(Rating { thumb, note, .. }: &Rating) -> String {
    let thumb = match thumb {
        Some(Thumb::Up) => "Thumbs up",
        Some(Thumb::Down) => "Thumbs down",
        None => "Noted",
    };
    let gap = if note.is_empty() { "" } else { ": " };
    format!("\n*{thumb}{gap}{}*\n", on_one_line(note))
}

/// What there is to do, as a list that other programs tick too. Nothing where there is nothing.
pub(super) fn tasks(list: &TodoList) -> String {
    if list.items.is_empty() {
        return String::new();
    }
    let mut text = "\n## To do\n\n".to_owned();
    for TodoItem { text: task, state, .. } in &list.items {
        let (mark, how) = match state {
            TodoState::Pending => (' ', ""),
            TodoState::InProgress => (' ', " (in progress)"),
            TodoState::Done => ('x', ""),
            TodoState::Cancelled => ('x', " (cancelled)"),
        };
        text.push_str(&format!("- [{mark}] {}{how}\n", on_one_line(task)));
    }
    text
}

/// A text between lines that say where it begins and ends, which none of its own can pass for.
pub(crate) fn fenced(language: &str, text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start().bytes().take_while(|byte| *byte == b'`').count());
    let fence = "`".repeat(lines.max().unwrap_or(0).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_end())
}

fn answer(result: &ToolResult) -> String {
    let what = if result.is_error { "Error" } else { "Result" };
    format!("\n**{what}** of `{}`\n\n{}\n", result.name, fenced("", &result.content))
}

fn speaker(from: &Sender) -> String {
    match from {
        Sender::Person => "You".to_owned(),
        Sender::Program { name, .. } => format!("The program {}", on_one_line(name)),
        Sender::PageNotify { .. } | Sender::PageAsk | Sender::PageEmit { .. } | Sender::PageErrors => {
            "The page".to_owned()
        }
        Sender::Rule { key } => format!("A rule about {}", on_one_line(key)),
        Sender::Schedule { name, .. } => format!("The schedule {}", on_one_line(name)),
        Sender::Agent { name, .. } => format!("The agent {}", on_one_line(name)),
        Sender::Trigger { name, .. } => format!("Delivered to the schedule {}", on_one_line(name)),
        Sender::Job { name, .. } => format!("The external job {}", on_one_line(name)),
        Sender::Devices => "Devices".to_owned(),
        Sender::Todo => "The to-do list".to_owned(),
        Sender::Rating => "A note on an answer".to_owned(),
        Sender::Context { .. } => "Context".to_owned(),
    }
}

fn attached(text: &str, attachments: &[Attachment]) -> String {
    if attachments.is_empty() {
        return "\n".to_owned();
    }
    let names: Vec<String> = attachments.iter().map(|file| on_one_line(&file.name)).collect();
    let gap = if text.trim().is_empty() { "" } else { "\n\n" };
    format!("{gap}*Attached: {}*\n", names.join(", "))
}

fn written(at: i64) -> String {
    Timestamp::from_millisecond(at)
        .map_or_else(|_| at.to_string(), |at| at.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

fn on_one_line(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::log::EntryBody;
    use protocol::model::ToolCall;
    use serde_json::json;

    fn at_noon(body: EntryBody) -> Entry {
        let at = 1_795_262_400_000;
        Entry { agent: "ada".into(), seq: 1, at, conversation: None, run: None, body }
    }

    #[test]
    fn what_there_is_to_do_stands_in_its_order_with_how_far_each_is() {
        assert_eq!(tasks(&TodoList::default()), "");
        let states =
            [TodoState::Pending, TodoState::InProgress, TodoState::Done, TodoState::Cancelled].into_iter();
        let items = (1..).zip(states).map(|(id, state)| TodoItem { id, text: format!("Task {id}"), state });
        let list = TodoList { items: items.collect(), last_id: 4 };
        assert_eq!(
            tasks(&list),
            "\n## To do\n\n- [ ] Task 1\n- [ ] Task 2 (in progress)\n- [x] Task 3\n- [x] Task 4 (cancelled)\n"
        );
    }

    #[test]
    fn what_was_said_and_done_is_told_and_nothing_ends_its_own_fence() {
        let file = Attachment {
            id: "ab".into(),
            name: "a.png".to_owned(),
            mime: "image/png".to_owned(),
            size: 1,
            dimensions: None,
            server: None,
        };
        let call = ToolCall { id: "1".into(), name: "dom".to_owned(), input: json!({ "a": 1 }) };
        let result = ToolResult {
            call: "1".into(),
            name: "dom".to_owned(),
            content: "```\nx\n```".to_owned(),
            media: Vec::new(),
            is_error: true,
        };
        let block = |block| EntryBody::Block { turn: 0, index: 0, block };
        for (body, expected) in [
            (
                EntryBody::Message {
                    from: Sender::Person,
                    text: "Look\n".to_owned(),
                    attachments: vec![file],
                },
                "\n## You, 2026-11-21 12:00 UTC\n\nLook\n\n*Attached: a.png*\n",
            ),
            (
                block(Block::Text { text: "A fern [1](https://fern.example/).".to_owned() }),
                "\n## Ada, 2026-11-21 12:00 UTC\n\nA fern [1](https://fern.example/).\n",
            ),
            (block(Block::ToolUse(call)), "\n**Tool** `dom`\n\n```json\n{\"a\":1}\n```\n"),
            (
                EntryBody::ToolFinished { turn: 0, result, millis: 1, denied: false },
                "\n**Error** of `dom`\n\n````\n```\nx\n```\n````\n",
            ),
            (block(Block::Reasoning { text: "Hm".to_owned(), signature: None }), ""),
            (EntryBody::said(Sender::Devices, "A phone came.".to_owned()), ""),
        ] {
            assert_eq!(entry(&at_noon(body), "Ada"), expected);
        }
    }
}

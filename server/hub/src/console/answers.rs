//! What an agent said last: the end of its conversation, as far as it answers the last message.

use crate::Hub;
use crate::error::Result;
use crate::log::{Kinds, Lineage};
use protocol::log::{Entry, EntryBody};
use protocol::model::Block;
use protocol::view::{AgentCard, ConsoleAnswer};

/// Entries in which the answer is looked for: the last words of a run with many calls stand at its end. Each may have
/// hundreds of kilobytes, and many agents are read at once.
const LAST: usize = 8;
/// Characters that are shown.
const MAX_ANSWER: usize = 4_000;
const MAX_ASKED: usize = 200;

pub(super) async fn of(hub: &Hub, card: AgentCard) -> Result<ConsoleAnswer> {
    let conversation = hub.conversations().current(&card.id).await?;
    let lineage = Lineage::of(hub.store().read(), &conversation).await?;
    let last = lineage.last(hub.store(), u64::MAX, Kinds::Spoken, LAST).await?;
    let asked = match lineage.last(hub.store(), u64::MAX, Kinds::Messages, 1).await?.pop() {
        Some(Entry { body: EntryBody::Message { text, .. }, .. }) => start(&text, MAX_ASKED).0,
        _ => String::new(),
    };
    let (answer, cut) = start(&last_answer(&last), MAX_ANSWER);
    let AgentCard { id: agent, name, colour, status, paused, .. } = card;
    Ok(ConsoleAnswer { agent, name, colour, status, paused, conversation, asked, answer, cut })
}

/// The text of the newest turn with any since the last message, of entries with the newest first.
fn last_answer(entries: &[Entry]) -> String {
    let since = entries.iter().take_while(|entry| !matches!(entry.body, EntryBody::Message { .. }));
    let mut texts: Vec<&str> = Vec::new();
    let mut of = None;
    for entry in since {
        let EntryBody::Block { turn, block: Block::Text { text }, .. } = &entry.body else { continue };
        if text.trim().is_empty() {
            continue;
        }
        if *of.get_or_insert((&entry.run, *turn)) != (&entry.run, *turn) {
            break;
        }
        texts.push(text);
    }
    texts.reverse();
    texts.concat()
}

/// The first of its characters, and whether there are more.
fn start(text: &str, most: usize) -> (String, bool) {
    let text = text.trim();
    match text.char_indices().nth(most) {
        Some((end, _)) => (format!("{}…", text[..end].trim_end()), true),
        None => (text.to_owned(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::RunId;
    use protocol::log::Sender;

    fn entry(run: &str, body: EntryBody) -> Entry {
        Entry { agent: "ada".into(), seq: 1, at: 0, conversation: None, run: Some(RunId::from(run)), body }
    }

    fn text(run: &str, turn: u32, text: &str) -> Entry {
        entry(run, EntryBody::Block { turn, index: 0, block: Block::Text { text: text.to_owned() } })
    }

    fn message() -> Entry {
        let (text, attachments) = ("Water?".to_owned(), Vec::new());
        entry("", EntryBody::Message { from: Sender::Person, text, attachments })
    }

    #[test]
    fn the_answer_is_the_last_turn_with_words_since_the_last_message() {
        // Newest first, as the log gives them.
        let cases: &[(&[Entry], &str)] = &[
            (&[], ""),
            (&[message(), text("a", 0, "Old.")], ""),
            (&[text("a", 1, "New."), text("a", 0, "First."), message()], "New."),
            (&[text("a", 1, " "), text("a", 0, "First."), message()], "First."),
            (&[text("a", 1, "lf."), text("a", 1, "Ha"), text("a", 0, "First."), message()], "Half."),
            (&[text("b", 0, "Later run."), text("a", 0, "Earlier run."), message()], "Later run."),
        ];
        for (entries, answer) in cases {
            assert_eq!(last_answer(entries), *answer, "{entries:?}");
        }
    }

    #[test]
    fn a_long_text_says_that_it_goes_on() {
        assert_eq!(start(" moss ", 4), ("moss".to_owned(), false));
        assert_eq!(start("möss fern", 5), ("möss…".to_owned(), true));
    }
}

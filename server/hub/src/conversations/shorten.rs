//! An entry as a page has it: long texts by their beginning, and what it weighs there.

use crate::error::Result;
use protocol::log::{Entry, EntryBody};
use serde_json::Value;

/// Bytes of one text that a page shows at once.
const TEXT: usize = 8 * 1024;
/// What an entry weighs beside its texts: its fields, and the elements around them.
const FRAME: usize = 700;
/// What a sign weighs that is written in another way in JSON or HTML, or that Markdown makes elements of.
const SIGN: usize = 8;

pub(super) struct Shortened {
    pub(super) entry: Entry,
    pub(super) weight: usize,
    pub(super) is_cut: bool,
}

pub(super) fn shorten(mut entry: Entry) -> Result<Shortened> {
    match &mut entry.body {
        // What a person is asked about is shown as it is.
        EntryBody::ApprovalAsked { .. } => {
            let weight = FRAME + weight_of(&serde_json::to_string(&entry.body)?);
            return Ok(Shortened { entry, weight, is_cut: false });
        }
        // What the hub keeps is only named here.
        EntryBody::ToolFinished { result, .. } => result.media.retain(|file| file.stored.is_some()),
        _ => {}
    }
    let mut body = serde_json::to_value(&entry.body)?;
    let (mut weight, mut is_cut) = (FRAME, false);
    walk(&mut body, &mut |text| {
        if text.len() > TEXT {
            is_cut = true;
            let whole = text.len();
            text.truncate(text.floor_char_boundary(TEXT));
            text.push_str(&format!("…\n\n[The beginning of {whole} bytes.]"));
        }
        weight += weight_of(text);
    });
    if is_cut {
        entry.body = serde_json::from_value(body)?;
    }
    Ok(Shortened { entry, weight, is_cut })
}

fn walk(value: &mut Value, see: &mut impl FnMut(&mut String)) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => see(text),
        Value::Array(values) => values.iter_mut().for_each(|value| walk(value, see)),
        Value::Object(fields) => fields.values_mut().for_each(|value| walk(value, see)),
    }
}

/// A text stands in a page twice: as what is read, and in the data that the browser goes on from.
fn weight_of(text: &str) -> usize {
    let signs = text.bytes().filter(|byte| byte.is_ascii_punctuation() || byte.is_ascii_control()).count();
    2 * text.len() + SIGN * signs
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::AgentId;
    use protocol::log::Sender;

    fn said(text: &str) -> Entry {
        let body = EntryBody::said(Sender::Person, text.to_owned());
        Entry { agent: AgentId::from("ada"), seq: 1, at: 0, conversation: None, run: None, body }
    }

    #[test]
    fn a_short_text_is_shown_whole_and_of_a_long_one_the_beginning() {
        for (text, is_cut) in [("Hello".to_owned(), false), ("é".repeat(200_000), true)] {
            let shortened = shorten(said(&text)).unwrap();
            let EntryBody::Message { text: shown, .. } = &shortened.entry.body else { unreachable!() };
            assert_eq!(shortened.is_cut, is_cut);
            assert!(shown.len() <= TEXT + 100 && shortened.weight <= FRAME + 4 * TEXT);
            assert!(shown.starts_with(text.get(..TEXT).unwrap_or(&text)));
        }
    }
}

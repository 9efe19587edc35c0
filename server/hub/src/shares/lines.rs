//! An entry as the reader of a shared conversation has it: what was said, and which tool was used. What a tool was
//! called with and gave is what the agent keeps and looks at, and stays its owner's.

use protocol::Attachment;
use protocol::log::{CallEvent, Class, Entry, ReplyEvent, Sender};
use protocol::model::Block;
use protocol::view::{SharedLine, SharedSpeaker, SharedWords};

/// Nothing for what nobody said or did. `is_cut`: of a long text in it only the beginning is there.
pub(super) fn of_entry(entry: &Entry, is_cut: bool) -> Option<SharedLine> {
    let said = match entry.body.class() {
        Class::Said { from, text, attachments } => message(speaker(from)?, text, attachments),
        Class::Reply(ReplyEvent::Block { block: Block::Text { text }, .. }) if !text.trim().is_empty() => {
            SharedWords::Answer { text: text.clone() }
        }
        Class::Call(CallEvent::Finished { result, .. }) => {
            let tool = SharedWords::Tool { name: result.name.clone(), failed: result.is_error };
            return Some(SharedLine { seq: entry.seq, at: entry.at, said: tool, is_cut: false });
        }
        Class::Run(_)
        | Class::Reply(_)
        | Class::Call(_)
        | Class::Loop(_)
        | Class::Compaction(_)
        | Class::HubNotice { .. }
        | Class::Used { .. }
        | Class::Agent(_) => return None,
    };
    Some(SharedLine { seq: entry.seq, at: entry.at, said, is_cut })
}

fn message(from: SharedSpeaker, text: &str, attachments: &[Attachment]) -> SharedWords {
    let attached = attachments.iter().map(|file| file.name.clone()).collect();
    SharedWords::Message { from, text: text.to_owned(), attached }
}

/// `None`: it is about the owner's devices, page and context, and no part of the talk.
fn speaker(from: &Sender) -> Option<SharedSpeaker> {
    Some(match from {
        Sender::Person => SharedSpeaker::Owner,
        Sender::Program { name, relays: false } => SharedSpeaker::Program { name: name.clone() },
        Sender::Program { name, relays: true } => SharedSpeaker::Relay { name: name.clone() },
        Sender::PageNotify { .. } | Sender::PageAsk | Sender::PageEmit { .. } => SharedSpeaker::Page,
        Sender::Rule { .. } => SharedSpeaker::Rule,
        Sender::Agent { name, .. } => SharedSpeaker::Agent { name: name.clone() },
        Sender::Schedule { name, .. } | Sender::Trigger { name, .. } => {
            SharedSpeaker::Schedule { name: name.clone() }
        }
        Sender::PageErrors
        | Sender::Job { .. }
        | Sender::Devices
        | Sender::Todo
        | Sender::Rating
        | Sender::Context { .. } => {
            return None;
        }
    })
}

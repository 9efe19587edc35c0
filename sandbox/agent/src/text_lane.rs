//! Tools for models that know none: written into the prompt, called in the model's own text, and
//! turned into the events that a native codec gives. It lies between the loop and a codec.

use crate::providers::reply::Reply;
use crate::providers::{form, outgoing};
use protocol::model::{
    Block, BlockKind, Media, ModelEvent, ModelMessage, ModelRequest, Source, ToolCall, ToolChoice,
    ToolResult, ToolSpec,
};
use scanner::{Fragment, Scanner};
use serde_json::json;
use std::collections::BTreeMap;

mod balance;
mod calls;
mod effort;
mod progress;
mod scanner;
mod xml;

const TEMPLATE: &str = include_str!("../prompt/text_lane.md");

/// The same request in text alone. A server that held the answer to a form would let no call through.
pub fn encode(request: &ModelRequest) -> ModelRequest {
    let put;
    let request = if request.tools.is_empty() {
        request
    } else {
        put = form::in_words(request, None);
        &put
    };
    let mut messages: Vec<ModelMessage> = Vec::new();
    for message in &request.messages {
        match message {
            ModelMessage::User { text, media } => push_user(&mut messages, text, media),
            ModelMessage::Assistant { blocks } => {
                messages.push(ModelMessage::Assistant { blocks: blocks.iter().map(written).collect() });
            }
            ModelMessage::Tools { results } => {
                let texts: Vec<String> = results.iter().map(write_result).collect();
                let media: Vec<Media> = results.iter().flat_map(|result| result.media.clone()).collect();
                push_user(&mut messages, &texts.join("\n"), &media);
            }
        }
    }
    let mut system = outgoing::with_required_call(request).into_owned();
    if !request.tools.is_empty() {
        let tools: Vec<String> = request.tools.iter().map(describe).collect();
        system = format!("{system}\n\n{}", TEMPLATE.trim_end().replace("{{tools}}", &tools.join("\n\n")));
    }
    ModelRequest {
        system,
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        messages: messages.into(),
        ..request.clone()
    }
}

/// Neighbours become one message: strict templates want the roles to alternate.
fn push_user(messages: &mut Vec<ModelMessage>, text: &str, media: &[Media]) {
    if let Some(ModelMessage::User { text: last, media: known }) = messages.last_mut() {
        last.push_str("\n\n");
        last.push_str(text);
        known.extend_from_slice(media);
    } else {
        messages.push(ModelMessage::User { text: text.to_owned(), media: media.to_vec() });
    }
}

fn written(block: &Block) -> Block {
    match block {
        Block::Text { .. } | Block::Reasoning { .. } => block.clone(),
        Block::ToolUse(ToolCall { name, input, .. }) => {
            let call = json!({ "name": name, "arguments": input });
            Block::Text { text: format!("\n<tool_call>{call}</tool_call>") }
        }
    }
}

/// What a tool found may not end its own frame.
fn write_result(result: &ToolResult) -> String {
    let content = result.content.replace("</tool_result", "<\\/tool_result");
    let mark = if result.is_error { " error=\"true\"" } else { "" };
    format!("<tool_result name=\"{}\"{mark}>\n{content}\n</tool_result>", result.name)
}

fn describe(tool: &ToolSpec) -> String {
    format!("## {}\n\n{}\n\n{}", tool.name, tool.description.trim(), tool.input_schema)
}

/// Reads calls out of a model's text. Nothing else is ever read for calls.
#[derive(Debug)]
pub struct Lane {
    tools: Vec<ToolSpec>,
    reply: Reply,
    blocks: BTreeMap<u32, DeltaTarget>,
}

/// Where the deltas of the codec's block go.
#[derive(Debug)]
enum DeltaTarget {
    Text(Scanner, Option<u32>),
    /// As it is, under another index.
    Same(u32),
}

impl Lane {
    /// `request` as it was before [`encode`].
    pub fn answering(request: &ModelRequest) -> Self {
        let mut reply = Reply::default();
        for message in &request.messages {
            let ModelMessage::Assistant { blocks } = message else { continue };
            for block in blocks {
                if let Block::ToolUse(call) = block {
                    reply.reserve_call_id(&call.id);
                }
            }
        }
        // A model that was told not to call anything is taken at its word.
        let tools = match request.tool_choice {
            ToolChoice::Auto | ToolChoice::Required => request.tools.clone(),
            ToolChoice::None => Vec::new(),
        };
        Self { tools, reply, blocks: BTreeMap::new() }
    }

    /// Takes the next events of the codec.
    pub fn take(&mut self, events: Vec<ModelEvent>) -> Vec<ModelEvent> {
        events.into_iter().for_each(|event| self.take_one(event));
        self.reply.take_events()
    }

    fn take_one(&mut self, event: ModelEvent) {
        let Self { tools, reply, blocks } = self;
        match event {
            ModelEvent::BlockStarted { index, kind } => {
                let place = match kind {
                    BlockKind::Text => DeltaTarget::Text(Scanner::default(), None),
                    BlockKind::Reasoning => DeltaTarget::Same(reply.open_reasoning()),
                    BlockKind::ToolUse { id, name } => DeltaTarget::Same(reply.open_call(&id.0, &name)),
                };
                blocks.insert(index, place);
            }
            ModelEvent::Delta { index, text } => match blocks.get_mut(&index) {
                Some(DeltaTarget::Text(scanner, open)) => {
                    reply.note_content();
                    reply.release(|reply| {
                        for found in scanner.push(&text, tools) {
                            tell(found, open, reply);
                        }
                    });
                }
                Some(DeltaTarget::Same(own)) => reply.append(*own, &text),
                None => {}
            },
            ModelEvent::BlockFinished { index, block } => {
                if let Some(place) = blocks.remove(&index) {
                    reply.release(|reply| close(place, &block, tools, reply));
                }
            }
            ModelEvent::Usage { usage } => {
                reply.count(usage);
                reply.end_event();
            }
            ModelEvent::Cited { sources, searches } => {
                reply.note_searches(searches as usize);
                for Source { url, title, text, date } in &sources {
                    if let Some(number) = reply.cite(url, title) {
                        reply.describe(number, text, date);
                    }
                }
            }
            ModelEvent::Unknown { what } => reply.note_unknown(what),
            ModelEvent::Stopped { reason } => reply.stop(reason),
            ModelEvent::Failed { failure } => reply.fail(failure),
        }
    }
}

fn close(place: DeltaTarget, block: &Block, tools: &[ToolSpec], reply: &mut Reply) {
    match place {
        DeltaTarget::Text(mut scanner, mut open) => {
            for found in scanner.finish(tools) {
                tell(found, &mut open, reply);
            }
            open.into_iter().for_each(|index| reply.close(index));
        }
        DeltaTarget::Same(index) => {
            if let Block::Reasoning { signature: Some(signature), .. } = block {
                reply.sign(index, "", signature);
            }
            reply.close(index);
        }
    }
}

fn tell(found: Fragment, open: &mut Option<u32>, reply: &mut Reply) {
    match found {
        Fragment::Text(text) => {
            let index = *open.get_or_insert_with(|| reply.open_text());
            reply.append(index, &text);
        }
        Fragment::Call { name, input } => {
            open.take().into_iter().for_each(|index| reply.close(index));
            let index = reply.open_call("", &name);
            reply.append(index, &input);
            reply.close(index);
        }
    }
}

#[cfg(test)]
mod tests;

//! The script as a stream, at the speed of somebody who speaks.

mod script;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use protocol::model::{Block, BlockKind, ModelEvent, ModelRequest, StopReason};
use script::next_reply;
use std::collections::VecDeque;
use std::time::Duration;

/// From word to word.
pub(crate) const PACE: Duration = Duration::from_millis(20);
/// Bytes of a tool's input in one piece.
const PIECE: usize = 512;

/// The reply to the request, a word every `pace`.
pub(crate) fn stream(request: &ModelRequest, pace: Duration) -> BoxStream<'static, ModelEvent> {
    let events: VecDeque<ModelEvent> = events(next_reply(request)).into();
    stream::unfold(events, move |mut events| async move {
        let event = events.pop_front()?;
        if !pace.is_zero() {
            tokio::time::sleep(pace).await;
        }
        Some((event, events))
    })
    .boxed()
}

fn events(blocks: Vec<Block>) -> Vec<ModelEvent> {
    let uses_tools = blocks.iter().any(|block| matches!(block, Block::ToolUse(_)));
    let reason = if uses_tools { StopReason::ToolUse } else { StopReason::EndTurn };
    (0..)
        .zip(blocks)
        .flat_map(|(index, block)| {
            let (kind, pieces) = in_pieces(&block);
            let started = ModelEvent::BlockStarted { index, kind };
            let deltas = pieces.into_iter().map(move |text| ModelEvent::Delta { index, text });
            let finished = ModelEvent::BlockFinished { index, block };
            [started].into_iter().chain(deltas).chain([finished])
        })
        .chain([ModelEvent::Stopped { reason }])
        .collect()
}

fn in_pieces(block: &Block) -> (BlockKind, Vec<String>) {
    match block {
        Block::Text { text } => (BlockKind::Text, text.split_inclusive(' ').map(str::to_owned).collect()),
        Block::Reasoning { text, .. } => (BlockKind::Reasoning, vec![text.clone()]),
        Block::ToolUse(call) => {
            let kind = BlockKind::ToolUse { id: call.id.clone(), name: call.name.clone() };
            let mut pieces = vec![String::new()];
            for char in call.input.to_string().chars() {
                match pieces.last_mut() {
                    Some(piece) if piece.len() < PIECE => piece.push(char),
                    Some(_) | None => pieces.push(char.into()),
                }
            }
            (kind, pieces)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::model::{ModelMessage, ToolCall, ToolChoice, ToolResult};
    use serde_json::json;

    #[tokio::test]
    async fn the_pieces_of_a_block_make_the_block() {
        let long = json!({ "html": "é".repeat(2000) });
        let blocks = vec![
            Block::Text { text: "Two words\n\nand two".to_owned() },
            Block::ToolUse(ToolCall { id: "draw-1".into(), name: "dom".to_owned(), input: long.clone() }),
        ];
        let events = events(blocks.clone());
        let mut said = vec![String::new(); 2];
        let mut finished = Vec::new();
        for event in &events {
            match event {
                ModelEvent::Delta { index, text } => said[*index as usize].push_str(text),
                ModelEvent::BlockFinished { block, .. } => finished.push(block.clone()),
                ModelEvent::BlockStarted { .. } | ModelEvent::Stopped { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(finished, blocks);
        assert_eq!(said, ["Two words\n\nand two".to_owned(), long.to_string()]);
        assert_eq!(events.last(), Some(&ModelEvent::Stopped { reason: StopReason::ToolUse }));
    }

    #[tokio::test]
    async fn a_reply_without_calls_ends_the_turn() {
        let request = ModelRequest {
            model: "guide".to_owned(),
            system: String::new(),
            tools: Vec::new(),
            messages: vec![ModelMessage::Tools {
                results: vec![ToolResult {
                    call: "draw-1".into(),
                    name: "dom".to_owned(),
                    content: String::new(),
                    media: Vec::new(),
                    is_error: true,
                }],
            }]
            .into(),
            max_output_tokens: 1,
            tool_choice: ToolChoice::Auto,
            effort: None,
            sampling: Box::default(),
        };
        let events: Vec<_> = stream(&request, Duration::ZERO).collect().await;
        assert_eq!(events.last(), Some(&ModelEvent::Stopped { reason: StopReason::EndTurn }));
        assert_eq!(events.iter().filter(|event| matches!(event, ModelEvent::Stopped { .. })).count(), 1);
    }
}

//! Which of its tools a run's model is told of, and which it finds.

use agent::tools;
use protocol::model::ToolSpec;

/// So many of the tools that an agent made, and of those of MCP servers, are told at once.
const OTHERS_AT_HAND: usize = 8;

pub(super) struct Offer {
    pub(super) at_hand: Vec<ToolSpec>,
    pub(super) deferred: Vec<ToolSpec>,
}

impl Offer {
    /// `own` are ours. Who does not have `tool_search` gets it where servers bring too many, or ours take more
    /// room than a model with this context has for them; its own tools are found only if its person chose it.
    pub(super) fn of(
        own: Vec<ToolSpec>,
        mut made: Vec<ToolSpec>,
        mut elsewhere: Vec<ToolSpec>,
        context_tokens: u32,
    ) -> Self {
        let room = tools::room(context_tokens);
        let mut at_hand = own;
        let mut finds_tools = at_hand.iter().any(|tool| tool.name == tools::SEARCH);
        if !finds_tools && (elsewhere.len() > OTHERS_AT_HAND || !tools::fit(&at_hand, room)) {
            finds_tools = true;
            let names = at_hand.into_iter().map(|tool| tool.name);
            at_hand = tools::specs(&names.chain([tools::SEARCH.to_owned()]).collect::<Vec<_>>());
        }
        let mut deferred = Vec::new();
        if finds_tools {
            deferred = tools::defer(&mut at_hand, room);
            deferred.extend(made.split_off(made.len().min(OTHERS_AT_HAND)));
            deferred.extend(elsewhere.split_off(elsewhere.len().min(OTHERS_AT_HAND)));
        }
        at_hand.extend(made);
        at_hand.extend(elsewhere);
        Self { at_hand, deferred }
    }
}

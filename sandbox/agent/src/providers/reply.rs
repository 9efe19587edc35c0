//! The reply that a codec puts together: blocks in order, ids, usage, one end. It knows no wire.

use protocol::CallId;
use protocol::model::{
    Block, BlockKind, ModelEvent, ModelFailure, ModelFailureKind, Source, StopReason, ToolCall, Usage,
};
use protocol::{told, words};
use serde_json::{Map, Value};
use std::collections::{BTreeSet, VecDeque};

pub(crate) const BLOCK_LIMIT: u32 = 4096;
/// Bytes of a reply: ten times what the longest one is that a model is known to give.
const TEXT_LIMIT: usize = 8 * 1024 * 1024;

/// Pages of one reply, and letters of a title, of what is taken from a page, of a date, and of an address.
const SOURCE_LIMIT: usize = 100;
const TITLE_LIMIT: usize = 300;
const QUOTE_LIMIT: usize = 600;
const DATE_LIMIT: usize = 40;
const URL_LIMIT: usize = 2000;

/// After the end, every call is without effect.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    events: Vec<ModelEvent>,
    /// Blocks that have not been told as finished, the first of which has index `first`.
    open: VecDeque<Open>,
    first: u32,
    call_ids: BTreeSet<String>,
    has_calls: bool,
    counted: Option<Counted>,
    /// What the provider's own search found.
    sources: Vec<Source>,
    searches: u32,
    text_bytes: usize,
    is_ended: bool,
}

/// The provider's last totals. Whoever books them adds what was said after they were told, so they are told
/// after all that they count.
#[derive(Debug)]
struct Counted {
    usage: Usage,
    /// Nothing has come since that they do not count.
    is_whole: bool,
    /// They came with what is being read, all of which they count.
    is_of_this_event: bool,
    /// They were told, and nothing that they count after them.
    is_told: bool,
}

#[derive(Debug)]
struct Open {
    block: Block,
    /// For a tool call, its arguments so far.
    input: String,
    is_closed: bool,
}

impl Reply {
    /// No call of this reply gets this id.
    pub(crate) fn reserve_call_id(&mut self, id: &CallId) {
        self.call_ids.insert(id.0.clone());
    }

    pub(crate) fn open_text(&mut self) -> u32 {
        let text = String::new();
        self.open(BlockKind::Text, Block::Text { text })
    }

    pub(crate) fn open_reasoning(&mut self) -> u32 {
        let block = Block::Reasoning { text: String::new(), signature: None };
        self.open(BlockKind::Reasoning, block)
    }

    /// A missing or repeated `id` is replaced by one of its own.
    pub(crate) fn open_call(&mut self, id: &str, name: &str) -> u32 {
        let id = CallId(self.unique_call_id(id));
        self.has_calls = true;
        let kind = BlockKind::ToolUse { id: id.clone(), name: name.to_owned() };
        let block = Block::ToolUse(ToolCall { id, name: name.to_owned(), input: Value::Null });
        self.open(kind, block)
    }

    /// More text, reasoning or arguments.
    pub(crate) fn append(&mut self, index: u32, piece: &str) {
        if piece.is_empty() || !self.admit(piece.len()) {
            return;
        }
        let Some(open) = self.open_at(index) else {
            return;
        };
        match &mut open.block {
            Block::Text { text } | Block::Reasoning { text, .. } => text.push_str(piece),
            Block::ToolUse(_) => open.input.push_str(piece),
        }
        self.events.push(ModelEvent::Delta { index, text: piece.to_owned() });
        self.note_content();
        if let Some(counted) = &mut self.counted {
            counted.is_told = false;
        }
    }

    /// Something came that is told now or held back.
    pub(crate) fn note_content(&mut self) {
        if let Some(counted) = &mut self.counted {
            counted.is_whole &= counted.is_of_this_event;
        }
    }

    /// Tells what was heard before: totals that came since count it.
    pub(crate) fn release(&mut self, tell: impl FnOnce(&mut Self)) {
        let is_whole = self.counted.as_ref().is_some_and(|counted| counted.is_whole);
        tell(self);
        if let Some(counted) = &mut self.counted {
            counted.is_whole |= is_whole;
        }
    }

    /// More of the signature of a reasoning block. `wire` begins it, and ends in a colon.
    pub(crate) fn sign(&mut self, index: u32, wire: &str, piece: &str) {
        if piece.is_empty() || !self.admit(piece.len()) {
            return;
        }
        let Some(open) = self.open_at(index) else {
            return;
        };
        if let Block::Reasoning { signature, .. } = &mut open.block {
            signature.get_or_insert_with(|| wire.to_owned()).push_str(piece);
        }
    }

    /// A signature of what comes next.
    pub(crate) fn sign_next(&mut self, wire: &str, signature: &str) {
        if !signature.is_empty() {
            let index = self.open_reasoning();
            self.sign(index, wire, signature);
            self.close(index);
        }
    }

    /// Brings a block to the whole text that the server told at its end, as far as it goes on from
    /// what was streamed.
    #[cfg(feature = "cloud")]
    pub(crate) fn complete(&mut self, index: u32, whole: &str) {
        let Some(open) = self.open_at(index) else {
            return;
        };
        let so_far = match &open.block {
            Block::Text { text } | Block::Reasoning { text, .. } => text,
            Block::ToolUse(_) => &open.input,
        };
        if let Some(rest) = whole.strip_prefix(so_far.as_str()) {
            let rest = rest.to_owned();
            self.append(index, &rest);
        }
    }

    /// The block is whole. It is told as finished once all blocks before it are.
    pub(crate) fn close(&mut self, index: u32) {
        if let Some(open) = self.open_at(index) {
            open.is_closed = true;
        }
        while self.open.front().is_some_and(|open| open.is_closed) {
            let Some(open) = self.open.pop_front() else {
                return;
            };
            let mut block = open.block;
            if let Block::ToolUse(call) = &mut block {
                call.input = read_input(open.input);
            }
            self.events.push(ModelEvent::BlockFinished { index: self.first, block });
            self.first += 1;
        }
    }

    /// Whether nothing has been written to an open block.
    pub(crate) fn is_empty(&self, index: u32) -> bool {
        let position = index.checked_sub(self.first);
        let open = position.and_then(|position| self.open.get(position as usize));
        open.is_some_and(|open| match &open.block {
            Block::Text { text } => text.is_empty(),
            Block::Reasoning { text, signature } => text.is_empty() && signature.is_none(),
            Block::ToolUse(_) => open.input.is_empty(),
        })
    }

    pub(crate) fn has_blocks(&self) -> bool {
        self.next_index() > 0
    }

    /// The arguments of a call that is still open.
    pub(crate) fn input(&self, index: u32) -> &str {
        let position = index.checked_sub(self.first);
        position.and_then(|position| self.open.get(position as usize)).map_or("", |open| &open.input)
    }

    /// Totals so far, with all that the event brings in which they come.
    pub(crate) fn count(&mut self, usage: Usage) {
        let known = self.counted.as_ref();
        let is_told = known.is_some_and(|known| known.is_told && known.usage == usage);
        self.counted = Some(Counted { usage, is_whole: true, is_of_this_event: true, is_told });
    }

    /// All of an event of the wire has been taken in.
    pub(crate) fn end_event(&mut self) {
        self.tell_count();
        if let Some(counted) = &mut self.counted {
            counted.is_of_this_event = false;
        }
    }

    /// A page that the reply comes from. Its number, counted from 1; `None` for what is no page of the web.
    pub(crate) fn cite(&mut self, url: &str, title: &str) -> Option<usize> {
        let url = linkable(url)?;
        if let Some(known) = self.sources.iter().position(|source| source.url == url) {
            return Some(known + 1);
        }
        if self.sources.len() >= SOURCE_LIMIT {
            return None;
        }
        self.sources.push(Source { url, title: line(title, TITLE_LIMIT), ..Source::default() });
        Some(self.sources.len())
    }

    /// What is known of a page besides, as far as it was not told before.
    pub(crate) fn describe(&mut self, number: usize, quote: &str, date: &str) {
        let Some(source) = number.checked_sub(1).and_then(|at| self.sources.get_mut(at)) else { return };
        if source.text.is_empty() {
            source.text = line(quote, QUOTE_LIMIT);
        }
        if source.date.is_empty() {
            source.date = line(date, DATE_LIMIT);
        }
    }

    /// The provider searched so often more.
    pub(crate) fn note_searches(&mut self, times: usize) {
        self.searches = self.searches.saturating_add(u32::try_from(times).unwrap_or(u32::MAX));
    }

    /// Links to a page behind what came of it.
    pub(crate) fn link(&mut self, index: u32, url: &str, title: &str) -> Option<usize> {
        let number = self.cite(url, title)?;
        let link = format!(" [{number}]({})", self.sources[number - 1].url);
        self.append(index, &link);
        Some(number)
    }

    pub(crate) fn note_unknown(&mut self, what: String) {
        if !self.is_ended {
            self.events.push(ModelEvent::Unknown { what });
        }
    }

    /// The reply is whole. Tool calls make an ordinary end one for tools, and the other way round.
    pub(crate) fn stop(&mut self, reason: StopReason) {
        if self.is_ended {
            return;
        }
        for index in self.first..self.next_index() {
            self.close(index);
        }
        let reason = match (reason, self.has_calls) {
            (StopReason::EndTurn, true) => StopReason::ToolUse,
            (StopReason::ToolUse, false) => StopReason::EndTurn,
            (reason, _) => reason,
        };
        if !self.sources.is_empty() || self.searches > 0 {
            let (sources, searches) = (std::mem::take(&mut self.sources), self.searches);
            self.events.push(ModelEvent::Cited { sources, searches });
        }
        self.tell_count();
        self.is_ended = true;
        self.events.push(ModelEvent::Stopped { reason });
    }

    pub(crate) fn fail(&mut self, failure: ModelFailure) {
        if self.is_ended {
            return;
        }
        self.tell_count();
        self.is_ended = true;
        self.events.push(ModelEvent::Failed { failure });
    }

    /// `problem` is a clause: what in the stream is not the wire's format.
    pub(crate) fn fail_malformed(&mut self, problem: &str) {
        self.fail(ModelFailure {
            kind: ModelFailureKind::Malformed,
            message: told!(
                "The provider's reply cannot be read: {problem}. Try again, or check the \
                 provider's kind and base URL."
            ),
            retry_after_ms: None,
        });
    }

    pub(crate) fn is_ended(&self) -> bool {
        self.is_ended
    }

    pub(crate) fn take_events(&mut self) -> Vec<ModelEvent> {
        std::mem::take(&mut self.events)
    }

    fn tell_count(&mut self) {
        if self.is_ended {
            return;
        }
        if let Some(counted) = self.counted.as_mut().filter(|counted| counted.is_whole && !counted.is_told) {
            counted.is_told = true;
            let usage = counted.usage;
            self.events.push(ModelEvent::Usage { usage });
        }
    }

    fn open(&mut self, kind: BlockKind, block: Block) -> u32 {
        let index = self.next_index();
        if index >= BLOCK_LIMIT {
            self.fail_malformed(words!("it has more than 4096 blocks"));
        }
        if self.is_ended {
            return index;
        }
        self.open.push_back(Open { block, input: String::new(), is_closed: false });
        self.events.push(ModelEvent::BlockStarted { index, kind });
        index
    }

    fn next_index(&self) -> u32 {
        self.first + self.open.len() as u32
    }

    fn open_at(&mut self, index: u32) -> Option<&mut Open> {
        if self.is_ended {
            return None;
        }
        let position = index.checked_sub(self.first)? as usize;
        self.open.get_mut(position).filter(|open| !open.is_closed)
    }

    fn admit(&mut self, bytes: usize) -> bool {
        self.text_bytes += bytes;
        if self.text_bytes > TEXT_LIMIT {
            self.fail_malformed(words!("it is larger than 8 MiB"));
        }
        !self.is_ended
    }

    fn unique_call_id(&mut self, id: &str) -> String {
        let id = match id {
            "" => format!("call_{}", self.next_index()),
            id => id.to_owned(),
        };
        let mut unique = id.clone();
        let mut copy = 2;
        while !self.call_ids.insert(unique.clone()) {
            unique = format!("{id}_{copy}");
            copy += 1;
        }
        unique
    }
}

/// The text on one line, without signs that are none.
fn line(text: &str, most: usize) -> String {
    let words = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    words.take(most).collect::<String>().trim().to_owned()
}

/// The address as it may stand in a link of Markdown.
fn linkable(url: &str) -> Option<String> {
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    if !is_web || url.len() > URL_LIMIT || url.chars().any(|letter| letter.is_control()) {
        return None;
    }
    let parts = [(" ", "%20"), ("(", "%28"), (")", "%29"), ("<", "%3C"), (">", "%3E")];
    Some(parts.iter().fold(url.to_owned(), |url, (plain, written)| url.replace(plain, written)))
}

/// No arguments are an empty object; what is no object is kept as its raw text.
fn read_input(raw: String) -> Value {
    if raw.trim().is_empty() {
        return Value::Object(Map::new());
    }
    match serde_json::from_str(&raw) {
        Ok(Value::Object(input)) => Value::Object(input),
        Ok(Value::Null) => Value::Object(Map::new()),
        Ok(_) | Err(_) => Value::String(raw),
    }
}

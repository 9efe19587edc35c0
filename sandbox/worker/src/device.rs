//! The model of a run that is on the person's device: a request becomes the body of one fetch, which
//! the shell makes, and its answer becomes model events. One call at a time.

mod call;

use agent::context::Size;
use agent::providers::{Wire, in_browser};
use agent::text_lane;
use call::Call;
use protocol::frame::{FetchPart, FromWorker};
use protocol::hub::{OnDevice, Purpose, RunSpec};
use protocol::model::{Block, ModelEvent, ModelRequest, Usage};
use protocol::view::ProviderKind;

pub(crate) struct Device {
    format: Format,
    native_tools: bool,
    /// The shell takes the key out of what the model says before the run takes it in.
    has_key: bool,
    /// Tokens that the model takes.
    context: u32,
    /// Counts the calls. An answer to an earlier one is late.
    last: u64,
    current: Option<Current>,
}

/// What a model on a device is asked in.
#[derive(Clone)]
enum Format {
    /// Servers of one wire differ by where they are.
    Server { wire: Wire, address: String },
    /// The browser's own model, which the shell prompts.
    InBrowser,
}

struct Current {
    asked: Asked,
    call: Call,
}

/// What a call is for.
pub(crate) enum Asked {
    Turn(u32),
    Aside { turn: u32, purpose: Purpose, heard: Heard },
}

/// What a call on the side has brought so far.
#[derive(Default)]
pub(crate) struct Heard {
    text: String,
    usage: Option<Usage>,
}

/// What came of a part of an answer.
pub(crate) enum Came {
    Event { turn: u32, event: ModelEvent },
    Aside { turn: u32, purpose: Purpose, usage: Option<Usage>, text: Option<String> },
}

impl Asked {
    pub(crate) fn aside(turn: u32, purpose: Purpose) -> Self {
        Self::Aside { turn, purpose, heard: Heard::default() }
    }
}

impl Device {
    /// `None` for a run whose model the hub calls.
    pub(crate) fn of(spec: &RunSpec) -> Option<Self> {
        let OnDevice { kind, address, key } = spec.on_device.clone()?;
        let format = if kind == ProviderKind::InBrowser {
            Format::InBrowser
        } else {
            Format::Server { wire: Wire::of(kind)?, address }
        };
        let native_tools = match &format {
            Format::Server { .. } => spec.native_tools,
            Format::InBrowser => false,
        };
        let has_key = key.is_some();
        Some(Self { format, native_tools, has_key, context: spec.context_tokens, last: 0, current: None })
    }

    /// Begins a call. One that is under way is given up by that.
    pub(crate) fn begin(
        &mut self,
        asked: Asked,
        request: &ModelRequest,
        deadline_ms: Option<u64>,
    ) -> FromWorker {
        self.last += 1;
        let (call, body) = match &self.format {
            Format::Server { wire, address } => {
                let encoded = if self.native_tools {
                    wire.encode(Some(address), request)
                } else {
                    wire.encode(Some(address), &text_lane::encode(request))
                };
                let body = String::from_utf8(encoded.body).expect("these wires send JSON");
                (Call::new(*wire, request, self.native_tools), body)
            }
            Format::InBrowser => {
                let body = serde_json::to_string(&in_browser::encode(request)).expect("a call is JSON");
                (Call::in_browser(request), body)
            }
        };
        self.current = Some(Current { asked, call });
        let tokens = Size::of(request).at_most(self.context);
        FromWorker::Fetch { call: self.last, body, tokens, deadline_ms }
    }

    /// Gives up the call under way.
    pub(crate) fn abort(&mut self) -> Option<FromWorker> {
        self.current.take().map(|_| FromWorker::AbortFetch { call: self.last })
    }

    /// Whether more of this call is expected.
    pub(crate) fn expects(&self, call: u64) -> bool {
        self.current.is_some() && self.last == call
    }

    pub(crate) fn has_key(&self) -> bool {
        self.has_key
    }

    /// What a part says.
    pub(crate) fn decode(&mut self, call: u64, part: FetchPart) -> Vec<ModelEvent> {
        let current = self.current.as_mut().filter(|_| self.last == call);
        current.map(|current| current.call.take(part)).unwrap_or_default()
    }

    /// Takes in what was said. After the last of it the call is over.
    pub(crate) fn take(&mut self, call: u64, events: Vec<ModelEvent>) -> Vec<Came> {
        let Some(current) = self.current.as_mut().filter(|_| self.last == call) else { return Vec::new() };
        events.into_iter().filter_map(|event| current.asked.hear(event)).collect()
    }

    /// The call is over.
    pub(crate) fn end(&mut self, call: u64) {
        if self.last == call {
            self.current = None;
        }
    }
}

impl Asked {
    fn hear(&mut self, event: ModelEvent) -> Option<Came> {
        match self {
            Self::Turn(turn) => Some(Came::Event { turn: *turn, event }),
            Self::Aside { turn, purpose, heard } => {
                let text = heard.out(event)?;
                Some(Came::Aside { turn: *turn, purpose: *purpose, usage: heard.usage, text })
            }
        }
    }
}

impl Heard {
    /// The text of the whole reply once it is there; `Some(None)` if it failed.
    fn out(&mut self, event: ModelEvent) -> Option<Option<String>> {
        match event {
            ModelEvent::BlockFinished { block: Block::Text { text }, .. } => {
                self.text.push_str(&text);
                None
            }
            ModelEvent::Usage { usage } => {
                self.usage = Some(usage);
                None
            }
            ModelEvent::Stopped { .. } => Some(Some(std::mem::take(&mut self.text))),
            ModelEvent::Failed { .. } => Some(None),
            ModelEvent::BlockStarted { .. }
            | ModelEvent::Delta { .. }
            | ModelEvent::BlockFinished { .. }
            | ModelEvent::Unknown { .. } => None,
        }
    }
}

impl Came {
    /// Whether nothing more comes of the call.
    pub(crate) fn is_last(&self) -> bool {
        matches!(
            self,
            Self::Aside { .. }
                | Self::Event { event: ModelEvent::Stopped { .. } | ModelEvent::Failed { .. }, .. }
        )
    }
}

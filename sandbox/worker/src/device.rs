//! The model of a run that is on the person's device: a request becomes the body of one fetch, which
//! the shell makes, and its answer becomes model events. One call at a time.

mod call;

use agent::context::Size;
use agent::providers::{Named, Wire, in_browser, naming_files};
use agent::text_lane;
use call::DecodingCall;
use protocol::agent::ProviderKind;
use protocol::frame::{FetchPart, FromWorker};
use protocol::model::Purpose;
use protocol::model::{Block, ModelEvent, ModelRequest, Usage};
use protocol::run::{OnDevice, RunSpec};

pub(crate) struct Device {
    format: Format,
    native_tools: bool,
    /// The shell takes the key out of what the model says before the run takes it in.
    has_key: bool,
    sees: bool,
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
    asked: CallPurpose,
    call: DecodingCall,
}

/// What a call is for.
pub(crate) enum CallPurpose {
    Turn(u32),
    Aside { turn: u32, purpose: Purpose, heard: AsideProgress },
}

/// What a call on the side has brought so far.
#[derive(Default)]
pub(crate) struct AsideProgress {
    text: String,
    usage: Option<Usage>,
}

/// What came of a part of an answer.
pub(crate) enum DeviceEvent {
    Event { turn: u32, event: ModelEvent },
    Aside { turn: u32, purpose: Purpose, usage: Option<Usage>, text: Option<String> },
}

impl CallPurpose {
    pub(crate) fn aside(turn: u32, purpose: Purpose) -> Self {
        Self::Aside { turn, purpose, heard: AsideProgress::default() }
    }
}

impl Device {
    /// `None` for a run whose model the hub calls.
    pub(crate) fn of(spec: &RunSpec) -> Option<Self> {
        let OnDevice { kind, address, key, sees } = spec.on_device.clone()?;
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
        // The browser's own is prompted with text alone.
        let sees = sees && kind != ProviderKind::InBrowser;
        let context = spec.context_tokens;
        Some(Self { format, native_tools, has_key, sees, context, last: 0, current: None })
    }

    /// Begins a call. One that is under way is given up by that.
    pub(crate) fn begin(
        &mut self,
        asked: CallPurpose,
        request: &ModelRequest,
        deadline_ms: Option<u64>,
    ) -> FromWorker {
        self.last += 1;
        let Named { request: told, pictures, texts } = naming_files(request, self.sees, self.context);
        let (call, body) = match &self.format {
            Format::Server { wire, address } => {
                let request = &told;
                let encoded = if self.native_tools {
                    wire.encode(Some(address), request)
                } else {
                    wire.encode(Some(address), &text_lane::encode(request))
                };
                let body = String::from_utf8(encoded.body).expect("these wires send JSON");
                (DecodingCall::new(*wire, request, self.native_tools), body)
            }
            Format::InBrowser => {
                let body = serde_json::to_string(&in_browser::encode(&told)).expect("a call is JSON");
                (DecodingCall::in_browser(request), body)
            }
        };
        self.current = Some(Current { asked, call });
        let known = Size::of(request).at_most(self.context);
        let put_in: u64 = texts.iter().map(|text| u64::from(text.most)).sum();
        let tokens = known.saturating_add(put_in).min(known.max(self.context.into()));
        FromWorker::Fetch { call: self.last, body, tokens, deadline_ms, pictures, texts }
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
    pub(crate) fn take(&mut self, call: u64, events: Vec<ModelEvent>) -> Vec<DeviceEvent> {
        let Some(current) = self.current.as_mut().filter(|_| self.last == call) else { return Vec::new() };
        events.into_iter().filter_map(|event| current.asked.on_model_event(event)).collect()
    }

    /// The call is over.
    pub(crate) fn end(&mut self, call: u64) {
        if self.last == call {
            self.current = None;
        }
    }
}

impl CallPurpose {
    fn on_model_event(&mut self, event: ModelEvent) -> Option<DeviceEvent> {
        match self {
            Self::Turn(turn) => Some(DeviceEvent::Event { turn: *turn, event }),
            Self::Aside { turn, purpose, heard } => {
                let text = heard.out(event)?;
                Some(DeviceEvent::Aside { turn: *turn, purpose: *purpose, usage: heard.usage, text })
            }
        }
    }
}

impl AsideProgress {
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
            | ModelEvent::Cited { .. }
            | ModelEvent::Unknown { .. } => None,
        }
    }
}

impl DeviceEvent {
    /// Whether nothing more comes of the call.
    pub(crate) fn is_last(&self) -> bool {
        matches!(
            self,
            Self::Aside { .. }
                | Self::Event { event: ModelEvent::Stopped { .. } | ModelEvent::Failed { .. }, .. }
        )
    }
}

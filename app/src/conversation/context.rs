//! What the parts of the page share: whose page it is, its signals, and what a person can do there.

use super::api::{
    EditMessage, MoveAgent, RegenerateAnswer, RetryRun, SendMessage, StopRun, TakeOverRun, send_message,
};
use super::attaching::Attaching;
use super::commands::Commands;
use super::draft::Drafting;
use super::fate::Takes;
use super::kept_outbox::{self, Place};
use super::lacking::Lack;
use super::latest;
use super::layout::{Pane, View};
use super::mcp_app::Apps;
use super::outbox::{Delivery, Outbox, Unsent};
use super::rating::{self, Ratings};
use super::storage;
use super::thread::Key;
use super::transcript::{RenderedItem, Transcript};
use crate::approvals::Answers;
use crate::browser::services::Panel;
use crate::browser::{live, open_tabs};
use crate::conversations::api::{ForkConversation, NoteOnAnswer, RateAnswer};
use crate::models::Offered;
use crate::prelude::*;
use crate::terminal_jobs::api::StopJob;
use crate::todo::api::{AddTodo, MarkTodo};
use crate::ui::FormAction;
use leptos::html;
use leptos::task::spawn_local;
use protocol::agent::Home;
use protocol::view::shell::{Connection, Stage};
use protocol::view::{AgentCommand, AgentPage, ProviderReach, Repairs, SpeechHere, TerminalJob};
use protocol::{AgentId, Attachment, ConversationId, FailureKind, ProviderId, RunId, TabId, UserId};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Between two attempts to send a message while the socket has its connection.
const RETRY_PAUSE: Duration = Duration::from_secs(2);

/// What links to an entry of the past lead to.
pub const SOUGHT: &str = "at";

/// Messages sent from this document, of which the tab's name is.
static SENT: AtomicU64 = AtomicU64::new(0);

#[derive(Clone, Copy)]
pub struct ConversationContext {
    /// Whose page it is; nobody's in a part of the past.
    person: StoredValue<Option<UserId>>,
    pub agent: StoredValue<AgentId>,
    pub name: StoredValue<String>,
    /// The one that is shown.
    pub conversation: StoredValue<ConversationId>,
    /// Empty until something was said in it.
    pub title: RwSignal<String>,
    /// The model that it is held with. Empty: the agent's.
    pub model: RwSignal<String>,
    /// The agent's own.
    pub agent_model: StoredValue<String>,
    pub provider: StoredValue<Option<ProviderId>>,
    /// The models of that provider.
    pub offered: Offered,
    /// The one that answers the next message alone. Empty: the usual one does.
    pub next_model: RwSignal<String>,
    pub transcript: Transcript,
    pub outbox: RwSignal<Outbox>,
    pub composer: NodeRef<html::Textarea>,
    /// The message that is being written.
    pub draft: StoredValue<Drafting>,
    /// Its files.
    pub attaching: Attaching,
    pub takes: StoredValue<Takes>,
    pub commands: Commands,
    /// Those that the agent's definition offers.
    pub own_commands: StoredValue<Vec<AgentCommand>>,
    /// Pages of tools in it.
    pub apps: Apps,
    /// Files are held over the conversation.
    pub is_dragged_over: RwSignal<bool>,
    /// What the conversation scrolls in, whether its end is out of sight, and whether its beginning has come into sight.
    pub scroller: NodeRef<html::Div>,
    pub is_away: RwSignal<bool>,
    pub is_at_start: RwSignal<bool>,
    /// The tab's name; empty without script.
    pub tab: RwSignal<String>,
    /// Absent without script.
    pub connection: RwSignal<Option<Connection>>,
    pub stage: RwSignal<Stage>,
    /// What the agent's page wants of the person.
    pub panel: Panel,
    pub view: RwSignal<View>,
    pub pane: RwSignal<Pane>,
    /// Width of the conversation, in percent.
    pub split: RwSignal<f64>,
    pub send: FormAction<SendMessage>,
    pub retry: FormAction<RetryRun>,
    pub stop: ServerAction<StopRun>,
    pub take_over: FormAction<TakeOverRun>,
    pub move_home: FormAction<MoveAgent>,
    pub answers: Answers,
    pub add_todo: FormAction<AddTodo>,
    pub mark_todo: FormAction<MarkTodo>,
    /// What runs in the background, and what did today.
    pub jobs: RwSignal<Vec<TerminalJob>>,
    pub stop_job: FormAction<StopJob>,
    pub has_terminal: bool,
    /// The entry that the person came for, in a part of the past.
    pub sought: Option<u64>,
    /// The message that the person writes again.
    pub editing: RwSignal<Option<Key>>,
    pub edit: FormAction<EditMessage>,
    pub regenerate: FormAction<RegenerateAnswer>,
    /// The run whose answer another model is to give again.
    pub answered_by: RwSignal<Option<RunId>>,
    pub fork: FormAction<ForkConversation>,
    /// What the person thinks of answers.
    pub ratings: RwSignal<Ratings>,
    pub rate: FormAction<RateAnswer>,
    pub note: FormAction<NoteOnAnswer>,
    pub has_provider: bool,
    /// Where alone its provider can be called.
    only_home: Option<Home>,
    pub is_paused: RwSignal<bool>,
    pub is_temporary: bool,
    /// A run ended in it since the person looked.
    pub is_unread: RwSignal<bool>,
    /// Errors of its page do not wake the agent by themselves.
    pub repairs_when_asked: bool,
    /// What of speech the hub does here.
    pub speech: SpeechHere,
}

impl ConversationContext {
    pub fn new(page: &AgentPage, person: UserId) -> Self {
        Self { person: StoredValue::new(Some(person)), ..Self::of(page, Transcript::new(page)) }
    }

    /// For a part of the past. `sought` is the entry that the person came for.
    pub fn of_past(page: &AgentPage, sought: Option<u64>) -> Self {
        Self { sought, ..Self::of(page, Transcript::of_past(page)) }
    }

    /// The name of what the person came for, for links to it.
    pub fn anchor(&self, shown: &RenderedItem) -> Option<&'static str> {
        (self.sought == Some(shown.seq)).then_some(SOUGHT)
    }

    fn of(page: &AgentPage, transcript: Transcript) -> Self {
        let stage = if page.card.skin_version > 0 { Stage::Shown } else { Stage::Empty };
        Self {
            person: StoredValue::new(None),
            agent: StoredValue::new(page.agent.id.clone()),
            name: StoredValue::new(page.agent.name.clone()),
            conversation: StoredValue::new(page.conversation.id.clone()),
            title: RwSignal::new(page.conversation.title.clone()),
            model: RwSignal::new(page.conversation.model.clone()),
            agent_model: StoredValue::new(page.agent.model.clone()),
            provider: StoredValue::new(page.agent.provider.clone()),
            offered: Offered::default(),
            next_model: RwSignal::default(),
            transcript,
            scroller: NodeRef::new(),
            is_away: RwSignal::default(),
            is_at_start: RwSignal::default(),
            outbox: RwSignal::default(),
            composer: NodeRef::new(),
            draft: StoredValue::new(Drafting::default()),
            attaching: Attaching::default(),
            takes: StoredValue::new(Takes::of(page)),
            commands: Commands::default(),
            own_commands: StoredValue::new(page.agent.loop_settings.commands.clone()),
            apps: Apps::default(),
            is_dragged_over: RwSignal::default(),
            tab: RwSignal::default(),
            connection: RwSignal::new(None),
            stage: RwSignal::new(stage),
            panel: Panel::default(),
            view: RwSignal::default(),
            pane: RwSignal::default(),
            split: RwSignal::new(42.0),
            send: FormAction::new(),
            retry: FormAction::new(),
            stop: ServerAction::new(),
            take_over: FormAction::new(),
            move_home: FormAction::new(),
            answers: Answers::default(),
            add_todo: FormAction::new(),
            mark_todo: FormAction::new(),
            jobs: RwSignal::default(),
            stop_job: FormAction::new(),
            has_terminal: page.agent.tools.iter().any(|tool| tool == "terminal"),
            sought: None,
            editing: RwSignal::default(),
            is_temporary: page.conversation.temporary,
            is_paused: RwSignal::new(page.card.paused),
            is_unread: RwSignal::new(page.conversation.unread),
            edit: FormAction::new(),
            regenerate: FormAction::new(),
            answered_by: RwSignal::default(),
            fork: FormAction::new(),
            ratings: RwSignal::new(rating::by_entry(&page.ratings)),
            rate: FormAction::new(),
            note: FormAction::new(),
            has_provider: page.provider_kind.is_some(),
            only_home: page.provider_reach.and_then(ProviderReach::only_home),
            speech: page.speech,
            repairs_when_asked: page.agent.loop_settings.repairs == Repairs::Asked,
        }
    }

    /// The model that answers here.
    pub fn model_in_use(&self) -> String {
        self.model.with(|own| if own.is_empty() { self.agent_model.get_value() } else { own.clone() })
    }

    /// The model that answers what is written now.
    pub fn next_or_usual_model(&self) -> String {
        self.next_model.with(|next| if next.is_empty() { self.model_in_use() } else { next.clone() })
    }

    /// Whether the page reacts and the agent has a provider whose models can be chosen.
    pub fn offers_models(&self) -> bool {
        !self.tab.with(String::is_empty) && self.provider.with_value(Option::is_some)
    }

    /// Without which it cannot answer; tracked.
    pub fn lack(&self) -> Option<Lack> {
        if !self.has_provider {
            return Some(Lack::Provider);
        }
        let home = self.transcript.home.get();
        self.only_home.is_some_and(|only| only != home).then_some(Lack::Home)
    }

    /// Has the list of models asked for.
    pub fn want_models(&self) {
        self.offered.want(self.provider.get_value());
    }

    /// Whether a run goes on, or waits for the person.
    pub fn is_at_work(&self) -> bool {
        self.transcript.is_at_work.get()
    }

    pub fn stop(&self) {
        self.stop.dispatch(StopRun { agent: self.agent.get_value() });
    }

    /// Has what has no full answer answered again.
    pub fn retry(&self) {
        let (agent, conversation) = (self.agent.get_value(), self.conversation.get_value());
        let tab = self.tab.get_untracked();
        drop(self.retry.dispatch(format!("agent={agent}&conversation={conversation}&tab={tab}")));
    }

    /// Has an answer that was cut off go on.
    pub fn go_on(&self) {
        self.send(t("Go on where you stopped.").to_owned(), Vec::new());
    }

    /// Names a message that is sent from here, so that it counts once however often it is sent.
    pub fn message_key(&self) -> String {
        format!("{}.{}", self.tab.get_untracked(), SENT.fetch_add(1, Ordering::Relaxed))
    }

    /// Sends what the person wrote. It stays in the outbox until the log has it.
    pub fn send(&self, text: String, attachments: Vec<Attachment>) {
        let (after, key) = (self.transcript.seq(), self.message_key());
        let model = self.next_model.try_update(std::mem::take).unwrap_or_default();
        let mut item = None;
        self.change_outbox(|outbox| item = Some(outbox.push(text, attachments, model, after, &key)));
        latest::show(*self);
        self.deliver(item.filter(|item| item.delivery == Delivery::Sending));
    }

    pub fn resend(&self, id: u64) {
        let mut item = None;
        self.change_outbox(|outbox| item = outbox.resend(id));
        self.deliver(item);
    }

    /// Sends what waits for the hub, one after the other.
    pub fn flush(&self) {
        let mut item = None;
        self.change_outbox(|outbox| item = outbox.next());
        self.deliver(item);
    }

    /// Changes the outbox and keeps it for the case that the page is left.
    pub fn change_outbox(&self, change: impl FnOnce(&mut Outbox)) {
        // The answer to a message may come when its page is gone; then it is kept no longer.
        let changed = self.outbox.try_update(|outbox| {
            let before = outbox.clone();
            change(outbox);
            *outbox != before
        });
        if changed != Some(true) {
            return;
        }
        let place = self.place();
        self.for_person(|person| {
            self.outbox.with_untracked(|outbox| kept_outbox::write(person, &place, outbox));
        });
    }

    /// What was kept of the message that is being written.
    pub fn read_written(&self) -> Option<String> {
        let conversation = self.conversation.try_get_value()?;
        self.for_person(|person| storage::read_written(person, &conversation)).flatten()
    }

    /// Keeps it, if its page is still there; what is empty is forgotten.
    pub fn write_written(&self, text: &str) {
        let Some(conversation) = self.conversation.try_get_value() else { return };
        self.for_person(|person| storage::write_written(person, &conversation, text));
    }

    /// Whose it is and of which conversation, for who comes to know more of it when its page is gone.
    pub fn place_of_written(&self) -> Option<(UserId, ConversationId)> {
        self.for_person(UserId::clone).zip(self.conversation.try_get_value())
    }

    /// Takes in what this tab left when its page of this conversation was left.
    pub fn take_in_own(&self) {
        self.take_in(&self.place());
    }

    /// The same of tabs that are gone.
    pub async fn take_in_left(self) {
        let open = open_tabs::open().await;
        let own = live::tab();
        let left = self.for_person(|person| kept_outbox::left(person, &own, &open)).unwrap_or_default();
        let of_others = left.into_iter().filter(|place| place.tab != own);
        for place in of_others.filter(|place| self.is_shown(&place.conversation)) {
            self.take_in(&place);
            self.for_person(|person| kept_outbox::write(person, &place, &Outbox::default()));
        }
        if self.connection.try_get_untracked() == Some(Some(Connection::Live)) {
            self.flush();
        }
    }

    fn take_in(&self, place: &Place) {
        let Some(kept) = self.for_person(|person| kept_outbox::read(person, place)).flatten() else { return };
        self.change_outbox(|outbox| {
            self.transcript.with_entries(|entries| outbox.take_in(kept, entries));
        });
    }

    fn place(&self) -> Place {
        Place {
            agent: self.agent.get_value(),
            conversation: self.conversation.get_value(),
            tab: TabId(self.tab.get_untracked()),
        }
    }

    fn is_shown(&self, conversation: &ConversationId) -> bool {
        self.conversation.try_with_value(|shown| shown == conversation) == Some(true)
    }

    fn for_person<T>(&self, act: impl FnOnce(&UserId) -> T) -> Option<T> {
        self.person.try_with_value(|person| person.as_ref().map(act)).flatten()
    }

    fn deliver(&self, item: Option<Unsent>) {
        let Some(Unsent { id, text, attachments, model, key, .. }) = item else { return };
        let context = *self;
        let (agent, tab) = (self.agent.get_value(), self.tab.get_untracked());
        let conversation = self.conversation.get_value().0;
        let files = attachments.into_iter().map(|file| file.id).collect();
        spawn_local(async move {
            let outcome = send_message(agent, text, tab, key, conversation, files, model).await;
            let is_unreachable = outcome
                .as_ref()
                .is_err_and(|error| matches!(error.0.kind, FailureKind::Upstream | FailureKind::Unavailable));
            context.change_outbox(|outbox| match outcome {
                Ok(sent) => outbox.commit(id, sent.seq, context.transcript.seq()),
                Err(_) if is_unreachable => outbox.wait(id),
                Err(error) => outbox.fail(id, error.to_string()),
            });
            // Without a connection the next attempt is made when there is one again.
            let is_connected = context.connection.try_get_untracked() == Some(Some(Connection::Live));
            match (is_unreachable, is_connected) {
                (false, _) => context.flush(),
                (true, true) => set_timeout(move || context.flush(), RETRY_PAUSE),
                (true, false) => {}
            }
        });
    }
}

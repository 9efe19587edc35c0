//! The page: what there is, what was found on this machine, and the form for one more.

use super::api::{
    ChooseSpeech, DeleteProvider, SaveProvider, StartGuide, TestProvider, find_provider, get_speech,
    kept_keys, list_providers, local_endpoints,
};
use super::find::FindOut;
use super::form::ProviderForm;
use super::here::{Tried, TriedHere, reload_when_saved};
use super::list::ProviderList;
use super::local::FoundHere;
use super::speech::SpeechSection;
use crate::AppError;
use crate::browser::follow_nouns;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::keys::KeysSection;
use crate::prelude::*;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FormAction, Icon, Section, WhoCan, kept};
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;
use protocol::ProviderId;
use protocol::hub::Noun;
use protocol::view::{FoundServers, KeptKey, LocalEndpoint, Me, ProviderView, Role, SpeechChoices};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct Providers {
    me: Me,
    providers: Vec<ProviderView>,
    /// Which devices keep which keys.
    kept: Vec<KeptKey>,
    /// Found on the hub's machine and not among the providers yet.
    local: Vec<LocalEndpoint>,
    /// What is at the address that was asked about.
    found: Option<FoundServers>,
    speech: SpeechChoices,
}

#[derive(Clone, Copy)]
struct Forms {
    save: FormAction<SaveProvider>,
    delete: FormAction<DeleteProvider>,
    test: FormAction<TestProvider>,
    speech: FormAction<ChooseSpeech>,
    tried: Tried,
}

impl Forms {
    /// Changes when the list does. A refused form changes nothing, so that what was typed stays.
    fn done(self) -> [Memo<usize>; 3] {
        let Self { save, delete, speech, test: _, tried: _ } = self;
        let saved = move || save.value().with(|value| matches!(value, Some(Ok(_))));
        let deleted = move || delete.value().with(|value| matches!(value, Some(Ok(_))));
        let chosen = move || speech.value().with(|value| matches!(value, Some(Ok(()))));
        [
            successes(save.version(), saved),
            successes(delete.version(), deleted),
            successes(speech.version(), chosen),
        ]
    }
}

/// What the address says: the provider that is being changed, or was just saved or tested.
#[derive(Clone, Default, PartialEq)]
struct PageQuery {
    edit: Option<ProviderId>,
    saved: Option<ProviderId>,
    tested: Option<ProviderId>,
}

/// The provider that the form changes, if it is none that is added.
#[derive(Clone, Copy)]
struct Change {
    among: RwSignal<Vec<ProviderView>>,
    old: Memo<Option<ProviderView>>,
    /// How often it was.
    saved: Memo<usize>,
}

impl Change {
    fn new(asked: Memo<PageQuery>, saved: Memo<usize>) -> Self {
        let among = RwSignal::new(Vec::<ProviderView>::new());
        let old = Memo::new(move |_| {
            let id = asked.with(|asked| asked.edit.clone())?;
            among.with(|all| all.iter().find(|provider| provider.id == id).cloned())
        });
        Self { among, old, saved }
    }
}

#[component]
pub fn ProvidersPage() -> impl IntoView {
    let forms = Forms {
        save: FormAction::new(),
        delete: FormAction::new(),
        test: FormAction::new(),
        speech: FormAction::new(),
        tried: RwSignal::new(None),
    };
    reload_when_saved(forms.save);
    let done = forms.done();
    let query = use_query_map();
    let asked = Memo::new(move |_| {
        let id = |name: &str| query.with(|query| query.get(name)).map(ProviderId::from);
        PageQuery { edit: id("edit"), saved: id("saved"), tested: id("tested") }
    });
    let change = Change::new(asked, done[0]);
    let at = Memo::new(move |_| query.with(|query| query.get("at").unwrap_or_default()));
    let providers = PageResource::new(move || (done.map(|done| done.get()), at.get()), |(_, at)| load(at));
    follow_nouns(&[Noun::Providers], move || providers.refetch());
    view! {
        <Title text="Providers"/>
        <Loaded resource=providers view=move |providers| view! { <Sections providers at=at.get_untracked() asked change forms/> }/>
    }
}

#[component]
fn Sections(
    providers: Providers,
    at: String,
    asked: Memo<PageQuery>,
    change: Change,
    forms: Forms,
) -> impl IntoView {
    let Providers { me, providers, kept: kept_keys, local, found, speech } = providers;
    let is_empty = providers.is_empty();
    let (may_add, may_share) = (brings_own(&me), me.role == Role::Admin);
    let keyed: Vec<ProviderView> =
        providers.iter().filter(|provider| provider.key_slot.is_some()).cloned().collect();
    let keys = (!keyed.is_empty()).then(|| {
        let saved = asked.with_untracked(|asked| asked.saved.clone());
        let saved = saved.filter(|id| keyed.iter().any(|provider| provider.id == *id));
        kept(
            (keyed, kept_keys, saved),
            |(providers, kept, saved)| view! { <KeysSection providers kept saved/> },
        )
    });
    let among = providers.clone();
    let speech = view! { <SpeechSection speech providers=among choose=forms.speech/> };
    change.among.set(providers.clone());
    let providers = StoredValue::new(providers);
    // Once what was typed is saved, the form is for the next.
    let form = may_add.then(|| {
        kept(
            change.saved.get_untracked(),
            move |_| move || view! { <ProviderForm old=change.old.get() save=forms.save/> },
        )
    });
    let find_out = may_add.then(|| view! { <FindOut asked=at found save=forms.save/> });
    let who_can = (!may_add).then(|| {
        view! { <WhoCan words="You use the providers that are shared with you. Members and administrators can add their own."/> }
    });
    view! {
        <Shell me>
            <div class="settings">
                <h1>"Providers"</h1>
                <Section id="yours" title="Yours" lead="Where models run. A key goes in once, is kept encrypted, and is never shown again.">
                    <ActionFailure value=forms.test.value()/>
                    <ActionFailure value=forms.delete.value()/>
                    <TriedHere tried=forms.tried/>
                    {move || {
                        let asked = asked.get();
                        let is_first = is_first(&asked, providers);
                        done_words(&asked, forms, providers).map(|words| view! { <Done words is_first/> })
                    }}
                    {if is_empty {
                        view! { <NoProviders may_add/> }.into_any()
                    } else {
                        let list = providers.get_value();
                        view! { <ProviderList list may_add may_share test=forms.test tried=forms.tried delete=forms.delete/> }.into_any()
                    }}
                </Section>
                {keys}
                <FoundHere local save=forms.save/>
                {who_can}
                {form}
                {find_out}
                {speech}
                <p><a href="/web-search">"Where your agents search the web"</a></p>
                <p><a href="/mcp-servers">"MCP servers whose tools your agents can call"</a></p>
                <p><a href="/models">"What is known of models: room, prices, abilities"</a></p>
                {may_share.then(|| view! { <p><a href="/groups">"Groups of people, to share with"</a></p> })}
            </div>
        </Shell>
    }
}

#[component]
fn NoProviders(may_add: bool) -> impl IntoView {
    let guide = FormAction::<StartGuide>::new();
    let words = t(match may_add {
        true => {
            "An agent needs a model to think with. Add a provider below, with a key or on your own machine. Or take the tour first: it needs neither."
        }
        false => {
            "An agent needs a model to think with. Ask whoever runs this hub to share a provider with you. Or take the tour first: it needs none."
        }
    });
    view! {
        <ActionFailure value=guide.value()/>
        <div class="empty">
            <h3>"No provider yet"</h3>
            <p>{words}</p>
            <ActionForm action=guide attr:class="actions">
                <button type="submit" class="button">"Take the guided tour"</button>
            </ActionForm>
        </div>
    }
}

#[component]
fn Done(words: String, is_first: bool) -> impl IntoView {
    view! {
        <div class="banner" data-kind="done" role="status">
            <Icon name="check"/>
            <p class="banner-text">{words}</p>
            {is_first.then(|| view! { <a class="button" data-kind="primary" href="/agents/new">"Make an agent"</a> })}
        </div>
    }
}

/// Whether what was saved is the only one there is: nothing could think before.
fn is_first(asked: &PageQuery, providers: StoredValue<Vec<ProviderView>>) -> bool {
    asked.tested.is_none() && asked.saved.is_some() && providers.with_value(|all| all.len() == 1)
}

/// What the last form did. Without script the address alone tells.
fn done_words(asked: &PageQuery, forms: Forms, providers: StoredValue<Vec<ProviderView>>) -> Option<String> {
    let Forms { save, delete, test, tried, speech: _ } = forms;
    if tried.get().is_some() {
        return None;
    }
    if is_refused(save) || is_refused(delete) || is_refused(test) {
        return None;
    }
    let name = |id: &ProviderId| {
        providers
            .with_value(|all| all.iter().find(|provider| provider.id == *id).map(|found| found.name.clone()))
    };
    if let Some(id) = &asked.tested {
        let name = name(id)?;
        return match test.value().get() {
            Some(Ok(probe)) => {
                Some(say!("{name}: {} It took {} ms.", language::sentence(&probe.message), probe.millis))
            }
            Some(Err(_)) | None => Some(say!("The connection to {name} works.")),
        };
    }
    let saved = asked.saved.as_ref()?;
    let wants_key = providers
        .with_value(|all| all.iter().any(|provider| provider.id == *saved && provider.key_slot.is_some()));
    let name = name(saved)?;
    if wants_key {
        return Some(say!("{name} is saved. Enter its key below, on each device that is to use it."));
    }
    Some(say!("{name} is saved. Choose it in an agent's settings."))
}

fn is_refused<S>(action: FormAction<S>) -> bool
where
    S: ServerFn + Clone + Send + Sync + 'static,
    S::Output: Send + Sync + 'static,
    S::Error: Send + Sync + 'static,
{
    action.value().with(|value| matches!(value, Some(Err(_))))
}

fn successes(
    version: impl Get<Value = usize> + Send + Sync + 'static,
    is_ok: impl Fn() -> bool + Send + Sync + 'static,
) -> Memo<usize> {
    Memo::new(move |last: Option<&usize>| {
        let version = version.get();
        if is_ok() { version } else { last.copied().unwrap_or_default() }
    })
}

async fn load(at: String) -> Result<Providers, AppError> {
    let (me, providers, mut local, kept, speech) =
        together!(me(), list_providers(), local_endpoints(), kept_keys(), get_speech());
    local.retain(|found| {
        !providers.iter().any(|provider| provider.base_url.as_deref() == Some(found.base_url.as_str()))
    });
    let asks = !at.trim().is_empty() && is_asked_here() && brings_own(&me);
    let found = if asks { Some(find_provider(at).await?) } else { None };
    Ok(Providers { me, providers, kept, local, found, speech })
}

/// Another site can send a browser here with an address of its choice: the hub asks there only when
/// somebody pressed the button.
#[cfg(feature = "ssr")]
fn is_asked_here() -> bool {
    crate::context::facts().from_here
}

#[cfg(not(feature = "ssr"))]
fn is_asked_here() -> bool {
    true
}

//! The page of a person's context.

use super::agents::Agents;
use super::api::{
    ClearSayings, DeleteSaying, LetAgentKnow, NoteContextKey, TurnOffSource, TurnOnSource,
    show_person_context,
};
use super::keys::Keys;
use super::said::Said;
use super::sources::{Sources, ToldNow, Turning};
use crate::AppError;
use crate::browser::{follow_nouns, live, reading_anew};
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, FormAction, PageTitle};
use protocol::ContextSource;
use protocol::hub::Noun;
use protocol::view::{ContextSourceView, Me, PersonContext};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is told now has the time in it, to the minute.
const MINUTE: Duration = Duration::from_secs(60);

#[component]
pub fn PersonContextPage() -> impl IntoView {
    let (on, off) = (FormAction::<TurnOnSource>::new(), FormAction::<TurnOffSource>::new());
    let (note, let_agent) = (FormAction::<NoteContextKey>::new(), FormAction::<LetAgentKnow>::new());
    let (delete, clear) = (FormAction::<DeleteSaying>::new(), FormAction::<ClearSayings>::new());
    let versions = move || {
        let of_sources = (on.version().get(), off.version().get());
        (
            of_sources,
            note.version().get(),
            let_agent.version().get(),
            delete.version().get(),
            clear.version().get(),
        )
    };
    let shown = PageResource::new(versions, |_| load());
    let told = RwSignal::new(BTreeMap::new());
    let drawn = StoredValue::new(None);
    let again = Callback::new(move |()| shown.refetch());
    let turning = Turning { on, off, told, again };
    follow(drawn, told, again);
    view! {
        <PageTitle text="Context".to_owned()/>
        <Loaded resource=shown view=move |(me, context)| {
            told.set(told_by(&context));
            let context = without_told(context);
            drawn.set_value(Some(context.clone()));
            let PersonContext { sources, keys, said, agents } = context;
            let keys_are_on = sources.iter().any(|one| one.source == ContextSource::Keys && one.on);
            let is_heard = agents.iter().any(|agent| agent.hears);
            view! {
                <Shell me>
                    <div class="settings">
                        <header class="section-head">
                            <h1>"Context"</h1>
                            <p>"What your agents are told around what you say. Each part is off until you turn it on, and goes to whoever provides their model. A temporary conversation is told nothing, and so are programs that ask your agents, though one that joins a conversation of yours sees what was told there. What an agent was told stays in its conversation."</p>
                        </header>
                        <ActionFailure value=on.value()/>
                        <ActionFailure value=off.value()/>
                        <Sources sources turning/>
                        <Keys keys is_on=keys_are_on note/>
                        <ActionFailure value=delete.value()/>
                        <ActionFailure value=clear.value()/>
                        <Said said is_heard delete clear/>
                        <ActionFailure value=let_agent.value()/>
                        <Agents agents let_agent/>
                    </div>
                </Shell>
            }
        }/>
    }
}

async fn load() -> Result<(Me, PersonContext), AppError> {
    Ok(together!(me(), show_person_context()))
}

/// Looks again when something changed elsewhere, and as time goes by where what is told changes with it. What is half
/// written on the page stays: it is drawn anew only where something changed but what is told now.
fn follow(drawn: StoredValue<Option<PersonContext>>, told: ToldNow, again: Callback<()>) {
    let read = || async { show_person_context().await.ok() };
    let look = reading_anew(read, move |fresh: PersonContext| {
        told.try_set(told_by(&fresh));
        let fresh = without_told(fresh);
        let is_other = drawn.try_with_value(|drawn| drawn.as_ref().is_some_and(|drawn| *drawn != fresh));
        if is_other == Some(true) {
            again.run(());
        }
    });
    follow_nouns(&[Noun::PersonContext], look);
    Effect::new(move |_| {
        let tick = move || {
            if live::is_seen().get_untracked()
                && told.with_untracked(|told| told.values().any(|text| !text.is_empty()))
            {
                look();
            }
        };
        if let Ok(interval) = set_interval_with_handle(tick, MINUTE) {
            on_cleanup(move || interval.clear());
        }
    });
}

fn told_by(context: &PersonContext) -> BTreeMap<ContextSource, String> {
    context.sources.iter().map(|source| (source.source, source.told.clone())).collect()
}

fn without_told(mut context: PersonContext) -> PersonContext {
    let forget = |source: &mut ContextSourceView| source.told.clear();
    context.sources.iter_mut().for_each(forget);
    context
}

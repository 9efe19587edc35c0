//! A file as the answer to a question. It goes to the hub at once; the form then only names it.

use crate::browser::uploads;
use crate::prelude::*;
use crate::ui::Icon;
use leptos::task::spawn_local;
use protocol::Attachment;

#[derive(Clone, Default, PartialEq)]
enum State {
    #[default]
    Empty,
    OnTheWay(String),
    There(Attachment),
    Refused(String),
}

#[component]
pub fn FileAnswer() -> impl IntoView {
    let state = RwSignal::new(State::default());
    let has_script = RwSignal::new(false);
    Effect::new(move |_| has_script.set(true));
    let take = move |event| {
        let Some(file) = uploads::chosen(&event).into_iter().next() else { return };
        state.set(State::OnTheWay(file.name()));
        spawn_local(async move {
            let sent = file.send().await.map_or_else(|not_sent| State::Refused(not_sent.why), State::There);
            // The question may be answered by then.
            let _ = state.try_set(sent);
        });
    };
    let words = move || {
        state.with(|state| match state {
            State::Empty => t("No file is chosen yet.").to_owned(),
            State::OnTheWay(name) => say!("{name} is being sent."),
            State::There(file) => file.name.clone(),
            State::Refused(why) => why.clone(),
        })
    };
    let id = move || {
        state.with(|state| match state {
            State::There(file) => Some(file.id.0.clone()),
            State::Empty | State::OnTheWay(_) | State::Refused(_) => None,
        })
    };
    view! {
        <Show
            when=move || has_script.get()
            fallback=|| view! { <p class="asked-note">"A file is sent with script only. Skip this, and attach it to a message."</p> }
        >
            <div class="asked-file">
                <label class="button">
                    <Icon name="attach" small=true/>
                    "Choose a file"
                    <input class="sr-only" type="file" on:change=take/>
                </label>
                <span role="status">{words}</span>
            </div>
        </Show>
        {move || id().map(|id| view! { <input type="hidden" name="files[]" value=id/> })}
    }
}

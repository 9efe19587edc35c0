//! A feed whose new entries make a schedule due: its fields, and how it stands.

use super::mailbox::LookProblem;
use crate::prelude::*;
use crate::ui::{Field, Section, When};
use protocol::schedule::{LookState, ScheduleDraft};

#[component]
pub fn FeedFields(draft: ScheduleDraft) -> impl IntoView {
    let ScheduleDraft { feed_url, feed_minutes, .. } = draft;
    view! {
        <div class="form feed-fields" data-for="feed">
            <p class="field-hint">
                "The hub looks at an RSS, Atom or JSON Feed where the agent may reach it. What is there now is not new; later the agent is told up to ten new entries at once, as words of strangers."
            </p>
            <Field id="schedule-feed-url" label="Address of the feed">
                <input
                    class="input"
                    id="schedule-feed-url"
                    name="draft[feed_url]"
                    type="text"
                    inputmode="url"
                    autocapitalize="none"
                    spellcheck="false"
                    maxlength="2048"
                    autocomplete="off"
                    placeholder={"https://example.org/feed.xml"}
                    value=feed_url
                />
            </Field>
            <Field id="schedule-feed-minutes" label="Minutes from look to look">
                <input
                    class="input num"
                    id="schedule-feed-minutes"
                    name="draft[feed_minutes]"
                    type="number"
                    min="5"
                    max="1440"
                    placeholder="30"
                    value=feed_minutes
                />
            </Field>
        </div>
    }
}

/// How the feed of a schedule stands; absent: it came along, and nobody looks at it yet.
#[component]
pub fn FeedSection(feed: Option<LookState>) -> impl IntoView {
    let looked = match feed.as_ref().and_then(|feed| feed.checked_at) {
        Some(at) => view! { <p>"The hub last looked at it " <When at/> "."</p> }.into_any(),
        None => {
            view! { <p>"The hub has not looked at it yet. What comes from then on is new."</p> }.into_any()
        }
    };
    view! {
        <Section
            id="feed"
            title="Feed"
            lead="What a feed says is a stranger's: the agent is told so, and what could carry something out because of it asks you. To have it looked at at once, save."
        >
            {feed.map(|looked| view! { <LookProblem looked/> })}
            {looked}
        </Section>
    }
}

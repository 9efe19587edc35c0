//! The empty wall: what could live here.

use crate::agents::Wish;
use crate::agents::api::WishForAgent;
use crate::prelude::*;
use crate::providers::api::StartGuide;
use crate::ui::{ActionFailure, ActionForm, FormAction, Plant};

/// Title, what it does, and the wish itself.
const SEEDS: [(&str, &str, &str); 3] = [
    (
        key!("A board for the week"),
        key!("Columns and cards to move"),
        key!(
            "A board for my week: columns for the days, cards that I can add and move, and a short summary when I ask."
        ),
    ),
    (
        key!("A timer that learns"),
        key!("When do you work best?"),
        key!(
            "A focus timer that keeps track of when I work best, shows it as a small chart, and suggests when to start."
        ),
    ),
    (
        key!("A sketchbook"),
        key!("Draws what you describe"),
        key!(
            "A sketchbook that draws what I describe as SVG, keeps every drawing, and changes one when I click on it."
        ),
    ),
];

#[component]
pub fn Invite(thinks: bool, may_add: bool) -> impl IntoView {
    let wish = FormAction::<WishForAgent>::new();
    let guide = FormAction::<StartGuide>::new();
    view! {
        <section class="invite">
            <Plant/>
            <h1>"What should live here?"</h1>
            <ActionFailure value=guide.value()/>
            <Wish thinks may_add wish/>
            <ActionForm action=wish attr:class="seeds">
                {SEEDS
                    .map(|(title, hint, text)| {
                        view! {
                            <button type="submit" class="seed" name="wish" value={t(text)}>
                                {t(title)}
                                <small>{t(hint)}</small>
                            </button>
                        }
                    })
                    .collect_view()}
            </ActionForm>
            <ActionForm action=guide attr:class="actions">
                <button type="submit" class="button" data-kind="quiet">"Start the guided tour"</button>
                <a class="button" data-kind="quiet" href="/gallery">"Look into the gallery"</a>
            </ActionForm>
        </section>
    }
}

//! What a parcel holds, beside what is here, for the person to choose from.

use crate::prelude::*;
use crate::ui::ChoiceRow;
use protocol::view::shell::{Item, ItemStatus};
use std::collections::BTreeSet;

#[component]
pub(super) fn Review(
    lines: Vec<Item>,
    /// The numbers of the lines that are taken.
    chosen: RwSignal<BTreeSet<usize>>,
) -> impl IntoView {
    let rows = lines
        .into_iter()
        .enumerate()
        .map(|(number, line)| view! { <Row number line chosen/> })
        .collect_view();
    view! {
        <fieldset class="choices">
            <legend class="field-label">"What is in it"</legend>
            {rows}
        </fieldset>
    }
}

#[component]
fn Row(number: usize, line: Item, chosen: RwSignal<BTreeSet<usize>>) -> impl IntoView {
    let Item { name, about, state, .. } = line;
    let is_same = state == ItemStatus::Same;
    let (mark, words) = match state {
        ItemStatus::New => (t("New"), about),
        ItemStatus::Same => (t("Already here"), about),
        ItemStatus::Differs(words) => (t("Differs"), format!("{about} {words}").trim().to_owned()),
    };
    let change = move |event| {
        let is_checked = event_target_checked(&event);
        chosen.update(|chosen| {
            if is_checked {
                chosen.insert(number);
            } else {
                chosen.remove(&number);
            }
        });
    };
    let named = view! { {name} " " <span class="chip">{mark}</span> }.into_any();
    view! {
        <ChoiceRow words=named hint=words>
            <input
                type="checkbox"
                disabled=is_same
                prop:checked=move || chosen.with(|chosen| chosen.contains(&number))
                on:change=change
            />
        </ChoiceRow>
    }
}

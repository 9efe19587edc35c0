//! How the person wants the cards: the order lasts on this device, what is looked for as long as the page.

use super::arranged::Sort;
use crate::browser::storage::Store;
use crate::prelude::*;
use leptos::ev::Event;
use protocol::UserId;

/// The name under which it is kept.
const ORDER: &str = "wall-order";

#[derive(Clone, Copy)]
pub(super) struct Arranging {
    pub(super) sort: RwSignal<Sort>,
    pub(super) words: RwSignal<String>,
    /// There is script, without which nothing is arranged.
    is_here: RwSignal<bool>,
    person: StoredValue<UserId>,
}

impl Arranging {
    pub(super) fn of(person: &UserId) -> Self {
        let arranging = Self {
            sort: RwSignal::default(),
            words: RwSignal::default(),
            is_here: RwSignal::default(),
            person: StoredValue::new(person.clone()),
        };
        Effect::new(move |_| arranging.restore());
        arranging
    }

    fn restore(self) {
        if let Some(sort) = self.kept().read(ORDER).and_then(|value| Sort::named(&value)) {
            self.sort.set(sort);
        }
        self.is_here.set(true);
    }

    fn sort_by(self, sort: Sort) {
        self.sort.set(sort);
        self.kept().write(ORDER, sort.value());
    }

    fn kept(self) -> Store {
        self.person.with_value(Store::of_person)
    }
}

/// The fields for it.
#[component]
pub(super) fn ArrangeCards(arranging: Arranging) -> impl IntoView {
    let choose = move |event: Event| {
        if let Some(sort) = Sort::named(&event_target_value(&event)) {
            arranging.sort_by(sort);
        }
    };
    let options = move || {
        let option = |sort: Sort| {
            let is_chosen = move || arranging.sort.get() == sort;
            view! { <option value=sort.value() prop:selected=is_chosen>{sort.words()}</option> }
        };
        Sort::ALL.map(option).collect_view()
    };
    view! {
        <Show when=move || arranging.is_here.get()>
            <div class="wall-arrange" role="group" aria-label="Order and filter">
                <input
                    class="input"
                    type="search"
                    aria-label="Filter agents"
                    placeholder="Filter agents"
                    maxlength="200"
                    autocomplete="off"
                    prop:value=move || arranging.words.get()
                    on:input=move |event| arranging.words.set(event_target_value(&event))
                />
                <select class="input" aria-label="Order" on:change=choose>{options()}</select>
            </div>
        </Show>
    }
}

//! How the person wants the cards: order and groups last on this device, what is looked for as long as the page.

use super::arranged::Sort;
use super::grouped::Grouping;
use crate::browser::storage::Store;
use crate::prelude::*;
use leptos::ev::Event;
use protocol::UserId;

/// The names under which they are kept.
const ORDER: &str = "wall-order";
const GROUPS: &str = "wall-groups";

#[derive(Clone, Copy)]
pub(super) struct Arranging {
    pub(super) sort: RwSignal<Sort>,
    pub(super) grouping: RwSignal<Grouping>,
    pub(super) words: RwSignal<String>,
    /// There is script, without which nothing is arranged.
    is_here: RwSignal<bool>,
    person: StoredValue<UserId>,
}

impl Arranging {
    pub(super) fn of(person: &UserId) -> Self {
        let arranging = Self {
            sort: RwSignal::default(),
            grouping: RwSignal::default(),
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
        if let Some(grouping) = self.kept().read(GROUPS).and_then(|value| Grouping::named(&value)) {
            self.grouping.set(grouping);
        }
        self.is_here.set(true);
    }

    fn sort_by(self, sort: Sort) {
        self.sort.set(sort);
        self.kept().write(ORDER, sort.value());
    }

    fn group_by(self, grouping: Grouping) {
        self.grouping.set(grouping);
        self.kept().write(GROUPS, grouping.value());
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
    let group = move |event: Event| {
        if let Some(grouping) = Grouping::named(&event_target_value(&event)) {
            arranging.group_by(grouping);
        }
    };
    let groupings = move || {
        let option = |grouping: Grouping| {
            let is_chosen = move || arranging.grouping.get() == grouping;
            view! { <option value=grouping.value() prop:selected=is_chosen>{grouping.words()}</option> }
        };
        Grouping::ALL.map(option).collect_view()
    };
    view! {
        <Show when=move || arranging.is_here.get()>
            <div class="wall-arrange" role="group" aria-label="Order, groups and filter">
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
                <select class="input" aria-label="Groups" on:change=group>{groupings()}</select>
            </div>
        </Show>
    }
}

//! A list of models with what is known of each, and a field that narrows it. What is written there and is none of the
//! list can be chosen as well.

use super::offered::Offered;
use crate::prelude::*;
use crate::ui::grouped;
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html::Input;
use protocol::view::{ModelFacts, ModelList, ModelPlace};

/// Models that are shown at once: words narrow a longer list.
const SHOWN: usize = 100;

#[derive(Clone, Debug, Default, PartialEq)]
struct Found {
    choices: Vec<Choice>,
    /// So many more fit the words.
    more: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct Choice {
    name: String,
    /// Absent: the person wrote it, and it is none of the list.
    listed: Option<Listed>,
}

#[derive(Clone, Debug, PartialEq)]
struct Listed {
    known: Option<ModelFacts>,
    free: bool,
    near: Option<ModelPlace>,
}

/// `id` is what the ids of its elements begin with. The focus stays in the field: arrows move the choice.
#[component]
pub(super) fn ModelChoice(
    id: &'static str,
    offered: Offered,
    chosen: Signal<String>,
    choose: Callback<String>,
) -> impl IntoView {
    let Offered(list) = offered;
    let (text, at) = (RwSignal::new(String::new()), RwSignal::new(0_usize));
    let field = NodeRef::<Input>::new();
    let found = Memo::new(move |_| {
        list.with(|list| text.with(|text| find(list.as_ref().unwrap_or(&ModelList::default()), text)))
    });
    let has_some = move || found.with(|found| !found.choices.is_empty());
    let list_id = format!("{id}-list");
    let option_id = move |place: usize| format!("{id}-option-{place}");
    Effect::new(move |_| {
        let meant = text.with(|text| text.trim().to_owned());
        let meant = if meant.is_empty() { chosen.get() } else { meant };
        let is_meant = |choice: &Choice| choice.listed.is_some() && choice.name == meant;
        let place = found.with(|found| found.choices.iter().position(is_meant));
        at.set(place.unwrap_or_default());
    });
    Effect::new(move |_| {
        if found.with(|found| found.choices.len() > 1)
            && let Some(option) = document().get_element_by_id(&option_id(at.get()))
        {
            option.scroll_into_view_with_bool(false);
        }
    });
    let keys = move |event: KeyboardEvent| {
        // The key belongs to what is being composed.
        if event.is_composing() {
            return;
        }
        let count = found.with_untracked(|found| found.choices.len());
        match event.key().as_str() {
            "ArrowDown" if count > 0 => at.update(|at| *at = (*at + 1) % count),
            "ArrowUp" if count > 0 => at.update(|at| *at = (*at + count - 1) % count),
            "Enter" => {
                let place = at.get_untracked();
                let name =
                    found.with_untracked(|found| found.choices.get(place).map(|choice| choice.name.clone()));
                if let Some(name) = name {
                    choose.run(name);
                }
            }
            _ => return,
        }
        event.prevent_default();
    };
    field.on_load(|field| {
        // It is in the page, so that it takes the focus.
        let _ = field.focus();
    });
    let options = move || {
        let choices = found.with(|found| found.choices.clone()).into_iter().enumerate();
        let options = choices.map(|(place, Choice { name, listed })| {
            let is_marked = move || at.get() == place;
            let own = name.clone();
            let words = match &listed {
                Some(_) => name,
                None => say!("Use \u{201c}{name}\u{201d}"),
            };
            let is_chosen = {
                let own = own.clone();
                move || chosen.with(|chosen| *chosen == own).then_some("true")
            };
            let about =
                listed.as_ref().map(|listed| view! { <span class="model-about">{about(listed)}</span> });
            let near = listed.and_then(|listed| listed.near).map(|near| {
                let words = match near {
                    ModelPlace::Device => t("Runs here, on your device"),
                    ModelPlace::Hub => t("Runs here, beside the hub"),
                };
                view! { <span class="chip" data-kind="here">{words}</span> }
            });
            view! {
                <li
                    class="model-option"
                    role="option"
                    id=option_id(place)
                    aria-selected=move || if is_marked() { "true" } else { "false" }
                    aria-current=is_chosen
                    on:mousedown=|event: MouseEvent| event.prevent_default()
                    on:click=move |_| choose.run(own.clone())
                >
                    <span class="model-name">{words}</span>
                    {near}
                    {about}
                </li>
            }
        });
        options.collect_view()
    };
    let note = move || {
        let words = list.with(|list| match list {
            None => Some(t("The provider is asked for its models.")),
            Some(list) if list.models.is_empty() => {
                Some(t("The provider names no model. Write the name of one."))
            }
            Some(list) if !list.live && list.near != Some(ModelPlace::Device) => {
                Some(t("The provider did not answer: these are models that are known of it."))
            }
            Some(_) => None,
        });
        words.map(|words| view! { <p class="field-hint" role="status">{words}</p> })
    };
    let more = move || {
        let more = found.with(|found| found.more);
        (more > 0).then(|| {
            let words = say!("{more} more: write a part of the name.");
            view! { <p class="field-hint">{words}</p> }
        })
    };
    let controls = {
        let list_id = list_id.clone();
        move || has_some().then(|| list_id.clone())
    };
    view! {
        <div class="model-choice">
            <input
                class="input"
                type="text"
                role="combobox"
                aria-label="Find a model, or write its name"
                placeholder="Find a model, or write its name"
                aria-autocomplete="list"
                aria-expanded=move || if has_some() { "true" } else { "false" }
                aria-controls=controls
                aria-activedescendant=move || has_some().then(|| option_id(at.get()))
                autocomplete="off"
                spellcheck="false"
                maxlength="200"
                node_ref=field
                on:keydown=keys
                on:input=move |event| text.set(event_target_value(&event))
            />
            {note}
            <ul class="model-list" role="listbox" id=list_id aria-label="Models" hidden=move || !has_some()>{options}</ul>
            {more}
        </div>
    }
}

/// What has all words in its name, in the order of the list, and last what was written if it is none of these.
fn find(list: &ModelList, written: &str) -> Found {
    let written = written.trim();
    let lower = written.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let fits = |name: &str| {
        let name = name.to_lowercase();
        words.iter().all(|word| name.contains(word))
    };
    let mut choices: Vec<Choice> = list
        .models
        .iter()
        .enumerate()
        .filter(|(_, name)| fits(name))
        .map(|(place, name)| {
            let known = list.known.get(place).cloned();
            Choice { name: name.clone(), listed: Some(Listed { known, free: list.free, near: list.near }) }
        })
        .collect();
    let more = choices.len().saturating_sub(SHOWN);
    choices.truncate(SHOWN);
    if !written.is_empty() && !list.models.iter().any(|name| name == written) {
        choices.push(Choice { name: written.to_owned(), listed: None });
    }
    Found { choices, more }
}

/// Room, price and abilities. What is only guessed from the name is not said.
fn about(listed: &Listed) -> String {
    let known = listed.known.as_ref().filter(|known| known.is_known);
    let room = known.map(|known| say!("{room} tokens", room = grouped(known.context.into())));
    let cost = match listed.known.as_ref().and_then(|known| known.price) {
        _ if listed.free => t("Costs nothing").to_owned(),
        Some(price) => say!("{} a million in, {} out", price.input, price.output),
        None => t("Price unknown").to_owned(),
    };
    let abilities = known.into_iter().flat_map(|known| {
        let abilities = [
            (known.images, t("Pictures")),
            (known.native_tools, t("Tools")),
            (known.reasoning, t("Reasoning")),
        ];
        abilities.into_iter().filter(|(has, _)| *has).map(|(_, words)| words.to_owned())
    });
    let parts: Vec<String> = room.into_iter().chain([cost]).chain(abilities).collect();
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Micros;
    use protocol::view::ModelPrice;

    fn list(models: &[&str]) -> ModelList {
        ModelList {
            models: models.iter().map(|name| (*name).to_owned()).collect(),
            live: true,
            ..ModelList::default()
        }
    }

    fn names(found: &Found) -> Vec<&str> {
        found.choices.iter().map(|choice| choice.name.as_str()).collect()
    }

    #[test]
    fn words_narrow_the_list_and_what_is_none_of_it_comes_last() {
        let list = list(&["claude-opus-5", "claude-haiku-5", "gpt-6"]);
        let table: [(&str, &[&str]); 5] = [
            ("", &["claude-opus-5", "claude-haiku-5", "gpt-6"]),
            ("5 CLAUDE", &["claude-opus-5", "claude-haiku-5", "5 CLAUDE"]),
            (" gpt-6 ", &["gpt-6"]),
            ("gpt", &["gpt-6", "gpt"]),
            ("my-own", &["my-own"]),
        ];
        for (written, expected) in table {
            assert_eq!(names(&find(&list, written)), expected, "{written}");
        }
        let written = find(&list, "gpt");
        assert!(written.choices[0].listed.is_some() && written.choices[1].listed.is_none());
    }

    #[test]
    fn a_list_that_is_too_long_says_how_many_more_there_are() {
        let models: Vec<String> = (0..SHOWN + 3).map(|number| format!("model-{number:03}")).collect();
        let list = list(&models.iter().map(String::as_str).collect::<Vec<_>>());
        let found = find(&list, "");
        assert_eq!((found.choices.len(), found.more), (SHOWN, 3));
        assert_eq!(find(&list, "model-102").more, 0);
    }

    #[test]
    fn what_is_guessed_is_not_said_and_what_is_free_has_no_price() {
        let known = ModelFacts {
            model: "one".to_owned(),
            context: 128_000,
            is_known: true,
            output: 8000,
            images: true,
            pdf: false,
            is_media_unknown: false,
            reasoning: false,
            native_tools: true,
            price: Some(ModelPrice { input: Micros(3_000_000), output: Micros(15_000_000) }),
        };
        let guessed = ModelFacts { is_known: false, price: None, ..known.clone() };
        let words = |known: Option<ModelFacts>, free| about(&Listed { known, free, near: None });
        let whole = words(Some(known.clone()), false);
        assert!(whole.contains("tokens · $3") && whole.ends_with("Pictures · Tools"), "{whole}");
        assert!(words(Some(known), true).contains("Costs nothing"));
        assert_eq!(words(Some(guessed), false), "Price unknown");
        assert_eq!(words(None, true), "Costs nothing");
    }
}

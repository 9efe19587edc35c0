//! Groups of settings as rows, and which of them fit some words.

use super::states::States;
use crate::prelude::*;
use crate::settings_index::{Group, Setting, groups_for};
use crate::ui::Icon;

/// A group, and those of its settings that are shown.
pub(super) type Shown = (&'static Group, Vec<&'static Setting>);

/// What has all of these words in its name, in what is said of it or in the name of its group, in whatever order.
pub(super) fn found(words: &str, runs_the_hub: bool) -> Vec<Shown> {
    let wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let fits = |group: &Group, setting: &Setting| {
        let own = [group.name, setting.name, setting.about].map(t).join(" ").to_lowercase();
        wanted.iter().all(|word| own.contains(word.as_str()))
    };
    let shown = |group: &'static Group| {
        (group, group.settings.iter().filter(|setting| fits(group, setting)).collect::<Vec<_>>())
    };
    groups_for(runs_the_hub).map(shown).filter(|(_, settings)| !settings.is_empty()).collect()
}

/// The rows of one group. `states` say something of some.
pub(super) fn rows_of(settings: &[&'static Setting], states: Option<&States>) -> AnyView {
    let row = |setting: &&'static Setting| {
        let Setting { href, icon, name, about, .. } = **setting;
        let state = states.and_then(|states| states.told(href));
        let state = state.map(|state| view! { <p class="setting-state">{state}</p> });
        view! {
            <li class="setting">
                <Icon name=icon/>
                <div class="setting-words">
                    <p class="setting-name"><a href=href>{t(name)}</a></p>
                    <p class="setting-about">{t(about)}</p>
                </div>
                {state}
            </li>
        }
    };
    view! { <ul class="setting-rows">{settings.iter().map(row).collect_view()}</ul> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_found_by_words_of_its_name_and_of_what_is_set_there() {
        for (words, runs_the_hub, expected) in [
            ("memory", false, vec!["/memory"]),
            ("PASSWORD passkeys", false, vec!["/account"]),
            ("colours", false, vec!["/account#appearance"]),
            ("records happened", false, vec!["/account/audit"]),
            ("happened", true, vec!["/account/audit", "/admin/audit"]),
            ("backups", false, vec![]),
            ("nothing like it", true, vec![]),
        ] {
            let found = found(words, runs_the_hub);
            let hrefs: Vec<_> =
                found.iter().flat_map(|(_, settings)| settings).map(|setting| setting.href).collect();
            assert_eq!(hrefs, expected, "{words}");
        }
        let all: usize = groups_for(false).map(|group| group.settings.len()).sum();
        assert_eq!(found("  ", false).iter().map(|(_, settings)| settings.len()).sum::<usize>(), all);
    }
}

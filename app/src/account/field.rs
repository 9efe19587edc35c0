//! The fields of the account forms.

use leptos::prelude::*;

#[component]
pub(super) fn NameField(
    label: &'static str,
    #[prop(optional)] hint: Option<&'static str>,
    #[prop(default = "off")] autocomplete: &'static str,
) -> impl IntoView {
    view! {
        <div class="field">
            <label class="field-label" for="name">{label}</label>
            <input
                class="input"
                id="name"
                name="name"
                required
                maxlength="40"
                autocapitalize="none"
                autocomplete=autocomplete
                aria-describedby=hint.map(|_| "name-hint")
            />
            {hint.map(|hint| view! { <p class="field-hint" id="name-hint">{hint}</p> })}
        </div>
    }
}

/// What the code in a field is.
#[derive(Clone, Copy)]
pub(super) enum Code {
    /// Six digits that an app shows now.
    ByTime,
    Recovery,
    /// Either of them.
    Any,
}

#[component]
pub(super) fn CodeField(
    /// Of the element; one page can have several.
    id: &'static str,
    label: &'static str,
    code: Code,
    #[prop(optional)] hint: Option<&'static str>,
) -> impl IntoView {
    let hint_id = format!("{id}-hint");
    let (autocomplete, inputmode) = match code {
        Code::ByTime => ("one-time-code", "numeric"),
        Code::Recovery => ("off", "text"),
        Code::Any => ("one-time-code", "text"),
    };
    view! {
        <div class="field">
            <label class="field-label" for=id>{label}</label>
            <input
                class="input input-code"
                id=id
                name="code"
                required
                maxlength="40"
                autocapitalize="none"
                spellcheck="false"
                inputmode=inputmode
                autocomplete=autocomplete
                aria-describedby=hint.map(|_| hint_id.clone())
            />
            {hint.map(|hint| view! { <p class="field-hint" id=hint_id>{hint}</p> })}
        </div>
    }
}

/// What the password in a field is.
#[derive(Clone, Copy)]
pub(super) enum Password {
    Current,
    New,
}

#[component]
pub(super) fn PasswordField(
    name: &'static str,
    /// Of the element, where a page has two of this name.
    #[prop(default = name)]
    id: &'static str,
    label: &'static str,
    password: Password,
) -> impl IntoView {
    let hint = format!("{id}-hint");
    let (autocomplete, least, described) = match password {
        Password::Current => ("current-password", None, None),
        Password::New => ("new-password", Some("10"), Some(hint.clone())),
    };
    view! {
        <div class="field">
            <label class="field-label" for=id>{label}</label>
            <input
                class="input"
                type="password"
                id=id
                name=name
                required
                minlength=least
                autocomplete=autocomplete
                aria-describedby=described.clone()
            />
            {described.map(|id| view! { <p class="field-hint" id=id>"10 to 200 characters. Length counts."</p> })}
        </div>
    }
}

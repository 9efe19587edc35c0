//! The fields of the account forms.

use crate::prelude::*;
use crate::ui::{Field, hint_id};

#[component]
pub(super) fn NameField(
    label: &'static str,
    #[prop(optional)] hint: Option<&'static str>,
    #[prop(default = "off")] autocomplete: &'static str,
    #[prop(optional_no_strip)] value: Option<String>,
) -> impl IntoView {
    view! {
        <Field id="name" label hint>
            <input
                class="input"
                id="name"
                name="name"
                value=value
                required
                maxlength="40"
                autocapitalize="none"
                autocomplete=autocomplete
                aria-describedby=hint.map(|_| "name-hint")
            />
        </Field>
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
    let (autocomplete, inputmode) = match code {
        Code::ByTime => ("one-time-code", "numeric"),
        Code::Recovery => ("off", "text"),
        Code::Any => ("one-time-code", "text"),
    };
    view! {
        <Field id label hint>
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
                aria-describedby=hint.map(|_| hint_id(id))
            />
        </Field>
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
    let (autocomplete, least, hint) = match password {
        Password::Current => ("current-password", None, None),
        Password::New => ("new-password", Some("10"), Some(t("10 to 200 characters. Length counts."))),
    };
    let described = hint.map(|_| hint_id(id));
    view! {
        <Field id label hint>
            <input
                class="input"
                type="password"
                id=id
                name=name
                required
                minlength=least
                autocomplete=autocomplete
                aria-describedby=described
            />
        </Field>
    }
}

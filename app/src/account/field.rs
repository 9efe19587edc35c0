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

/// What the password in a field is.
#[derive(Clone, Copy)]
pub(super) enum Password {
    Current,
    New,
}

#[component]
pub(super) fn PasswordField(name: &'static str, label: &'static str, password: Password) -> impl IntoView {
    let hint = format!("{name}-hint");
    let (autocomplete, least, described) = match password {
        Password::Current => ("current-password", None, None),
        Password::New => ("new-password", Some("10"), Some(hint.clone())),
    };
    view! {
        <div class="field">
            <label class="field-label" for=name>{label}</label>
            <input
                class="input"
                type="password"
                id=name
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

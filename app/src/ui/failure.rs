//! How a failure looks: what happened, what to do, and the id to quote.

use super::Icon;
use crate::AppError;
use crate::prelude::*;
use leptos::reactive::signal::MappedSignal;
use protocol::{Failure, FailureKind};

/// A failure as a banner; `children` may offer a way on.
#[component]
pub fn FailureBanner(failure: Failure, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    let Failure { kind, message, id } = failure;
    let id = id.map(|id| view! { " " <span class="num">"id " {id}</span> });
    let advice = advice(kind);
    let small = (advice.is_some() || id.is_some()).then(|| view! { <small>{advice} {id}</small> });
    view! {
        <div class="banner" data-kind="error" role="alert">
            <Icon name="warn"/>
            <p class="banner-text">{message} {small}</p>
            {children.map(|children| children())}
        </div>
    }
}

/// The failure of a form's last submission, if it failed, with and without JavaScript.
#[component]
pub fn ActionFailure<T>(value: MappedSignal<Option<Result<T, AppError>>>) -> impl IntoView
where
    T: Send + Sync + 'static,
{
    move || {
        let failure = value.with(|value| match value {
            Some(Err(AppError(failure))) => Some(failure.clone()),
            Some(Ok(_)) | None => None,
        });
        failure.map(|failure| view! { <FailureBanner failure/> })
    }
}

/// What to do, where the message itself cannot know it.
fn advice(kind: FailureKind) -> Option<&'static str> {
    match kind {
        FailureKind::Unauthenticated => Some(t("Reload the page to sign in.")),
        FailureKind::Internal => {
            Some(t("Try again. If it happens again, give this id to whoever runs the hub."))
        }
        FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::Conflict
        | FailureKind::Invalid
        | FailureKind::Limit
        | FailureKind::Upstream
        | FailureKind::Unavailable => None,
    }
}

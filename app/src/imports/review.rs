//! What is in a file, the form that brings it in, and what came of it.

use super::api::{CreateImport, DiscardImport, review_import};
use super::choices::Choices;
use super::counted;
use super::report::Report;
use crate::AppError;
use crate::agents::api::list_agents;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FailureBanner, FormAction, Icon, PageTitle, kept};
use leptos_router::hooks::use_params_map;
use protocol::import::ImportReview;
use protocol::view::{AgentCard, Me};
use protocol::{Failure, FailureKind};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    file: File,
    agents: Vec<AgentCard>,
}

#[derive(Clone, Serialize, Deserialize)]
enum File {
    Read(Box<ImportReview>),
    /// It is there, and cannot be read.
    Refused(Failure),
}

#[component]
pub fn ImportReviewPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("upload").unwrap_or_default());
    let create = FormAction::<CreateImport>::new();
    let discard = FormAction::<DiscardImport>::new();
    let shown = PageResource::new(move || (id.get(), create.version().get()), |(id, _)| load(id));
    view! {
        <PageTitle text={t("Import conversations").to_owned()}/>
        <Loaded resource=shown view={move |PageData { me, file, agents }| view! {
            <Shell me>
                <div class="settings">
                    {match file {
                        File::Read(review) => view! { <Reviewed review=*review agents create/> }.into_any(),
                        File::Refused(failure) => view! { <Refused failure/> }.into_any(),
                    }}
                    <ActionFailure value=discard.value()/>
                    <ActionForm action=discard attr:class="actions">
                        <input type="hidden" name="id" value=id.get_untracked()/>
                        <a class="button" data-kind="quiet" href="/import">"Choose another file"</a>
                        <button type="submit" class="button" data-kind="quiet">"Forget this file"</button>
                    </ActionForm>
                </div>
            </Shell>
        }}/>
    }
}

#[component]
fn Reviewed(review: ImportReview, agents: Vec<AgentCard>, create: FormAction<CreateImport>) -> impl IntoView {
    let heading = say!("Conversations from {source}", source = review.source.name());
    let inside = plural!(
        review.total,
        "{count} conversation with {messages} can be read.",
        "{count} conversations with {messages} can be read.",
        count = review.total,
        messages = counted(review.messages)
    );
    let known = (review.known > 0).then(|| {
        let words = plural!(
            review.known,
            "{count} of them was brought in before and is passed over.",
            "{count} of them were brought in before and are passed over.",
            count = review.known
        );
        view! { <p>{words}</p> }
    });
    let agents: Vec<(String, String)> = agents.into_iter().map(|card| (card.id.0, card.name)).collect();
    let notices = [review.left_out, review.notices].concat();
    let imported = review.imported;
    let form = (review.upload, review.source, review.offered, review.more, agents);
    view! {
        <header class="section-head">
            <h1>{heading}</h1>
            <p class="faint">{review.name}</p>
        </header>
        <p>{inside}</p>
        {known}
        <Notices notices/>
        <ActionFailure value=create.value()/>
        {(!imported.is_empty()).then(|| view! { <Report imported/> })}
        {kept(form, move |(upload, source, offered, more, agents)| view! { <Choices upload source offered more agents create/> })}
    }
}

#[component]
fn Notices(notices: Vec<String>) -> impl IntoView {
    (!notices.is_empty()).then(|| {
        view! {
            <div class="banner" role="note">
                <Icon name="info"/>
                <ul class="banner-text" aria-label="What does not fit">
                    {notices.into_iter().map(|notice| view! { <li>{notice}</li> }).collect_view()}
                </ul>
            </div>
        }
    })
}

#[component]
fn Refused(failure: Failure) -> impl IntoView {
    view! {
        <h1>"This file cannot be read"</h1>
        <FailureBanner failure/>
        <p>"Nothing was brought in."</p>
    }
}

async fn load(id: String) -> Result<PageData, AppError> {
    let file = match review_import(id).await {
        Ok(review) => File::Read(Box::new(review)),
        Err(AppError(failure)) if matches!(failure.kind, FailureKind::Invalid | FailureKind::Limit) => {
            File::Refused(failure)
        }
        Err(error) => return Err(error),
    };
    let (me, agents) = together!(me(), list_agents());
    Ok(PageData { me, file, agents })
}

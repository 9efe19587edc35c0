//! What is in an archive, who made it and what it wants, and the form that makes an agent of it.

use super::api::{CreateFromArchive, DiscardArchive, review_archive};
use super::proposals::Proposals;
use crate::AppError;
use crate::agents::api::list_tools;
use crate::agents::form::DefinitionFields;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::providers::api::list_providers;
use crate::schedules::words;
use crate::session::{brings_own, me};
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, FailureBanner, FormAction, Icon, PageTitle};
use leptos_router::hooks::use_params_map;
use protocol::archive::{ArchiveReview, ArchivedSchedule};
use protocol::view::{Me, ProviderView, ToolView};
use protocol::{Failure, FailureKind};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    archive: Archive,
    providers: Vec<ProviderView>,
    tools: Vec<ToolView>,
}

#[derive(Clone, Serialize, Deserialize)]
enum Archive {
    Read(Box<ArchiveReview>),
    /// It is there, and not in order.
    Refused(Failure),
}

#[component]
pub fn ReviewPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("archive").unwrap_or_default());
    let create = FormAction::<CreateFromArchive>::new();
    let offered = PageResource::new(move || id.get(), load);
    view! {
        <Loaded resource=offered view=move |PageData { me, archive, providers, tools }| {
            let may_add = brings_own(&me);
            view! {
                <Shell me>
                    <div class="settings">
                        {match archive {
                            Archive::Read(review) => {
                                view! { <Reviewed review=*review providers tools may_add create/> }.into_any()
                            }
                            Archive::Refused(failure) => view! { <Refused failure id=id.get_untracked()/> }.into_any(),
                        }}
                    </div>
                </Shell>
            }
        }/>
    }
}

#[component]
fn Reviewed(
    review: ArchiveReview,
    providers: Vec<ProviderView>,
    tools: Vec<ToolView>,
    may_add: bool,
    create: FormAction<CreateFromArchive>,
) -> impl IntoView {
    let made_by = made_by(&review);
    let inside = inside(&review);
    let ArchiveReview {
        archive,
        name,
        description,
        schedules,
        notices,
        has_page,
        draft,
        network,
        proposed,
        conversations,
        ..
    } = review;
    let still = has_page.then(|| {
        let src = format!("/sandbox/still/archive/{archive}");
        view! {
            <div class="review-view">
                <iframe class="card-still" src=src title="" tabindex="-1" aria-hidden="true" inert sandbox=""></iframe>
            </div>
        }
    });
    view! {
        <PageTitle text=name.clone()/>
        <section class="section">
            <div class="section-head">
                <h1>{name}</h1>
                {description.map(|words| view! { <p>{words}</p> })}
                <p class="faint">{made_by}</p>
            </div>
            {still}
            <p>{inside}</p>
            <Notices notices/>
            <Schedules schedules/>
        </section>
        <ActionFailure value=create.value()/>
        <ActionForm action=create attr:class="form">
            <input type="hidden" name="id" value=archive/>
            <DefinitionFields draft providers tools may_add/>
            <Proposals network rules=proposed conversations/>
            <div class="form-end">
                <button type="submit" class="button" data-kind="primary">"Create agent"</button>
                <a class="button" data-kind="quiet" href="/gallery">"Cancel"</a>
            </div>
        </ActionForm>
    }
}

#[component]
fn Notices(notices: Vec<String>) -> impl IntoView {
    (!notices.is_empty()).then(|| {
        view! {
            <div class="banner" role="note">
                <Icon name="info"/>
                <ul class="banner-text">
                    {notices.into_iter().map(|notice| view! { <li>{notice}</li> }).collect_view()}
                </ul>
            </div>
        }
    })
}

/// With every word that the agent would be told.
#[component]
fn Schedules(schedules: Vec<ArchivedSchedule>) -> impl IntoView {
    let row = |ArchivedSchedule { name, message, timing, caps, missed: _, rules: _, by: _ }| {
        view! {
            <li class="schedule">
                <h3 class="schedule-name">{name}</h3>
                <p class="schedule-words">{message}</p>
                <dl class="schedule-facts">
                    <div><dt>"When"</dt><dd>{words::timing(&timing)}</dd></div>
                    <div><dt>"Spends"</dt><dd>{words::limits(&caps)}</dd></div>
                </dl>
            </li>
        }
    };
    (!schedules.is_empty()).then(|| {
        view! {
            <div class="section-head"><h2>"Schedules"</h2></div>
            <ul class="schedules">{schedules.into_iter().map(row).collect_view()}</ul>
        }
    })
}

#[component]
fn Refused(failure: Failure, id: String) -> impl IntoView {
    let discard = FormAction::<DiscardArchive>::new();
    view! {
        <PageTitle text={t("An archive").to_owned()}/>
        <section class="section">
            <h1>"This archive cannot be opened"</h1>
            <FailureBanner failure/>
            <p>"Nothing was made of it."</p>
            <ActionFailure value=discard.value()/>
            <ActionForm action=discard attr:class="actions">
                <input type="hidden" name="id" value=id/>
                <a class="button" href="/gallery">"Choose another file"</a>
                <button type="submit" class="button" data-kind="quiet">"Forget it"</button>
            </ActionForm>
        </section>
    }
}

fn made_by(review: &ArchiveReview) -> String {
    let mut words = match &review.author {
        Some(author) => say!("Version {version}, by {author}", version = review.version),
        None => say!("Version {version}", version = review.version),
    };
    if let Some(license) = &review.license {
        words.push_str(&format!(", {license}"));
    }
    words
}

/// What comes with the definition, in one sentence.
fn inside(review: &ArchiveReview) -> String {
    let counted = |count: u32, words: fn(u32) -> String| (count > 0).then(|| words(count));
    let files = (review.files > 0).then(|| {
        let (count, size) = (review.files, size(review.bytes));
        plural!(count, "{count} file of {size}", "{count} files of {size}")
    });
    let parts: Vec<String> = [
        review.has_page.then(|| t("a page").to_owned()),
        counted(review.state_keys, |count| {
            plural!(count, "{count} value of its page", "{count} values of its page")
        }),
        counted(review.storage_keys, |count| {
            plural!(count, "{count} value of its own", "{count} values of its own")
        }),
        counted(review.rules, |count| {
            plural!(count, "{count} rule about its state", "{count} rules about its state")
        }),
        counted(review.made_tools, |count| {
            plural!(count, "{count} tool that it made", "{count} tools that it made")
        }),
        counted(u32::try_from(review.schedules.len()).unwrap_or(u32::MAX), |count| {
            plural!(count, "{count} schedule", "{count} schedules")
        }),
        counted(review.conversations, |count| {
            plural!(count, "{count} conversation", "{count} conversations")
        }),
        files,
    ]
    .into_iter()
    .flatten()
    .collect();
    match parts.as_slice() {
        [] => t("There is nothing in it but the definition below.").to_owned(),
        [only] => say!("With it comes {only}."),
        [first @ .., last] => say!("With it come {first} and {last}.", first = first.join(", ")),
    }
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => plural!(bytes, "{bytes} byte", "{bytes} bytes"),
        1024..1_048_576 => format!("{} KB", bytes / 1024),
        _ => format!("{} MB", bytes / 1_048_576),
    }
}

async fn load(id: String) -> Result<PageData, AppError> {
    let me = me().await?;
    let archive = match review_archive(id).await {
        Ok(review) => Archive::Read(Box::new(review)),
        Err(AppError(failure)) if matches!(failure.kind, FailureKind::Invalid | FailureKind::Limit) => {
            Archive::Refused(failure)
        }
        Err(error) => return Err(error),
    };
    let (providers, tools) = together!(list_providers(), list_tools());
    Ok(PageData { me, archive, providers, tools })
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::view::{AgentDraft, Network};

    #[test]
    fn what_is_inside_is_told_in_a_sentence() {
        for (has_page, files, bytes, state_keys, words) in [
            (false, 0, 0, 0, "There is nothing in it but the definition below."),
            (true, 0, 0, 0, "With it comes a page."),
            (true, 1, 500, 0, "With it come a page and 1 file of 500 bytes."),
            (true, 2, 3 << 20, 1, "With it come a page, 1 value of its page and 2 files of 3 MB."),
        ] {
            let review = ArchiveReview { has_page, files, bytes, state_keys, ..empty() };
            assert_eq!(inside(&review), words);
        }
    }

    fn empty() -> ArchiveReview {
        ArchiveReview {
            archive: String::new(),
            name: String::new(),
            version: String::new(),
            description: None,
            author: None,
            license: None,
            tags: Vec::new(),
            has_page: false,
            files: 0,
            bytes: 0,
            state_keys: 0,
            storage_keys: 0,
            rules: 0,
            made_tools: 0,
            schedules: Vec::new(),
            network: Network::Off,
            proposed: Vec::new(),
            conversations: 0,
            notices: Vec::new(),
            draft: AgentDraft::default(),
        }
    }
}

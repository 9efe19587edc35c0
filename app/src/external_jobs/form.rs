//! The form for one more service, and the fields that its page has too.

use super::api::AddJobService;
use super::words;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Choice, Field, FormAction, FormEnd, Section, hint_id};
use protocol::view::JobServiceKind;

#[component]
pub(super) fn ServiceForm(add: FormAction<AddJobService>) -> impl IntoView {
    view! {
        <Section id="service-form" title="Add a service">
            <ActionFailure value=add.value()/>
            <ActionForm action=add attr:class="form" attr:autocomplete="off">
                <Field id="service-name" label="Name" hint="Short, in small letters. Your agents name the service by it.">
                    <input
                        class="input input-code"
                        id="service-name"
                        name="name"
                        required
                        maxlength="20"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby=hint_id("service-name")
                    />
                </Field>
                <fieldset class="field">
                    <legend class="field-label">"What it is"</legend>
                    <Choice name="kind" value="github" words={words::kind(JobServiceKind::Github)} checked=true hint="Workflows of a repository that are started by hand (workflow_dispatch)."/>
                    <Choice name="kind" value="http" words={words::kind(JobServiceKind::Http)} checked=false hint="One that speaks the few requests for jobs that the manual describes."/>
                </fieldset>
                <Field id="service-url" label="Address of its API" hint="Of GitHub itself as it stands; of GitHub Enterprise with /api/v3 at the end.">
                    <input
                        class="input input-code"
                        id="service-url"
                        name="url"
                        type="url"
                        required
                        value="https://api.github.com"
                        maxlength="2048"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby=hint_id("service-url")
                    />
                </Field>
                <Field id="service-repository" label="Repository, if it is GitHub" hint="Owner and name, with a slash between them.">
                    <input
                        class="input input-code"
                        id="service-repository"
                        name="repository"
                        maxlength="201"
                        autocapitalize="none"
                        spellcheck="false"
                        aria-describedby=hint_id("service-repository")
                    />
                </Field>
                <JobsField value=String::new()/>
                <LogField value=String::new()/>
                <TokenField/>
                <FormEnd words="Add service"/>
            </ActionForm>
        </Section>
    }
}

/// What agents may start there.
#[component]
pub(super) fn JobsField(value: String) -> impl IntoView {
    view! {
        <Field
            id="service-jobs"
            label="Jobs that agents may start"
            hint="One a line. Of GitHub: the file of the workflow, then if you want its branch, then the input that takes an id, if the workflow has one."
        >
            <textarea
                class="input input-code"
                id="service-jobs"
                name="jobs"
                rows="4"
                autocapitalize="none"
                spellcheck="false"
                aria-describedby=hint_id("service-jobs")
            >
                {value}
            </textarea>
        </Field>
    }
}

/// Where its logs lie besides.
#[component]
pub(super) fn LogField(value: String) -> impl IntoView {
    view! {
        <Field
            id="service-logs"
            label="Address of its logs, if they lie in your own network"
            hint="Logs are fetched from the service itself and from public addresses. Of others, only from this one."
        >
            <input
                class="input input-code"
                id="service-logs"
                name="log_url"
                value=value
                maxlength="2048"
                autocapitalize="none"
                spellcheck="false"
                aria-describedby=hint_id("service-logs")
            />
        </Field>
    }
}

/// What says who asks.
#[component]
pub(super) fn TokenField() -> impl IntoView {
    view! {
        <Field
            id="service-token"
            label="Token, if it wants one"
            hint="Of GitHub: a fine-grained token for this repository alone, which may read and write Actions. Kept encrypted, sent to this server only, never shown again."
        >
            <input
                class="input input-code"
                id="service-token"
                name="token"
                type="password"
                autocomplete="off"
                spellcheck="false"
                aria-describedby=hint_id("service-token")
            />
        </Field>
    }
}

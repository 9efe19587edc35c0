//! The backups that the hub makes by itself, and a button for one more.

use super::facts::{Facts, bytes, moment};
use crate::admin::api::BackUp;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, Section, When};
use protocol::view::BackupStatus;

#[component]
pub(super) fn BackupsSection(backups: Option<BackupStatus>, back_up: FormAction<BackUp>) -> impl IntoView {
    let button = backups.is_some().then(|| view! { <BackUpForm back_up/> });
    let rows = match backups {
        None => vec![(t("Made by the hub"), t("No. Set VIVARIUM_BACKUP_DIR.").into_any())],
        Some(backups) => rows(backups),
    };
    view! {
        <Section id="backups" title="Backups">
            <Done what="backup" words="The backup was made."/>
            <ActionFailure value=back_up.value()/>
            <Facts rows/>
            {button}
        </Section>
    }
}

#[component]
fn BackUpForm(back_up: FormAction<BackUp>) -> impl IntoView {
    view! {
        <ActionForm action=back_up attr:class="actions">
            <button type="submit" class="button">"Back up now"</button>
            <span role="status">{move || back_up.pending().get().then(|| t("The backup is being made."))}</span>
        </ActionForm>
    }
}

fn rows(backups: BackupStatus) -> Vec<(&'static str, AnyView)> {
    let BackupStatus { every_hours, newest_at, newest_bytes, failure, under_way_since } = backups;
    let every = plural!(every_hours, "Every {hours} hours", "Every {hours} hours", hours = every_hours);
    let mut rows = vec![
        (t("Made by the hub"), every.into_any()),
        (t("Newest"), moment(newest_at, t("None yet"))),
        (t("Its size"), newest_bytes.map_or_else(|| "-".to_owned(), bytes).into_any()),
        (
            t("Last try"),
            match failure {
                None => t("Well").into_any(),
                Some(failure) => view! { "Failed " <When at=failure.at/> ": " {failure.why} }.into_any(),
            },
        ),
    ];
    if let Some(since) = under_way_since {
        rows.push((t("Being made"), view! { "Since " <When at=since/> }.into_any()));
    }
    rows
}

//! What this browser knows of the person, for the sources that they turned on: reported with each page that it
//! opens, when it is gone back to, and when it goes out of sight.

use crate::AppError;
use crate::browser::{clock, screen, whereabouts};
use crate::prelude::*;
use crate::transport::Posted;
use leptos::task::spawn_local;
use leptos_router::hooks::use_location;
use protocol::ContextSource;
use protocol::view::ContextReport;
use std::cell::RefCell;

#[cfg(feature = "ssr")]
use crate::context::{hub, viewer};

/// Takes in what a browser knows of the person, as far as its source is on.
#[server(prefix = "/api", endpoint = "person_context/report", protocol = Posted)]
pub async fn report_context(#[server(default)] report: ContextReport) -> Result<(), AppError> {
    let viewer = viewer()?;
    Ok(hub().for_viewer(&viewer).person_context().report(&report).await?)
}

thread_local! {
    /// What was reported last, and from which page: one that is drawn anew says nothing new.
    static LAST: RefCell<Option<(Vec<ContextSource>, String)>> = const { RefCell::new(None) };
}

/// Draws nothing.
#[component]
pub fn Reporting(reports: Vec<ContextSource>) -> impl IntoView {
    let path = use_location().pathname;
    let reports = StoredValue::new(reports);
    let say = move || {
        let (Some(reports), Some(path)) = (reports.try_get_value(), path.try_get_untracked()) else { return };
        let report = known(&reports, path.clone());
        LAST.set(Some((reports, path)));
        // Where it cannot be said, the next page says it.
        spawn_local(async move { drop(report_context(report).await) });
    };
    Effect::new(move |_| {
        let here = (reports.get_value(), path.get());
        let is_new = LAST.with_borrow(|last| last.as_ref() != Some(&here));
        if is_new && !document().hidden() {
            say();
        }
    });
    Effect::new(move |_| {
        let focus = window_event_listener_untyped("focus", move |_| say());
        let turn = window_event_listener_untyped("visibilitychange", move |_| {
            let tells_activity = reports.try_with_value(|reports| reports.contains(&ContextSource::Activity));
            if !document().hidden() || tells_activity == Some(true) {
                say();
            }
        });
        on_cleanup(move || {
            focus.remove();
            turn.remove();
        });
    });
}

/// No more than what they want told.
fn known(reports: &[ContextSource], path: String) -> ContextReport {
    let is_on = |source| reports.contains(&source);
    let mut report = ContextReport::default();
    if is_on(ContextSource::Time) {
        report.zone = clock::zone().unwrap_or_default();
    }
    if is_on(ContextSource::Device) {
        report.phone = screen::matches("(pointer: coarse)");
        report.language = whereabouts::language().unwrap_or_default();
    }
    if is_on(ContextSource::Activity) {
        report.path = path;
        report.away = document().hidden();
    }
    report
}

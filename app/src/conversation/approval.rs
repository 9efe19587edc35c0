//! A call that waits for the person, in the conversation, and over the page while that is all there is
//! to see. How it ended stays in the conversation.

use super::desk::Desk;
use super::layout::{Pane, View};
use super::thread::Body;
use super::transcript::Shown;
use crate::approvals::{AnswerForm, Asked, answered, question};
use leptos::prelude::*;
use protocol::approval::{Approval, Asker, Settled};

#[component]
pub fn ApprovalRow(shown: Shown, approval: Approval, desk: Desk) -> impl IntoView {
    let Shown { body, .. } = shown;
    let settled = Memo::new(move |_| {
        body.with(|body| match body {
            Body::Approval { settled, .. } => settled.clone(),
            Body::Message(_)
            | Body::Text { .. }
            | Body::Reasoning { .. }
            | Body::Tool { .. }
            | Body::Note(_)
            | Body::CutOff(_)
            | Body::Ended { .. }
            | Body::PageErrors
            | Body::Device { .. } => None,
        })
    });
    let name = desk.name.get_value();
    move || {
        let (name, approval) = (name.clone(), approval.clone());
        match settled.get() {
            Some(settled) => view! { <Ended name approval settled/> }.into_any(),
            // The page's own questions stand over the page.
            None if approval.asker == Asker::Page => ().into_any(),
            None => {
                let label = format!("{name} asks you");
                view! {
                    <li>
                        <section class="approval" aria-label=label>
                            <Asked name approval=approval.clone()/>
                            <AnswerForm approval action=desk.answer/>
                        </section>
                    </li>
                }
                .into_any()
            }
        }
    }
}

#[component]
fn Ended(name: String, approval: Approval, settled: Settled) -> impl IntoView {
    let word = match &settled {
        Settled::Decided { word: Some(word), .. } => Some(format!(" \u{201c}{word}\u{201d}")),
        Settled::Decided { word: None, .. } | Settled::Expired | Settled::Withdrawn => None,
    };
    view! {
        <li>
            <div class="notice" data-kind="info">
                <p class="notice-text">{question(&name, &approval)} " " {answered(&settled)} {word}</p>
            </div>
        </li>
    }
}

/// What the page asks, and what the model asks while the conversation is not on the screen. It is ours:
/// the page in its frame cannot draw here.
#[component]
pub fn Question(desk: Desk) -> impl IntoView {
    let first = Memo::new(move |_| {
        let is_hidden = matches!(desk.view.get(), View::Skin | View::Min) || desk.pane.get() == Pane::Skin;
        let is_for_here = |approval: &&Approval| is_hidden || approval.asker == Asker::Page;
        desk.transcript.open.with(|open| open.iter().find(is_for_here).cloned())
    });
    move || {
        first.get().map(|approval| {
            let name = desk.name.get_value();
            let label = format!("{name} asks you");
            view! {
                <section class="question approval" role="alertdialog" aria-label=label>
                    <Asked name approval=approval.clone()/>
                    <AnswerForm approval action=desk.answer/>
                </section>
            }
        })
    }
}

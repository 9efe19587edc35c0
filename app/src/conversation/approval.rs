//! A call that waits for the person, in the conversation, and over the page while that is all there is
//! to see. How it ended stays in the conversation.

use super::context::ConversationContext;
use super::layout::{Pane, View};
use super::thread::Body;
use super::transcript::RenderedItem;
use crate::approvals::{Card, answered, question};
use crate::prelude::*;
use crate::ui;
use crate::ui::Spelled;
use leptos::html;
use protocol::approval::{Approval, ApprovalOutcome, Asker};

#[component]
pub fn ApprovalRow(shown: RenderedItem, approval: Approval, context: ConversationContext) -> impl IntoView {
    let RenderedItem { body, .. } = shown;
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
            | Body::Branches { .. }
            | Body::Device { .. } => None,
        })
    });
    let name = context.name.get_value();
    move || {
        let (name, approval) = (name.clone(), approval.clone());
        match settled.get() {
            Some(settled) => view! { <Ended name approval settled/> }.into_any(),
            // The page's own questions stand over the page.
            None if approval.asker == Asker::Page => ().into_any(),
            None => {
                let label = say!("{name} asks you");
                let place = NodeRef::<html::Section>::new();
                let settled = ui::PressGuard::of(place);
                view! {
                    <li>
                        <section class="approval" aria-label=label node_ref=place>
                            <Card name approval answers=context.answers settled/>
                        </section>
                    </li>
                }
                .into_any()
            }
        }
    }
}

#[component]
fn Ended(name: String, approval: Approval, settled: ApprovalOutcome) -> impl IntoView {
    let word = match &settled {
        ApprovalOutcome::Decided { word: Some(word), .. } => Some(say!(" \u{201c}{word}\u{201d}")),
        ApprovalOutcome::Decided { word: None, .. }
        | ApprovalOutcome::Answered { .. }
        | ApprovalOutcome::Expired
        | ApprovalOutcome::Withdrawn => None,
    };
    view! {
        <li>
            <div class="notice" data-kind="info">
                <p class="notice-text"><Spelled text=question(&name, &approval)/> " " <Spelled text=answered(&approval, &settled)/> {word}</p>
            </div>
        </li>
    }
}

/// What the page asks, and what the model asks while the conversation is not on the screen. It is ours:
/// the page in its frame cannot draw here.
#[component]
pub fn Question(context: ConversationContext) -> impl IntoView {
    let first = Memo::new(move |_| {
        let is_hidden =
            matches!(context.view.get(), View::Skin | View::Min) || context.pane.get() == Pane::Skin;
        let is_for_here = |approval: &&Approval| is_hidden || approval.asker == Asker::Page;
        context.transcript.open.with(|open| open.iter().find(is_for_here).cloned())
    });
    move || {
        first.get().map(|approval| {
            let name = context.name.get_value();
            let label = say!("{name} asks you");
            let place = NodeRef::<html::Section>::new();
            let settled = ui::PressGuard::of(place);
            view! {
                <section class="question approval" role="alertdialog" aria-label=label node_ref=place>
                    <Card name approval answers=context.answers settled/>
                </section>
            }
        })
    }
}

//! One press to take all back that a call did to files.

use super::context::ConversationContext;
use crate::files::api::UndoCall as UndoCallFn;
use crate::prelude::*;
use crate::ui::{ActionFailure, ActionForm, FormAction, grouped};
use protocol::CallId;
use protocol::files::UndoneCall;

/// `count`: how many changes of files the call made, as a person counts them.
#[component]
pub(super) fn UndoCall(call: CallId, count: usize, context: ConversationContext) -> impl IntoView {
    let undo = FormAction::<UndoCallFn>::new();
    let label = StoredValue::new(match count {
        1 => t("Undo this change").to_owned(),
        count => say!("Undo all {count} changes of files", count = grouped(count as u64)),
    });
    let about = StoredValue::new((
        context.agent.with_value(|agent| agent.0.clone()),
        context.conversation.with_value(|conversation| conversation.0.clone()),
        call.0,
    ));
    let fields = move || {
        about.with_value(|(agent, conversation, call)| {
            view! {
                <input type="hidden" name="agent" value=agent.clone()/>
                <input type="hidden" name="conversation" value=conversation.clone()/>
                <input type="hidden" name="call" value=call.clone()/>
            }
        })
    };
    let undone = move || undo.value().with(|value| value.as_ref().and_then(|value| value.clone().ok()));
    let words = move || undone().map(words).unwrap_or_default();
    view! {
        <ActionFailure value=undo.value()/>
        <div class="actions">
            <Show when=move || undone().is_none() fallback=move || view! { <span class="field-hint" role="status">{words}</span> }>
                <ActionForm action=undo>
                    {fields}
                    <button type="submit" class="button" data-kind="quiet">{label.get_value()}</button>
                </ActionForm>
            </Show>
        </div>
    }
}

fn words(undone: UndoneCall) -> String {
    let UndoneCall { undone, left } = undone;
    let back = plural!(
        undone,
        "1 file is as it was before.",
        "{count} files are as they were before.",
        count = grouped(undone)
    );
    if left == 0 {
        return back;
    }
    let not_back = plural!(
        left,
        "{count} could not be brought back: their versions are not kept any more, or there is no room.",
        "{count} could not be brought back: their versions are not kept any more, or there is no room.",
        count = grouped(left)
    );
    [back, not_back].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_taken_back_is_said() {
        assert_eq!(words(UndoneCall { undone: 2, left: 0 }), "2 files are as they were before.");
        assert!(
            words(UndoneCall { undone: 1, left: 3 }).starts_with("1 file is as it was before. 3 could not")
        );
    }
}

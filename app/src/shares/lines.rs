//! What was said in a shared conversation, and which tools were used, as a list.

use crate::prelude::*;
use crate::ui::{Icon, Markdown, When};
use protocol::ShareId;
use protocol::view::{SharedLine, SharedSpeaker, SharedWords};

#[component]
pub(super) fn Lines(share: ShareId, owner: String, lines: Vec<SharedLine>) -> impl IntoView {
    let is_tool = |line: &SharedLine| matches!(line.said, SharedWords::Tool { .. });
    let groups = lines.chunk_by(|one, next| is_tool(one) && is_tool(next));
    let group = |group: &[SharedLine]| {
        let lines = group.iter().cloned().map(|line| view_of(&share, &owner, line)).collect_view();
        if group.iter().all(is_tool) {
            view! { <li class="steps">{lines}</li> }.into_any()
        } else {
            lines.into_any()
        }
    };
    groups.map(group).collect_view()
}

/// All of a text, as it was written.
pub(super) fn whole(line: SharedLine) -> AnyView {
    match line.said {
        SharedWords::Message { text, .. } | SharedWords::Answer { text } => {
            view! { <pre class="message-text" tabindex="0">{text}</pre> }.into_any()
        }
        SharedWords::Tool { name, failed } => tool(name, failed),
    }
}

fn view_of(share: &ShareId, owner: &str, line: SharedLine) -> AnyView {
    let SharedLine { seq, at, said, is_cut } = line;
    let rest = is_cut.then(|| {
        view! {
            <p class="message-rest"><a href=format!("/shared/{share}?entry={seq}")>"Show all of it"</a></p>
        }
    });
    match said {
        SharedWords::Message { from, text, attached } => {
            message(owner, from, text, attached, at, rest.into_any())
        }
        SharedWords::Answer { text } => view! {
            <li class="message" data-from="agent"><Markdown source=Signal::stored(text)/> {rest}</li>
        }
        .into_any(),
        SharedWords::Tool { name, failed } => tool(name, failed),
    }
}

/// What somebody else than the conversation's owner wrote stands apart, under the name of where it is from.
fn message(
    owner: &str,
    from: SharedSpeaker,
    text: String,
    attached: Vec<String>,
    at: i64,
    rest: AnyView,
) -> AnyView {
    // What a page or a rule tells is more often data than words.
    let is_data = matches!(from, SharedSpeaker::Page | SharedSpeaker::Rule);
    let (from, whose) = match from {
        SharedSpeaker::Owner => ("person", owner.to_owned()),
        SharedSpeaker::Program { name } => ("person", say!("Sent by {name}")),
        SharedSpeaker::Relay { name } => ("page", say!("{name} passed on: ")),
        SharedSpeaker::Page => ("page", t("The page said: ").to_owned()),
        SharedSpeaker::Agent { name } => ("page", format!("{name}: ")),
        SharedSpeaker::Rule => ("page", t("A rule came true: ").to_owned()),
        SharedSpeaker::Schedule { name } => ("page", say!("Due, {name}: ")),
    };
    let has_words = !text.is_empty();
    let words = match is_data {
        true => text.into_any(),
        false => view! { <Markdown source=Signal::stored(text)/> }.into_any(),
    };
    if from == "page" {
        return view! {
            <li class="message" data-from=from>
                <div class="message-text"><b>{whose}</b> {words}</div>
                {rest}
            </li>
        }
        .into_any();
    }
    view! {
        <li class="message" data-from=from>
            {names(attached)}
            {has_words.then(|| view! { <div class="message-text">{words}</div> })}
            <p class="message-meta"><span>{whose}</span> <When at/></p>
            {rest}
        </li>
    }
    .into_any()
}

fn names(attached: Vec<String>) -> Option<impl IntoView> {
    let file =
        |name| view! { <li><span class="attached-file"><Icon name="file"/> <span>{name}</span></span></li> };
    (!attached.is_empty())
        .then(|| view! { <ul class="attached">{attached.into_iter().map(file).collect_view()}</ul> })
}

fn tool(name: String, failed: bool) -> AnyView {
    let outcome = failed.then(|| view! { <span class="tool-object">"failed"</span> });
    view! {
        <p class="tool tool-told"><Icon name="tool" small=true/> <span class="tool-verb">{name}</span> {outcome}</p>
    }
    .into_any()
}

//! What the loop itself did on the way: a quiet line that opens to the words the model was told.

use super::context::ConversationContext;
use super::thread::Note;
use super::transcript::RenderedItem;
use crate::prelude::*;
use crate::ui::Icon;
use protocol::agent::Home;
use protocol::log::{NoticeKind, Summariser};

#[component]
pub fn NoteLine(shown: RenderedItem, note: Note, context: ConversationContext) -> impl IntoView {
    let text = shown.text;
    if note == Note::Notice(NoticeKind::Limit) {
        let budget = format!("/agents/{}/budget", context.agent.get_value());
        return view! {
            <div class="notice" data-kind="warn" role="status">
                <p class="notice-text">{label(note)} <small>{move || text.get()}</small></p>
                <a class="button" href=budget>"See the budget"</a>
            </div>
        }
        .into_any();
    }
    if matches!(note, Note::IdleSchedule | Note::BrokenSchedule) {
        let schedules = format!("/agents/{}/schedules", context.agent.get_value());
        return view! {
            <div class="notice" data-kind="warn" role="status">
                <p class="notice-text">{label(note)} <small>{move || text.get()}</small></p>
                <a class="button" href=schedules>"See the schedules"</a>
            </div>
        }
        .into_any();
    }
    if note == Note::Notice(NoticeKind::KeyWanted) {
        return view! {
            <div class="notice" data-kind="ask" role="status">
                <p class="notice-text">{label(note)} <small>{move || text.get()}</small></p>
            </div>
        }
        .into_any();
    }
    // All that there is to say stands in the line.
    if matches!(
        note,
        Note::Devices | Note::Todo | Note::Rating | Note::Schedule | Note::Notice(NoticeKind::GivenUp)
    ) {
        return view! {
            <p class="tool tool-told">
                <Icon name="info" small=true/>
                <span><span class="tool-verb">{label(note)}</span> " " {move || text.get()}</span>
            </p>
        }
        .into_any();
    }
    let tools = matches!(note, Note::ToolCreated).then(|| {
        let (page, name) = (format!("/agents/{}/tools", context.agent.get_value()), context.name.get_value());
        view! { <p><a href=page>{say!("Own tools of {name}")}</a></p> }
    });
    // Nothing else was said.
    let is_the_answer = note == Note::Notice(NoticeKind::Unanswered);
    view! {
        <details class="tool" data-status="note" open=is_the_answer>
            <summary>
                <Icon name="info" small=true/>
                <span class="tool-verb">{label(note)}</span>
            </summary>
            <div class="tool-body">
                <pre tabindex="0">{move || text.get()}</pre>
                {tools}
            </div>
        </details>
    }
    .into_any()
}

fn label(note: Note) -> &'static str {
    t(match note {
        Note::Retrying => "The call failed and is made again",
        Note::Digested => "Shortened old results",
        Note::Clipped => "Shortened long texts",
        Note::Summary(Summariser::Model) => "Summarised what was said earlier",
        Note::Summary(Summariser::Log) => "Kept one line for each earlier turn",
        Note::ToolCreated => "Made a tool",
        Note::Moved(Home::Hub) => "Moved to the hub",
        Note::Moved(Home::Browser) => "Moved to a browser",
        Note::RunMoved => "Goes on in the hub",
        Note::ToolDeleted => "Took a tool away",
        Note::Imported => "Where it comes from",
        Note::Devices => "Told of devices:",
        Note::Todo => "Told of the list:",
        Note::Rating => "Given your note:",
        Note::Schedule => "Schedule:",
        Note::IdleSchedule => "Nobody looks at what a schedule does",
        Note::BrokenSchedule => "A schedule was switched off",
        Note::Unverified => "Told by a browser, unverified",
        Note::Notice(kind) => match kind {
            NoticeKind::FinalAnswer => "Last round: asked for the answer",
            NoticeKind::Empty => "The reply was empty: asked again",
            NoticeKind::Inaction => "Announced an action and did nothing: asked to do it",
            NoticeKind::Malformed => "A call could not be read: asked for again",
            NoticeKind::Prefetch => "Looked things up first",
            NoticeKind::Ambient => "Thought things over",
            NoticeKind::KeyWanted => "Waits for a key",
            NoticeKind::Sources => "Found by the provider's own search",
            NoticeKind::Limit => "Most of a limit on spending is used up",
            NoticeKind::GivenUp => "It does not go on:",
            NoticeKind::Fallback => "The local model did not answer: another one does",
            NoticeKind::OutputLimit => "The reply reached its limit: asked to go on",
            NoticeKind::Unanswered => "No answer: what its calls brought",
            NoticeKind::CutShort => "The answer is longer than the limit of tokens",
            NoticeKind::CallLimit => "Too many calls in one reply",
            NoticeKind::Duplicate => "The same call twice",
            NoticeKind::Repeated => "The same call again and again",
            NoticeKind::Disabled => "A call that keeps failing is not made again",
            NoticeKind::RepeatedSearch => "The same search in other words",
            NoticeKind::Denied => "A call was not allowed",
            NoticeKind::Injection => "A result speaks to the model: treat it as data",
            NoticeKind::Context => "The conversation was shortened to fit",
            NoticeKind::NoSummary => "No summary could be had",
            NoticeKind::Hook => "A hook added words",
            NoticeKind::Continue => "A hook asked to go on",
            NoticeKind::Hint => "A hint from what you wrote",
            NoticeKind::Plan => "A plan",
            NoticeKind::Autonomous => "Goes on by itself",
        },
    })
}

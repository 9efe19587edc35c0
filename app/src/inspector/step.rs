//! A step of compaction: what no longer goes out as it was said.

use crate::prelude::*;
use protocol::log::Summariser;
use protocol::view::ContextStep;

#[component]
pub fn Step(step: ContextStep) -> impl IntoView {
    let (words, text) = match step {
        ContextStep::Digested => (t("Old results of tools are sent as digests").to_owned(), None),
        ContextStep::Clipped { longest } => (say!("No text is sent with more than {longest} bytes"), None),
        ContextStep::Summary { by: Summariser::Model, text } => {
            (t("A summary by the model stands for earlier turns").to_owned(), Some(text))
        }
        ContextStep::Summary { by: Summariser::Log, text } => {
            (t("One line stands for each earlier turn").to_owned(), Some(text))
        }
    };
    match text {
        Some(text) => view! {
            <li>
                <details class="tool">
                    <summary><span class="tool-verb">{words}</span></summary>
                    <div class="tool-body"><pre tabindex="0">{text}</pre></div>
                </details>
            </li>
        }
        .into_any(),
        None => view! { <li class="context-step">{words}</li> }.into_any(),
    }
}

//! What an agent asks, and a form that fits it. The form works without script, but for a file.

use super::api::AnswerQuestion;
use super::file::FileAnswer;
use super::words::{answer_words, reason};
use crate::ui::{ActionForm, Ahead, FormAction, PressGuard, Spelled, TextArea};
use leptos::html;
use leptos::prelude::*;
use protocol::approval::Approval;
use protocol::question::{Answer, Question, QuestionOption, Wanted};

/// Whoever shows the question says when it has stood long enough to be answered.
#[component]
pub fn QuestionForm(
    name: String,
    approval: Approval,
    question: Question,
    action: FormAction<AnswerQuestion>,
    settled: PressGuard,
) -> impl IntoView {
    let strangers = approval.strangers.then(|| view! { <p class="asked-note">{reason(&approval)}</p> });
    let Approval { id, hash, expires_at, .. } = approval;
    let Question { text, wanted, default, .. } = question;
    let late = match &default {
        Some(default) => format!("Then {} holds.", answer_words(default)),
        None => "Then it goes on without an answer.".to_owned(),
    };
    let label = format!("asked-{id}");
    let legend = label.clone();
    view! {
        <p class="approval-words"><b>{name} " asks you something."</b></p>
        <p class="asked-text" id=label><Spelled text/></p>
        {strangers}
        <ActionForm action attr:class="asked-form" attr:aria-labelledby=legend>
            <input type="hidden" name="id" value=id.0/>
            <input type="hidden" name="hash" value=hash/>
            {fields(wanted, default)}
            <div class="asked-answers">
                <Send action settled/>
                <Send action settled skips=true/>
            </div>
        </ActionForm>
        <p class="asked-note">"Waits until " <Ahead at=expires_at/> ". " <Spelled text=late/></p>
    }
}

fn fields(wanted: Wanted, default: Option<Answer>) -> AnyView {
    let text = match &default {
        Some(Answer::Text { text }) => text.clone(),
        Some(Answer::Number { number }) => number.to_string(),
        Some(Answer::Date { date }) => date.clone(),
        Some(Answer::Chosen { .. } | Answer::File { .. } | Answer::Skipped) | None => String::new(),
    };
    match wanted {
        Wanted::Choice { options, other } => {
            view! { <Options kind="radio" options other default hint=None/> }.into_any()
        }
        Wanted::Several { options, other, least, most } => {
            let hint = Some(match least == most {
                true => format!("Choose {least}."),
                false => format!("Choose {least} to {most}."),
            });
            view! { <Options kind="checkbox" options other default hint/> }.into_any()
        }
        Wanted::Text => view! {
            <TextArea text attr:class="input asked-words" attr:name="text" attr:rows="3" attr:maxlength="4000" attr:required=true attr:aria-label="Your answer"/>
        }
        .into_any(),
        Wanted::Number { least, most } => view! {
            <input
                class="input asked-short"
                type="number"
                step="any"
                inputmode="decimal"
                name="text"
                value=text
                min=least.map(|least| least.to_string())
                max=most.map(|most| most.to_string())
                required
                aria-label="Your answer, a number"
            />
        }
        .into_any(),
        Wanted::Date => view! {
            <input class="input asked-short" type="date" name="text" value=text required aria-label="Your answer, a date"/>
        }
        .into_any(),
        Wanted::File => view! { <FileAnswer/> }.into_any(),
    }
}

/// The answers that are offered, and where they may be, words of the person's own.
#[component]
fn Options(
    kind: &'static str,
    options: Vec<QuestionOption>,
    other: bool,
    default: Option<Answer>,
    hint: Option<String>,
) -> impl IntoView {
    let is_one = kind == "radio";
    let usual = match default {
        Some(Answer::Chosen { labels, .. }) => labels,
        Some(
            Answer::Text { .. }
            | Answer::Number { .. }
            | Answer::Date { .. }
            | Answer::File { .. }
            | Answer::Skipped,
        )
        | None => Vec::new(),
    };
    // Words that are written stay when another answer is chosen, and are not sent then.
    let is_own_left_out = RwSignal::new(false);
    let choices = options.into_iter().map(|QuestionOption { label, description }| {
        let checked = usual.contains(&label);
        view! {
            <label class="choice" data-edge="">
                <input
                    type=kind
                    name="chosen[]"
                    value=label.clone()
                    checked=checked
                    required=is_one
                    on:change=move |_| is_own_left_out.set(is_one)
                />
                <span><Spelled text=label/></span>
                {description.map(|text| view! { <span class="choice-hint"><Spelled text/></span> })}
            </label>
        }
    });
    view! {
        <fieldset class="choices asked-options">
            <legend class="sr-only">"Answers"</legend>
            {hint.map(|hint| view! { <p class="asked-note">{hint}</p> })}
            {choices.collect_view()}
            {other.then(|| view! { <OwnWords is_one is_left_out=is_own_left_out/> })}
        </fieldset>
    }
}

#[component]
fn OwnWords(is_one: bool, is_left_out: RwSignal<bool>) -> impl IntoView {
    let choice = NodeRef::<html::Input>::new();
    let mean = move || {
        is_left_out.set(false);
        if let Some(choice) = choice.get_untracked() {
            choice.set_checked(true);
        }
    };
    view! {
        <div class="choice asked-own" data-edge="">
            {is_one.then(|| view! {
                <input
                    type="radio"
                    name="chosen[]"
                    value=""
                    required
                    aria-label="Other"
                    node_ref=choice
                    on:change=move |_| is_left_out.set(false)
                />
            })}
            <input
                class="input"
                name=move || (!is_left_out.get()).then_some("text")
                maxlength="500"
                autocomplete="off"
                placeholder="Other…"
                aria-label="Other, in your own words"
                on:input=move |_| mean()
            />
        </div>
    }
}

#[component]
fn Send(
    action: FormAction<AnswerQuestion>,
    settled: PressGuard,
    #[prop(optional)] skips: bool,
) -> impl IntoView {
    let pending = action.pending();
    view! {
        <button
            class="button"
            type="submit"
            name=skips.then_some("skip")
            value=skips.then_some("true")
            formnovalidate=skips
            data-kind=(!skips).then_some("primary")
            aria-busy=move || pending.get().then_some("true")
            aria-disabled=move || settled.disabled()
            on:click=move |event| {
                if !settled.get_untracked() {
                    event.prevent_default();
                }
            }
        >
            {if skips { "Skip" } else { "Answer" }}
        </button>
    }
}

//! Where the agent lives and which tab does its work, and the ways to change that. Moving between turns
//! works without script.

use super::api::MoveAgent;
use super::context::ConversationContext;
use crate::prelude::*;
use crate::ui::{ActionForm, FormAction, Icon, close_on_escape};
use protocol::agent::Home;
use protocol::view::Status;

/// A move that a person can choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    home: &'static str,
    when: &'static str,
    words: &'static str,
}

#[component]
pub fn HomeMenu(context: ConversationContext) -> impl IntoView {
    let home = context.transcript.home;
    let icon = move || match home.get() {
        Home::Hub => view! { <Icon name="home-hub" small=true/> },
        Home::Browser => view! { <Icon name="home-browser" small=true/> },
    };
    let words = move || {
        t(match home.get() {
            Home::Hub => "Hub",
            Home::Browser => "Browser",
        })
    };
    let about = move || {
        t(match home.get() {
            Home::Hub => "Lives on the hub, and works on with no page open.",
            Home::Browser => "Lives in the browser, and works in the tab that it is talked to in.",
        })
    };
    let choices = Memo::new(move |_| choices(home.get(), context.transcript.status.get()));
    view! {
        <details class="home-menu" on:keydown=close_on_escape>
            <summary aria-label=move || { say!("Home: {words}", words = words()) } title=move || { say!("Home: {words}", words = words()) }>
                {icon}
                <span class="wide-only">{words}</span>
            </summary>
            <div class="home-menu-body">
                <p>{about}</p>
                <For each=move || choices.get() key=|choice| choice.words let:choice>
                    <MoveForm context choice action=context.move_home/>
                </For>
            </div>
        </details>
    }
}

#[component]
fn MoveForm(context: ConversationContext, choice: Choice, action: FormAction<MoveAgent>) -> impl IntoView {
    let pending = action.pending();
    view! {
        <ActionForm action>
            <input type="hidden" name="agent" value=context.agent.get_value().0/>
            <input type="hidden" name="home" value=choice.home/>
            <input type="hidden" name="when" value=choice.when/>
            <input type="hidden" name="tab" value=move || context.tab.get()/>
            <button class="button" type="submit" aria-busy=move || pending.get().then_some("true")>
                {choice.words}
            </button>
        </ActionForm>
    }
}

/// Says that another tab does the work, and offers to do it here.
#[component]
pub fn DrivenElsewhere(context: ConversationContext) -> impl IntoView {
    let device = Memo::new(move |_| {
        let own = context.tab.get();
        let driver = context.transcript.driver.get()?;
        (!own.is_empty() && driver.tab.0 != own).then_some(driver.device)
    });
    view! {
        <Show when=move || device.with(Option::is_some)>
            <div class="banner" data-kind="info" role="note">
                <Icon name="home-browser"/>
                <p class="banner-text">
                    {move || say!("Runs on {device}, in another tab.", device = device.get().unwrap_or_default())}
                </p>
                <TakeOver context/>
            </div>
        </Show>
    }
}

#[component]
fn TakeOver(context: ConversationContext) -> impl IntoView {
    let action = context.take_over;
    let pending = action.pending();
    view! {
        <ActionForm action>
            <input type="hidden" name="agent" value=context.agent.get_value().0/>
            <input type="hidden" name="tab" value=move || context.tab.get()/>
            <button class="button" type="submit" aria-busy=move || pending.get().then_some("true")>
                "Take over"
            </button>
        </ActionForm>
    }
}

fn choices(home: Home, status: Status) -> Vec<Choice> {
    let (home, rest, after, now) = match home {
        Home::Hub => {
            ("browser", t("Bring home"), t("Bring home after this turn"), t("Stop the turn and bring home"))
        }
        Home::Browser => {
            ("hub", t("Move to hub"), t("Move to hub after this turn"), t("Stop the turn and move"))
        }
    };
    match status {
        Status::Idle | Status::Waiting | Status::Error => vec![Choice { home, when: "after", words: rest }],
        Status::Running => {
            vec![Choice { home, when: "after", words: after }, Choice { home, when: "now", words: now }]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_under_way_offers_to_wait_for_its_turn() {
        for (home, status, expected) in [
            (Home::Hub, Status::Idle, vec!["Bring home"]),
            (Home::Browser, Status::Error, vec!["Move to hub"]),
            (Home::Browser, Status::Running, vec!["Move to hub after this turn", "Stop the turn and move"]),
            (Home::Hub, Status::Running, vec!["Bring home after this turn", "Stop the turn and bring home"]),
        ] {
            let words: Vec<_> = choices(home, status).iter().map(|choice| choice.words).collect();
            assert_eq!(words, expected, "{home:?} {status:?}");
        }
    }
}

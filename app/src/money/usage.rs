//! The usage page: thirty days of one's own, and for administrators of everybody.

use super::api::{LimitOwn, all_usage, own_budget, usage};
use super::bars::Bars;
use super::limits::LimitFields;
use super::lines::Lines;
use super::parts::{EVERYBODY, Names, OWN, kind_words};
use super::spending::Spending;
use super::split::{PageQuery, Picture, SplitLinks, asked};
use super::tools::Tools;
use crate::AppError;
use crate::chrome::{Loaded, PageResource, Shell};
use crate::prelude::*;
use crate::session::me;
use crate::together::together;
use crate::ui::{ActionFailure, ActionForm, Done, FormAction, FormEnd, Section, dollars, grouped};
use leptos_meta::Title;
use protocol::Budget;
use protocol::Micros;
use protocol::view::{Me, Role, UsageLine, UsageOfKind, UsageView};
use serde::{Deserialize, Serialize};

/// All that the page shows.
#[derive(Clone, Serialize, Deserialize)]
struct PageData {
    me: Me,
    asked: PageQuery,
    own: UsageView,
    budget: Budget,
    /// `None` for those who are no administrators.
    everybody: Option<UsageView>,
}

#[component]
pub fn UsagePage() -> impl IntoView {
    let limit = FormAction::<LimitOwn>::new();
    let asked = asked();
    let shown = PageResource::new(move || (limit.version().get(), asked.get()), |(_, asked)| load(asked));
    view! {
        <Title text="Usage"/>
        <Loaded resource=shown view=move |shown| view! { <Sections shown limit/> }/>
    }
}

#[component]
fn Sections(shown: PageData, limit: FormAction<LimitOwn>) -> impl IntoView {
    let PageData { me, asked, own, budget, everybody } = shown;
    view! {
        <Shell me>
            <div class="settings">
                <h1>"Usage"</h1>
                <Thirty id="own" usage=own asked picture=Picture::Own names={OWN.told()} calls="/account/calls">
                    // The server answers with a file, which the router of the pages knows nothing of.
                    <p class="actions">
                        <a class="button" href="/usage.csv" download="" rel="external">"Cost of the last year as CSV"</a>
                        <a class="button" href="/usage/tools.csv" download="" rel="external">"Calls of tools as CSV"</a>
                    </p>
                </Thirty>
                <OwnLimits budget limit/>
                {everybody.map(|usage| view! {
                    <Thirty id="everybody" usage asked picture=Picture::Everybody names={EVERYBODY.told()} calls="/admin/calls">
                        <p class="actions">
                            <a class="button" href="/admin/usage.csv" download="" rel="external">"Cost of the last year as CSV"</a>
                            <a class="button" href="/admin/usage/tools.csv" download="" rel="external">"Calls of tools as CSV"</a>
                        </p>
                    </Thirty>
                })}
            </div>
        </Shell>
    }
}

/// The last thirty days, by day, by agent or person, and by whatever else.
#[component]
fn Thirty(
    id: &'static str,
    usage: UsageView,
    asked: PageQuery,
    picture: Picture,
    names: Names,
    /// Where each call of a tool is listed.
    calls: &'static str,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let Names { whose: title, what, by, within: _, nameless, other_provider } = names;
    let UsageView { days, agents, programs, models, providers, kinds, tools, parts } = usage;
    let programs = (!programs.is_empty()).then(|| {
        view! {
            <h3>"By token"</h3>
            <Lines what={t("Token")} nameless="Revoked token" lines=programs/>
        }
    });
    let kinds = kinds.into_iter().map(kind_line).collect::<Vec<_>>();
    let cost = Micros(days.iter().map(|day| day.cost.0).sum());
    let tools = (!tools.is_empty()).then(|| {
        view! {
            <h3>"By tool"</h3>
            <p class="soft">
                "How often tools were called, what became of it, and how long they took together. A call of a tool has no price; what the model reads of its result is in the tokens above. "
                <a href=calls>"Each call"</a>
            </p>
            <Tools lines=tools/>
        }
    });
    // What cost nothing has no parts.
    let links = (cost > Micros(0)).then(|| view! { <SplitLinks asked picture names/> });
    let shown = if models.is_empty() {
        let nothing = tools.is_none().then(|| {
            view! { <p class="empty" data-size="small">"Nothing was used in the last thirty days. What your agents used and what it cost stands here by day, agent and model."</p> }
        });
        view! { {nothing} {tools} }.into_any()
    } else {
        let (sum, unpriced) = (sum_words(cost, &models), unpriced_words(&models));
        view! {
            <p class="num">{sum}</p>
            {unpriced.map(|words| view! { <p class="soft">{words} " Prices are under " <a href="/models">"Models"</a> "."</p> })}
            {links}
            <Bars days parts by=picture.of(asked) names/>
            <h3>{by}</h3>
            <Lines what nameless lines=agents/>
            {programs}
            <h3>"By model"</h3>
            <Lines what={t("Model")} nameless="No model" lines=models/>
            <h3>"By provider"</h3>
            <Lines what={t("Provider")} nameless=other_provider lines=providers/>
            <h3>"By what the call was for"</h3>
            <Lines what={t("Calls for")} nameless="" lines=kinds/>
            {tools}
        }
        .into_any()
    };
    view! {
        <Section id title=title lead="The last thirty days, in UTC. What deleted agents used stays counted.">
            {shown}
            {children.map(|children| children())}
        </Section>
    }
}

#[component]
fn OwnLimits(budget: Budget, limit: FormAction<LimitOwn>) -> impl IntoView {
    view! {
        <Section
            id="limits"
            title="Your limits"
            lead="For all your agents and programs together. What a limit had stopped goes on when the limit is raised."
        >
            <Spending budget/>
            <ActionFailure value=limit.value()/>
            <Done what="limits" words="The limits are saved."/>
            <ActionForm action=limit attr:class="form">
                <LimitFields caps=budget.caps of="own".to_owned()/>
                <FormEnd words="Save"/>
            </ActionForm>
        </Section>
    }
}

fn kind_line(UsageOfKind { kind, line }: UsageOfKind) -> UsageLine {
    UsageLine { name: kind_words(kind).to_owned(), ..line }
}

fn sum_words(cost: Micros, models: &[UsageLine]) -> String {
    let calls = models.iter().map(|line| line.calls).sum::<u64>();
    plural!(
        calls,
        "{cost} for one model call.",
        "{cost} for {calls} model calls.",
        cost = dollars(cost),
        calls = grouped(calls)
    )
}

/// What the sums do not hold.
fn unpriced_words(models: &[UsageLine]) -> Option<String> {
    match models.iter().map(|line| line.unpriced).sum::<u64>() {
        0 => None,
        calls => Some(plural!(
            calls,
            "One of them was to a model whose price is not known: it is not in the sum.",
            "{calls} of them were to models whose price is not known: they are not in the sum.",
            calls = grouped(calls)
        )),
    }
}

async fn load(asked: PageQuery) -> Result<PageData, AppError> {
    let (me, own, budget) = together!(me(), usage(asked.own), own_budget());
    let everybody = match me.role {
        Role::Admin => Some(all_usage(asked.everybody).await?),
        Role::Member | Role::Guest => None,
    };
    Ok(PageData { me, asked, own, budget, everybody })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_says_what_it_does_not_hold() {
        let line = |calls, unpriced| UsageLine { calls, unpriced, ..UsageLine::default() };
        for (models, sum, unpriced) in [
            (vec![line(1, 0)], "$1.50 for one model call.", None),
            (
                vec![line(900, 1), line(200, 0)],
                "$1.50 for 1\u{202f}100 model calls.",
                Some("One of them was"),
            ),
            (vec![line(3, 2), line(4, 4)], "$1.50 for 7 model calls.", Some("6 of them were")),
        ] {
            assert_eq!(sum_words(Micros(1_500_000), &models), sum);
            let found = unpriced_words(&models);
            assert_eq!(found.is_some(), unpriced.is_some());
            assert!(found.unwrap_or_default().starts_with(unpriced.unwrap_or_default()));
        }
    }
}

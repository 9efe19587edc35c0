//! The read models, which are what server functions answer: each noun has its file of examples.

mod access;
mod agents;
mod appearance;
mod approvals;
mod audit;
mod console;
mod context;
mod conversations;
mod delegations;
mod external_jobs;
mod hub_status;
mod mcp_servers;
mod models;
mod money;
mod notifications;
mod peers;
mod people;
mod permissions;
mod person_context;
mod pipelines;
mod providers;
mod reviews;
mod schedules;
mod settings;
mod shared_conversations;
mod sign_in;
mod skills;
mod speech;
mod teams;
mod tools;
mod topics;
mod versions;
mod web_search;

use crate::golden::check;

#[test]
fn every_read_model_is_as_it_was() {
    let sections = [
        agents::homes(),
        versions::sections(),
        agents::statuses(),
        people::roles(),
        providers::kinds(),
        access::shown_once(),
        people::people(),
        audit::actions(),
        sign_in::sections(),
        audit::pages(),
        people::around_each(),
        hub_status::status(),
        appearance::sections(),
        hub_status::room_and_welcome(),
        notifications::sections(),
        access::devices_and_tokens(),
        providers::providers(),
        web_search::sections(),
        conversations::directions(),
        skills::sections(),
        mcp_servers::servers(),
        peers::sections(),
        external_jobs::sections(),
        topics::sections(),
        console::sections(),
        person_context::sections(),
        mcp_servers::choices(),
        settings::sections(),
        providers::of_devices(),
        models::lists(),
        agents::agents(),
        conversations::drafts_and_ratings(),
        speech::sections(),
        conversations::lists(),
        shared_conversations::sections(),
        approvals::sections(),
        permissions::sections(),
        agents::rules_and_drafts(),
        tools::tools(),
        teams::sections(),
        tools::groups(),
        delegations::sections(),
        pipelines::sections(),
        tools::risks(),
        context::sections(),
        conversations::answers(),
        models::found_and_known(),
        money::budgets(),
        schedules::sections(),
        money::usage_and_calls(),
        providers::lent(),
        money::warnings_and_prices(),
        reviews::sections(),
    ];
    check("views", &sections.into_iter().flatten().collect::<Vec<_>>());
}

//! Approvals in plain words.

use protocol::approval::{Approval, Asker, Decision, Settled, WhyAsked};
use protocol::view::ToolRisk;

/// What the agent wants, in one sentence.
pub fn question(name: &str, approval: &Approval) -> String {
    let tool = &approval.call.name;
    match approval.asker {
        Asker::Model => format!("{name} wants to use {tool}."),
        Asker::Page => format!("The page of {name} wants to use {tool}."),
    }
}

/// Why a person is asked.
pub fn reason(approval: &Approval) -> String {
    let place = approval.about.as_deref().unwrap_or("somewhere else");
    match approval.why {
        WhyAsked::Risk if approval.once => {
            "It decides what the agent is told later, so it is agreed to by itself each time.".to_owned()
        }
        WhyAsked::Risk => "It can change things that nobody can change back here.".to_owned(),
        WhyAsked::Rule => "A rule of yours wants you to be asked.".to_owned(),
        WhyAsked::Page => "It reaches beyond the page's own things.".to_owned(),
        WhyAsked::Denials => {
            "Three calls were denied already. It would change something all the same.".to_owned()
        }
        WhyAsked::WayOut => format!(
            "This conversation holds words of strangers, who may have asked for this, and things that are yours \
             alone. The call could carry them to {place}."
        ),
    }
}

/// What an answer is for that holds for longer than once.
pub fn calls_like_it(approval: &Approval) -> String {
    let Approval { call, about, risk, .. } = approval;
    let about = about.as_ref().map(|about| format!(" about {about}")).unwrap_or_default();
    let limit = match risk {
        ToolRisk::None => " that only look",
        ToolRisk::Low => " with low risk at most",
        ToolRisk::Medium => " with some risk at most, so none that change things elsewhere",
        ToolRisk::High => " with high risk at most",
        ToolRisk::Critical => " whatever they do",
    };
    format!("Allow this and calls of {}{about}{limit}:", call.name)
}

/// How it ended, and on which device.
pub fn answered(settled: &Settled) -> String {
    match settled {
        Settled::Decided { decision, device, .. } => {
            let said = match decision {
                Decision::Once => "Allowed once",
                Decision::Run => "Allowed for this run",
                Decision::HalfHour => "Allowed for half an hour",
                Decision::Always => "Always allowed",
                Decision::Deny => "Denied",
            };
            format!("{said}, on {device}.")
        }
        Settled::Expired => "Nobody answered in time, so it was not made.".to_owned(),
        Settled::Withdrawn => "Nobody waits for it any more.".to_owned(),
    }
}

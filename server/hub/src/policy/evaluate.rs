//! What rules say of a call. No database, no clock.

use super::pattern::{self, Reading};
use super::subject::Subject;
use agent::hooks::fits;
use agent::tools::{PageTier, Risk};
use protocol::approval::{ApprovalReason, Asker, PolicyRule, Verdict};
use protocol::{PolicyRuleId, RunId};

/// From so many denials on the person is asked before anything is changed.
const ASKING: u32 = 3;
/// From so many denials on nothing is changed any more, in a run or by a page in its tab.
const DENIALS: u32 = 6;

/// What there is to know of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PolicyRequest<'a> {
    pub(crate) tool: &'a str,
    pub(crate) about: &'a Subject,
    pub(crate) asker: Asker,
    pub(crate) run: Option<&'a RunId>,
    pub(crate) risk: Risk,
    /// What a page may do with the tool.
    pub(crate) page: PageTier,
    pub(crate) writes: bool,
    /// It could carry private words out, because strangers' words said so.
    pub(crate) leaks: bool,
    /// In the run so far, or by the page in its tab.
    pub(crate) denials: u32,
    /// A yes to one such call holds for no other.
    pub(crate) once: bool,
    /// Strangers may have asked for what it says, and what it says is told to the agent later.
    pub(crate) strangers: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// By this rule, or because nothing speaks against it.
    Allow {
        rule: Option<PolicyRuleId>,
    },
    Ask(ApprovalReason),
    /// By this rule, or by what holds for everybody.
    Deny {
        rule: Option<PolicyRuleId>,
        why: String,
    },
}

/// `rules` hold at this time; the newest is the last. A rule that denies wins; then what follows from
/// denials; then the newest of the others; then what is so without any.
pub(super) fn evaluate(rules: &[PolicyRule], asked: &PolicyRequest<'_>) -> Ruling {
    let mut fitting = rules.iter().rev().filter(|rule| fits_call(rule, asked));
    if let Some(rule) = fitting.clone().find(|rule| rule.verdict == Verdict::Deny) {
        return Ruling::Deny {
            rule: Some(rule.id.clone()),
            why: "Not allowed: a rule of your person's is against it.".to_owned(),
        };
    }
    if asked.asker == Asker::Page && asked.page == PageTier::Blocked {
        return Ruling::Deny { rule: None, why: format!("A page may not call {}.", asked.tool) };
    }
    if asked.denials >= DENIALS && asked.writes {
        let why = match asked.asker {
            Asker::Model => format!(
                "Not allowed: {DENIALS} calls of this run were denied, so nothing is changed in it any more. Say \
                 what you could not do."
            ),
            Asker::Page => format!(
                "Not allowed: {DENIALS} calls of this page were denied, so it changes nothing more until it is \
                 loaded anew."
            ),
        };
        return Ruling::Deny { rule: None, why };
    }
    // A yes of before was given to something that was going well.
    if asked.denials >= ASKING && asked.writes {
        return Ruling::Ask(ApprovalReason::Denials);
    }
    let counts = |rule: &&PolicyRule| {
        rule.verdict == Verdict::Ask
            || (!asked.leaks || names_one(rule, asked.about))
                && (!asked.strangers || rule.tool == asked.tool)
                && !(asked.once && rule.approval.is_some())
    };
    match fitting.find(counts).map(|rule| (rule.verdict, &rule.id)) {
        Some((Verdict::Allow, id)) => Ruling::Allow { rule: Some(id.clone()) },
        Some((Verdict::Ask | Verdict::Deny, _)) => Ruling::Ask(ApprovalReason::Rule),
        None if asked.leaks => Ruling::Ask(ApprovalReason::WayOut),
        None if asked.asker == Asker::Page && asked.page == PageTier::Ask => {
            Ruling::Ask(ApprovalReason::Page)
        }
        None if asked.risk >= Risk::High => Ruling::Ask(ApprovalReason::Risk),
        None => Ruling::Allow { rule: None },
    }
}

/// Whether the rule names what calls are about, and no pattern. A secret goes to one place.
fn names_one(rule: &PolicyRule, subject: &Subject) -> bool {
    rule.about.as_ref().is_some_and(|about| {
        rule.approval.is_some()
            || pattern::names_one_host(about)
            || pattern::names_one_here(about)
            || subject.secret.as_ref().is_some_and(|secret| pattern::names_secret(about, secret))
    })
}

pub(super) fn fits_call(rule: &PolicyRule, asked: &PolicyRequest<'_>) -> bool {
    fits_caller(rule, asked.tool, asked.asker, asked.run)
        && rule.risk_at_most.is_none_or(|most| asked.risk <= most)
        && is_about(rule, asked.about)
        && (rule.verdict != Verdict::Allow || may_send(rule, asked.about))
}

/// What somebody may send to a place, they may not send there with a secret: the server does what its person may. An
/// answer has the secret in what it is about.
fn may_send(rule: &PolicyRule, subject: &Subject) -> bool {
    subject.secret.is_none()
        || rule.approval.is_some()
        || rule.about.as_deref().is_some_and(pattern::is_about_secrets)
}

fn is_about(rule: &PolicyRule, subject: &Subject) -> bool {
    match rule.about.as_deref() {
        // A yes to a call of the web was a yes to one place.
        None => rule.approval.is_none() || subject.target().is_none(),
        Some(about) if rule.approval.is_some() => subject.text() == Some(about),
        Some(about) => pattern::is_meant(about, subject, Reading::of(rule.verdict)),
    }
}

fn fits_caller(rule: &PolicyRule, tool: &str, asker: Asker, run: Option<&RunId>) -> bool {
    fits(&rule.tool, tool)
        && rule.asker.is_none_or(|own| own == asker)
        && rule.run.as_ref().is_none_or(|own| Some(own) == run)
}

#[cfg(test)]
mod tests;

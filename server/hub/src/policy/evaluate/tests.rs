use super::*;
use Ruling::{Allow, Ask, Deny};
use agent::tools::ResolvedCall;
use protocol::model::ToolCall;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// `verdict tool about`, with `page:`, `run:`, `answer:` before it where that is so. An answer is for what can
/// do as much harm as a POST, or with `get:` as a GET.
fn rules(lines: &[&str]) -> Vec<PolicyRule> {
    lines.iter().enumerate().map(|(at, line)| rule(at, line)).collect()
}

fn rule(at: usize, line: &str) -> PolicyRule {
    let mut words = line.split_whitespace().peekable();
    let mut flag = |name: &str| words.next_if(|word| *word == name).is_some();
    let (page, run, answer, get) = (flag("page:"), flag("run:"), flag("answer:"), flag("get:"));
    let verdict = match words.next().unwrap() {
        "allow" => Verdict::Allow,
        "ask" => Verdict::Ask,
        "deny" => Verdict::Deny,
        word => panic!("{word} is no verdict"),
    };
    let tool = words.next().unwrap().to_owned();
    let about = words.collect::<Vec<_>>().join(" ");
    PolicyRule {
        id: at.to_string().into(),
        agent: None,
        asker: page.then_some(Asker::Page),
        tool,
        about: (!about.is_empty()).then_some(about),
        verdict,
        run: run.then(|| "r".into()),
        uses_left: None,
        until: None,
        made_at: 0,
        approval: answer.then(|| "a".into()),
        risk_at_most: answer.then_some(if get { Risk::Medium } else { Risk::High }),
    }
}

fn by(rule: usize) -> Ruling {
    Allow { rule: Some(rule.to_string().into()) }
}

static EXAMPLE: LazyLock<Subject> =
    LazyLock::new(|| subject("fetch", json!({ "url": "https://example.org/" })));
static PLAIN: LazyLock<Subject> = LazyLock::new(|| subject("fetch", json!({ "url": "http://example.org/" })));
static WITH_MOSS: LazyLock<Subject> =
    LazyLock::new(|| subject("fetch", json!({ "url": "https://example.org/", "secret": "moss" })));
static NOTHING: LazyLock<Subject> = LazyLock::new(|| subject("dom", json!({ "action": "create" })));

fn subject(tool: &str, input: Value) -> Subject {
    let call = ToolCall { id: "c".into(), name: tool.to_owned(), input };
    Subject::of(&ResolvedCall::of(call)).unwrap()
}

fn fetch(risk: Risk) -> PolicyRequest<'static> {
    PolicyRequest {
        tool: "fetch",
        about: &EXAMPLE,
        asker: Asker::Model,
        run: None,
        risk,
        page: PageTier::Ask,
        writes: true,
        leaks: false,
        denials: 0,
        once: false,
        strangers: false,
    }
}

fn check(lines: &[&str], asked: PolicyRequest<'_>, expected: &Ruling) {
    let ruling = evaluate(&rules(lines), &asked);
    match (&ruling, expected) {
        (Deny { .. }, Deny { .. }) => {}
        (ruling, expected) => assert_eq!(ruling, expected, "{lines:?} {asked:?}"),
    }
}

fn denied() -> Ruling {
    Deny { rule: None, why: String::new() }
}

#[test]
fn without_rules_the_risk_decides() {
    for (risk, expected) in [
        (Risk::None, Allow { rule: None }),
        (Risk::Low, Allow { rule: None }),
        (Risk::Medium, Allow { rule: None }),
        (Risk::High, Ask(ApprovalReason::Risk)),
    ] {
        check(&[], fetch(risk), &expected);
    }
}

#[test]
fn a_no_wins_and_otherwise_the_newest_rule_that_fits() {
    let run = "r".into();
    let in_run = PolicyRequest { run: Some(&run), ..fetch(Risk::High) };
    let each = PolicyRequest { once: true, ..fetch(Risk::High) };
    for (lines, asked, expected) in [
        (&["allow fetch"][..], fetch(Risk::High), by(0)),
        (&["allow f*"], fetch(Risk::High), by(0)),
        (&["allow state"], fetch(Risk::High), Ask(ApprovalReason::Risk)),
        (&["ask fetch"], fetch(Risk::Medium), Ask(ApprovalReason::Rule)),
        (&["deny fetch", "allow fetch example.org"], fetch(Risk::High), denied()),
        (&["deny *"], fetch(Risk::None), denied()),
        (&["allow fetch", "ask fetch"], fetch(Risk::High), Ask(ApprovalReason::Rule)),
        (&["ask fetch", "allow fetch"], fetch(Risk::High), by(1)),
        (&["ask fetch", "allow fetch other.org"], fetch(Risk::High), Ask(ApprovalReason::Rule)),
        (&["allow fetch *.org"], fetch(Risk::High), by(0)),
        (&["allow fetch *.example.org"], fetch(Risk::High), Ask(ApprovalReason::Risk)),
        (&["answer: allow fetch *.org"], fetch(Risk::High), Ask(ApprovalReason::Risk)),
        (&["page: allow fetch"], fetch(Risk::High), Ask(ApprovalReason::Risk)),
        (&["page: deny fetch"], fetch(Risk::Medium), Allow { rule: None }),
        (&["run: allow fetch"], fetch(Risk::High), Ask(ApprovalReason::Risk)),
        (&["run: allow fetch"], in_run, by(0)),
        (&["answer: allow fetch example.org"], fetch(Risk::High), by(0)),
        (&["answer: allow fetch example.org"], each, Ask(ApprovalReason::Risk)),
        (&["allow fetch example.org"], each, by(0)),
        (
            &["allow fetch x"],
            PolicyRequest { about: &NOTHING, ..fetch(Risk::High) },
            Ask(ApprovalReason::Risk),
        ),
    ] {
        check(lines, asked, &expected);
    }
}

#[test]
fn an_answer_about_the_web_holds_for_one_host_and_for_no_connection_that_others_read() {
    let plain = PolicyRequest { about: &PLAIN, ..fetch(Risk::High) };
    for (lines, asked, expected) in [
        (&["answer: allow fetch"][..], fetch(Risk::High), Ask(ApprovalReason::Risk)),
        (&["answer: allow fetch example.org"], plain, Ask(ApprovalReason::Risk)),
        (&["answer: allow fetch example.org over http"], plain, by(0)),
        (&["answer: allow fetch example.org over http"], fetch(Risk::High), Ask(ApprovalReason::Risk)),
        (&["allow fetch https://example.org"], plain, Ask(ApprovalReason::Risk)),
        (&["allow fetch https://example.org"], fetch(Risk::High), by(0)),
        (&["deny fetch https://example.org"], plain, denied()),
        (&["allow fetch example.org"], plain, by(0)),
    ] {
        check(lines, asked, &expected);
    }
}

#[test]
fn an_answer_holds_for_what_can_do_no_more_harm() {
    for (lines, risk, expected) in [
        (&["answer: get: allow fetch example.org"][..], Risk::Medium, by(0)),
        (&["answer: get: allow fetch example.org"], Risk::High, Ask(ApprovalReason::Risk)),
        (&["answer: allow fetch example.org"], Risk::Medium, by(0)),
        (&["answer: allow fetch example.org"], Risk::High, by(0)),
    ] {
        check(lines, fetch(risk), &expected);
    }
    let out = PolicyRequest { leaks: true, ..fetch(Risk::High) };
    check(&["answer: get: allow fetch example.org"], out, &Ask(ApprovalReason::WayOut));
}

#[test]
fn a_call_with_a_secret_needs_a_yes_to_that_secret() {
    let with = PolicyRequest { about: &WITH_MOSS, ..fetch(Risk::High) };
    let out = PolicyRequest { leaks: true, ..with };
    for (lines, asked, expected) in [
        (&["allow *"][..], with, Ask(ApprovalReason::Risk)),
        (&["allow fetch"], with, Ask(ApprovalReason::Risk)),
        (&["allow fetch example.org"], with, Ask(ApprovalReason::Risk)),
        (&["allow fetch url=*"], with, Ask(ApprovalReason::Risk)),
        (&["answer: allow fetch example.org"], with, Ask(ApprovalReason::Risk)),
        (&["answer: allow fetch example.org with the secret fern"], with, Ask(ApprovalReason::Risk)),
        (&["answer: allow fetch example.org with the secret moss"], with, by(0)),
        (&["answer: allow fetch example.org with the secret moss"], out, by(0)),
        (
            &["answer: allow fetch example.org with the secret moss"],
            fetch(Risk::High),
            Ask(ApprovalReason::Risk),
        ),
        (&["allow fetch secret=moss"], with, by(0)),
        (&["allow fetch secret=moss"], out, by(0)),
        (&["allow fetch secret=*"], with, by(0)),
        (&["allow fetch secret=*"], out, Ask(ApprovalReason::WayOut)),
        (&["allow fetch secret=fern"], with, Ask(ApprovalReason::Risk)),
        (&["allow fetch secret=moss"], fetch(Risk::High), Ask(ApprovalReason::Risk)),
        (&["allow fetch secret=moss", "ask fetch example.org"], with, Ask(ApprovalReason::Rule)),
        (&["deny fetch example.org", "allow fetch secret=moss"], with, denied()),
    ] {
        check(lines, asked, &expected);
    }
}

#[test]
fn a_page_needs_more() {
    let page = |tier| PolicyRequest { asker: Asker::Page, page: tier, ..fetch(Risk::None) };
    for (lines, asked, expected) in [
        (&[][..], page(PageTier::Immediate), Allow { rule: None }),
        (&[], page(PageTier::Ask), Ask(ApprovalReason::Page)),
        (&[], page(PageTier::Blocked), denied()),
        (&["allow fetch"], page(PageTier::Blocked), denied()),
        (&["page: allow fetch"], page(PageTier::Ask), by(0)),
        (&["page: ask fetch"], page(PageTier::Immediate), Ask(ApprovalReason::Rule)),
        (&["page: deny fetch"], page(PageTier::Immediate), denied()),
    ] {
        check(lines, asked, &expected);
    }
}

#[test]
fn a_way_out_needs_a_rule_for_that_very_place() {
    let out = PolicyRequest { leaks: true, ..fetch(Risk::Medium) };
    for (lines, expected) in [
        (&[][..], Ask(ApprovalReason::WayOut)),
        (&["allow fetch"], Ask(ApprovalReason::WayOut)),
        (&["allow fetch *"], Ask(ApprovalReason::WayOut)),
        (&["allow fetch *.org"], Ask(ApprovalReason::WayOut)),
        (&["allow fetch other.org"], Ask(ApprovalReason::WayOut)),
        (&["allow fetch example.org"], by(0)),
        (&["answer: allow fetch example.org"], by(0)),
        (&["allow fetch example.org", "ask fetch"], Ask(ApprovalReason::Rule)),
        (&["deny fetch example.org"], denied()),
    ] {
        check(lines, out, &expected);
    }
}

#[test]
fn what_strangers_may_want_an_agent_told_later_needs_a_rule_that_names_the_tool() {
    let later = PolicyRequest { once: true, strangers: true, ..fetch(Risk::High) };
    for (lines, expected) in [
        (&[][..], Ask(ApprovalReason::Risk)),
        (&["allow *"], Ask(ApprovalReason::Risk)),
        (&["allow f*"], Ask(ApprovalReason::Risk)),
        (&["allow fetch"], by(0)),
        (&["answer: allow fetch example.org"], Ask(ApprovalReason::Risk)),
        (&["allow fetch", "ask *"], Ask(ApprovalReason::Rule)),
        (&["deny *", "allow fetch"], denied()),
    ] {
        check(lines, later, &expected);
    }
}

#[test]
fn after_three_denials_what_writes_asks_and_after_six_nothing_is_changed_any_more() {
    let ask = || Ask(ApprovalReason::Denials);
    for (denials, writes, expected) in [
        (2, true, by(0)),
        (3, true, ask()),
        (3, false, by(0)),
        (5, true, ask()),
        (6, true, denied()),
        (7, true, denied()),
        (6, false, by(0)),
    ] {
        check(&["allow fetch"], PolicyRequest { denials, writes, ..fetch(Risk::High) }, &expected);
    }
}

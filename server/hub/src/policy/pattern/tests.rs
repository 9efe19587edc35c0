use super::*;
use agent::tools::ResolvedCall;
use protocol::model::ToolCall;
use serde_json::json;

fn subject(tool: &str, input: Value) -> Subject {
    let call = ToolCall { id: "c".into(), name: tool.to_owned(), input };
    Subject::of(&ResolvedCall::of(call)).unwrap()
}

/// Whether a rule that denies means the call, and whether one that allows does.
fn check(pattern: &str, subject: &Subject, expected: (bool, bool)) {
    let found = (is_meant(pattern, subject, Reading::Wide), is_meant(pattern, subject, Reading::Narrow));
    assert_eq!(found, expected, "{pattern} {subject:?}");
}

#[test]
fn a_host_is_meant_in_every_spelling() {
    const BOTH: (bool, bool) = (true, true);
    const NO_ONLY: (bool, bool) = (true, false);
    const NEITHER: (bool, bool) = (false, false);
    for (pattern, url, expected) in [
        ("bank.example", "https://bank.example/", BOTH),
        ("bank.example", "https://bank.example./", BOTH),
        ("bank.example", "https://BANK.Example/", BOTH),
        ("bank.example", "https://bank。example/", BOTH),
        ("bank.example", "https://b%61nk.example/", BOTH),
        ("bank.example", "http://bank.example:8443/", NO_ONLY),
        ("bank.example", "https://bank.example:443/", BOTH),
        ("bank.example", "https://www.bank.example/", NEITHER),
        ("bank.example", "https://notbank.example/", NEITHER),
        ("bank.example", "https://bank.example.evil.example/", NEITHER),
        ("bank.example.", "https://bank.example/", BOTH),
        ("Bank.Example", "https://bank.example/", BOTH),
        ("https://bank.example/", "https://bank.example/a", BOTH),
        ("https://bank.example", "http://bank.example/", NO_ONLY),
        ("HTTP://bank.example", "https://bank.example/", NO_ONLY),
        ("http://bank.example", "http://bank.example/", BOTH),
        ("bücher.example", "https://xn--bcher-kva.example/", BOTH),
        ("bücher.example", "https://BÜCHER.example/", BOTH),
        ("*.bücher.example", "https://a.bücher.example/", BOTH),
        ("*.bank.example", "https://www.bank.example./", BOTH),
        ("*.bank.example", "https://bank.example/", NEITHER),
        (".bank.example", "https://bank.example/", BOTH),
        (".bank.example", "https://a.b.bank.example/", BOTH),
        (".bank.example", "https://notbank.example/", NEITHER),
        ("bank.example:8443", "https://bank.example:8443/", BOTH),
        ("bank.example:8443", "https://bank.example/", NEITHER),
        ("bank.example:*", "https://bank.example:8443/", BOTH),
        ("127.1", "http://127.0.0.1/", BOTH),
        ("127.0.0.1", "http://2130706433/", BOTH),
        ("[0:0::1]", "http://[::1]/", BOTH),
        ("*", "https://bank.example/", BOTH),
        ("bank.example/docs", "https://bank.example/docs", BOTH),
        ("bank.example/docs", "https://bank.example/docs/a?b", BOTH),
        ("bank.example/docs", "https://bank.example/docsx", NEITHER),
        ("bank.example/docs/*", "https://bank.example/open/..%2fdocs/a", BOTH),
        ("bank.example/docs", "https://bank.example/d%6Fcs/", BOTH),
        ("bank.example/docs", "https://bank.example/docs/%2e%2e/open", NEITHER),
        ("bank.example/*/pay", "https://bank.example/de/pay", BOTH),
        ("user@bank.example", "https://bank.example/", NEITHER),
    ] {
        check(pattern, &subject("fetch", json!({ "url": url })), expected);
    }
}

#[test]
fn a_key_a_path_and_a_recipient_are_meant_by_their_pattern() {
    let state = |key: &str| subject("state", json!({ "action": "set", "key": key, "value": 1 }));
    let saved = |name: &str| subject("skins", json!({ "action": "save", "name": name }));
    let mail = |to: Value| subject("send_mail", json!({ "to": to, "text": "x" }));
    for (pattern, subject, expected) in [
        ("notes.*", state("notes.a"), (true, true)),
        ("notes.*", state("other"), (false, false)),
        ("a=b", state("a=b"), (true, true)),
        ("key=notes.*", state("notes.a"), (true, true)),
        ("evening", saved("evening"), (true, true)),
        ("plans/*", saved("evening"), (false, false)),
        ("to=*@bank.example", mail(json!("ada@bank.example")), (true, true)),
        ("to=*@bank.example", mail(json!("ada@Bank.example")), (true, false)),
        ("to=*@bank.example", mail(json!("Ada <ada@bank.example>")), (true, false)),
        ("to=*@bank.example", mail(json!("ada@other.example, eve@bank.example")), (true, false)),
        ("to=*@bank.example", mail(json!("ada@bank.example,eve@bank.example")), (true, true)),
        ("to=ada@*", mail(json!(["ada@a.example", "eve@a.example"])), (true, false)),
        ("to=ada@*", mail(json!([])), (false, false)),
        ("to=*@bank.example", mail(json!("ada@other.example")), (false, false)),
        ("cc=*", mail(json!("ada@bank.example")), (false, false)),
    ] {
        check(pattern, &subject, expected);
    }
}

#[test]
fn only_a_host_without_a_pattern_names_one() {
    for (pattern, expected) in [
        ("bank.example", true),
        ("bank.example:8443", true),
        ("bank.example/docs/*", true),
        ("*.bank.example", false),
        (".bank.example", false),
        ("bank.example:*", false),
        ("url=https://bank.example/*", false),
        ("method=GET", false),
        ("two words", false),
    ] {
        assert_eq!(names_one_host(pattern), expected, "{pattern}");
    }
}

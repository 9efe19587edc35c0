//! What a value is called where its variants are listed is what it is called on the wire.

use protocol::view::{AppPermission, NotificationKind, SearchKind, SkillRule, SkillUse};
use serde::Serialize;
use std::collections::BTreeSet;

fn check<T: Serialize + Copy>(all: impl IntoIterator<Item = T>, name: impl Fn(T) -> &'static str) {
    for value in all {
        assert_eq!(serde_json::to_value(value).unwrap(), name(value));
    }
}

#[test]
fn a_value_has_one_name() {
    check(AppPermission::ALL, AppPermission::name);
    check(SkillUse::ALL, SkillUse::name);
    check(NotificationKind::ALL, NotificationKind::name);
    check(SearchKind::ALL, SearchKind::name);
}

#[test]
fn every_rule_says_something_of_its_own() {
    let words: BTreeSet<&str> = SkillRule::ALL.into_iter().map(SkillRule::words).collect();
    assert_eq!(words.len(), SkillRule::ALL.len());
}

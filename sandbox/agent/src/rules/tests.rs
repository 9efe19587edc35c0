use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn a_rule_fires_when_it_comes_true() {
    for (condition, old, new, expected) in [
        ("> 10", json!(9), json!(11), true),
        ("> 10", json!(11), json!(12), false),
        ("> 10", Value::Null, json!(11), true),
        ("> 10", json!(9), json!("11"), false),
        (">= 10", json!(9), json!(10), true),
        ("< 0", json!(1), json!(-0.5), true),
        ("<= 0", json!(1), json!(0), true),
        ("== \"done\"", json!("open"), json!("done"), true),
        ("!= null", Value::Null, json!(false), true),
        ("== 1", json!(0), json!(1.0), true),
        ("== true", json!(1), json!(true), true),
        (".items.1.title == \"b\"", json!({}), json!({ "items": [{}, { "title": "b" }] }), true),
        (".\"a b\" > 1", json!({}), json!({ "a b": 2 }), true),
        ("always", json!(1), json!(1), true),
        ("changed", json!(1), json!(1), false),
        ("changed", json!(1), Value::Null, true),
        (".a changed", json!({ "a": 1, "b": 1 }), json!({ "a": 1, "b": 2 }), false),
        ("changed and > 5", json!(6), json!(7), true),
        ("changed and > 5", json!(6), json!(5), false),
        ("> 1 and < 3 or == 9", json!(2), json!(9), false),
        ("> 1 and < 3 or == 9", json!(4), json!(9), true),
        ("not (> 1 and < 3)", json!(2), json!(4), true),
    ] {
        let read: Condition = condition.parse().unwrap_or_else(|error| panic!("{condition}: {error}"));
        assert_eq!(fires(&read, &old, &new), expected, "{condition}: {old} to {new}");
        assert_eq!(read.to_string(), condition);
    }
}

#[test]
fn what_is_no_condition_says_what_is_missing() {
    for (text, expected) in [
        ("", "always, changed, or one of > >= < <= == != where it says: the end"),
        ("value > 1", "always, changed, or one of > >= < <= == != where it says: value > 1"),
        ("> fetch(1)", "a number, a string in double quotes, true, false or null where it says: fetch(1)"),
        ("> 01", "a number, a string in double quotes, true, false or null where it says: 01"),
        ("> 1 > 2", "and, or, or the end where it says: > 2"),
        ("(> 1", ") where it says: the end"),
        (". > 1", "a name behind the dot where it says: . > 1"),
        ("== \"a", "a whole string where it says: \"a"),
        ("alwaysx", "always, changed, or one of > >= < <= == != where it says: alwaysx"),
    ] {
        let error = text.parse::<Condition>().expect_err(text).to_string();
        assert_eq!(error, format!("The condition needs {expected}"));
    }
    let long = format!("== \"{}\"", "a".repeat(MAX_CONDITION_BYTES));
    assert!(long.parse::<Condition>().is_err());
}

fn path() -> impl Strategy<Value = Path> {
    prop::collection::vec(prop_oneof!["[a-z0-9_-]{1,4}", any::<String>()], 0..3).prop_map(Path)
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        Just(Literal::Null),
        any::<bool>().prop_map(Literal::Bool),
        (-5i32..5).prop_map(|number| Literal::Number(number.into())),
        any::<f64>().prop_filter("JSON has no others", |value| value.is_finite()).prop_map(Literal::Number),
        any::<String>().prop_map(Literal::Text),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    let operator = prop::sample::select(vec![
        Operator::Greater,
        Operator::GreaterOrEqual,
        Operator::Less,
        Operator::LessOrEqual,
        Operator::Equal,
        Operator::NotEqual,
    ]);
    let test = prop_oneof![
        Just(Condition::Always),
        path().prop_map(Condition::Changed),
        (path(), operator, literal())
            .prop_map(|(path, operator, literal)| Condition::Compare(path, operator, literal)),
    ];
    test.prop_recursive(4, 16, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| Condition::Not(Box::new(inner))),
            (inner.clone(), inner.clone())
                .prop_map(|(one, other)| Condition::And(Box::new(one), Box::new(other))),
            (inner.clone(), inner).prop_map(|(one, other)| Condition::Or(Box::new(one), Box::new(other))),
        ]
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-5i64..5).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-c]", inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_read_as_the_same(condition in condition()) {
        let text = condition.to_string();
        match text.parse::<Condition>() {
            Ok(read) => prop_assert_eq!(read, condition, "{}", text),
            Err(error) => prop_assert!(text.len() > MAX_CONDITION_BYTES, "{}: {}", text, error),
        }
    }

    #[test]
    fn no_text_and_no_value_is_too_much(text in any::<String>(), condition in condition(), old in value(), new in value()) {
        let read = text.parse::<Condition>();
        prop_assert!(read.is_err() || read.is_ok_and(|read| read.to_string().parse() == Ok(read)));
        let fired = fires(&condition, &old, &new);
        prop_assert!(!fired || holds(&condition, &old, &new));
    }

    #[test]
    fn a_comparison_does_not_fire_twice(path in path(), literal in literal(), old in value(), new in value()) {
        let above = Condition::Compare(path, Operator::Greater, literal);
        for condition in [above.clone(), Condition::Not(Box::new(above))] {
            prop_assert!(!(fires(&condition, &old, &new) && fires(&condition, &new, &new)));
        }
    }
}

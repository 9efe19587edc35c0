use super::*;
use proptest::prelude::*;

/// The rules of the strictest provider.
const SUBSET: Rules = Rules {
    keep: &[
        "type",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "maxItems",
        "minItems",
        "properties",
        "required",
        "minProperties",
        "maxProperties",
        "minLength",
        "maxLength",
        "pattern",
        "anyOf",
        "items",
        "minimum",
        "maximum",
    ],
    inline_refs: true,
    is_openapi: true,
    formats: &["enum", "date-time"],
    ..Rules::ALL
};

const INLINED: Rules = Rules { drop: &["$schema"], inline_refs: true, ..Rules::ALL };

fn accepts(schema: &Value, instance: &Value) -> bool {
    jsonschema::validator_for(schema).unwrap_or_else(|e| panic!("{schema}: {e}")).is_valid(instance)
}

/// `nullable` in the words of JSON Schema.
fn spell_out(schema: &Value) -> Value {
    let Some(object) = schema.as_object() else { return schema.clone() };
    let mut spelled: Map<String, Value> = object
        .iter()
        .map(|(keyword, value)| {
            let value = match (place_of(keyword), value) {
                (SubschemaPosition::Schema, Value::Object(_)) => spell_out(value),
                (SubschemaPosition::List, Value::Array(list)) => list.iter().map(spell_out).collect(),
                (SubschemaPosition::Named, Value::Object(named)) => {
                    Value::Object(named.iter().map(|(name, one)| (name.clone(), spell_out(one))).collect())
                }
                _ => value.clone(),
            };
            (keyword.clone(), value)
        })
        .collect();
    match spelled.remove("nullable") {
        Some(Value::Bool(true)) => json!({ "anyOf": [{ "type": "null" }, spelled] }),
        _ => Value::Object(spelled),
    }
}

fn check(property: Value, expected: Value) {
    let schema = json!({ "type": "object", "properties": { "a": property } });
    assert_eq!(clean(&schema, &SUBSET)["properties"]["a"], expected, "{schema}");
}

#[test]
fn what_a_provider_does_not_know_is_said_in_its_words() {
    check(json!({ "const": "x" }), json!({ "type": "string", "enum": ["x"] }));
    check(json!({ "type": ["string", "null"] }), json!({ "type": "string", "nullable": true }));
    check(json!({ "enum": ["a", null] }), json!({ "type": "string", "enum": ["a"], "nullable": true }));
    check(
        json!({ "type": ["string", "integer"], "description": "d" }),
        json!({ "description": "d", "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
    );
    check(
        json!({ "oneOf": [{ "type": "string" }, { "type": "null" }] }),
        json!({ "anyOf": [{ "type": "string" }], "nullable": true }),
    );
    check(
        json!({ "type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 5 }),
        json!({ "type": "integer", "minimum": 1, "maximum": 4 }),
    );
    check(
        json!({ "enum": [1, 2, 3] }),
        json!({ "type": "integer", "minimum": 1, "maximum": 3, "description": "One of: 1, 2, 3." }),
    );
    check(
        json!({ "allOf": [{ "type": "object", "properties": { "x": {} }, "required": ["x"] },
                          { "properties": { "y": { "type": "string" } }, "required": ["y"] }] }),
        json!({ "type": "object", "properties": { "x": {}, "y": { "type": "string" } }, "required": ["x", "y"] }),
    );
    check(json!({ "type": "array" }), json!({ "type": "array", "items": {} }));
    check(json!({ "type": "string", "format": "uuid" }), json!({ "type": "string" }));
    check(json!({ "type": "object", "required": ["gone"] }), json!({ "type": "object" }));
    check(json!(true), json!({}));
}

#[test]
fn a_property_may_have_the_name_of_a_keyword() {
    let schema = json!({ "type": "object", "properties": { "const": { "type": "string" }, "$ref": { "type": "number" } } });
    assert_eq!(clean(&schema, &SUBSET), schema);
    assert_eq!(clean(&schema, &INLINED), schema);
}

#[test]
fn references_are_put_in_place_and_recursion_ends() {
    let schema = json!({
        "type": "object",
        "properties": { "tree": { "$ref": "#/$defs/Tree", "description": "The tree." } },
        "$defs": { "Tree": {
            "type": "object",
            "properties": { "name": { "type": "string" }, "children": { "type": "array", "items": { "$ref": "#/$defs/Tree" } } },
        } },
    });
    let cleaned = clean(&schema, &INLINED);
    assert!(!cleaned.to_string().contains("$ref") && !cleaned.to_string().contains("$defs"), "{cleaned}");
    assert_eq!(cleaned["properties"]["tree"]["description"], "The tree.");
    let children = &cleaned["properties"]["tree"]["properties"]["children"]["items"];
    assert_eq!(children["properties"]["children"]["items"], json!({ "type": "object" }));
    assert_eq!(clean(&schema, &Rules::ALL), schema, "a provider that follows references gets them");
}

#[test]
fn definitions_that_multiply_do_not() {
    let mut definitions = Map::new();
    for level in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/L{}", level + 1) });
        let two = json!({ "type": "object", "properties": { "a": next, "b": next } });
        definitions.insert(format!("L{level}"), two);
    }
    definitions.insert("L40".to_owned(), json!({ "type": "string" }));
    let schema =
        json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/L0" } }, "$defs": definitions });
    assert!(clean(&schema, &SUBSET).to_string().len() < 1_000_000);
}

#[test]
fn anything_at_all_becomes_the_schema_of_an_object() {
    let mut deep = json!({ "type": "string" });
    for _ in 0..100 {
        deep = json!({ "type": "object", "properties": { "a": deep } });
    }
    for schema in
        [json!(null), json!(true), json!({}), json!([]), json!({ "$ref": "#" }), json!({ "$ref": 5 }), deep]
    {
        for rules in [&SUBSET, &INLINED, &Rules::ALL] {
            let cleaned = clean(&schema, rules);
            assert!(cleaned["properties"].is_object(), "{cleaned}");
        }
    }
}

/// Schemas whose every keyword the subset has words for.
fn expressible() -> impl Strategy<Value = Value> {
    let bound = -2..4i64;
    let leaf = prop_oneof![
        Just(json!({ "type": "boolean" })),
        prop::sample::subsequence(vec!["a", "b", "c"], 1..3).prop_map(|values| json!({ "enum": values })),
        Just(json!({ "type": ["string", "null"], "maxLength": 1 })),
        Just(json!({ "const": "a" })),
        (bound.clone(), bound.clone())
            .prop_map(|(low, high)| json!({ "type": "integer", "exclusiveMinimum": low, "maximum": high })),
        (bound.clone(), bound).prop_map(
            |(low, high)| json!({ "allOf": [{ "type": "integer", "minimum": low }, { "maximum": high }] })
        ),
        Just(json!({ "$ref": "#/$defs/Word" })),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({ "type": "array", "items": items, "maxItems": 2 })),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|choices| json!({ "anyOf": choices })),
            (inner.clone(), inner, any::<bool>()).prop_map(|(a, b, is_required)| json!({
                "type": "object",
                "properties": { "a": a, "b": b },
                "required": if is_required { vec!["a"] } else { vec![] },
            })),
        ]
    })
}

fn instance() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3..5i64).prop_map(Value::from),
        "[abc]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[ab]", inner, 0..3)
                .prop_map(|object| Value::Object(object.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_cleaned_schema_accepts_no_more_than_the_original(property in expressible(), instance in instance()) {
        let schema = json!({
            "type": "object",
            "properties": { "a": property },
            "$defs": { "Word": { "type": "string", "minLength": 1 } },
        });
        let instance = json!({ "a": instance });
        for rules in [&SUBSET, &INLINED, &Rules::ALL] {
            let cleaned = clean(&schema, rules);
            let takes = accepts(&spell_out(&cleaned), &instance);
            prop_assert!(!takes || accepts(&schema, &instance), "{schema} became {cleaned}, which takes {instance}");
        }
        // And no less where the words are the same.
        let inlined = clean(&schema, &INLINED);
        prop_assert_eq!(accepts(&inlined, &instance), accepts(&schema, &instance));
    }
}

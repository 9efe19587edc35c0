use super::*;
use std::collections::BTreeSet;

#[test]
fn every_tool_is_declared_in_full() {
    let mut names = BTreeSet::new();
    for tool in all() {
        let name = tool.name;
        let spec = tool.spec();
        assert!(names.insert(name), "{name} is there twice");
        assert_eq!(spec.name, name);
        assert!(
            (1..=60).contains(&tool.summary.len())
                && !tool.summary.contains('\n')
                && !tool.summary.ends_with('.'),
            "{name}: the summary is one short line"
        );
        assert!(spec.description.len() > 40, "{name} is described");

        let schema = &spec.input_schema;
        assert_eq!(schema["type"], "object", "{name}");
        assert_eq!(schema["additionalProperties"], false, "{name} is closed");
        let properties = schema["properties"].as_object().expect("properties");
        for (property, inner) in properties {
            let description = inner["description"].as_str().unwrap_or_default();
            assert!(description.ends_with('.'), "{name}.{property} is described");
        }
        for required in schema["required"].as_array().expect("a list of names") {
            let required = required.as_str().expect("a name");
            assert!(properties.contains_key(required), "{name}.{required}");
        }
        // Providers refuse these at the top of a tool's schema.
        for keyword in ["allOf", "anyOf", "oneOf", "not", "enum", "if"] {
            assert!(schema.get(keyword).is_none(), "{name} has {keyword}");
        }
        assert_eq!(find(name).map(|tool| tool.name), Some(name));
    }
    assert!(find("shell").is_none());
}

#[test]
fn every_action_is_described() {
    for (tool, mark) in [("dom", "\n- {}: "), ("state", " {} "), ("storage", " {} ")] {
        let spec = find(tool).expect("a declared tool").spec();
        let actions = spec.input_schema["properties"]["action"]["enum"].clone();
        let actions: Vec<String> = serde_json::from_value(actions).expect("names");
        assert!(actions.len() >= 4);
        for action in actions {
            let line = mark.replace("{}", &action);
            assert!(spec.description.contains(&line), "{tool} {action}");
        }
    }
}

#[test]
fn only_the_page_is_touched_once() {
    for tool in all() {
        let expected = match tool.place {
            Place::Skin => Repeat::Once,
            Place::Hub => Repeat::Idempotent,
        };
        assert_eq!(tool.repeat, expected, "{}", tool.name);
    }
}

#[test]
fn specs_have_one_order_and_skip_unknown_names() {
    let names = ["datetime", "nothing", "dom", "datetime"].map(str::to_owned);
    let found: Vec<String> = specs(&names).into_iter().map(|spec| spec.name).collect();
    assert_eq!(found, ["dom", "datetime"]);
}

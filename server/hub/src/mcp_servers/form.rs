//! What a server wants to know in the middle of a call, as a question to the person, and what they enter as the server
//! takes it.

mod property;

use super::visible::visible;
use property::{Meaning, Property};
use protocol::question::{FieldAnswer, Question, Wanted};
use serde_json::{Map, Value, json};
use url::{Host, Url};

/// Characters of what is asked.
const MESSAGE: usize = 1_000;
const FIELDS: usize = 20;
/// How long a person may think it over: few servers wait longer.
const WAIT_MINUTES: u32 = 60;

/// A question, and what its answers mean to whoever asks, by the name of the field.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) question: Question,
    meanings: Vec<(String, Meaning)>,
}

/// Bytes of an address that a person opens.
const ADDRESS: usize = 2_000;

impl Form {
    /// What is wrong comes back as words for the server.
    pub(super) fn read(server: &str, params: &Value) -> Result<Self, String> {
        match params.get("mode").map(|mode| mode.as_str().unwrap_or_default()) {
            None | Some("form") => {}
            Some("url") => return Self::visit(server, params),
            Some(_) => return Err("Ask in a form, or by an address.".to_owned()),
        }
        let schema = params.get("requestedSchema").and_then(Value::as_object);
        let schema = schema.ok_or("A form has a requestedSchema.")?;
        let properties = match schema.get("properties") {
            None => Map::new(),
            Some(properties) => {
                properties.as_object().cloned().ok_or("The properties of a form are an object.")?
            }
        };
        if properties.len() > FIELDS {
            return Err(format!("A form has at most {FIELDS} fields."));
        }
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|it| it == name));
        let (mut fields, mut meanings) = (Vec::new(), Vec::new());
        for (name, schema) in properties {
            let Property { field, meaning } = Property::read(&name, &schema, is_required(&name))?;
            fields.push(field);
            meanings.push((name, meaning));
        }
        // What has to be entered stands first.
        fields.sort_by_key(|field| !field.required);
        Ok(Self { question: question(server, params, Wanted::Form { fields }), meanings })
    }

    /// That the person opens an address, which nobody opens for them.
    fn visit(server: &str, params: &Value) -> Result<Self, String> {
        let url = params.get("url").and_then(Value::as_str).unwrap_or_default();
        let url = Url::parse(url).map_err(|_| "What a person is to open is a whole address.")?;
        let is_here = match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        if url.scheme() != "https" && !(url.scheme() == "http" && is_here) {
            return Err("An address that a person opens begins with https://.".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("An address that a person opens has no name and no password in it.".to_owned());
        }
        if url.as_str().len() > ADDRESS {
            return Err(format!("An address that a person opens has at most {ADDRESS} bytes."));
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        let wanted = Wanted::Visit { url: url.into(), host };
        Ok(Self { question: question(server, params, wanted), meanings: Vec::new() })
    }

    /// What the server is told when the person says yes.
    pub(super) fn accepted(&self, answers: &[FieldAnswer]) -> Value {
        match matches!(self.question.wanted, Wanted::Visit { .. }) {
            true => json!({ "action": "accept" }),
            false => json!({ "action": "accept", "content": self.content(answers) }),
        }
    }

    /// What was entered, under the server's own names.
    fn content(&self, answers: &[FieldAnswer]) -> Map<String, Value> {
        let content = answers.iter().filter_map(|FieldAnswer { name, answer }| {
            let (_, meaning) = self.meanings.iter().find(|(known, _)| known == name)?;
            Some((name.clone(), meaning.of(answer)?))
        });
        content.collect()
    }
}

fn question(server: &str, params: &Value, wanted: Wanted) -> Question {
    let message = params.get("message").and_then(Value::as_str).unwrap_or_default();
    Question {
        server: Some(server.to_owned()),
        text: visible(message.trim(), MESSAGE),
        wanted,
        default: None,
        wait_minutes: WAIT_MINUTES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::question::Answer;

    fn form(properties: Value, required: Value) -> Result<Form, String> {
        let schema = json!({ "type": "object", "properties": properties, "required": required });
        Form::read("garden", &json!({ "message": "Which bed?\u{200b}", "requestedSchema": schema }))
    }

    #[test]
    fn a_form_becomes_a_question_of_its_server() {
        let read =
            form(json!({ "a": { "type": "string" }, "b": { "type": "boolean" } }), json!(["b"])).unwrap();
        let Question { server, text, wanted: Wanted::Form { fields }, .. } = read.question else {
            panic!("{read:?}")
        };
        assert_eq!((server.as_deref(), &*text), (Some("garden"), "Which bed?"));
        let named: Vec<_> = fields.iter().map(|field| (&*field.name, field.required)).collect();
        assert_eq!(named, [("b", true), ("a", false)]);
        let empty = Form::read("garden", &json!({ "message": "Go on?", "requestedSchema": {} })).unwrap();
        assert_eq!(empty.question.wanted, Wanted::Form { fields: Vec::new() });
    }

    #[test]
    fn what_is_no_form_is_not_asked() {
        let many: Map<String, Value> =
            (0..21).map(|at| (format!("f{at}"), json!({ "type": "string" }))).collect();
        for (params, why) in [
            (json!({ "mode": "call", "message": "Pay here" }), "Ask in a form, or by an address."),
            (json!({ "message": "?" }), "A form has a requestedSchema."),
            (
                json!({ "message": "?", "requestedSchema": { "properties": many } }),
                "A form has at most 20 fields.",
            ),
            (
                json!({ "message": "?", "requestedSchema": { "properties": { "a": { "type": "object" } } } }),
                "The field a is of no kind that is known here.",
            ),
        ] {
            assert_eq!(Form::read("garden", &params).unwrap_err(), why, "{params}");
        }
    }

    #[test]
    fn an_address_is_shown_whole_and_only_one_that_is_sealed_and_names_nobody() {
        let read = |url: &str| Form::read("garden", &json!({ "mode": "url", "message": "Pay", "url": url }));
        for (url, shown, host) in [
            ("https://pay.example/a?b=c#d", "https://pay.example/a?b=c#d", "pay.example"),
            ("https://p\u{430}y.example", "https://xn--py-7kc.example/", "xn--py-7kc.example"),
            ("http://127.0.0.1:8000/pay", "http://127.0.0.1:8000/pay", "127.0.0.1"),
        ] {
            let form = read(url).unwrap();
            let wanted = Wanted::Visit { url: shown.to_owned(), host: host.to_owned() };
            assert_eq!((&form.question.wanted, &*form.question.text), (&wanted, "Pay"));
            assert_eq!(form.accepted(&[]), json!({ "action": "accept" }));
        }
        let long = format!("https://pay.example/{}", "a".repeat(2_000));
        for (url, why) in [
            ("", "What a person is to open is a whole address."),
            ("/pay", "What a person is to open is a whole address."),
            ("http://pay.example", "An address that a person opens begins with https://."),
            ("javascript:alert(1)", "An address that a person opens begins with https://."),
            ("https://bank@pay.example", "An address that a person opens has no name and no password in it."),
            (&*long, "An address that a person opens has at most 2000 bytes."),
        ] {
            assert_eq!(read(url).unwrap_err(), why, "{url}");
        }
    }

    #[test]
    fn a_server_gets_its_own_values_and_nothing_that_it_did_not_ask_for() {
        let read = form(
            json!({
                "bed": { "type": "string", "oneOf": [{ "const": "b-1", "title": "North" }, { "const": "b-2", "title": "South" }] },
                "tools": { "type": "array", "items": { "type": "string", "enum": ["rake", "hoe"] } },
                "water": { "type": "boolean" },
                "litres": { "type": "integer" },
            }),
            json!([]),
        )
        .unwrap();
        let chosen = |labels: &[&str]| Answer::Chosen {
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            other: None,
        };
        let said = [
            ("bed", chosen(&["South"])),
            ("tools", chosen(&["hoe", "rake"])),
            ("water", chosen(&["No"])),
            ("litres", Answer::Number { number: 3.into() }),
            ("password", Answer::Text { text: "moss".to_owned() }),
        ];
        let said = said.map(|(name, answer)| FieldAnswer { name: name.to_owned(), answer });
        assert_eq!(
            Value::Object(read.content(&said)),
            json!({ "bed": "b-2", "tools": ["hoe", "rake"], "water": false, "litres": 3 }),
        );
    }
}

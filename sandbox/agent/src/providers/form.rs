//! The form that an answer has to have, on wires that cannot hold every model to it: what is only to be
//! likely is put into words, what has to be so is refused.

use protocol::model::{Form, FormSchema, ModelRequest};

/// Forms that a server can hold a model to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    Nothing,
    /// Any JSON.
    Json,
    /// JSON of a schema.
    Schemas,
    All,
}

/// Whether the answer has to have a form that nobody can hold the model to.
pub(super) fn is_beyond(request: &ModelRequest, keeps: Keeps) -> bool {
    match (&request.sampling.form, keeps) {
        (Some(Form::Schema(schema)), Keeps::Nothing | Keeps::Json) => schema.strict,
        (Some(Form::Schema(_)), Keeps::Schemas | Keeps::All) | (Some(Form::Json) | None, _) => false,
    }
}

/// The request with the form in words; `None` where the server has a field for it.
pub(super) fn written(request: &ModelRequest, keeps: Keeps) -> Option<ModelRequest> {
    let form = request.sampling.form.as_ref()?;
    let left = match (form, keeps) {
        (Form::Json, Keeps::Json | Keeps::All) | (Form::Schema(_), Keeps::Schemas | Keeps::All) => {
            return None;
        }
        (Form::Schema(_), Keeps::Json) => Some(Form::Json),
        (Form::Json, Keeps::Nothing | Keeps::Schemas) | (Form::Schema(_), Keeps::Nothing) => None,
    };
    Some(in_words(request, left))
}

/// `left` is what the server is told besides.
pub(crate) fn in_words(request: &ModelRequest, left: Option<Form>) -> ModelRequest {
    let mut request = request.clone();
    if let Some(form) = std::mem::replace(&mut request.sampling.form, left) {
        if !request.system.is_empty() {
            request.system.push_str("\n\n");
        }
        request.system.push_str(&words(&form));
    }
    request
}

fn words(form: &Form) -> String {
    let mut words =
        "Answer with one JSON value and nothing else: no words around it, no code fence.".to_owned();
    match form {
        Form::Json => {}
        Form::Schema(form) => {
            let FormSchema { name: _, description, schema, strict: _ } = form;
            if let Some(description) = description {
                words.push_str(&format!(" What it is: {description}"));
            }
            words.push_str(" It has to be valid against this JSON Schema:\n");
            words.push_str(&schema.to_string());
        }
    }
    words
}

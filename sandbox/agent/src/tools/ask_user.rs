//! The tool with which an agent asks its person something and waits for the answer.

use super::access::{Resource, ResourceUse};
use super::schema::{integer, object, one_of, text};
use super::{Concurrency, Executor, PageTier, Repeat, Risk, Tool, ToolId};
use serde_json::{Value, json};

const KINDS: &[&str] = &["choice", "several", "text", "number", "date", "file", "secret"];

pub(super) const TOOL: Tool = Tool {
    id: ToolId::AskUser,
    name: "ask_user",
    summary: "Ask you something, and wait for the answer",
    description: "\
Asks your person one question and waits for the answer, which is the result. They see it on every device, also when no page of yours is open. Ask when what you do next depends on something that only they can know or decide. Ask for a password, token or key by the kind secret alone.

Kinds: choice (one of `options`), several (some of them, at least `min` and at most `max`), text, number (from `min` to `max`), date, file (which is then under /uploads), secret. With `other`, choice and several take words of their own as well. Write options that differ in what follows from them, with a `description` where the label does not say it.

You never see a secret: `fetch` sends it by its `name`, in the `header` behind the `scheme`, to this `host` alone. Ask for one when a request needs it.

If nobody answers within `wait_minutes` (a day, if you do not say), `default` holds, or without one you are told that nobody answered: then go on as well as you can. They may also skip the question.",
    place: Executor::Hub,
    repeat: Repeat::Idempotent,
    risk: Risk::None,
    risk_by_input: None,
    page: PageTier::Blocked,
    uses: &[ResourceUse::reads(Resource::Person)],
    concurrency: Concurrency::Parallel,
    per_second: 1,
    cache: None,
    query: None,
    schema,
};

fn schema() -> Value {
    object(
        [
            (
                "question",
                text("The question, so that it can be answered without reading on. 1000 characters."),
            ),
            ("kind", one_of(KINDS, "What kind of answer it wants.")),
            (
                "options",
                json!({
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 12,
                    "items": object(
                        [
                            ("label", text("What is chosen: a few words, 100 characters.")),
                            ("description", text("What follows from it, 300 characters.")),
                        ],
                        &["label"],
                    ),
                    "description": "2 to 12 answers to choose from (choice, several).",
                }),
            ),
            (
                "other",
                json!({ "type": "boolean", "description": "Words of their own will do as well (choice, several)." }),
            ),
            (
                "min",
                json!({ "type": "number", "description": "The least number, or how many are chosen at least (number, several)." }),
            ),
            (
                "max",
                json!({ "type": "number", "description": "The greatest number, or how many are chosen at most (number, several)." }),
            ),
            (
                "default",
                text(
                    "The answer that holds if nobody gives one: a label, several labels with a line for each, the text, the number, or the date as 2026-11-24.",
                ),
            ),
            ("name", text("Of the secret: small letters, digits, - and _. One of this name is replaced.")),
            ("host", text("That the secret is for, like api.example.org.")),
            ("header", text("Default: authorization.")),
            (
                "scheme",
                json!({ "type": "string", "description": "Default: Bearer for authorization, else nothing." }),
            ),
            ("wait_minutes", integer(1, 10_080, "How long to wait for the answer. Default: 1440, a day.")),
        ],
        &["question", "kind"],
    )
}

//! `runjs` in an embedded engine: JavaScript itself, `console`, `flo.state`, and nothing else. The
//! rules of results, console and state are the page's own files.

use rquickjs::context::intrinsic;
use rquickjs::{Context, Ctx, Function, Object, Persistent, Runtime};
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

const MEMORY: usize = 64 * 1024 * 1024;
const STACK: usize = 512 * 1024;

/// Time to write down what came of a script whose own time is over.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// All of the language but what tells the time finely.
type Language = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
    intrinsic::WeakRef,
);

const HOST: &str = concat!(
    "(() => {\n'use strict';\n",
    include_str!(concat!(env!("OUT_DIR"), "/engine.js")),
    include_str!("ends.js"),
    "})()",
);

/// What scripts look for in a page.
const OF_A_PAGE: &[&str] = &[
    "document",
    "window",
    "self",
    "location",
    "navigator",
    "localStorage",
    "sessionStorage",
    "indexedDB",
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "Worker",
    "Image",
    "alert",
    "setTimeout",
    "setInterval",
    "setImmediate",
    "clearTimeout",
    "clearInterval",
    "requestAnimationFrame",
    "getComputedStyle",
    "performance",
    "crypto",
    "structuredClone",
    "queueMicrotask",
];

pub(super) struct ScriptResult {
    pub(super) result: Value,
    pub(super) is_error: bool,
    pub(super) set: BTreeMap<String, Value>,
}

/// What the script's side tells in the end.
#[derive(Deserialize)]
struct ScriptReport {
    outcome: Option<Outcome>,
    console: Vec<String>,
    changes: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Outcome {
    result: Value,
    #[serde(rename = "isError")]
    is_error: bool,
}

/// Why nothing more happens.
enum StopCause {
    NothingLeft,
    Late,
    OutOfMemory,
}

pub(super) fn run(code: &str, limit: Duration, state: &BTreeMap<String, Value>) -> ScriptResult {
    let started = Instant::now();
    let Ok((end, told)) = told(code, limit, state) else {
        return failed(json!({ "error": out_of_memory(), "millis": millis(started) }), BTreeMap::new());
    };
    let ScriptReport { outcome, console, changes } = told;
    if let Some(Outcome { mut result, is_error }) = outcome {
        explain(&mut result);
        result["console"] = json!(console);
        return ScriptResult { result, is_error, set: changes };
    }
    let error = match end {
        StopCause::NothingLeft => {
            "nothing is left to do and there is no result: it waits for a promise that never settles"
                .to_owned()
        }
        StopCause::Late => format!("it did not finish within {} ms and was ended", limit.as_millis()),
        StopCause::OutOfMemory => out_of_memory(),
    };
    failed(json!({ "error": error, "console": console, "millis": millis(started) }), changes)
}

fn failed(result: Value, set: BTreeMap<String, Value>) -> ScriptResult {
    ScriptResult { result, is_error: true, set }
}

fn told(
    code: &str,
    limit: Duration,
    state: &BTreeMap<String, Value>,
) -> rquickjs::Result<(StopCause, ScriptReport)> {
    let runtime = Runtime::new()?;
    runtime.set_memory_limit(MEMORY);
    runtime.set_max_stack_size(STACK);
    let ends_at = Rc::new(Cell::new(Instant::now() + LAST_WORDS));
    let watched = Rc::clone(&ends_at);
    runtime.set_interrupt_handler(Some(Box::new(move || Instant::now() >= watched.get())));
    let context = Context::custom::<Language>(&runtime)?;
    let finish = context.with(|ctx| -> rquickjs::Result<_> {
        let host: Object<'_> = ctx.eval(HOST)?;
        host.get::<_, Function<'_>>("load")?.call::<_, ()>((json!(state).to_string(),))?;
        ends_at.set(Instant::now() + limit);
        start(&ctx, &host.get("start")?, code, limit);
        Ok(Persistent::save(&ctx, host.get::<_, Function<'_>>("finish")?))
    })?;
    let end = drain_jobs(&runtime, ends_at.get());
    ends_at.set(Instant::now() + LAST_WORDS);
    let text: String = context.with(|ctx| finish.restore(&ctx)?.call(()))?;
    let told = serde_json::from_str(&text).map_err(|_| rquickjs::Error::Unknown)?;
    Ok((end, told))
}

fn start<'js>(ctx: &Ctx<'js>, start: &Function<'js>, code: &str, limit: Duration) {
    let limit = u32::try_from(limit.as_millis()).unwrap_or(u32::MAX);
    if start.call::<_, rquickjs::Value<'js>>((code, limit)).is_err() {
        // Nobody else is to come across this exception: the script told of it if it could.
        ctx.catch();
    }
}

/// Does what the script left to be done, until nothing is left.
fn drain_jobs(runtime: &Runtime, end: Instant) -> StopCause {
    loop {
        let did = runtime.execute_pending_job();
        match did {
            _ if Instant::now() >= end => return StopCause::Late,
            Ok(true) => {}
            Ok(false) => return StopCause::NothingLeft,
            // A step hands its exceptions to its promise, but for those that leave no room to do that.
            Err(_) => return StopCause::OutOfMemory,
        }
    }
}

/// Adds what a script that was written for a page has to know.
fn explain(result: &mut Value) {
    let Some(error) = result["error"].as_str() else { return };
    let missing =
        error.strip_prefix("ReferenceError: ").and_then(|rest| rest.strip_suffix(" is not defined"));
    let name = missing.map(|name| name.trim_matches('\''));
    if name.is_some_and(|name| OF_A_PAGE.contains(&name)) {
        let told = format!(
            "{error}: no page is open, so there are only the language itself, console and flo.state, and no timers. \
             The tool dom reads and changes the page as it is stored."
        );
        result["error"] = Value::from(told);
    } else if error.ends_with("out of memory") {
        result["error"] = Value::from(out_of_memory());
    }
}

fn out_of_memory() -> String {
    format!("out of memory: it has {} MB", MEMORY / 1024 / 1024)
}

fn millis(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;

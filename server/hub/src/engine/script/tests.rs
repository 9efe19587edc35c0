use super::*;

/// Long enough for what ends, on a machine that does much else too.
const PATIENT: Duration = Duration::from_secs(60);
/// Short enough for what does not.
const LIMIT: Duration = Duration::from_millis(500);

fn ran(code: &str, state: &Value) -> ScriptResult {
    ran_within(code, state, PATIENT)
}

fn ran_within(code: &str, state: &Value, limit: Duration) -> ScriptResult {
    let state = serde_json::from_value(state.clone()).unwrap();
    run(code, limit, &state)
}

/// What the script gives back as it would be told, without how long it took.
fn told(code: &str) -> Value {
    told_within(code, PATIENT)
}

fn told_within(code: &str, limit: Duration) -> Value {
    let mut result = ran_within(code, &json!({ "a": 1 }), limit).result;
    assert!(result["millis"].is_u64(), "{code}: {result}");
    result.as_object_mut().unwrap().remove("millis");
    result
}

#[test]
fn what_a_script_gives_back_is_told_as_the_page_tells_it() {
    for (code, value) in [
        ("", json!(null)),
        ("return 1 + 1", json!(2)),
        ("return await Promise.resolve([1, 'é', { b: null }])", json!([1, "é", { "b": null }])),
        ("let n = 0; for (let i = 0; i < 9; i++) n = await (async () => n + i)(); return n", json!(36)),
        ("return { f() {}, n: NaN, s: Symbol('x'), m: new Map([[1, 2]]), big: 3n }", {
            json!({ "f": "[function f]", "n": "[number NaN]", "s": "[symbol Symbol(x)]",
                "m": "[Map of 1 entries]", "big": "[bigint 3]" })
        }),
        ("let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a", {
            json!("[Array that cannot be JSON: Maximum call stack size exceeded]")
        }),
        ("const a = []; a.push(a); return a", json!("[Array that cannot be JSON: circular reference]")),
        ("return new Date(0)", json!("1970-01-01T00:00:00.000Z")),
        ("return typeof document + typeof window + typeof setTimeout", json!("undefinedundefinedundefined")),
        ("return globalThis", json!("[window]")),
        ("return '\\ud800'", json!("\u{fffd}")),
    ] {
        assert_eq!(told(code), json!({ "value": value, "console": [] }), "{code}");
    }
}

#[test]
fn what_a_script_writes_to_the_console_is_bounded() {
    let code = "console.log('a', { b: 1 }); console.warn(undefined); console.error(new TypeError('no'))";
    assert_eq!(told(code)["console"], json!(["log: a {\"b\":1}", "warn: undefined", "error: TypeError: no"]));
    let lines = told("for (let i = 0; i < 1e4; i++) console.log('x'.repeat(1e4))")["console"].clone();
    let lines = lines.as_array().unwrap();
    assert_eq!(lines.len(), 101);
    assert!(lines.iter().all(|line| line.as_str().unwrap().chars().count() <= 500));
    assert_eq!(lines[100], "… more than 100 lines");
}

#[test]
fn a_script_that_fails_says_why() {
    for (code, error) in [
        ("throw new TypeError('no')", "TypeError: no"),
        ("throw 'words'", "words"),
        ("throw { code: 7 }", "{\"code\":7}"),
        ("throw undefined", "undefined"),
        ("await Promise.reject(new Error('later'))", "Error: later"),
        ("return nothing", "ReferenceError: nothing is not defined"),
        ("return 'x'.repeat(70000)", "TypeError: the value is 70002 bytes of JSON; 65536 are the most"),
        ("await new Promise(() => {})", "nothing is left to do"),
        ("const f = () => f() + 1; f()", "RangeError: Maximum call stack size exceeded"),
        ("JSON.parse('['.repeat(1e6))", "Maximum call stack size exceeded"),
        ("return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('x')", "SyntaxError: "),
        ("const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)", "out of memory: it has 64 MB"),
        ("return 'x'.repeat(2 ** 29)", "out of memory"),
        ("function* endless() { for (;;) yield 1 } return [...endless()]", "out of memory: it has 64 MB"),
        ("document.body.textContent = 'x'", "ReferenceError: document is not defined: no page is open"),
        ("await new Promise((done) => setTimeout(done, 10))", "setTimeout is not defined: no page is open"),
        ("flo.notify('x')", "Error: no page is open, so flo.notify reaches nobody"),
        ("return await flo.ask('x')", "Error: no page is open, so flo.ask reaches nobody"),
        ("return (", "SyntaxError: "),
    ] {
        let result = told(code);
        let said = result["error"].as_str().unwrap_or_else(|| panic!("{code}: {result}"));
        assert!(said.contains(error), "{code}: {said}");
        assert!(result.get("value").is_none(), "{code}");
    }
    let stack = told("function inner() { throw new Error('x') }\ninner()")["stack"].clone();
    assert!(stack.as_str().unwrap().contains("inner"), "{stack}");
}

#[test]
fn a_script_that_does_not_end_is_ended() {
    for code in [
        "for (;;);",
        "console.log('before'); while (true) { try { for (;;); } catch {} finally {} }",
        "const spin = async () => { for (;;) await null }; await spin()",
        "return /^(a+)+$/.test('a'.repeat(40) + 'b')",
        "[].indexOf.call({ length: 2 ** 53 - 1 }, 1)",
        "function* endless() { for (;;) yield 1 } for (const one of endless());",
        "return { toJSON() { for (;;); } }",
    ] {
        let result = told_within(code, LIMIT);
        let error = result["error"].as_str().unwrap_or_else(|| panic!("{code}: {result}"));
        assert_eq!(error, "it did not finish within 500 ms and was ended", "{code}");
    }
    assert_eq!(told_within("console.log('before'); for (;;);", LIMIT)["console"], json!(["log: before"]));
}

#[test]
fn nothing_leads_out_of_the_script() {
    for code in [
        "return Object.keys(globalThis).join()",
        "return typeof process + typeof require + typeof fetch + typeof std + typeof os + typeof Deno",
        "const g = Function('return this')(); return typeof g.process + typeof g.require",
        "return typeof (0, eval)('this').process",
        "return [].constructor.constructor('return typeof process')()",
        "return typeof import.meta",
        "return await import('os')",
        "return await import('/etc/passwd')",
        "return await import('data:text/javascript,export default 1')",
        "return Function('return arguments.callee.caller')()",
        "return (function f() { return f.caller })()",
        "return new Error().stack.length > 0 && typeof Error.prepareStackTrace",
        "return typeof SharedArrayBuffer === 'undefined' || Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
    ] {
        let result = told(code);
        let value = result["value"].as_str().unwrap_or("");
        let is_nothing = value.is_empty() || value == "flo" || value.split("undefined").all(str::is_empty);
        assert!(is_nothing || result["value"] == json!(true), "{code}: {result}");
    }
}

#[test]
fn the_state_is_the_agents_own_and_changes_are_told() {
    for (code, value, set) in [
        ("return flo.state.get('a')", json!(1), json!({})),
        ("return flo.state.get('b')", json!(null), json!({})),
        ("flo.state.set('b', [1]); return flo.state.all()", json!({ "a": 1, "b": [1] }), json!({ "b": [1] })),
        ("flo.state.set('a', 1)", json!(null), json!({})),
        ("flo.state.delete('a'); return flo.state.keys()", json!([]), json!({ "a": null })),
        ("for (let i = 0; i < 1e4; i++) flo.state.set('n', i)", json!(null), json!({ "n": 9999 })),
        (
            "flo.state.set('__proto__', { x: 1 }); return flo.state.get('__proto__')",
            { json!({ "x": 1 }) },
            json!({ "__proto__": { "x": 1 } }),
        ),
        (
            "flo.state.set('o', { toJSON: () => 'own' }); return flo.state.get('o')",
            { json!("own") },
            json!({ "o": "own" }),
        ),
        (
            "Object.prototype.toJSON = () => 1; Array.prototype.toJSON = () => 2; flo.state.set('b', 3)",
            { json!(null) },
            json!({ "b": 3 }),
        ),
        (
            "JSON.stringify = () => '\"forged\"'; JSON.parse = () => 9; flo.state.set('b', 3); return flo.state.get('b')",
            { json!(3) },
            json!({ "b": 3 }),
        ),
        (
            "flo.state.get = () => 7; try { flo = null } catch {} return flo.state.get('a')",
            json!(1),
            json!({}),
        ),
    ] {
        let ran = ran(code, &json!({ "a": 1 }));
        assert_eq!(ran.result["value"], value, "{code}: {}", ran.result);
        assert_eq!(json!(ran.set), set, "{code}");
    }
}

#[test]
fn what_was_set_before_a_failure_stays_set() {
    for code in ["flo.state.set('b', 1); throw 1", "flo.state.set('b', 1); for (;;);"] {
        let ran = ran_within(code, &json!({}), LIMIT);
        assert!(ran.is_error);
        assert_eq!(json!(ran.set), json!({ "b": 1 }));
    }
}

#[test]
fn a_value_or_a_key_that_is_too_large_is_refused() {
    for code in [
        "flo.state.set('b', 'x'.repeat(70000))",
        "flo.state.set('k'.repeat(101), 1)",
        "flo.state.set('', 1)",
        "flo.state.set('b', undefined)",
    ] {
        let ran = ran(code, &json!({}));
        assert!(ran.is_error && ran.set.is_empty(), "{code}");
    }
}

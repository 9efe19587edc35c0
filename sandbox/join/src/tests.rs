use super::*;

type Files<'a> = &'a [(&'a str, &'a str)];

fn joined(files: Files<'_>) -> Result<String, String> {
    joined_onto(Host::default(), files)
}

/// The first file is the entry.
fn joined_onto(host: Host<'_>, files: Files<'_>) -> Result<String, String> {
    join(&[files[0].0], host, &|path| {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| (*text).to_owned()).ok_or("there is no such file".to_owned())
    })
}

/// What is wrong with a module of this text.
fn wrong(text: &str) -> String {
    joined(&[("a.js", text), ("b.js", "export const b = 1;\n")]).unwrap_err()
}

#[test]
fn each_module_comes_once_and_after_those_that_it_imports() {
    let text = joined(&[
        ("a.js", "import './c.js';\nimport { b } from './in/b.js';\nb();\n"),
        ("in/b.js", "import { d } from '../d.js';\nexport const b = () => d;\n"),
        ("c.js", "import {\n  d,\n  e,\n} from './d.js';\nd(e);\n"),
        ("d.js", "export function d() {}\nexport let e;\n"),
    ]);
    assert_eq!(text.unwrap(), "function d() {}\nlet e;\nd(e);\nconst b = () => d;\nb();\n");
}

#[test]
fn all_forms_of_exports_lose_only_that_word() {
    let text = "export const { a, b: c } = d;\nexport const {\n  e,\n} = f;\nexport async function g() {}\nexport class H {}\nexport let i;\n";
    assert_eq!(joined(&[("x.js", text)]).unwrap(), text.replace("export ", ""));
}

#[test]
fn comments_stay_but_for_imports_of_types() {
    let text = "// import x\n/** @import { T } from './t.js' */\n/**\n * import x\n */\nimportNode();\n";
    assert_eq!(joined(&[("a.js", text)]).unwrap(), text.replace("/** @import { T } from './t.js' */\n", ""));
}

#[test]
fn a_cycle_is_named() {
    let error = joined(&[
        ("a.js", "import './b.js';\n"),
        ("b.js", "import './c.js';\n"),
        ("c.js", "import './b.js';\n"),
    ]);
    assert_eq!(error.unwrap_err(), "these import each other: b.js → c.js → b.js");
}

#[test]
fn an_import_of_nothing_is_named() {
    assert_eq!(wrong("import './x.js';\n"), "a.js imports x.js: there is no such file");
    assert_eq!(wrong("import { x } from './b.js';\n"), "a.js imports x, which b.js does not export");
}

#[test]
fn an_import_from_elsewhere_is_named() {
    for from in ["b.js", "node:fs", "https://there.example/b.js", "./b.json", "./b"] {
        assert_eq!(
            wrong(&format!("import '{from}';\n")),
            format!("a.js imports {from}, which is not the path of a script here")
        );
    }
    assert_eq!(wrong("import '../b.js';\n"), "a.js imports ../b.js, which is outside of the folder");
}

#[test]
fn other_forms_of_import_are_errors() {
    for import in [
        "import b from './b.js';",
        "import * as b from './b.js';",
        "import b, { c } from './b.js';",
        "import \"./b.js\";",
        "import{ b } from './b.js';",
        "import { b } from './b.js' with { type: 'json' };",
        "import('./b.js');",
        "const b = await import('./b.js');",
        "  import('./b.js');",
        "const url = import.meta.url;",
        "/* hidden */ import './b.js';",
        "/**\n */ import './b.js';",
        "export { b } from './b.js';",
        "export * from './b.js';",
        "export default 1;",
        "export { b };",
        "export run();",
        "const b = 1; export { b };",
    ] {
        assert!(wrong(&format!("{import}\n")).contains("not known here"), "{import}");
    }
    assert!(wrong("import { b as c } from './b.js';\n").contains("`b as c` is not just a name"));
    assert!(wrong("import './b.js'; run();\n").contains("something follows this import"));
    assert!(wrong("import './b.js'\n").contains("no end of this import"));
}

#[test]
fn a_name_that_two_modules_declare_is_an_error() {
    for own in [
        "function b() {}",
        "const b = 1;",
        "let b;",
        "class b {}",
        "const { c: b } = d;",
        "async function b() {}",
    ] {
        let text = format!("import './b.js';\n{own}\n");
        assert_eq!(wrong(&text), "b.js and a.js both declare b");
    }
}

#[test]
fn a_declaration_that_hides_a_name_from_this_is_an_error() {
    for own in ["const [a, b] = c;", "let a, b;", "const { a = 1 } = c;", "const { a: { b } } = c;"] {
        assert!(joined(&[("a.js", own)]).is_err(), "{own}");
    }
}

#[test]
fn a_host_stands_for_modules_and_has_what_they_give() {
    let files: Files<'_> = &[("a.js", "import { b } from './b.js';\nb();\n")];
    let host = |text| Host { text, stands_for: &["b.js"] };
    let both = joined_onto(host("const b = () => {};\n"), files);
    assert_eq!(both.unwrap(), "const b = () => {};\nb();\n");
    let without = joined_onto(host("const c = 1;\n"), files);
    assert_eq!(without.unwrap_err(), "a.js imports b, which b.js does not export");
    let twice = joined_onto(host("const b = 1;\n"), &[("a.js", "function b() {}\n")]);
    assert_eq!(twice.unwrap_err(), "the script above and a.js both declare b");
}

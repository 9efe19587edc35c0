use super::*;
use CodeLanguage::{C, Go, Java, JavaScript, Python, Rust};

fn told(language: CodeLanguage, code: &str, wanted: SymbolsWanted) -> Vec<String> {
    let search = SymbolSearch { texts: vec![(language, code.to_owned())], wanted, most: 100 };
    let found = find(&search);
    assert!(!found.more, "{code}");
    let told = |place: SymbolPlace| match place.defines {
        Some(defines) => format!("{}-{} {defines}", place.line, place.to),
        None => format!("{}:{}", place.line, place.column),
    };
    found.places.into_iter().map(told).collect()
}

#[test]
fn an_outline_has_what_a_file_defines_with_its_lines() {
    for (language, code, outline) in [
        (
            Rust,
            "/// fn none()\npub struct Store<T> {\n    of: T,\n}\n\nimpl<T: Fn() -> u8> fmt::Display for a::Store<T> {\n    \
             const SIZE: usize = 2;\n    pub async fn open(&self, at: fn(u8)) -> impl Fn() {\n        let a = \"fn x() {\";\n    }\n}\n\
             macro_rules! made { ($a:ident) => { struct $a; } }\nconst fn f() {}\nmod tests;\nstatic A: *const u8 = 0;\n",
            &[
                "2-4 struct Store",
                "6-11 impl Store",
                "7-7 constant Store.SIZE",
                "8-10 function Store.open",
                "12-12 macro made",
                "13-13 function f",
                "14-14 module tests",
                "15-15 constant A",
            ][..],
        ),
        (
            Python,
            "LIMIT = 3\nnames: list[str] = [\n    'a',\n]\n\n@dataclass\nclass Store(Base):\n    \"\"\"def none(): pass\"\"\"\n    \
             async def open(self,\n             at=1):\n        def inner():\n            pass\n        x = 1\n\n\
             def close(): # def no\n    return 1\nif LIMIT == 3:\n    y = 1\nelse:\n    z = 1\n",
            &[
                "1-1 variable LIMIT",
                "2-2 variable names",
                "7-13 class Store",
                "9-13 method Store.open",
                "11-12 function open.inner",
                "15-16 function close",
            ],
        ),
        (
            JavaScript,
            "import a from 'b'\nexport const LIMIT = 3\nexport const open = async (at: string): Promise<void> => {\n  const inner = 1\n}\n\
             export default class Store extends Base {\n  #held = () => {}\n  constructor(a) {\n    super(a)\n  }\n  static async open(at) {\n    if (at) { close(at) }\n  }\n}\n\
             function* walk() {}\nexport interface Shape {\n  area(): number;\n}\ntype Name =\n  | 'a'\n  | 'b'\nconst enum Side { A }\nx.class = `${function () {}}`\n",
            &[
                "2-2 variable LIMIT",
                "3-5 function open",
                "6-14 class Store",
                "8-10 method Store.constructor",
                "11-13 method Store.open",
                "15-15 function walk",
                "16-18 interface Shape",
                "17-17 method Shape.area",
                "19-21 type Name",
                "22-22 enum Side",
            ],
        ),
        (
            Go,
            "package a\n\nconst (\n\tFirst = iota\n\tSecond\n)\n\ntype Store[T any] struct {\n\tOf T\n}\n\n\
             func (s *Store[T]) Open(at string) error {\n\tvar x = 1\n\treturn nil\n}\n\nfunc main() {\n}\nvar f = func(a int) error { return nil }\n",
            &[
                "4-4 constant First",
                "5-5 constant Second",
                "8-10 type Store",
                "12-15 method Store.Open",
                "17-18 function main",
                "19-19 variable f",
            ],
        ),
        (
            Java,
            "package a;\n@Named(\"x\")\npublic class Store<T> extends Base {\n  private final Map<A, B> of = make(1);\n  Store() { super(1); }\n\
               public <T> List<T> open(String at) throws Exception {\n    if (x) { return close(at); }\n  }\n  abstract void none();\n  enum Side { A(1), B(2); }\n}\nrecord Pair(int a) {}\n",
            &[
                "3-11 class Store",
                "5-5 method Store.Store",
                "6-8 method Store.open",
                "9-9 method Store.none",
                "10-10 enum Store.Side",
                "12-12 record Pair",
            ],
        ),
        (
            C,
            "#include <stdio.h>\n#define LIMIT 3\nstruct store { int a; };\ntypedef struct { int b; } pair;\nint closed(void);\n\
             static struct store *open_it(const char *at)\n{\n  if (at) { use(at); }\n  struct store held = { 1 };\n}\nnamespace a {\nclass Shape : public Base {\n  int area() const { return 1; }\n};\n\
             int Shape::size() { return 2; }\n}\nextern \"C\" {\nint last(void) { return 0; }\n}\n",
            &[
                "2-2 macro LIMIT",
                "3-3 struct store",
                "4-4 type pair",
                "6-10 function open_it",
                "11-16 namespace a",
                "12-14 class a.Shape",
                "13-13 function Shape.area",
                "15-15 function Shape.size",
                "18-18 function last",
            ],
        ),
    ] {
        assert_eq!(told(language, code, SymbolsWanted::Outline), outline, "{language:?}");
    }
}

#[test]
fn a_name_is_found_where_it_is_defined_and_where_it_stands() {
    let code = "struct A;\nimpl A { fn open() {} }\nfn open() {\n    // open\n    let a = A::open(\"open\", open);\n}\n";
    for (wanted, places) in [
        (SymbolsWanted::Definitions("open".to_owned()), &["2-2 function A.open", "3-6 function open"][..]),
        (SymbolsWanted::Definitions("a::A::open".to_owned()), &["2-2 function A.open"]),
        (SymbolsWanted::Definitions("a".to_owned()), &[]),
        (
            SymbolsWanted::References("A.open".to_owned()),
            &["2-2 function A.open", "3-6 function open", "5:16", "5:29"],
        ),
        (SymbolsWanted::References("ope".to_owned()), &[]),
    ] {
        assert_eq!(told(Rust, code, wanted.clone()), places, "{wanted:?}");
    }
}

#[test]
fn what_is_more_than_was_asked_for_is_said_and_a_line_without_end_is_cut() {
    let code = format!("fn a() {{}} fn b() {{}} // {}", "x".repeat(1_000));
    let search = SymbolSearch { texts: vec![(Rust, code)], wanted: SymbolsWanted::Outline, most: 1 };
    let found = find(&search);
    assert!(found.more && found.places.len() == 1 && found.places[0].shown.chars().count() == SHOWN);
}

#[test]
fn code_that_is_made_to_harm_is_read_to_its_end() {
    for language in [C, Go, Java, JavaScript, Python, Rust] {
        for part in [
            "{",
            "(",
            "}",
            "([{",
            ")]}",
            "`${",
            "fn a",
            "class a {",
            "def a(",
            "impl ",
            "a(){",
            "/*",
            "'",
            "typedef ",
        ] {
            let search = SymbolSearch {
                texts: vec![(language, part.repeat(400))],
                wanted: SymbolsWanted::Outline,
                most: 10_000,
            };
            find(&search);
        }
    }
}

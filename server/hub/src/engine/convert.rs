//! A text of one format in another: records as JSON, YAML, CSV or a table, and Markdown as HTML and back.

mod data;
mod decimals;
pub(crate) mod spreadsheet;
mod table;

pub(crate) use decimals::Decimals;
pub(super) use table::{rows_of_csv, separated};

use super::job::{Conversion, TextFormat};
use super::readable;
use data::Data;
use pulldown_cmark::{Options, Parser, html};

pub(super) fn convert(Conversion { text, from, to }: &Conversion) -> Result<String, String> {
    match (from, to) {
        (TextFormat::Markdown, TextFormat::Html) => Ok(html_of(text)),
        (TextFormat::Html, TextFormat::Markdown) => Ok(readable::whole(text)),
        (from, to) => write(&read(text, *from)?, *to),
    }
}

fn read(text: &str, format: TextFormat) -> Result<Data, String> {
    let text = text.trim_start_matches('\u{feff}');
    match format {
        TextFormat::Json => serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}")),
        TextFormat::Yaml => serde_saphyr::from_str(text).map_err(|error| format!("it is no YAML: {error}")),
        TextFormat::Csv => table::of_csv(text),
        TextFormat::Markdown => table::of_markdown(text),
        TextFormat::Html => table::of_markdown(&readable::whole(text)),
        TextFormat::CsvFile | TextFormat::Rows => Err("it is only made".to_owned()),
    }
}

fn write(data: &Data, format: TextFormat) -> Result<String, String> {
    match format {
        TextFormat::Json => serde_json::to_string_pretty(data).map_err(|error| error.to_string()),
        TextFormat::Yaml => serde_saphyr::to_string(data).map_err(|error| error.to_string()),
        TextFormat::Csv => table::to_csv(data),
        TextFormat::CsvFile => table::to_csv_file(data),
        TextFormat::Markdown => table::to_markdown(data),
        TextFormat::Html => Ok(html_of(&table::to_markdown(data)?)),
        TextFormat::Rows => table::to_rows(data),
    }
}

/// Tags that stand in the text stay text.
fn html_of(markdown: &str) -> String {
    use pulldown_cmark::Event;
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let events = Parser::new_ext(markdown, options).map(|event| match event {
        Event::Html(tag) | Event::InlineHtml(tag) => Event::Text(tag),
        other => other,
    });
    let mut written = String::new();
    html::push_html(&mut written, events);
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use TextFormat::{Csv, Html, Json, Markdown, Yaml};
    use proptest::prelude::*;

    fn converted(text: &str, from: TextFormat, to: TextFormat) -> Result<String, String> {
        convert(&Conversion { text: text.to_owned(), from, to })
    }

    #[test]
    fn records_keep_their_order_and_what_their_cells_hold() {
        let csv = "name;since;note\n\"Moss; star\";007;\"He said \"\"no\"\".\nTwice.\"\nFern;;x\n";
        let json = r#"[
  {
    "name": "Moss; star",
    "since": "007",
    "note": "He said \"no\".\nTwice."
  },
  {
    "name": "Fern",
    "since": "",
    "note": "x"
  }
]"#;
        assert_eq!(converted(csv, Csv, Json).unwrap(), json);
        assert_eq!(converted(&converted(csv, Csv, Yaml).unwrap(), Yaml, Json).unwrap(), json);
        assert_eq!(
            converted(json, Json, Csv).unwrap(),
            "name,since,note\n\"Moss; star\",007,\"He said \"\"no\"\".\nTwice.\"\nFern,,x\n"
        );
        let table = converted(json, Json, Markdown).unwrap();
        assert_eq!(
            table,
            "| name | since | note |\n| --- | --- | --- |\n\
             | Moss; star | 007 | He said \"no\". Twice. |\n| Fern |  | x |\n"
        );
        assert!(converted(json, Json, Html).unwrap().contains("<td>Moss; star</td>"));
        assert!(
            converted(&table, Markdown, Csv).unwrap().starts_with("name,since,note\n\"Moss; star\",007,")
        );
    }

    #[test]
    fn what_is_nested_or_uneven_stands_in_cells_too() {
        for (json, csv) in [
            (r#"[{"b":1,"a":[1,2]},{"a":null,"c":true}]"#, "b,a,c\n1,\"[1,2]\",\n,,true\n"),
            (r#"{"b":1,"a":"x"}"#, "b,a\n1,x\n"),
            ("[[\"a\",\"b\"],[1,2.50]]", "a,b\n1,2.5\n"),
            ("[1,\"two\"]", "value\n1\ntwo\n"),
        ] {
            assert_eq!(converted(json, Json, Csv).as_deref(), Ok(csv), "{json}");
        }
        for (csv, json) in [
            ("a,a,\n1,2,3,4\n", r#"[{"a":"1","a 2":"2","column 3":"3","column 4":"4"}]"#),
            ("a\tb\n1\t2,5\n", r#"[{"a":"1","b":"2,5"}]"#),
            ("\u{feff}a\n", "[]"),
        ] {
            let compact: Data = serde_json::from_str(&converted(csv, Csv, Json).unwrap()).unwrap();
            assert_eq!(serde_json::to_string(&compact).unwrap(), json, "{csv:?}");
        }
    }

    #[test]
    fn text_goes_between_markdown_and_html_and_tags_in_it_stay_text() {
        let html = converted("# A\n\n- *b*\n\n<script>c</script>\n", Markdown, Html).unwrap();
        assert!(html.contains("<h1>A</h1>") && html.contains("<em>b</em>"), "{html}");
        assert!(!html.contains("<script>"), "{html}");
        let markdown = converted("<h1>A</h1><p><b>b</b> &amp; <i>c</i></p>", Html, Markdown).unwrap();
        assert!(markdown.contains("# A") && markdown.contains("**b** & *c*"), "{markdown}");
    }

    #[test]
    fn what_cannot_be_said_in_a_format_is_told() {
        for (text, from, to, why) in [
            ("{", Json, Yaml, "no JSON"),
            ("a: [", Yaml, Json, "no YAML"),
            ("3", Json, Csv, "records"),
            ("No table here.", Markdown, Json, "no table"),
            ("", Csv, Json, "empty"),
        ] {
            let told = converted(text, from, to).unwrap_err();
            assert!(told.contains(why), "{text:?}: {told}");
        }
    }

    fn records() -> impl Strategy<Value = Vec<Vec<String>>> {
        (1_usize..5).prop_flat_map(|width| {
            prop::collection::vec(prop::collection::vec("[ -~\n\"äß🌿]{0,12}", width), 1..6)
        })
    }

    proptest! {
        #[test]
        fn texts_come_back_from_each_format_of_records(rows in records()) {
            let names: Vec<String> = (0..rows[0].len()).map(|at| format!("c{at}")).collect();
            let fields = |row: &Vec<String>| {
                let texts = row.iter().map(|text| Data::Text(text.clone()));
                Data::Map(names.iter().cloned().zip(texts).collect())
            };
            let data = Data::List(rows.iter().map(fields).collect());
            for format in [Json, Yaml, Csv] {
                let written = write(&data, format).unwrap();
                prop_assert_eq!(&read(&written, format).unwrap(), &data, "{}", written);
            }
        }
    }
}

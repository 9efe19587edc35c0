//! Documents that are made to harm whoever reads them, or broken, each with a word of what is said of it.

use super::open_formats::{book, open_document, text};
use crate::archives::zipped::Zipped;

pub struct Hostile {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    /// Whether nothing of it is read.
    pub is_refused: bool,
    pub word: &'static str,
}

const LETTER: &[u8] = include_bytes!("../fixtures/documents/letter.docx");
const DECK: &[u8] = include_bytes!("../fixtures/documents/deck.pptx");
const MOSSES: &[u8] = include_bytes!("../fixtures/documents/mosses.xlsx");
const REPORT: &[u8] = include_bytes!("../fixtures/documents/report.pdf");
const LOCKED: &[u8] = include_bytes!("../fixtures/documents/locked.pdf");
const OLD: &[u8] = include_bytes!("../fixtures/documents/old.xls");
const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const SHEET: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const XML: &str = "application/vnd.openxmlformats-officedocument";
const ENTITIES: &str = "<!DOCTYPE x [<!ENTITY a \"moss moss moss moss\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
    <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d SYSTEM \"file:///etc/hostname\">]>";

const MORE_THAN_THERE_IS: &str = "more memory or time than there is";
const BROKEN: &str = "broken, or not what its name says";

pub fn files() -> Vec<Hostile> {
    let refused = |name, bytes: Vec<u8>, word| Hostile { name, bytes, is_refused: true, word };
    let read = |name, bytes: Vec<u8>, word| Hostile { name, bytes, is_refused: false, word };
    let half = |bytes: &[u8]| bytes[..bytes.len() / 2].to_vec();
    let mut swapped = MOSSES.to_vec();
    swapped.rotate_left(4);
    let mut encrypted = OLD.to_vec();
    encrypted.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    let bomb = "m".repeat(70 * 1024 * 1024);
    vec![
        read("nested.docx", docx(&nested_tables(2000)), "truncated"),
        refused("bomb.docx", docx(&format!("<w:p><w:r><w:t>{bomb}</w:t></w:r></w:p>")), BROKEN),
        read("entities.docx", docx_with(ENTITIES, "<w:p><w:r><w:t>x&c;&d;y</w:t></w:r></w:p>"), "x&c;&d;y"),
        refused("entities.xlsx", xlsx(ENTITY, ""), "unrecognized entity"),
        refused("repeated.ods", ods(), "Cell limit exceeded"),
        refused("half.docx", half(LETTER), BROKEN),
        refused("half.pptx", half(DECK), BROKEN),
        refused("half.xlsx", half(MOSSES), BROKEN),
        refused("locked.xlsx", encrypted, "It is encrypted"),
        refused("older.xlsx", OLD.to_vec(), "older kind than its name says"),
        refused("swapped.xlsx", swapped, "is no text"),
        read("sparse.xlsx", xlsx(&sparse(), ""), "| 1048576 |  | last |"),
        refused("strings.xlsx", xlsx(FIRST_STRING, &strings(&bomb)), "longer than 3 MB of text"),
        refused("shared.xlsx", xlsx(SHARED_FORMULA, ""), MORE_THAN_THERE_IS),
        read("macros.xlsm", with_macros(), "It has macros. They were not read"),
        read("packed.xlsx", with_a_file(), "It has other files within it. They were not read."),
        refused("half.xls", half(OLD), BROKEN),
    ]
    .into_iter()
    .chain(open_formats(&bomb))
    .chain(pdfs())
    .collect()
}

/// Those that others than Microsoft's programs write, and what these wrote before their files were archives.
fn open_formats(bomb: &str) -> Vec<Hostile> {
    let refused = |name, bytes: Vec<u8>, word| Hostile { name, bytes, is_refused: true, word };
    let read = |name, bytes: Vec<u8>, word| Hostile { name, bytes, is_refused: false, word };
    let odt = |body: &str| open_document(&text(body)).bytes();
    let half = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let deep = format!("<text:p>{}{}</text:p>", "<text:span>".repeat(2000), "</text:span>".repeat(2000));
    let locked = Zipped::new()
        .with("META-INF/manifest.xml", b"<manifest:encryption-data manifest:checksum=\"x\"/>")
        .with("content.xml", b"\x9f\x01\x88");
    let entities = [ENTITIES.as_bytes(), text("<text:p>x&c;&d;y</text:p>").as_slice()].concat();
    vec![
        refused("bomb.odt", odt(&format!("<text:p>{bomb}</text:p>")), BROKEN),
        refused("deep.odt", odt(&deep), BROKEN),
        read("entities.odt", open_document(&entities).bytes(), "x&c;&d;y"),
        refused("locked.odt", locked.bytes(), "It is encrypted"),
        refused("half.odp", half(odt("<text:p>moss</text:p>")), BROKEN),
        refused("deep.rtf", [br"{\rtf1".to_vec(), vec![b'{'; 1_000_000]].concat(), BROKEN),
        refused("long.rtf", format!("{{\\rtf1 {}}}", "m".repeat(3_200_000)).into_bytes(), "longer than 3 MB"),
        refused("bomb.epub", book("OEBPS/book.opf", &[bomb]), BROKEN),
        refused("ring.epub", book("META-INF/container.xml", &["moss"]), BROKEN),
        refused("half.epub", half(book("OEBPS/book.opf", &["moss"])), BROKEN),
        refused("older.doc", OLD.to_vec(), BROKEN),
        refused("half.ppt", half(OLD.to_vec()), BROKEN),
    ]
}

/// Those among them that are PDF.
pub fn pdfs() -> Vec<Hostile> {
    let refused = |name, bytes: Vec<u8>, word| Hostile { name, bytes, is_refused: true, word };
    let read = |name, bytes: Vec<u8>, word| Hostile { name, bytes, is_refused: false, word };
    vec![
        refused("half.pdf", REPORT[..REPORT.len() / 2].to_vec(), BROKEN),
        refused("locked.pdf", LOCKED.to_vec(), "It is encrypted"),
        refused("loop.pdf", pdf("<</Type/Pages/Kids[2 0 R]/Count 1/Parent 2 0 R>>", ""), BROKEN),
        refused("deep.pdf", pdf(&format!("<</Type/Pages/Kids{}", "[".repeat(1_000_000)), ""), BROKEN),
        refused("form.pdf", pdf(PAGE, "/Again Do"), MORE_THAN_THERE_IS),
        read("picture.pdf", picture_of_orders(), "There is no text on this page"),
        read("fields.pdf", pdf_with(FIELDS_IN_A_RING, PAGE, ""), "- moss.fern: (empty)"),
        read("deep-fields.pdf", pdf_with(&deep_fields(), PAGE, ""), "There are more fields than are read"),
    ]
}

/// The shared formula is one of four thousand million.
const SHARED_FORMULA: &str = "<row r=\"1\"><c r=\"A1\" t=\"str\"><f t=\"shared\" si=\"4000000000\" \
    ref=\"A1:A2\">1+1</f><v>x</v></c></row>";
const FIRST_STRING: &str = "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c></row>";
const ENTITY: &str = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>&c;</t></is></c></row>";
const PAGE: &str = "<</Type/Pages/Kids[4 0 R]/Count 1>>";

fn sparse() -> String {
    "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>first</t></is></c></row><row r=\"1048576\">\
     <c r=\"XFD1048576\" t=\"inlineStr\"><is><t>last</t></is></c></row>"
        .to_owned()
}

fn strings(text: &str) -> String {
    format!("<sst xmlns=\"{SHEET}\"><si><t>{text}</t></si></sst>")
}

fn nested_tables(depth: usize) -> String {
    let begin = "<w:tbl><w:tr><w:tc>".repeat(depth);
    format!("{begin}<w:p><w:r><w:t>deep</w:t></w:r></w:p>{}", "</w:tc></w:tr></w:tbl>".repeat(depth))
}

fn docx(body: &str) -> Vec<u8> {
    docx_with("", body)
}

fn docx_with(head: &str, body: &str) -> Vec<u8> {
    let kind = format!("{XML}.wordprocessingml.document.main+xml");
    let document = format!("{head}<w:document xmlns:w=\"{WORD}\"><w:body>{body}</w:body></w:document>");
    package("word/document.xml", &kind).with("word/document.xml", document.as_bytes()).bytes()
}

fn xlsx(rows: &str, strings: &str) -> Vec<u8> {
    workbook(rows, strings).bytes()
}

/// One cell, as often as there are places.
fn ods() -> Vec<u8> {
    let names = "urn:oasis:names:tc:opendocument:xmlns";
    let content = format!(
        "<office:document-content xmlns:office=\"{names}:office:1.0\" xmlns:table=\"{names}:table:1.0\" \
         xmlns:text=\"{names}:text:1.0\"><office:body><office:spreadsheet><table:table table:name=\"A\">\
         <table:table-row table:number-rows-repeated=\"1000000\"><table:table-cell \
         table:number-columns-repeated=\"16000\" office:value-type=\"float\" office:value=\"1\"><text:p>1</text:p>\
         </table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>\
         </office:document-content>"
    );
    let manifest = format!("<manifest:manifest xmlns:manifest=\"{names}:manifest:1.0\"/>");
    Zipped::new()
        .with("mimetype", b"application/vnd.oasis.opendocument.spreadsheet")
        .with("META-INF/manifest.xml", manifest.as_bytes())
        .with("content.xml", content.as_bytes())
        .bytes()
}

fn with_macros() -> Vec<u8> {
    workbook(&sparse(), "").with("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0").bytes()
}

fn with_a_file() -> Vec<u8> {
    workbook(&sparse(), "").with("xl/embeddings/letter.docx", LETTER).bytes()
}

fn workbook(rows: &str, strings: &str) -> Zipped {
    let book = format!(
        "<workbook xmlns=\"{SHEET}\" xmlns:r=\"{OFFICE}\"><sheets><sheet name=\"A\" sheetId=\"1\" \
         r:id=\"r1\"/></sheets></workbook>"
    );
    let relations = format!(
        "<Relationships xmlns=\"{RELATIONS}\"><Relationship Id=\"r1\" Type=\"{OFFICE}/worksheet\" \
         Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"r2\" Type=\"{OFFICE}/sharedStrings\" \
         Target=\"sharedStrings.xml\"/></Relationships>"
    );
    let sheet = format!("<worksheet xmlns=\"{SHEET}\"><sheetData>{rows}</sheetData></worksheet>");
    let zipped = package("xl/workbook.xml", &format!("{XML}.spreadsheetml.sheet.main+xml"))
        .with("xl/workbook.xml", book.as_bytes())
        .with("xl/_rels/workbook.xml.rels", relations.as_bytes())
        .with("xl/worksheets/sheet1.xml", sheet.as_bytes());
    if strings.is_empty() { zipped } else { zipped.with("xl/sharedStrings.xml", strings.as_bytes()) }
}

fn package(main: &str, kind: &str) -> Zipped {
    let types = format!(
        "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
         <Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Override PartName=\"/{main}\" ContentType=\"{kind}\"/></Types>"
    );
    let relations = format!(
        "<Relationships xmlns=\"{RELATIONS}\"><Relationship Id=\"r1\" Type=\"{OFFICE}/officeDocument\" \
         Target=\"{main}\"/></Relationships>"
    );
    Zipped::new().with("[Content_Types].xml", types.as_bytes()).with("_rels/.rels", relations.as_bytes())
}

/// The field 6 lies within itself, beside another one.
const FIELDS_IN_A_RING: &str = "/AcroForm<</Fields[6 0 R]>>";

fn deep_fields() -> String {
    format!("/AcroForm<</Fields[{}{}]>>", "<</T(moss)/Kids[".repeat(40), "]>>".repeat(40))
}

/// What is a form in the others is a picture, whose bytes would have it shown again within itself.
fn picture_of_orders() -> Vec<u8> {
    let form = String::from_utf8(pdf(PAGE, "/Again Do")).unwrap();
    form.replace("Form/BBox", "Image/Box").into_bytes()
}

/// With a picture of more pixels than there is memory for.
pub fn picture_bomb() -> Vec<u8> {
    pdf(PAGE, "9 0 0 9 0 0 cm BI /W 60000 /H 60000 /BPC 8 /CS /RGB ID moss EI")
}

fn pdf(pages: &str, content: &str) -> Vec<u8> {
    pdf_with("", pages, content)
}

/// With this in its catalogue, these pages, a page 4 that says this, a form in it that uses itself, and a field.
fn pdf_with(catalogue: &str, pages: &str, content: &str) -> Vec<u8> {
    let form = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</Again 5 0 R>>>>";
    let objects = [
        format!("<</Type/Catalog/Pages 2 0 R{catalogue}>>"),
        pages.to_owned(),
        format!("<</Length {}>>stream\n{content}\nendstream", content.len() + 1),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 3 0 R/Resources<</XObject<</Again 5 0 R>>>>>>"
            .to_owned(),
        format!("<<{form}/Length 9>>stream\n/Again Do\nendstream"),
        "<</T(moss)/Kids[6 0 R<</T(fern)/FT/Tx>>]>>".to_owned(),
    ];
    let (mut text, mut places) = ("%PDF-1.4\n".to_owned(), Vec::new());
    for (object, number) in objects.iter().zip(1..) {
        places.push(text.len());
        text.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
    }
    let start = text.len();
    let table: String = places.iter().map(|place| format!("{place:010} 00000 n \n")).collect();
    text.push_str(&format!(
        "xref\n0 7\n0000000000 65535 f \n{table}trailer\n<</Size 7/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    ));
    text.into_bytes()
}

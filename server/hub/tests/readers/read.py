"""Says as JSON what others' libraries find in the documents of a folder: `python read.py FOLDER`."""

import csv
import io
import json
import pathlib
import sys

import docx
import docx.enum.section
import docx.oxml.ns
import openpyxl
import pptx
import pptx.chart.chart
import pptx.oxml
import pypdf
import pypdfium2


def workbook(path):
    sheets = {}
    for sheet in openpyxl.load_workbook(path).worksheets:
        sheets[sheet.title] = {
            "rows": [[str(cell) if hasattr(cell, "year") else cell for cell in row] for row in sheet.values],
            "formats": [cell.number_format for cell in sheet[2]],
            "head is bold": all(cell.font.bold for cell in sheet[1]),
            "stays": sheet.freeze_panes,
            # Of columns in a row that are as wide, the first.
            "widths": {name: round(column.width) for name, column in sheet.column_dimensions.items()},
            "charts": [[type(chart).__name__, len(chart.series)] for chart in sheet._charts],
            "merged": [str(area) for area in sheet.merged_cells.ranges],
        }
    return sheets


def workbook_as_a_whole(path):
    def look(cell):
        return [
            cell.font.bold, cell.font.color.rgb, cell.fill.fgColor.rgb, cell.alignment.horizontal,
            cell.border.left.style, cell.alignment.wrap_text,
        ]

    looks = {}
    for sheet in openpyxl.load_workbook(path).worksheets:
        if not sheet.auto_filter.ref:
            continue
        looks[sheet.title] = {
            "cells": {name: look(sheet[name]) for name in ("A2", "B3")},
            "conditions": sorted(
                [str(area.sqref), rule.type, rule.operator, rule.formula]
                for area in sheet.conditional_formatting for rule in area.rules
            ),
            "pictures": [[picture.anchor._from.col, picture.anchor._from.row] for picture in sheet._images],
            "filter": sheet.auto_filter.ref,
        }
    return looks


def letter(path):
    document = docx.Document(path)
    return {
        "paragraphs": [[paragraph.style and paragraph.style.name, paragraph.text] for paragraph in document.paragraphs if paragraph.text],
        "bold": [run.text for paragraph in document.paragraphs for run in paragraph.runs if run.bold],
        "italic": [run.text for paragraph in document.paragraphs for run in paragraph.runs if run.italic],
        "links": [link.address for paragraph in document.paragraphs for link in paragraph.hyperlinks],
        "tables": [[[cell.text for cell in row.cells] for row in table.rows] for table in document.tables],
        "pictures": [
            drawn(document, shape._inline)
            for shape in document.inline_shapes if shape._inline.graphic.graphicData.pic is not None
        ],
    }


def letter_as_a_whole(path):
    document = docx.Document(path)
    section = next(iter(document.sections), None)
    return {
        "page": section and {
            "landscape": section.orientation == docx.enum.section.WD_ORIENT.LANDSCAPE,
            "width": section.page_width.twips,
            "header": "".join(paragraph.text for paragraph in section.header.paragraphs),
            "footer": "".join(paragraph.text for paragraph in section.footer.paragraphs),
        },
        "properties": [document.core_properties.title, document.core_properties.author],
        "numbers": numbers(document),
        "charts": [charted(document.part.related_parts[id], alt) for id, alt in charts(document)],
    }


def charts(document):
    """By what its text calls their parts, with what stands for each to who does not see it."""
    for shape in document.inline_shapes:
        for chart in shape._inline.iter("{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"):
            yield chart.get(docx.oxml.ns.qn("r:id")), shape._inline.docPr.get("descr")


def charted(part, alt):
    """What a chart shows, and the workbook that opens where somebody changes it."""
    chart = pptx.chart.chart.Chart(pptx.oxml.parse_xml(part.blob), None)
    (workbook,) = [relation.target_part.blob for relation in part.rels.values()]
    return {
        "alt": alt,
        "kind": chart.chart_type.name,
        "title": chart.chart_title.text_frame.text if chart.has_title else None,
        "categories": [str(name) for name in chart.plots[0].categories],
        "series": {series.name: list(series.values) for series in chart.plots[0].series},
        "cells": [
            [str(cell) if hasattr(cell, "year") else cell for cell in row]
            for row in openpyxl.load_workbook(io.BytesIO(workbook)).active.values
        ],
    }


def numbers(document):
    """What is reckoned on each page and in notes, how many of these have a number, and whether the numbers are raised."""
    parts = {str(part.partname): part for part in document.part.package.iter_parts()}
    notes, styles = [parts[name].blob.decode() if name in parts else "" for name in ("/word/footnotes.xml", "/word/styles.xml")]
    section = next(iter(document.sections), None)
    return {
        "fields": section and [field.text.strip() for field in section.footer._element.iter(docx.oxml.ns.qn("w:instrText"))],
        "notes": notes.count("<w:footnoteRef/>"),
        "in notes": notes.count("<w:instrText"),
        "raised": "vertAlign" in styles,
    }


def deck_as_a_whole(path):
    presentation = pptx.Presentation(path)
    return {
        "size": [presentation.slide_width, presentation.slide_height],
        # How high and wide, and what stands there.
        "merged": [
            [cell.span_height, cell.span_width, cell.text]
            for slide in presentation.slides for shape in slide.shapes if shape.has_table
            for cell in shape.table.iter_cells() if cell.is_merge_origin
        ],
        "layouts": [slide.slide_layout.name for slide in presentation.slides],
        "notes": [slide.has_notes_slide and slide.notes_slide.notes_text_frame.text for slide in presentation.slides],
        "title": presentation.core_properties.title,
        "charts": [
            charted(shape.chart.part, shape._element._nvXxPr.cNvPr.get("descr"))
            for slide in presentation.slides for shape in slide.shapes if shape.has_chart
        ],
    }


def drawn(document, inline):
    """What stands for a picture to who does not see it, what it is, and its size in pixels."""
    image = document.part.related_parts[inline.graphic.graphicData.pic.blipFill.blip.embed].image
    return [inline.docPr.get("descr"), image.content_type, image.px_width, image.px_height]


def deck(path):
    slides = []
    for slide in pptx.Presentation(path).slides:
        title = slide.shapes.title
        texts = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame and shape != title]
        tables = [shape.table for shape in slide.shapes if shape.has_table]
        slides.append({
            "title": title.text_frame.text if title else None,
            "texts": [text for text in texts if text],
            "tables": [[[cell.text for cell in row.cells] for row in table.rows] for table in tables],
            "pictures": [
                [shape._element._nvXxPr.cNvPr.get("descr"), shape.image.content_type, *shape.image.size]
                for shape in slide.shapes if hasattr(shape, "image")
            ],
        })
    return slides


def kinds(element):
    """The structure as it is read aloud: the kind of each element, with those within it."""
    element = element.get_object()
    within = element.get("/K", [])
    within = within if isinstance(within, list) else [within]
    found = [kinds(one) for one in within if isinstance(one.get_object(), dict) and "/S" in one.get_object()]
    name = element["/S"][1:]
    return [name, *found] if found else name


def pages(path):
    shown = pypdfium2.PdfDocument(path)
    document = pypdf.PdfReader(path)

    def outline(entries, level=1):
        for entry in entries:
            if isinstance(entry, list):
                yield from outline(entry, level + 1)
            else:
                yield [level, entry.title, document.get_destination_page_number(entry) + 1]

    annotations = [note.get_object() for page in document.pages for note in page.get("/Annots", [])]
    root = document.trailer["/Root"].get("/StructTreeRoot")
    tops = root["/K"] if root else []
    return {
        "pages": [page.get_textpage().get_text_bounded().split("\r\n") for page in shown],
        "size": [round(side) for side in shown[0].get_size()],
        "title": document.metadata.title,
        "author": document.metadata.author,
        "outline": list(outline(document.outline)),
        "links": [note["/A"]["/URI"] for note in annotations],
        "pictures": [list(image.image.size) for page in document.pages for image in page.images],
        "structure": [kinds(top) for top in (tops if isinstance(tops, list) else [tops])],
    }


def rows(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


readers = {".xlsx": workbook, ".docx": letter, ".pptx": deck, ".csv": rows, ".pdf": pages}
paths = sorted(pathlib.Path(sys.argv[1]).iterdir())
wholes = {".xlsx": workbook_as_a_whole, ".docx": letter_as_a_whole, ".pptx": deck_as_a_whole}
found = {path.name: readers[path.suffix](path) for path in paths}
found["whole"] = {path.name: wholes[path.suffix](path) for path in paths if path.suffix in wholes}
print(json.dumps(found))

//! How cells look: always, or as long as something is so; and pictures beside them.

use super::area::{Area, cell};
use crate::documents::draft::{
    Align, Border, CellStyle, Condition, ConditionDraft, Rgb, SheetDraft, SheetPicture, Vertical,
};
use rust_xlsxwriter::{
    Color, ConditionalFormat2ColorScale, ConditionalFormatCell, ConditionalFormatCellRule,
    ConditionalFormatDataBar, ConditionalFormatDuplicate, ConditionalFormatText, ConditionalFormatTextRule,
    ConditionalFormatTop, ConditionalFormatTopRule, Format, FormatAlign, FormatBorder, FormatUnderline,
    Image, Worksheet, XlsxError,
};
use serde_json::Value;

/// Styles of a sheet, conditions of a sheet, and cells of one style.
const MOST_STYLES: usize = 200;
const MOST_CELLS: u64 = 10_000;
/// Columns of one style.
const MOST_COLUMNS: u16 = 200;
/// Characters of what stands for a picture.
const LONGEST_ALT: usize = 120;
const FONT_SIZES: std::ops::RangeInclusive<f64> = 1.0..=400.0;

pub(super) struct Looks<'d>(Vec<(Area, &'d CellStyle)>);

impl<'d> Looks<'d> {
    pub(super) fn of(draft: &'d SheetDraft) -> Result<Self, XlsxError> {
        if draft.look.styles.len() > MOST_STYLES || draft.look.conditional.len() > MOST_STYLES {
            return Err(wrong(format!(
                "A sheet has {MOST_STYLES} styles and {MOST_STYLES} conditions at most."
            )));
        }
        let mut looks = Vec::new();
        for styled in &draft.look.styles {
            let area = area(&styled.cells)?;
            let is_bounded = match area.has_whole_columns() {
                true => area.right - area.left < MOST_COLUMNS,
                false => area.cells() <= MOST_CELLS,
            };
            if !is_bounded {
                return Err(wrong(format!(
                    "{} are too many cells for one style: 10,000, or 200 whole columns.",
                    styled.cells
                )));
            }
            if styled.style.size.is_some_and(|size| !FONT_SIZES.contains(&size)) {
                return Err(wrong(format!("The size in {} is none: 1 to 400 points.", styled.cells)));
            }
            looks.push((area, &styled.style));
        }
        Ok(Self(looks))
    }

    /// What a cell looks like, of which `usual` is known.
    pub(super) fn of_cell(&self, row: u32, column: u16, usual: Format) -> Format {
        let meant = self.0.iter().filter(|(area, _)| area.holds(row, column));
        meant.fold(usual, |format, (_, style)| styled(format, style))
    }

    /// Gives their looks to columns, and to cells in which nothing stands.
    pub(super) fn put_besides(&self, sheet: &mut Worksheet, draft: &SheetDraft) -> Result<(), XlsxError> {
        for (area, style) in &self.0 {
            if area.has_whole_columns() {
                for column in area.left..=area.right {
                    sheet.set_column_format(column, &styled(Format::new(), style))?;
                }
                continue;
            }
            for row in area.top..=area.bottom {
                for column in (area.left..=area.right).filter(|column| !holds_something(draft, row, *column))
                {
                    sheet.write_blank(row, column, &self.of_cell(row, column, Format::new()))?;
                }
            }
        }
        Ok(())
    }
}

fn holds_something(draft: &SheetDraft, row: u32, column: u16) -> bool {
    let column = usize::from(column);
    let Some(row) = row.checked_sub(1) else { return column < draft.columns.len() };
    let row = usize::try_from(row).ok().and_then(|row| draft.rows.get(row));
    row.and_then(|row| row.get(column)).is_some_and(|value| !value.is_null())
}

fn styled(mut format: Format, style: &CellStyle) -> Format {
    let CellStyle {
        bold,
        italic,
        underline,
        size,
        color,
        fill,
        align,
        vertical,
        border,
        wrap,
        format: shown,
    } = style;
    if *bold {
        format = format.set_bold();
    }
    if *italic {
        format = format.set_italic();
    }
    if *underline {
        format = format.set_underline(FormatUnderline::Single);
    }
    if let Some(size) = size {
        format = format.set_font_size(*size);
    }
    if let Some(color) = color {
        format = format.set_font_color(rgb(*color));
    }
    if let Some(fill) = fill {
        format = format.set_background_color(rgb(*fill));
    }
    if let Some(align) = align {
        format = format.set_align(match align {
            Align::Left => FormatAlign::Left,
            Align::Center => FormatAlign::Center,
            Align::Right => FormatAlign::Right,
        });
    }
    if let Some(vertical) = vertical {
        format = format.set_align(match vertical {
            Vertical::Top => FormatAlign::Top,
            Vertical::Middle => FormatAlign::VerticalCenter,
            Vertical::Bottom => FormatAlign::Bottom,
        });
    }
    if let Some(border) = border {
        format = format.set_border(match border {
            Border::Thin => FormatBorder::Thin,
            Border::Medium => FormatBorder::Medium,
            Border::Thick => FormatBorder::Thick,
        });
    }
    if *wrap {
        format = format.set_text_wrap();
    }
    match shown {
        Some(shown) => format.set_num_format(shown),
        None => format,
    }
}

pub(super) fn put_conditions(sheet: &mut Worksheet, draft: &SheetDraft) -> Result<(), XlsxError> {
    for condition in &draft.look.conditional {
        put_condition(sheet, condition)?;
    }
    Ok(())
}

fn put_condition(sheet: &mut Worksheet, draft: &ConditionDraft) -> Result<(), XlsxError> {
    let Area { top, left, bottom, right } = area(&draft.cells)?;
    let format = styled(Format::new(), &draft.style);
    let value = || comparable(draft);
    let rule = match draft.is {
        Condition::Greater => ConditionalFormatCellRule::GreaterThan(value()?),
        Condition::Less => ConditionalFormatCellRule::LessThan(value()?),
        Condition::AtLeast => ConditionalFormatCellRule::GreaterThanOrEqualTo(value()?),
        Condition::AtMost => ConditionalFormatCellRule::LessThanOrEqualTo(value()?),
        Condition::Equal => ConditionalFormatCellRule::EqualTo(value()?),
        Condition::NotEqual => ConditionalFormatCellRule::NotEqualTo(value()?),
        Condition::Between => {
            let to = draft.to.ok_or_else(|| wrong("A condition that is between needs to.".to_owned()))?;
            ConditionalFormatCellRule::Between(value()?, to.into())
        }
        Condition::Contains => {
            let Some(Value::String(text)) = &draft.value else {
                return Err(wrong("A condition that contains needs a text as its value.".to_owned()));
            };
            let rule = ConditionalFormatTextRule::Contains(text.clone());
            let condition = ConditionalFormatText::new().set_rule(rule).set_format(format);
            sheet.add_conditional_format(top, left, bottom, right, &condition)?;
            return Ok(());
        }
        Condition::Duplicate => {
            let condition = ConditionalFormatDuplicate::new().set_format(format);
            sheet.add_conditional_format(top, left, bottom, right, &condition)?;
            return Ok(());
        }
        Condition::Top | Condition::Bottom => {
            let count = draft.value.as_ref().map_or(Some(10), Value::as_u64);
            let count = count.and_then(|count| u16::try_from(count).ok()).filter(|count| *count > 0);
            let count = count.ok_or_else(|| wrong("How many are top or bottom is a number.".to_owned()))?;
            let rule = match draft.is {
                Condition::Top => ConditionalFormatTopRule::Top(count),
                _ => ConditionalFormatTopRule::Bottom(count),
            };
            let condition = ConditionalFormatTop::new().set_rule(rule).set_format(format);
            sheet.add_conditional_format(top, left, bottom, right, &condition)?;
            return Ok(());
        }
        Condition::Scale => {
            let highest = draft.style.fill.map_or(Color::RGB(0x0063_BE7B), rgb);
            let condition = ConditionalFormat2ColorScale::new()
                .set_minimum_color(Color::RGB(0x00FF_FFFF))
                .set_maximum_color(highest);
            sheet.add_conditional_format(top, left, bottom, right, &condition)?;
            return Ok(());
        }
        Condition::Bars => {
            let fill = draft.style.fill.map_or(Color::RGB(0x0063_BE7B), rgb);
            let condition = ConditionalFormatDataBar::new().set_fill_color(fill);
            sheet.add_conditional_format(top, left, bottom, right, &condition)?;
            return Ok(());
        }
    };
    let condition = ConditionalFormatCell::new().set_rule(rule).set_format(format);
    sheet.add_conditional_format(top, left, bottom, right, &condition)?;
    Ok(())
}

/// A number or a text that a cell is compared with.
fn comparable(draft: &ConditionDraft) -> Result<rust_xlsxwriter::ConditionalFormatValue, XlsxError> {
    match &draft.value {
        Some(Value::Number(number)) => Ok(number.as_f64().unwrap_or_default().into()),
        Some(Value::String(text)) => Ok(text.as_str().into()),
        Some(_) | None => {
            Err(wrong(format!("The condition for {} needs a number or a text as its value.", draft.cells)))
        }
    }
}

pub(super) fn put_pictures(sheet: &mut Worksheet, pictures: &[SheetPicture]) -> Result<(), XlsxError> {
    for picture in pictures {
        let (row, column) = cell(&picture.at)
            .ok_or_else(|| wrong(format!("{:?} is no cell: write it like F2.", picture.at)))?;
        let alt: String = picture.alt.chars().take(LONGEST_ALT).collect();
        let mut image = Image::new_from_buffer(&picture.bytes)?.set_alt_text(alt);
        if let Some(width) = picture.width.filter(|width| (1.0..=10_000.0).contains(width)) {
            let scale = width / image.width();
            image = image.set_scale_width(scale).set_scale_height(scale);
        }
        sheet.insert_image(row, column, &image)?;
    }
    Ok(())
}

fn area(text: &str) -> Result<Area, XlsxError> {
    Area::parse(text)
        .ok_or_else(|| wrong(format!("{text:?} are no cells: write B2:C9, B2, or columns as B or B:C.")))
}

fn rgb(Rgb(value): Rgb) -> Color {
    Color::RGB(value)
}

fn wrong(why: String) -> XlsxError {
    XlsxError::ParameterError(why)
}

//! A drawing as PNG, on light paper.

use super::letters::Letters;
use super::marks::{Drawing, HEIGHT, Ink, Mark, Stands, Text, WIDTH};
use image::{ImageFormat, RgbImage};
use std::io::Cursor;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

/// Pixels of a unit.
const SCALE: f32 = 1.75;

/// None: it is no picture.
pub(super) fn png(drawing: &Drawing, letters: &Letters) -> Option<Vec<u8>> {
    let mut pixels = Pixmap::new((WIDTH * SCALE) as u32, (HEIGHT * SCALE) as u32)?;
    pixels.fill(colour(Ink::Paper));
    let scale = Transform::from_scale(SCALE, SCALE);
    for mark in &drawing.marks {
        match mark {
            Mark::Bar { x, y, width, height, ink } => {
                if let Some(bar) = Rect::from_xywh(*x, *y, *width, *height) {
                    pixels.fill_rect(bar, &paint(*ink), scale, None);
                }
            }
            Mark::Line { points, width, ink } => {
                let stroke = Stroke {
                    width: *width,
                    line_cap: LineCap::Round,
                    line_join: LineJoin::Round,
                    ..Stroke::default()
                };
                if let Some(line) = along(points, false) {
                    pixels.stroke_path(&line, &paint(*ink), &stroke, scale, None);
                }
            }
            Mark::Area { points, ink } => fill(&mut pixels, along(points, true), *ink, scale),
            Mark::Dot { x, y, radius, ink } => {
                fill(&mut pixels, PathBuilder::from_circle(*x, *y, *radius), *ink, scale);
            }
            Mark::Text(text) => {
                fill(&mut pixels, letters.outline(text), text.ink, placed(text, letters).post_concat(scale));
            }
        }
    }
    let (width, height) = (pixels.width(), pixels.height());
    // All of it is opaque.
    let opaque = pixels.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut bytes = Cursor::new(Vec::new());
    RgbImage::from_raw(width, height, opaque)?.write_to(&mut bytes, ImageFormat::Png).ok()?;
    Some(bytes.into_inner())
}

fn fill(pixels: &mut Pixmap, path: Option<Path>, ink: Ink, transform: Transform) {
    if let Some(path) = path {
        pixels.fill_path(&path, &paint(ink), FillRule::Winding, transform, None);
    }
}

fn placed(text: &Text, letters: &Letters) -> Transform {
    let width = letters.width(&text.text, text.size, text.bold);
    let back = match text.stands {
        Stands::Begins => 0.0,
        Stands::Middle => -width / 2.0,
        Stands::Ends => -width,
    };
    let turned = if text.turned { Transform::from_rotate(-90.0) } else { Transform::identity() };
    Transform::from_translate(back, 0.0).post_concat(turned).post_translate(text.x, text.y)
}

fn along(points: &[(f32, f32)], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    let (first, others) = points.split_first()?;
    path.move_to(first.0, first.1);
    others.iter().for_each(|(x, y)| path.line_to(*x, *y));
    if closed {
        path.close();
    }
    path.finish()
}

fn paint(ink: Ink) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(colour(ink));
    paint
}

fn colour(ink: Ink) -> Color {
    let [red, green, blue] = ink.light();
    Color::from_rgba8(red, green, blue, u8::MAX)
}

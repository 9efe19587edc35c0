//! A page as it looks, as large as models look at pictures, on white paper.

use crate::engine::job::{DrawnPage, Unopened};
use crate::engine::picture::{self, KEPT_SIDE};
use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_syntax::page::Page;
use hayro::hayro_syntax::{LoadPdfError, Pdf};
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings, render_into};
use image::{DynamicImage, RgbImage};

/// Pixels of a point at most: small pages have nothing to show that needs more.
const FINEST: f32 = 4.0;

pub(in crate::engine::documents) fn draw(bytes: Vec<u8>, number: usize) -> Result<DrawnPage, Unopened> {
    let broken = |why: &str| Unopened::Broken(why.to_owned());
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(_) => Unopened::Encrypted,
        LoadPdfError::Invalid => broken("no pages were found in it"),
    })?;
    let pages = Pdf::pages(&pdf);
    let of = pages.len();
    if of == 0 {
        return Err(broken("it has no pages"));
    }
    let page = number.checked_sub(1).and_then(|at| pages.get(at)).ok_or(Unopened::NoSuchPart { of })?;
    let drawn = drawn(page).ok_or_else(|| broken("nothing came of drawing it"))?;
    let picture = picture::kept(DynamicImage::from(drawn), false);
    Ok(DrawnPage { picture: picture.map_err(|error| broken(&error.to_string()))?, of })
}

fn drawn<'p>(page: &'p Page<'p>) -> Option<RgbImage> {
    let (width, height) = page.render_dimensions();
    let scale = (KEPT_SIDE as f32 / width.max(height)).min(FINEST);
    let pixels = |side: f32| ((side * scale).round() as u16).clamp(1, KEPT_SIDE as u16);
    let mut context = RenderContext::new(pixels(width), pixels(height));
    let place = Affine::scale(f64::from(scale)) * page.initial_transform(true).to_kurbo();
    let (cache, settings) = (RenderCache::new(), InterpreterSettings::default());
    render_into(page, &cache, &settings, &RenderSettings::default(), &mut context, place);
    context.flush();
    let mut paper = Pixmap::new(context.width(), context.height());
    let on_white = RasterizerSettings { target_init: TargetInit::Clear(WHITE), ..Default::default() };
    context.render_with(&mut paper, &mut Resources::default(), on_white);
    // All of it is opaque.
    let opaque = paper.data_as_u8_slice().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    RgbImage::from_raw(paper.width().into(), paper.height().into(), opaque.collect())
}

//! Pictures that people bring, and pages as pictures: read, turned the way the camera was held, made as small as models
//! look at, and written anew, so that nothing else that was in the file is kept.

use super::job::{Picture, PictureFile, Unreadable};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{
    DynamicImage, ExtendedColorType, GenericImageView, ImageDecoder, ImageEncoder, ImageError, ImageFormat,
    ImageReader, ImageResult, Limits, Pixel, RgbImage,
};
use std::io::Cursor;

/// What is read at most, in pixels.
const MAX_PIXELS: u64 = 64 * 1024 * 1024;
/// What reading may take, in bytes: of all that the process may have, what making it smaller leaves.
const MAX_READING_BYTES: u64 = 400 * 1024 * 1024;
/// The longer side of what is kept. Anthropic and most others scale to this before they look.
pub(super) const KEPT_SIDE: u32 = 1568;
const THUMBNAIL_SIDE: u32 = 320;
/// A picture without loss that is larger is kept with some, in bytes.
const LOSSLESS: usize = 1024 * 1024;
/// Of 100.
const QUALITY: u8 = 85;

pub(super) fn prepare(PictureFile { bytes }: &PictureFile) -> Result<Picture, Unreadable> {
    let bytes = STANDARD.decode(bytes).map_err(broken)?;
    let reader = ImageReader::new(Cursor::new(&bytes)).with_guessed_format().map_err(broken)?;
    let is_photograph = reader.format() == Some(ImageFormat::Jpeg);
    kept(upright(reader)?, is_photograph).map_err(broken)
}

/// As it is kept: as large as models look at, and without loss unless it is a photograph or has too many bytes then.
pub(super) fn kept(picture: DynamicImage, is_photograph: bool) -> ImageResult<Picture> {
    let kept = within(picture, KEPT_SIDE);
    let thumbnail = within(kept.clone(), THUMBNAIL_SIDE);
    let whole = (!is_photograph).then(|| png(&kept)).transpose()?.filter(|bytes| bytes.len() <= LOSSLESS);
    let (mime, bytes, thumbnail) = match whole {
        Some(bytes) => ("image/png", bytes, png(&thumbnail)?),
        None => ("image/jpeg", jpeg(&kept)?, jpeg(&thumbnail)?),
    };
    Ok(Picture {
        mime: mime.to_owned(),
        width: kept.width(),
        height: kept.height(),
        bytes: STANDARD.encode(bytes),
        thumbnail: STANDARD.encode(thumbnail),
    })
}

/// The picture, or the first one of several.
fn upright(mut reader: ImageReader<Cursor<&Vec<u8>>>) -> Result<DynamicImage, Unreadable> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_READING_BYTES);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(broken)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_READING_BYTES {
        return Err(Unreadable::TooLarge { width, height });
    }
    let turned = decoder.orientation().map_err(broken)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| match error {
        ImageError::Limits(_) => Unreadable::TooLarge { width, height },
        other => broken(other),
    })?;
    picture.apply_orientation(turned);
    Ok(picture)
}

fn within(picture: DynamicImage, side: u32) -> DynamicImage {
    if picture.width() <= side && picture.height() <= side {
        return picture;
    }
    picture.resize(side, side, FilterType::CatmullRom)
}

fn png(picture: &DynamicImage) -> ImageResult<Vec<u8>> {
    let mut bytes = Vec::new();
    // What has 16 bits a colour, or floats, is no better to look at.
    let plain = match picture.color().has_alpha() {
        true => DynamicImage::from(picture.to_rgba8()),
        false => DynamicImage::from(picture.to_rgb8()),
    };
    plain.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)?;
    Ok(bytes)
}

/// What shows through is white.
fn jpeg(picture: &DynamicImage) -> ImageResult<Vec<u8>> {
    let opaque = if picture.color().has_alpha() { on_white(picture) } else { picture.to_rgb8() };
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
    let (width, height) = opaque.dimensions();
    encoder.write_image(&opaque, width, height, ExtendedColorType::Rgb8)?;
    Ok(bytes)
}

fn on_white(picture: &DynamicImage) -> RgbImage {
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let mut white = image::Rgba([u8::MAX; 4]);
        white.blend(&picture.get_pixel(x, y));
        white.to_rgb()
    })
}

fn broken(why: impl ToString) -> Unreadable {
    Unreadable::Broken(why.to_string())
}

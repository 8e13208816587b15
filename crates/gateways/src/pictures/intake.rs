//! Taking a picture in: is it one, is it bounded, and what is kept of it.
//!
//! What people send is decoded and encoded anew, so that nothing but pixels gets onto the shelf.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use mirasa_app::ports::pictures::{Format, MOST_BYTES, MOST_PIXELS, PictureRefusal};

use super::encode::{Quality, encode};
use super::pixels::Pixels;
use super::webp_file;

/// 50 megapixels at 16 bits a channel, and some room for a decoder to work in.
const MOST_DECODER_BYTES: u64 = 448 * 1024 * 1024;
/// A little more than the largest rendition; also what every later decoding costs at most.
const MASTER_SIDE: u32 = 4096;
/// A WebP beyond this is encoded anew even where it could stay as it is.
const MOST_KEPT_BYTES: usize = 4 * 1024 * 1024;

#[derive(Debug)]
pub struct Master {
    pub file: Vec<u8>,
    pub format: Format,
    pub width: u32,
    pub height: u32,
    pub colour: String,
}

/// Slow: for a thread that may block. `name` is only for the refusal's text. `may_keep` lets a clean
/// WebP stay byte for byte: the shop's own pictures should not lose quality by being taken in.
pub fn examine(
    name: &str,
    source: &[u8],
    format: Format,
    may_keep: bool,
) -> Result<Master, PictureRefusal> {
    let decoded = decode(source).map_err(|why| why.about(name))?;
    let may_keep = may_keep && format == Format::WebP && decoded.is_plain_webp;
    let (width, height) = (decoded.pixels.width, decoded.pixels.height);
    let kept = (may_keep && source.len() <= MOST_KEPT_BYTES && width.max(height) <= MASTER_SIDE)
        .then(|| webp_file::without_metadata(source))
        .flatten();
    let pixels = decoded
        .pixels
        .within(MASTER_SIDE)
        .map_err(PictureRefusal::Broken)?;
    let file = match kept {
        Some(file) => file,
        None => encode(&pixels, format, Quality::Master).map_err(PictureRefusal::Broken)?,
    };
    Ok(Master {
        file,
        format,
        width: pixels.width,
        height: pixels.height,
        colour: pixels.average_colour(),
    })
}

/// For what already lies on the shelf.
pub fn decode_master(file: &[u8]) -> anyhow::Result<Pixels> {
    match decode(file) {
        Ok(decoded) => Ok(decoded.pixels),
        Err(Why::NotAPicture | Why::TooLarge) => anyhow::bail!("the kept picture is damaged"),
    }
}

struct Decoded {
    pixels: Pixels,
    /// Its pixels mean what they say: no profile, no orientation, one frame.
    is_plain_webp: bool,
}

enum Why {
    NotAPicture,
    TooLarge,
}

impl Why {
    fn about(self, name: &str) -> PictureRefusal {
        match self {
            Why::NotAPicture => PictureRefusal::NotAPicture(name.to_owned()),
            Why::TooLarge => PictureRefusal::TooLarge(name.to_owned()),
        }
    }
}

impl From<ImageError> for Why {
    fn from(fault: ImageError) -> Why {
        match fault {
            ImageError::Limits(_) => Why::TooLarge,
            _ => Why::NotAPicture,
        }
    }
}

fn decode(source: &[u8]) -> Result<Decoded, Why> {
    if source.len() > MOST_BYTES {
        return Err(Why::TooLarge);
    }
    let format = image::guess_format(source)?;
    let known = [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::WebP,
        ImageFormat::Gif,
    ];
    if !known.contains(&format) {
        return Err(Why::NotAPicture);
    }

    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MOST_DECODER_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(source), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;

    // Everything above has read headers only; from here on memory is spent.
    let (width, height) = decoder.dimensions();
    let claimed = u64::from(width) * u64::from(height);
    let hidden = match format {
        ImageFormat::WebP => webp_file::most_pixels(source),
        _ => 0,
    };
    if claimed == 0 {
        return Err(Why::NotAPicture);
    }
    if claimed.max(hidden) > MOST_PIXELS {
        return Err(Why::TooLarge);
    }

    let profile = decoder.icc_profile().unwrap_or(None);
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder)?;
    image.apply_orientation(orientation);
    Ok(Decoded {
        is_plain_webp: format == ImageFormat::WebP
            && profile.is_none()
            && orientation == Orientation::NoTransforms,
        pixels: Pixels::from_image(image, profile.as_deref()),
    })
}

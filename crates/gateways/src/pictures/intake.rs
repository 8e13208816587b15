//! Taking a picture in: is it one, is it bounded, and what is kept of it.
//!
//! What people send is decoded and encoded anew, so that nothing but pixels gets onto the shelf. How much memory that
//! takes is known from the header, before anything is decoded.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use mirasa_app::ports::images::{
    Format, ImageFolder, ImageStoreError, MAX_PIXELS, MAX_PROFILE_PIXELS, MAX_UPLOAD_BYTES,
    PROFILE_SIDE,
};

use super::encode::{Quality, encode};
use super::memory::{MAX_WORK_BYTES, encode_bytes, pixel_bytes, resize_bytes};
use super::pixels::{Pixels, size_within};
use super::shrink::Shrinker;
use super::{jpeg_file, png_file, webp_file};

/// A little more than the largest rendition.
const MASTER_SIDE: u32 = 4096;
/// More than any page shows: 3200 × 1875, or 2449 × 2449. With opacity every step takes three times the memory.
const MASTER_PIXELS: u64 = 6_000_000;
const MASTER_PIXELS_WITH_ALPHA: u64 = 2_000_000;
/// A WebP beyond this is encoded anew even where it could stay as it is.
const MOST_KEPT_BYTES: usize = 4 * 1024 * 1024;
/// JPEG's own limit. A longer PNG is no image that anybody shows, but its rows take memory.
const MAX_SOURCE_SIDE: u32 = 65_535;
/// PNG is made smaller while it is read, until its pixels take no more than this.
const MAX_SHRUNK_BYTES: u64 = 60_000_000;
const MAX_SHRUNK_PROFILE_BYTES: u64 = 8_000_000;
/// Bytes a pixel that the decoders of the other formats take at most.
const GIF_BYTES: u64 = 9;

/// What may be sent to a drawer, and what is kept of it.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    max_pixels: u64,
    max_shrunk_bytes: u64,
    side: u32,
    /// Lets a clean WebP stay byte for byte: the shop's own pictures should not lose quality by being taken in.
    may_keep: bool,
    is_profile: bool,
}

impl Rules {
    pub fn of(drawer: ImageFolder, may_keep: bool) -> Rules {
        let is_profile = drawer == ImageFolder::People;
        Rules {
            max_pixels: if is_profile {
                MAX_PROFILE_PIXELS
            } else {
                MAX_PIXELS
            },
            max_shrunk_bytes: if is_profile {
                MAX_SHRUNK_PROFILE_BYTES
            } else {
                MAX_SHRUNK_BYTES
            },
            side: if is_profile {
                PROFILE_SIDE
            } else {
                MASTER_SIDE
            },
            may_keep: may_keep && !is_profile,
            is_profile,
        }
    }

    fn too_large(&self, name: &str) -> ImageStoreError {
        let name = name.to_owned();
        if self.is_profile {
            ImageStoreError::TooLargeForProfile(name)
        } else {
            ImageStoreError::TooLarge(name)
        }
    }

    fn refusal(&self, why: Why, name: &str) -> ImageStoreError {
        match why {
            Why::NotAnImage => ImageStoreError::NotAnImage(name.to_owned()),
            Why::TooLarge => self.too_large(name),
            Why::TooMuchMemory => ImageStoreError::TooMuchMemory(name.to_owned()),
        }
    }
}

#[derive(Debug)]
pub struct Master {
    pub file: Vec<u8>,
    pub format: Format,
    pub width: u32,
    pub height: u32,
    pub colour: String,
}

/// How an image will be decoded, and what that takes.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    format: ImageFormat,
    how: How,
    decode_bytes: u64,
    /// Width and height as the header says.
    size: (u32, u32),
    /// Of the decoded image.
    pixels: u64,
    has_alpha: bool,
}

#[derive(Debug, Clone, Copy)]
enum How {
    Whole,
    /// A JPEG in half its width and height.
    Half,
    /// A PNG whose squares of so many pixels become one.
    Rows(u32),
}

impl Plan {
    /// The most that it takes to decode the image and to make another one of `made` pixels in this format, while the
    /// decoded one is kept or not.
    pub fn memory(&self, made: u64, format: Format, keeps_decoded: bool) -> u64 {
        let kept = if keeps_decoded { self.pixels } else { 0 };
        let encoding =
            pixel_bytes(kept + made, self.has_alpha) + encode_bytes(made, self.has_alpha, format);
        self.decode_bytes
            .max(resize_bytes(self.pixels, made, self.has_alpha))
            .max(encoding)
    }
}

/// How the image will be taken in, and the memory that this takes, from its headers alone. `name` is only for the
/// refusal's text.
pub fn inspect(name: &str, source: &[u8], rules: &Rules) -> Result<(Plan, u64), ImageStoreError> {
    let plan = plan(source, rules).map_err(|why| rules.refusal(why, name))?;
    let most = if plan.has_alpha {
        MASTER_PIXELS_WITH_ALPHA
    } else {
        MASTER_PIXELS
    };
    let made = plan.pixels.min(most).min(u64::from(rules.side).pow(2));
    Ok((plan, plan.memory(made, Format::WebP, false)))
}

/// Slow: for a thread that may block.
pub fn examine(
    name: &str,
    source: &[u8],
    format: Format,
    rules: &Rules,
    plan: &Plan,
) -> Result<Master, ImageStoreError> {
    let decoded = decode(source, plan).map_err(|why| rules.refusal(why, name))?;
    let (width, height) = (decoded.pixels.width, decoded.pixels.height);
    let within = |pixels| size_within(plan.size.0, plan.size.1, rules.side, pixels);
    let fits = within(MASTER_PIXELS) == (width, height);
    let may_keep = rules.may_keep
        && fits
        && format == Format::WebP
        && decoded.is_plain_webp
        && source.len() <= MOST_KEPT_BYTES;
    let kept = may_keep
        .then(|| webp_file::without_metadata(source))
        .flatten();
    let broken = ImageStoreError::Storage;
    let pixels = decoded.pixels.without_idle_alpha();
    let most = if pixels.has_alpha && kept.is_none() {
        MASTER_PIXELS_WITH_ALPHA
    } else {
        MASTER_PIXELS
    };
    let pixels = pixels.within(within(most)).map_err(broken)?;
    let pixels = pixels.turned(decoded.orientation).map_err(broken)?;
    let pixels = pixels.in_srgb(decoded.profile.as_deref());
    let file = match kept {
        Some(file) => file,
        None => encode(&pixels, format, Quality::Master).map_err(broken)?,
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
pub fn plan_master(file: &[u8]) -> anyhow::Result<Plan> {
    plan(file, &Rules::of(ImageFolder::Products, true)).map_err(damaged)
}

pub fn decode_master(file: &[u8], plan: &Plan) -> anyhow::Result<Pixels> {
    let decoded = decode(file, plan).map_err(damaged)?;
    Ok(decoded.pixels.without_idle_alpha())
}

fn damaged(_: Why) -> anyhow::Error {
    anyhow::anyhow!("the kept picture is damaged")
}

struct Decoded {
    pixels: Pixels,
    profile: Option<Vec<u8>>,
    orientation: Orientation,
    /// Its pixels mean what they say: no profile, no orientation, one frame.
    is_plain_webp: bool,
}

enum Why {
    NotAnImage,
    TooLarge,
    TooMuchMemory,
}

impl From<ImageError> for Why {
    fn from(fault: ImageError) -> Why {
        match fault {
            ImageError::Limits(_) => Why::TooLarge,
            _ => Why::NotAnImage,
        }
    }
}

impl From<png::DecodingError> for Why {
    fn from(fault: png::DecodingError) -> Why {
        match fault {
            png::DecodingError::LimitsExceeded => Why::TooLarge,
            _ => Why::NotAnImage,
        }
    }
}

impl From<jpeg_decoder::Error> for Why {
    fn from(_: jpeg_decoder::Error) -> Why {
        Why::NotAnImage
    }
}

fn decoder(source: &[u8], format: ImageFormat) -> Result<impl ImageDecoder, Why> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_WORK_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(source), format);
    reader.limits(limits);
    Ok(reader.into_decoder()?)
}

fn plan(source: &[u8], rules: &Rules) -> Result<Plan, Why> {
    if source.len() > MAX_UPLOAD_BYTES {
        return Err(Why::TooLarge);
    }
    let format = image::guess_format(source)?;
    let (width, height) = match format {
        ImageFormat::Png => png_file::size(source)?,
        ImageFormat::Jpeg | ImageFormat::WebP | ImageFormat::Gif => {
            decoder(source, format)?.dimensions()
        }
        _ => return Err(Why::NotAnImage),
    };
    let claimed = u64::from(width) * u64::from(height);
    let hidden = match format {
        ImageFormat::WebP => webp_file::most_pixels(source),
        _ => 0,
    };
    let pixels = claimed.max(hidden);
    if claimed == 0 {
        return Err(Why::NotAnImage);
    }
    if pixels > rules.max_pixels || width.max(height) > MAX_SOURCE_SIDE {
        return Err(Why::TooLarge);
    }
    let whole = |bytes_a_pixel: u64, has_alpha| Plan {
        format,
        how: How::Whole,
        decode_bytes: pixels * bytes_a_pixel,
        size: (width, height),
        pixels,
        has_alpha,
    };
    let plan = match format {
        ImageFormat::Png => {
            let factor = Shrinker::factor(width, height, 4, rules.max_shrunk_bytes);
            let pixels = u64::from(width.div_ceil(factor)) * u64::from(height.div_ceil(factor));
            Plan {
                how: How::Rows(factor),
                decode_bytes: pixels * 4 + u64::from(width) * 40,
                pixels,
                ..whole(0, true)
            }
        }
        ImageFormat::WebP => {
            let (bytes, has_alpha) = webp_file::decoder_bytes(source);
            whole(bytes, has_alpha)
        }
        ImageFormat::Gif => whole(GIF_BYTES, true),
        _ => jpeg_plan(source, &whole(0, false)),
    };
    let resizing = resize_bytes(plan.pixels, 0, plan.has_alpha);
    if plan.decode_bytes.max(resizing) > MAX_WORK_BYTES {
        return Err(Why::TooMuchMemory);
    }
    Ok(plan)
}

fn jpeg_plan(source: &[u8], whole: &Plan) -> Plan {
    let file = u64::try_from(source.len()).unwrap_or(u64::MAX);
    let Some(head) = jpeg_file::head_of(source) else {
        // No kind that can be decoded; the decoder will say so.
        return Plan {
            decode_bytes: whole.pixels * 9 + file,
            ..*whole
        };
    };
    let plan = Plan {
        decode_bytes: head.whole_bytes(whole.pixels, file),
        ..*whole
    };
    let resizing = resize_bytes(plan.pixels, MASTER_PIXELS, false);
    match head.half_bytes(whole.pixels) {
        Some(decode_bytes) if plan.decode_bytes.max(resizing) > MAX_WORK_BYTES => Plan {
            how: How::Half,
            decode_bytes,
            pixels: whole.pixels / 4,
            ..plan
        },
        _ => plan,
    }
}

fn decode(source: &[u8], plan: &Plan) -> Result<Decoded, Why> {
    if let How::Rows(factor) = plan.how {
        let decoded = png_file::decode(source, factor)?;
        return Ok(Decoded {
            pixels: decoded.pixels,
            profile: decoded.profile,
            orientation: decoded.orientation,
            is_plain_webp: false,
        });
    }
    let mut decoder = decoder(source, plan.format)?;
    let profile = decoder.icc_profile().unwrap_or(None);
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let pixels = if matches!(plan.how, How::Half) {
        // It has a copy of the file.
        drop(decoder);
        jpeg_file::decode_half(source, MAX_WORK_BYTES)?
    } else {
        Pixels::from_image(DynamicImage::from_decoder(decoder)?)
    };
    Ok(Decoded {
        is_plain_webp: plan.format == ImageFormat::WebP
            && profile.is_none()
            && orientation == Orientation::NoTransforms,
        pixels,
        profile,
        orientation,
    })
}

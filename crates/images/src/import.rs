//! Import of an image: checks its format and size, decodes it and encodes the original to store.
//!
//! An upload is always decoded and encoded again, so that only pixels are stored. The memory that
//! this takes is calculated from the header, before anything is decoded.

use std::io::Cursor;

use image::codecs::gif::GifDecoder;
use image::codecs::jpeg::JpegDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, Limits};
use mirasa_app::ports::images::{
    Format, ImageFolder, ImageStoreError, MAX_PIXELS, MAX_PROFILE_PIXELS, MAX_UPLOAD_BYTES,
    PROBLEM_SIDE, PROFILE_SIDE,
};

use super::encode::{Quality, encode};
use super::memory::{MAX_WORK_BYTES, encode_bytes, pixel_bytes, resize_bytes};
use super::pixels::{Pixels, size_within};
use super::shrink::Shrinker;
use super::{jpeg_file, png_file, webp_file};

/// A little more than the largest rendition.
const MAX_ORIGINAL_SIDE: u32 = 4096;
/// More than any page shows: 3200 × 1875, or 2449 × 2449. With an alpha channel each step takes
/// three times the memory.
const MAX_ORIGINAL_PIXELS: u64 = 6_000_000;
const MAX_ORIGINAL_PIXELS_WITH_ALPHA: u64 = 2_000_000;
/// A larger WebP is encoded again even if it could be stored unchanged.
const MAX_UNCHANGED_BYTES: usize = 4 * 1024 * 1024;
/// JPEG's own limit. It also bounds the memory for one row of a PNG.
const MAX_SOURCE_SIDE: u32 = 65_535;
/// A PNG is shrunk while it is read, until its pixels take at most this much.
const MAX_SHRUNK_BYTES: u64 = 60_000_000;
const MAX_SHRUNK_PROFILE_BYTES: u64 = 8_000_000;
/// Maximum decoder memory in bytes a pixel.
const GIF_BYTES: u64 = 9;

/// Limits for uploads to a folder, and for the original that is stored.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    max_pixels: u64,
    max_shrunk_bytes: u64,
    side: u32,
    /// Stores a clean WebP unchanged, so that the shop's own images do not lose quality.
    keep_bytes: bool,
    is_profile: bool,
}

impl Rules {
    pub fn of(folder: ImageFolder, keep_bytes: bool) -> Rules {
        let is_profile = folder == ImageFolder::People;
        let is_of_shop = matches!(folder, ImageFolder::Products | ImageFolder::Site);
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
            side: match folder {
                ImageFolder::People => PROFILE_SIDE,
                ImageFolder::Problems | ImageFolder::Reviews => PROBLEM_SIDE,
                ImageFolder::Products | ImageFolder::Site => MAX_ORIGINAL_SIDE,
            },
            keep_bytes: keep_bytes && is_of_shop,
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

    fn store_error(&self, error: DecodeError, name: &str) -> ImageStoreError {
        match error {
            DecodeError::NotAnImage => ImageStoreError::NotAnImage(name.to_owned()),
            DecodeError::TooLarge => self.too_large(name),
            DecodeError::TooMuchMemory => ImageStoreError::TooMuchMemory(name.to_owned()),
        }
    }
}

#[derive(Debug)]
pub struct ImportedImage {
    pub file: Vec<u8>,
    pub format: Format,
    pub width: u32,
    pub height: u32,
    pub colour: String,
}

/// How to decode an image, and the memory that it takes.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    format: ImageFormat,
    method: DecodeMethod,
    decode_bytes: u64,
    /// Width and height from the header.
    size: (u32, u32),
    /// Of the decoded image.
    pixels: u64,
    has_alpha: bool,
}

#[derive(Debug, Clone, Copy)]
enum DecodeMethod {
    Full,
    /// A JPEG at half its width and height.
    Half,
    /// A PNG in which each square with sides of this many pixels becomes one pixel.
    Rows(u32),
}

impl Plan {
    /// Peak memory to decode the image and to encode one of `output_pixels` pixels in this format.
    /// `keeps_decoded`: the decoded image stays in memory meanwhile.
    pub fn memory(&self, output_pixels: u64, format: Format, keeps_decoded: bool) -> u64 {
        let decoded_pixels = if keeps_decoded { self.pixels } else { 0 };
        let encoding = pixel_bytes(decoded_pixels + output_pixels, self.has_alpha)
            + encode_bytes(output_pixels, self.has_alpha, format);
        self.decode_bytes
            .max(resize_bytes(self.pixels, output_pixels, self.has_alpha))
            .max(encoding)
    }
}

/// Plans the import from the headers alone and returns the memory that it takes. `name` is used in
/// error messages only.
pub fn inspect(name: &str, source: &[u8], rules: &Rules) -> Result<(Plan, u64), ImageStoreError> {
    let plan = plan(source, rules).map_err(|error| rules.store_error(error, name))?;
    let max_pixels = if plan.has_alpha {
        MAX_ORIGINAL_PIXELS_WITH_ALPHA
    } else {
        MAX_ORIGINAL_PIXELS
    };
    let output_pixels = plan
        .pixels
        .min(max_pixels)
        .min(u64::from(rules.side).pow(2));
    Ok((plan, plan.memory(output_pixels, Format::WebP, false)))
}

/// Slow: call it on a blocking thread.
pub fn import(
    name: &str,
    source: &[u8],
    format: Format,
    rules: &Rules,
    plan: &Plan,
) -> Result<ImportedImage, ImageStoreError> {
    let decoded = decode(source, plan).map_err(|error| rules.store_error(error, name))?;
    let (width, height) = (decoded.pixels.width, decoded.pixels.height);
    let resized_size = |pixels| size_within(plan.size.0, plan.size.1, rules.side, pixels);
    let is_small_enough = resized_size(MAX_ORIGINAL_PIXELS) == (width, height);
    let keep_bytes = rules.keep_bytes
        && is_small_enough
        && format == Format::WebP
        && decoded.is_plain_webp
        && source.len() <= MAX_UNCHANGED_BYTES;
    let unchanged = keep_bytes
        .then(|| webp_file::strip_metadata(source))
        .flatten();
    let storage_error = ImageStoreError::Storage;
    let pixels = decoded.pixels.drop_opaque_alpha();
    let max_pixels = if pixels.has_alpha && unchanged.is_none() {
        MAX_ORIGINAL_PIXELS_WITH_ALPHA
    } else {
        MAX_ORIGINAL_PIXELS
    };
    let pixels = pixels
        .resized_to_fit(resized_size(max_pixels))
        .map_err(storage_error)?;
    let pixels = pixels
        .with_orientation(decoded.orientation)
        .map_err(storage_error)?;
    let pixels = pixels.into_srgb(decoded.profile.as_deref());
    let file = match unchanged {
        Some(file) => file,
        None => encode(&pixels, format, Quality::Original).map_err(storage_error)?,
    };
    Ok(ImportedImage {
        file,
        format,
        width: pixels.width,
        height: pixels.height,
        colour: pixels.average_colour(),
    })
}

/// For an image that is stored already.
pub fn plan_original(file: &[u8]) -> anyhow::Result<Plan> {
    plan(file, &Rules::of(ImageFolder::Products, true)).map_err(damaged)
}

pub fn decode_original(file: &[u8], plan: &Plan) -> anyhow::Result<Pixels> {
    let decoded = decode(file, plan).map_err(damaged)?;
    Ok(decoded.pixels.drop_opaque_alpha())
}

fn damaged(_: DecodeError) -> anyhow::Error {
    anyhow::anyhow!("the stored original is damaged")
}

struct Decoded {
    pixels: Pixels,
    profile: Option<Vec<u8>>,
    orientation: Orientation,
    /// No colour profile, no orientation, one frame.
    is_plain_webp: bool,
}

enum DecodeError {
    NotAnImage,
    TooLarge,
    TooMuchMemory,
}

impl From<ImageError> for DecodeError {
    fn from(error: ImageError) -> DecodeError {
        match error {
            ImageError::Limits(_) => DecodeError::TooLarge,
            _ => DecodeError::NotAnImage,
        }
    }
}

impl From<png::DecodingError> for DecodeError {
    fn from(error: png::DecodingError) -> DecodeError {
        match error {
            png::DecodingError::LimitsExceeded => DecodeError::TooLarge,
            _ => DecodeError::NotAnImage,
        }
    }
}

impl From<jpeg_decoder::Error> for DecodeError {
    fn from(_: jpeg_decoder::Error) -> DecodeError {
        DecodeError::NotAnImage
    }
}

/// Not `image::ImageReader`: that would run the decoders as they are compiled in `image`, which is not
/// optimised in test builds. The ones that are named here are compiled into this crate, which is.
fn decoder(source: &[u8], format: ImageFormat) -> Result<Box<dyn ImageDecoder + '_>, DecodeError> {
    let file = Cursor::new(source);
    let mut decoder: Box<dyn ImageDecoder> = match format {
        ImageFormat::Jpeg => Box::new(JpegDecoder::new(file)?),
        ImageFormat::WebP => Box::new(WebPDecoder::new(file)?),
        ImageFormat::Gif => Box::new(GifDecoder::new(file)?),
        _ => return Err(DecodeError::NotAnImage),
    };
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_WORK_BYTES);
    decoder.set_limits(limits)?;
    Ok(decoder)
}

fn plan(source: &[u8], rules: &Rules) -> Result<Plan, DecodeError> {
    if source.len() > MAX_UPLOAD_BYTES {
        return Err(DecodeError::TooLarge);
    }
    let format = image::guess_format(source)?;
    let (width, height) = match format {
        ImageFormat::Png => png_file::size(source)?,
        ImageFormat::Jpeg | ImageFormat::WebP | ImageFormat::Gif => {
            decoder(source, format)?.dimensions()
        }
        _ => return Err(DecodeError::NotAnImage),
    };
    let claimed = u64::from(width) * u64::from(height);
    let largest_frame = match format {
        ImageFormat::WebP => webp_file::max_frame_pixels(source),
        _ => 0,
    };
    let pixels = claimed.max(largest_frame);
    if claimed == 0 {
        return Err(DecodeError::NotAnImage);
    }
    if pixels > rules.max_pixels || width.max(height) > MAX_SOURCE_SIDE {
        return Err(DecodeError::TooLarge);
    }
    let full_plan = |bytes_a_pixel: u64, has_alpha| Plan {
        format,
        method: DecodeMethod::Full,
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
                method: DecodeMethod::Rows(factor),
                decode_bytes: pixels * 4 + u64::from(width) * 40,
                pixels,
                ..full_plan(0, true)
            }
        }
        ImageFormat::WebP => {
            let (bytes, has_alpha) = webp_file::decoder_bytes(source);
            full_plan(bytes, has_alpha)
        }
        ImageFormat::Gif => full_plan(GIF_BYTES, true),
        _ => plan_jpeg(source, &full_plan(0, false)),
    };
    let resizing = resize_bytes(plan.pixels, 0, plan.has_alpha);
    if plan.decode_bytes.max(resizing) > MAX_WORK_BYTES {
        return Err(DecodeError::TooMuchMemory);
    }
    Ok(plan)
}

fn plan_jpeg(source: &[u8], full_plan: &Plan) -> Plan {
    let file = u64::try_from(source.len()).unwrap_or(u64::MAX);
    let Some(header) = jpeg_file::read_header(source) else {
        // Not a JPEG that can be decoded; the decoder returns the error.
        return Plan {
            decode_bytes: full_plan.pixels * 9 + file,
            ..*full_plan
        };
    };
    let plan = Plan {
        decode_bytes: header.full_decode_bytes(full_plan.pixels, file),
        ..*full_plan
    };
    let resizing = resize_bytes(plan.pixels, MAX_ORIGINAL_PIXELS, false);
    match header.half_decode_bytes(full_plan.pixels) {
        Some(decode_bytes) if plan.decode_bytes.max(resizing) > MAX_WORK_BYTES => Plan {
            method: DecodeMethod::Half,
            decode_bytes,
            pixels: full_plan.pixels / 4,
            ..plan
        },
        _ => plan,
    }
}

fn decode(source: &[u8], plan: &Plan) -> Result<Decoded, DecodeError> {
    if let DecodeMethod::Rows(factor) = plan.method {
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
    let pixels = if matches!(plan.method, DecodeMethod::Half) {
        // The decoder holds a copy of the file.
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

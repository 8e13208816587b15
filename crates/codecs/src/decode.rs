//! Decodes JPEG, PNG, WebP and GIF. The memory that this takes is calculated from the header, before
//! anything is decoded.

use std::io::Cursor;

use image::codecs::gif::GifDecoder;
use image::codecs::jpeg::JpegDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, Limits};
use mirasa_domain::image_format::Format;

use crate::estimate::{MAX_WORK_BYTES, encode_bytes, pixel_bytes, resize_bytes};
use crate::pixels::Pixels;
use crate::shrink::Shrinker;
use crate::{jpeg_file, png_file, webp_file};

/// More than any page shows: 3200 × 1875, or 2449 × 2449.
pub const MAX_ORIGINAL_PIXELS: u64 = 6_000_000;
/// JPEG's own limit. It also bounds the memory for one row of a PNG.
const MAX_SOURCE_SIDE: u32 = 65_535;
/// Maximum decoder memory in bytes a pixel.
const GIF_BYTES: u64 = 9;

#[derive(Debug, Clone, Copy)]
pub struct DecodeLimits {
    pub max_pixels: u64,
    /// A PNG is shrunk while it is read, until its pixels take at most this much.
    pub max_shrunk_bytes: u64,
}

/// How to decode an image, and the memory that it takes.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    format: ImageFormat,
    method: DecodeMethod,
    decode_bytes: u64,
    /// Width and height from the header.
    pub size: (u32, u32),
    /// Of the decoded image.
    pub pixels: u64,
    pub has_alpha: bool,
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

pub struct Decoded {
    pub pixels: Pixels,
    pub profile: Option<Vec<u8>>,
    pub orientation: Orientation,
    /// No colour profile, no orientation, one frame.
    pub is_plain_webp: bool,
}

#[derive(Debug)]
pub enum DecodeError {
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

/// Plans from the headers alone.
pub fn plan(source: &[u8], limits: &DecodeLimits) -> Result<Plan, DecodeError> {
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
    if pixels > limits.max_pixels || width.max(height) > MAX_SOURCE_SIDE {
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
            let factor = Shrinker::factor(width, height, 4, limits.max_shrunk_bytes);
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

/// Slow: call it on a blocking thread.
pub fn decode(source: &[u8], plan: &Plan) -> Result<Decoded, DecodeError> {
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

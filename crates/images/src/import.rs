//! Import of an image: checks its format and size, decodes it and encodes the original to store.
//!
//! An upload is always decoded and encoded again, so that only pixels are stored. The memory that
//! this takes is calculated from the header, before anything is decoded.

use mirasa_app::ports::images::{
    Format, ImageFolder, ImageStoreError, MAX_PIXELS, MAX_PROFILE_PIXELS, MAX_UPLOAD_BYTES,
    PROBLEM_SIDE, PROFILE_SIDE,
};
use mirasa_codecs::decode::{self, DecodeError, DecodeLimits, MAX_ORIGINAL_PIXELS, Plan, decode};
use mirasa_codecs::encode::{Quality, encode};
use mirasa_codecs::pixels::{Pixels, size_within};
use mirasa_codecs::webp_file;

/// A little more than the largest rendition.
const MAX_ORIGINAL_SIDE: u32 = 4096;
/// With an alpha channel each step takes three times the memory.
const MAX_ORIGINAL_PIXELS_WITH_ALPHA: u64 = 2_000_000;
/// A larger WebP is encoded again even if it could be stored unchanged.
const MAX_UNCHANGED_BYTES: usize = 4 * 1024 * 1024;
const MAX_SHRUNK_BYTES: u64 = 60_000_000;
const MAX_SHRUNK_PROFILE_BYTES: u64 = 8_000_000;

/// Limits for uploads to a folder, and for the original that is stored.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    decode: DecodeLimits,
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
            decode: if is_profile {
                DecodeLimits {
                    max_pixels: MAX_PROFILE_PIXELS,
                    max_shrunk_bytes: MAX_SHRUNK_PROFILE_BYTES,
                }
            } else {
                DecodeLimits {
                    max_pixels: MAX_PIXELS,
                    max_shrunk_bytes: MAX_SHRUNK_BYTES,
                }
            },
            side: match folder {
                ImageFolder::People => PROFILE_SIDE,
                ImageFolder::Problems => PROBLEM_SIDE,
                ImageFolder::Products | ImageFolder::Site => MAX_ORIGINAL_SIDE,
            },
            keep_bytes: keep_bytes && is_of_shop,
            is_profile,
        }
    }

    fn plan(&self, source: &[u8]) -> Result<Plan, DecodeError> {
        if source.len() > MAX_UPLOAD_BYTES {
            return Err(DecodeError::TooLarge);
        }
        decode::plan(source, &self.decode)
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

/// Plans the import from the headers alone and returns the memory that it takes. `name` is used in
/// error messages only.
pub fn inspect(name: &str, source: &[u8], rules: &Rules) -> Result<(Plan, u64), ImageStoreError> {
    let plan = rules
        .plan(source)
        .map_err(|error| rules.store_error(error, name))?;
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
    Rules::of(ImageFolder::Products, true)
        .plan(file)
        .map_err(damaged)
}

pub fn decode_original(file: &[u8], plan: &Plan) -> anyhow::Result<Pixels> {
    let decoded = decode(file, plan).map_err(damaged)?;
    Ok(decoded.pixels.drop_opaque_alpha())
}

fn damaged(_: DecodeError) -> anyhow::Error {
    anyhow::anyhow!("the stored original is damaged")
}

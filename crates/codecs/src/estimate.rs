//! Memory estimates for decoding, resizing and encoding images.
//!
//! The figures are measured peaks of resident memory for each codec, on photographs and on noise.
//! Those for the JPEG encoder and for decoding WebP with alpha are estimates.

use mirasa_domain::image_format::Format;

const MIB: u64 = 1024 * 1024;
/// Limit for all image work of one store. The rest of the server takes 60 to 75 MB, and buffered
/// uploads take up to 36 MiB.
pub const MAX_WORK_BYTES: u64 = 88 * MIB;
/// The rows of a strip in linear light, and the resizer's own buffers.
const MAX_RESIZE_BYTES: u64 = 8 * MIB;
/// Sharp chroma subsampling takes twice the memory of the plain one.
pub const MAX_SHARP_PIXELS: u64 = 5_000_000;
/// Ten bits a channel make smoother gradients, and take 52 bytes of memory a pixel while encoding.
/// Larger images are encoded with eight bits, which take 32.
pub const MAX_TEN_BIT_PIXELS: u64 = 1_000_000;

pub fn pixel_bytes(pixels: u64, has_alpha: bool) -> u64 {
    pixels * if has_alpha { 4 } else { 3 }
}

/// Two sizes of one image, and the resizer.
pub fn resize_bytes(from: u64, to: u64, has_alpha: bool) -> u64 {
    pixel_bytes(from + to, has_alpha) + (from * 16).min(MAX_RESIZE_BYTES)
}

/// Memory of the encoder, without the pixels that are its input.
pub fn encode_bytes(pixels: u64, has_alpha: bool, format: Format) -> u64 {
    let each = match (format, has_alpha) {
        (Format::Avif, _) if pixels > MAX_TEN_BIT_PIXELS => 32,
        (Format::Avif, false) => 52,
        (Format::Avif, true) => 56,
        (Format::WebP, true) => 39,
        (Format::WebP, false) if pixels > MAX_SHARP_PIXELS => 9,
        (Format::WebP, false) => 14,
        (Format::Jpeg, _) => 10,
    };
    let fixed = if format == Format::Avif { 6 * MIB } else { MIB };
    pixels * each + fixed
}

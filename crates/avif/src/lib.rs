//! The AVIF encoder behind two plain functions. Its generic code is compiled into the calling crate: here it is compiled
//! once, optimised in every profile, and not again with each change to `mirasa-images`.

use ravif::{BitDepth, Encoder, Img};
use rgb::FromSlice;

/// Of ravif's 1 to 10. Measured on a pack's label, 640 wide: 9 takes half the time for files a third
/// larger, 6 takes twice the time for files a twentieth smaller.
const SPEED: u8 = 8;

/// Ten bits a channel make smoother gradients, and take 48 bytes of memory a pixel while encoding. Larger images are
/// encoded with eight bits, which take 28.
pub const MAX_TEN_BIT_PIXELS: u64 = 1_000_000;

/// Red, green and blue, a byte each.
pub fn encode_rgb(
    bytes: &[u8],
    width: usize,
    height: usize,
    quality: f32,
) -> anyhow::Result<Vec<u8>> {
    let encoded =
        encoder(quality, width * height).encode_rgb(Img::new(bytes.as_rgb(), width, height))?;
    Ok(encoded.avif_file)
}

/// Red, green, blue and opacity, a byte each.
pub fn encode_rgba(
    bytes: &[u8],
    width: usize,
    height: usize,
    quality: f32,
) -> anyhow::Result<Vec<u8>> {
    let encoded =
        encoder(quality, width * height).encode_rgba(Img::new(bytes.as_rgba(), width, height))?;
    Ok(encoded.avif_file)
}

fn encoder(quality: f32, pixels: usize) -> Encoder<'static> {
    let is_large = u64::try_from(pixels).is_ok_and(|pixels| pixels > MAX_TEN_BIT_PIXELS);
    let depth = if is_large {
        BitDepth::Eight
    } else {
        BitDepth::Ten
    };
    Encoder::new()
        .with_bit_depth(depth)
        .with_quality(quality)
        .with_alpha_quality(quality)
        .with_speed(SPEED)
}

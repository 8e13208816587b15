//! The AVIF encoder behind two plain functions. It is generic code, which is compiled into whoever calls it: here it is
//! compiled once, optimised in every profile, and not again with each change to the gateways.

use ravif::{Encoder, Img};
use rgb::FromSlice;

/// Of ravif's 1 to 10. Measured on a pack's label, 640 wide: 9 takes half the time for files a third
/// larger, 6 takes twice the time for files a twentieth smaller.
const SPEED: u8 = 8;

/// Red, green and blue, a byte each.
pub fn encode_rgb(
    bytes: &[u8],
    width: usize,
    height: usize,
    quality: f32,
) -> anyhow::Result<Vec<u8>> {
    let encoded = encoder(quality).encode_rgb(Img::new(bytes.as_rgb(), width, height))?;
    Ok(encoded.avif_file)
}

/// Red, green, blue and opacity, a byte each.
pub fn encode_rgba(
    bytes: &[u8],
    width: usize,
    height: usize,
    quality: f32,
) -> anyhow::Result<Vec<u8>> {
    let encoded = encoder(quality).encode_rgba(Img::new(bytes.as_rgba(), width, height))?;
    Ok(encoded.avif_file)
}

fn encoder(quality: f32) -> Encoder<'static> {
    Encoder::new()
        .with_quality(quality)
        .with_alpha_quality(quality)
        .with_speed(SPEED)
}

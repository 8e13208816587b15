//! From pixels to files, and whether a file on the shelf is whole.

use anyhow::{Context, anyhow};
use jpeg_encoder::{ColorType, Encoder as JpegEncoder};
use mirasa_app::ports::images::Format;

use super::memory::MAX_SHARP_PIXELS;
use super::pixels::Pixels;

/// AVIF takes 28 bytes of memory a pixel, or more, and a second of processor time for 100 000 to 300 000 pixels. Larger
/// images are served as WebP.
pub const MAX_AVIF_PIXELS: u64 = 1_800_000;
/// An image whose WebP takes more is noise. AVIF would take four times as long for it, and save nothing.
pub const MAX_AVIF_BITS_A_PIXEL: u64 = 4;
const MAX_BUFFERED_PIXELS: u64 = 1_000_000;

/// 0 to 100, as each encoder counts; they do not mean the same in two formats.
#[derive(Debug, Clone, Copy)]
pub enum Quality {
    /// For the one copy from which all others are made.
    Master,
    /// For a visitor's screen.
    Screen,
}

pub fn encode(pixels: &Pixels, format: Format, quality: Quality) -> anyhow::Result<Vec<u8>> {
    match (format, quality) {
        (Format::Avif, Quality::Screen) => avif(pixels, 60.0),
        (Format::Avif, Quality::Master) => avif(pixels, 85.0),
        (Format::WebP, Quality::Screen) => webp(pixels, 78.0),
        (Format::WebP, Quality::Master) => webp(pixels, 90.0),
        (Format::Jpeg, Quality::Screen) => jpeg(pixels, 80),
        (Format::Jpeg, Quality::Master) => jpeg(pixels, 90),
    }
}

fn avif(pixels: &Pixels, quality: f32) -> anyhow::Result<Vec<u8>> {
    let (width, height) = (
        usize::try_from(pixels.width)?,
        usize::try_from(pixels.height)?,
    );
    if pixels.has_alpha {
        mirasa_avif::encode_rgba(&pixels.bytes, width, height, quality)
    } else {
        mirasa_avif::encode_rgb(&pixels.bytes, width, height, quality)
    }
}

fn webp(pixels: &Pixels, quality: f32) -> anyhow::Result<Vec<u8>> {
    let mut config =
        webp::WebPConfig::new().map_err(|()| anyhow!("libwebp has no configuration"))?;
    config.quality = quality;
    let count = u64::from(pixels.width) * u64::from(pixels.height);
    // Spices are red and orange: plain chroma subsampling would smear their edges.
    config.use_sharp_yuv = i32::from(count <= MAX_SHARP_PIXELS);
    // Otherwise noise takes twice the memory.
    config.low_memory = i32::from(count > MAX_BUFFERED_PIXELS);
    let encoder = if pixels.has_alpha {
        webp::Encoder::from_rgba(&pixels.bytes, pixels.width, pixels.height)
    } else {
        webp::Encoder::from_rgb(&pixels.bytes, pixels.width, pixels.height)
    };
    let encoded = encoder
        .encode_advanced(&config)
        .map_err(|fault| anyhow!("libwebp: {fault:?}"))?;
    Ok(encoded.to_vec())
}

fn jpeg(pixels: &Pixels, quality: u8) -> anyhow::Result<Vec<u8>> {
    let flat = pixels.on_white();
    let mut file = Vec::new();
    let mut encoder = JpegEncoder::new(&mut file, quality);
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    encoder
        .encode(
            &flat.bytes,
            u16::try_from(flat.width)?,
            u16::try_from(flat.height)?,
            ColorType::Rgb,
        )
        .context("jpeg")?;
    Ok(file)
}

/// Cheap enough for every read from the store: begins and ends as its format says. Cut off, emptied
/// or overwritten files do not.
pub fn looks_whole(format: Format, file: &[u8]) -> bool {
    match format {
        Format::Jpeg => file.starts_with(&[0xff, 0xd8, 0xff]) && file.ends_with(&[0xff, 0xd9]),
        Format::WebP => {
            let size = file.get(4..).and_then(|rest| rest.first_chunk());
            let promised = size.map(|size| u64::from(u32::from_le_bytes(*size)) + 8);
            file.starts_with(b"RIFF")
                && file.get(8..12) == Some(b"WEBP")
                && promised == u64::try_from(file.len()).ok()
        }
        Format::Avif => file.get(4..12) == Some(b"ftypavif") && boxes_fill(file),
    }
}

/// An ISO media file is a row of boxes, each of which says how long it is.
fn boxes_fill(file: &[u8]) -> bool {
    let mut rest = file;
    while let Some(size) = rest.first_chunk() {
        let size = usize::try_from(u32::from_be_bytes(*size)).unwrap_or(usize::MAX);
        match rest.get(size..) {
            Some(after) if size >= 8 => rest = after,
            _ => return false,
        }
    }
    rest.is_empty()
}

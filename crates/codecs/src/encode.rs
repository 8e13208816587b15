//! Encodes pixels as AVIF, WebP or JPEG, and checks whether a stored file is complete.

use anyhow::{Context, anyhow};
use jpeg_encoder::{Encoder as JpegEncoder, ImageBuffer, JpegColorType, rgb_to_ycbcr};
use mirasa_domain::image_format::Format;
use ravif::{BitDepth, Encoder as AvifEncoder, Img, RGBA8};
use rgb::FromSlice as _;

use crate::estimate::{MAX_SHARP_PIXELS, MAX_TEN_BIT_PIXELS};
use crate::pixels::Pixels;

/// AVIF takes at least 32 bytes of memory a pixel, and one second of CPU time for 100 000 to 300
/// 000 pixels. Larger images are served as WebP.
pub const MAX_AVIF_PIXELS: u64 = 1_800_000;
/// An image whose WebP takes more bits a pixel is noise. AVIF would take four times as long for it
/// and save nothing.
pub const MAX_AVIF_BITS_A_PIXEL: u64 = 4;
/// Of ravif's 1 to 10. Measured on a pack's label, 640 wide: 9 takes half the time for files a third
/// larger, 6 takes twice the time for files a twentieth smaller.
const AVIF_SPEED: u8 = 8;
const MAX_BUFFERED_PIXELS: u64 = 1_000_000;

/// Each value maps to 0 to 100 in each encoder. Equal numbers do not mean equal quality in two
/// formats.
#[derive(Debug, Clone, Copy)]
pub enum Quality {
    /// For the original, from which all renditions are made.
    Original,
    /// For renditions.
    Screen,
}

pub fn encode(pixels: &Pixels, format: Format, quality: Quality) -> anyhow::Result<Vec<u8>> {
    match (format, quality) {
        (Format::Avif, Quality::Screen) => avif(pixels, 60.0),
        (Format::Avif, Quality::Original) => avif(pixels, 85.0),
        (Format::WebP, Quality::Screen) => webp(pixels, 78.0),
        (Format::WebP, Quality::Original) => webp(pixels, 90.0),
        (Format::Jpeg, Quality::Screen) => jpeg(pixels, 80),
        (Format::Jpeg, Quality::Original) => jpeg(pixels, 90),
    }
}

fn avif(pixels: &Pixels, quality: f32) -> anyhow::Result<Vec<u8>> {
    let (width, height) = (
        usize::try_from(pixels.width)?,
        usize::try_from(pixels.height)?,
    );
    let is_large = u64::try_from(width * height)? > MAX_TEN_BIT_PIXELS;
    let encoder = AvifEncoder::new()
        .with_bit_depth(if is_large {
            BitDepth::Eight
        } else {
            BitDepth::Ten
        })
        .with_quality(quality)
        .with_alpha_quality(quality)
        .with_speed(AVIF_SPEED);
    // Not `encode_rgb`: it is generic, so that the whole encoder would be compiled a second time, into
    // this crate. `encode_rgba` writes no alpha channel for an opaque image.
    let opaque: Vec<RGBA8>;
    let rgba = if pixels.has_alpha {
        pixels.bytes.as_rgba()
    } else {
        opaque = pixels
            .bytes
            .as_rgb()
            .iter()
            .map(|pixel| pixel.with_alpha(u8::MAX))
            .collect();
        &opaque
    };
    Ok(encoder
        .encode_rgba(Img::new(rgba, width, height))?
        .avif_file)
}

fn webp(pixels: &Pixels, quality: f32) -> anyhow::Result<Vec<u8>> {
    let mut config =
        webp::WebPConfig::new().map_err(|()| anyhow!("libwebp has no configuration"))?;
    config.quality = quality;
    let count = u64::from(pixels.width) * u64::from(pixels.height);
    // Spices are red and orange: plain chroma subsampling would blur their edges.
    config.use_sharp_yuv = i32::from(count <= MAX_SHARP_PIXELS);
    // Without it, noise takes twice the memory.
    config.low_memory = i32::from(count > MAX_BUFFERED_PIXELS);
    let encoder = if pixels.has_alpha {
        webp::Encoder::from_rgba(&pixels.bytes, pixels.width, pixels.height)
    } else {
        webp::Encoder::from_rgb(&pixels.bytes, pixels.width, pixels.height)
    };
    let encoded = encoder
        .encode_advanced(&config)
        .map_err(|error| anyhow!("libwebp: {error:?}"))?;
    Ok(encoded.to_vec())
}

fn jpeg(pixels: &Pixels, quality: u8) -> anyhow::Result<Vec<u8>> {
    let flat = pixels.flatten_on_white();
    let mut file = Vec::new();
    let mut encoder = JpegEncoder::new(&mut file, quality);
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    let image = RgbRows {
        width: u16::try_from(flat.width)?,
        height: u16::try_from(flat.height)?,
        bytes: &flat.bytes,
    };
    encoder.encode_image(image).context("jpeg")?;
    Ok(file)
}

/// Red, green and blue, a byte each. `JpegEncoder::encode` has this and ten other layouts, and would
/// compile the encoder for each of them.
struct RgbRows<'a> {
    width: u16,
    height: u16,
    bytes: &'a [u8],
}

impl ImageBuffer for RgbRows<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Ycbcr
    }

    fn width(&self) -> u16 {
        self.width
    }

    fn height(&self) -> u16 {
        self.height
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let row_bytes = usize::from(self.width) * 3;
        let start = usize::from(y) * row_bytes;
        let row = self.bytes.get(start..start + row_bytes).unwrap_or_default();
        let [luma, blue, red, _] = buffers;
        for pixel in row.chunks_exact(3) {
            let (y, cb, cr) = rgb_to_ycbcr(pixel[0], pixel[1], pixel[2]);
            luma.push(y);
            blue.push(cb);
            red.push(cr);
        }
    }
}

/// Checks the start and the end of the file as its format defines them. Cheap enough for every read
/// from the store. Detects truncated, empty and overwritten files.
pub fn is_complete(format: Format, file: &[u8]) -> bool {
    match format {
        Format::Jpeg => file.starts_with(&[0xff, 0xd8, 0xff]) && file.ends_with(&[0xff, 0xd9]),
        Format::WebP => {
            let size = file.get(4..).and_then(|rest| rest.first_chunk());
            let promised = size.map(|size| u64::from(u32::from_le_bytes(*size)) + 8);
            file.starts_with(b"RIFF")
                && file.get(8..12) == Some(b"WEBP")
                && promised == u64::try_from(file.len()).ok()
        }
        Format::Avif => file.get(4..12) == Some(b"ftypavif") && has_complete_boxes(file),
    }
}

/// An ISO media file is a sequence of boxes, each of which starts with its length.
fn has_complete_boxes(file: &[u8]) -> bool {
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

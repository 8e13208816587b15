//! PNG, decoded row by row: whatever the size and bit depth, only the shrunk image is in memory.

use std::io::Cursor;

use image::metadata::Orientation;
use png::{Decoder, DecodingError, Limits, Transformations};

use crate::pixels::Pixels;
use crate::shrink::Shrinker;

/// Two rows of the widest image, and its colour profile.
const MAX_DECODER_BYTES: usize = 16 * 1024 * 1024;

/// The passes of an interlaced image: first column and row, then the distance between columns and
/// rows.
const PASSES: [[u32; 4]; 7] = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
];

pub struct Decoded {
    pub pixels: Pixels,
    pub profile: Option<Vec<u8>>,
    pub orientation: Orientation,
}

fn decoder(file: &[u8]) -> Decoder<Cursor<&[u8]>> {
    let limits = Limits {
        bytes: MAX_DECODER_BYTES,
    };
    let mut decoder = Decoder::new_with_limits(Cursor::new(file), limits);
    decoder.set_ignore_text_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder
}

/// Width and height, from the header alone.
pub fn size(file: &[u8]) -> Result<(u32, u32), DecodingError> {
    Ok(decoder(file).read_header_info()?.size())
}

/// Averages squares of `factor` pixels. For an interlaced image it takes the first pixel of each
/// square, because the early passes have no others.
pub fn decode(file: &[u8], factor: u32) -> Result<Decoded, DecodingError> {
    let mut reader = decoder(file).read_info()?;
    let (width, height) = reader.info().size();
    let profile = reader.info().icc_profile.as_deref().map(<[u8]>::to_vec);
    let exif = reader.info().exif_metadata.as_deref();
    let orientation = exif.and_then(Orientation::from_exif_chunk);
    let channels = reader.output_color_type().0.samples();
    let mut shrinker = Shrinker::new(width, height, channels, factor);
    if reader.info().interlaced {
        for [x, y, dx, dy] in PASSES {
            let columns = width.saturating_sub(x).div_ceil(dx);
            let rows = height.saturating_sub(y).div_ceil(dy);
            // A pass without columns has no rows.
            for line in 0..if columns == 0 { 0 } else { rows } {
                let row = reader.next_row()?.ok_or_else(unexpected_eof)?;
                for (pixel, column) in row.data().chunks_exact(channels).zip(0..columns) {
                    shrinker.set_pixel(x + column * dx, y + line * dy, pixel);
                }
            }
        }
    } else {
        for _ in 0..height {
            let row = reader.next_row()?.ok_or_else(unexpected_eof)?;
            shrinker.push_row(row.data());
        }
    }
    Ok(Decoded {
        pixels: shrinker.finish(),
        profile,
        orientation: orientation.unwrap_or(Orientation::NoTransforms),
    })
}

fn unexpected_eof() -> DecodingError {
    DecodingError::IoError(std::io::ErrorKind::UnexpectedEof.into())
}

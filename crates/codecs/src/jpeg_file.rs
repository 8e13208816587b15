//! JPEG: reads from the header how much memory decoding takes, and decodes at half size.

use crate::pixels::Pixels;
use crate::shrink::Shrinker;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JpegHeader {
    components: usize,
    /// Samples of all components, per 64 pixels.
    samples: u64,
    /// Progressive or not interleaved: all coefficients are buffered until the end.
    buffers_coefficients: bool,
}

/// None if the file is not a JPEG of a supported kind. With several frame headers the most
/// demanding one counts.
pub fn read_header(file: &[u8]) -> Option<JpegHeader> {
    let mut rest = file.get(2..)?;
    let mut header: Option<JpegHeader> = None;
    loop {
        let start = rest
            .windows(2)
            .position(|two| two[0] == 0xff && !matches!(two[1], 0 | 0x01 | 0xd0..=0xd8 | 0xff))?;
        let kind = *rest.get(start + 1)?;
        let size = usize::from(u16::from_be_bytes(*rest.get(start + 2..)?.first_chunk()?));
        let body = rest.get(start + 4..start + 2 + size.max(2))?;
        match kind {
            0xc0..=0xc2 => {
                let found = frame_header(body, kind == 0xc2)?;
                header = Some(match header {
                    Some(previous) => JpegHeader {
                        components: previous.components.max(found.components),
                        samples: previous.samples.max(found.samples),
                        buffers_coefficients: previous.buffers_coefficients
                            || found.buffers_coefficients,
                    },
                    None => found,
                });
            }
            0xda => {
                let header = header?;
                let is_interleaved = usize::from(*body.first()?) == header.components;
                return Some(JpegHeader {
                    buffers_coefficients: header.buffers_coefficients || !is_interleaved,
                    ..header
                });
            }
            0xd9 => return None,
            _ => {}
        }
        rest = rest.get(start + 2 + size..)?;
    }
}

fn frame_header(body: &[u8], is_progressive: bool) -> Option<JpegHeader> {
    let components = usize::from(*body.get(5)?);
    let components_bytes = body.get(6..6 + components * 3)?.chunks_exact(3);
    let sizes: Vec<(u64, u64)> = components_bytes
        .map(|component| (u64::from(component[1] >> 4), u64::from(component[1] & 15)))
        .collect();
    let max_size = sizes.iter().map(|(x, _)| x).max()? * sizes.iter().map(|(_, y)| y).max()?;
    let all: u64 = sizes.iter().map(|(x, y)| x * y).sum();
    Some(JpegHeader {
        components,
        samples: (all * 64).checked_div(max_size)?,
        buffers_coefficients: is_progressive,
    })
}

impl JpegHeader {
    fn coefficient_bytes(&self, pixels: u64) -> u64 {
        if self.buffers_coefficients {
            pixels * self.samples * 2 / 64
        } else {
            0
        }
    }

    /// For decoding at full size, including a copy of the file.
    pub fn full_decode_bytes(&self, pixels: u64, file: u64) -> u64 {
        // Grey is converted to RGB, so two copies exist for a short time.
        let each = if self.components == 1 { 4 } else { 3 };
        self.coefficient_bytes(pixels) + pixels * each + file
    }

    /// For decoding at half the width and height: first the components, then the pixels. None if
    /// the decoder cannot do it.
    pub fn half_decode_bytes(&self, pixels: u64) -> Option<u64> {
        let scaled = pixels / 4 * (self.samples + 3 * 64) / 64;
        matches!(self.components, 1 | 3)
            .then(|| self.coefficient_bytes(pixels) + scaled + 6 * 1024 * 1024)
    }
}

/// Decodes at half the width and height by leaving out the highest frequencies.
pub fn decode_half(file: &[u8], max_bytes: u64) -> Result<Pixels, jpeg_decoder::Error> {
    let missing_size = || jpeg_decoder::Error::Format("no size".into());
    let mut decoder = jpeg_decoder::Decoder::new(file);
    decoder.set_max_decoding_buffer_size(usize::try_from(max_bytes).unwrap_or(usize::MAX));
    decoder.read_info()?;
    let info = decoder.info().ok_or_else(missing_size)?;
    let (width, height) = decoder.scale(info.width / 2, info.height / 2)?;
    let bytes = decoder.decode()?;
    let (wide, high) = (u32::from(width), u32::from(height));
    match bytes
        .len()
        .checked_div(usize::from(width) * usize::from(height))
    {
        Some(3) => Ok(Pixels {
            width: wide,
            height: high,
            has_alpha: false,
            bytes,
        }),
        Some(1) => {
            let mut shrinker = Shrinker::new(wide, high, 1, 1);
            for row in bytes.chunks_exact(usize::from(width)) {
                shrinker.push_row(row);
            }
            Ok(shrinker.finish())
        }
        _ => Err(missing_size()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(frame: u8, components_bytes: &[u8], scan: u8) -> Vec<u8> {
        let mut file = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 0xff, 0xc2];
        let count = u8::try_from(components_bytes.len()).unwrap();
        file.extend([0xff, frame, 0, 8 + 3 * count, 8, 0, 40, 0, 60, count]);
        for component in components_bytes {
            file.extend([1, *component, 0]);
        }
        file.extend([0xff, 0xda, 0, 3, scan, 0]);
        file
    }

    #[test]
    fn header_gives_decoder_memory() {
        let header = |file: Vec<u8>| read_header(&file).unwrap();
        let baseline = header(file(0xc0, &[0x22, 0x11, 0x11], 3));
        assert_eq!(
            (baseline.samples, baseline.buffers_coefficients),
            (96, false)
        );
        let fine = header(file(0xc2, &[0x11, 0x11, 0x11], 1));
        assert_eq!((fine.samples, fine.buffers_coefficients), (192, true));
        let not_interleaved = header(file(0xc0, &[0x11, 0x11, 0x11], 1));
        assert!(not_interleaved.buffers_coefficients);
        assert!(
            header(file(0xc0, &[0x11; 4], 4))
                .half_decode_bytes(1)
                .is_none()
        );
        assert_eq!(fine.full_decode_bytes(1000, 5), 1000 * 9 + 5);

        let small_first = [
            file(0xc0, &[0x11], 1)[..21].to_vec(),
            file(0xc2, &[0x11; 3], 3)[8..].to_vec(),
        ];
        assert_eq!(header(small_first.concat()), fine);
        for cut in 0..30 {
            let complete = file(0xc2, &[0x11; 3], 3);
            read_header(&complete[..cut.min(complete.len())]);
        }
        assert_eq!(read_header(b"\xff\xd8\xff\xd9"), None);
    }
}

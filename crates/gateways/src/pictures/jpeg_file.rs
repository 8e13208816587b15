//! What a JPEG's header says of the memory that decoding it takes, and decoding in half its size.

use super::pixels::Pixels;
use super::shrink::Shrinker;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    components: usize,
    /// Samples of all components together, for each 64 pixels.
    samples: u64,
    /// Progressive, or its components one after the other: all coefficients are kept until the end.
    keeps_coefficients: bool,
}

/// None for what is no JPEG of the usual kinds. Should there be several frame headers, the most demanding one counts.
pub fn head_of(file: &[u8]) -> Option<Head> {
    let mut rest = file.get(2..)?;
    let mut head: Option<Head> = None;
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
                head = Some(match head {
                    Some(before) => Head {
                        components: before.components.max(found.components),
                        samples: before.samples.max(found.samples),
                        keeps_coefficients: before.keeps_coefficients || found.keeps_coefficients,
                    },
                    None => found,
                });
            }
            0xda => {
                let head = head?;
                let all_at_once = usize::from(*body.first()?) == head.components;
                return Some(Head {
                    keeps_coefficients: head.keeps_coefficients || !all_at_once,
                    ..head
                });
            }
            0xd9 => return None,
            _ => {}
        }
        rest = rest.get(start + 2 + size..)?;
    }
}

fn frame_header(body: &[u8], is_progressive: bool) -> Option<Head> {
    let components = usize::from(*body.get(5)?);
    let shares = body.get(6..6 + components * 3)?.chunks_exact(3);
    let sizes: Vec<(u64, u64)> = shares
        .map(|share| (u64::from(share[1] >> 4), u64::from(share[1] & 15)))
        .collect();
    let most = sizes.iter().map(|(x, _)| x).max()? * sizes.iter().map(|(_, y)| y).max()?;
    let all: u64 = sizes.iter().map(|(x, y)| x * y).sum();
    Some(Head {
        components,
        samples: (all * 64).checked_div(most)?,
        keeps_coefficients: is_progressive,
    })
}

impl Head {
    fn coefficient_bytes(&self, pixels: u64) -> u64 {
        if self.keeps_coefficients {
            pixels * self.samples * 2 / 64
        } else {
            0
        }
    }

    /// Decoded as a whole, beside a copy of the file.
    pub fn whole_bytes(&self, pixels: u64, file: u64) -> u64 {
        // Grey becomes colour, and is there twice for a moment.
        let each = if self.components == 1 { 4 } else { 3 };
        self.coefficient_bytes(pixels) + pixels * each + file
    }

    /// Decoded to half its width and height: first the components, then the pixels. None where that cannot be done.
    pub fn half_bytes(&self, pixels: u64) -> Option<u64> {
        let scaled = pixels / 4 * (self.samples + 3 * 64) / 64;
        matches!(self.components, 1 | 3)
            .then(|| self.coefficient_bytes(pixels) + scaled + 6 * 1024 * 1024)
    }
}

/// In half its width and height, by leaving out the finest frequencies.
pub fn decode_half(file: &[u8], max_bytes: u64) -> Result<Pixels, jpeg_decoder::Error> {
    let broken = || jpeg_decoder::Error::Format("no size".into());
    let mut decoder = jpeg_decoder::Decoder::new(file);
    decoder.set_max_decoding_buffer_size(usize::try_from(max_bytes).unwrap_or(usize::MAX));
    decoder.read_info()?;
    let info = decoder.info().ok_or_else(broken)?;
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
            let mut coloured = Shrinker::new(wide, high, 1, 1);
            for row in bytes.chunks_exact(usize::from(width)) {
                coloured.push(row);
            }
            Ok(coloured.done())
        }
        _ => Err(broken()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(frame: u8, shares: &[u8], scan: u8) -> Vec<u8> {
        let mut file = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 0xff, 0xc2];
        let count = u8::try_from(shares.len()).unwrap();
        file.extend([0xff, frame, 0, 8 + 3 * count, 8, 0, 40, 0, 60, count]);
        for share in shares {
            file.extend([1, *share, 0]);
        }
        file.extend([0xff, 0xda, 0, 3, scan, 0]);
        file
    }

    #[test]
    fn the_header_tells_what_decoding_takes() {
        let head = |file: Vec<u8>| head_of(&file).unwrap();
        let baseline = head(file(0xc0, &[0x22, 0x11, 0x11], 3));
        assert_eq!((baseline.samples, baseline.keeps_coefficients), (96, false));
        let fine = head(file(0xc2, &[0x11, 0x11, 0x11], 1));
        assert_eq!((fine.samples, fine.keeps_coefficients), (192, true));
        let one_by_one = head(file(0xc0, &[0x11, 0x11, 0x11], 1));
        assert!(one_by_one.keeps_coefficients);
        assert!(head(file(0xc0, &[0x11; 4], 4)).half_bytes(1).is_none());
        assert_eq!(fine.whole_bytes(1000, 5), 1000 * 9 + 5);

        let small_first = [
            file(0xc0, &[0x11], 1)[..21].to_vec(),
            file(0xc2, &[0x11; 3], 3)[8..].to_vec(),
        ];
        assert_eq!(head(small_first.concat()), fine);
        for cut in 0..30 {
            let whole = file(0xc2, &[0x11; 3], 3);
            head_of(&whole[..cut.min(whole.len())]);
        }
        assert_eq!(head_of(b"\xff\xd8\xff\xd9"), None);
    }
}

//! Shrinks an image while its rows arrive, so that a large one is never in memory as a whole.

use crate::pixels::Pixels;

/// Averages squares of `factor` × `factor` pixels, also the smaller ones at the right and at the
/// bottom.
pub struct Shrinker {
    source: (u32, u32),
    channels: usize,
    factor: u32,
    rows: u32,
    /// For each pixel of the current output row: the sums of red, green, blue and alpha.
    sums: Vec<[u32; 4]>,
    output: Pixels,
}

impl Shrinker {
    /// The smallest factor with which `width` × `height` pixels of `bytes_per_pixel` take no more
    /// than `max_bytes`.
    pub fn factor(width: u32, height: u32, bytes_per_pixel: u64, max_bytes: u64) -> u32 {
        (1..=width.max(height).max(1))
            .find(|factor| {
                let pixels =
                    u64::from(width.div_ceil(*factor)) * u64::from(height.div_ceil(*factor));
                pixels * bytes_per_pixel <= max_bytes
            })
            .unwrap_or(1)
    }

    /// For rows with 1 (grey), 2 (grey and alpha), 3 (RGB) or 4 (RGBA) bytes a pixel.
    pub fn new(width: u32, height: u32, channels: usize, factor: u32) -> Shrinker {
        let factor = factor.max(1);
        let (wide, high) = (width.div_ceil(factor), height.div_ceil(factor));
        let output = Pixels::black(wide, high, channels.is_multiple_of(2));
        Shrinker {
            source: (width, height),
            channels,
            factor,
            rows: 0,
            sums: vec![[0; 4]; usize::try_from(wide).unwrap_or(0)],
            output,
        }
    }

    /// The next row from the top. Surplus rows are ignored.
    pub fn push_row(&mut self, row: &[u8]) {
        let (_, height) = self.source;
        if self.rows >= height {
            return;
        }
        let factor = usize::try_from(self.factor).unwrap_or(1);
        let (channels, has_alpha) = (self.channels, self.output.has_alpha);
        if factor == 1 {
            let line = self.output.row_mut(self.rows);
            let size = if has_alpha { 4 } else { 3 };
            for (to, from) in line.chunks_exact_mut(size).zip(row.chunks_exact(channels)) {
                to.copy_from_slice(&to_rgba(from)[..size]);
            }
            self.rows += 1;
            return;
        }
        for (sum, square) in self.sums.iter_mut().zip(row.chunks(factor * channels)) {
            for pixel in square.chunks_exact(channels) {
                let [red, green, blue, alpha] = to_rgba(pixel).map(u32::from);
                let weight = if has_alpha { alpha } else { 1 };
                sum[0] += red * weight;
                sum[1] += green * weight;
                sum[2] += blue * weight;
                sum[3] += weight;
            }
        }
        self.rows += 1;
        if self.rows.is_multiple_of(self.factor) || self.rows == height {
            self.finish_row();
        }
    }

    fn finish_row(&mut self) {
        let (width, _) = self.source;
        let at = (self.rows - 1) / self.factor;
        let high = self.rows - at * self.factor;
        let has_alpha = self.output.has_alpha;
        let line = self.output.row_mut(at);
        let size = if has_alpha { 4 } else { 3 };
        let mut left = width;
        for (pixel, sum) in line.chunks_exact_mut(size).zip(&mut self.sums) {
            let [red, green, blue, weight] = std::mem::take(sum);
            let average = |sum: u32, count: u32| {
                u8::try_from((sum + count / 2).checked_div(count).unwrap_or(0)).unwrap_or(255)
            };
            let count = left.min(self.factor) * high;
            left = left.saturating_sub(self.factor);
            let whole = [
                average(red, weight),
                average(green, weight),
                average(blue, weight),
                average(weight, count),
            ];
            pixel.copy_from_slice(&whole[..size]);
        }
    }

    /// One pixel at any position, for rows that do not arrive in order. Only the first pixel of
    /// each square is used.
    pub fn set_pixel(&mut self, x: u32, y: u32, pixel: &[u8]) {
        let is_first = x.is_multiple_of(self.factor) && y.is_multiple_of(self.factor);
        if !is_first || x >= self.source.0 || y >= self.source.1 {
            return;
        }
        let size = if self.output.has_alpha { 4 } else { 3 };
        let at = usize::try_from(x / self.factor).unwrap_or(0) * size;
        let line = self.output.row_mut(y / self.factor);
        if let Some(to) = line.get_mut(at..at + size) {
            to.copy_from_slice(&to_rgba(pixel)[..size]);
        }
    }

    pub fn finish(self) -> Pixels {
        self.output
    }
}

fn to_rgba(pixel: &[u8]) -> [u8; 4] {
    match *pixel {
        [grey] => [grey, grey, grey, 255],
        [grey, alpha] => [grey, grey, grey, alpha],
        [red, green, blue] => [red, green, blue, 255],
        [red, green, blue, alpha] => [red, green, blue, alpha],
        _ => [0; 4],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shrink(rows: &[&[u8]], channels: usize, factor: u32) -> Pixels {
        let width = u32::try_from(rows[0].len() / channels).unwrap();
        let height = u32::try_from(rows.len()).unwrap();
        let mut shrinker = Shrinker::new(width, height, channels, factor);
        for row in rows {
            shrinker.push_row(row);
        }
        shrinker.push_row(rows[0]);
        shrinker.finish()
    }

    #[test]
    fn squares_are_averaged_also_at_edges() {
        let rows: [&[u8]; 3] = [&[0, 10, 100], &[20, 30, 200], &[7, 9, 60]];
        let small = shrink(&rows, 1, 2);
        assert_eq!((small.width, small.height), (2, 2));
        assert_eq!(
            small.bytes,
            [15, 15, 15, 150, 150, 150, 8, 8, 8, 60, 60, 60]
        );
        let same = shrink(&rows, 1, 1);
        assert_eq!((same.width, same.height, same.bytes[3]), (3, 3, 10));
    }

    #[test]
    fn transparent_pixels_add_no_colour() {
        let small = shrink(
            &[
                &[200, 0, 0, 255, 0, 99, 99, 0],
                &[100, 0, 0, 255, 1, 1, 1, 0],
            ],
            4,
            2,
        );
        assert_eq!(small.bytes, [150, 0, 0, 128]);
        let nothing = shrink(&[&[9, 0, 9, 0]], 2, 2);
        assert_eq!(nothing.bytes, [0, 0, 0, 0]);
    }

    #[test]
    fn factor_is_smallest_that_fits() {
        assert_eq!(Shrinker::factor(7000, 7000, 4, 60_000_000), 2);
        assert_eq!(Shrinker::factor(3000, 3000, 4, 60_000_000), 1);
        assert_eq!(Shrinker::factor(7000, 7000, 4, 8_000_000), 5);
        assert_eq!(Shrinker::factor(1, 65_535, 4, 1000), 263);
    }
}

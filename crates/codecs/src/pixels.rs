//! Decoded pixels: 8 bits a channel, sRGB, with an alpha channel only if something is transparent.

use anyhow::Context;
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::pixels::{InnerPixel, U16x3, U16x4};
use fast_image_resize::{
    PixelComponentMapper, PixelTrait, PixelType, ResizeOptions, Resizer, create_srgb_mapper,
};
use image::metadata::Orientation;
use image::{DynamicImage, RgbImage, RgbaImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// Images are resized in linear light, which preserves the brightness of fine detail. That takes 6
/// bytes a pixel, so only a strip of about this many bytes is converted at a time.
const STRIP_BYTES: usize = 3 * 1024 * 1024;
/// The resizer's Lanczos filter reads this many pixels of the smaller image on each side.
const FILTER_RADIUS: u64 = 3;

#[derive(Debug, Clone)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub has_alpha: bool,
    pub bytes: Vec<u8>,
}

impl Pixels {
    pub fn black(width: u32, height: u32, has_alpha: bool) -> Pixels {
        let mut pixels = Pixels {
            width,
            height,
            has_alpha,
            bytes: Vec::new(),
        };
        let rows = usize::try_from(height).unwrap_or(0);
        pixels.bytes = vec![0; pixels.row_bytes() * rows];
        pixels
    }

    pub fn from_image(image: DynamicImage) -> Pixels {
        let has_alpha = image.color().has_alpha();
        let (width, height) = (image.width(), image.height());
        let bytes = if has_alpha {
            image.into_rgba8().into_raw()
        } else {
            image.into_rgb8().into_raw()
        };
        Pixels {
            width,
            height,
            has_alpha,
            bytes,
        }
    }

    fn row_bytes(&self) -> usize {
        usize::try_from(self.width).unwrap_or(0) * self.channels()
    }

    /// Empty if there is no such row.
    pub fn row_mut(&mut self, at: u32) -> &mut [u8] {
        let size = self.row_bytes();
        let start = usize::try_from(at).unwrap_or(0) * size;
        self.bytes.get_mut(start..start + size).unwrap_or_default()
    }

    /// Takes two copies for a short time, so a large image is resized first.
    pub fn with_orientation(self, orientation: Orientation) -> anyhow::Result<Pixels> {
        if orientation == Orientation::NoTransforms {
            return Ok(self);
        }
        let (width, height) = (self.width, self.height);
        let image = if self.has_alpha {
            RgbaImage::from_raw(width, height, self.bytes).map(DynamicImage::from)
        } else {
            RgbImage::from_raw(width, height, self.bytes).map(DynamicImage::from)
        };
        let mut image = image.context("the pixels do not fill the picture")?;
        image.apply_orientation(orientation);
        Ok(Pixels::from_image(image))
    }

    /// Converts from an ICC profile to sRGB. An invalid profile is ignored, as in browsers.
    pub fn into_srgb(mut self, profile: Option<&[u8]>) -> Pixels {
        let Some(Ok(profile)) = profile.map(ColorProfile::new_from_slice) else {
            return self;
        };
        if profile.color_space != DataColorSpace::Rgb {
            return self;
        }
        let layout = if self.has_alpha {
            Layout::Rgba
        } else {
            Layout::Rgb
        };
        let srgb = ColorProfile::new_srgb();
        let transform =
            profile.create_transform_8bit(layout, &srgb, layout, TransformOptions::default());
        let (Ok(transform), size) = (transform, self.row_bytes().max(1)) else {
            return self;
        };
        let mut converted = vec![0; size];
        for row in self.bytes.chunks_exact_mut(size) {
            // All rows have the same layout and size, so only the first one can fail.
            if transform.transform(row, &mut converted).is_err() {
                break;
            }
            row.copy_from_slice(&converted);
        }
        self
    }

    /// Drops the alpha channel if every pixel is opaque.
    pub fn drop_opaque_alpha(mut self) -> Pixels {
        if !self.has_alpha || self.bytes.chunks_exact(4).any(|pixel| pixel[3] != 255) {
            return self;
        }
        // In place: a copy of a large image would take too much memory.
        let pixels = self.bytes.len() / 4;
        for at in 1..pixels {
            self.bytes.copy_within(at * 4..at * 4 + 3, at * 3);
        }
        self.bytes.truncate(pixels * 3);
        self.bytes.shrink_to_fit();
        self.has_alpha = false;
        self
    }

    fn map_pixels(&self, colour: impl Fn(&[u8]) -> [u8; 3]) -> Vec<u8> {
        self.bytes.chunks_exact(4).flat_map(colour).collect()
    }

    /// For formats without alpha: composes the image on white.
    pub fn flatten_on_white(&self) -> Pixels {
        if !self.has_alpha {
            return self.clone();
        }
        Pixels {
            has_alpha: false,
            bytes: self.map_pixels(|pixel| {
                let over_white = |at: usize| {
                    let (part, alpha) = (u32::from(pixel[at]), u32::from(pixel[3]));
                    u8::try_from((part * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(255)
                };
                [over_white(0), over_white(1), over_white(2)]
            }),
            ..*self
        }
    }

    /// `#rrggbb`, shown as a placeholder while the image loads. Transparent pixels do not count.
    pub fn average_colour(&self) -> String {
        let mut sums = [0u64; 3];
        let mut weight = 0u64;
        for pixel in self.bytes.chunks_exact(self.channels()) {
            let alpha = pixel.get(3).map_or(255, |alpha| u64::from(*alpha));
            weight += alpha;
            for (sum, part) in sums.iter_mut().zip(pixel) {
                *sum += u64::from(*part) * alpha;
            }
        }
        let [red, green, blue] =
            sums.map(|sum| (sum + weight / 2).checked_div(weight).unwrap_or(255));
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Resized to this width; the height follows.
    pub fn at_width(&self, width: u32) -> anyhow::Result<Pixels> {
        let exact = u64::from(self.height) * u64::from(width);
        let height = (exact + u64::from(self.width) / 2) / u64::from(self.width.max(1));
        self.resized(width, u32::try_from(height.max(1))?)
    }

    /// Resized to this size, unless it is smaller already.
    pub fn resized_to_fit(self, (width, height): (u32, u32)) -> anyhow::Result<Pixels> {
        if self.width <= width && self.height <= height {
            return Ok(self);
        }
        self.resized(width, height)
    }

    fn resized(&self, width: u32, height: u32) -> anyhow::Result<Pixels> {
        if (width, height) == (self.width, self.height) {
            return Ok(self.clone());
        }
        let mut small = Pixels::black(width, height, self.has_alpha);
        let row_bytes = small.row_bytes();
        let source_rows = STRIP_BYTES / 2 / self.row_bytes().max(1);
        let rows = source_rows * usize::try_from(height)? / usize::try_from(self.height.max(1))?;
        let rows = rows.max(1);
        let mut resizer = Resizer::new();
        let mapper = create_srgb_mapper();
        for (strip, bytes) in small.bytes.chunks_mut(rows * row_bytes).enumerate() {
            let first = u32::try_from(strip * rows)?;
            let count = u32::try_from(bytes.len() / row_bytes)?;
            let made = self.strip(&mut resizer, &mapper, height, first, (width, count))?;
            bytes.copy_from_slice(&made);
        }
        Ok(small)
    }

    /// Resizes to an image of `height` rows and returns `size` pixels of it, starting at row
    /// `first`.
    fn strip(
        &self,
        resizer: &mut Resizer,
        mapper: &PixelComponentMapper,
        height: u32,
        first: u32,
        size: (u32, u32),
    ) -> anyhow::Result<Vec<u8>> {
        let (fine, coarse) = if self.has_alpha {
            (PixelType::U16x4, PixelType::U8x4)
        } else {
            (PixelType::U16x3, PixelType::U8x3)
        };
        let (width, count) = size;
        let (own, made) = (u64::from(self.height), u64::from(height.max(1)));
        let reach = FILTER_RADIUS * own.div_ceil(made) + 2;
        let from = (u64::from(first) * own / made).saturating_sub(reach);
        let to = (u64::from(first + count) * own).div_ceil(made) + reach;
        let (from, to) = (u32::try_from(from)?, u32::try_from(to.min(own))?);
        let row_bytes = self.row_bytes();
        let part = usize::try_from(from)? * row_bytes..usize::try_from(to)? * row_bytes;
        let source = self.bytes.get(part);
        let source = source.context("the pixels do not fill the picture")?;
        let source = ImageRef::new(self.width, to - from, source, coarse)?;
        let mut light = Image::new(self.width, to - from, fine);
        mapper.forward_map(&source, &mut light)?;
        let mut small_light = Image::new(width, count, fine);
        let scale = f64::from(self.height) / f64::from(height);
        let top = f64::from(first) * scale - f64::from(from);
        let high = (f64::from(count) * scale).min(f64::from(to - from) - top);
        let crop = ResizeOptions::new().crop(0.0, top, f64::from(self.width), high);
        if self.has_alpha {
            resize::<U16x4>(resizer, &light, &mut small_light, &crop)?;
        } else {
            resize::<U16x3>(resizer, &light, &mut small_light, &crop)?;
        }
        let mut small = Image::new(width, count, coarse);
        mapper.backward_map(&small_light, &mut small)?;
        Ok(small.into_vec())
    }

    fn channels(&self) -> usize {
        if self.has_alpha { 4 } else { 3 }
    }
}

/// Like `Resizer::resize`, which would compile the code for all types of pixels: 15 times as much.
fn resize<P: InnerPixel + PixelTrait>(
    resizer: &mut Resizer,
    from: &Image<'_>,
    to: &mut Image<'_>,
    options: &ResizeOptions,
) -> anyhow::Result<()> {
    let from = from.typed_image::<P>().context("the type of the pixels")?;
    let mut to = to
        .typed_image_mut::<P>()
        .context("the type of the pixels")?;
    Ok(resizer.resize_typed(&from, &mut to, options)?)
}

/// Scales a size down to a longest side and a number of pixels.
pub fn size_within(width: u32, height: u32, side: u32, pixels: u64) -> (u32, u32) {
    let (wide, high) = (u64::from(width.max(1)), u64::from(height.max(1)));
    let (longest, side) = (wide.max(high), u64::from(side));
    let (wide, high) = if longest > side {
        (
            (wide * side / longest).max(1),
            (high * side / longest).max(1),
        )
    } else {
        (wide, high)
    };
    let (wide, high) = if wide * high > pixels {
        let narrow = (pixels * wide / high).isqrt().clamp(1, wide);
        (narrow, (high * narrow / wide).max(1))
    } else {
        (wide, high)
    };
    let small = |length: u64| u32::try_from(length).unwrap_or(u32::MAX);
    (small(wide), small(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_within_limits_side_and_pixels() {
        assert_eq!(size_within(5000, 40, 4096, 6_000_000), (4096, 32));
        assert_eq!(size_within(3200, 1500, 4096, 6_000_000), (3200, 1500));
        assert_eq!(size_within(7000, 7000, 4096, 6_000_000), (2449, 2449));
        assert_eq!(size_within(1, 60_000, 512, 6_000_000), (1, 512));
        assert_eq!(size_within(8160, 6120, 512, 6_000_000), (512, 384));
    }

    /// Resized in one strip.
    fn resized_as_a_whole(pixels: &Pixels, width: u32, height: u32) -> Vec<u8> {
        let (mut resizer, mapper) = (Resizer::new(), create_srgb_mapper());
        let size = (width, height);
        let made = pixels.strip(&mut resizer, &mapper, height, 0, size);
        made.unwrap()
    }

    #[test]
    fn resize_in_strips_equals_resize_as_a_whole() {
        for has_alpha in [false, true] {
            let mut pixels = Pixels::black(200, 3001, has_alpha);
            let mut state = 1_u32;
            for byte in &mut pixels.bytes {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *byte = state.to_be_bytes()[0];
            }
            for (width, height) in [(97, 700), (64, 48), (199, 3000)] {
                let strips = pixels.resized(width, height).unwrap();
                let whole = resized_as_a_whole(&pixels, width, height);
                let max_difference = strips
                    .bytes
                    .iter()
                    .zip(&whole)
                    .map(|(a, b)| a.abs_diff(*b))
                    .max();
                assert!(max_difference.unwrap() <= 1, "{width}: {max_difference:?}");
            }
        }
    }
}

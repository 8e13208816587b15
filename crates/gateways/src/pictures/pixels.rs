//! Pixels in memory: 8 bits a channel, sRGB, with alpha only where something is transparent.

use anyhow::Context;
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{PixelType, Resizer, create_srgb_mapper};
use image::DynamicImage;
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// Up to here a picture is resized in linear light, which keeps fine grain as bright as it is; it
/// needs another 6 bytes a pixel, too much for the largest uploads.
const LINEAR_PIXELS: usize = 20_000_000;

#[derive(Debug, Clone)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub has_alpha: bool,
    pub bytes: Vec<u8>,
}

impl Pixels {
    /// `profile` says what the numbers mean in colours; without one they mean sRGB.
    pub fn from_image(image: DynamicImage, profile: Option<&[u8]>) -> Pixels {
        let has_alpha = image.color().has_alpha();
        let (width, height) = (image.width(), image.height());
        let bytes = if has_alpha {
            image.into_rgba8().into_raw()
        } else {
            image.into_rgb8().into_raw()
        };
        let mut pixels = Pixels {
            width,
            height,
            has_alpha,
            bytes,
        };
        if let Some(profile) = profile {
            pixels.convert_to_srgb(profile);
        }
        if has_alpha && pixels.bytes.chunks_exact(4).all(|pixel| pixel[3] == 255) {
            pixels.bytes = pixels.composed(|pixel| [pixel[0], pixel[1], pixel[2]]);
            pixels.has_alpha = false;
        }
        pixels
    }

    /// A profile that cannot be read is left aside, as browsers do.
    fn convert_to_srgb(&mut self, profile: &[u8]) {
        let Ok(profile) = ColorProfile::new_from_slice(profile) else {
            return;
        };
        if profile.color_space != DataColorSpace::Rgb {
            return;
        }
        let layout = if self.has_alpha {
            Layout::Rgba
        } else {
            Layout::Rgb
        };
        let converted = profile
            .create_transform_8bit(
                layout,
                &ColorProfile::new_srgb(),
                layout,
                TransformOptions::default(),
            )
            .and_then(|transform| {
                let mut converted = vec![0; self.bytes.len()];
                transform.transform(&self.bytes, &mut converted)?;
                Ok(converted)
            });
        if let Ok(converted) = converted {
            self.bytes = converted;
        }
    }

    fn composed(&self, colour: impl Fn(&[u8]) -> [u8; 3]) -> Vec<u8> {
        self.bytes.chunks_exact(4).flat_map(colour).collect()
    }

    /// For formats without alpha: the picture as it looks on white paper.
    pub fn on_white(&self) -> Pixels {
        if !self.has_alpha {
            return self.clone();
        }
        Pixels {
            has_alpha: false,
            bytes: self.composed(|pixel| {
                let over_white = |at: usize| {
                    let (part, alpha) = (u32::from(pixel[at]), u32::from(pixel[3]));
                    u8::try_from((part * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(255)
                };
                [over_white(0), over_white(1), over_white(2)]
            }),
            ..*self
        }
    }

    /// `#rrggbb`, to stand in the picture's place until it has come. What is transparent counts
    /// for nothing.
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

    /// The same picture with this width; its height follows.
    pub fn at_width(&self, width: u32) -> anyhow::Result<Pixels> {
        let exact = u64::from(self.height) * u64::from(width);
        let height = (exact + u64::from(self.width) / 2) / u64::from(self.width.max(1));
        self.resized(width, u32::try_from(height.max(1))?)
    }

    /// The same picture with no side longer than this.
    pub fn within(self, side: u32) -> anyhow::Result<Pixels> {
        let longest = self.width.max(self.height);
        if longest <= side {
            return Ok(self);
        }
        let scaled = |length: u32| {
            u32::try_from(u64::from(length) * u64::from(side) / u64::from(longest))
                .map(|length| length.max(1))
        };
        self.resized(scaled(self.width)?, scaled(self.height)?)
    }

    fn resized(&self, width: u32, height: u32) -> anyhow::Result<Pixels> {
        if (width, height) == (self.width, self.height) {
            return Ok(self.clone());
        }
        let (fine, coarse) = if self.has_alpha {
            (PixelType::U16x4, PixelType::U8x4)
        } else {
            (PixelType::U16x3, PixelType::U8x3)
        };
        let source = ImageRef::new(self.width, self.height, &self.bytes, coarse)
            .context("the pixels do not fill the picture")?;
        let mut small = Image::new(width, height, coarse);
        let mut resizer = Resizer::new();
        if self.bytes.len() / self.channels() <= LINEAR_PIXELS {
            let mapper = create_srgb_mapper();
            let mut light = Image::new(self.width, self.height, fine);
            mapper.forward_map(&source, &mut light)?;
            let mut small_light = Image::new(width, height, fine);
            resizer.resize(&light, &mut small_light, None)?;
            mapper.backward_map(&small_light, &mut small)?;
        } else {
            resizer.resize(&source, &mut small, None)?;
        }
        Ok(Pixels {
            width,
            height,
            has_alpha: self.has_alpha,
            bytes: small.into_vec(),
        })
    }

    fn channels(&self) -> usize {
        if self.has_alpha { 4 } else { 3 }
    }
}

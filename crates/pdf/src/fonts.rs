//! The embedded fonts, and shaping: text becomes positioned glyphs. A text may mix Latin and Devanagari; a word that the
//! first font of a face does not have is set in the second one.

use std::ops::Range;
use std::sync::LazyLock;

use harfrust::{
    Buffer, Direction, Feature, Font as FontFile, GlyphId, Script, ShapeOptions, ShapePlan,
    ShaperFont, Tag, shape as shape_buffer,
};
use unicode_normalization::UnicodeNormalization;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    Regular,
    Bold,
    Display,
}

/// All measures are in units of the font size.
#[derive(Debug, Clone)]
pub struct Glyph {
    pub id: u16,
    pub advance: f32,
    pub x_offset: f32,
    pub y_offset: f32,
    /// The part of the run's text that the glyph is for, perhaps together with other glyphs.
    pub cluster: Range<usize>,
}

/// Glyphs of one font and one script.
#[derive(Clone)]
pub struct Run {
    pub font: &'static Font,
    pub text: String,
    pub glyphs: Vec<Glyph>,
    /// The size of this font beside the others.
    pub scale: f32,
    /// In units of the font size.
    pub width: f32,
}

#[derive(Clone, Default)]
pub struct Shaped {
    pub runs: Vec<Run>,
    /// In units of the font size.
    pub width: f32,
}

pub struct Font {
    pub name: &'static str,
    pub bytes: &'static [u8],
    pub file: FontFile,
    /// One for Latin, one for Devanagari. To make them takes longer than to shape a word.
    plans: [ShapePlan; 2],
}

const LATIN: usize = 0;
const DEVANAGARI: usize = 1;
const SCRIPTS: [Script; 2] = [Script::LATIN, Script::DEVANAGARI];
/// Devanagari letters of the same size look smaller.
const SCALES: [f32; 2] = [1.0, 1.12];

/// Columns of amounts need digits of equal width.
fn features() -> [Feature; 1] {
    [Feature::new(Tag::new(b"tnum"), 1, ..)]
}

impl Font {
    fn load(name: &'static str, bytes: &'static [u8]) -> Option<Font> {
        let file = FontFile::new(bytes, 0)?;
        let plans = SCRIPTS.map(|script| {
            let direction = Direction::LeftToRight;
            ShapePlan::new(&file, direction, Some(script), None, &features())
        });
        Some(Font {
            name,
            bytes,
            file,
            plans,
        })
    }

    pub fn glyph_of(&self, c: char) -> Option<u16> {
        let glyph = self.file.charmap().map_unicode(c)?;
        u16::try_from(glyph.to_u32()).ok().filter(|id| *id != 0)
    }

    /// In units of the font size.
    pub fn advance(&self, glyph: u16) -> f32 {
        let metrics = self.file.glyph_metrics();
        metrics.h_advance(GlyphId::from(glyph)) / f32::from(self.file.units_per_em())
    }

    fn shape(&'static self, text: &str, script: usize) -> Run {
        let mut buffer = Buffer::new();
        buffer.push_str(text);
        // Scripts from right to left have no font here; their boxes stay in the order of the text.
        buffer.set_direction(Direction::LeftToRight);
        buffer.set_script(Some(SCRIPTS[script]));
        let features = features();
        let options = ShapeOptions::new()
            .plan(Some(&self.plans[script]))
            .features(&features);
        // Fails only if the plan is for another direction or script.
        let is_shaped = shape_buffer(&ShaperFont::new(&self.file), &mut buffer, options).is_ok();
        debug_assert!(is_shaped);
        let (infos, positions) = (buffer.glyph_infos(), buffer.glyph_positions());
        #[allow(clippy::cast_precision_loss)] // far below the limit of exact numbers
        let em = |units: i32| units as f32 / f32::from(self.file.units_per_em());
        let mut width = 0.0;
        let glyphs = infos.iter().zip(positions).enumerate();
        let glyphs = glyphs
            .map(|(at, (info, position))| {
                let start = info.cluster as usize;
                let later = infos[at..].iter().find(|next| next.cluster > info.cluster);
                let end = later.map_or(text.len(), |next| next.cluster as usize);
                let advance = em(position.x_advance);
                width += advance;
                Glyph {
                    id: u16::try_from(info.glyph_id).unwrap_or(0),
                    advance,
                    x_offset: em(position.x_offset),
                    y_offset: em(position.y_offset),
                    cluster: start..end,
                }
            })
            .collect();
        Run {
            font: self,
            text: text.to_owned(),
            glyphs,
            scale: SCALES[script],
            width: width * SCALES[script],
        }
    }
}

struct Fonts {
    files: [Font; 5],
}

/// None only if a file in `fonts/` is damaged; a test loads all of them.
static FONTS: LazyLock<Option<Fonts>> = LazyLock::new(|| {
    let figtree = include_bytes!("../fonts/figtree-regular.ttf");
    let figtree_semibold = include_bytes!("../fonts/figtree-semibold.ttf");
    let dm_serif = include_bytes!("../fonts/dm-serif-display.ttf");
    let mukta = include_bytes!("../fonts/mukta-regular.ttf");
    let mukta_semibold = include_bytes!("../fonts/mukta-semibold.ttf");
    Some(Fonts {
        files: [
            Font::load("Figtree-Regular", figtree)?,
            Font::load("Mukta-Regular", mukta)?,
            Font::load("Figtree-SemiBold", figtree_semibold)?,
            Font::load("DMSerifDisplay-Regular", dm_serif)?,
            Font::load("Mukta-SemiBold", mukta_semibold)?,
        ],
    })
});

pub fn are_loaded() -> bool {
    FONTS.is_some()
}

/// The fonts of a face, the preferred one first.
fn fonts_of(face: Face) -> Vec<&'static Font> {
    let Some(fonts) = &*FONTS else {
        return Vec::new();
    };
    let [figtree, mukta, figtree_semibold, dm_serif, mukta_semibold] = &fonts.files;
    match face {
        Face::Regular => vec![figtree, mukta],
        Face::Bold => vec![figtree_semibold, mukta_semibold],
        Face::Display => vec![dm_serif, mukta_semibold],
    }
}

/// One line of text.
pub fn shape(face: Face, text: &str) -> Shaped {
    let fonts = fonts_of(face);
    let mut shaped = Shaped::default();
    for (font, script, text) in itemize(&fonts, &clean(text)) {
        let run = fonts[font].shape(&text, script);
        shaped.width += run.width;
        shaped.runs.push(run);
    }
    shaped
}

/// Letters with separate accents are composed, because the fonts have most of them composed only. Control characters
/// become spaces.
pub fn clean(text: &str) -> String {
    let has_accents = text.chars().any(|c| ('\u{300}'..'\u{370}').contains(&c));
    let composed: String = if has_accents {
        text.nfc().collect()
    } else {
        text.to_owned()
    };
    composed.replace(|c: char| c.is_control(), " ")
}

/// Parts of the text with one font and one script each.
fn itemize(fonts: &[&Font], text: &str) -> Vec<(usize, usize, String)> {
    let mut items: Vec<(usize, usize, String)> = Vec::new();
    if fonts.is_empty() {
        return items;
    }
    for word in text.split_inclusive(' ') {
        let has_all = |font: &&Font| {
            word.chars()
                .all(|c| is_invisible(c) || font.glyph_of(c).is_some())
        };
        let whole = fonts.iter().position(has_all);
        for c in word.chars() {
            let last = items.last().map(|(font, script, _)| (*font, *script));
            let (last_font, last_script) = last.unwrap_or((0, LATIN));
            let font = whole.unwrap_or_else(|| {
                let having = fonts.iter().position(|font| font.glyph_of(c).is_some());
                // A character that no font has is shown as a box.
                having.unwrap_or(if is_invisible(c) { last_font } else { 0 })
            });
            let script = match c {
                '\u{900}'..='\u{97f}' | '\u{1cd0}'..='\u{1cff}' | '\u{a8e0}'..='\u{a8ff}' => {
                    DEVANAGARI
                }
                // Digits and signs beside Devanagari letters belong to them, unless they are in the first font.
                _ if c.is_alphabetic() || font == 0 => LATIN,
                _ => last_script,
            };
            match items.last_mut() {
                Some((of_font, of_script, part)) if (*of_font, *of_script) == (font, script) => {
                    part.push(c);
                }
                _ => items.push((font, script, c.to_string())),
            }
        }
    }
    items
}

/// Joiners and selectors, which have no shape of their own.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glyphs(face: Face, text: &str) -> Vec<u16> {
        let runs = shape(face, text).runs;
        let glyphs = runs.iter().flat_map(|run| &run.glyphs);
        glyphs.map(|glyph| glyph.id).collect()
    }

    #[test]
    fn every_font_is_loaded_and_has_a_visible_box() {
        assert!(are_loaded());
        for face in [Face::Regular, Face::Bold, Face::Display] {
            let shaped = shape(face, "\u{4e00}");
            assert_eq!(shaped.runs[0].glyphs[0].id, 0);
            assert!(shaped.width > 0.2);
            for font in fonts_of(face) {
                let extents = font.file.glyph_metrics().extents(GlyphId::from(0_u16));
                let is_visible = extents.is_some_and(|e| e.width != 0.0 && e.height != 0.0);
                assert!(is_visible, "{face:?}");
            }
        }
    }

    #[test]
    fn devanagari_is_shaped() {
        for face in [Face::Regular, Face::Bold, Face::Display] {
            let consonant = glyphs(face, "क");
            assert_eq!(glyphs(face, "क्ष").len(), 1, "conjunct");
            assert_eq!(glyphs(face, "श्र").len(), 1, "conjunct with ra");
            let with_matra = glyphs(face, "कि");
            assert_eq!(with_matra.len(), 2);
            assert_eq!(
                with_matra[1], consonant[0],
                "the vowel sign i is to the left"
            );
            let with_reph = glyphs(face, "र्क");
            assert_eq!(
                with_reph[0], consonant[0],
                "the r comes after its consonant"
            );
        }
    }

    #[test]
    fn names_have_all_their_glyphs() {
        for text in [
            "₹1,24,500.50 – “Mirasa’s” 5 · 50% × 2",
            "Śrī Kṛṣṇa Gaṇeśa Ṭhākur Ḍoṃbivlī Ñāna",
            "José Müller Łukasz Øystein Ağaoğlu Dvořák",
            "ज्योत्स्ना क्षीरसागर, श्रीमती उर्मिला ट्रस्ट, द्वारा डॉ. ऋषीकेश ॲड. ०१२३४५६७८९ ।",
            "क़ख़ग़ज़ड़ढ़फ़य़ ऱ्हास",
            "e\u{301} t\u{323}",
        ] {
            for face in [Face::Regular, Face::Bold, Face::Display] {
                assert!(!glyphs(face, text).contains(&0), "{face:?} {text}");
            }
        }
    }

    #[test]
    fn digits_after_devanagari_keep_their_size() {
        let shaped = shape(Face::Regular, "पुणे 411002");
        let scales: Vec<_> = shaped.runs.iter().map(|run| run.scale).collect();
        assert_eq!(scales, [SCALES[DEVANAGARI], SCALES[LATIN]]);
    }

    #[test]
    fn figures_have_equal_widths() {
        let one = shape(Face::Regular, "1").width;
        assert!(
            "0123456789"
                .chars()
                .all(|digit| shape(Face::Regular, &digit.to_string()).width == one)
        );
    }
}

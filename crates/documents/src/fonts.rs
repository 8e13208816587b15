//! The embedded fonts, and shaping: text becomes positioned glyphs. A text may mix Latin and Devanagari; a word that the
//! first font of a face does not have is set in the second one.

use std::sync::LazyLock;

use harfrust::{
    Direction, Feature, FontRef, Script, ShapeOptions, ShapePlan, ShaperData, Tag, UnicodeBuffer,
    script,
};
use krilla::text::{Font as PdfFont, GlyphId, KrillaGlyph};
use skrifa::MetadataProvider;
use unicode_normalization::UnicodeNormalization;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    Regular,
    Bold,
    Display,
}

/// Glyphs of one font and one script.
#[derive(Debug, Clone)]
pub struct Run {
    pub font: PdfFont,
    pub text: String,
    pub glyphs: Vec<KrillaGlyph>,
    /// The size of this font beside the others.
    pub scale: f32,
    /// In units of the font size.
    pub width: f32,
}

#[derive(Debug, Clone, Default)]
pub struct Shaped {
    pub runs: Vec<Run>,
    /// In units of the font size.
    pub width: f32,
}

struct Font {
    pdf: PdfFont,
    file: FontRef<'static>,
    shaper: ShaperData,
    /// One for Latin, one for Devanagari. To make them takes longer than to shape a word.
    plans: [ShapePlan; 2],
}

const LATIN: usize = 0;
const DEVANAGARI: usize = 1;
const SCRIPTS: [Script; 2] = [script::LATIN, script::DEVANAGARI];
/// Devanagari letters of the same size look smaller.
const SCALES: [f32; 2] = [1.0, 1.12];

/// Columns of amounts need digits of equal width.
fn features() -> [Feature; 1] {
    [Feature::new(Tag::new(b"tnum"), 1, ..)]
}

impl Font {
    fn load(bytes: &'static [u8]) -> Option<Font> {
        let file = FontRef::new(bytes).ok()?;
        let shaper = ShaperData::new(&file);
        let plans = SCRIPTS.map(|script| {
            let shaper = shaper.shaper(&file).build();
            ShapePlan::new(
                &shaper,
                Direction::LeftToRight,
                Some(script),
                None,
                &features(),
            )
        });
        Some(Font {
            pdf: PdfFont::new(bytes.into(), 0)?,
            file,
            shaper,
            plans,
        })
    }

    fn has(&self, c: char) -> bool {
        self.file.charmap().map(c).is_some()
    }

    fn shape(&self, text: &str, script: usize) -> Run {
        let shaper = self.shaper.shaper(&self.file).build();
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        // Scripts from right to left have no font here; their boxes stay in the order of the text.
        buffer.set_direction(Direction::LeftToRight);
        buffer.set_script(SCRIPTS[script]);
        let features = features();
        let options = ShapeOptions::new()
            .plan(Some(&self.plans[script]))
            .features(&features);
        let output = shaper.shape(buffer, options);
        let (infos, positions) = (output.glyph_infos(), output.glyph_positions());
        #[allow(clippy::cast_precision_loss)] // far below the limit of exact numbers
        let em = |units: i32| units as f32 / shaper.units_per_em() as f32;
        let mut width = 0.0;
        let glyphs = infos.iter().zip(positions).enumerate();
        let glyphs = glyphs
            .map(|(at, (info, position))| {
                let start = info.cluster as usize;
                let later = infos[at..].iter().find(|next| next.cluster > info.cluster);
                let end = later.map_or(text.len(), |next| next.cluster as usize);
                let advance = em(position.x_advance);
                width += advance;
                KrillaGlyph::new(
                    GlyphId::new(info.glyph_id),
                    advance,
                    em(position.x_offset),
                    em(position.y_offset),
                    em(position.y_advance),
                    start..end,
                    None,
                )
            })
            .collect();
        Run {
            font: self.pdf.clone(),
            text: text.to_owned(),
            glyphs,
            scale: SCALES[script],
            width: width * SCALES[script],
        }
    }
}

struct Fonts {
    regular: [Font; 2],
    bold: [Font; 2],
    display: [Font; 2],
}

/// None only if a file in `fonts/` is damaged; a test loads all of them.
static FONTS: LazyLock<Option<Fonts>> = LazyLock::new(|| {
    let load = |first: &'static [u8], second: &'static [u8]| {
        Some([Font::load(first)?, Font::load(second)?])
    };
    let mukta_semibold = include_bytes!("../fonts/mukta-semibold.ttf");
    Some(Fonts {
        regular: load(
            include_bytes!("../fonts/figtree-regular.ttf"),
            include_bytes!("../fonts/mukta-regular.ttf"),
        )?,
        bold: load(
            include_bytes!("../fonts/figtree-semibold.ttf"),
            mukta_semibold,
        )?,
        display: load(
            include_bytes!("../fonts/dm-serif-display.ttf"),
            mukta_semibold,
        )?,
    })
});

pub fn are_loaded() -> bool {
    FONTS.is_some()
}

fn fonts_of(face: Face) -> &'static [Font] {
    match (face, &*FONTS) {
        (_, None) => &[],
        (Face::Regular, Some(fonts)) => &fonts.regular,
        (Face::Bold, Some(fonts)) => &fonts.bold,
        (Face::Display, Some(fonts)) => &fonts.display,
    }
}

/// One line of text.
pub fn shape(face: Face, text: &str) -> Shaped {
    let fonts = fonts_of(face);
    let mut shaped = Shaped::default();
    for (font, script, text) in itemize(fonts, &clean(text)) {
        let run = fonts[font].shape(&text, script);
        shaped.width += run.width;
        shaped.runs.push(run);
    }
    shaped
}

/// Letters with separate accents are composed, because the fonts have most of them composed only. Control characters
/// become spaces.
fn clean(text: &str) -> String {
    let has_accents = text.chars().any(|c| ('\u{300}'..'\u{370}').contains(&c));
    let composed: String = if has_accents {
        text.nfc().collect()
    } else {
        text.to_owned()
    };
    composed.replace(|c: char| c.is_control(), " ")
}

/// Parts of the text with one font and one script each.
fn itemize(fonts: &[Font], text: &str) -> Vec<(usize, usize, String)> {
    let mut items: Vec<(usize, usize, String)> = Vec::new();
    if fonts.is_empty() {
        return items;
    }
    for word in text.split_inclusive(' ') {
        let has_all = |font: &Font| word.chars().all(|c| is_invisible(c) || font.has(c));
        let whole = fonts.iter().position(has_all);
        for c in word.chars() {
            let last = items.last().map(|(font, script, _)| (*font, *script));
            let (last_font, last_script) = last.unwrap_or((0, LATIN));
            let font = whole.unwrap_or_else(|| {
                let having = fonts.iter().position(|font| font.has(c));
                // A character that no font has is shown as a box.
                having.unwrap_or(if is_invisible(c) { last_font } else { 0 })
            });
            let script = match c {
                '\u{900}'..='\u{97f}' | '\u{1cd0}'..='\u{1cff}' | '\u{a8e0}'..='\u{a8ff}' => {
                    DEVANAGARI
                }
                _ if c.is_alphabetic() => LATIN,
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

/// The last glyph of a part may be wider than inside the word, where the next glyph is moved towards it.
const KERNING: f32 = 0.15;

/// Breaks the text into lines of at most this width, in units of the font size. A word that is too long is broken
/// between glyphs.
pub fn wrap(face: Face, text: &str, max_width: f32) -> Vec<Shaped> {
    let space = shape(face, " ").width;
    let mut lines = Vec::new();
    for paragraph in text.lines().map(clean) {
        let (mut line, mut width) = (String::new(), 0.0);
        // Not at other spaces: a no-break space keeps a number and its unit together.
        for word in paragraph.split([' ', '\t']).filter(|word| !word.is_empty()) {
            let mut rest = word.to_owned();
            while !rest.is_empty() {
                let shaped = shape(face, &rest);
                let gap = if line.is_empty() { 0.0 } else { space };
                if width + gap + shaped.width <= max_width {
                    if !line.is_empty() {
                        line.push(' ');
                    }
                    line.push_str(&rest);
                    width += gap + shaped.width;
                    break;
                }
                if !line.is_empty() {
                    lines.push(shape(face, &line));
                    (line, width) = (String::new(), 0.0);
                    continue;
                }
                let (fitting, remaining) = split_word(&shaped, max_width - KERNING);
                lines.push(shape(face, &fitting));
                rest = remaining;
            }
        }
        if !line.is_empty() {
            lines.push(shape(face, &line));
        }
    }
    lines
}

/// The beginning of a word that fits, at least one cluster, and the rest.
fn split_word(shaped: &Shaped, max_width: f32) -> (String, String) {
    let text: String = shaped.runs.iter().map(|run| run.text.as_str()).collect();
    let (mut run_start, mut width) = (0, 0.0);
    for run in &shaped.runs {
        for glyph in &run.glyphs {
            width += glyph.x_advance * run.scale;
            let cluster_start = run_start + glyph.text_range.start;
            if width > max_width && cluster_start > 0 {
                let (fitting, rest) = text.split_at(cluster_start);
                return (fitting.to_owned(), rest.to_owned());
            }
        }
        run_start += run.text.len();
    }
    (text, String::new())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn glyphs(face: Face, text: &str) -> Vec<u32> {
        let runs = shape(face, text).runs;
        let glyphs = runs.iter().flat_map(|run| &run.glyphs);
        glyphs.map(|glyph| glyph.glyph_id.to_u32()).collect()
    }

    fn text_of(lines: &[Shaped]) -> String {
        let runs = lines.iter().flat_map(|line| &line.runs);
        runs.map(|run| run.text.as_str()).collect()
    }

    #[test]
    fn every_font_is_loaded_and_has_a_visible_box() {
        assert!(are_loaded());
        for face in [Face::Regular, Face::Bold, Face::Display] {
            let shaped = shape(face, "\u{4e00}");
            assert_eq!(shaped.runs[0].glyphs[0].glyph_id.to_u32(), 0);
            assert!(shaped.width > 0.2);
            for font in fonts_of(face) {
                use skrifa::prelude::{LocationRef, Size};
                let glyph = skrifa::GlyphId::new(0);
                let metrics = font
                    .file
                    .glyph_metrics(Size::unscaled(), LocationRef::default());
                let bounds = metrics.bounds(glyph);
                let is_visible = bounds.is_some_and(|b| b.x_max > b.x_min && b.y_max > b.y_min);
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
    fn figures_have_equal_widths() {
        let one = shape(Face::Regular, "1").width;
        assert!(
            "0123456789"
                .chars()
                .all(|digit| shape(Face::Regular, &digit.to_string()).width == one)
        );
    }

    #[test]
    fn no_break_space_keeps_a_unit_with_its_number() {
        let lines = wrap(Face::Regular, "Goda (50\u{a0}g)", 2.6);
        assert_eq!(text_of(&lines[1..]), "(50\u{a0}g)");
    }

    fn without_spaces(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    proptest! {
        #[test]
        fn wrapped_lines_lose_nothing(text: String, max_width in 0.0_f32..30.0) {
            let lines = wrap(Face::Regular, &text, max_width);
            prop_assert_eq!(without_spaces(&text_of(&lines)), without_spaces(&clean(&text)));
        }

        #[test]
        fn wrapped_lines_fit(text in "(([क-ह]्)?[क-ह][ा-ौ]?ं?| |[a-zA-Z]){0,60}", max_width in 4.0_f32..30.0) {
            let lines = wrap(Face::Regular, &text, max_width);
            prop_assert_eq!(without_spaces(&text_of(&lines)), without_spaces(&text));
            for line in &lines {
                prop_assert!(line.width <= max_width + 0.01, "{} of {max_width}", line.width);
            }
        }
    }
}

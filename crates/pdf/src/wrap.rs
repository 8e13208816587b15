//! Line breaking.

use crate::fonts::{Face, Shaped, clean, shape};

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
                let (fitting, remaining) = fitting_part(face, &shaped, max_width);
                lines.push(fitting);
                rest = remaining;
            }
        }
        if !line.is_empty() {
            lines.push(shape(face, &line));
        }
    }
    lines
}

/// The beginning of a word that fits, at least one cluster, and the rest. A part may be wider than its glyphs inside the
/// word: they are shaped anew, without the kerning and the ligature with what follows.
fn fitting_part(face: Face, word: &Shaped, max_width: f32) -> (Shaped, String) {
    let mut limit = max_width;
    loop {
        let (fitting, rest) = split_word(word, limit);
        let part = shape(face, &fitting);
        let excess = part.width - max_width;
        if excess <= 0.0 || limit <= 0.0 {
            return (part, rest);
        }
        limit -= excess.max(0.05);
    }
}

/// The beginning of a word whose glyphs fit, at least one cluster, and the rest.
fn split_word(shaped: &Shaped, max_width: f32) -> (String, String) {
    let text: String = shaped.runs.iter().map(|run| run.text.as_str()).collect();
    let (mut run_start, mut width) = (0, 0.0);
    for run in &shaped.runs {
        for glyph in &run.glyphs {
            width += glyph.advance * run.scale;
            let cluster_start = run_start + glyph.cluster.start;
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

    fn text_of(lines: &[Shaped]) -> String {
        let runs = lines.iter().flat_map(|line| &line.runs);
        runs.map(|run| run.text.as_str()).collect()
    }

    #[test]
    fn no_break_space_keeps_a_unit_with_its_number() {
        let lines = wrap(Face::Regular, "Goda (50\u{a0}g)", 2.6);
        assert_eq!(text_of(&lines[1..]), "(50\u{a0}g)");
    }

    #[test]
    fn part_of_a_word_fits_after_it_is_shaped_anew() {
        let text = "REल\u{94d}गॉङRत\u{94d}ढSKदॉन\u{94d}ऩ";
        for line in wrap(Face::Regular, text, 7.114) {
            assert!(line.width <= 7.114, "{}", line.width);
        }
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

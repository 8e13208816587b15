//! A strip with a line of text above a page of somebody else. The page grows by it, so that nothing of it is covered.

use lopdf::{Dictionary, Document, Error, Object, ObjectId, Stream, dictionary};

const HEIGHT: f32 = 16.0;
const FONT_SIZE: f32 = 11.0;
const INDENT: f32 = 6.0;
/// From the edge of the page to the baseline.
const BASELINE: f32 = 4.0;
/// Not a name that the page is likely to use.
const FONT: &str = "MirasaStrip";
/// For a page without a size, as viewers have it.
const DEFAULT_SIZE: [f32; 4] = [0.0, 0.0, 612.0, 792.0];

/// `text` is ASCII. The page has all its attributes itself.
pub fn add_strip(document: &mut Document, page: ObjectId, text: &str) -> Result<(), Error> {
    let mut dictionary = document.get_dictionary(page)?.clone();
    let media = rectangle(document, &dictionary, b"MediaBox").unwrap_or(DEFAULT_SIZE);
    let crop = rectangle(document, &dictionary, b"CropBox");
    let [left, bottom, right, top] = crop.unwrap_or(media);
    let turn = resolve(document, &dictionary, b"Rotate").and_then(|turn| turn.as_i64().ok());
    // What is above depends on how the page is turned. The first four numbers turn the text.
    let (matrix, grown) = match turn.unwrap_or_default().rem_euclid(360) {
        90 => (
            [0.0, 1.0, -1.0, 0.0, left - BASELINE, bottom + INDENT],
            [left - HEIGHT, bottom, right, top],
        ),
        180 => (
            [-1.0, 0.0, 0.0, -1.0, right - INDENT, bottom - BASELINE],
            [left, bottom - HEIGHT, right, top],
        ),
        270 => (
            [0.0, -1.0, 1.0, 0.0, right + BASELINE, top - INDENT],
            [left, bottom, right + HEIGHT, top],
        ),
        _ => (
            [1.0, 0.0, 0.0, 1.0, left + INDENT, top + BASELINE],
            [left, bottom, right, top + HEIGHT],
        ),
    };
    dictionary.set("MediaBox", array(around(media, grown)));
    if crop.is_some() {
        dictionary.set("CropBox", array(grown));
    }
    let font = document.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica-Bold", "Encoding" => "WinAnsiEncoding",
    });
    let mut resources = dictionary_of(document, &dictionary, b"Resources");
    let mut fonts = dictionary_of(document, &resources, b"Font");
    fonts.set(FONT, font);
    resources.set("Font", fonts);
    dictionary.set("Resources", resources);
    // The page's own content may leave the axes turned.
    let before = document.add_object(content("q\n".to_owned()));
    let numbers: Vec<_> = matrix.iter().map(f32::to_string).collect();
    let numbers = numbers.join(" ");
    let after = document.add_object(content(format!(
        "\nQ q 0 g BT /{FONT} {FONT_SIZE} Tf {numbers} Tm ({text}) Tj ET Q\n"
    )));
    let mut contents = vec![Object::Reference(before)];
    match dictionary.get(b"Contents") {
        Ok(Object::Array(parts)) => contents.extend(parts.iter().cloned()),
        Ok(Object::Reference(id)) => match document.get_object(*id) {
            Ok(Object::Array(parts)) => contents.extend(parts.iter().cloned()),
            _ => contents.push(Object::Reference(*id)),
        },
        _ => {}
    }
    contents.push(Object::Reference(after));
    dictionary.set("Contents", contents);
    document
        .objects
        .insert(page, Object::Dictionary(dictionary));
    Ok(())
}

fn content(text: String) -> Stream {
    Stream::new(Dictionary::new(), text.into_bytes())
}

fn resolve<'d>(
    document: &'d Document,
    dictionary: &'d Dictionary,
    name: &[u8],
) -> Option<&'d Object> {
    let value = dictionary.get(name).ok()?;
    Some(document.dereference(value).ok()?.1)
}

/// Empty if there is none.
fn dictionary_of(document: &Document, dictionary: &Dictionary, name: &[u8]) -> Dictionary {
    let found = resolve(document, dictionary, name);
    let found = found.and_then(|object| object.as_dict().ok());
    found.cloned().unwrap_or_default()
}

/// Left, bottom, right, top: a file may name any two opposite corners.
fn rectangle(document: &Document, dictionary: &Dictionary, name: &[u8]) -> Option<[f32; 4]> {
    let numbers = resolve(document, dictionary, name)?.as_array().ok()?;
    let numbers = numbers.iter().map(|number| {
        let (_, number) = document.dereference(number).ok()?;
        number.as_float().ok()
    });
    let numbers: Vec<f32> = numbers.collect::<Option<_>>()?;
    let [x1, y1, x2, y2] = numbers[..] else {
        return None;
    };
    Some([x1.min(x2), y1.min(y2), x1.max(x2), y1.max(y2)])
}

fn around(one: [f32; 4], other: [f32; 4]) -> [f32; 4] {
    [
        one[0].min(other[0]),
        one[1].min(other[1]),
        one[2].max(other[2]),
        one[3].max(other[3]),
    ]
}

fn array(numbers: [f32; 4]) -> Vec<Object> {
    numbers.map(Object::Real).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of 100 × 200 points whose content turns the axes.
    fn page(turn: i64) -> (Document, ObjectId) {
        let mut document = Document::with_version("1.7");
        let own = document.add_object(content("0 1 -1 0 0 0 cm".to_owned()));
        let fonts = document.add_object(dictionary! { "F1" => "own" });
        let resources = document.add_object(dictionary! { "Font" => fonts });
        let page = document.add_object(dictionary! {
            "Type" => "Page", "MediaBox" => vec![0.into(), 200.into(), 100.into(), 0.into()],
            "Rotate" => turn, "Contents" => own, "Resources" => resources,
        });
        (document, page)
    }

    #[test]
    fn page_grows_at_the_side_that_is_shown_above() {
        for (turn, expected) in [
            (0, [0.0, 0.0, 100.0, 216.0]),
            (90, [-16.0, 0.0, 100.0, 200.0]),
            (180, [0.0, -16.0, 100.0, 200.0]),
            (-90, [0.0, 0.0, 116.0, 200.0]),
        ] {
            let (mut document, page) = page(turn);
            add_strip(&mut document, page, "Order 0A1B2C3D").unwrap();
            let dictionary = document.get_dictionary(page).unwrap();
            let found = rectangle(&document, dictionary, b"MediaBox");
            assert_eq!(found, Some(expected), "{turn}");
            assert!(!dictionary.has(b"CropBox"));
        }
    }

    #[test]
    fn page_keeps_its_content_and_its_fonts() {
        let (mut document, page) = page(0);
        add_strip(&mut document, page, "Order 0A1B2C3D").unwrap();
        let content = document.get_page_content(page);
        let content = String::from_utf8(content).unwrap();
        let words: Vec<_> = content.split_whitespace().collect();
        assert!(
            words.starts_with(&["q", "0", "1", "-1", "0", "0", "0", "cm", "Q"]),
            "{content}"
        );
        assert!(
            content.contains("6 204 Tm (Order 0A1B2C3D) Tj"),
            "{content}"
        );
        let dictionary = document.get_dictionary(page).unwrap();
        let resources = dictionary_of(&document, dictionary, b"Resources");
        let fonts = dictionary_of(&document, &resources, b"Font");
        assert!(fonts.has(b"F1") && fonts.has(FONT.as_bytes()));
    }

    #[test]
    fn cut_page_grows_inside_its_cut() {
        let (mut document, page) = page(0);
        let dictionary = document.get_dictionary_mut(page).unwrap();
        dictionary.set("CropBox", array([10.0, 10.0, 90.0, 150.0]));
        add_strip(&mut document, page, "Order 0A1B2C3D").unwrap();
        let dictionary = document.get_dictionary(page).unwrap();
        let box_of = |name: &[u8]| rectangle(&document, dictionary, name);
        assert_eq!(box_of(b"CropBox"), Some([10.0, 10.0, 90.0, 166.0]));
        assert_eq!(box_of(b"MediaBox"), Some([0.0, 0.0, 100.0, 200.0]));
    }
}

//! What pictures are called: the names that people may give, and where the shelf keeps what.

use mirasa_app::ports::images::{Format, ImageFolder, RENDITION_WIDTHS};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

const MOST_NAME_BYTES: usize = 200;
const MAX_READABLE_BYTES: usize = 100;
const HASH_DIGITS: usize = 16;

/// A file name that cannot lead anywhere but into its own folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlainName(String);

impl PlainName {
    pub fn parse(text: &str) -> Option<PlainName> {
        let plain = !text.trim().is_empty()
            && text.len() <= MOST_NAME_BYTES
            && !text.starts_with('.')
            && !text.contains("..")
            && !text.contains(|c: char| matches!(c, '/' | '\\') || c.is_control());
        plain.then(|| PlainName(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A file that calls itself JPEG should hold one; every other name holds WebP.
    pub fn master_format(&self) -> Format {
        let extension = self.0.rsplit_once('.').map(|(_, extension)| extension);
        match extension {
            Some(e) if e.eq_ignore_ascii_case("jpg") || e.eq_ignore_ascii_case("jpeg") => {
                Format::Jpeg
            }
            _ => Format::WebP,
        }
    }
}

/// The name of an upload: what its sender calls it, in plain letters, and a part of its content's hash. So it can be read,
/// `lifestyle shot` is found in it, and two different images never have the same one.
pub fn upload_name(given: &str, hash: &str) -> String {
    let base = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
    let mut words = String::new();
    for c in stem.nfd().filter(|c| !is_combining_mark(*c)) {
        if c.is_ascii_alphanumeric() {
            words.push(c.to_ascii_lowercase());
        } else if !words.is_empty() && !words.ends_with('-') {
            words.push('-');
        }
    }
    let words = words.trim_end_matches('-');
    // What tells the images of one product apart stands at the end.
    let end = &words[words.len().saturating_sub(MAX_READABLE_BYTES)..];
    let hash = hash.get(..HASH_DIGITS).unwrap_or(hash);
    match end.trim_start_matches('-') {
        "" => format!("image-{hash}.webp"),
        words => format!("{words}-{hash}.webp"),
    }
}

/// One picture of the shelf.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    pub drawer: ImageFolder,
    pub file: PlainName,
}

impl Place {
    pub fn parse(drawer: ImageFolder, file: &str) -> Option<Place> {
        let file = PlainName::parse(file)?;
        Some(Place { drawer, file })
    }

    /// The picture as it was taken in.
    pub fn master(&self) -> String {
        format!("{}/{}", self.drawer.as_str(), self.file.as_str())
    }

    /// What the shelf knows about it.
    pub fn card(&self) -> String {
        format!("index/{}/{}.json", self.drawer.as_str(), self.file.as_str())
    }
}

/// A picture in one size and format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rendition {
    pub format: Format,
    pub width: u32,
}

impl Rendition {
    pub fn object(self, drawer: ImageFolder, version: &str) -> String {
        let extension = match self.format {
            Format::Avif => "avif",
            Format::WebP => "webp",
            Format::Jpeg => "jpg",
        };
        let (drawer, width) = (drawer.as_str(), self.width);
        format!("renditions/{drawer}/{version}-{width}.{extension}")
    }
}

const LARGEST: u32 = RENDITION_WIDTHS[RENDITION_WIDTHS.len() - 1];

/// The width to make for an asked one: the next step of the ladder, never larger than the master.
pub fn step_for(asked: u32, master_width: u32) -> u32 {
    RENDITION_WIDTHS
        .into_iter()
        .find(|width| *width >= asked)
        .unwrap_or(LARGEST)
        .min(master_width)
}

/// Every width in which a picture may exist, smallest first.
pub fn steps_of(master_width: u32) -> impl Iterator<Item = u32> {
    RENDITION_WIDTHS
        .into_iter()
        .filter(move |width| *width < master_width)
        .chain((master_width <= LARGEST).then_some(master_width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_stay_in_their_folder() {
        for good in [
            "goda-masala lifestyle shot.webp",
            "गोडा मसाला.webp",
            "a",
            "100%.png",
            &"x".repeat(200),
        ] {
            assert!(PlainName::parse(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "   ",
            ".",
            "..",
            ".hidden.webp",
            "../x.webp",
            "a/b.webp",
            "a\\b.webp",
            "/etc/passwd",
            "a..webp",
            "a\0.webp",
            "a\n.webp",
            "a\u{85}.webp",
            &"x".repeat(201),
        ] {
            assert!(PlainName::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn uploads_keep_a_readable_name() {
        let hash = "3f9a2c1b5d6e7f8091a2b3c4";
        for (given, name) in [
            ("Goda lifestyle shot.jpg", "goda-lifestyle-shot"),
            (
                "Goda__Lifestyle_Shot (1).final.PNG",
                "goda-lifestyle-shot-1-final",
            ),
            ("C:\\Users\\me\\pouch.webp", "pouch"),
            ("../../etc/passwd", "passwd"),
            ("Gōḍā Masālā – près.jpeg", "goda-masala-pres"),
            ("गोडा मसाला.webp", "image"),
            ("गोडा pouch.webp", "pouch"),
            ("", "image"),
            (".webp", "image"),
            ("..", "image"),
            ("a\0b\nc?d#e%2f&.gif", "a-b-c-d-e-2f"),
        ] {
            let made = upload_name(given, hash);
            assert_eq!(made, format!("{name}-3f9a2c1b5d6e7f80.webp"), "{given:?}");
        }
        let long = upload_name(&format!("{} lifestyle shot.jpg", "x ".repeat(3000)), hash);
        assert!(
            long.len() <= 130 && long.contains("x-lifestyle-shot-3f9a"),
            "{long}"
        );
        assert_ne!(upload_name("a.png", hash), upload_name("a.png", &hash[1..]));
    }

    #[test]
    fn asked_widths_go_up_to_the_next_step_but_not_past_the_master() {
        assert_eq!(step_for(0, 2000), 64);
        assert_eq!(step_for(161, 2000), 320);
        assert_eq!(step_for(320, 2000), 320);
        assert_eq!(step_for(1921, 2000), 2000);
        assert_eq!(step_for(u32::MAX, 2000), 2000);
        assert_eq!(step_for(u32::MAX, 4000), 3200);
        assert_eq!(step_for(640, 50), 50);
        assert_eq!(steps_of(400).collect::<Vec<_>>(), [64, 160, 320, 384, 400]);
        assert_eq!(steps_of(480).collect::<Vec<_>>(), [64, 160, 320, 384, 480]);
        assert_eq!(steps_of(4000).last(), Some(3200));
    }
}

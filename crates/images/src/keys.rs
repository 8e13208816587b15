//! File names and object keys: which names are allowed, and under which key each file is stored.

use mirasa_app::ports::images::{Format, ImageFolder, RENDITION_WIDTHS};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

const MAX_NAME_BYTES: usize = 200;
const MAX_READABLE_BYTES: usize = 100;
const HASH_DIGITS: usize = 16;

/// A file name without path separators, so that it cannot lead out of its folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SafeFileName(String);

impl SafeFileName {
    pub fn parse(text: &str) -> Option<SafeFileName> {
        let is_safe = !text.trim().is_empty()
            && text.len() <= MAX_NAME_BYTES
            && !text.starts_with('.')
            && !text.contains("..")
            && !text.contains(|c: char| matches!(c, '/' | '\\') || c.is_control());
        is_safe.then(|| SafeFileName(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// JPEG for `.jpg` and `.jpeg`, WebP for every other name.
    pub fn original_format(&self) -> Format {
        let extension = self.0.rsplit_once('.').map(|(_, extension)| extension);
        match extension {
            Some(e) if e.eq_ignore_ascii_case("jpg") || e.eq_ignore_ascii_case("jpeg") => {
                Format::Jpeg
            }
            _ => Format::WebP,
        }
    }
}

/// The stored name of an upload: its original name in ASCII letters, and a part of its content
/// hash. The name stays readable, admins find images by words such as `lifestyle shot`, and
/// different images never have the same name.
pub fn upload_name(original_name: &str, hash: &str) -> String {
    let base = original_name.rsplit(['/', '\\']).next().unwrap_or_default();
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
    // The end of a name distinguishes the images of one product.
    let end = &words[words.len().saturating_sub(MAX_READABLE_BYTES)..];
    let hash = hash.get(..HASH_DIGITS).unwrap_or(hash);
    match end.trim_start_matches('-') {
        "" => format!("image-{hash}.webp"),
        words => format!("{words}-{hash}.webp"),
    }
}

/// Identifies a stored image.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ImageKey {
    pub folder: ImageFolder,
    pub file: SafeFileName,
}

impl ImageKey {
    pub fn parse(folder: ImageFolder, file: &str) -> Option<ImageKey> {
        let file = SafeFileName::parse(file)?;
        Some(ImageKey { folder, file })
    }

    /// The key of the stored original.
    pub fn original_key(&self) -> String {
        format!("{}/{}", self.folder.as_str(), self.file.as_str())
    }

    /// The key of the metadata file.
    pub fn metadata_key(&self) -> String {
        format!("index/{}/{}.json", self.folder.as_str(), self.file.as_str())
    }
}

/// A size and format of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rendition {
    pub format: Format,
    pub width: u32,
}

impl Rendition {
    pub fn object_key(self, folder: ImageFolder, version: &str) -> String {
        let extension = match self.format {
            Format::Avif => "avif",
            Format::WebP => "webp",
            Format::Jpeg => "jpg",
        };
        let (folder, width) = (folder.as_str(), self.width);
        format!("renditions/{folder}/{version}-{width}.{extension}")
    }
}

const MAX_WIDTH: u32 = RENDITION_WIDTHS[RENDITION_WIDTHS.len() - 1];

/// The next larger width of the list, but not larger than the original.
pub fn nearest_width(requested: u32, original_width: u32) -> u32 {
    RENDITION_WIDTHS
        .into_iter()
        .find(|width| *width >= requested)
        .unwrap_or(MAX_WIDTH)
        .min(original_width)
}

/// All widths of the renditions of an image, in ascending order.
pub fn widths_up_to(original_width: u32) -> impl Iterator<Item = u32> {
    RENDITION_WIDTHS
        .into_iter()
        .filter(move |width| *width < original_width)
        .chain((original_width <= MAX_WIDTH).then_some(original_width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_file_name_rejects_paths() {
        for good in [
            "goda-masala lifestyle shot.webp",
            "गोडा मसाला.webp",
            "a",
            "100%.png",
            &"x".repeat(200),
        ] {
            assert!(SafeFileName::parse(good).is_some(), "{good}");
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
            assert!(SafeFileName::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn upload_name_is_readable_and_has_hash() {
        let hash = "3f9a2c1b5d6e7f8091a2b3c4";
        for (original_name, name) in [
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
            let made = upload_name(original_name, hash);
            assert_eq!(
                made,
                format!("{name}-3f9a2c1b5d6e7f80.webp"),
                "{original_name:?}"
            );
        }
        let long = upload_name(&format!("{} lifestyle shot.jpg", "x ".repeat(3000)), hash);
        assert!(
            long.len() <= 130 && long.contains("x-lifestyle-shot-3f9a"),
            "{long}"
        );
        assert_ne!(upload_name("a.png", hash), upload_name("a.png", &hash[1..]));
    }

    #[test]
    fn nearest_width_rounds_up_to_original_width() {
        assert_eq!(nearest_width(0, 2000), 64);
        assert_eq!(nearest_width(161, 2000), 320);
        assert_eq!(nearest_width(320, 2000), 320);
        assert_eq!(nearest_width(1921, 2000), 2000);
        assert_eq!(nearest_width(u32::MAX, 2000), 2000);
        assert_eq!(nearest_width(u32::MAX, 4000), 3200);
        assert_eq!(nearest_width(640, 50), 50);
        assert_eq!(
            widths_up_to(400).collect::<Vec<_>>(),
            [64, 160, 320, 384, 400]
        );
        assert_eq!(
            widths_up_to(480).collect::<Vec<_>>(),
            [64, 160, 320, 384, 480]
        );
        assert_eq!(widths_up_to(4000).last(), Some(3200));
    }
}

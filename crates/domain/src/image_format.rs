/// The formats in which images are stored and served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    Avif,
    WebP,
    Jpeg,
}

impl Format {
    pub const fn content_type(self) -> &'static str {
        match self {
            Format::Avif => "image/avif",
            Format::WebP => "image/webp",
            Format::Jpeg => "image/jpeg",
        }
    }
}

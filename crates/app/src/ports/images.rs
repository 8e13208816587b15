//! The shop's pictures: taken in once, served in the size and format that a browser asks for.

use async_trait::async_trait;
use bytes::Bytes;
use mirasa_domain::product::Image;

/// The widths in which pictures are made; any other is answered with the next larger one.
pub const RENDITION_WIDTHS: [u32; 12] = [
    64, 160, 320, 384, 480, 640, 768, 960, 1280, 1920, 2560, 3200,
];

pub const MAX_UPLOAD_BYTES: usize = 20 * 1024 * 1024;
pub const MAX_PIXELS: u64 = 50_000_000;

/// A customer's picture of themselves has limits of its own: anybody may send one.
pub const MAX_PROFILE_PIXELS: u64 = 12_000_000;
/// The longest side in which it is kept.
pub const PROFILE_SIDE: u32 = 512;

/// Which drawer of the shelf a picture lies in; also the folder in its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageFolder {
    Products,
    Site,
    People,
}

impl ImageFolder {
    pub const fn as_str(self) -> &'static str {
        match self {
            ImageFolder::Products => "products",
            ImageFolder::Site => "site",
            ImageFolder::People => "people",
        }
    }

    pub fn parse(text: &str) -> Option<ImageFolder> {
        [
            ImageFolder::Products,
            ImageFolder::Site,
            ImageFolder::People,
        ]
        .into_iter()
        .find(|folder| folder.as_str() == text)
    }
}

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

#[derive(Debug, Clone)]
pub struct ImageRequest {
    pub folder: ImageFolder,
    pub file: String,
    /// None asks for the picture as it was taken in.
    pub width: Option<u32>,
    /// What the browser understands, best first.
    pub formats: Vec<Format>,
}

#[derive(Debug, Clone)]
pub struct ServedImage {
    pub bytes: Bytes,
    pub content_type: &'static str,
    /// Changes whenever the picture itself does.
    pub version: String,
    /// False while the wanted size or format is still being made and a near one stands in.
    pub exact: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum ImageStoreError {
    #[error("{0} is not a picture that the shop can read")]
    NotAnImage(String),
    #[error("{0} is larger than 20 MB or 50 megapixels")]
    TooLarge(String),
    #[error("{0} is larger than 12 megapixels")]
    TooLargeForProfile(String),
    #[error(
        "{0} takes too much memory to read. Please save it as a PNG or a plain (not progressive) JPEG, or with fewer pixels"
    )]
    TooMuchMemory(String),
    #[error("{0} cannot be used as a file name")]
    InvalidName(String),
    #[error("the picture could not be kept")]
    Storage(#[source] anyhow::Error),
}

#[async_trait]
pub trait ImageStore: Send + Sync {
    /// Decodes the picture, refuses what is none, keeps it without its metadata, and tells its size
    /// and colour. With `keep_name` it is stored under `name` (replacing what was there), else under a
    /// name made of `name` and its content; a person's picture under one made of its content alone.
    async fn import(
        &self,
        folder: ImageFolder,
        name: &str,
        keep_name: bool,
        bytes: Vec<u8>,
    ) -> Result<Image, ImageStoreError>;

    /// What is known of a picture that was taken in before.
    async fn metadata(&self, folder: ImageFolder, file: &str) -> anyhow::Result<Option<Image>>;

    /// Takes the picture and all that was made of it off the shelf; one that is not there is no fault.
    async fn delete(&self, folder: ImageFolder, file: &str) -> anyhow::Result<()>;

    /// The nearest ready rendition; the wanted one is made in the background if it is missing.
    async fn get(&self, request: ImageRequest) -> anyhow::Result<Option<ServedImage>>;
}

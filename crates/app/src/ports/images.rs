//! The image store: imports images once and serves them in the size and format that a browser requests.

use async_trait::async_trait;
use bytes::Bytes;
pub use mirasa_domain::image_format::Format;
use mirasa_domain::product::Image;

/// The widths of renditions. A request for another width gets the next larger one.
pub const RENDITION_WIDTHS: [u32; 12] = [
    64, 160, 320, 384, 480, 640, 768, 960, 1280, 1920, 2560, 3200,
];

pub const MAX_UPLOAD_BYTES: usize = 20 * 1024 * 1024;
pub const MAX_PIXELS: u64 = 50_000_000;

/// Profile pictures have a lower limit, because every user can upload one.
pub const MAX_PROFILE_PIXELS: u64 = 12_000_000;
/// The longest side of a stored profile picture.
pub const PROFILE_SIDE: u32 = 512;
/// The longest side of a stored photo of a problem.
pub const PROBLEM_SIDE: u32 = 1600;

/// The folder of an image, also in its URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageFolder {
    Products,
    Site,
    People,
    /// Photos of reported problems. They are not served under `/images/`.
    Problems,
}

impl ImageFolder {
    pub const fn as_str(self) -> &'static str {
        match self {
            ImageFolder::Products => "products",
            ImageFolder::Site => "site",
            ImageFolder::People => "people",
            ImageFolder::Problems => "problems",
        }
    }

    /// A folder whose images everyone can read.
    pub fn parse_public(text: &str) -> Option<ImageFolder> {
        [
            ImageFolder::Products,
            ImageFolder::Site,
            ImageFolder::People,
        ]
        .into_iter()
        .find(|folder| folder.as_str() == text)
    }
}

#[derive(Debug, Clone)]
pub struct ImageRequest {
    pub folder: ImageFolder,
    pub file: String,
    /// None requests the original.
    pub width: Option<u32>,
    /// The formats that the browser accepts, best first.
    pub formats: Vec<Format>,
}

#[derive(Debug, Clone)]
pub struct ServedImage {
    pub bytes: Bytes,
    pub content_type: &'static str,
    /// Changes whenever the image changes.
    pub version: String,
    /// False for a fallback rendition, served while the requested one is being made.
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
    /// Decodes the image and stores it without its metadata. Returns its size and colour. With `keep_name` it is stored
    /// under `name` and replaces an existing image; otherwise under a name made of `name` and a hash of its content. The
    /// name of a profile picture is made of the hash only.
    async fn import(
        &self,
        folder: ImageFolder,
        name: &str,
        keep_name: bool,
        bytes: Vec<u8>,
    ) -> Result<Image, ImageStoreError>;

    /// The metadata of an imported image.
    async fn metadata(&self, folder: ImageFolder, file: &str) -> anyhow::Result<Option<Image>>;

    /// Deletes the image and its renditions. A missing image is not an error.
    async fn delete(&self, folder: ImageFolder, file: &str) -> anyhow::Result<()>;

    /// The requested rendition, or the nearest one that exists. A missing rendition is made in the background.
    async fn get(&self, request: ImageRequest) -> anyhow::Result<Option<ServedImage>>;
}

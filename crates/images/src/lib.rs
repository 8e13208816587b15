//! The image store: images are imported once and served in the size and format that a client
//! accepts.
//!
//! | module             | content                                                                |
//! |--------------------|------------------------------------------------------------------------|
//! | `image_store`      | the port `ImageStore`: selects the file to serve                       |
//! | `upload`           | the steps of an import                                                 |
//! | `import`           | checks, decodes and encodes an upload, with `mirasa_codecs`            |
//! | `memory`           | the shared limit for the memory of image work                          |
//! | `rendition_worker` | the background threads; `queue` has their jobs                         |
//! | `profile_pictures` | profile pictures, whose renditions are never stored                    |
//! | `metadata`         | size, colour and version of each image, and which renditions exist     |
//! | `blob_store`       | the trait for named bytes, and its implementation on a disk            |
//! | `s3`               | an implementation on S3, with the renditions on the local disk         |
//! | others             | object keys, the cache of files                                        |
//!
//! In the data folder, `products/`, `site/` and `people/` have the originals, `index/` their
//! metadata, and `renditions/` the files that can be made again.

mod blob_store;
mod cache;
mod image_store;
mod import;
mod keys;
mod memory;
mod metadata;
mod profile_pictures;
mod queue;
mod rendition_worker;
mod s3;
mod shared;
mod upload;

#[cfg(test)]
mod tests;

use std::sync::{Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

pub use blob_store::{BlobStore, DiskBlobStore};
pub use image_store::{ImageStoreSettings, ResizingImageStore};
pub use s3::{S3BlobStore, S3Settings};

/// A panic while one of these locks is held leaves the data valid, so poisoning is ignored.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn sha256_hex(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}

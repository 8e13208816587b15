//! The shelf of pictures: taken in once, served in the size and format that a browser asks for.
//!
//! | here         | what it knows                                                         |
//! |--------------|-----------------------------------------------------------------------|
//! | `shelf`      | the port: taking in, and choosing what to serve                        |
//! | `arrivals`   | the way of an upload through the shelf                                 |
//! | `intake`     | what is a picture, how large it may be, what is kept of it             |
//! | `memory`     | how much of it images take, and how much all of them may take together |
//! | `maker`      | the background threads; `queue` holds their work                       |
//! | `portraits`  | people's pictures, of which nothing but the picture itself is written  |
//! | `cards`      | size, colour and version of each picture, and which renditions exist   |
//! | `store`      | named bytes on a disk; another kind of store only needs this trait     |
//! | `bucket`     | such another one: a bucket that speaks S3, with renditions on the disk  |
//! | the others   | names, pixels, codecs, the WebP container, the memory of hot files     |
//!
//! In the folder: `products/`, `site/` and `people/` hold the pictures as they were taken in,
//! `index/` their cards, `renditions/` what was made of them and can be made again.

mod arrivals;
mod bucket;
mod cache;
mod cards;
mod encode;
mod intake;
mod jpeg_file;
mod maker;
mod memory;
mod names;
mod pixels;
mod png_file;
mod portraits;
mod queue;
mod shelf;
mod shrink;
mod store;
mod webp_file;

#[cfg(test)]
mod tests;

use std::sync::{Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

pub use bucket::{BucketSettings, BucketStore};
pub use shelf::{LocalShelf, ShelfSettings};
pub use store::{DiskStore, PictureStore};

/// No lock here is held over anything that could leave its content half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hex_of(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(bytes))
}

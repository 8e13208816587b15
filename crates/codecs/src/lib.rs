//! Decodes, resizes and encodes images. No IO, no async.
//!
//! A crate of its own because this code must be optimised in every build, and only this code.

pub mod decode;
pub mod encode;
pub mod estimate;
mod jpeg_file;
pub mod pixels;
mod png_file;
mod shrink;
pub mod webp_file;

//! Tests of the image store through its port.

mod fixtures;
mod import;
mod profile_pictures;
mod serving;
mod untrusted_input;

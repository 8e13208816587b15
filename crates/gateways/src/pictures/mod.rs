//! The shelf of pictures.

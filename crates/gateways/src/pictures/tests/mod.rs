//! The shelf from outside: what it takes in, what it refuses, what it serves.

mod foreign_bytes;
mod intake;
mod people;
mod samples;
mod serving;

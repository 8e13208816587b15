//! The shelf from outside: what it takes in, what it refuses, what it serves.

mod intake;
mod samples;
mod serving;

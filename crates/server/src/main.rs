//! `mirasa`: the shop in one program.

use std::process::ExitCode;

use clap::Parser as _;
use mirasa_server::cli::Cli;

/// Every answer is a handful of small allocations on whichever thread is free; the system's own allocator
/// is measurably slower at that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    mirasa_server::commands::run(Cli::parse())
}

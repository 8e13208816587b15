//! The binary `mirasa`.

use std::process::ExitCode;

use clap::Parser as _;
use mirasa_server::cli::Cli;

fn main() -> ExitCode {
    mirasa_server::commands::run(Cli::parse())
}

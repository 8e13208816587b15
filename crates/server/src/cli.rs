//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::config::Secret;

/// The online shop for a maker of spice blends, in one program.
#[derive(Debug, Parser)]
#[command(name = "mirasa", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the shop until SIGTERM or Ctrl-C.
    Serve(Flags),
    /// Bring the database's tables up to date.
    Migrate(Flags),
    /// Fill the shop from a catalogue folder; what is there already stays as it is.
    Seed {
        /// The folder with products/ and pictures/.
        #[arg(default_value = "catalogue")]
        catalogue: PathBuf,
        /// Also make the sizes of the pictures that pages ask for most.
        #[arg(long)]
        warm: bool,
        #[command(flatten)]
        flags: Flags,
    },
    /// Print the OpenAPI description of all calls.
    Openapi,
    /// Write all data into one file, while the shop is serving.
    Backup {
        file: PathBuf,
        #[command(flatten)]
        flags: Flags,
    },
    /// Fill an empty database from such a file, on either engine.
    Restore {
        file: PathBuf,
        #[command(flatten)]
        flags: Flags,
    },
    /// Check that stock, orders and payments agree, while the shop is serving.
    Check(Flags),
    /// Check the configuration and say what is wrong with it.
    CheckConfig(Flags),
}

/// Every flag wins over its variable, which wins over the file.
#[derive(Debug, Clone, Default, Args)]
pub struct Flags {
    /// A TOML file with the settings that differ from the defaults [env: MIRASA_CONFIG]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Where to listen [env: MIRASA_LISTEN]
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<String>,
    /// Where visitors reach the shop [env: MIRASA_PUBLIC_URL]
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// The folder for the embedded database and the pictures [env: MIRASA_DATA]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// postgres://… or sqlite:… [env: DATABASE_URL]
    #[arg(long, value_name = "URL")]
    pub database_url: Option<Secret>,
    /// Refuse to start with any sandbox part on [env: MIRASA_PRODUCTION]
    #[arg(long)]
    pub production: bool,
}

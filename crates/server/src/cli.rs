//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::secret::Secret;

/// An online shop for packaged spice blends.
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
    /// Create or update the tables of the database.
    Migrate(Flags),
    /// Import a catalogue folder. Existing products are not changed.
    Seed {
        /// The folder with products/ and pictures/.
        #[arg(default_value = "catalogue")]
        catalogue: PathBuf,
        /// Also make the image sizes that pages use most.
        #[arg(long)]
        warm: bool,
        /// Also add 90 days of demo orders, refunds, problems and messages, if the shop has no orders.
        #[arg(long)]
        history: bool,
        #[command(flatten)]
        flags: Flags,
    },
    /// Print the OpenAPI description.
    Openapi,
    /// Write all rows to one file, while the shop is serving.
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
    /// Mend batches that earlier versions left wrong, while the shop is serving.
    RepairBatches(Flags),
    /// Validate the configuration and report the first error.
    CheckConfig(Flags),
}

/// A flag overrides its variable, which overrides the file.
#[derive(Debug, Clone, Default, Args)]
pub struct Flags {
    /// A TOML file with the settings that differ from the defaults [env: MIRASA_CONFIG]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// IP address and port [env: MIRASA_LISTEN]
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<String>,
    /// URL of the shop for customers [env: MIRASA_PUBLIC_URL]
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// Folder for the SQLite database and the images [env: MIRASA_DATA]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// postgres://… or sqlite:… [env: DATABASE_URL]
    #[arg(long, value_name = "URL")]
    pub database_url: Option<Secret>,
    /// Reject sandboxes and unencrypted connections [env: MIRASA_PRODUCTION]
    #[arg(long)]
    pub production: bool,
}

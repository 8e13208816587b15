//! The commands of the binary.

pub mod check_data;
pub mod history;
pub mod repair_batches;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use mirasa_app::ports::clock::{Clock as _, SystemClock};
use mirasa_app::runtime::telemetry::TARGET;
use mirasa_demo::catalogue::import_catalogue;
use mirasa_domain::ist::DAY_MS;
use mirasa_store::PoolSize;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::cli::{Cli, Command, Flags};
use crate::config::{Config, LogFormat};
use crate::telemetry::{self, Exporter};
use crate::wiring::{TimeAndIds, build};
use crate::{metrics, serve};

pub fn run(cli: Cli) -> ExitCode {
    match dispatch(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "mirasa: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Serve(flags) => {
            let config = Config::load(&flags)?;
            let exporter = start_logging(&config, &config.telemetry.otlp_endpoint)?;
            runtime()?.block_on(serve(&config, exporter))
        }
        Command::Migrate(flags) => in_runtime(&flags, async |config| {
            let db = mirasa_store::open(&config.database()?, PoolSize(1)).await?;
            db.create_search_indexes().await?;
            print("the database is up to date")
        }),
        Command::Seed {
            catalogue,
            warm,
            history,
            flags,
        } => in_runtime(&flags, async |config| {
            let now_ms = SystemClock.now_ms();
            // The first stock comes before the history.
            let added_at_ms = if history {
                now_ms - (history::DAYS + 2) * DAY_MS
            } else {
                now_ms
            };
            let app = build(&config, config.listen, None, TimeAndIds::system()).await?;
            let (shop, images) = (&app.shop, &app.images);
            let report = import_catalogue(shop, images, &catalogue, warm, added_at_ms).await?;
            print(&report.to_string())?;
            if history {
                let report = history::seed_history(&config, now_ms, history::DAYS).await?;
                print(&report.to_string())?;
            }
            Ok(())
        }),
        Command::Openapi => print(&mirasa_http::openapi().to_pretty_json()?),
        Command::Backup { file, flags } => in_runtime(&flags, async |config| {
            let rows =
                mirasa_store::maintenance::backup::backup(&config.database()?, &file).await?;
            print(&format!("{rows} rows are in {}", file.display()))
        }),
        Command::Restore { file, flags } => in_runtime(&flags, async |config| {
            let restored =
                mirasa_store::maintenance::backup::restore(&config.database()?, &file).await?;
            if !restored.is_verified {
                let text = "warning: an earlier version wrote this file, without a checksum. Nothing shows whether it is complete";
                writeln!(std::io::stderr().lock(), "{text}")?;
            }
            print(&format!(
                "{} rows were restored from {}",
                restored.rows,
                file.display()
            ))
        }),
        Command::Check(flags) => in_runtime(&flags, async |config| {
            let report = check_data::check(&config).await?;
            print(&report.to_string())?;
            anyhow::ensure!(report.is_consistent(), "the data is not consistent");
            Ok(())
        }),
        Command::RepairBatches(flags) => in_runtime(&flags, async |config| {
            print(&repair_batches::repair(&config).await?.to_string())
        }),
        Command::CheckConfig(flags) => {
            // Does not print the settings: the database URL contains its password.
            let config = Config::load(&flags)?;
            config.database()?;
            print("the configuration is fine")
        }
    }
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    Ok(writeln!(out, "{text}")?)
}

fn in_runtime(
    flags: &Flags,
    work: impl AsyncFnOnce(Config) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let config = Config::load(flags)?;
    start_logging(&config, "")?;
    runtime()?.block_on(work(config))
}

fn runtime() -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
}

/// Returns the exporter of traces if there is an endpoint for them. Without it no span of a trace is created.
fn start_logging(config: &Config, otlp_endpoint: &str) -> anyhow::Result<Option<Exporter>> {
    let filter: Targets = config.log.parse().context("configuration key log")?;
    let filter = filter.with_target(TARGET, LevelFilter::OFF);
    let lines = layer().with_writer(std::io::stderr);
    let lines = match config.log_format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).boxed(),
    };
    let registry = tracing_subscriber::registry().with(lines.with_filter(filter));
    if otlp_endpoint.is_empty() {
        registry.init();
        return Ok(None);
    }
    let (traces, exporter) = telemetry::start(otlp_endpoint)?;
    let only_traces = Targets::new().with_target(TARGET, LevelFilter::INFO);
    registry.with(traces.with_filter(only_traces)).init();
    Ok(Some(exporter))
}

/// Names the failpoint to arm. Ignored in production.
const FAILPOINT_VAR: &str = "MIRASA_FAILPOINT";

async fn serve(config: &Config, exporter: Option<Exporter>) -> anyhow::Result<()> {
    if let Ok(point) = std::env::var(FAILPOINT_VAR)
        && !config.production
    {
        mirasa_app::runtime::failpoints::arm(&point);
    }
    let metrics = metrics::install()?;
    let stop_exporting = CancellationToken::new();
    let exporting = exporter.map(|exporter| tokio::spawn(exporter.run(stop_exporting.clone())));
    let server = serve::start(config, Some(metrics)).await?;
    tracing::info!(address = %server.address, public_url = server.shop.settings.public_url, products = server.shop.catalogue.snapshot().all().len(), "the shop is open");
    shutdown_signal().await?;
    tracing::info!("closing");
    server.stop().await;
    stop_exporting.cancel();
    if let Some(exporting) = exporting {
        exporting.await?;
    }
    Ok(())
}

async fn shutdown_signal() -> anyhow::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        _ = terminate.recv() => Ok(()),
        result = tokio::signal::ctrl_c() => Ok(result?),
    }
}

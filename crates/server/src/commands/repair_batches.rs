//! `mirasa repair-batches`: mends batches that earlier versions left wrong, and prints what it has changed.

use std::fmt;

use mirasa_app::ports::clock::{SystemClock, SystemIdGenerator};
use mirasa_app::stock::batches::repair::{BatchRepairs, repair_batches};
use mirasa_store::PoolSize;

use crate::config::Config;

pub struct RepairReport(BatchRepairs);

impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BatchRepairs { packs, grams } = &self.0;
        for one in packs {
            writeln!(
                f,
                "order {}: {} packs of 50 g and {} of 100 g of {} were taken twice and are in their batches again",
                one.order_id, one.packs.of_50g, one.packs.of_100g, one.product.0
            )?;
        }
        for one in grams {
            writeln!(
                f,
                "{}: its batches had {} g more than lie in the shop; taken from the batch that ends first",
                one.product.0, one.grams
            )?;
        }
        let changes = packs.len() + grams.len();
        match changes {
            0 => write!(f, "nothing to repair"),
            _ => write!(f, "{changes} repaired"),
        }
    }
}

pub async fn repair(config: &Config) -> anyhow::Result<RepairReport> {
    let db = mirasa_store::open(&config.database()?, PoolSize(1)).await?;
    let repairs = repair_batches(&db, &SystemClock, &SystemIdGenerator).await?;
    Ok(RepairReport(repairs))
}

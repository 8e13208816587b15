//! `mirasa check`: whether stock, orders, payments, invoices and reviews agree.

use std::fmt;

use mirasa_app::repository::reports::consistency::{BatchExcess, CheckedCounts, OrderPacks};
use mirasa_app::repository::{Database, StoreError};
use mirasa_domain::ist;
use mirasa_store::PoolSize;

use crate::config::Config;

/// What was checked, and what is wrong.
#[derive(Debug)]
pub struct ConsistencyReport {
    counts: CheckedCounts,
    problems: Vec<String>,
}

impl ConsistencyReport {
    pub fn is_consistent(&self) -> bool {
        self.problems.is_empty()
    }
}

impl fmt::Display for ConsistencyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ConsistencyReport { counts, problems } = self;
        let CheckedCounts {
            products,
            orders,
            payments,
            invoices,
            reviews,
            parcels,
            discounts,
            batches,
        } = counts;
        writeln!(f, "the stock of {products} products against the ledger")?;
        writeln!(f, "{orders} orders against the stock that they reserve")?;
        writeln!(f, "{payments} completed payments against their orders")?;
        writeln!(
            f,
            "{invoices} invoices and credit notes against payments and refunds"
        )?;
        writeln!(f, "{reviews} reviews against orders, votes and ratings")?;
        write!(f, "{parcels} parcels against their orders")?;
        write!(
            f,
            "\n{discounts} discount codes against the orders that use them"
        )?;
        write!(
            f,
            "\n{batches} batches against the ledger and the orders that have them"
        )?;
        for problem in problems {
            write!(f, "\nWRONG: {problem}")?;
        }
        if problems.is_empty() {
            write!(f, "\nall agree")?;
        }
        Ok(())
    }
}

pub async fn check(config: &Config) -> anyhow::Result<ConsistencyReport> {
    let db = mirasa_store::open(&config.database()?, PoolSize(1)).await?;
    Ok(check_consistency(&db).await?)
}

/// In one transaction, so that no order is seen while it is being placed.
pub async fn check_consistency(db: &Database) -> Result<ConsistencyReport, StoreError> {
    db.write(async move |tx| {
            let mut problems = Vec::new();
            for id in tx.products_not_matching_ledger().await? {
                problems.push(format!(
                    "the stock of {} is not the sum of its ledger",
                    id.0
                ));
            }
            for id in tx.orders_with_wrong_reservation().await? {
                problems.push(format!(
                    "order {id} reserves stock that it should not, or does not reserve what it should"
                ));
            }
            for id in tx.orders_not_matching_ledger().await? {
                problems.push(format!(
                    "the ledger of order {id} is not what it reserves"
                ));
            }
            for id in tx.orders_with_wrong_payment().await? {
                problems.push(format!("the payment of order {id} does not fit the order"));
            }
            for id in tx.orders_with_wrong_invoice().await? {
                problems.push(format!("the invoice of order {id} is not what was paid"));
            }
            for id in tx.orders_with_wrong_credit_notes().await? {
                problems.push(format!(
                    "the credit notes of order {id} do not fit its invoice and refunds"
                ));
            }
            for id in tx.orders_with_wrong_restock().await? {
                problems.push(format!(
                    "order {id} has put back more packs than it held or than were refunded"
                ));
            }
            for id in tx.orders_with_wrong_refunds().await? {
                problems.push(format!(
                    "the refunds of order {id} do not fit its packs or its issues"
                ));
            }
            for id in tx.orders_with_wrong_declaration().await? {
                problems.push(format!(
                    "the invoice of order {id} less its credit notes is not the money kept"
                ));
            }
            for id in tx.orders_with_wrong_parcel().await? {
                problems.push(format!("the parcels of order {id} do not fit the order"));
            }
            for id in tx.orders_with_wrong_cancellation().await? {
                problems.push(format!(
                    "the cancellation request of order {id} does not fit the order"
                ));
            }
            for id in tx.orders_with_wrong_problem().await? {
                problems.push(format!(
                    "the problems of order {id} were replaced or refunded wrongly"
                ));
            }
            for id in tx.orders_sent_again_wrongly().await? {
                problems.push(format!(
                    "the packs that order {id} was sent again do not fit its parcels"
                ));
            }
            for id in tx.orders_with_wrong_discount().await? {
                problems.push(format!(
                    "the total or the discount of order {id} is not the sum of its lines"
                ));
            }
            for id in tx.wrong_batches().await? {
                problems.push(format!(
                    "the batch of {id} has not what the ledger and its orders leave of it"
                ));
            }
            for OrderPacks {
                order_id, product, ..
            } in tx.batch_packs_taken_twice().await?
            {
                problems.push(format!(
                    "order {order_id} has more packs of batches of {} than it has; mirasa repair-batches mends it",
                    product.0
                ));
            }
            for BatchExcess { product, grams } in tx.batches_beyond_stock().await? {
                problems.push(format!(
                    "the batches of {} have {grams} g more than lie in the shop; mirasa repair-batches mends it",
                    product.0
                ));
            }
            for code in tx.overused_discounts().await? {
                problems.push(format!("the discount code {code} is used beyond its limit"));
            }
            for id in tx.orders_with_kept_payment().await? {
                problems.push(format!(
                    "order {id} ended with its money kept, and no issue says so"
                ));
            }
            for id in tx.orders_that_left_wrongly().await? {
                problems.push(format!(
                    "order {id} left the shop unpaid or refunded, and no issue says so"
                ));
            }
            for id in tx.orders_without_invoice().await? {
                problems.push(format!(
                    "order {id} left the shop and its money is kept, but it has no invoice"
                ));
            }
            for series in tx.incomplete_series().await? {
                problems.push(format!("the numbers of the series {series} have gaps"));
            }
            for id in tx.orders_naming_erased_customers().await? {
                problems.push(format!(
                    "an email or an issue of order {id} names a customer who was erased"
                ));
            }
            for id in tx.stock_notices_without_email().await? {
                problems.push(format!("the stock notice {id} is notified without an email"));
            }
            for id in tx.products_with_wrong_rating().await? {
                problems.push(format!(
                    "the rating of {} is not the count of its reviews",
                    id.0
                ));
            }
            for id in tx.wrong_reviews().await? {
                problems.push(format!(
                    "review {id} does not fit its order or its votes"
                ));
            }
            for day in tx.wrong_sales_days().await? {
                let (year, month, day) = ist::calendar_date(day);
                problems.push(format!(
                    "the sums of {year:04}-{month:02}-{day:02} are not those of its orders"
                ));
            }
            let counts = tx.checked_counts().await?;
            Ok(ConsistencyReport { counts, problems })
        })
    .await
}

//! How the stock moves when a batch is recorded.

use crate::stock::{Stock, StockAdjustment};

/// Where the grams of a new batch come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchSource {
    /// They come into the shop, perhaps with pouches.
    Received,
    /// They are in the shop already and only get a batch.
    InShop { without_batch: i64 },
}

/// A row of the stock ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchMovement {
    pub reason: StockAdjustment,
    pub change: Stock,
    /// Whether it is about grams of the new batch, or of those without one.
    pub is_of_batch: bool,
}

/// There are fewer grams without a batch than the new one would have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Only {without_batch} g are without a batch.")]
pub struct NotWithoutBatch {
    pub without_batch: i64,
}

/// What a new batch with this amount does to the stock. Of grams that are in the shop, only the grams count.
pub fn record(source: BatchSource, amount: Stock) -> Result<Vec<BatchMovement>, NotWithoutBatch> {
    match source {
        BatchSource::Received => Ok(vec![BatchMovement {
            reason: StockAdjustment::Received,
            change: amount,
            is_of_batch: true,
        }]),
        BatchSource::InShop { without_batch } if amount.grams > without_batch => {
            Err(NotWithoutBatch {
                without_batch: without_batch.max(0),
            })
        }
        // More first: the stock is never below zero, even if orders hold all of it.
        BatchSource::InShop { .. } => Ok(vec![
            labelled(amount.grams, true),
            labelled(-amount.grams, false),
        ]),
    }
}

/// How much more there is in all.
pub fn total(movements: &[BatchMovement]) -> Stock {
    let changes = movements.iter().map(|movement| movement.change);
    changes.fold(Stock::default(), |sum, change| sum + change)
}

fn labelled(grams: i64, is_of_batch: bool) -> BatchMovement {
    BatchMovement {
        reason: StockAdjustment::Labelled,
        change: Stock {
            grams,
            ..Stock::default()
        },
        is_of_batch,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    prop_compose! {
        fn any_amount()(grams in 1_i64..10_000, pouches_50g in 0_i64..100, pouches_100g in 0_i64..100) -> Stock {
            Stock { grams, pouches_50g, pouches_100g }
        }
    }

    /// The grams of the batch, and those without one, after each movement.
    fn after_each(movements: &[BatchMovement], mut without_batch: i64) -> Vec<(i64, i64)> {
        let mut of_batch = 0;
        let mut states = Vec::new();
        for movement in movements {
            match movement.is_of_batch {
                true => of_batch += movement.change.grams,
                false => without_batch += movement.change.grams,
            }
            states.push((of_batch, without_batch));
        }
        states
    }

    proptest! {
        #[test]
        fn received_batch_is_all_that_comes(amount in any_amount()) {
            let movements = record(BatchSource::Received, amount).unwrap();
            prop_assert_eq!(total(&movements), amount);
            prop_assert_eq!(after_each(&movements, 0), [(amount.grams, 0)]);
        }

        #[test]
        fn labelling_changes_no_stock_and_takes_what_had_no_batch(amount in any_amount(), without_batch in -100_i64..10_000) {
            let source = BatchSource::InShop { without_batch };
            match record(source, amount) {
                Err(error) => {
                    prop_assert!(amount.grams > without_batch);
                    prop_assert_eq!(error.without_batch, without_batch.max(0), "no negative number is shown");
                }
                Ok(movements) => {
                    prop_assert!(amount.grams <= without_batch);
                    prop_assert_eq!(total(&movements), Stock::default());
                    let states = after_each(&movements, without_batch);
                    prop_assert_eq!(states.last(), Some(&(amount.grams, without_batch - amount.grams)));
                    let sums = states.iter().map(|(of_batch, without)| of_batch + without);
                    prop_assert!(sums.min() >= Some(without_batch), "never less than there is");
                }
            }
        }
    }

    #[test]
    fn refusal_names_what_is_there() {
        let amount = Stock {
            grams: 500,
            ..Stock::default()
        };
        let source = BatchSource::InShop { without_batch: 300 };
        let error = record(source, amount).unwrap_err();
        assert_eq!(error.to_string(), "Only 300 g are without a batch.");
    }
}

//! Batches of a product: which one is packed, and which one is too old to be sent.

pub use crate::id::BatchId;
use crate::id::ProductId;
use crate::pack::{PackSize, Packs};

/// Nothing is sent that is best before an earlier day than this many days from now. The product page promises it.
pub const MIN_DAYS_LEFT: i64 = 45;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    pub id: BatchId,
    pub product: ProductId,
    /// As it is printed on the pouches. Unique for a product.
    pub number: String,
    /// Days in India since 1970, as `ist::day` counts them.
    pub made_on: Option<i64>,
    pub best_before: i64,
    pub received_grams: i64,
    /// Not packed, written off or missing.
    pub left_grams: i64,
    pub created_by: String,
    pub created_at_ms: i64,
}

/// A batch with an earlier best-before date is too old to be sent, and so to be sold.
pub const fn min_best_before(today: i64) -> i64 {
    today + MIN_DAYS_LEFT
}

impl Batch {
    pub const fn days_left(&self, today: i64) -> i64 {
        self.best_before - today
    }

    pub const fn can_be_sent(&self, today: i64) -> bool {
        self.best_before >= min_best_before(today)
    }
}

/// Packs of one size that are filled from one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchPacks {
    pub batch_id: BatchId,
    pub size: PackSize,
    pub quantity: u32,
}

/// What is there of a product, by batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchStock {
    /// Those with grams left, in any order.
    pub batches: Vec<Batch>,
    pub grams_without_batch: i64,
}

/// The batches that may be sent, and the grams without a batch, are not enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotEnoughFresh;

impl BatchStock {
    /// Takes packs: from the batch that ends first, but none that is too old, and then from the grams without a batch. Each
    /// pack is filled from one batch. Returns the packs that have a batch. After an error nothing has changed.
    pub fn take(&mut self, packs: Packs, today: i64) -> Result<Vec<BatchPacks>, NotEnoughFresh> {
        let mut rest = self.clone();
        rest.batches
            .sort_by(|one, other| ending_first(one).cmp(&ending_first(other)));
        let mut taken = Vec::new();
        // Large packs first: a small one can use what they leave of a batch.
        for (size, mut wanted) in [
            (PackSize::G100, packs.of_100g),
            (PackSize::G50, packs.of_50g),
        ] {
            let grams = i64::from(size.grams());
            for batch in &mut rest.batches {
                let possible = u32::try_from(batch.left_grams / grams).unwrap_or(u32::MAX);
                let quantity = wanted.min(possible);
                if quantity == 0 || !batch.can_be_sent(today) {
                    continue;
                }
                batch.left_grams -= i64::from(quantity) * grams;
                wanted -= quantity;
                taken.push(BatchPacks {
                    batch_id: batch.id.clone(),
                    size,
                    quantity,
                });
            }
            rest.grams_without_batch -= i64::from(wanted) * grams;
        }
        if rest.grams_without_batch < 0 && rest.grams_without_batch < self.grams_without_batch {
            return Err(NotEnoughFresh);
        }
        *self = rest;
        Ok(taken)
    }

    /// Grams that were counted and found missing: what is without a batch first, then from the batch that ends first. Returns
    /// how much less each batch has.
    pub fn lose(&mut self, counted_grams: i64) -> Vec<(BatchId, i64)> {
        let in_batches: i64 = self.batches.iter().map(|batch| batch.left_grams).sum();
        self.take_grams(in_batches - counted_grams)
    }

    /// Grams leave the shop, and nobody says of which batch: what is without a batch first, then from the batch that ends
    /// first. Returns how much less each batch has.
    pub fn remove(&mut self, grams: i64) -> Vec<(BatchId, i64)> {
        self.grams_without_batch -= grams;
        // Not more than that: what was missing before is no part of this change.
        let lost = self.take_grams(grams.min(-self.grams_without_batch));
        self.grams_without_batch += lost.iter().map(|(_, grams)| grams).sum::<i64>();
        lost
    }

    /// From the batch that ends first. Returns how much less each batch has.
    fn take_grams(&mut self, mut grams: i64) -> Vec<(BatchId, i64)> {
        self.batches
            .sort_by(|one, other| ending_first(one).cmp(&ending_first(other)));
        let mut taken = Vec::new();
        for batch in &mut self.batches {
            let part = grams.min(batch.left_grams);
            if part > 0 {
                batch.left_grams -= part;
                grams -= part;
                taken.push((batch.id.clone(), part));
            }
        }
        taken
    }
}

fn ending_first(batch: &Batch) -> (i64, &str) {
    (batch.best_before, &batch.number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TODAY: i64 = 20_000;

    fn batch(number: &str, best_before: i64, left_grams: i64) -> Batch {
        Batch {
            id: number.to_lowercase().into(),
            product: ProductId("goda-masala".into()),
            number: number.into(),
            made_on: None,
            best_before,
            received_grams: 10_000,
            left_grams,
            created_by: String::new(),
            created_at_ms: 0,
        }
    }

    fn taken(found: &[BatchPacks]) -> Vec<(&str, u32, u32)> {
        let row = |packs: &BatchPacks| (packs.size.grams(), packs.quantity);
        found
            .iter()
            .map(|packs| (packs.batch_id.as_str(), row(packs).0, row(packs).1))
            .collect()
    }

    #[test]
    fn batch_that_ends_first_is_packed_first() {
        let mut batch_stock = BatchStock {
            batches: vec![
                batch("B", TODAY + 200, 1_000),
                batch("OLD", TODAY + 44, 5_000),
                batch("A", TODAY + 45, 270),
            ],
            grams_without_batch: 0,
        };
        let packs = Packs {
            of_50g: 3,
            of_100g: 3,
        };
        let found = batch_stock.take(packs, TODAY).unwrap();
        assert_eq!(
            taken(&found),
            [("a", 100, 2), ("b", 100, 1), ("a", 50, 1), ("b", 50, 2)]
        );
        let left: Vec<_> = batch_stock
            .batches
            .iter()
            .map(|batch| (batch.number.as_str(), batch.left_grams))
            .collect();
        assert_eq!(left, [("OLD", 5_000), ("A", 20), ("B", 800)]);
    }

    #[test]
    fn packs_that_no_batch_has_are_filled_without_one_or_not_at_all() {
        let before = BatchStock {
            batches: vec![batch("A", TODAY + 90, 70), batch("OLD", TODAY + 44, 900)],
            grams_without_batch: 100,
        };
        let packs = |of_50g| Packs { of_50g, of_100g: 0 };
        let mut batch_stock = before.clone();
        assert_eq!(
            taken(&batch_stock.take(packs(3), TODAY).unwrap()),
            [("a", 50, 1)]
        );
        assert_eq!(batch_stock.grams_without_batch, 0);
        let mut batch_stock = before.clone();
        assert_eq!(batch_stock.take(packs(4), TODAY), Err(NotEnoughFresh));
        assert_eq!(batch_stock, before, "nothing is taken");
        // A shop whose numbers are wrong can still pack from its batches.
        batch_stock.grams_without_batch = -500;
        assert!(batch_stock.take(packs(1), TODAY).is_ok());
        assert!(batch_stock.take(packs(1), TODAY).is_err());
    }

    #[test]
    fn missing_grams_are_of_no_batch_first() {
        let mut batch_stock = BatchStock {
            batches: vec![batch("B", TODAY + 200, 1_000), batch("A", TODAY + 90, 500)],
            grams_without_batch: 300,
        };
        assert_eq!(batch_stock.lose(1_500), []);
        assert_eq!(batch_stock.lose(1_600), []);
        assert_eq!(batch_stock.lose(1_400), [("a".into(), 100)]);
        assert_eq!(
            batch_stock.lose(900),
            [("a".into(), 400), ("b".into(), 100)]
        );
        assert_eq!(batch_stock.lose(0), [("b".into(), 900)]);
    }

    #[test]
    fn grams_that_leave_without_a_batch_are_of_no_batch_first() {
        let mut batch_stock = BatchStock {
            batches: vec![batch("B", TODAY + 200, 1_000), batch("A", TODAY + 90, 500)],
            grams_without_batch: 300,
        };
        assert_eq!(batch_stock.remove(200), []);
        assert_eq!(batch_stock.remove(250), [("a".into(), 150)]);
        assert_eq!(batch_stock.grams_without_batch, 0);
        // The batches had too much before: only this change is taken from them.
        batch_stock.grams_without_batch = -100;
        assert_eq!(batch_stock.remove(50), [("a".into(), 50)]);
        assert_eq!(batch_stock.grams_without_batch, -100);
        assert_eq!(batch_stock.remove(0), []);
    }

    proptest! {
        #[test]
        fn taking_packs_loses_no_gram_and_sends_nothing_old(
            left in proptest::collection::vec((-10_i64..200, 0_i64..2_000), 0..6),
            grams_without_batch in 0_i64..1_000, of_50g in 0_u32..20, of_100g in 0_u32..20,
        ) {
            let batches = left.iter().enumerate().map(|(at, (days, grams))| {
                batch(&at.to_string(), TODAY + days, *grams)
            });
            let mut batch_stock = BatchStock { batches: batches.collect(), grams_without_batch };
            let before = batch_stock.clone();
            let packs = Packs { of_50g, of_100g };
            let sum = |batch_stock: &BatchStock| batch_stock.batches.iter().map(|batch| batch.left_grams).sum::<i64>() + batch_stock.grams_without_batch;
            match batch_stock.take(packs, TODAY) {
                Ok(taken) => {
                    prop_assert_eq!(sum(&before) - sum(&batch_stock), i64::try_from(packs.grams()).unwrap());
                    prop_assert!(batch_stock.grams_without_batch >= 0);
                    for part in &taken {
                        let batch = batch_stock.batches.iter().find(|batch| batch.id == part.batch_id).unwrap();
                        prop_assert!(batch.can_be_sent(TODAY) && batch.left_grams >= 0);
                        // No batch that ends earlier could have filled one of these packs.
                        let earlier = batch_stock.batches.iter().filter(|other| {
                            other.can_be_sent(TODAY) && other.best_before < batch.best_before
                        });
                        for other in earlier {
                            prop_assert!(other.left_grams < i64::from(part.size.grams()));
                        }
                    }
                }
                Err(NotEnoughFresh) => {
                    prop_assert_eq!(&batch_stock, &before);
                    let fresh: i64 = before.batches.iter().filter(|batch| batch.can_be_sent(TODAY)).map(|batch| batch.left_grams / 100 * 100).sum();
                    prop_assert!(fresh + grams_without_batch / 100 * 100 < i64::try_from(packs.grams()).unwrap());
                }
            }
        }
    }
}

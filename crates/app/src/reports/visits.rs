//! Counts of visits, opened products and filled carts. They are counted in memory and added to the counts of the day by a
//! worker, so no read waits for a write. Only numbers are kept: nothing says who it was. A server that is killed loses the
//! counts of some seconds.

use std::sync::atomic::{AtomicI64, Ordering};

use mirasa_domain::ist;

use crate::repository::reports::daily_sales::VisitStep;
use crate::{AppError, Shop};

#[derive(Debug, Default)]
pub struct VisitCounts([AtomicI64; VisitStep::ALL.len()]);

impl VisitCounts {
    pub fn add(&self, step: VisitStep) {
        self.0[step as usize].fetch_add(1, Ordering::Relaxed);
    }

    fn take(&self) -> Vec<(VisitStep, i64)> {
        let counts =
            VisitStep::ALL.map(|step| (step, self.0[step as usize].swap(0, Ordering::Relaxed)));
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    fn put_back(&self, counts: &[(VisitStep, i64)]) {
        for (step, count) in counts {
            self.0[*step as usize].fetch_add(*count, Ordering::Relaxed);
        }
    }
}

impl Shop {
    /// Adds what was counted since the last run to the counts of today.
    pub async fn store_visits(&self) -> Result<(), AppError> {
        let counts = self.visits.take();
        if counts.is_empty() {
            return Ok(());
        }
        let (day, added) = (ist::day(self.now_ms()), counts.clone());
        let write = self.db.write(async move |tx| {
            for (step, count) in added {
                tx.add_visits(day, step, count).await?;
            }
            Ok::<_, AppError>(())
        });
        write.await.inspect_err(|_| self.visits.put_back(&counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_taken_once_and_can_be_put_back() {
        let counts = VisitCounts::default();
        counts.add(VisitStep::Visit);
        counts.add(VisitStep::Visit);
        counts.add(VisitStep::Cart);
        let taken = counts.take();
        assert_eq!(taken, [(VisitStep::Visit, 2), (VisitStep::Cart, 1)]);
        assert!(counts.take().is_empty());
        counts.add(VisitStep::Cart);
        counts.put_back(&taken);
        assert_eq!(counts.take(), [(VisitStep::Visit, 2), (VisitStep::Cart, 2)]);
    }
}

//! Visits of the demo shop, in a believable proportion to its orders.

use mirasa_app::repository::reports::daily_sales::VisitStep;
use mirasa_app::{AppError, Shop};
use mirasa_domain::ist;
use mirasa_domain::sales::DayRange;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use super::SEED;

pub(super) async fn add_visits(shop: &Shop, now_ms: i64, days: i64) -> Result<(), AppError> {
    let mut random = StdRng::seed_from_u64(SEED);
    let range = DayRange::until(ist::day(now_ms), days + 1);
    // Visits, opened products and filled carts, by ten orders and beside them.
    let mut plan = Vec::new();
    for day in range.first..=range.last {
        let visits = (random.random_range(180..260), random.random_range(40..70));
        let products = (random.random_range(90..130), random.random_range(20..35));
        let carts = (random.random_range(15..19), random.random_range(0..3));
        plan.push((day, visits, products, carts));
    }
    let write = shop.db.write(async move |tx| {
        for (day, visits, products, carts) in plan {
            let orders = tx.count_placed_orders(DayRange::until(day, 1)).await?;
            for (step, (by_ten, more)) in [
                (VisitStep::Visit, visits),
                (VisitStep::Product, products),
                (VisitStep::Cart, carts),
            ] {
                tx.add_visits(day, step, orders * by_ten / 10 + more)
                    .await?;
            }
        }
        Ok::<_, AppError>(())
    });
    write.await
}

//! Stores the sums of changed days, and adds visits.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::reports::daily_sales::{DailySalesRepository, VisitStep};
use mirasa_domain::sales::DayRange;

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;

const COLUMNS: &str = "kind, day, key, orders, repeat_orders, packs_50g, packs_100g, sales, discounts, refunds, products";

#[async_trait]
impl DailySalesRepository for SqlRepository<'_> {
    async fn store_sales_of_changed_day(&mut self, before_day: i64) -> StoreResult<bool> {
        const FIND: &str = "select day from sales_changes where day < $1 order by day limit 1";
        let Some(day) = self
            .fetch_optional::<i64>(query(FIND).bind(before_day))
            .await?
        else {
            return Ok(false);
        };
        // Before the orders are counted, so that they have all changes whose marks are deleted. A second worker waits here
        // until the first one has committed. If there are no marks left, it must not touch the sums: a third one may be
        // storing them.
        let marks = self
            .execute(query("delete from sales_changes where day = $1").bind(day))
            .await?;
        if marks == 0 {
            return Ok(true);
        }
        self.execute(
            query("delete from daily_sales where day = $1 and kind in ('total', 'state', 'hour')")
                .bind(day),
        )
        .await?;
        let text = format!(
            "insert into daily_sales ({COLUMNS}) {}",
            self.count_sales_between()
        );
        let days = DayRange::until(day, 1);
        self.execute(query(text).bind(days.start_ms()).bind(days.end_ms()))
            .await?;
        Ok(true)
    }

    async fn add_visits(&mut self, day: i64, step: VisitStep, count: i64) -> StoreResult<()> {
        const ADD: &str = "insert into daily_visits (day, step, count) values ($1, $2, $3)
            on conflict (day, step) do update set count = daily_visits.count + excluded.count";
        self.execute(query(ADD).bind(day).bind(step.as_str()).bind(count))
            .await
            .map(drop)
    }
}

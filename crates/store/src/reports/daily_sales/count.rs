//! Counts the sales of days from their orders.

use crate::reports::daily_sales::conditions::{day_of, hour_of, is_repeat, is_sale, refunded};
use crate::sql::engine::SqlRepository;

const SUMS: &str = "count(*) as orders, cast(sum(repeated) as bigint) as repeat_orders, cast(sum(small) as bigint) as packs_50g,
    cast(sum(large) as bigint) as packs_100g, cast(sum(total) as bigint) as sales, cast(sum(discount_amount) as bigint) as discounts,
    cast(sum(refunded) as bigint) as refunds";

impl SqlRepository<'_> {
    /// Counts the sales that match the condition from the orders, with the columns of `daily_sales`.
    pub(super) fn count_sales(&self, condition: &str) -> String {
        let (sale, repeated, refunded) = (is_sale("o"), is_repeat("o"), refunded("o"));
        let (day, hour) = (day_of("o.created_at"), hour_of("o.created_at"));
        let state = self.state_of("o");
        // The lines that `ProductLine` parses.
        let item = "orders || ' ' || repeat_orders || ' ' || small || ' ' || large || ' ' || total || ' ' || discount || ' ' || product_id";
        let list = if self.is_postgres() {
            format!("string_agg({item}, '\n' order by product_id)")
        } else {
            format!("group_concat({item}, '\n' order by product_id)")
        };
        format!(
            "with sales as (select o.id, {day} as day, {hour} as hour, {state} as state, o.total, o.discount_amount,
                case when {repeated} then 1 else 0 end as repeated, {refunded} as refunded,
                (select sum(l.qty_50g) from order_lines l where l.order_id = o.id) as small,
                (select sum(l.qty_100g) from order_lines l where l.order_id = o.id) as large
                from orders o where {condition} and {sale}),
            items as (select s.day, l.product_id, count(*) as orders, cast(sum(s.repeated) as bigint) as repeat_orders,
                cast(sum(l.qty_50g) as bigint) as small, cast(sum(l.qty_100g) as bigint) as large,
                cast(sum(l.line_total) as bigint) as total, cast(sum(l.discount) as bigint) as discount
                from sales s join order_lines l on l.order_id = s.id group by s.day, l.product_id),
            lists as (select day, {list} as products from items group by day),
            totals as (select day, {SUMS} from sales group by day)
            select 'total' as kind, t.day, '' as key, t.orders, t.repeat_orders, t.packs_50g, t.packs_100g, t.sales, t.discounts,
                t.refunds, coalesce(i.products, '') as products from totals t left join lists i on i.day = t.day
            union all select 'state', day, state, {SUMS}, '' from sales group by day, state
            union all select 'hour', day, cast(hour as text), {SUMS}, '' from sales group by day, hour"
        )
    }

    pub(super) fn count_sales_between(&self) -> String {
        self.count_sales("o.created_at >= $1 and o.created_at < $2")
    }
}

//! Which orders are sales, and what of them the sums and the search of orders have.

use crate::sql::engine::SqlRepository;

/// Whether an order is a sale. `o` is the name of the table `orders` in the query.
pub(crate) fn is_sale(o: &str) -> String {
    format!(
        "{o}.payment_status = 'completed' and {o}.order_status <> 'cancelled' and {o}.replaces_order_id is null and {o}.deleted_at is null"
    )
}

/// Whether the customer has an earlier sale.
pub(crate) fn is_repeat(o: &str) -> String {
    let sale = is_sale("p");
    format!(
        "exists (select 1 from orders p where p.user_id = {o}.user_id and (p.created_at, p.id) < ({o}.created_at, {o}.id) and {sale})"
    )
}

/// What was refunded of the payment of an order. Refunds of second payments are no part of a sale.
pub(crate) fn refunded(o: &str) -> String {
    format!(
        "coalesce((select sum(r.amount) from refunds r where r.order_id = {o}.id and r.merchant_order_id = {o}.paid_by and r.state <> 'failed'), 0)"
    )
}

/// The day in India of a timestamp, as `mirasa_domain::ist::day` has it.
pub(crate) fn day_of(timestamp: &str) -> String {
    format!("({timestamp} + 19800000) / 86400000")
}

pub(crate) fn hour_of(timestamp: &str) -> String {
    format!("({timestamp} + 19800000) % 86400000 / 3600000")
}

/// `s` is a shipment. A lost parcel is late. `today` is a placeholder.
pub(crate) fn is_late(today: &str) -> String {
    format!(
        "(s.status not in ('cancelled', 'returning', 'returned') and s.expected_at is not null
        and (case when s.status = 'delivered' then {} else {today} end) > {})",
        day_of("s.ended_at"),
        day_of("s.expected_at")
    )
}

pub(crate) const IS_RETURNED: &str = "s.status in ('returning', 'returned')";

impl SqlRepository<'_> {
    /// The state of the address that an order has as JSON.
    pub(crate) fn state_of(&self, o: &str) -> String {
        if self.is_postgres() {
            format!("coalesce(cast({o}.address as json) ->> 'state', '')")
        } else {
            format!("coalesce({o}.address ->> 'state', '')")
        }
    }
}

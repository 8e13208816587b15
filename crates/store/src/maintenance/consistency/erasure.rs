//! Whether something still names customers who were erased.

/// Emails about their orders, issues with the address of such an email, and the hash of the address beside their row. An
/// erased user has no address.
pub(super) const NAMED_AFTER_ERASURE: &str =
    "select o.id from orders o join users u on u.id = o.user_id and u.deleted_at is not null and u.email = ''
    where u.email_hash is not null
    or exists (select 1 from mails m where m.order_id = o.id)
    or exists (select 1 from concerns c where c.order_id = o.id and c.kind = 'mail not sent' and c.detail like '%@%')
    order by o.id";

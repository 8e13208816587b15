-- Why and when an order ended unpaid. Late money for an order that somebody ended on purpose is returned.

alter table orders add column end_reason text;
alter table orders add column ended_at bigint;
-- Orders that were deleted before reasons were stored: late money must not bring them back unseen.
update orders set end_reason = 'deleted', ended_at = updated_at
    where deleted_at is not null and payment_status = 'failed';
create index orders_deleted_by_user on orders (user_id) where deleted_at is not null;

-- Admins find customers by their phone, and orders by a tracking number.
create index users_phone on users (phone, id) where phone is not null and deleted_at is null;
create index addresses_phone on addresses (phone, user_id) where deleted_at is null;
create index shipments_tracking_number on shipments (lower(tracking_number)) where tracking_number <> '';

-- What customers have paid, without reading the rows of their orders.
create index orders_paid_by_user on orders (user_id, total) where payment_status = 'completed' and deleted_at is null;

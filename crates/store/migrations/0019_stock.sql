-- Stock that admins count, receive and write off. The ledger says who did it and why.

alter table stock_ledger add column note text;
alter table stock_ledger add column actor text;  -- an admin's email; null: an order, or a row from before this column

-- Paid orders that have not left the shop. Most of them are still to be packed.
create index orders_to_send on orders (created_at, packed_at) where payment_status = 'completed' and order_status = 'confirmed'
    and deleted_at is null;
-- Parcels that the courier has or should have.
create index shipments_under_way on shipments (status_at)
    where status in ('ready', 'picked_up', 'in_transit', 'out_for_delivery', 'undelivered', 'returning');
-- Parcels that an admin may have to help.
create index shipments_attention on shipments (created_at) where error is not null or status in ('returned', 'lost');

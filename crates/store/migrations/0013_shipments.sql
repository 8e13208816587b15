-- Parcels. A row is also the durable job that creates, labels, tracks or cancels the parcel.

create table shipments (
    id text primary key,
    order_id text not null references orders (id),
    reference text not null unique,            -- the order's number at the partner
    partner text not null check (partner in ('integrated', 'manual')),
    rule text not null,                        -- 'cheapest', 'fastest' or the number of a courier
    status text not null check (status in ('preparing', 'ready', 'picked_up', 'in_transit', 'out_for_delivery', 'undelivered',
        'returning', 'delivered', 'returned', 'lost', 'cancelled')),
    status_at bigint not null,                 -- the time of the event that set it, by the courier's clock
    step text not null check (step in ('create', 'assign', 'label', 'pickup', 'manifest', 'track', 'cancel', 'done')),
    attempts bigint not null,                  -- at this step
    error text,
    partner_order_id bigint,
    partner_shipment_id bigint,
    courier_id bigint,                         -- the company's number at the partner
    courier text not null,
    tracking_number text not null,
    tracking_url text not null,
    weight_grams bigint not null check (weight_grams >= 0),
    cost bigint check (cost >= 0),
    return_cost bigint check (return_cost >= 0),
    expected_at bigint,
    pickup_at bigint,
    picked_up_at bigint,
    ended_at bigint,
    created_by text not null,                  -- an admin's email
    created_at bigint not null,
    updated_at bigint not null,
    due_at bigint not null,                    -- when the worker does the step
    leased_until bigint not null,
    hinted_at bigint not null default 0,       -- the last webhook
    check (partner = 'manual' or status in ('preparing', 'cancelled') or tracking_number <> '')
);
create unique index one_parcel_per_order on shipments (order_id) where status not in ('cancelled', 'returned');
create unique index one_parcel_per_tracking_number on shipments (tracking_number)
    where partner = 'integrated' and tracking_number <> '';
create index shipments_order on shipments (order_id);
create index shipments_due on shipments (due_at) where step <> 'done';
create index shipments_listed on shipments (created_at, id);
create index shipments_partner_order on shipments (partner_order_id) where partner_order_id is not null;

create table shipment_events (
    shipment_id text not null references shipments (id),
    at bigint not null,
    status text not null,
    activity text not null,
    place text not null,
    primary key (shipment_id, at, status, activity, place)
);

-- Deleted when the parcel has left: a label has the customer's address.
create table shipment_labels (
    shipment_id text primary key references shipments (id),
    pdf text not null                          -- in base64
);

create index orders_to_ship on orders (packed_at) where packed_at is not null and order_status = 'confirmed' and deleted_at is null;

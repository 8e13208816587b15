-- What is in a parcel. Until it is booked, packs can be refunded or become due again; then another parcel is booked instead.

-- Packs by product, as JSON. Null: a version that does not know it has recorded the parcel.
alter table shipments add column contents text;
-- Another parcel is booked once this one is cancelled.
alter table shipments add column books_again boolean not null default false;

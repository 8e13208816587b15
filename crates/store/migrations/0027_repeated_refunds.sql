-- Whether packs of a refund had been replaced before it was requested: an admin knew of it. Null: requested by an earlier version.
alter table refunds add column repeated boolean;

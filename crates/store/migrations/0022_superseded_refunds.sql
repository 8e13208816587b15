-- The refund that was requested instead of a failed one, so that the failed one is not repeated as well.
alter table refunds add column superseded_by text;

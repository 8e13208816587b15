-- Calls that all instances count together: a bucket that empties with each call and fills again with time.

create table call_buckets (
    key text primary key,                      -- a keyed hash of the kind of call and of whoever makes it
    full_at bigint not null,
    wait bigint not null                       -- what the last call was told, in milliseconds; 0 if it was let in
);

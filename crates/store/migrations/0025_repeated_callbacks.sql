-- A sign-in attempt is kept after its callback, with its outcome, so that a browser that repeats the callback gets the same
-- response. `outcome` is null while the code is being exchanged.
alter table sign_in_attempts add column claimed_at bigint;
alter table sign_in_attempts add column code_hash text;
alter table sign_in_attempts add column outcome text;

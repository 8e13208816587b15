-- Lists of a million orders. Each index has all that finding and counting takes, so that no row is read for it;
-- deleted orders are in none of them.

drop index orders_user;
drop index orders_created_at;
drop index orders_status;
create index orders_listed on orders (created_at, id, deleted_at) where deleted_at is null;
create index orders_listed_by_status on orders (order_status, created_at, id, deleted_at) where deleted_at is null;
create index orders_listed_by_user on orders (user_id, created_at, id, deleted_at) where deleted_at is null;
create index orders_deleted on orders (deleted_at) where deleted_at is not null;
-- An order is shown by the last 8 of its id's 36 characters.
create index orders_shown_id on orders (substr(id, 29));

create index stock_ledger_order on stock_ledger (order_id) where order_id is not null;
create index users_listed on users (created_at, id, name, email, deleted_at) where deleted_at is null;
create index contact_queries_email on contact_queries (lower(email));
create index mails_recipient on mails (recipient);
create index users_profile_picture on users (profile_picture) where profile_picture is not null;
create index users_admins on users (id) where role = 'admin' and deleted_at is null;

-- What parts the ids have, so that a part finds them among a million: crates/store/src/id_parts.rs fills these and
-- asks them. They only repeat what the tables say, and are not in a backup.

create virtual table orders_id_parts using fts5 (parts, content = '', tokenize = 'ascii', detail = none, columnsize = 0);
create virtual table users_id_parts using fts5 (parts, content = '', tokenize = 'ascii', detail = none, columnsize = 0);
-- The row up to which they are filled. Rows of orders and people are never deleted, only marked.
create table id_parts_filled (name text primary key, up_to bigint not null);
insert into id_parts_filled (name, up_to) values ('orders', 0), ('users', 0);

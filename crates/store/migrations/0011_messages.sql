-- Contact messages are read, answered and marked as done in the admin area; the owner gets emails about what is new.

alter table contact_queries add column read_at bigint;
alter table contact_queries add column done_at bigint;
alter table contact_queries add column thread_id text;   -- the email that began the thread of its replies
create index contact_queries_listed on contact_queries (at, id);
create index contact_queries_open on contact_queries (at, id) where done_at is null;
create index contact_queries_unread on contact_queries (at, id) where read_at is null and done_at is null;
create index contact_queries_done on contact_queries (at, id) where done_at is not null;

-- Deleted with their message, also by versions of the server that do not know them.
create table message_replies (
    id text primary key,                       -- also the id of its email
    message_id text not null references contact_queries (id) on delete cascade,
    who text not null,                         -- the admin's email
    body text not null,
    at bigint not null
);
create index message_replies_message on message_replies (message_id, at, id);

alter table mails add column in_reply_to text; -- the email that began the thread
alter table mails add column reply_to text;    -- where the recipient's reply goes, if not to the sender
create index mails_notifications on mails (created_at) where kind = 'notification';

-- What the owner was notified of. Without a configured address there are no rows.
create table notifications (
    kind text primary key,
    last_sent_at bigint,
    seen_until bigint not null                 -- what is older was part of an email, or is older than the first start
);

-- Who changed what and when: every admin's deed, in the transaction of the deed itself.

create table audit (
    id text primary key,
    at bigint not null,
    who text not null,
    action text not null,
    about text not null,                       -- the product, order or person
    detail text not null
);
create index audit_about on audit (about, at);

-- Reviews of products by customers who received them.

create table reviews (
    id text primary key,
    product_id text not null references products (id),
    user_id text not null references users (id),
    order_id text not null references orders (id), -- the delivery that the review is about
    stars bigint not null constraint stars_one_to_five check (stars between 1 and 5),
    body text not null,
    helpful bigint not null default 0,         -- the number of its votes
    created_at bigint not null,
    edited_at bigint,
    reply text,                                -- what the shop has written below it
    replied_at bigint,
    replied_by text,
    hidden_at bigint,
    hidden_by text,
    hidden_reason text,
    constraint hidden_for_a_reason check ((hidden_at is null) = (hidden_reason is null))
);
create unique index one_review_per_customer on reviews (product_id, user_id);
create index reviews_newest on reviews (product_id, created_at, id) where hidden_at is null;
create index reviews_helpful on reviews (product_id, helpful, created_at, id) where hidden_at is null;
create index reviews_user on reviews (user_id);
create index reviews_listed on reviews (created_at, id);

create table review_photos (
    file text primary key,
    review_id text not null references reviews (id) on delete cascade,
    position bigint not null
);
create index review_photos_review on review_photos (review_id, position);

-- What a review said before it was edited.
create table review_edits (
    review_id text not null references reviews (id) on delete cascade,
    edit bigint not null,                      -- 1 is the first text
    stars bigint not null,
    body text not null,
    replaced_at bigint not null,
    primary key (review_id, edit)
);

create table review_votes (
    review_id text not null references reviews (id) on delete cascade,
    user_id text not null references users (id),
    created_at bigint not null,
    primary key (review_id, user_id)
);
create index review_votes_user on review_votes (user_id);

-- One row for each delivered order for which the shop decided whether to ask for reviews. Without a token it did not ask.
create table review_requests (
    order_id text primary key references orders (id),
    token_hash text unique,                    -- the link in the email has the token
    created_at bigint not null
);

-- Customers who do not want to be asked.
create table review_opt_outs (
    user_id text primary key references users (id),
    created_at bigint not null
);

-- Visible reviews by stars, beside the product, because every list of products shows them.
alter table products add column stars_1 bigint not null default 0;
alter table products add column stars_2 bigint not null default 0;
alter table products add column stars_3 bigint not null default 0;
alter table products add column stars_4 bigint not null default 0;
alter table products add column stars_5 bigint not null default 0;
alter table products add column reviews_version bigint not null default 0;

create index orders_delivered on orders (delivered_at) where delivered_at is not null;

-- Tax documents. They are never changed after they are issued.

create table documents (
    id text primary key,
    kind text not null check (kind in ('tax invoice', 'bill of supply', 'credit note')),
    series text not null,                      -- the prefix of its number
    financial_year bigint not null,            -- the year in which it begins
    serial bigint not null,                    -- consecutive in its series and year
    number text not null unique check (length(number) <= 16),
    order_id text not null references orders (id),
    refund_id text references refunds (id),
    refers_to text references documents (id),  -- the invoice of a credit note
    issued_at bigint not null,
    seller text not null,                      -- as JSON
    buyer text not null,                       -- as JSON
    place_of_supply bigint not null,           -- the code of a state
    taxable bigint not null,
    cgst bigint not null,
    sgst bigint not null,
    igst bigint not null,
    total bigint not null check (total = taxable + cgst + sgst + igst),
    unique (series, financial_year, serial),
    check ((kind = 'credit note') = (refers_to is not null))
);
create unique index one_invoice_per_order on documents (order_id) where kind <> 'credit note';
create unique index one_credit_note_per_refund on documents (refund_id) where refund_id is not null;
create index documents_order on documents (order_id);
create index documents_issued on documents (issued_at, id);

create table document_lines (
    document_id text not null references documents (id),
    line bigint not null,
    product_id text not null,
    description text not null,
    hsn text not null,
    grams bigint not null,                     -- of one pack
    quantity bigint not null check (quantity >= 0),
    gross bigint not null,
    discount bigint not null check (discount >= 0),
    rate bigint not null,                      -- in hundredths of a per cent
    taxable bigint not null check (taxable >= 0),
    cgst bigint not null check (cgst >= 0),
    sgst bigint not null check (sgst = cgst),
    igst bigint not null check (igst >= 0),
    primary key (document_id, line),
    check (taxable + cgst + sgst + igst = gross - discount)
);

-- The last serial of each series. Its row is locked until the document is committed, so that numbers have no gaps.
create table document_series (
    series text not null,
    financial_year bigint not null,
    last_serial bigint not null,
    last_issued_at bigint not null,            -- numbers and dates have the same order
    primary key (series, financial_year)
);

-- Refunds that were deducted from an invoice before it was issued need no credit note.
alter table refunds add column deducted_from text;

alter table orders add column packed_at bigint;

-- The document that an email has attached. It is rendered when the email is sent.
alter table mails add column document_id text;

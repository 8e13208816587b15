-- Fills a migrated SQLite database with users, products and orders that are consistent: `mirasa check` reports nothing.
-- fill.sh sets the parameters. Run it while the server is stopped.
pragma journal_mode = wal;
pragma synchronous = off;
pragma cache_size = -400000;
begin;

create temp table fill_users as
with recursive n (n) as (select 1 union all select n + 1 from n where n < :users)
select n, printf('%08x-%04x-7%03x-9%03x-%s', (1700000000000 + n * 1000) >> 16, (1700000000000 + n * 1000) & 65535,
    abs(random()) % 4096, abs(random()) % 4096, lower(hex(randomblob(6)))) as id from n;
create unique index temp.fill_users_n on fill_users (n);
insert into users (id, issuer, subject, email, name, phone, role, created_at, updated_at)
select id, 'https://fill.example', 'fill-' || n, 'customer' || n || '@fill.example',
    case n % 5 when 0 then 'Asha' when 1 then 'Ravi' when 2 then 'Meera' when 3 then 'Imran' else 'Joy' end || ' Filler ' || n,
    '98' || printf('%08d', n), 'customer', 1700000000000 + n * 1000, 1700000000000 + n * 1000 from fill_users order by id;

-- Prices in paise: 50 g from 50 to 99 rupees, 100 g nearly twice that.
with recursive n (n) as (select 1 union all select n + 1 from n where n < :products)
insert into products (id, name, about, stock_grams, pouches_50g, pouches_100g, is_visible, version, position, updated_at, touched_at)
select 'fill-' || n, 'Filler Masala ' || n,
    json_object('product_name', 'Filler Masala ' || n, 'category', json_array('Veg'), 'ingredients', json_array('Coriander seed'),
        'mrp', json_array(5000 + n % 50 * 100, 9500 + n % 50 * 190), 'net_wt', json_array(json_object('value', 50.0, 'unit', 'g'))),
    0, 0, 0, true, 1, n, 1700000000000, 1700000000000 from n;

create temp table fill_orders as
with recursive n (n) as (select 1 union all select n + 1 from n where n < :orders),
timestamps as (select n, cast(:newest as integer) - (:orders - n) * (31536000000 / :orders) as at from n)
select n, at, printf('%08x-%04x-7%03x-9%03x-%s', at >> 16, at & 65535, abs(random()) % 4096, abs(random()) % 4096,
    lower(hex(randomblob(6)))) as id, 1 + n * 7919 % :users as customer,
    case when n % 100 < 8 then 'failed' else 'completed' end as payment,
    case when n % 100 < 8 then 'cancelled' when n % 100 < 90 then 'delivered' when n % 100 < 95 then 'shipped' else 'confirmed' end as status
from timestamps;
create temp table fill_lines as
select o.n, o.id as order_id, o.at, o.payment, l.line, 1 + (o.n * 7919 + l.line * 104729) % :products as product,
    1 + o.n % 3 as small, (o.n + l.line) % 2 as large
from fill_orders o join (select 1 as line union all select 2) l on l.line = 1 or o.n % 2 = 0;

insert into orders (id, user_id, merchant_order_id, total, payment_status, order_status, payment_error, paid_by, holds_stock, address,
    expires_at, created_at, updated_at)
select o.id, u.id, 'F' || o.n, t.total, o.payment, o.status, case o.payment when 'failed' then 'Payment failed. Please try again.' end,
    case o.payment when 'completed' then 'F' || o.n end, o.payment <> 'failed',
    json_object('address_name', 'Home', 'name', 'Filler ' || o.customer, 'phone', '9800000000', 'line1', o.n || ' Laxmi Road', 'line2', '',
        'city', 'Pune', 'state', 'Maharashtra', 'pincode', '411030'),
    o.at + 1800000, o.at, o.at
from fill_orders o join fill_users u on u.n = o.customer
join (select n, sum(small * (5000 + product % 50 * 100) + large * (9500 + product % 50 * 190)) as total from fill_lines group by n) t on t.n = o.n
order by o.id;
insert into order_lines (order_id, line, product_id, product_name, image, qty_50g, qty_100g, price_50g, price_100g, line_total)
select order_id, line, 'fill-' || product, 'Filler Masala ' || product, '', small, large, 5000 + product % 50 * 100, 9500 + product % 50 * 190,
    small * (5000 + product % 50 * 100) + large * (9500 + product % 50 * 190) from fill_lines order by order_id, line;
insert into payment_attempts (merchant_order_id, order_id, amount, state, expires_at, created_at, looked_at, next_look_at, leased_until)
select merchant_order_id, id, total, payment_status, expires_at, created_at, created_at, created_at, 0 from orders where merchant_order_id like 'F%';

-- An order reserves its packs; a failed order has released them.
insert into stock_ledger (id, product_id, reason, order_id, grams, pouches_50g, pouches_100g, at)
select order_id || '/hold/' || line, 'fill-' || product, 'hold', order_id, -(50 * small + 100 * large), -small, -large, at from fill_lines;
insert into stock_ledger (id, product_id, reason, order_id, grams, pouches_50g, pouches_100g, at)
select order_id || '/release/' || line, 'fill-' || product, 'release', order_id, 50 * small + 100 * large, small, large, at
from fill_lines where payment = 'failed';
insert into stock_ledger (id, product_id, reason, grams, pouches_50g, pouches_100g, at)
select id || '/opening', id, 'opening', 500000, 5000, 5000, 1700000000000 from products where id like 'fill-%';
update products set stock_grams = s.grams, pouches_50g = s.small, pouches_100g = s.large
from (select product_id, sum(grams) as grams, sum(pouches_50g) as small, sum(pouches_100g) as large from stock_ledger group by product_id) s
where products.id = s.product_id and products.id like 'fill-%';
commit;
analyze;
pragma wal_checkpoint(truncate);

-- Fills a migrated PostgreSQL database with users, products and orders that are consistent: `mirasa check` reports nothing.
-- fill.sh sets the parameters.
begin;
set local synchronous_commit = off;
set local work_mem = '256MB';

create temp table fill_users on commit drop as
select n, substr(m, 1, 8) || '-' || substr(m, 9, 4) || '-7' || substr(r, 1, 3) || '-9' || substr(r, 4, 3) || '-' || substr(r, 7, 12) as id
from (select n, lpad(to_hex(1700000000000 + n * 1000), 12, '0') as m, md5(random()::text) as r from generate_series(1::bigint, :users) n) s;
create unique index on fill_users (n);
insert into users (id, issuer, subject, email, name, phone, role, created_at, updated_at)
select id, 'https://fill.example', 'fill-' || n, 'customer' || n || '@fill.example',
    case n % 5 when 0 then 'Asha' when 1 then 'Ravi' when 2 then 'Meera' when 3 then 'Imran' else 'Joy' end || ' Filler ' || n,
    '98' || lpad(n::text, 8, '0'), 'customer', 1700000000000 + n * 1000, 1700000000000 + n * 1000 from fill_users order by id;

-- Prices in paise: 50 g from 50 to 99 rupees, 100 g nearly twice that.
insert into products (id, name, about, stock_grams, pouches_50g, pouches_100g, is_visible, version, position, updated_at, touched_at)
select 'fill-' || n, 'Filler Masala ' || n,
    json_build_object('product_name', 'Filler Masala ' || n, 'category', json_build_array('Veg'), 'ingredients', json_build_array('Coriander seed'),
        'mrp', json_build_array(5000 + n % 50 * 100, 9500 + n % 50 * 190), 'net_wt', json_build_array(json_build_object('value', 50.0, 'unit', 'g')))::text,
    0, 0, 0, true, 1, n, 1700000000000, 1700000000000 from generate_series(1::bigint, :products) n;

create temp table fill_orders on commit drop as
select n, at, substr(m, 1, 8) || '-' || substr(m, 9, 4) || '-7' || substr(r, 1, 3) || '-9' || substr(r, 4, 3) || '-' || substr(r, 7, 12) as id,
    1 + n * 7919 % :users as customer,
    case when n % 100 < 8 then 'failed' else 'completed' end as payment,
    case when n % 100 < 8 then 'cancelled' when n % 100 < 90 then 'delivered' when n % 100 < 95 then 'shipped' else 'confirmed' end as status
from (select n, at, lpad(to_hex(at), 12, '0') as m, md5(random()::text) as r
    from (select n, :newest - (:orders - n) * (31536000000 / :orders) as at from generate_series(1::bigint, :orders) n) timestamps) s;
create temp table fill_lines on commit drop as
select o.n, o.id as order_id, o.at, o.payment, l.line, 1 + (o.n * 7919 + l.line * 104729) % :products as product,
    1 + o.n % 3 as small, (o.n + l.line) % 2 as large
from fill_orders o join (values (1::bigint), (2)) l (line) on l.line = 1 or o.n % 2 = 0;

insert into orders (id, user_id, merchant_order_id, total, payment_status, order_status, payment_error, paid_by, holds_stock, address,
    expires_at, created_at, updated_at)
select o.id, u.id, 'F' || o.n, t.total, o.payment, o.status, case o.payment when 'failed' then 'Payment failed. Please try again.' end,
    case o.payment when 'completed' then 'F' || o.n end, o.payment <> 'failed',
    json_build_object('address_name', 'Home', 'name', 'Filler ' || o.customer, 'phone', '9800000000', 'line1', o.n || ' Laxmi Road', 'line2', '',
        'city', 'Pune', 'state', 'Maharashtra', 'pincode', '411030')::text,
    o.at + 1800000, o.at, o.at
from fill_orders o join fill_users u on u.n = o.customer
join (select n, sum(small * (5000 + product % 50 * 100) + large * (9500 + product % 50 * 190))::bigint as total from fill_lines group by n) t on t.n = o.n
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
vacuum (analyze);

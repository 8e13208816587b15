-- A new product is put after the last one, which was found by reading all of them.
create index products_position on products (position);

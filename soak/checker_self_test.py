"""Mutation test of the checker: corrupts copies of a finished run's database, each in one way, and expects the checker to
find every corruption.

    python3 -m soak.checker_self_test FOLDER     FOLDER has the record of a run; one on PostgreSQL leaves a SQLite copy
"""

import argparse
import os
import shutil
import sqlite3
import tempfile

from soak import checker_mutations
from soak.checker import RULES, collect, find_database, run_rules
from soak.evidence import Evidence, read_sqlite

# Not of an erased customer, whose emails are deleted.
PAID = ("(select id from orders where payment_status = 'completed' and total > 0 and deleted_at is null "
        "and user_id in (select id from users where deleted_at is null) order by id limit 1)")
FAILED = "(select id from orders where payment_status = 'failed' order by id limit 1)"
PAID_TWO = PAID.replace("limit 1", "limit 1 offset 1")

DISCOUNTED = "(select id from orders where payment_status = 'completed' and discount_amount > 0 and total > 0 order by id limit 1)"
TWO_LINES = ("(select o.id from orders o join order_lines l on l.order_id = o.id where o.discount_amount > 0 and o.total > 0 "
             "group by o.id having count(*) = 2 and min(l.discount) > 5 order by o.id limit 1)")

# Each mutation: its description and its statements.
MUTATIONS = [
    ("an order and all its rows are missing", [
        f"create temp table victim as select {PAID} as id",
        *(f"delete from {table} where order_id in (select id from victim)" for table in
          ("order_lines", "payment_attempts", "idempotency_keys", "refunds", "order_events", "order_problems", "documents", "mails", "concerns", "stock_ledger", "shipments", "batch_packs",
           "cancellation_requests")),
        "delete from orders where id in (select id from victim)"]),
    ("a paid order is unpaid again", [f"update orders set payment_status = 'failed', paid_by = null, holds_stock = 0 where id = {PAID}"]),
    ("an unpaid order is marked as paid", [
        f"update orders set payment_status = 'completed', holds_stock = 1, paid_by = merchant_order_id where id = {FAILED}"]),
    ("a paid order was cancelled without a refund", [f"update orders set end_reason = 'cancelled' where id = {PAID}"]),
    ("one payment pays two orders", [f"update orders set paid_by = (select paid_by from orders where id = {PAID}) where id = {PAID_TWO}"]),
    ("a confirmation email exists twice", [
        "insert into mails (id, order_id, kind, recipient, subject, text_body, html_body, created_at, tries, next_try_at, leased_until) "
        # More than the times that an admin may have set it to confirmed again.
        "select 'double-' || mails.id || number, order_id, kind, recipient, subject, text_body, html_body, created_at, 0, 0, 0 "
        "from mails, (select 1 as number union select 2 union select 3 union select 4 union select 5) as numbers "
        f"where kind = 'confirmed' and order_id = {PAID}"]),
    ("a confirmation email is missing", [f"delete from mails where kind = 'confirmed' and order_id = {PAID}"]),
    ("a confirmation email has another recipient", [f"update mails set recipient = 'mallory@soak.example' where kind = 'confirmed' and order_id = {PAID}"]),
    ("stock is off by one pouch", ["update products set pouches_50g = pouches_50g + 1 where id = 'goda-masala'"]),
    ("stock and ledger are off by the same pouch", [
        "update products set pouches_50g = pouches_50g + 1 where id = 'goda-masala'",
        "insert into stock_ledger (id, product_id, reason, grams, pouches_50g, pouches_100g, at) values ('forged', 'goda-masala', 'edit', 0, 1, 0, 0)"]),
    ("a ledger row is missing", ["delete from stock_ledger where id = (select min(id) from stock_ledger where order_id is not null)"]),
    ("a ledger row exists twice", [
        "insert into stock_ledger (id, product_id, reason, order_id, grams, pouches_50g, pouches_100g, at) "
        "select id || '-again', product_id, reason, order_id, grams, pouches_50g, pouches_100g, at "
        "from stock_ledger where id = (select min(id) from stock_ledger where order_id is not null)"]),
    ("a total is one paisa less", [f"update orders set total = total - 1 where id = {PAID}"]),
    ("a pack was sold for a price that it never had", [
        f"update order_lines set price_50g = 1, price_100g = 1, line_total = qty_50g + qty_100g where order_id = {PAID} and line = 1",
        f"update orders set total = (select sum(line_total) from order_lines where order_id = {PAID}) where id = {PAID}"]),
    ("a restocking is lost, with its ledger and audit rows", [
        "create temp table lost as select * from stock_ledger where order_id is null and grams between 10001 and 99999 limit 1",
        "update products set stock_grams = stock_grams - (select grams from lost), pouches_50g = pouches_50g - (select pouches_50g from lost), "
        "pouches_100g = pouches_100g - (select pouches_100g from lost) where id = (select product_id from lost)",
        "delete from audit where action in ('product changed', 'stock received', 'batch recorded') and detail like '%stock +' || (select grams from lost) || ' g,%'",
        "delete from stock_ledger where id = (select id from lost)"]),
    ("a batch has a pack too many", ["update batches set left_grams = left_grams + 50 where id = (select min(id) from batches)"]),
    ("a pack of a batch is missing", ["delete from batch_packs where rowid = (select min(rowid) from batch_packs where quantity > returned)"]),
    ("an address is lost", ["delete from addresses where id = (select min(id) from addresses)"]),
    ("a message is lost", ["delete from contact_queries where id = (select min(id) from contact_queries where message like '%@soak.example sends %')"]),
    ("a product was hidden or shown without an audit entry", ["update products set is_visible = not is_visible where id = 'chai-masala'"]),
    ("a payment is refunded beyond its amount", [
        "update refunds set amount = amount + 1000000 where id = (select min(id) from refunds where state = 'completed')"]),
    ("a cancellation is lost", ["delete from order_events where id = (select min(id) from order_events where kind = 'cancelled_by_customer')"]),
    ("a cancellation has no email", ["delete from mails where id = (select min(id) from mails where kind = 'cancelled')"]),
    ("restocked packs are not counted", [
        "update order_lines set restocked_50g = 0, restocked_100g = 0 where restocked_50g + restocked_100g > 0"]),
    ("a reported problem is lost", ["delete from order_problems where id = (select min(id) from order_problems where state = 'open')"]),
    ("an invoice is missing", [
        "delete from documents where id = (select max(id) from documents where refers_to is null)"]),
    ("an invoice is a paisa too low", [
        "update document_lines set taxable = taxable - 1, gross = gross - 1 where document_id = (select max(id) from documents where refers_to is null) and line = 1",
        "update documents set taxable = taxable - 1, total = total - 1 where id = (select max(id) from documents where refers_to is null)"]),
    ("the halves of a tax differ", [
        "update document_lines set cgst = cgst + 1, taxable = taxable - 1 where rowid = (select min(rowid) from document_lines where cgst > 0)"]),
    ("a number is left out", ["update document_series set last_serial = last_serial + 1 where series = 'MIR'"]),
    ("a number is dated before its predecessor", [
        "update documents set issued_at = issued_at - 90000000 where serial = (select max(serial) from documents where series = 'MIR' and serial > 1) and series = 'MIR'"]),
    ("a credit note is missing", [
        "create temp table lost as select * from documents where refers_to is not null order by serial desc limit 1",
        "update document_series set last_serial = last_serial - 1 where series = (select series from lost)",
        "delete from documents where id in (select id from lost)"]),
    ("a credit note exceeds its refund", [
        "update documents set taxable = taxable + 100000, total = total + 100000 where id = (select max(id) from documents where refers_to is not null)"]),
    ("a parcel is missing", ["delete from shipments where id = (select min(id) from shipments where partner = 'integrated' and status = 'delivered')"]),
    ("a parcel has another tracking number", [
        "update shipments set tracking_number = 'forged' where id = (select min(id) from shipments where partner = 'integrated' and tracking_number <> '')"]),
    ("a delivered parcel is on its way again", [
        "update shipments set status = 'in_transit' where id = (select min(id) from shipments where partner = 'integrated' and status = 'delivered')"]),
    ("a scan of a parcel is missing", [
        "delete from shipment_events where rowid = (select min(e.rowid) from shipment_events e join shipments s on s.id = e.shipment_id "
        "where s.status = 'delivered')"]),
    ("a discount is a paisa more, and the total a paisa less", [
        f"update order_lines set discount = discount + 1, line_total = line_total - 1 where order_id = {DISCOUNTED} and line = 1",
        f"update orders set discount_amount = discount_amount + 1, total = total - 1 where id = {DISCOUNTED}"]),
    ("a discount is on another line", [
        f"update order_lines set discount = discount + 5, line_total = line_total - 5 where order_id = {TWO_LINES} and line = 1",
        f"update order_lines set discount = discount - 5, line_total = line_total + 5 where order_id = {TWO_LINES} and line = 2"]),
    ("a discount has no code", [f"update orders set discount_id = null, discount_code = null where id = {DISCOUNTED}"]),
    ("a code was used beyond its limit", [
        "update discounts set max_uses = 1 where id = (select discount_id from orders where payment_status <> 'failed' "
        "and order_status <> 'cancelled' and discount_id is not null group by discount_id having count(*) > 1 limit 1)"]),
    ("a due refund is missing", ["delete from refunds where id = (select min(id) from refunds)"]),
]


def self_test(folder, database):
    """True if the run itself is consistent and the checker finds each mutation."""
    problems = [text for *_, texts in run_rules(Evidence(folder, read_sqlite(database))) for text in texts]
    if problems:
        print(f"the run itself is inconsistent: {problems[0]}")
        return False
    found = tried = 0
    for name, statements in MUTATIONS:
        with tempfile.TemporaryDirectory() as scratch:
            copy = os.path.join(scratch, "mirasa.db")
            for end in ("", "-wal"):
                if os.path.exists(database + end):
                    shutil.copy(database + end, copy + end)
            changed = mutate(copy, statements)
            if not changed:
                print(f"  not tried  {name}: this run has no such row")
                continue
            tried += 1
            findings = [(rule, problems) for rule, _, _, problems in run_rules(Evidence(folder, read_sqlite(copy))) if problems]
            found += bool(findings)
            detail = f"{findings[0][0]}: {findings[0][1][0]}" if findings else "NOT FOUND"
            print(f"  {'found' if findings else 'MISSED'}  {name}\n             {detail[:150]}")
    for name, mutation, rule in checker_mutations.MUTATIONS:
        tables, changed = read_sqlite(database), []
        evidence = Evidence(folder, tables, edit=lambda records: changed.append(mutation(tables, records)))
        if not changed[0]:
            print(f"  not tried  {name}: this run has no such row")
            continue
        tried += 1
        _, problems = collect(dict(RULES)[rule](evidence))
        found += bool(problems)
        print(f"  {'found' if problems else 'MISSED'}  {name}\n             {rule}: {problems[0] if problems else 'NOT FOUND'}"[:200])
    print(f"{found} of {tried} mutations were found")
    return found == tried >= 10


def mutate(file, statements):
    """Executes the statements. True if a row has changed."""
    connection = sqlite3.connect(file)
    connection.execute("pragma foreign_keys = off")
    # Otherwise the database would reject some mutations when a product is sold out.
    connection.execute("pragma ignore_check_constraints = on")
    before = connection.total_changes
    counts = []
    for statement in statements:
        connection.execute(statement)
        counts.append(connection.total_changes - before)
    connection.commit()
    connection.close()
    return counts[-1] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="the folder with the record of a run")
    folder = parser.parse_args().folder
    return 0 if self_test(folder, find_database(folder)) else 1


if __name__ == "__main__":
    raise SystemExit(main())

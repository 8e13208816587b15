"""The evidence of a run: the database's tables as plain rows, and the records of the gateway, the SMTP server and the
clients. Read here, checked by checker.py."""

import json
import os
import sqlite3
import subprocess
from collections import defaultdict

TABLES = ["products", "stock_ledger", "users", "addresses", "contact_queries", "orders", "order_lines", "payment_attempts",
          "idempotency_keys", "refunds", "refund_lines", "documents", "document_lines", "document_series",
          "order_events", "order_problems", "mails", "concerns", "audit", "shipments", "shipment_events", "discounts",
          "batches", "batch_packs", "cancellation_requests"]


# A backup reads all tables as they are at one moment of this time.
BACKUP_S = 60

# The texts of emails are large, and no rule needs them.
COLUMNS = {"mails": "id, order_id, kind, recipient, created_at, sent_at"}


def read_sqlite(file):
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    connection.execute("begin")
    tables = {table: [dict(row) for row in connection.execute(f"select {COLUMNS.get(table, '*')} from {table}")] for table in TABLES}
    connection.close()
    return tables


def read_postgres(url):
    """Reads all tables in one snapshot with psql: one row per line, as JSON."""
    script = "begin isolation level repeatable read read only;\n"
    for table in TABLES:
        script += f"select '{table}', row_to_json(t) from (select {COLUMNS.get(table, '*')} from {table}) t;\n"
    result = subprocess.run(["psql", url, "-AtqX", "-v", "ON_ERROR_STOP=1", "-F", "\t"], input=script, capture_output=True, text=True, check=True)
    tables = {table: [] for table in TABLES}
    for line in result.stdout.splitlines():
        table, _, row = line.partition("\t")
        tables[table].append(json.loads(row))
    return tables


def read_lines(file):
    if not os.path.exists(file):
        return []
    with open(file) as lines:
        return [json.loads(line) for line in lines if line.endswith("\n")]


def without_response(change):
    """Of a change that was answered after a backup had begun, the backup says nothing: it may have taken effect before."""
    return {**change, "status": None, "code": None, "is_now": None, "version": None, "refund": None}


def group_by(rows, key):
    found = defaultdict(list)
    for row in rows:
        found[row[key]].append(row)
    return found


class Evidence:
    """All the evidence of a run. For a backup, `until` limits the client events to those before the backup started. `edit` changes
    the records before they are used, for the self test."""

    def __init__(self, folder, tables, until=None, edit=None):
        self.tables, self.is_snapshot = tables, until is not None
        with open(os.path.join(folder, "opening.json")) as file:
            self.opening = json.load(file)
        records = {name: read_lines(os.path.join(folder, f"{name}.jsonl")) for name in ("client", "gateway", "courier", "emails")}
        if edit:
            edit(records)
        client = records["client"]
        # A change may be in a backup before its response arrived, so requests count without a time limit.
        self.client = [line for line in client if until is None or line["t"] < until or line["kind"].endswith(" requested")]
        if until is not None:
            self.client += [without_response(line) for line in client if line["kind"] == "change" and line["sent"] < until + BACKUP_S and line["t"] >= until]
        gateway = records["gateway"]
        self.captured = {line["number"]: line for line in gateway if line["event"] == "captured"}
        self.capture_count = len([line for line in gateway if line["event"] == "captured"])
        self.misreported = {line["number"] for line in gateway if line["event"] == "wrong amount"}
        self.gateway_refunds = [line for line in gateway if line["event"] == "refund"]
        self.refund_ends = {line["number"]: line["state"] for line in gateway if line["event"] == "refund ended"}
        self.gateway_faults = [line for line in gateway if line["event"] in ("fault", "wrong amount")]
        self.courier, self.received_emails = records["courier"], records["emails"]

        self.orders = {row["id"]: row for row in tables["orders"]}
        self.lines = group_by(tables["order_lines"], "order_id")
        self.attempts = {row["merchant_order_id"]: row for row in tables["payment_attempts"]}
        self.ledger_of_order = group_by([row for row in tables["stock_ledger"] if row["order_id"]], "order_id")
        self.ledger_of_product = group_by(tables["stock_ledger"], "product_id")
        self.refunds_of = group_by(tables["refunds"], "merchant_order_id")
        self.events_of = group_by(tables["order_events"], "order_id")
        self.issues_for = group_by(tables["concerns"], "about")
        self.emails_of = group_by(tables["mails"], "order_id")
        self.users = {row["id"]: row for row in tables["users"]}
        # Their data and emails are deleted, the orders stay.
        self.leaving = {line["email"] for line in self.client if line["kind"] == "leave requested"}
        self.erased_orders = {row["id"] for row in tables["orders"] if self.users[row["user_id"]]["deleted_at"]}

    def client_events(self, kind):
        return [line for line in self.client if line["kind"] == kind]

    def ordered_packs(self, order_id):
        """Grams and pouches of an order by product, computed from its lines."""
        packs = defaultdict(lambda: [0, 0, 0])
        for line in self.lines[order_id]:
            small, large = line["qty_50g"], line["qty_100g"]
            for at, amount in enumerate((50 * small + 100 * large, small, large)):
                packs[line["product_id"]][at] += amount
        return packs

    def packs_out_of_stock(self, order_id):
        """The same without packs that went back into stock, with those that were taken once more instead of lost ones."""
        packs = self.ordered_packs(order_id)
        for line in self.lines[order_id]:
            small, large = line["restocked_50g"] - line.get("resent_50g", 0), line["restocked_100g"] - line.get("resent_100g", 0)
            for at, amount in enumerate((50 * small + 100 * large, small, large)):
                packs[line["product_id"]][at] -= amount
        return packs

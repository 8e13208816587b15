"""Mutations of a run's tables and records, and the rule that must find each. A function changes them in place and returns whether the
run had what it changes."""

import itertools

LATER = 1_000_000


def first(rows, wanted=lambda row: True):
    return next((row for row in rows if wanted(row)), None)


def changes(records, what):
    return [line for line in records["client"] if line["kind"] == "change" and line["what"] == what and line["status"] and line["status"] < 300]


def is_confirmed(records, order_id, word):
    """Whether an admin has confirmed something about the order. Then the rule about it does not apply."""
    return any(line["kind"] == "change" and order_id in line["orders"] and line["body"].get(word) for line in records["client"])


def paid_orders(tables):
    """Paid orders with a payment, without refunds."""
    refunded = {row["order_id"] for row in tables["refunds"]}
    return [row for row in tables["orders"] if row["payment_status"] == "completed" and row["total"] > 0 and row["id"] not in refunded]


def change(what, order_id, at, **facts):
    return {"t": at + 0.1, "at": 0, "kind": "change", "what": what, "orders": [order_id], "sent": at, "status": 200, "code": None, "body": {}, "seen": None,
            "is_now": None, "version": None, "path": "", "refund": None, **facts}


def refund_everything(tables, records, order, at):
    """A completed refund that somebody was told about at this time."""
    row = {"id": f"forged-{order['id']}", "merchant_order_id": order["paid_by"], "order_id": order["id"], "amount": order["total"], "state": "completed",
           "reason": "Soak", "retry_of": None, "deducted_from": None, "requested_by": "customer", "created_at": 0, "updated_at": 0}
    tables["refunds"].append(row)
    records["client"].append(change("refund", order["id"], at, refund=row["id"]))


def order_of_another_user(tables, records):
    """Of a checkout whose response arrived, by a customer who has not asked to delete the account."""
    leaving = {line["email"] for line in records["client"] if line["kind"] == "leave requested"}
    customers = {user["email"]: user["id"] for user in tables["users"]}
    checkout = first(records["client"], lambda line: line["kind"] == "checkout" and line["email"] in customers and line["email"] not in leaving)
    attempt = checkout and first(tables["payment_attempts"], lambda row: row["merchant_order_id"] == checkout["number"])
    order = attempt and first(tables["orders"], lambda row: row["id"] == attempt["order_id"])
    if order:
        order["user_id"] = max(user for user in customers.values() if user != order["user_id"])
    return bool(order)


def status_on_an_old_page(tables, records):
    if old := first(changes(records, "status"), lambda line: "seenStatus" in line["body"]):
        old["body"]["version"] = 1
        records["client"].append(change("status", old["orders"][0], old["sent"] - 1, version=2))
    return bool(old)


def status_that_was_overridden(tables, records):
    order = first(paid_orders(tables))
    if order:
        records["client"] = [line for line in records["client"] if order["id"] not in line.get("orders", [])]
        records["client"].append(change("cancel", order["id"], 10, is_now="cancelled"))
        body = {"orderStatus": "shipped", "seenStatus": "confirmed"}
        records["client"].append(change("status", order["id"], 20, body=body, seen=5, seen_paid=True, is_now="shipped"))
    return bool(order)


def status_that_is_lost(tables, records):
    order = first(paid_orders(tables))
    if order:
        records["client"] = [line for line in records["client"] if order["id"] not in line.get("orders", [])]
        records["client"].append(change("status", order["id"], LATER, body={"orderStatus": "N/A"}, seen_paid=True, is_now="N/A"))
    return bool(order)


def packed_after_a_refund(tables, records):
    packed = {order for line in changes(records, "pack") for order in line["orders"]}
    order = first(paid_orders(tables), lambda row: row["packed_at"] and row["id"] in packed)
    if order:
        refund_everything(tables, records, order, -10)
        for line in records["client"]:
            if order["id"] in line.get("orders", []):
                line["body"].pop("evenIfRefunded", None)
    return bool(order)


def parcel_after_a_refund(tables, records):
    sent = {row["order_id"] for row in tables["shipments"]}
    order = first(paid_orders(tables), lambda row: row["id"] in sent)
    if order:
        refund_everything(tables, records, order, -10)
        for line in records["client"]:
            if order["id"] in line.get("orders", []):
                line["body"].pop("evenIfRefunded", None)
    return bool(order)


def cancelled_after_packing(tables, records):
    packed = first(changes(records, "pack"), lambda line: line["orders"])
    if packed:
        order = packed["orders"][0]
        records["client"] = [line for line in records["client"] if line is packed or order not in line.get("orders", [])]
        records["client"].append(change("cancel", order, LATER, is_now="cancelled"))
    return bool(packed)


def request_to_cancel_that_is_lost(tables, records):
    asked = first(records["client"], lambda line: line["kind"] == "cancellation asked for")
    if asked:
        tables["cancellation_requests"] = [row for row in tables["cancellation_requests"] if row["order_id"] != asked["order"]]
    return bool(asked)


def request_to_cancel_that_waits_for_ever(tables, records):
    order = first(tables["orders"], lambda row: row["order_status"] == "cancelled")
    if order:
        tables["cancellation_requests"].append({"id": "forged", "order_id": order["id"], "decision": None, "decided_at": None})
    return bool(order)


def key_of_another_request(tables, records):
    used = first(records["client"], lambda line: line["kind"] == "key used again")
    if used:
        used["status"] = 200
    return bool(used)


def email_after_the_account_was_deleted(tables, records):
    left = first(records["client"], lambda line: line["kind"] == "left")
    if left:
        records["emails"].append({"at": left["at"] + 100, "id": "<forged@soak>", "to": [left["email"]], "subject": "Hello"})
    return bool(left)


def invoice_of_another_amount(tables, records):
    invoice = first(tables["documents"], lambda row: not row["refers_to"])
    if invoice:
        invoice["total"] -= 4000
    return bool(invoice)


def failed_refund_that_was_made_good(tables, records):
    order = first(paid_orders(tables))
    if order:
        refund_everything(tables, records, order, 1)
        failed = {**tables["refunds"][-1], "id": "forged-failed", "state": "failed"}
        tables["refunds"].append(failed)
        tables["concerns"].append({"id": "forged", "order_id": order["id"], "kind": "refund failed", "about": failed["id"], "detail": "", "created_at": 0,
                                   "settled_at": None})
    return bool(order)


def money_of_a_cancelled_order(tables, records, end=None):
    order = first(paid_orders(tables))
    if order:
        order.update(end or {"order_status": "cancelled"})
        tables["concerns"] = [row for row in tables["concerns"] if row["order_id"] != order["id"]]
    return bool(order)


def money_of_a_deleted_order(tables, records):
    return money_of_a_cancelled_order(tables, records, {"deleted_at": 1})


def unpaid_order_that_is_shipped(tables, records):
    order = first(tables["orders"], lambda row: row["payment_status"] == "failed")
    if order:
        order.update(order_status="shipped", deleted_at=None)
        tables["concerns"] = [row for row in tables["concerns"] if row["order_id"] != order["id"]]
    return bool(order)


def email_about_an_unpaid_order(tables, records):
    order = first(tables["orders"], lambda row: row["payment_status"] == "failed" and not is_confirmed(records, row["id"], "evenIfUnpaid"))
    if order and tables["mails"]:
        tables["mails"].append({**tables["mails"][0], "id": "forged", "kind": "shipped", "order_id": order["id"]})
    return bool(order)


def refunded_order_that_is_shipped(tables, records):
    order = first(paid_orders(tables))
    if order:
        records["client"] = [line for line in records["client"] if order["id"] not in line.get("orders", [])]
        refund_everything(tables, records, order, 1)
        order.update(order_status="shipped", deleted_at=None)
        tables["concerns"] = [row for row in tables["concerns"] if row["order_id"] != order["id"]]
        tables["order_events"] = [row for row in tables["order_events"] if row["order_id"] != order["id"]]
        records["client"].append(change("status", order["id"], LATER, body={"orderStatus": "shipped"}, is_now="shipped"))
    return bool(order)


def packs_made_good_twice(tables, records):
    order = first(paid_orders(tables))
    line = order and first(tables["order_lines"], lambda row: row["order_id"] == order["id"])
    if line:
        lines = '[{"product": "%s", "packs": {"of_50g": %d, "of_100g": %d}}]' % (line["product_id"], line["qty_50g"], line["qty_100g"])
        for name, at in (("forged-1", 10), ("forged-2", 20)):
            tables["order_problems"].append({"id": name, "order_id": order["id"], "lines": lines, "state": "replaced", "refund_id": None,
                                             "replacement_order_id": order["id"]})
            records["client"].append(change("problem", order["id"], at, path=f"/api/admin/problems/{name}"))
    return bool(line)


def packs_replaced_and_refunded(tables, records):
    order = order_with_small_packs(tables)
    line = order and first(tables["order_lines"], lambda row: row["order_id"] == order["id"] and row["qty_50g"])
    if line:
        records["client"] = [change for change in records["client"] if order["id"] not in change.get("orders", [])]
        replacement = {**order, "id": "forged-replacement", "total": 0, "paid_by": None, "order_status": "delivered"}
        tables["orders"].append(replacement)
        tables["order_lines"].append({**line, "order_id": replacement["id"], "restocked_50g": 0, "restocked_100g": 0})
        tables["order_problems"].append({"id": "forged-replaced", "order_id": order["id"], "lines": "[]", "state": "replaced", "refund_id": None,
                                         "replacement_order_id": replacement["id"]})
        forged_refund(tables, order, "replaced")
    return bool(line)


def sent_order_without_an_invoice(tables, records):
    invoiced = {row["order_id"] for row in tables["documents"] if not row["refers_to"]}
    order = first(order for order in paid_orders(tables) if order["order_status"] in ("shipped", "delivered") and order["id"] in invoiced)
    if order:
        tables["documents"] = [row for row in tables["documents"] if row["order_id"] != order["id"]]
    return bool(order)


def created(records):
    return first(records["courier"], lambda line: line["event"] == "created" and line.get("items"))


def parcel_with_another_weight(tables, records):
    if parcel := created(records):
        parcel["grams"] += 100
    return bool(parcel)


def parcel_with_another_weight_in_the_shop(tables, records):
    parcel = created(records)
    row = parcel and first(tables["shipments"], lambda row: row["reference"] == parcel["reference"])
    if row:
        row["weight_grams"] += 100
    return bool(row)


def parcel_with_other_contents_in_the_shop(tables, records):
    """The same weight in other packs."""
    parcel = created(records)
    row = parcel and first(tables["shipments"], lambda row: row["reference"] == parcel["reference"] and row.get("contents"))
    if row:
        row["contents"] = '[{"product": "other-masala", "packs": {"of_50g": 1, "of_100g": 0}}]'
    return bool(row)


def parcel_booked_with_refunded_packs(tables, records):
    """The refund was known long before the transport was ordered."""
    order_of = {row["reference"]: row["order_id"] for row in tables["shipments"]}
    paid = {row["id"]: row for row in paid_orders(tables)}
    items = {line["reference"]: line["items"] for line in records["courier"] if line["event"] == "created" and line.get("items")}
    is_checked = lambda line: order_of.get(line["reference"]) in paid and not is_confirmed(records, order_of[line["reference"]], "evenIfRefunded")
    line = first(records["courier"], lambda line: line["event"] == "assigned" and line["reference"] in items and is_checked(line))
    if line:
        order, began = paid[order_of[line["reference"]]], first(records["client"], lambda line: line["at"])
        refund_everything(tables, records, order, line["at"] - (began["at"] - began["t"]) - 1_000)
        name = next(iter(items[line["reference"]]))
        product, grams = name.rsplit("-", 1)
        tables["refund_lines"].append({"refund_id": f"forged-{order['id']}", "product_id": product, "qty_50g": 0, "qty_100g": 0, "amount": 100,
                                       f"qty_{grams}g": items[line["reference"]][name]})
    return bool(line)


def parcel_with_a_pack_too_many(tables, records):
    order_of = {row["reference"]: row["order_id"] for row in tables["shipments"]}
    is_checked = lambda line: line["reference"] in order_of and not is_confirmed(records, order_of[line["reference"]], "evenIfRefunded")
    if parcel := first(records["courier"], lambda line: line["event"] == "created" and line.get("items") and is_checked(line)):
        name = next(iter(parcel["items"]))
        parcel["items"][name] += 100
        parcel["grams"] += 100 * int(name.rsplit("-", 1)[1])
        for row in tables["shipments"]:
            if row["reference"] == parcel["reference"]:
                row["weight_grams"] = parcel["grams"]
    return bool(parcel)


def packs_sent_twice(tables, records):
    parcel = created(records)
    row = parcel and first(tables["shipments"], lambda row: row["reference"] == parcel["reference"])
    if row:
        for number in range(2):
            reference, awb = f"forged-{number}", f"AWB-{number}"
            tables["shipments"].append({**row, "id": reference, "reference": reference})
            records["courier"] += [{**parcel, "reference": reference, "items": dict(parcel["items"])}, {"event": "assigned", "reference": reference, "awb": awb},
                                   {"event": "scan", "awb": awb, "status": "picked up"}]
    return bool(row)


def forged_refund(tables, order, name, **facts):
    """A completed refund of one pack of the order's first line."""
    line = first(tables["order_lines"], lambda row: row["order_id"] == order["id"] and row["qty_50g"])
    row = {"id": f"forged-{name}", "merchant_order_id": order["paid_by"], "order_id": order["id"], "amount": 100, "state": "completed", "reason": "Soak",
           "retry_of": None, "superseded_by": None, "deducted_from": None, "requested_by": "admin", "created_at": 0, "updated_at": 0, **facts}
    tables["refunds"].append(row)
    tables["refund_lines"].append({"refund_id": row["id"], "product_id": line["product_id"], "qty_50g": 1, "qty_100g": 0, "amount": 100})
    return line


def order_with_small_packs(tables):
    has_small = {row["order_id"] for row in tables["order_lines"] if row["qty_50g"]}
    cancelled = {event["order_id"] for event in tables["order_events"] if event["kind"] in ("cancelled_by_customer", "cancellation_accepted", "status_set")}
    return first(paid_orders(tables), lambda row: row["id"] in has_small - cancelled and row["order_status"] != "cancelled")


def packs_back_with_two_refunds(tables, records):
    order = order_with_small_packs(tables)
    if order:
        line = forged_refund(tables, order, "back")
        line["restocked_50g"] = 2
    return bool(order)


def refund_repeated_after_its_parts(tables, records):
    order = order_with_small_packs(tables)
    if order:
        forged_refund(tables, order, "failed", state="failed", created_at=1, updated_at=2)
        forged_refund(tables, order, "new", created_at=3, updated_at=4)
        forged_refund(tables, order, "again", retry_of="forged-failed", created_at=5, updated_at=6)
    return bool(order)


def second_payment_for_packs(tables, records):
    order = order_with_small_packs(tables)
    if order:
        forged_refund(tables, order, "second", merchant_order_id="forged")
    return bool(order)


def restock(tables, wanted):
    order = first(tables["orders"], wanted)
    line = order and first(tables["order_lines"], lambda row: row["order_id"] == order["id"])
    if line:
        tables["stock_ledger"].append({"id": "forged", "product_id": line["product_id"], "reason": "restock", "order_id": order["id"], "grams": 5000,
                                       "pouches_50g": 100, "pouches_100g": 0, "batch_id": None, "at": 0, "note": None, "actor": None})
    return bool(line)


def restock_of_a_failed_order(tables, records):
    return restock(tables, lambda row: row["payment_status"] == "failed")


def restock_beyond_the_order(tables, records):
    return restock(tables, lambda row: row["payment_status"] == "completed")


def batch_taken_twice(tables, records):
    packs = first(tables["batch_packs"])
    if packs:
        packs["quantity"], packs["returned"] = packs["quantity"] + 100, packs["returned"] + 100
    return bool(packs)


def import_applied_twice(tables, records):
    for line, row in itertools.product(records["client"], tables["stock_ledger"]):
        if line.get("is_import") and (row["product_id"], row["grams"]) == (line["product"], line["grams"]):
            tables["stock_ledger"].append({**row, "id": "forged"})
            return True
    return False


# The name of each, the function, the rule that finds it.
MUTATIONS = [
    ("an order belongs to another user", order_of_another_user, "checkouts"),
    ("a status was set on a page with an old version", status_on_an_old_page, "old pages"),
    ("a status was set on a page from before a cancellation", status_that_was_overridden, "old pages"),
    ("a status is lost", status_that_is_lost, "statuses of admins"),
    ("an order was packed after a refund", packed_after_a_refund, "refunded orders"),
    ("a parcel was booked after a refund", parcel_after_a_refund, "refunded orders"),
    ("a packed order was cancelled at once", cancelled_after_packing, "packed orders"),
    ("a request to cancel is lost", request_to_cancel_that_is_lost, "requests to cancel"),
    ("a request to cancel waits although the order is cancelled", request_to_cancel_that_waits_for_ever, "requests to cancel"),
    ("a key was accepted with another body", key_of_another_request, "keys"),
    ("an email was sent after the account was deleted", email_after_the_account_was_deleted, "deleted accounts"),
    ("an invoice declares less than was kept", invoice_of_another_amount, "money kept"),
    ("a failed refund waits although another one was made", failed_refund_that_was_made_good, "failed refunds"),
    ("the money of a cancelled order is forgotten", money_of_a_cancelled_order, "money of ended orders"),
    ("the money of a deleted order is forgotten", money_of_a_deleted_order, "money of ended orders"),
    ("an unpaid order is shipped", unpaid_order_that_is_shipped, "sent orders"),
    ("an email says that an unpaid order was shipped", email_about_an_unpaid_order, "sent orders"),
    ("a refunded order was set to shipped", refunded_order_that_is_shipped, "sent orders"),
    ("packs were replaced twice", packs_made_good_twice, "packs made good"),
    ("packs of a failed refund came back into stock twice", packs_back_with_two_refunds, "packs of failed refunds"),
    ("a refund was repeated after its packs were refunded otherwise", refund_repeated_after_its_parts, "repeated refunds"),
    ("the refund of a second payment names packs", second_payment_for_packs, "repeated refunds"),
    ("packs are replaced and refunded", packs_replaced_and_refunded, "packs replaced"),
    ("a shipped order has no invoice", sent_order_without_an_invoice, "invoices of sent orders"),
    ("a parcel has another weight than its packs", parcel_with_another_weight, "contents of parcels"),
    ("a parcel has another weight in the shop", parcel_with_another_weight_in_the_shop, "contents of parcels"),
    ("a parcel has other contents in the shop", parcel_with_other_contents_in_the_shop, "contents of parcels"),
    ("a parcel is booked with refunded packs", parcel_booked_with_refunded_packs, "booked parcels"),
    ("a parcel has a pack too many", parcel_with_a_pack_too_many, "contents of parcels"),
    ("packs were sent twice", packs_sent_twice, "packs sent"),
    ("packs of a failed order came back into stock", restock_of_a_failed_order, "packs restocked"),
    ("more packs came back into stock than were ordered", restock_beyond_the_order, "packs restocked"),
    ("packs were taken out of a batch twice", batch_taken_twice, "packs of batches"),
    ("an import was applied twice", import_applied_twice, "restockings"),
]

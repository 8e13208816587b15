"""Invariants of stock, orders, payments and refunds. Each rule reads the evidence, yields the problems and returns how
many things it checked. None of this is the server's own code."""

import re
from collections import Counter, defaultdict

RESTOCKED = re.compile(r"stock ([+-]\d+) g, ([+-]\d+) and ([+-]\d+) pouches")
# Actions of admins that change the stock.
STOCK_ACTIONS = ("product changed", "stock counted", "stock received", "stock written off", "batch recorded")
# Reasons in the stock ledger, and the sign of their amounts.
MOVES = {"hold": -1, "release": 1, "take again": -1}
# These move any part of the order's packs, back into stock or out of it for another parcel.
PARTS = {"restock": 1, "send again": -1}
# The order was ended by a decision, not by a timeout: a late payment must be refunded.
ENDED_ON_PURPOSE = ("cancelled", "cancelled by customer", "deleted", "account deleted", "released")


def amounts_of(row):
    return [row["grams"], row["pouches_50g"], row["pouches_100g"]]


def sums(ledger):
    return [sum(column) for column in zip(*map(amounts_of, ledger))] if ledger else [0, 0, 0]


def stock_is_explained(evidence):
    """stock = opening + restocked - reserved by orders = the sum of the ledger"""
    restocked, reserved = defaultdict(lambda: [0, 0, 0]), defaultdict(lambda: [0, 0, 0])
    for entry in evidence.tables["audit"]:
        if entry["action"] in STOCK_ACTIONS and (found := RESTOCKED.search(entry["detail"])):
            for at, amount in enumerate(found.groups()):
                restocked[entry["about"]][at] += int(amount)
    # The audit entry of an import names no amounts.
    imported = {(line["product"], line["grams"], line["p50"], line["p100"]) for line in evidence.client_events("restock requested")
                if line.get("is_import")}
    for row in evidence.tables["stock_ledger"]:
        if not row["order_id"] and (row["product_id"], *amounts_of(row)) in imported:
            for at, amount in enumerate(amounts_of(row)):
                restocked[row["product_id"]][at] += amount
    for order in evidence.orders.values():
        if order["payment_status"] in ("pending", "completed"):
            for product, amounts in evidence.packs_out_of_stock(order["id"]).items():
                for at, amount in enumerate(amounts):
                    reserved[product][at] += amount
    for product in evidence.tables["products"]:
        name = product["id"]
        actual = [product["stock_grams"], product["pouches_50g"], product["pouches_100g"]]
        expected = [opening + more - less for opening, more, less in zip(evidence.opening[name]["stock"], restocked[name], reserved[name])]
        if actual != expected:
            yield f"{name}: stock is {actual}, but its orders and restockings add up to {expected}"
        if actual != sums(evidence.ledger_of_product[name]):
            yield f"{name}: stock is {actual}, but its ledger adds up to {sums(evidence.ledger_of_product[name])}"
        if min(actual) < 0:
            yield f"{name}: stock is negative: {actual}"
    return len(evidence.tables["products"])


def ledger_follows_orders(evidence):
    """each order reserved its packs once, released them once if it ended unpaid, and restocked what its lines say"""
    for order_id, entries in evidence.ledger_of_order.items():
        order = evidence.orders.get(order_id)
        if order is None:
            yield f"the ledger has entries for order {order_id}, which does not exist"
            continue
        expected = [0, 0, 0] if order["payment_status"] == "failed" else [-sum(c) for c in zip(*evidence.packs_out_of_stock(order_id).values())]
        if sums(entries) != expected:
            yield f"order {order_id} is {order['payment_status']}, its ledger adds up to {sums(entries)}, not {expected}"
        for product, amounts in evidence.ordered_packs(order_id).items():
            for row in (row for row in entries if row["product_id"] == product):
                if row["reason"] in PARTS:
                    grams, small, large = (PARTS[row["reason"]] * amount for amount in amounts_of(row))
                    if min(small, large) < 0 or small + large == 0 or grams != 50 * small + 100 * large or small > amounts[1] or large > amounts[2]:
                        yield f"order {order_id}: '{row['reason']}' moved {amounts_of(row)} of {product}, of {amounts}"
                elif row["reason"] not in MOVES or amounts_of(row) != [MOVES[row["reason"]] * amount for amount in amounts]:
                    yield f"order {order_id}: a ledger row '{row['reason']}' moves {amounts_of(row)} of {product}, not {amounts}"
    for order_id in evidence.orders.keys() - evidence.ledger_of_order.keys():
        yield f"order {order_id} never reserved stock"
    return len(evidence.tables["stock_ledger"])


def orders_add_up(evidence):
    """totals are the sums of lines at prices that the product had, less discounts; the statuses are consistent"""
    prices = defaultdict(set)
    for product, opening in evidence.opening.items():
        prices[product].add(tuple(opening["mrp"]))
    for line in evidence.client_events("price requested"):
        prices[line["product"]].add(tuple(line["mrp"]))
    pending = Counter()
    for order in evidence.orders.values():
        lines = evidence.lines[order["id"]]
        for line in lines:
            if line["line_total"] + line["discount"] != line["qty_50g"] * (line["price_50g"] or 0) + line["qty_100g"] * (line["price_100g"] or 0):
                yield f"order {order['id']}: the line of {line['product_id']} does not add up"
            if order["replaces_order_id"]:
                if line["line_total"]:
                    yield f"order {order['id']} is a replacement, but {line['product_id']} costs {line['line_total']}"
            elif (line["price_50g"], line["price_100g"]) not in prices[line["product_id"]]:
                yield f"order {order['id']}: {line['product_id']} never cost {line['price_50g']}, {line['price_100g']}"
        if not lines or order["total"] != sum(line["line_total"] for line in lines):
            yield f"order {order['id']}: the total {order['total']} is not the sum of its lines"
        if bool(order["holds_stock"]) != (order["payment_status"] != "failed"):
            yield f"order {order['id']} is {order['payment_status']} and holds_stock is {order['holds_stock']}"
        if order["payment_status"] == "failed" and order["paid_by"]:
            yield f"order {order['id']} has failed but is paid by {order['paid_by']}"
        # One that an admin has sent unpaid waits for its payment, and does not prevent another one.
        pending[order["user_id"]] += order["payment_status"] == "pending" and order["order_status"] not in ("shipped", "delivered")
    for user, count in pending.items():
        if count > 1:
            yield f"customer {user} has {count} pending orders at the same time"
    return len(evidence.orders)


def money_has_an_order(evidence):
    """each captured payment was kept by one order or returned: captured = kept + returned, or it has an order issue"""
    paid = defaultdict(list)
    for order in evidence.orders.values():
        if order["paid_by"]:
            paid[order["paid_by"]].append(order)
    refunded = defaultdict(list)
    for refund in evidence.gateway_refunds:
        refunded[refund["of"]].append(refund)
    for number, capture in evidence.captured.items():
        attempt = evidence.attempts.get(number)
        if attempt is None:
            if not evidence.is_snapshot:
                yield f"payment {number} of {capture['amount']} belongs to no order"
            continue
        if evidence.is_snapshot and attempt["state"] in ("opening", "open", "failed"):
            continue
        refunds, paid_orders = refunded[number], paid[number]
        issues = {issue["kind"] for issue in evidence.issues_for[number]}
        issues |= {issue["kind"] for row in evidence.refunds_of[number] for issue in evidence.issues_for[row["id"]]}
        ends = [evidence.refund_ends.get(refund["number"], "PENDING") for refund in refunds]
        returned = sum(refund["amount"] for refund, end in zip(refunds, ends) if end != "FAILED")
        intended = sum(row["amount"] for row in evidence.refunds_of[number] if row["state"] != "failed")
        if max(returned, intended) > capture["amount"]:
            yield f"payment {number} of {capture['amount']}: {returned} returned, {intended} to be returned"
            continue
        if not evidence.is_snapshot and returned != intended:
            yield f"payment {number}: the gateway returned {returned}, the database says {intended}"
            continue
        if len(paid_orders) == 1 and paid_orders[0]["payment_status"] == "completed" and paid_orders[0]["total"] == capture["amount"]:
            continue
        if not paid_orders and refunds and (returned == capture["amount"] or ("FAILED" in ends and "refund failed" in issues)):
            continue
        if evidence.is_snapshot and not paid_orders and evidence.refunds_of[number]:
            continue
        # An admin may have refunded what the gateway had said.
        if not paid_orders and "amount mismatch" in issues and number in evidence.misreported:
            continue
        order = evidence.orders[attempt["order_id"]]
        yield (f"payment {number} of {capture['amount']}: order {order['id']} is {order['payment_status']} over {order['total']}, "
               f"pays {len(paid_orders)} orders, {len(refunds)} refunds {ends}, attempt {attempt['state']}, issues {sorted(issues)}")
    return len(evidence.captured)


def nothing_is_paid_without_money(evidence):
    """each completed order has its own captured payment of exactly its total; only replacements and codes make one free"""
    seen = Counter(order["paid_by"] for order in evidence.orders.values() if order["paid_by"])
    completed = [order for order in evidence.orders.values() if order["payment_status"] == "completed"]
    for order in completed:
        if order["total"] == 0:
            if not order["replaces_order_id"] and not order["discount_amount"]:
                yield f"order {order['id']} cost nothing, replaces no order and has no code"
            if order["paid_by"] in evidence.captured:
                yield f"order {order['id']} cost nothing, but the gateway captured {order['paid_by']}"
            continue
        capture, attempt = evidence.captured.get(order["paid_by"]), evidence.attempts.get(order["paid_by"])
        if capture is None or capture["amount"] != order["total"]:
            yield f"order {order['id']} is completed, but the gateway captured no {order['total']} for {order['paid_by']}"
        if attempt is None or attempt["order_id"] != order["id"] or attempt["amount"] != order["total"]:
            yield f"order {order['id']} is paid by another order's attempt"
        if seen[order["paid_by"]] > 1:
            yield f"payment {order['paid_by']} pays {seen[order['paid_by']]} orders"
    if evidence.capture_count != len(evidence.captured):
        yield "the gateway captured one payment twice"
    return len(completed)


def ended_orders_keep_no_money(evidence):
    """only failed orders have ended; a payment for a cancelled or deleted order is being refunded"""
    for order in evidence.orders.values():
        if order["end_reason"] and order["payment_status"] != "failed":
            yield f"order {order['id']} is {order['payment_status']} and has ended: {order['end_reason']}"
    for number, attempt in evidence.attempts.items():
        reason = evidence.orders[attempt["order_id"]]["end_reason"]
        if attempt["state"] != "completed" or reason not in ENDED_ON_PURPOSE:
            continue
        issues = {issue["kind"] for issue in evidence.issues_for[number]}
        if not evidence.refunds_of[number] and "amount mismatch" not in issues:
            yield f"payment {number}: order {attempt['order_id']} ended ({reason}), but its payment was not refunded"
    return sum(order["end_reason"] is not None for order in evidence.orders.values())


def refunds_are_known(evidence):
    """each refund at the gateway is in the database, and the customer got an email when it completed"""
    known = {refund["id"]: refund for refund in evidence.tables["refunds"]}
    for refund in evidence.gateway_refunds:
        row = known.get(refund["number"])
        if row is None:
            if not evidence.is_snapshot:
                yield f"the gateway refunded {refund['amount']} as {refund['number']}, which is not in the database"
        elif (row["merchant_order_id"], row["amount"]) != (refund["of"], refund["amount"]):
            yield f"refund {refund['number']} differs from the gateway's record"
    emails = Counter(email["order_id"] for email in evidence.tables["mails"] if email["kind"] == "refunded")
    completed = Counter(row["order_id"] for row in known.values() if row["state"] == "completed")
    for order_id in emails.keys() | completed.keys():
        if emails[order_id] != completed[order_id] and order_id not in evidence.erased_orders:
            yield f"order {order_id}: {completed[order_id]} refunds, {emails[order_id]} emails about them"
    for row in known.values():
        if row["state"] == "completed" and evidence.refund_ends.get(row["id"]) != "COMPLETED":
            yield f"refund {row['id']} is completed in the database but not at the gateway"
    return len(known)

"""Rules about cancelled orders, refunds that a person asked for, and reported problems."""

from collections import Counter

from soak.changes import MIN_REFUND
from soak.evidence import group_by


def cancellations_are_complete(evidence):
    """a cancelled order returned all its money and packs; each acknowledged cancellation is there, with one email"""
    cancelled = 0
    for order_id, events in evidence.events_of.items():
        order = evidence.orders.get(order_id)
        if order is None:
            yield f"order {order_id} has events, but is missing"
            continue
        count = sum(event["kind"] == "cancelled_by_customer" for event in events)
        # An admin ends an order whose parcel came back or was lost.
        by_admins = sum(event["kind"] == "status_set" and event["detail"] == "cancelled" for event in events)
        emails = sum(email["kind"] == "cancelled" for email in evidence.emails_of[order_id])
        # An admin who cancels again, with a refund, tells the customer.
        again = sum(row["reason"] == "Cancelled by the shop" for row in evidence.refunds_of[order["paid_by"]]) if order["paid_by"] else 0
        if not count + by_admins <= emails <= count + by_admins + again and order_id not in evidence.erased_orders:
            yield f"order {order_id} was cancelled {count} times by its customer, {by_admins} times by admins, with {emails} emails"
        if not count:
            continue
        cancelled += 1
        if order["payment_status"] == "completed":
            refunds = evidence.refunds_of[order["paid_by"]] if order["paid_by"] else []
            returned = sum(row["amount"] for row in refunds if row["state"] != "failed")
            failed = any(row["state"] == "failed" for row in refunds)
            # A rest that is too small for the gateway stays.
            if not order["total"] - MIN_REFUND < returned <= order["total"] and not failed:
                yield f"order {order_id} was cancelled and returns {returned} of {order['total']}"
            if any(sum(amounts) for amounts in evidence.packs_out_of_stock(order_id).values()):
                yield f"order {order_id} was cancelled, but not all its packs are back in stock"
    for line in evidence.client_events("cancel"):
        kinds = {event["kind"] for event in evidence.events_of[line["order"]]}
        if "cancelled_by_customer" not in kinds:
            yield f"order {line['order']} was cancelled at {line['t']} s, which is lost"
    return cancelled


def requests_to_cancel_are_answered_once(evidence):
    """each request to cancel a packed order is there, and an order that has one waits for one answer, or was cancelled or deleted"""
    requests = group_by(evidence.tables["cancellation_requests"], "order_id")
    for line in evidence.client_events("cancellation asked for"):
        if not requests[line["order"]]:
            yield f"order {line['order']}: the customer asked to cancel it at {line['t']} s, which is lost"
    for order_id, rows in requests.items():
        order = evidence.orders.get(order_id)
        if order is None:
            yield f"a request to cancel is of the order {order_id}, which does not exist"
            continue
        waiting = [row for row in rows if row["decision"] is None]
        if len(waiting) > 1:
            yield f"order {order_id} has {len(waiting)} requests to cancel it that wait for an answer"
        if waiting and (order["order_status"] == "cancelled" or order["deleted_at"]):
            yield f"order {order_id} is {order['order_status']}, but a request to cancel it waits for an answer"
        events = Counter(event["kind"] for event in evidence.events_of[order_id])
        for decision in ("accepted", "declined"):
            count = sum(row["decision"] == decision for row in rows)
            if count != events[f"cancellation_{decision}"]:
                yield f"order {order_id}: {count} requests to cancel it were {decision}, with {events[f'cancellation_{decision}']} events"
    return len(requests)


def refunds_by_admins_are_present(evidence):
    """each acknowledged refund is there once, with its amount, event and email; lines add up"""
    rows = {row["id"]: row for row in evidence.tables["refunds"]}
    for line in evidence.client_events("refund"):
        row = rows.get(line["id"])
        if row is None or row["amount"] != line["amount"]:
            yield f"the refund {line['id']} of {line['amount']} was acknowledged and is {row and row['amount']}"
    requested = Counter(event["order_id"] for event in evidence.tables["order_events"] if event["kind"] == "refund_requested")
    refunds = Counter(row["order_id"] for row in rows.values())
    for order_id in requested.keys() | refunds.keys():
        if requested[order_id] != refunds[order_id]:
            yield f"order {order_id}: {refunds[order_id]} refunds, {requested[order_id]} events about them"
    sums, lines = Counter(), Counter()
    for line in evidence.tables["refund_lines"]:
        refund = rows.get(line["refund_id"])
        if refund is None:
            yield f"refund {line['refund_id']} has lines, but is missing"
            continue
        sums[line["refund_id"]] += line["amount"]
        order_id = refund["order_id"]
        if refund["state"] != "failed":
            lines[(order_id, line["product_id"], "qty_50g")] += line["qty_50g"]
            lines[(order_id, line["product_id"], "qty_100g")] += line["qty_100g"]
    for refund_id, amount in sums.items():
        if amount != rows[refund_id]["amount"]:
            yield f"refund {refund_id} of {rows[refund_id]['amount']} has lines of {amount}"
    for (order_id, product, size), packs in lines.items():
        ordered = sum(line[size] for line in evidence.lines[order_id] if line["product_id"] == product)
        if packs > ordered:
            yield f"order {order_id}: {packs} packs of {product} were refunded, {ordered} were ordered ({size})"
    return len(rows)


def problems_are_present(evidence):
    """each acknowledged report is there; a replacement is one order without charge, a refund one refund"""
    problems = {row["id"]: row for row in evidence.tables["order_problems"]}
    for line in evidence.client_events("problem"):
        if line["id"] not in problems:
            yield f"the problem {line['id']} was reported at {line['t']} s and is lost"
    refunds = {row["id"] for row in evidence.tables["refunds"]}
    replacements = Counter(order["replaces_order_id"] for order in evidence.orders.values() if order["replaces_order_id"])
    replaced = Counter(row["order_id"] for row in problems.values() if row["state"] == "replaced")
    if replaced != replacements:
        yield f"{sum(replaced.values())} problems were replaced, by {sum(replacements.values())} orders"
    for row in problems.values():
        if row["state"] == "refunded" and row["refund_id"] and row["refund_id"] not in refunds:
            yield f"problem {row['id']} was refunded, but there is no refund"
        if row["state"] == "replaced" and row["replacement_order_id"] not in evidence.orders:
            yield f"problem {row['id']} was replaced, but there is no replacement"
        emails = sum(email["kind"] == "problem resolved" for email in evidence.emails_of[row["order_id"]])
        resolved = sum(other["state"] != "open" for other in problems.values() if other["order_id"] == row["order_id"])
        if emails != resolved and row["order_id"] not in evidence.erased_orders:
            yield f"order {row['order_id']}: {resolved} problems were resolved, with {emails} emails"
    return len(problems)

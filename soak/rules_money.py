"""Rules about the money that the shop keeps: by the gateway's record, by invoices and credit notes, and by what the owner is told."""

import json
from collections import Counter, defaultdict

from soak.changes import MIN_REFUND, Changes, succeeded

SENT = ("shipped", "delivered")
# Issues that tell the owner what went wrong with the money of an order.
KEPT_MONEY, LEFT_UNPAID, LEFT_REFUNDED = "paid, cancelled, not refunded", "shipped, not paid", "shipped, refunded"
MADE_GOOD_TWICE = "made good twice"
SIZES = ("qty_50g", "qty_100g")


def issues_of_orders(evidence):
    found = defaultdict(list)
    for issue in evidence.tables["concerns"]:
        found[issue["order_id"]].append(issue)
    return found


def kept_by_gateway(evidence):
    """What the gateway captured with each payment and has not returned."""
    kept = Counter({number: capture["amount"] for number, capture in evidence.captured.items()})
    for refund in evidence.gateway_refunds:
        if evidence.refund_ends.get(refund["number"]) == "COMPLETED":
            kept[refund["of"]] -= refund["amount"]
    return kept


def invoices_are_the_money_kept(evidence):
    """once its refunds have ended, an order's invoice less its credit notes is what the gateway captured and did not return"""
    if evidence.is_snapshot:
        return 0
    issued, credited, kept_of = {}, Counter(), kept_by_gateway(evidence)
    for document in evidence.tables["documents"]:
        if document["refers_to"]:
            credited[document["order_id"]] += document["total"]
        else:
            issued[document["order_id"]] = document
    for order_id, invoice in issued.items():
        order = evidence.orders.get(order_id)
        refunds = evidence.refunds_of[order["paid_by"]] if order and order["paid_by"] else []
        if order is None or any(row["state"] in ("wanted", "pending") for row in refunds):
            continue
        kept = kept_of[order["paid_by"]]
        if invoice["total"] - credited[order_id] != kept:
            yield f"order {order_id}: {kept} were kept, invoice {invoice['number']} less credit notes declares {invoice['total'] - credited[order_id]}"
    return len(issued)


def failed_refunds_wait_only_while_due(evidence):
    """the issue of a failed refund ends when it is repeated or when its packs or its money were refunded by another one"""
    rows = {row["id"]: row for row in evidence.tables["refunds"]}
    repeated = {row["retry_of"] for row in rows.values()}
    lines = defaultdict(list)
    for line in evidence.tables["refund_lines"]:
        lines[line["refund_id"]].append(line)
    open_issues = [issue for issue in evidence.tables["concerns"] if issue["kind"] == "refund failed" and issue["settled_at"] is None]
    for issue in open_issues:
        failed = rows.get(issue["about"])
        if failed is None:
            yield f"an issue is about the refund {issue['about']}, which is missing"
            continue
        of_payment = [row for row in evidence.refunds_of[failed["merchant_order_id"]] if row["state"] != "failed"]
        attempt = evidence.attempts[failed["merchant_order_id"]]
        left = (attempt["received"] or attempt["amount"]) - sum(row["amount"] for row in of_payment)
        refunded = Counter()
        for line in (line for row in of_payment for line in lines[row["id"]]):
            for size in SIZES:
                refunded[line["product_id"], size] += line[size]
        ordered = {(line["product_id"], size): line[size] for line in evidence.lines[failed["order_id"]] for size in SIZES}
        packs = [(line["product_id"], size) for line in lines[failed["id"]] for size in SIZES if line[size]]
        is_done = packs and all(refunded[key] >= ordered[key] for key in packs)
        if failed["id"] in repeated or left < MIN_REFUND or is_done:
            yield f"the failed refund {failed['id']} of {failed['amount']} still waits for the owner, although {left} are left of the payment"
    return len(open_issues)


def money_of_ended_orders_is_not_forgotten(evidence):
    """a paid order that was cancelled or deleted was refunded, or the owner is asked, or has confirmed to keep the money"""
    issues, checked = issues_of_orders(evidence), 0
    for order in evidence.orders.values():
        if order["payment_status"] != "completed" or not order["total"] or not (order["order_status"] == "cancelled" or order["deleted_at"]):
            continue
        checked += 1
        refunds = evidence.refunds_of[order["paid_by"]]
        returned = sum(row["amount"] for row in refunds if row["state"] != "failed")
        about = {issue["kind"] for issue in issues[order["id"]]}
        is_repeated = {row["retry_of"] for row in refunds}
        failed = any(row["state"] == "failed" and row["id"] not in is_repeated for row in refunds)
        if returned <= order["total"] - MIN_REFUND and KEPT_MONEY not in about and not (failed and "refund failed" in about):
            end = "deleted" if order["deleted_at"] else "cancelled"
            yield f"order {order['id']} was paid and {end}, {returned} of {order['total']} were returned, and the owner is not told"
    return checked


def sent_orders_are_paid_or_told(evidence):
    """the owner is told of each order that is shipped unpaid, or was set to shipped after its refund; unpaid ones have no email about it"""
    issues, changes, checked = issues_of_orders(evidence), Changes(evidence), 0
    for order in evidence.orders.values():
        told = {issue["kind"] for issue in issues[order["id"]]}
        of_order, is_sent = changes.of(order["id"]), order["order_status"] in SENT and not order["deleted_at"]
        if order["payment_status"] != "completed":
            if is_sent and LEFT_UNPAID not in told:
                yield f"order {order['id']} is {order['order_status']}, its payment {order['payment_status']}, and the owner is not told"
            emails = [row["kind"] for row in evidence.emails_of[order["id"]] if row["kind"] in SENT]
            if emails and not any(change["body"].get("evenIfUnpaid") for change in of_order):
                yield f"order {order['id']} is {order['payment_status']}, but its customer got {emails}"
            continue
        for change in of_order:
            if change["what"] != "status" or not succeeded(change) or change["body"].get("orderStatus") not in SENT:
                continue
            checked += 1
            # One that had left before may be refunded, and go on from shipped to delivered.
            had_left = any(other["is_now"] in SENT or other["status"] is None for other in of_order if other["sent"] < change["t"] and other is not change)
            had_left = had_left or any(event["actor"] == "system" and event["detail"] in SENT for event in evidence.events_of[order["id"]])
            is_confirmed = any(other["body"].get("evenIfRefunded") for other in of_order)
            is_wrong = changes.is_refunded_before(order, change["sent"]) and not had_left and not is_confirmed and is_sent
            if is_wrong and LEFT_REFUNDED not in told:
                yield f"order {order['id']} was set to {change['body']['orderStatus']} at {change['t']} s, after its refund, and the owner is not told"
    return checked


def packs_are_made_good_once(evidence):
    """packs of a problem were replaced or refunded once, unless an admin confirmed to do it again"""
    changes = Changes(evidence)
    problems = {row["id"]: row for row in evidence.tables["order_problems"]}
    resolved = {}
    for of_order in changes.of_order.values():
        for change in of_order:
            if change["what"] == "problem" and succeeded(change):
                resolved.setdefault(change["path"].rsplit("/", 1)[-1], change)
    lines = defaultdict(list)
    for line in evidence.tables["refund_lines"]:
        lines[line["refund_id"]].append(line)
    for problem_id, change in resolved.items():
        problem, order = problems.get(problem_id), None
        if problem and problem["state"] in ("replaced", "refunded") and not change["body"].get("evenIfRepeated"):
            order = evidence.orders.get(problem["order_id"])
        if order is None:
            continue
        before = Counter()
        for row in changes.refunds_before(order, change["sent"]):
            for line in lines[row["id"]]:
                for size in SIZES:
                    before[line["product_id"], size] += line[size]
        for other_id, other in resolved.items():
            earlier = problems.get(other_id)
            if earlier and earlier["order_id"] == order["id"] and earlier["state"] == "replaced" and other["t"] < change["sent"]:
                if was_cancelled(evidence, earlier["replacement_order_id"]):
                    continue
                for product, size, count in packs_of(earlier):
                    before[product, size] += count
        ordered = {(line["product_id"], size): line[size] for line in evidence.lines[order["id"]] for size in SIZES}
        for product, size, count in packs_of(problem):
            if before[product, size] + count > ordered[product, size]:
                yield f"order {order['id']}: {count} packs of {product} were {problem['state']}, {before[product, size]} of {ordered[product, size]} had been made good"
    return len(resolved)


def sent_orders_have_an_invoice(evidence):
    """a paid order that was shipped or delivered has an invoice, unless its money went back"""
    invoiced = {document["order_id"] for document in evidence.tables["documents"] if not document["refers_to"]}
    checked = 0
    for order in evidence.orders.values():
        refunds = evidence.refunds_of[order["paid_by"]] if order["paid_by"] else []
        is_sent = order["order_status"] in SENT and order["payment_status"] == "completed" and order["paid_by"]
        if not is_sent or any(row["state"] in ("wanted", "pending") for row in refunds):
            continue
        checked += 1
        kept = order["total"] - sum(row["amount"] for row in refunds if row["state"] == "completed")
        if kept >= MIN_REFUND and order["id"] not in invoiced:
            yield f"order {order['id']} is {order['order_status']}, {kept} of its payment were kept, and it has no invoice"
    return checked


def replaced_packs_are_not_refunded(evidence):
    """packs of an order are not replaced and refunded beyond what it has, unless an admin confirmed it or the owner is told"""
    changes, issues = Changes(evidence), issues_of_orders(evidence)
    replaced, elsewhere = defaultdict(list), set()
    for problem in evidence.tables["order_problems"]:
        if problem["state"] == "replaced" and problem["replacement_order_id"] in evidence.orders:
            replaced[problem["order_id"]].append(problem["replacement_order_id"])
        if problem["refund_id"]:
            # A damaged replacement is refunded from the payment of the first order.
            elsewhere.add((problem["refund_id"], problem["order_id"]))
    lines = defaultdict(list)
    for line in evidence.tables["refund_lines"]:
        lines[line["refund_id"]].append(line)
    for order_id, replacements in replaced.items():
        order = evidence.orders.get(order_id)
        of_order = [change for each in (order_id, *replacements) for change in changes.of(each)]
        # A customer who cancels what an admin has set back gets everything back.
        if order is None or any(change["body"].get("evenIfRepeated") or change["what"] in ("cancel", "answer") for change in of_order):
            continue
        made_good = Counter()
        for each in replacements:
            is_told = any(issue["kind"] == MADE_GOOD_TWICE for issue in issues[each])
            if evidence.orders[each]["order_status"] == "cancelled" or is_told:
                continue
            for line in evidence.lines[each]:
                for size in SIZES:
                    made_good[line["product_id"], size] += line[size] - line[size.replace("qty", "restocked")]
        for row in evidence.refunds_of[order["paid_by"]] if order["paid_by"] else []:
            is_elsewhere = any(refund == row["id"] and other != order_id for refund, other in elsewhere)
            if row["state"] == "failed" or row["retry_of"] or is_elsewhere:
                continue
            for line in lines[row["id"]]:
                for size in SIZES:
                    made_good[line["product_id"], size] += line[size]
        for line in evidence.lines[order_id]:
            for size in SIZES:
                if made_good[line["product_id"], size] > line[size]:
                    yield f"order {order_id}: {made_good[line['product_id'], size]} of {line[size]} packs of {line['product_id']} were replaced and refunded ({size})"
    return len(replaced)


def was_cancelled(evidence, order_id):
    """Whether an order was ever cancelled, so that its packs had not been sent."""
    order = evidence.orders.get(order_id)
    by_admin = any(event["kind"] == "status_set" and event["detail"] == "cancelled" for event in evidence.events_of[order_id])
    by_customer = any(event["kind"] in ("cancelled_by_customer", "cancellation_accepted") for event in evidence.events_of[order_id])
    return by_admin or by_customer or (order is not None and order["order_status"] == "cancelled")


def packs_come_back_with_one_refund(evidence):
    """of an order that was never cancelled, no more packs are back in stock than were refunded or wait for the repetition of a refund"""
    lines, checked = defaultdict(list), 0
    for line in evidence.tables["refund_lines"]:
        lines[line["refund_id"]].append(line)
    rows = defaultdict(list)
    for row in evidence.tables["refunds"]:
        rows[row["order_id"]].append(row)
    for order in evidence.orders.values():
        restocked = [line for line in evidence.lines[order["id"]] if line["restocked_50g"] + line["restocked_100g"]]
        # A free amount may have paid for packs, and a cancelled order puts all of them back.
        refunds = rows[order["id"]]
        has_free = any(row["state"] != "failed" and not lines[row["id"]] for row in refunds)
        if not restocked or order["payment_status"] != "completed" or has_free or was_cancelled(evidence, order["id"]):
            continue
        checked += 1
        repeated = {row["retry_of"] for row in refunds}
        is_due = lambda row: row["state"] != "failed" or (row["id"] not in repeated and not row.get("superseded_by"))
        refunded = Counter()
        for line in (line for row in refunds if is_due(row) for line in lines[row["id"]]):
            for size in SIZES:
                refunded[line["product_id"], size] += line[size]
        for line in restocked:
            for size in SIZES:
                back, due = line[size.replace("qty", "restocked")], refunded[line["product_id"], size]
                if back > due:
                    yield f"order {order['id']}: {back} packs of {line['product_id']} are back in stock, {due} were refunded ({size})"
    return checked


def repetitions_return_what_is_owed(evidence):
    """a refund is repeated only if its packs were not refunded otherwise since it failed; that of a second payment names no packs"""
    rows = {row["id"]: row for row in evidence.tables["refunds"]}
    lines, of_payment, checked = defaultdict(list), defaultdict(list), 0
    for line in evidence.tables["refund_lines"]:
        lines[line["refund_id"]].append(line)
    for row in rows.values():
        of_payment[row["merchant_order_id"]].append(row)
        order = evidence.orders.get(row["order_id"])
        if order and order["paid_by"] and order["paid_by"] != row["merchant_order_id"] and lines[row["id"]]:
            yield f"the refund {row['id']} of the second payment of order {order['id']} names packs"
    for refunds in of_payment.values():
        # Amounts may have paid for packs.
        if any(not lines[row["id"]] for row in refunds) or not any(row["retry_of"] for row in refunds):
            continue
        failures = [(row["updated_at"], 0, row) for row in refunds if row["state"] == "failed"]
        requests = [(row["created_at"], 1, row) for row in refunds]
        owed = Counter()
        for _, is_request, row in sorted(failures + requests, key=lambda change: change[:2]):
            packs = Counter({(line["product_id"], size): line[size] for line in lines[row["id"]] for size in SIZES if line[size]})
            if is_request:
                checked += bool(row["retry_of"])
                if row["retry_of"] and packs - owed:
                    yield f"the refund {row['retry_of']} was repeated although {dict(packs - owed)} of it were refunded otherwise"
                owed -= packs
            else:
                owed += packs
    return checked


def packs_of(problem):
    """(product, size, count) of a problem, whose lines are stored as JSON."""
    for line in json.loads(problem["lines"]):
        for size in SIZES:
            if count := line["packs"][size.replace("qty", "of")]:
                yield line["product"], size, count

"""What must be true of a shop whatever it went through. Each rule looks at the evidence and gives how many things
it looked at and what is wrong with them. None of this is the shop's own code."""

import re
from collections import Counter, defaultdict

RESTOCKED = re.compile(r"stock ([+-]\d+) g, ([+-]\d+) and ([+-]\d+) pouches")
MOVES = {"hold": -1, "release": 1, "take again": -1}
# Somebody decided that the order ends: late money is returned, never kept.
ENDED_ON_PURPOSE = ("cancelled", "deleted", "account deleted", "released")


def rows(amounts):
    return [amounts["grams"], amounts["pouches_50g"], amounts["pouches_100g"]]


def sums(ledger):
    return [sum(column) for column in zip(*map(rows, ledger))] if ledger else [0, 0, 0]


def stock_is_explained(books):
    """stock = opening + restocked - what orders hold = the sum of the ledger"""
    restocked, taken = defaultdict(lambda: [0, 0, 0]), defaultdict(lambda: [0, 0, 0])
    for entry in books.tables["audit"]:
        if entry["action"] == "product changed" and (found := RESTOCKED.search(entry["detail"])):
            for at, amount in enumerate(found.groups()):
                restocked[entry["about"]][at] += int(amount)
    for order in books.orders.values():
        if order["payment_status"] in ("pending", "completed"):
            for product, amounts in books.packs_of(order["id"]).items():
                for at, amount in enumerate(amounts):
                    taken[product][at] += amount
    for product in books.tables["products"]:
        name = product["id"]
        is_now = [product["stock_grams"], product["pouches_50g"], product["pouches_100g"]]
        told = [opening + more - less for opening, more, less in zip(books.opening[name]["stock"], restocked[name], taken[name])]
        if is_now != told:
            yield f"{name}: stock is {is_now}, its orders and restockings make {told}"
        if is_now != sums(books.ledger_of_product[name]):
            yield f"{name}: stock is {is_now}, its ledger makes {sums(books.ledger_of_product[name])}"
        if min(is_now) < 0:
            yield f"{name}: stock is below zero: {is_now}"
    return len(books.tables["products"])


def ledger_follows_orders(books):
    """each order took its goods once, and put them back once if it ended unpaid"""
    for order_id, moved in books.ledger_of_order.items():
        order = books.orders.get(order_id)
        if order is None:
            yield f"the ledger moves stock for order {order_id}, which does not exist"
            continue
        taken = [0, 0, 0] if order["payment_status"] == "failed" else [-sum(c) for c in zip(*books.packs_of(order_id).values())]
        if sums(moved) != taken:
            yield f"order {order_id} is {order['payment_status']}, its ledger makes {sums(moved)}, not {taken}"
        for product, amounts in books.packs_of(order_id).items():
            for row in (row for row in moved if row["product_id"] == product):
                if row["reason"] not in MOVES or rows(row) != [MOVES[row["reason"]] * amount for amount in amounts]:
                    yield f"order {order_id}: a ledger row {row['reason']} moves {rows(row)} of {product}, not {amounts}"
    for order_id in books.orders.keys() - books.ledger_of_order.keys():
        yield f"order {order_id} never took its goods out of stock"
    return len(books.tables["stock_ledger"])


def orders_add_up(books):
    """totals are the sums of lines at prices that the product had; the states fit each other"""
    prices = defaultdict(set)
    for product, opening in books.opening.items():
        prices[product].add(tuple(opening["mrp"]))
    for line in books.said("price asked"):
        prices[line["product"]].add(tuple(line["mrp"]))
    pending = Counter()
    for order in books.orders.values():
        lines = books.lines[order["id"]]
        for line in lines:
            if line["line_total"] != line["qty_50g"] * (line["price_50g"] or 0) + line["qty_100g"] * (line["price_100g"] or 0):
                yield f"order {order['id']}: the line of {line['product_id']} does not add up"
            if (line["price_50g"], line["price_100g"]) not in prices[line["product_id"]]:
                yield f"order {order['id']}: {line['product_id']} never cost {line['price_50g']}, {line['price_100g']}"
        if not lines or order["total"] != sum(line["line_total"] for line in lines):
            yield f"order {order['id']}: the total {order['total']} is not the sum of its lines"
        if bool(order["holds_stock"]) != (order["payment_status"] != "failed"):
            yield f"order {order['id']} is {order['payment_status']} and holds_stock is {order['holds_stock']}"
        if order["payment_status"] == "failed" and order["paid_by"]:
            yield f"order {order['id']} has failed but is paid by {order['paid_by']}"
        pending[order["user_id"]] += order["payment_status"] == "pending"
    for user, count in pending.items():
        if count > 1:
            yield f"shopper {user} has {count} unpaid orders at once"
    return len(books.orders)


def money_has_an_order(books):
    """each captured payment paid one order in full, or went back in full once, or is a concern"""
    paid = defaultdict(list)
    for order in books.orders.values():
        if order["paid_by"]:
            paid[order["paid_by"]].append(order)
    back = defaultdict(list)
    for refund in books.gateway_refunds:
        back[refund["of"]].append(refund)
    for number, capture in books.captured.items():
        attempt = books.attempts.get(number)
        if attempt is None:
            if not books.is_snapshot:
                yield f"payment {number} of {capture['amount']} belongs to no order"
            continue
        if books.is_snapshot and attempt["state"] in ("opening", "open", "failed"):
            continue
        refunds, owners = back[number], paid[number]
        concerns = {concern["kind"] for concern in books.concerns_about[number]}
        concerns |= {concern["kind"] for row in books.refunds_of[number] for concern in books.concerns_about[row["id"]]}
        whole = [r for r in refunds if r["amount"] == capture["amount"]]
        ends = [books.refund_ends.get(refund["number"], "PENDING") for refund in refunds]
        if len(owners) == 1 and not refunds and owners[0]["payment_status"] == "completed" and owners[0]["total"] == capture["amount"]:
            continue
        if not owners and len(refunds) == len(whole) == 1 and ("FAILED" not in ends or "refund failed" in concerns):
            continue
        if books.is_snapshot and not owners and books.refunds_of[number]:
            continue
        if not owners and not refunds and "amount mismatch" in concerns and number in books.lied_about:
            continue
        order = books.orders[attempt["order_id"]]
        yield (f"payment {number} of {capture['amount']}: order {order['id']} is {order['payment_status']} over {order['total']}, "
               f"pays {len(owners)} orders, {len(refunds)} refunds {ends}, attempt {attempt['state']}, concerns {sorted(concerns)}")
    return len(books.captured)


def nothing_is_paid_without_money(books):
    """each completed order has a captured payment of exactly its total, its own and no other's"""
    seen = Counter(order["paid_by"] for order in books.orders.values() if order["paid_by"])
    completed = [order for order in books.orders.values() if order["payment_status"] == "completed"]
    for order in completed:
        capture, attempt = books.captured.get(order["paid_by"]), books.attempts.get(order["paid_by"])
        if capture is None or capture["amount"] != order["total"]:
            yield f"order {order['id']} is completed, but the gateway has no {order['total']} for it under {order['paid_by']}"
        if attempt is None or attempt["order_id"] != order["id"] or attempt["amount"] != order["total"]:
            yield f"order {order['id']} is paid by an attempt that is not its own"
        if seen[order["paid_by"]] > 1:
            yield f"payment {order['paid_by']} pays {seen[order['paid_by']]} orders"
    if books.capture_count != len(books.captured):
        yield "the gateway captured one payment twice"
    return len(completed)


def ended_orders_keep_no_money(books):
    """only failed orders have ended; money for one that was ended on purpose is on its way back"""
    for order in books.orders.values():
        if order["end_reason"] and order["payment_status"] != "failed":
            yield f"order {order['id']} is {order['payment_status']} and has ended: {order['end_reason']}"
    for number, attempt in books.attempts.items():
        reason = books.orders[attempt["order_id"]]["end_reason"]
        if attempt["state"] != "completed" or reason not in ENDED_ON_PURPOSE:
            continue
        concerns = {concern["kind"] for concern in books.concerns_about[number]}
        if not books.refunds_of[number] and "amount mismatch" not in concerns:
            yield f"payment {number}: order {attempt['order_id']} ended ({reason}), and its money was kept"
    return sum(order["end_reason"] is not None for order in books.orders.values())


def refunds_are_known(books):
    """each refund at the gateway was written down by the shop, and told to the shopper when it had worked"""
    known = {refund["id"]: refund for refund in books.tables["refunds"]}
    for refund in books.gateway_refunds:
        row = known.get(refund["number"])
        if row is None:
            if not books.is_snapshot:
                yield f"the gateway returned {refund['amount']} as {refund['number']}, of which the shop knows nothing"
        elif (row["merchant_order_id"], row["amount"]) != (refund["of"], refund["amount"]):
            yield f"refund {refund['number']} is another one at the gateway"
    told = Counter(mail["order_id"] for mail in books.tables["mails"] if mail["kind"] == "refunded")
    ended = Counter(row["order_id"] for row in known.values() if row["state"] == "completed")
    for order_id in told.keys() | ended.keys():
        if told[order_id] != ended[order_id]:
            yield f"order {order_id}: {ended[order_id]} refunds, {told[order_id]} letters about them"
    for row in known.values():
        if row["state"] == "completed" and books.refund_ends.get(row["id"]) != "COMPLETED":
            yield f"refund {row['id']} is completed here but not at the gateway"
    return len(known)

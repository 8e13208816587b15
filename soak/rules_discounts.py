"""Rules about discount codes: what they saved, and how often they were used. The savings are computed here from the terms of
the code; simulated admins never change them."""

import json
from collections import Counter
from fractions import Fraction

# The gateway accepts no smaller payment, in paise.
MIN_PAYMENT = 100


def full_price(line):
    return line["qty_50g"] * (line["price_50g"] or 0) + line["qty_100g"] * (line["price_100g"] or 0)


def expected_saving(code, full, eligible):
    """In paise. A per cent is rounded to the nearest paisa, a half upwards; what remains to pay is nothing or at least the
    gateway's minimum."""
    if code["kind"] == "percent":
        exact = Fraction(eligible * code["value"], 10_000)
        saving = int(exact + Fraction(1, 2))
    else:
        saving = min(code["value"], eligible)
    return max(0, full - MIN_PAYMENT) if 0 < full - saving < MIN_PAYMENT else saving


def is_for(code, product):
    products, categories = json.loads(code["products"]), {name.lower() for name in json.loads(code["categories"])}
    own = {name.lower() for name in json.loads(product["about"])["category"]}
    return not products and not categories or product["id"] in products or bool(own & categories)


def discounts_add_up(evidence):
    """the saving is what the code's terms give, spread over the lines in proportion, less than a paisa off; total = lines"""
    codes = {row["id"]: row for row in evidence.tables["discounts"]}
    products = {row["id"]: row for row in evidence.tables["products"]}
    discounted = 0
    for order in evidence.orders.values():
        lines = evidence.lines[order["id"]]
        if order["discount_amount"] != sum(line["discount"] for line in lines):
            yield f"order {order['id']} saved {order['discount_amount']}, its lines {[line['discount'] for line in lines]}"
        if not order["discount_id"]:
            if order["discount_amount"] or order["discount_code"]:
                yield f"order {order['id']} saved {order['discount_amount']} without a code"
            continue
        discounted += 1
        code = codes.get(order["discount_id"])
        if code is None or code["code"] != order["discount_code"]:
            yield f"order {order['id']} has the code {order['discount_code']}, which is {code and code['code']}"
            continue
        weights = [full_price(line) if is_for(code, products[line["product_id"]]) else 0 for line in lines]
        full, eligible = sum(map(full_price, lines)), sum(weights)
        expected = expected_saving(code, full, eligible)
        if order["discount_amount"] != expected:
            yield f"order {order['id']}: {code['code']} saved {order['discount_amount']} of {full}, not {expected}"
        if full < code["min_total"]:
            yield f"order {order['id']} of {full} used {code['code']}, which needs {code['min_total']}"
        for line, weight in zip(lines, weights):
            share = Fraction(order["discount_amount"] * weight, eligible or 1)
            if abs(line["discount"] - share) >= 1:
                yield f"order {order['id']}: the line of {line['product_id']} saved {line['discount']}, its share is {float(share):.3f}"
        if order["total"] != full - order["discount_amount"]:
            yield f"order {order['id']}: {full} less {order['discount_amount']} is not {order['total']}"
    return discounted


def codes_are_used_within_their_limits(evidence):
    """orders that are paid or wait for payment, without cancelled ones, are not more than a code allows, in all and by customer"""
    by_all, by_customer = Counter(), Counter()
    for order in evidence.orders.values():
        if order["discount_id"] and order["payment_status"] != "failed" and order["order_status"] != "cancelled":
            by_all[order["discount_id"]] += 1
            by_customer[(order["discount_id"], order["user_id"])] += 1
    for code in evidence.tables["discounts"]:
        if code["max_uses"] is not None and by_all[code["id"]] > code["max_uses"]:
            yield f"{code['code']} was used {by_all[code['id']]} times, {code['max_uses']} are allowed"
        if code["once_per_customer"] or code["first_order_only"]:
            for (used, user), count in by_customer.items():
                if used == code["id"] and count > 1:
                    yield f"{code['code']} was used {count} times by customer {user}"
    return sum(by_all.values())

"""Rules about batches: what is left of each, and that orders got the one that ends first."""

from collections import defaultdict


def grams_of(packs):
    return (packs["quantity"] - packs["returned"]) * packs["pack_grams"]


def batches_add_up(evidence):
    """a batch has what it was received with, less the packs of packed orders; no order has more of batches than it has"""
    ledger, packed = defaultdict(int), defaultdict(int)
    for row in evidence.tables["stock_ledger"]:
        if row["batch_id"]:
            ledger[row["batch_id"]] += row["grams"]
    batches = {batch["id"]: batch for batch in evidence.tables["batches"]}
    of_order = defaultdict(lambda: defaultdict(int))
    for packs in evidence.tables["batch_packs"]:
        packed[packs["batch_id"]] += grams_of(packs)
        size = 1 if packs["pack_grams"] == 50 else 2
        of_order[packs["order_id"]][packs["product_id"], size] += packs["quantity"] - packs["returned"]
        if batches[packs["batch_id"]]["product_id"] != packs["product_id"]:
            yield f"order {packs['order_id']}: {packs['product_id']} is of a batch of another product"
        order = evidence.orders.get(packs["order_id"])
        has_left = any(event["kind"] == "status_set" and event["detail"] in ("shipped", "delivered") for event in evidence.events_of[packs["order_id"]])
        if order is None or not (order["packed_at"] or has_left):
            yield f"order {packs['order_id']} has packs of a batch, but was never packed"
    for name, batch in batches.items():
        if batch["left_grams"] < 0 or batch["left_grams"] != ledger[name] - packed[name]:
            yield f"batch {batch['number']} has {batch['left_grams']} g left, not {ledger[name]} less {packed[name]}"
    for order_id, packs in of_order.items():
        out = evidence.packs_out_of_stock(order_id)
        for (product, size), count in packs.items():
            if count > out.get(product, [0, 0, 0])[size]:
                yield f"order {order_id} has {count} packs of {product} from batches, but only {out.get(product)} in all"
    return len(batches)

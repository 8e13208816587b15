"""The changes of orders that simulated users sent, in the order in which they must have happened. The server's clock jumps during a
run, so its times say little. But a change that was answered before another one was sent came first."""

from collections import defaultdict

# The shop keeps a rest below the gateway's smallest refund, in paise.
MIN_REFUND = 100


class Changes:
    def __init__(self, evidence):
        self.evidence = evidence
        of_order = defaultdict(list)
        for line in evidence.client_events("change"):
            for order in line["orders"]:
                of_order[order].append(line)
        self.of_order = dict(of_order)
        self.refund_known_at = self.find_refund_times()

    def find_refund_times(self):
        """By when each refund was in the database, as far as somebody was told."""
        known = {}
        for changes in self.of_order.values():
            for change in filter(succeeded, changes):
                if change["refund"]:
                    note(known, change["refund"], change["t"])
        for row in self.evidence.tables["refunds"]:
            ended = [change["t"] for change in self.of(row["order_id"]) if succeeded(change) and cancels_with_refund(change)]
            # A cancellation says nothing about its refund. Of several, any one may have made it.
            if row["id"] not in known and ended:
                known[row["id"]] = max(ended)
        return known

    def of(self, order_id):
        return self.of_order.get(order_id, [])

    def refunds_before(self, order, time):
        """Refunds of the order's payment that were made before this time and did not fail."""
        rows = self.evidence.refunds_of[order["paid_by"]] if order["paid_by"] else []
        return [row for row in rows if row["state"] != "failed" and self.refund_known_at.get(row["id"], time) < time]

    def is_refunded_before(self, order, time):
        returned = sum(row["amount"] for row in self.refunds_before(order, time))
        return order["total"] > 0 and returned > order["total"] - MIN_REFUND

    def possible(self, order_id, kinds):
        """Changes that may have taken effect: all but those that the server rejected."""
        return [change for change in self.of(order_id) if change["what"] in kinds and (change["status"] is None or succeeded(change))]


def note(times, key, time):
    times[key] = min(time, times.get(key, time))


def succeeded(change):
    return change["status"] is not None and 200 <= change["status"] < 300


def cancels_with_refund(change):
    body = change["body"]
    if change["what"] == "status":
        return body.get("orderStatus") == "cancelled" and body.get("refund", False)
    return (change["what"] == "cancel" and change["is_now"] == "cancelled") or (change["what"] == "answer" and body.get("accept", False))

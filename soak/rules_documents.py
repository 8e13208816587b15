"""Rules about invoices, credit notes and the numbers of their series."""

from collections import Counter, defaultdict

TAXES = ("taxable", "cgst", "sgst", "igst")


def documents_add_up(evidence):
    """documents = their lines, halves equal; an invoice = the payment less earlier refunds; credit notes <= invoice"""
    lines = defaultdict(list)
    for line in evidence.tables["document_lines"]:
        lines[line["document_id"]].append(line)
        if line["cgst"] != line["sgst"] or min(line[tax] for tax in TAXES) < 0:
            yield f"a line of document {line['document_id']} has {[line[tax] for tax in TAXES]}"
        if sum(line[tax] for tax in TAXES) != line["gross"] - line["discount"]:
            yield f"a line of document {line['document_id']} does not add up"
    refunds = {row["id"]: row for row in evidence.tables["refunds"]}
    deducted = Counter()
    for refund in refunds.values():
        # The repeat of a failed refund is deducted with the first one.
        first = refunds.get(refund["retry_of"])
        if refund["deducted_from"] and not (first and first["deducted_from"]):
            deducted[refund["deducted_from"]] += refund["amount"]
    credited = defaultdict(Counter)
    for document in evidence.tables["documents"]:
        for tax in TAXES:
            if document[tax] != sum(line[tax] for line in lines[document["id"]]):
                yield f"document {document['number']}: its lines do not add up to its {tax}"
        if document["refers_to"]:
            credited[document["refers_to"]].update({tax: document[tax] for tax in TAXES})
            refund = refunds.get(document["refund_id"])
            if refund is None or refund["state"] != "completed" or document["total"] > refund["amount"]:
                yield f"credit note {document['number']} has the refund {refund and (refund['state'], refund['amount'])}"
            continue
        order = evidence.orders.get(document["order_id"])
        if order is None or order["payment_status"] != "completed":
            yield f"invoice {document['number']} is for an order that is not paid"
        elif document["total"] + deducted[document["id"]] != order["total"]:
            yield f"invoice {document['number']} is for {document['total']}, {order['total']} were paid, {deducted[document['id']]} refunded before"
    for document in evidence.tables["documents"]:
        for tax in TAXES:
            if credited[document["id"]][tax] > document[tax]:
                yield f"the credit notes of {document['number']} exceed its {tax}"
    return len(evidence.tables["documents"])


def deducted_amount(refunds, events):
    """The refunds of an order. One that failed after the order had left the shop counts until it is repeated: it is owed."""
    left_at = min((event["at"] for event in events if event["kind"] == "status_set" and event["detail"] in ("shipped", "delivered")), default=0)
    repeated = {row["retry_of"] for row in refunds}
    is_owed = lambda row: row["updated_at"] >= left_at and row["id"] not in repeated
    return sum(row["amount"] for row in refunds if row["state"] != "failed" or is_owed(row))


def documents_are_present(evidence):
    """each paid order that left the shop has one invoice, each later refund one credit note"""
    invoices = defaultdict(list)
    notes = Counter()
    for document in evidence.tables["documents"]:
        if document["refers_to"]:
            notes[document["refund_id"]] += 1
        else:
            invoices[document["order_id"]].append(document)
    credited = Counter()
    for document in evidence.tables["documents"]:
        credited[document["refers_to"]] += document["total"]
    for order in evidence.orders.values():
        issued = invoices[order["id"]]
        if len(issued) > 1:
            yield f"order {order['id']} has {len(issued)} invoices"
        refunds = evidence.refunds_of[order["paid_by"]] if order["paid_by"] else []
        has_left = order["payment_status"] == "completed" and order["order_status"] in ("shipped", "delivered")
        is_due = deducted_amount(refunds, evidence.events_of[order["id"]]) < order["total"] or (order["total"] == 0 and order["discount_amount"])
        if has_left and not issued and is_due:
            yield f"order {order['id']} is {order['order_status']}, but has no invoice"
        if not issued:
            continue
        for refund in refunds:
            is_due = refund["state"] == "completed" and not refund["deducted_from"]
            is_credited = credited[issued[0]["id"]] >= issued[0]["total"]
            if notes[refund["id"]] != int(is_due) and not (is_due and is_credited and notes[refund["id"]] == 0):
                yield f"refund {refund['id']} has {notes[refund['id']]} credit notes"
    for line in evidence.client_events("packed"):
        if not invoices[line["order"]]:
            yield f"order {line['order']} was packed at {line['t']} s and has no invoice"
    return len(invoices)


def series_have_no_gaps(evidence):
    """the numbers of each series and year are 1, 2, 3 …, in the order of their dates"""
    series = defaultdict(list)
    for document in evidence.tables["documents"]:
        series[(document["series"], document["financial_year"])].append(document)
    last = {(row["series"], row["financial_year"]): row["last_serial"] for row in evidence.tables["document_series"]}
    for key in last.keys() | series.keys():
        documents = sorted(series[key], key=lambda document: document["serial"])
        serials = [document["serial"] for document in documents]
        if serials != list(range(1, last.get(key, 0) + 1)):
            yield f"series {key}: {len(serials)} documents, the last serial is {last.get(key)}"
        dates = [document["issued_at"] for document in documents]
        if dates != sorted(dates):
            yield f"series {key}: the dates are not in the order of the numbers"
        for document in documents:
            if len(document["number"]) > 16 or not document["number"].endswith(f"{document['serial']:06d}"):
                yield f"document {document['id']} has the number {document['number']}"
    return len(series)

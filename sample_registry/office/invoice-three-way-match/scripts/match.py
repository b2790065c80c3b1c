#!/usr/bin/env python3
"""Match invoice lines with order lines and receipts, and say what may be paid.

Exit codes: 0 everything can be paid, 1 something is held or part-paid, 2 wrong usage or input.
"""

import argparse
import csv
import sys
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

CENT = Decimal("0.01")


def read(path, columns):
    """Rows of a CSV; ValueError when a column is missing."""
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        missing = set(columns) - set(reader.fieldnames or [])
        if missing:
            raise ValueError(f"{path}: column {', '.join(sorted(missing))} is missing")
        return list(reader)


def money(row, name, path):
    """A decimal field; ValueError names file, field and text."""
    try:
        value = Decimal((row[name] or "").strip())
    except (InvalidOperation, AttributeError):
        raise ValueError(f"{path}: {name} {row[name]!r} is no number") from None
    if not value.is_finite():
        raise ValueError(f"{path}: {name} {row[name]!r} is no number")
    return value


def judge(quantity, price, tax, order, open_quantity, tolerance, cents):
    """(verdict, quantity to pay, reason) of one invoice line that has an order."""
    ordered_price, rate = order
    allowed = min(ordered_price * tolerance / 100, Decimal(5))
    if price > ordered_price + allowed:
        ratio = price / ordered_price if ordered_price else Decimal(0)
        units = ", another unit?" if any(abs(ratio - n) < Decimal("0.1") for n in (6, 10, 12, 24)) else ""
        return "hold", Decimal(0), f"price {price} against {ordered_price} on the order{units}"
    expected = (quantity * price * rate / 100).quantize(CENT, ROUND_HALF_UP)
    if abs(expected - tax) * 100 > cents:
        return "hold", Decimal(0), f"tax {tax} is not {expected} ({rate}%)"
    if quantity < 0:
        return "hold", Decimal(0), "a credit: match it with the invoice that it corrects"
    if open_quantity <= 0:
        return "hold", Decimal(0), "nothing received that is not billed already"
    if quantity > open_quantity:
        return "part", open_quantity, f"billed {quantity}, {open_quantity} received and open"
    return "pay", quantity, "order, receipt and invoice agree"


def match(files, tolerance, cents):
    """(invoice row, verdict, amount, reason) of each invoice line, in file order."""
    orders_path, receipts_path, invoices_path = files
    orders = {(row["po"], row["line"]): (money(row, "price", orders_path), money(row, "tax_rate", orders_path))
              for row in read(orders_path, ("po", "line", "item", "quantity", "price", "tax_rate"))}
    received = defaultdict(Decimal)
    for row in read(receipts_path, ("po", "line", "quantity", "date")):
        received[row["po"], row["line"]] += money(row, "quantity", receipts_path)
    seen, results = set(), []
    for row in read(invoices_path, ("invoice", "supplier", "po", "line", "quantity", "price", "tax")):
        key, mark = (row["po"], row["line"]), (row["supplier"], row["invoice"], row["po"], row["line"])
        quantity, price, tax = (money(row, name, invoices_path) for name in ("quantity", "price", "tax"))
        if mark in seen:
            verdict, payable, reason = "hold", Decimal(0), "this invoice line was seen before"
        elif key not in orders:
            verdict, payable, reason = "hold", Decimal(0), "no such order line"
        else:
            verdict, payable, reason = judge(quantity, price, tax, orders[key], received[key], tolerance, cents)
        seen.add(mark)
        received[key] -= payable
        results.append((row, verdict, (payable * price).quantize(CENT, ROUND_HALF_UP), reason))
    return results


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("orders")
    parser.add_argument("receipts")
    parser.add_argument("invoices")
    parser.add_argument("--price-tolerance", type=Decimal, default=Decimal(2), help="per cent (default 2)")
    parser.add_argument("--cents", type=int, default=5, help="cents of difference in tax (default 5)")
    args = parser.parse_args(argv)
    try:
        results = match((args.orders, args.receipts, args.invoices), args.price_tolerance, args.cents)
    except (OSError, ValueError) as error:
        print(f"match: {error}", file=sys.stderr)
        return 2
    for row, verdict, amount, reason in results:
        print(f"{verdict:4} {amount:>10} net  {row['supplier']} {row['invoice']} "
              f"po {row['po']}/{row['line']}: {reason}")
    total = sum(amount for _, _, amount, _ in results)
    print(f"match: {len(results)} lines, {total} net can be paid", file=sys.stderr)
    return 1 if any(verdict != "pay" for _, verdict, _, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main())

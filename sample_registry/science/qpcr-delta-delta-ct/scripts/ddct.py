#!/usr/bin/env python3
"""Relative expression from a CSV of qPCR wells (sample,group,gene,ct) by delta-delta-Ct.

Exit codes: 0 done, 1 done with warnings on wells or reference genes, 2 wrong usage or input.
"""

import argparse
import csv
import math
import sys
from collections import defaultdict
from statistics import mean, stdev, variance

# Two-sided 95% quantiles of Student's t for 1 to 30 degrees of freedom.
T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
       2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
       2.052, 2.048, 2.045, 2.042]
MISSING = {"", "na", "nan", "undetermined"}


def read_wells(path):
    """Ct values by (group, sample, gene); ValueError names the line that is wrong."""
    wells = defaultdict(list)
    with open(path, encoding="utf-8-sig", newline="") as handle:
        reader = csv.DictReader(handle)
        missing = {"sample", "group", "gene", "ct"} - set(reader.fieldnames or [])
        if missing:
            raise ValueError(f"column {', '.join(sorted(missing))} is missing")
        for row in reader:
            text = (row["ct"] or "").strip()
            if text.lower() in MISSING:
                continue
            try:
                ct = float(text)
            except ValueError:
                raise ValueError(f"line {reader.line_num}: Ct {text!r} is no number") from None
            if not 0 < ct <= 50:
                raise ValueError(f"line {reader.line_num}: Ct {ct:g} is outside 0-50")
            wells[row["group"].strip(), row["sample"].strip(), row["gene"].strip()].append(ct)
    return wells


def delta_cts(wells, target, references):
    """delta-Ct of each complete sample by group, and warnings."""
    table, warnings = defaultdict(dict), []
    for group, sample in dict.fromkeys((group, sample) for group, sample, _ in wells):
        values = [wells.get((group, sample, gene)) for gene in [target, *references]]
        for gene, cts in zip([target, *references], values):
            if cts and len(cts) > 1 and stdev(cts) > 0.5:
                warnings.append(f"{sample} {gene}: replicates differ (SD {stdev(cts):.2f})")
        if not all(values):
            warnings.append(f"{sample}: a gene has no Ct, sample left out")
            continue
        if mean(values[0]) > 35:
            warnings.append(f"{sample} {target}: Ct {mean(values[0]):.1f} is above 35")
        table[group][sample] = mean(values[0]) - mean(mean(cts) for cts in values[1:])
    return table, warnings


def unstable(wells, references, control):
    """Warnings on reference genes whose mean Ct moves between groups."""
    warnings = []
    for gene in references:
        groups = defaultdict(list)
        for (group, _, name), cts in wells.items():
            if name == gene:
                groups[group].append(mean(cts))
        for group in sorted(set(groups) - {control}):
            shift = mean(groups[group]) - mean(groups[control]) if groups[control] else 0
            if abs(shift) > 0.5:
                warnings.append(f"reference {gene} moves by {shift:+.2f} cycles in {group}")
    return warnings


def compare(values, control):
    """(difference of means, half width of its 95% interval) by Welch."""
    a, b = variance(values) / len(values), variance(control) / len(control)
    if a + b == 0:
        return mean(values) - mean(control), 0.0
    freedom = (a + b) ** 2 / (a ** 2 / (len(values) - 1) + b ** 2 / (len(control) - 1))
    quantile = T95[min(max(int(freedom), 1), 30) - 1]
    return mean(values) - mean(control), quantile * math.sqrt(a + b)


def main(argv=None):
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wells", help="CSV with columns sample, group, gene, ct")
    parser.add_argument("--target", required=True)
    parser.add_argument("--reference", action="append", required=True, help="repeat for several")
    parser.add_argument("--control", required=True, help="group to compare with")
    parser.add_argument("--efficiency", type=float, default=2.0, help="1.6 to 2.2, default 2")
    args = parser.parse_args(argv)
    if not 1.6 <= args.efficiency <= 2.2:
        parser.error("an efficiency outside 1.6-2.2 means that the assay is broken")
    try:
        wells = read_wells(args.wells)
        table, warnings = delta_cts(wells, args.target, args.reference)
        if args.control not in table:
            raise ValueError(f"no complete sample in the control group {args.control!r}")
        few = [group for group, samples in table.items() if len(samples) < 2]
        if few:
            raise ValueError(f"{', '.join(few)}: fewer than two biological samples")
    except (OSError, ValueError) as error:
        print(f"ddct: {args.wells}: {error}", file=sys.stderr)
        return 2
    if len(args.reference) < 2:
        warnings.append("one reference gene only: its stability cannot be judged")
    warnings += unstable(wells, args.reference, args.control)
    control = list(table[args.control].values())
    print(f"group n ddct low high fold fold_low fold_high  (target {args.target})")
    for group, samples in table.items():
        if group == args.control:
            continue
        shift, half = compare(list(samples.values()), control)
        fold = [args.efficiency ** -value for value in (shift, shift + half, shift - half)]
        print(f"{group} {len(samples)} {shift:.2f} {shift - half:.2f} {shift + half:.2f} "
              + " ".join(f"{value:.2f}" for value in fold))
    for warning in warnings:
        print(f"warning: {warning}", file=sys.stderr)
    return 1 if warnings else 0


if __name__ == "__main__":
    sys.exit(main())

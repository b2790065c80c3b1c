"""The engine of the ASF workbench: skills in, verdicts and routed plans out."""

"""The benchmarks that `croupier bench` runs; part of the checkout, not of the installed package."""

"""The engines of benchmarks/lean_ladder.py."""

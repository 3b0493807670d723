"""More about a failure than its verdict: run only where something failed, on the worker at hand."""

"""Connect to nbgrader: its courses, its hooks, its gradebook."""

import sys

# nbformat imports jsonschema, which imports this to check international addresses: two seconds for
# a check that no notebook's schema needs. Without it jsonschema leaves them unchecked.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

"""Everything that speaks to nbgrader: its courses, its hooks, its gradebook."""

import sys

# nbformat brings jsonschema, which would import this to check international addresses: two seconds
# for what no notebook's schema asks. Without it jsonschema leaves them unchecked.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

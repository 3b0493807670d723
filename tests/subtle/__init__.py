"""Wrong solutions that look right: what a suite's author did not think of (`test_subtle.py`).

Each is the reference with one thing changed: name → (target, old text, new text), or
(target, body).
"""

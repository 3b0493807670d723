"""A class: hand-ins read by an allow-list, judged, marked, explained, exported."""

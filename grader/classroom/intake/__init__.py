"""Take in hand-ins: find them, read them within bounds, tell what came solved."""

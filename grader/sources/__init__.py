"""Python source as text: definitions found, cut out and put in; nothing is imported."""

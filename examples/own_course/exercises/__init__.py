"""What is asked, as data."""

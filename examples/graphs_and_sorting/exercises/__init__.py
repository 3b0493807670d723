"""What is asked, as data: a folder per unit."""

"""The judge of the command line in a page of a browser, with nothing installed."""

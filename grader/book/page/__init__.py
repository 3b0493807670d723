"""Run the command line's judge in a browser page (Pyodide), with nothing installed."""

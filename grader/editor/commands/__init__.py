"""The commands of editors: `watch` and `lsp`."""

"""Check while somebody writes: the watch, and the same for an editor as a language server."""

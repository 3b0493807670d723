"""The command `import`."""

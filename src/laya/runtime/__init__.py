"""Runtimes: whatever turns a packed batch of tokens into numbers."""

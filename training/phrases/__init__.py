"""Wordings that the writers draw from."""

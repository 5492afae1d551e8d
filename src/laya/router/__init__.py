"""The Router: which checkpoint answers, which are in memory."""

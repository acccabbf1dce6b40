"""Friction models (being written)."""

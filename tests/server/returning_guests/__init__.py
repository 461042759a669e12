"""Tests of guests who come again."""

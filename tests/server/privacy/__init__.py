"""Tests of `server.privacy`."""

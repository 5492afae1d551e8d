"""Tests of what needs torch: `make test-training`."""

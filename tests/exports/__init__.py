"""Tests of grader/pages/export: one file a format, all run by tests/export_test.py."""

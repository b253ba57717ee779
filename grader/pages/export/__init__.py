"""Conversions of lockstep/result/v1 and lockstep/class/v1; see ci/README.md."""

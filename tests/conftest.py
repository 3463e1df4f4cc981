"""Hypothesis profiles: `ci` is fixed and the default; HYPOTHESIS_PROFILE=soak looks longer."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=SLOW, print_blob=True
)
settings.register_profile(
    "soak", deadline=None, max_examples=5000, suppress_health_check=SLOW, print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

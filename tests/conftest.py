"""Hypothesis profiles, and a Ray cluster for the tests that need one.

The profile `ci` is fixed and the default; HYPOTHESIS_PROFILE=soak looks longer.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=SLOW, print_blob=True
)
settings.register_profile(
    "soak", deadline=None, max_examples=5000, suppress_health_check=SLOW, print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A head that plays nothing, and three worker nodes with a CPU each; needs the extra `ray`."""
    import ray
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    made.nodes = [made.add_node(num_cpus=1) for _ in range(3)]
    made.wait_for_nodes()
    yield made
    ray.shutdown()
    made.shutdown()

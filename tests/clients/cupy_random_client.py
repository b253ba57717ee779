"""CuPy's random numbers: the generator of the host API (cuRAND), with its seed, and the one of the device API."""

import sys

import cupy

del sys.argv[1:]  # no PTX is needed

bits = cupy.random.RandomState(12345).randint(0, 1 << 32, 4, dtype=cupy.uint32)
uniform = cupy.random.RandomState(7).uniform(size=100000)
normal = cupy.random.RandomState(7).standard_normal(100000, dtype=cupy.float32)
print("host", bits.shape == (4,), abs(float(uniform.mean()) - 0.5) < 0.01, abs(float(normal.std()) - 1) < 0.01)
same = cupy.random.RandomState(3).random_sample(1000), cupy.random.RandomState(3).random_sample(1000)
print("seed", bool((same[0] == same[1]).all()), bool((same[0] != same[0][0])[1:].all()))
print("device", abs(float(cupy.random.default_rng(5).random(10000).mean()) - 0.5) < 0.02)

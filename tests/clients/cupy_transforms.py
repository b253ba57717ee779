"""CuPy's Fourier transforms beside NumPy's, for two precisions."""

import sys

import cupy
import numpy

right, wrong = 0, 0


def check(name, got, wanted, tolerance):
    global right, wrong
    if numpy.allclose(cupy.asnumpy(got), wanted, rtol=tolerance, atol=tolerance):
        right += 1
    else:
        wrong += 1
        print(f"{name}: {got}, and not {wanted}")


for real, compound, tolerance in ("float32", "complex64", 1e-4), ("float64", "complex128", 1e-11):
    random = numpy.random.default_rng(7)
    x = random.random((6, 10)).astype(real)
    z = (x + 1j * random.random((6, 10))).astype(compound)
    a, c = cupy.asarray(x), cupy.asarray(z)
    for name in "fft", "ifft", "fft2", "ifft2", "fftn", "ifftn":
        check(f"{compound} {name}", getattr(cupy.fft, name)(c), getattr(numpy.fft, name)(z), tolerance)
    for name in "rfft", "rfft2", "rfftn":
        check(f"{real} {name}", getattr(cupy.fft, name)(a), getattr(numpy.fft, name)(x), tolerance)
        check(f"{real} i{name}", getattr(cupy.fft, "i" + name)(getattr(cupy.fft, name)(a)), x, tolerance)
    check(f"{compound} columns", cupy.fft.fft(c, axis=0), numpy.fft.fft(z, axis=0), tolerance)
    check(f"{compound} padded", cupy.fft.fft(c, n=16), numpy.fft.fft(z, n=16), tolerance)
    check(f"{compound} prime", cupy.fft.fft(c[:, :7]), numpy.fft.fft(z[:, :7]), tolerance)
    check(f"{compound} every other", cupy.fft.fft(c[:, ::2]), numpy.fft.fft(z[:, ::2]), tolerance)
    check(f"{compound} two of three axes", cupy.fft.fftn(cupy.stack([c, c]), axes=(0, 2)),
          numpy.fft.fftn(numpy.stack([z, z]), axes=(0, 2)), tolerance)
    check(f"{real} spectrum is kept", cupy.fft.rfft(a), numpy.fft.rfft(x), tolerance)
    check(f"{real} input is kept", a, x, 0)
print(f"{right} right, {wrong} wrong")
sys.exit(wrong != 0)

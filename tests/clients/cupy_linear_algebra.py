"""CuPy's linear algebra beside NumPy's, for four types."""

import sys

import cupy
import cupyx.scipy.linalg
import numpy

right, wrong = 0, 0


def check(name, got, wanted, tolerance):
    global right, wrong
    if numpy.allclose(cupy.asnumpy(got), wanted, rtol=tolerance, atol=tolerance):
        right += 1
    else:
        wrong += 1
        print(f"{name}: {got}, and not {wanted}")


def products(name, t, a, b, s, x, y, z):
    check(f"{name} @", x @ y, a @ b, t)
    check(f"{name} @ vector", x @ y[:, 0], a @ b[:, 0], t)
    check(f"{name} transposed @", x.T @ y, a.T @ b, t)
    check(f"{name} vdot", cupy.vdot(x[0], x[1]), numpy.vdot(a[0], a[1]), t)
    check(f"{name} stack @", cupy.stack([x, x]) @ cupy.stack([z, x]), numpy.stack([a @ s, a @ a]), t)
    check(f"{name} tensordot", cupy.tensordot(x, z, 1), numpy.tensordot(a, s, 1), t)


def solutions(name, t, a, b, s, x, y, z):
    linalg, wanted = cupy.linalg, numpy.linalg
    check(f"{name} solve", linalg.solve(x, y), wanted.solve(a, b), t)
    check(f"{name} solve stack", linalg.solve(cupy.stack([x, z]), cupy.stack([y, y])),
          wanted.solve(numpy.stack([a, s]), numpy.stack([b, b])), t)
    check(f"{name} inv", linalg.inv(x), wanted.inv(a), t)
    check(f"{name} inv stack", linalg.inv(cupy.stack([x, z])), wanted.inv(numpy.stack([a, s])), t)
    check(f"{name} det", linalg.det(x), wanted.det(a), t)
    check(f"{name} cholesky", linalg.cholesky(z), wanted.cholesky(s), t)
    check(f"{name} cholesky stack", linalg.cholesky(cupy.stack([z, z])), wanted.cholesky(numpy.stack([s, s])), t)
    check(f"{name} lu_solve", cupyx.scipy.linalg.lu_solve(cupyx.scipy.linalg.lu_factor(x), y), wanted.solve(a, b), t)


def decompositions(name, t, s, z, r, w):
    q, upper = cupy.linalg.qr(w)
    check(f"{name} qr", q @ upper, r, t)
    u, values, v = cupy.linalg.svd(w, full_matrices=False)
    check(f"{name} svd", (u * values) @ v, r, t)
    check(f"{name} singular values", values, numpy.linalg.svd(r)[1], t)
    values, vectors = cupy.linalg.eigh(z)
    check(f"{name} eigenvalues", values, numpy.linalg.eigh(s)[0], t)
    check(f"{name} eigh", (vectors * values) @ vectors.conj().T, s, t)
    stack = cupy.linalg.eigh(cupy.stack([z, z]))[0]
    check(f"{name} eigenvalues of a stack", stack[1], numpy.linalg.eigh(s)[0], t)
    u, values, v = cupy.linalg.svd(cupy.stack([w, w]), full_matrices=False)
    check(f"{name} svd of a stack", (u[1] * values[1]) @ v[1], r, t)
    values, vectors = cupy.linalg.eig(z)
    check(f"{name} eig", z @ vectors, cupy.asnumpy(vectors * values), 10 * t)
    check(f"{name} lstsq", cupy.linalg.lstsq(w, w[:, 0])[0], numpy.linalg.lstsq(r, r[:, 0], rcond=None)[0], t)


def main():
    random = numpy.random.default_rng(1)
    for name in "fdFD":
        def matrix(rows, columns):
            imaginary = 1j * random.standard_normal((rows, columns)) if name in "FD" else 0
            return (random.standard_normal((rows, columns)) + imaginary).astype(name)
        tolerance = 1e-4 if name in "fF" else 1e-10
        a, b, r = matrix(5, 5), matrix(5, 3), matrix(7, 4)
        s = (a @ a.conj().T + 5 * numpy.eye(5)).astype(name)
        x, y, z, w = map(cupy.asarray, (a, b, s, r))
        products(name, tolerance, a, b, s, x, y, z)
        solutions(name, tolerance, a, b, s, x, y, z)
        decompositions(name, tolerance, s, z, r, w)
    half = cupy.arange(12, dtype="e").reshape(3, 4)
    check("half @", half @ half.T, numpy.arange(12).reshape(3, 4) @ numpy.arange(12).reshape(3, 4).T, 0)
    print(f"{right} right, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

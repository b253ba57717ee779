"""CuPy's sparse matrices beside dense ones of NumPy, for four types and three formats."""

import sys

import cupy
import cupyx.scipy.sparse as sparse
import numpy

right, wrong = 0, 0


def check(name, got, wanted, tolerance):
    global right, wrong
    dense = got.toarray() if sparse.issparse(got) else got
    if numpy.allclose(cupy.asnumpy(dense), wanted, rtol=tolerance, atol=tolerance):
        right += 1
    else:
        wrong += 1
        print(f"{name}: {dense}, and not {wanted}")


def conjugate_gradients(matrix, b):
    """As a text book has it: one product of the matrix and a vector a step."""
    x, r = cupy.zeros_like(b), b.copy()
    p, rr = r.copy(), r @ r
    for _ in range(len(b)):
        ap = matrix @ p
        alpha = rr / (p @ ap)
        x, r = x + alpha * p, r - alpha * ap
        rr, before = r @ r, rr
        p = r + rr / before * p
    return x


for dtype, t in ("float32", 1e-4), ("float64", 1e-10), ("complex64", 1e-4), ("complex128", 1e-10):
    random = numpy.random.default_rng(7)
    factor = 1 + 2j if dtype.startswith("complex") else 1
    a, b = [(random.random((7, 9)) * (random.random((7, 9)) < 0.4) * factor).astype(dtype) for _ in range(2)]
    q = (random.random((9, 5)) * factor).astype(dtype)
    for layout in "csr", "csc", "coo":
        make, name = getattr(sparse, layout + "_matrix"), f"{dtype} {layout}"
        x, y = make(cupy.asarray(a)), make(cupy.asarray(b))
        check(f"{name} from a dense one", x, a, t)
        check(f"{name} @ vector", x @ cupy.asarray(q[:, 0]), a @ q[:, 0], t)
        check(f"{name} @ matrix", x @ cupy.asarray(q), a @ q, t)
        check(f"{name} transposed @", x.T @ cupy.asarray(q[:7]), a.T @ q[:7], t)
        check(f"{name} @ sparse", x @ y.T, a @ b.T, t)
        check(f"{name} +", x + y, a + b, t)
        check(f"{name} - 2 *", x - 2 * y, a - 2 * b, t)
        check(f"{name} sum", x.sum(axis=0), a.sum(axis=0, keepdims=True), t)
        for other in "csr", "csc", "coo":
            check(f"{name} to {other}", x.asformat(other), a, t)
    rows, columns = cupy.asarray([3, 1, 1, 0]), cupy.asarray([1, 2, 2, 0])
    duplicates = sparse.coo_matrix((cupy.asarray([1, 2, 3, 4], dtype), (rows, columns)), shape=(4, 4)).tocsr()
    check(f"{dtype} duplicates", duplicates, [[4, 0, 0, 0], [0, 0, 5, 0], [0, 0, 0, 0], [0, 1, 0, 0]], t)
    if not dtype.startswith("complex"):
        m = (numpy.eye(7) * 6 + a[:, :7] + a[:, :7].T).astype(dtype)
        check(f"{dtype} conjugate gradients", conjugate_gradients(sparse.csr_matrix(cupy.asarray(m)), cupy.ones(7, dtype)),
              numpy.linalg.solve(m, numpy.ones(7)), 10 * t)
print(f"{right} right, {wrong} wrong")
sys.exit(wrong != 0)

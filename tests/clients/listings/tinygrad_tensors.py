"""tinygrad: products, reductions, sorting, a convolution's gradient and a compiled step; by NVRTC, then by its own PTX."""
# needs: tinygrad
import os
import sys

import numpy as np

if len(sys.argv) == 1:
    for kind in "CUDA", "CUDA:PTX":
        print(kind, flush=True)
        os.environ["DEV"] = kind
        if os.spawnve(os.P_WAIT, sys.executable, [sys.executable, __file__, "run"], os.environ) != 0:
            sys.exit(f"{kind} failed")
    sys.exit()

from tinygrad import Device, Tensor, TinyJit  # noqa: E402

assert Device.DEFAULT.startswith("CUDA")
rng = np.random.default_rng(0)
left, right = rng.random((30, 40), dtype=np.float32), rng.random((40, 20), dtype=np.float32)
a, b = Tensor(left), Tensor(right)
print("matmul", np.allclose((a @ b).numpy(), left @ right, rtol=1e-5))
print("half", np.allclose((a.half() @ b.half()).float().numpy(), left @ right, rtol=1e-2))
print("softmax", np.allclose(a.softmax(axis=1).numpy(), np.exp(left) / np.exp(left).sum(1, keepdims=True), rtol=1e-5))
print("sum", bool(np.isclose(a.sum().item(), left.sum(), rtol=1e-5)), "argmax", int(a.argmax().item()) == left.argmax())
print("sort", np.array_equal(Tensor(left[0]).sort()[0].numpy(), np.sort(left[0])))
image, weights = Tensor(rng.random((2, 3, 8, 8), dtype=np.float32)), Tensor(rng.random((4, 3, 3, 3), dtype=np.float32))
image.conv2d(weights).relu().sum().backward()
pixels = image.numpy()
exact = np.array([[[pixels[:, c, i:i + 6, j:j + 6].sum() for j in range(3)] for i in range(3)] for c in range(3)])
print("gradient", np.allclose(weights.grad.numpy(), np.broadcast_to(exact, (4, 3, 3, 3)), rtol=1e-4))


@TinyJit
def step(values):
    return (values * 2 + 1).sum(axis=0).realize()


for k in range(4):
    result = step(Tensor(left + k).realize())
print("compiled step", np.allclose(result.numpy(), ((left + 3) * 2 + 1).sum(axis=0), rtol=1e-5))

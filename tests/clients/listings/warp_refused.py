"""Warp's library is stripped: its GPU is refused with the way out, its CPU device computes."""
# needs: warp
# says: warp\.so has NVIDIA's runtime library built in
# says: Warp runs on its CPU device: wp\.set_device\("cpu"\)
import contextlib
import io

import numpy as np
import warp as wp

with contextlib.redirect_stdout(io.StringIO()):   # names the machine
    wp.init()
try:
    wp.zeros(10, dtype=float, device="cuda:0")
except RuntimeError as error:
    print(error)
wp.set_device("cpu")
print(wp.array(np.arange(4, dtype=np.float32), dtype=float).numpy())

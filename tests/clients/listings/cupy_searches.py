"""What CuPy does with kernels of its own: their threads work together in ways that are its matter, not the program's."""
# needs: cupy
import cupy as cp
import numpy as np
from cupyx.scipy import ndimage

values = np.arange(3000) * 7 % 5
print("nonzero", bool((cp.asnumpy(cp.nonzero(cp.asarray(values))[0]) == np.nonzero(values)[0]).all()))
image = np.zeros((24, 24), np.int32)
image[2:6, 3:9] = image[10:20, 1:4] = image[12, 4:20] = 1
labels, count = ndimage.label(cp.asarray(image))
print("label", count, int(labels[2, 3]) != int(labels[12, 19]), int(labels[10, 1]) == int(labels[12, 19]))

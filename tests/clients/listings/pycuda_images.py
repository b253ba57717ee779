"""A picture of 200 x 150 pixels: gray, blurred with a shared tile, transposed with a padded one."""
# needs: pycuda
import numpy as np
import pycuda.autoinit  # noqa: F401
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

mod = SourceModule("""
#define TILE 16
#define RADIUS 2

__global__ void gray(const uchar3 *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        uchar3 p = in[y * width + x];
        out[y * width + x] = (unsigned char)(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
    }
}

__global__ void blur(const unsigned char *in, unsigned char *out, int width, int height)
{
    __shared__ int tile[TILE + 2 * RADIUS][TILE + 2 * RADIUS];
    int x0 = blockIdx.x * TILE - RADIUS, y0 = blockIdx.y * TILE - RADIUS;
    for (int ty = threadIdx.y; ty < TILE + 2 * RADIUS; ty += TILE)
        for (int tx = threadIdx.x; tx < TILE + 2 * RADIUS; tx += TILE) {
            int x = min(max(x0 + tx, 0), width - 1), y = min(max(y0 + ty, 0), height - 1);
            tile[ty][tx] = in[y * width + x];
        }
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int dy = 0; dy <= 2 * RADIUS; dy++)
        for (int dx = 0; dx <= 2 * RADIUS; dx++)
            sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = sum / ((2 * RADIUS + 1) * (2 * RADIUS + 1));
}

__global__ void transpose(const unsigned char *in, unsigned char *out, int width, int height)
{
    __shared__ unsigned char tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width)
        out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
""")
WIDTH, HEIGHT = 200, 150
picture = np.random.default_rng(2).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
block, grid = (16, 16, 1), ((WIDTH + 15) // 16, (HEIGHT + 15) // 16)
size = (np.int32(WIDTH), np.int32(HEIGHT))
gray, blurred, transposed = (np.empty(shape, np.uint8) for shape in ((HEIGHT, WIDTH), (HEIGHT, WIDTH), (WIDTH, HEIGHT)))
mod.get_function("gray")(cuda.In(picture), cuda.Out(gray), *size, block=block, grid=grid)
mod.get_function("blur")(cuda.In(gray), cuda.Out(blurred), *size, block=block, grid=grid)
mod.get_function("transpose")(cuda.In(blurred), cuda.Out(transposed), *size, block=block, grid=grid)

expected = (picture @ np.array([0.299, 0.587, 0.114])).astype(np.int64)
padded = np.pad(gray.astype(np.int64), 2, mode="edge")
sums = sum(padded[dy:dy + HEIGHT, dx:dx + WIDTH] for dy in range(5) for dx in range(5))
print("gray", bool((abs(gray - expected) <= 1).all()))
print("blur", np.array_equal(blurred, sums // 25))
print("transpose", np.array_equal(transposed, blurred.T))

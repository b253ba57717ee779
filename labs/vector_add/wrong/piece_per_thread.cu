// expect: budget global_sectors - right, but each thread walks over its own piece of 16 neighbouring elements
#define PIECE 16

extern "C" __constant__ int vector_add_items = 256 * PIECE;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * PIECE;
    for (int k = 0; k < PIECE; k++) {
        if (first + k < n) {
            c[first + k] = a[first + k] + b[first + k];
        }
    }
}

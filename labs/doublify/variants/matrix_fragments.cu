// expect: pass - matrix fragments bring a tile in and out, and double it on the way
#include <mma.h>
using namespace nvcuda;
extern "C" __constant__ int doublify_items = 2048;
extern "C" __global__ void doublify(float *a, int n)
{
    int start = (blockIdx.x * 8 + threadIdx.x / 32) * 256;
    if (start + 256 <= n) {
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
        wmma::load_matrix_sync(f, a + start, 16, wmma::mem_row_major);
        for (int i = 0; i < f.num_elements; i++) {
            f.x[i] *= 2;
        }
        wmma::store_matrix_sync(a + start, f, 16, wmma::mem_row_major);
    } else {
        for (int i = start + threadIdx.x % 32; i < n && i < start + 256; i += 32) {
            a[i] *= 2;
        }
    }
}

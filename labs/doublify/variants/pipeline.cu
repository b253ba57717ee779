// expect: pass - cuda::pipeline brings the pieces of a block into shared memory, one ahead of the other
#include <cuda/pipeline>

extern "C" __constant__ int doublify_items = 1024;

extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ float s[2][256];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int t = threadIdx.x, start = blockIdx.x * 1024 + t;
    for (int k = 0; k < 5; k++) {
        int next = start + k * 256, now = next - 256;
        pipe.producer_acquire();
        if (k < 4 && next < n) {
            cuda::memcpy_async(&s[k % 2][t], &a[next], sizeof(float), pipe);
        }
        pipe.producer_commit();
        if (k > 0) {
            cuda::pipeline_consumer_wait_prior<1>(pipe);
            if (now < n) {
                a[now] = 2 * s[(k - 1) % 2][t];
            }
            pipe.consumer_release();
        }
    }
}

// expect: pass - cuda::pipeline brings two pieces of each block into shared memory, one ahead of the other
#include <cuda/pipeline>

extern "C" __constant__ int vector_add_items = 1024;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[2][256], bs[2][256];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    int t = threadIdx.x, start = blockIdx.x * 1024 + t;
    for (int k = 0; k < 5; k++) {
        int next = start + k * 256, now = next - 256;
        pipe.producer_acquire();
        if (k < 4 && next < n) {
            cuda::memcpy_async(&as[k % 2][t], &a[next], sizeof(float), pipe);
            cuda::memcpy_async(&bs[k % 2][t], &b[next], sizeof(float), pipe);
        }
        pipe.producer_commit();
        if (k > 0) {
            cuda::pipeline_consumer_wait_prior<1>(pipe);
            if (now < n) {
                c[now] = as[(k - 1) % 2][t] + bs[(k - 1) % 2][t];
            }
            pipe.consumer_release();
        }
    }
}

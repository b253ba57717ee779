// expect: pass - one thread of each block copies its piece in and out with bulk copies, all threads double it
extern "C" __global__ void doublify(float *a, int n)
{
    __shared__ __align__(128) float s[256];
    __shared__ unsigned long long arrived;
    int t = threadIdx.x, start = blockIdx.x * 256, i = start + t;
    unsigned at = (unsigned)__cvta_generic_to_shared(s), object = (unsigned)__cvta_generic_to_shared(&arrived);
    if (start + 256 > n) { // a bulk copy is a multiple of 16 bytes
        if (i < n) {
            a[i] *= 2;
        }
        return;
    }
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(object) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(object) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(at),
                     "l"(a + start), "r"(object)
                     : "memory");
    }
    __syncthreads();
    unsigned ready = 0;
    while (!ready) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(ready)
                     : "r"(object)
                     : "memory");
    }
    s[t] *= 2;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(a + start), "r"(at) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

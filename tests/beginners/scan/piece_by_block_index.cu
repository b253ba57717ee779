// cause: The pieces go by blockIdx.x instead of by a ticket, so a block may wait forever for one that has not started (line 19).
// first: deadlock
// says: the loop at line 33 waits for another block, but 2 blocks cannot begin until a running one ends: blocks run in no defined order
// asks: Which block waits for which? Is the one it waits for running at all?
#define NT 256

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count)
        scratch[k] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[NT];
    __shared__ unsigned before;
    int t = threadIdx.x;
    int b = blockIdx.x;
    int i = b * NT + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < NT; d *= 2) {
        unsigned x = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += x;
        __syncthreads();
    }
    if (t == NT - 1) {
        unsigned sum = 0;
        if (b > 0) {
            // wait until the block before me is done
            while (atomicAdd(&scratch[4 + 4 * (b - 1) + 1], 0) == 0)
                ;
            __threadfence();
            sum = atomicAdd(&scratch[4 + 4 * (b - 1)], 0);
        }
        before = sum;
        atomicExch(&scratch[4 + 4 * b], sum + s[t]);
        __threadfence();
        atomicExch(&scratch[4 + 4 * b + 1], 1);
    }
    __syncthreads();
    if (i < n)
        out[i] = before + s[t];
}

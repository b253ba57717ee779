// cause: The flag of a block is set before its value is stored (flag, fence, value), so the next block may see the flag and read an old sum (line 37).
// first: order_dependent flag_first
// says: Line 37 comes before line 39: another block may see what line 37 stores before line 39 has stored anything.
// asks: Which of the two lines says that something is ready, and which one makes it so?
#define B 256

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < count) scratch[i] = 0;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned s[2][B];
    __shared__ int me;
    __shared__ unsigned carry;
    int t = threadIdx.x;
    if (t == 0) me = atomicAdd(scratch, 1);
    __syncthreads();
    int i = me * B + t, p = 0;
    unsigned *word = scratch + 4 + 4 * me;
    s[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < B; d *= 2) {
        s[1 - p][t] = s[p][t] + (t >= d ? s[p][t - d] : 0);
        p = 1 - p;
        __syncthreads();
    }
    if (t == 0) {
        unsigned c = 0;
        if (me > 0) {
            while (atomicAdd(word - 3, 0) == 0) { }
            __threadfence();
            c = atomicAdd(word - 4, 0);
        }
        atomicExch(word + 1, 1);                // I am ready
        __threadfence();
        atomicExch(word, c + s[p][B - 1]);
        carry = c;
    }
    __syncthreads();
    if (i < n) out[i] = carry + s[p][t];
}

// cause: Every thread draws a ticket, so the ticket numbers count threads and not blocks (line 19).
// first: out_of_bounds guarded
// says: atomic on scratch[1025], but scratch has 12 elements (0..11)
// asks: Line 19 first: How many threads run this line, and how many numbers should be drawn for a block?
#define BLOCK 256

extern "C" __global__ void scan_clear(unsigned *scratch, int count)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < count) scratch[id] = 0u;
}

extern "C" __global__ void scan(const int *in, int *out, unsigned *scratch, int n)
{
    __shared__ unsigned cell[BLOCK];
    __shared__ unsigned ticket;
    __shared__ unsigned left;
    int t = threadIdx.x;
    unsigned my = atomicAdd(&scratch[0], 1u);      // next free piece
    if (t == 0) ticket = my;
    __syncthreads();
    unsigned b = ticket;
    unsigned i = b * BLOCK + t;
    cell[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        unsigned x = t >= d ? cell[t - d] : 0;
        __syncthreads();
        cell[t] += x;
        __syncthreads();
    }
    if (t == 0) {
        left = 0;
        if (b > 0) {
            while (atomicAdd(&scratch[4 * b + 1], 0u) == 0u) { }
            __threadfence();
            left = atomicAdd(&scratch[4 * b], 0u);
        }
        atomicExch(&scratch[4 * b + 4], left + cell[BLOCK - 1]);
        __threadfence();
        atomicExch(&scratch[4 * b + 5], 1u);
    }
    __syncthreads();
    if (i < n) out[i] = left + cell[t];
}

// cause: the loop that counts down stops before 0
// first: never_written elsewhere
// says: Element 0 of r, the first, was never written. Line 8 stores r[1..30].
// asks: Which elements should line 8 store, and which does it store?
extern "C" __global__ void vector_add(const float *p, const float *q, float *r, int size)
{
    for (int me = size - 1 - (blockIdx.x * blockDim.x + threadIdx.x); me > 0; me -= gridDim.x * blockDim.x)
        r[me] = p[me] + q[me];
}

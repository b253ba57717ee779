// cause: The index type of line 5 has 16 bits, so in line 9 indices from 65536 on start again at 0: with n = 65537 and 100003 early elements are doubled twice (race) and those from 65536 on never.
// first: race_global update
// says: written by thread (0,0,0) of block (256,0,0)
// asks: Which index does each of them compute?
typedef unsigned short index_t;

extern "C" __global__ void doublify(float *a, int n)
{
    index_t i = (index_t)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        float old = a[i];
        a[i] = old + old;
    }
}

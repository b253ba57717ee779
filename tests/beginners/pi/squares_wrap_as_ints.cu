// cause: `float xx = (float)(id * id) / (float)(n * n);` id * id and n * n overflow an int from 46341 on, so the values are wrong for n = 65537, 100003 and 1200007
// first: wrong_value overflow
// says: Every element has the value of 4 / (1 + (id*id) / (n*n)) with both squares computed as an int: 65537*65537 = 4295098369 does not fit in 32 bits and becomes 131073.
// asks: How large is the largest int?
// one division less: x*x = id*id / (n*n)
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    float xx = (float)(id * id) / (float)(n * n);
    dest[id] = 4.0f / (1.0f + xx);
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    long long id = 2LL * i * t;
    if (id + i >= n) return;
    dest[id] += dest[id + i];
}

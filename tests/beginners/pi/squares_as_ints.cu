// cause: n*n and id*id are products of ints and overflow
// first: wrong_value overflow
// says: Every element has the value of 4 / (1 + (id*id) / (n*n)) with both squares computed as an int: 65537*65537 = 4295098369 does not fit in 32 bits and becomes 131073.
// asks: How large is the largest int?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        // 4 / (1 + (id/n)^2) = 4 n^2 / (n^2 + id^2), only one division
        float nn = n * n;
        float kk = id * id;
        dest[id] = 4.0f * nn / (nn + kk);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    size_t id = (size_t) 2 * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n)
        dest[id] += dest[id + i];
}

// cause: the partner test allows id + i equal to n, one element beyond the end
// first: out_of_bounds guarded
// says: read dest[3], but dest has 3 elements (0..2)
// asks: Which elements of dest exist, and which indices does your condition let through?
extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    long long partner = id + i;
    if (partner <= n) {
        dest[id] += dest[partner];
    }
}

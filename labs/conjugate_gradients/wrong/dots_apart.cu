// expect: budget launches - right, but the two dot products of an iteration are launches of their own
#define BLOCK 256

extern "C" __global__ void __launch_bounds__(BLOCK)
    product(const int *columns, const float *values, const float *p, float *q, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < rows) {
        float sum = 0;
        for (int s = 0; s < 5; s++)
            sum += values[s * rows + i] * p[columns[s * rows + i]];
        q[i] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) dot_product(const float *u, const float *v, float *sum, int rows)
{
    __shared__ float cells[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    cells[t] = i < rows ? u[i] * v[i] : 0;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half)
            cells[t] += cells[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(sum, cells[0]);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    update(float *x, float *r, const float *p, const float *q, const float *rr, const float *pq, int k, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < rows) {
        float a = rr[k] / pq[k];
        x[i] += a * p[i];
        r[i] -= a * q[i];
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) direction(const float *r, float *p, const float *rr, int k, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < rows)
        p[i] = r[i] + rr[k + 1] / rr[k] * p[i];
}

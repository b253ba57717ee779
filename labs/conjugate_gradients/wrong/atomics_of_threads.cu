// expect: budget global_atomic_serialised - right, but every thread adds to the sum, one after the other
#define BLOCK 256
#define ENTRIES 5
#define ALL_LANES 0xffffffffu

__device__ void add_up(float part, float *total)
{
    atomicAdd(total, part);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    multiply(const int *columns, const float *values, const float *p, float *q, float *pq, int k, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float part = 0;
    if (i < rows) {
        float sum = 0;
        for (int s = 0; s < ENTRIES; s++) {
            sum += values[s * rows + i] * p[columns[s * rows + i]];
        }
        q[i] = sum;
        part = p[i] * sum;
    }
    add_up(part, pq + k);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    step(float *x, float *r, const float *p, const float *q, float *rr, const float *pq, int k, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float part = 0;
    if (i < rows) {
        float a = rr[k] / pq[k];
        x[i] += a * p[i];
        float rest = r[i] - a * q[i];
        r[i] = rest;
        part = rest * rest;
    }
    add_up(part, rr + k + 1);
}

extern "C" __global__ void __launch_bounds__(BLOCK) direction(const float *r, float *p, const float *rr, int k, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < rows) {
        float b = rr[k + 1] / rr[k];
        p[i] = r[i] + b * p[i];
    }
}

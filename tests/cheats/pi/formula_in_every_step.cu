// expect: at most 40 - each step computes its sums from the integral instead of adding

extern "C" __global__ void mapper(float *dest, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        float x = (float)id / (float)n;
        dest[id] = 4.0f / (1.0f + x * x);
    }
}

extern "C" __global__ void reducer(float *dest, int i, int n)
{
    long long id = 2LL * i * (blockIdx.x * blockDim.x + threadIdx.x);
    if (id + i < n) {
        double end = min((long long)n, id + 2LL * i), h = 1.0 / n, from = id * h, to = end * h;
        double at_from = 4 / (1 + from * from), at_to = 4 / (1 + to * to);
        double slope_from = -8 * from / ((1 + from * from) * (1 + from * from));
        double slope_to = -8 * to / ((1 + to * to) * (1 + to * to));
        dest[id] = (float)(4 * (atan(to) - atan(from)) * n + (at_from - at_to) / 2 + (slope_to - slope_from) * h / 12);
    }
}

// expect: at most 88 - second plan: each partial sum comes from the integral; only pi_finish adds
extern "C" __constant__ int pi_sum_items = 4096;

extern "C" __global__ void pi_sum(float *partial, int n)
{
    if (threadIdx.x == 0) {
        double h = 1.0 / n, from = blockIdx.x * 4096.0 * h, to = min((double)n, (blockIdx.x + 1) * 4096.0) * h;
        double at_from = 4 / (1 + from * from), at_to = 4 / (1 + to * to);
        double slope_from = -8 * from / ((1 + from * from) * (1 + from * from));
        double slope_to = -8 * to / ((1 + to * to) * (1 + to * to));
        partial[blockIdx.x] =
            (float)(4 * (atan(to) - atan(from)) * n + (at_from - at_to) / 2 + (slope_to - slope_from) * h / 12);
    }
}

extern "C" __global__ void pi_finish(float *partial, int blocks)
{
    __shared__ float s[256];
    float sum = 0.0f;
    for (int k = threadIdx.x; k < blocks; k += 256) {
        sum += partial[k];
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            s[threadIdx.x] += s[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[0] = s[0];
    }
}

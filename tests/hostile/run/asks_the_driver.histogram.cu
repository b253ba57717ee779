// expect: compile line=9 - memory by a function that is the emulated driver's own
struct alignas(16) reply { unsigned long long error, place; };
extern "C" __device__ reply __lockstep_device_Malloc(unsigned long long, unsigned long long);
extern "C" __global__ void histogram(const int *data, int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1);
    if (i == 0 && __lockstep_device_Malloc(0, 64).error)
        bins[0] = 0;
}

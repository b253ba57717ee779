// expect: pass - blocks of 64 threads by __launch_bounds__; the work is done by a template on the device
template <typename T>
__device__ T scaled(T value, T factor)
{
    return value * factor;
}

extern "C" __global__ void __launch_bounds__(64) doublify(float *numbers, const int count)
{
    const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= (unsigned)count) {
        return;
    }
    numbers[id] = scaled<float>(numbers[id], 2.0f);
}

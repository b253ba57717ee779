// expect: compile - a template that needs itself
template <int n> struct endless { static const int value = endless<n + 1>::value; };
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = endless<0>::value;
}

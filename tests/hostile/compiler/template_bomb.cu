// expect: compile - 2^25 instances of a template
template <int depth, int path> struct bomb {
    static const int value = bomb<depth - 1, 2 * path>::value + bomb<depth - 1, 2 * path + 1>::value;
};
template <int path> struct bomb<0, path> { static const int value = 1; };
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = bomb<25, 1>::value;
}

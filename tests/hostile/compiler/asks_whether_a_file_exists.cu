// expect: pass - what exists on this machine must not be told
#if __has_include("@FOLDER@/canary") || __has_include("/etc/passwd") || __has_include("/proc/self/environ")
#error there is such a file
#endif
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}

// expect: kernel_missing - names that a harness might use are macros
#define doublify lockstep_forged
#define main plan_run
#define printf(...) asm("exit;")
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}

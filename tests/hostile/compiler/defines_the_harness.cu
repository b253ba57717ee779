// expect: wrong_value - functions that a harness might have, in the student's file
extern "C" __device__ int compare(const float *, const float *) { return 1; }
extern "C" __device__ int record_write(int, unsigned, const void *, unsigned long) { return 1; }
extern "C" __device__ void exit(int) { }
extern "C" __global__ void lockstep_passed() { }
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = compare(a, a);
}

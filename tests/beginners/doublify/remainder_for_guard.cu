// cause: i = i % n; sends the threads without an element to the start of the array again, where they double elements of other threads: a race
// first: race_global update
// says: each thread reads it, changes it and writes it back, so a change can be lost
// asks: Which index does each of them compute?
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    i = i % n;            // always inside the array
    a[i] = 2.0f * a[i];
}

// cause: a[i] =+ a[i]; is an assignment of +a[i], not +=: every element keeps its value
// first: never_written dropped
// says: Line 11 stores into a, but the compiler has dropped that store
// asks: Read the operator character by character: what does it store?
extern "C" __global__ void doublify(float *a, int n)
{
    // Each thread doubles one element. Which one is yours? Which threads have nothing to do?
    // --- your code ---
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] =+ a[i];
    // --- end ---
}

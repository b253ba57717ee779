// cause: Line 10: 1 / 2 is an integer division and gives 0, so each element is divided by 0 and becomes infinity or NaN.
// first: wrong_value other
// says: Every wrong element is infinite, and should be a finite number.
// asks: Which value does the divisor have
extern "C" __global__ void doublify(float *a, int n)
{
    // --- your code ---
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = a[i] / (1 / 2);  // a half goes into it twice as often
    // --- end ---
}

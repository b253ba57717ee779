// cause: Does not compile: line 9 shifts a float with <<, which exists only for whole numbers.
// first: compile types
// says: This must be a whole number, such as an int.
// asks:
extern "C" __global__ void doublify(float *a, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n)
        a[i] = a[i] << 1;   // shift by one = times two
}

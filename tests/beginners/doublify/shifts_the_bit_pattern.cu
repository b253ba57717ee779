// cause: shifts the bit pattern of the float by one bit to double it (line 11), which doubles an int but not a float
// first: wrong_value other
// says: Line 8 takes a, whose elements are floats, for an array of type unsigned int
// asks: Which operation makes the one of the other?
// shifting is faster than multiplying
extern "C" __global__ void doublify(float *a, int n)
{
    unsigned int *bits = (unsigned int *)a;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bits[i] = bits[i] << 1;
}

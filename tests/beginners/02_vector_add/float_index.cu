// cause: the index is a float: above 2^24 it cannot count by one
// first: never_written
// says: 5 of 16777227 elements of c, the first of them c[16777217], were never written.
// asks: Which threads should have done them?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    float i = (float)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[(int)i] = a[(int)i] + b[(int)i];
}

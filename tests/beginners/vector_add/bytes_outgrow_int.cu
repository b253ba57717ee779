// cause: 256 times the index outgrows an int in the largest array
// first: out_of_bounds overflow
// says: read b[-8388608], but b has 16777227 elements (0..16777226)
// asks: How large does the index get before it is stored, and what is the largest value of its type?
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int bytes = (blockIdx.x * blockDim.x + threadIdx.x) * 256;
    if (bytes < n * 256)
        *(float *)((char *)c + bytes / 64) = a[bytes / 256] + b[bytes / 256];
}

// cause: if (i + 512 < n) c[i + 512] = a[i + 512] + b[i + 256]; is a copy in which one 256 stayed: the third part adds b of the second
// first: wrong_value moved
// says: c[512] is a[512] + b[256]; in every wrong element, the one of b is 256 places too far to the left.
// asks: with which index does it read b?
extern "C" __constant__ int vector_add_items = 1024;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 1024 + threadIdx.x;

    if (i < n) c[i] = a[i] + b[i];
    if (i + 256 < n) c[i + 256] = a[i + 256] + b[i + 256];
    if (i + 512 < n) c[i + 512] = a[i + 512] + b[i + 256];
    if (i + 768 < n) c[i + 768] = a[i + 768] + b[i + 768];
}

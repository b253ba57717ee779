// cause: if (next < end) { x = a[next]; y = b[next]; } replaces x and y before c[i] = x + y; has used them, so c[i] gets the sum of element i + 256
// first: wrong_value carried
// says: reads both a[256] and a[0], at line 17 and line 13.
// asks: On the way to c[0], where does the one take the place of the other?
extern "C" __constant__ int vector_add_items = 1024;

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * 1024 + threadIdx.x;
    int end = min((int)blockIdx.x * 1024 + 1024, n);
    float x = 0, y = 0;

    if (i < end) { x = a[i]; y = b[i]; }
    while (i < end) {
        int next = i + 256;
        // fetch early, so that the loads are under way while we add
        if (next < end) { x = a[next]; y = b[next]; }
        c[i] = x + y;
        i = next;
    }
}

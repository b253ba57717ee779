// cause: the index of the loads is bounded by n instead of n - 1; only the store is guarded
// line: 10
// says: read a[1], but a has 1 element
struct Cell { float value; float *place; };
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Cell cell;
    cell.place = c + i;
    cell.value = a[min(i, n)] + b[min(i, n)];
    if (i >= n)
        return;
    *cell.place = cell.value;
}

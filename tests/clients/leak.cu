// Memory that is never freed, for clients_test.py.
__global__ void fill(int *out)
{
    out[threadIdx.x] = threadIdx.x;
}

static int *kept;

__attribute__((noinline)) void forgets()
{
    cudaMalloc(&kept, 400);
}

int main()
{
    int *freed;
    cudaMalloc(&freed, 100);
    forgets();
    fill<<<1, 25>>>(freed);
    cudaFree(freed);
    for (int i = 0; i < 3; i++)
        cudaMalloc(&freed, 100);
    return 0;
}

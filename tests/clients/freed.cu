// A structure that goes to a kernel by value holds a pointer to freed memory. For clients_test.py.
struct Table {
    int length;
    int *entries;
};

__global__ void sum(Table table, Table result)
{
    if (threadIdx.x < result.length)
        result.entries[threadIdx.x] += table.entries[threadIdx.x];
}

int main()
{
    Table table = {8, nullptr}, result = {8, nullptr};
    cudaMalloc(&table.entries, 32);
    cudaMalloc(&result.entries, 32);
    cudaMemset(table.entries, 0, 32);
    cudaMemset(result.entries, 0, 32);
    cudaFree(table.entries); // too early
    sum<<<1, 32>>>(table, result);
    return cudaDeviceSynchronize() == cudaSuccess;
}

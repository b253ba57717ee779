// What a CUDA course's programs use of the runtime API: every line that this prints must be the same on every driver.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                               \
    do {                                                                                          \
        cudaError_t error = (call);                                                               \
        if (error != cudaSuccess) {                                                               \
            printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorName(error));                \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)
#define SHOW(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__constant__ float coefficients[4] = {1, 2, 3, 4};
__device__ int counter = 5;
__managed__ int managed_counter = 7;

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void polynomial(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = coefficients[0] + x[i] * (coefficients[1] + x[i] * (coefficients[2] + x[i] * coefficients[3]));
    if (i == 0) {
        atomicAdd(&counter, n);
        atomicAdd(&managed_counter, 1);
    }
}

template <typename T>
__global__ void block_sum(const T *in, T *out, int n)
{
    extern __shared__ char raw[];
    T *part = reinterpret_cast<T *>(raw);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : T(0);
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

__global__ void grid_total(int *values, int *total)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = grid.thread_rank();
    values[i] = i;
    grid.sync();
    if (i == 0) {
        int sum = 0;
        for (int k = 0; k < (int)grid.size(); k++)
            sum += values[k];
        *total = sum;
    }
}

__global__ void fill(int *rows, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        ((int *)((char *)rows + y * pitch))[x] = 100 * y + x;
}

__global__ void greet(int number)
{
    printf("block %d thread %d of %d: %s %.2f\n", blockIdx.x, threadIdx.x, number, "hello", number * 0.5);
}

static void arithmetic()
{
    const int n = 1000;
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
    float *device_a, *device_b, *device_c;
    CHECK(cudaMalloc(&device_a, n * sizeof(float)));
    CHECK(cudaMalloc(&device_b, n * sizeof(float)));
    CHECK(cudaMalloc(&device_c, n * sizeof(float)));
    CHECK(cudaMemcpy(device_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b.data(), n * sizeof(float), cudaMemcpyDefault));
    cudaEvent_t start, stop;
    float milliseconds = -1;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    vector_add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    printf("time is positive: %d\n", milliseconds > 0);
    CHECK(cudaMemcpy(c.data(), device_c, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("sum %g %g\n", c[1], c[n - 1]);

    block_sum<float><<<4, 256, 256 * sizeof(float)>>>(device_c, device_a, n);
    CHECK(cudaMemcpy(c.data(), device_a, 4 * sizeof(float), cudaMemcpyDeviceToHost));
    printf("block sums %g %g %g %g\n", c[0], c[1], c[2], c[3]);

    float replaced[2] = {10, 20};
    CHECK(cudaMemcpyToSymbol(coefficients, replaced, sizeof replaced, 2 * sizeof(float)));
    polynomial<<<4, 256>>>(device_b, device_c, n);
    int count;
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(c.data(), device_c, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("polynomial %g %g, counter %d, managed %d\n", c[1], c[2], count, managed_counter);
    size_t bytes;
    void *address;
    CHECK(cudaGetSymbolSize(&bytes, coefficients));
    CHECK(cudaGetSymbolAddress(&address, counter));
    CHECK(cudaMemset(address, 0, sizeof(int)));
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    printf("symbol of %zu bytes, counter %d\n", bytes, count);
    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_c));
    CHECK(cudaFree(nullptr));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
}

static void memory_kinds()
{
    const int width = 30, height = 20;
    int *rows, *pinned, *managed, plain[height][width];
    size_t pitch;
    CHECK(cudaMallocPitch(&rows, &pitch, width * sizeof(int), height));
    CHECK(cudaMallocHost(&pinned, width * height * sizeof(int)));
    CHECK(cudaMallocManaged(&managed, 64 * sizeof(int)));
    fill<<<dim3(2, 3), dim3(16, 8)>>>(rows, pitch, width, height);
    CHECK(cudaMemcpy2D(plain, sizeof plain[0], rows, pitch, sizeof plain[0], height, cudaMemcpyDeviceToHost));
    printf("pitch %zu, rows %d %d\n", pitch, plain[0][29], plain[19][29]);
    CHECK(cudaMemset2D(rows, pitch, 0, 2 * sizeof(int), height));
    CHECK(cudaMemcpy2DAsync(pinned, sizeof plain[0], rows, pitch, sizeof plain[0], height, cudaMemcpyDeviceToHost, 0));
    CHECK(cudaDeviceSynchronize());
    printf("zeroed %d, kept %d\n", pinned[19 * width + 1], pinned[19 * width + 2]);
    for (int i = 0; i < 64; i++)
        managed[i] = 1000 + i;
    int *sums;
    CHECK(cudaMalloc(&sums, 2 * sizeof(int)));
    block_sum<int><<<2, 32, 32 * sizeof(int)>>>(managed, sums, 64);
    CHECK(cudaMemcpy(managed, sums, 2 * sizeof(int), cudaMemcpyDefault));
    printf("managed %d %d\n", managed[0], managed[1]);
    const void *pointers[] = {rows, pinned, managed, plain};
    for (const void *pointer : pointers) {
        cudaPointerAttributes attributes;
        CHECK(cudaPointerGetAttributes(&attributes, pointer));
        printf("type %d, device pointer %s\n", (int)attributes.type, attributes.devicePointer ? "yes" : "no");
    }
    cudaPitchedPtr box;
    cudaExtent extent = make_cudaExtent(10, 4, 3);
    unsigned char cube[3][4][10];
    CHECK(cudaMalloc3D(&box, extent));
    CHECK(cudaMemset3D(box, 6, extent));
    cudaMemcpy3DParms parameters = {};
    parameters.srcPtr = box;
    parameters.dstPtr = make_cudaPitchedPtr(cube, 10, 10, 4);
    parameters.extent = extent;
    parameters.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&parameters));
    printf("cube %d %d\n", cube[0][0][0], cube[2][3][9]);
    CHECK(cudaFree(box.ptr));
    CHECK(cudaFree(rows));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(managed));
    CHECK(cudaFreeHost(pinned));
}

static void CUDART_CB add_one(void *number)
{
    ++*(int *)number;
}

static void CUDART_CB add_ten(cudaStream_t, cudaError_t status, void *number)
{
    *(int *)number += status == cudaSuccess ? 10 : 0;
}

static void streams()
{
    const int parts = 4, n = 256;
    cudaStream_t stream[parts];
    cudaEvent_t done[parts];
    int *pinned, *device, *sums, number = 0, result[parts];
    CHECK(cudaHostAlloc(&pinned, parts * n * sizeof(int), cudaHostAllocDefault));
    CHECK(cudaMalloc(&device, parts * n * sizeof(int)));
    CHECK(cudaMalloc(&sums, parts * sizeof(int)));
    for (int i = 0; i < parts * n; i++)
        pinned[i] = i;
    for (int i = 0; i < parts; i++) {
        CHECK(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
        CHECK(cudaMemcpyAsync(device + i * n, pinned + i * n, n * sizeof(int), cudaMemcpyHostToDevice, stream[i]));
        block_sum<int><<<1, n, n * sizeof(int), stream[i]>>>(device + i * n, sums + i, n);
        CHECK(cudaEventRecord(done[i], stream[i]));
        CHECK(cudaStreamWaitEvent(stream[0], done[i], 0));
    }
    CHECK(cudaMemcpyAsync(result, sums, sizeof result, cudaMemcpyDeviceToHost, stream[0]));
    CHECK(cudaLaunchHostFunc(stream[0], add_one, &number));
    CHECK(cudaStreamAddCallback(stream[0], add_ten, &number, 0));
    CHECK(cudaStreamSynchronize(stream[0]));
    printf("streams %d %d %d %d, called back %d\n", result[0], result[1], result[2], result[3], number);
    int least, greatest, priority;
    unsigned flags;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaStreamGetPriority(stream[1], &priority));
    CHECK(cudaStreamGetFlags(stream[1], &flags));
    printf("priority %d of %d to %d, flags %u\n", priority, least, greatest, flags);
    void *ordered;
    CHECK(cudaMallocAsync(&ordered, 4096, stream[1]));
    CHECK(cudaMemsetAsync(ordered, 1, 4096, stream[1]));
    CHECK(cudaMemcpyAsync(&number, ordered, sizeof number, cudaMemcpyDeviceToHost, stream[1]));
    CHECK(cudaFreeAsync(ordered, stream[1]));
    CHECK(cudaStreamSynchronize(stream[1]));
    printf("ordered %x, query %s\n", number, cudaGetErrorName(cudaStreamQuery(stream[1])));
    for (int i = 0; i < parts; i++) {
        CHECK(cudaEventDestroy(done[i]));
        CHECK(cudaStreamDestroy(stream[i]));
    }
    CHECK(cudaFree(device));
    CHECK(cudaFree(sums));
    CHECK(cudaFreeHost(pinned));
}

static void kernels()
{
    int *values, *total, host_total, size, minimum, blocks;
    CHECK(cudaMalloc(&values, 256 * sizeof(int)));
    CHECK(cudaMalloc(&total, sizeof(int)));
    void *arguments[] = {&values, &total};
    CHECK(cudaLaunchCooperativeKernel((void *)grid_total, dim3(4), dim3(64), arguments));
    CHECK(cudaMemcpy(&host_total, total, sizeof(int), cudaMemcpyDeviceToHost));
    printf("cooperative %d\n", host_total);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&minimum, &size, block_sum<int>, 0, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, block_sum<int>, size, 0));
    printf("occupancy: whole warps %d, some blocks %d %d\n", size % 32 == 0, minimum > 0, blocks > 0);
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, block_sum<int>));
    printf("attributes %zu %zu %d\n", attributes.sharedSizeBytes, attributes.localSizeBytes, attributes.maxThreadsPerBlock);
    CHECK(cudaFuncSetAttribute(block_sum<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    block_sum<int><<<1, 256, 64 << 10>>>(values, total, 256);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&host_total, total, sizeof(int), cudaMemcpyDeviceToHost));
    printf("large shared memory %d\n", host_total);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(256);
    config.dynamicSmemBytes = 256 * sizeof(int);
    CHECK(cudaLaunchKernelEx(&config, block_sum<int>, (const int *)values, total, 100));
    CHECK(cudaMemcpy(&host_total, total, sizeof(int), cudaMemcpyDeviceToHost));
    printf("by configuration %d\n", host_total);
    greet<<<1, 1>>>(3);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(values));
    CHECK(cudaFree(total));
}

static void device_queries()
{
    int count, device, warp;
    cudaDeviceProp properties;
    size_t free_bytes, total_bytes, heap;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
    CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    printf("some devices %d, current %d, warp %d %d, threads %d, block %d %d %d, grid %d %d %d\n", count > 0, device, warp,
           properties.warpSize, properties.maxThreadsPerBlock, properties.maxThreadsDim[0], properties.maxThreadsDim[1],
           properties.maxThreadsDim[2], properties.maxGridSize[0], properties.maxGridSize[1], properties.maxGridSize[2]);
    printf("shared %zu, constants %zu, registers %d, name %d, memory %d %d, heap %zu\n", properties.sharedMemPerBlock,
           properties.totalConstMem, properties.regsPerBlock, strlen(properties.name) > 0,
           properties.totalGlobalMem > (1u << 30), free_bytes > 0 && free_bytes <= total_bytes, heap);
    printf("capability at least 7: %d, cooperative %d, managed %d, unified %d, pools %d\n", properties.major >= 7,
           properties.cooperativeLaunch, properties.managedMemory, properties.unifiedAddressing,
           properties.memoryPoolsSupported);
}

static void mistakes()
{
    float *device, host[4] = {};
    void *nothing = &nothing;
    SHOW(cudaMalloc(&nothing, 0));
    printf("zero bytes give NULL: %d\n", nothing == nullptr);
    CHECK(cudaMalloc(&device, sizeof host));
    SHOW(cudaMalloc(&nothing, (size_t)1 << 50));
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    vector_add<<<1, 2000>>>(device, device, device, 4);
    SHOW(cudaPeekAtLastError());
    SHOW(cudaGetLastError());
    vector_add<<<0, 32>>>(device, device, device, 4);
    SHOW(cudaGetLastError());
    vector_add<<<1, 32, 1 << 20>>>(device, device, device, 4);
    SHOW(cudaGetLastError());
    SHOW(cudaMemcpy(device, host, sizeof host, (cudaMemcpyKind)7));
    SHOW(cudaMemcpy(nullptr, host, sizeof host, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpyToSymbol(coefficients, host, sizeof host, 4));
    SHOW(cudaMemcpyToSymbol(host, host, sizeof host));
    SHOW(cudaMemcpy2D(device, 4, host, 8, 8, 2, cudaMemcpyHostToDevice));
    SHOW(cudaSetDevice(1000));
    SHOW(cudaFree(host));
    SHOW(cudaFree(device));
    SHOW(cudaFree(device));
    SHOW(cudaStreamSynchronize((cudaStream_t)nullptr));
    SHOW(cudaEventDestroy((cudaEvent_t)nullptr));
    SHOW(cudaFuncSetAttribute(block_sum<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30));
    SHOW(cudaDeviceSynchronize());
    cudaGetLastError();
}

int main()
{
    device_queries();
    arithmetic();
    memory_kinds();
    streams();
    kernels();
    mistakes();
    CHECK(cudaDeviceReset());
    float *again;
    CHECK(cudaMalloc(&again, sizeof(float)));
    vector_add<<<1, 1>>>(again, again, again, 1);
    SHOW(cudaDeviceSynchronize());
    CHECK(cudaFree(again));
    return 0;
}

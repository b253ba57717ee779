// Kernels that launch kernels (nvcc -rdc=true -lcudadevrt). Without arguments it prints what an H200 prints, too
// (children.txt); an argument makes one mistake.
#include <cstdio>
#include <cstring>

__device__ int place, order[16], sums[8], depth_reached;
__device__ char text[64];

__global__ void mark(int i)
{
    order[i] = atomicAdd(&place, 1);
}

__global__ void marks_after_its_own()
{
    mark<<<1, 1, 0, cudaStreamTailLaunch>>>(3);
    mark<<<1, 1>>>(1);
    mark<<<1, 1>>>(2);
}

__global__ void in_order()
{
    mark<<<1, 1, 0, cudaStreamTailLaunch>>>(5);
    mark<<<1, 1>>>(0);
    marks_after_its_own<<<1, 1>>>();
    mark<<<1, 1>>>(4);
    mark<<<1, 1, 0, cudaStreamTailLaunch>>>(6);
}

__global__ void in_two_streams()
{
    cudaStream_t one, two;
    cudaEvent_t event;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    mark<<<1, 1, 0, one>>>(7);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
    mark<<<1, 1, 0, two>>>(8);
    cudaEventDestroy(event);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
}

__global__ void add(int level, int from, int to)
{
    if (to - from == 1) {
        atomicAdd(&sums[level], from);
        return;
    }
    int middle = (from + to) / 2;
    add<<<1, 1, 0, cudaStreamFireAndForget>>>(level, from, middle);
    add<<<1, 1>>>(level, middle, to);
}

struct values {
    char c;
    double d;
    int i[3];
};

__global__ void takes(values v, short s, int *out)
{
    extern __shared__ int shared[];
    shared[threadIdx.x] = v.c + (int)v.d + v.i[2] + s + threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void passes(int *out)
{
    values v = {1, 20.5, {3, 4, 500}};
    takes<<<1, 4, 16>>>(v, 7000, out);
}

__global__ void nested(int depth, int limit)
{
    depth_reached = depth;
    if (depth == limit)
        return;
    nested<<<1, 1>>>(depth + 1, limit);
    int error = cudaGetLastError();
    if (error)
        printf("nested %d: %s\n", depth, cudaGetErrorName((cudaError_t)error));
}

__global__ void many_tails(int count)
{
    int launched = 0, error = 0;
    for (int i = 0; i < count; i++) {
        mark<<<1, 1, 0, cudaStreamTailLaunch>>>(15);
        int now = cudaGetLastError();
        launched += now == 0;
        error = now ? now : error;
    }
    printf("tails %d of %d: %d\n", launched, count, error);
}

__global__ void __launch_bounds__(128) bounded()
{
}

__global__ void refused()
{
    mark<<<0, 1>>>(15);
    printf("no blocks %d, then %d %d\n", cudaPeekAtLastError(), cudaGetLastError(), cudaGetLastError());
    mark<<<1, 2048>>>(15);
    printf("2048 threads %d\n", cudaGetLastError());
    bounded<<<1, 256>>>();
    printf("beyond the bounds %d\n", cudaGetLastError());
    mark<<<1, 1, 65536>>>(15);
    printf("shared memory %d\n", cudaGetLastError());
    mark<<<1, 1, 0, (cudaStream_t)0x1234>>>(15);
    printf("no stream %d\n", cudaGetLastError());
}

__global__ void asks()
{
    int i = -1;
    size_t bytes = 0;
    cudaStream_t stream = 0;
    cudaEvent_t event = 0;
    printf("device %d", cudaGetDevice(&i));
    printf(" %d\n", i);
    printf("warp %d", cudaDeviceGetAttribute(&i, cudaDevAttrWarpSize, 0));
    printf(" %d, of device 7 %d\n", i, cudaDeviceGetAttribute(&i, cudaDevAttrWarpSize, 7));
    printf("pending %d", cudaDeviceGetLimit(&bytes, cudaLimitDevRuntimePendingLaunchCount));
    printf(" %d, none %d\n", (int)bytes, cudaDeviceGetLimit(&bytes, (cudaLimit)11));
    cudaGetLastError();
    cudaFuncAttributes attributes;
    printf("function %d", cudaFuncGetAttributes(&attributes, (const void *)bounded));
    printf(" %d threads\n", attributes.maxThreadsPerBlock);
    printf("occupancy %d", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, (const void *)bounded, 128, 0));
    printf(" %d, %d\n", i, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&i, (const void *)bounded, 0, 0));
    printf("stream flags %d %d\n", cudaStreamCreateWithFlags(&stream, 0), cudaStreamCreateWithFlags(&stream, 7));
    printf("event flags %d %d\n", cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
           cudaEventCreateWithFlags(&event, 0));
    printf("tail event %d\n", cudaEventRecord(event, cudaStreamTailLaunch));
    printf("names %s %s\n", cudaGetErrorName(cudaErrorLaunchPendingCountExceeded), cudaGetErrorString((cudaError_t)12345));
    int *memory = 0;
    printf("malloc %d", cudaMalloc(&memory, 100));
    memory[3] = 4;
    printf(" %d %d, of nothing %d", memory[3], cudaFree(memory), cudaMalloc(&memory, 0));
    printf(", too much %d\n", cudaMalloc(&memory, (size_t)1 << 40));
}

__global__ void copies(char *to, const char *from)
{
    char own[4] = {1, 2, 3, 4};
    printf("copies %d", cudaMemcpyAsync(to, from, 8, cudaMemcpyDeviceToDevice, 0));
    printf(" %d", cudaMemcpyAsync(to + 8, from, 8, cudaMemcpyHostToDevice, 0));
    printf(" %d", cudaMemcpyAsync(to + 8, own, 4, cudaMemcpyDeviceToDevice, 0));
    printf(" %d", cudaMemcpy2DAsync(to + 16, 4, from, 8, 2, 2, cudaMemcpyDeviceToDevice, 0));
    printf(" %d", cudaMemcpy2DAsync(to + 16, 1, from, 8, 2, 2, cudaMemcpyDeviceToDevice, 0));
    printf(" %d", cudaMemsetAsync(to + 24, 0, 4, cudaStreamTailLaunch));
    printf(" %d\n", cudaMemset2DAsync(to + 32, 4, 0, 2, 2, 0));
}

__global__ void child(int *out, int i)
{
    out[i + threadIdx.x] = 1;
}

__global__ void parent(int *out, int i)
{
    child<<<1, 4>>>(out, i);
}

__global__ void doubles(int *out)
{
    out[threadIdx.x] *= 2;
}

__global__ void doubles_later(int *out)
{
    doubles<<<1, 32>>>(out);
}

enum order_of_writing { BEFORE, WITHOUT_WAITING, AFTER, TAIL, INDIRECT };

__global__ void writes(int *out, order_of_writing order)
{
    cudaStream_t stream = order == TAIL ? cudaStreamTailLaunch : 0;
    if (order != AFTER && order != INDIRECT)
        out[threadIdx.x] = threadIdx.x;
    if (order != WITHOUT_WAITING && order != TAIL)
        __syncthreads();
    if (threadIdx.x == 0 && order != INDIRECT)
        doubles<<<1, 32, 0, stream>>>(out);
    if (threadIdx.x == 0 && order == INDIRECT)
        doubles_later<<<1, 1>>>(out);
    if (order == AFTER || order == INDIRECT)
        out[threadIdx.x] = threadIdx.x;
}

static int done(const char *what)
{
    cudaError_t launched = cudaGetLastError(), error = cudaDeviceSynchronize();
    if (launched || error)
        printf("%s: %s, %s\n", what, cudaGetErrorName(launched), cudaGetErrorName(error));
    return launched || error;
}

__global__ void raises(volatile int *flag)
{
    *flag = 1;
}

__global__ void waits(volatile int *flag)
{
    raises<<<1, 1>>>(flag);
    while (*flag == 0) // in vain
        ;
}

static int mistake(const char *which, int *out)
{
    static const char *const orders[] = {"before", "without waiting", "after", "tail", "indirect"};
    for (int i = BEFORE; i <= INDIRECT; i++)
        if (strcmp(which, orders[i]) == 0)
            writes<<<1, 64>>>(out, (order_of_writing)i);
    if (strcmp(which, "beyond") == 0)
        parent<<<1, 1>>>(out, 62);
    if (strcmp(which, "refused") == 0)
        refused<<<1, 1>>>();
    if (strcmp(which, "waits") == 0)
        waits<<<1, 1>>>(out);
    int failed = done(which);
    cudaFree(out);
    return failed;
}

int main(int count, char **arguments)
{
    int *out, result[64];
    char *bytes;
    cudaMalloc(&out, sizeof result);
    cudaMalloc(&bytes, 64);
    cudaMemset(out, 0, sizeof result);
    cudaMemset(bytes, 1, 64);
    if (count > 1) {
        cudaFree(bytes);
        return mistake(arguments[1], out);
    }

    in_order<<<1, 1>>>();
    done("order");
    in_two_streams<<<1, 1>>>();
    done("streams");
    cudaMemcpyFromSymbol(result, order, sizeof order);
    for (int i = 0; i < 9; i++)
        printf("%d ", result[i]);
    add<<<1, 1>>>(2, 0, 50);
    done("sum");
    cudaMemcpyFromSymbol(result, sums, sizeof sums);
    passes<<<1, 1>>>(out);
    done("parameters");
    int sum = result[2];
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDefault);
    printf("\nsum %d, parameters %d %d %d %d\n", sum, result[0], result[1], result[2], result[3]);

    nested<<<1, 1>>>(0, 100);
    done("nested");
    cudaMemcpyFromSymbol(result, depth_reached, sizeof depth_reached);
    printf("nested %d\n", result[0]);
    nested<<<1, 1>>>(0, 3000);
    done("too deep");
    many_tails<<<1, 1>>>(3000);
    done("tails");
    asks<<<1, 1>>>();
    done("questions");
    copies<<<1, 1>>>(bytes, bytes + 48);
    done("copies");
    char read[64];
    cudaMemcpy(read, bytes, 64, cudaMemcpyDefault);
    for (int i = 0; i < 64; i++)
        printf("%d%s", read[i], i % 16 == 15 ? "\n" : " ");
    cudaFree(out);
    cudaFree(bytes);
    return 0;
}

/* Lane masks that name lanes which have left the kernel, or which the block never had: such lanes are not waited for. The
 * output is that of an H200 (masks.txt). One line a kernel: its name, the status, a checksum of what each thread stored. */
#include <cstdio>
#include <cstring>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace groups = cooperative_groups;

#define ALL 0xffffffffu

/* Half of the warp has returned before the vote, the shuffle, the barrier. */
__global__ void exited_vote(unsigned *out)
{
    if (threadIdx.x % 32 >= 20)
        return;
    out[threadIdx.x] = __ballot_sync(ALL, threadIdx.x & 1);
}

__global__ void exited_any(unsigned *out)
{
    if (threadIdx.x % 32 >= 20)
        return;
    out[threadIdx.x] = __any_sync(ALL, threadIdx.x == 3) + 2 * __all_sync(ALL, threadIdx.x < 64);
}

__global__ void exited_shuffle(unsigned *out)
{
    if (threadIdx.x % 32 >= 20)
        return;
    out[threadIdx.x] = __shfl_xor_sync(ALL, threadIdx.x, 1);
}

__global__ void exited_barrier(unsigned *out)
{
    if (threadIdx.x % 32 >= 20)
        return;
    out[threadIdx.x ^ 1] = threadIdx.x;
    __syncwarp(ALL);
    out[threadIdx.x] += 100;
}

__global__ void exited_match(unsigned *out)
{
    if (threadIdx.x % 32 >= 20)
        return;
    out[threadIdx.x] = __match_any_sync(ALL, threadIdx.x / 4);
}

__global__ void exited_reduce(unsigned *out)
{
    if (threadIdx.x % 32 >= 20)
        return;
    out[threadIdx.x] = __reduce_add_sync(ALL, threadIdx.x);
}

/* The last lanes leave later than the first ask: they are waited for until then. */
__global__ void leave_later(unsigned *out)
{
    unsigned value = threadIdx.x;
    if (threadIdx.x >= 24) {
        for (unsigned i = 0; i < 1000; i++)
            value = value * 1664525u + 1013904223u;
        out[threadIdx.x] = value;
        return;
    }
    out[threadIdx.x] = __ballot_sync(ALL, threadIdx.x % 3 == 0);
}

/* A block of 40 threads: the second warp never had more than 8 lanes. */
__global__ void never_there(unsigned *out)
{
    out[threadIdx.x] = __ballot_sync(ALL, threadIdx.x & 1) + __shfl_down_sync(ALL, threadIdx.x, 0);
    __syncwarp(ALL);
    out[threadIdx.x] += __popc(__match_any_sync(ALL, threadIdx.x & 1));
}

/* A reduction by shuffles over a tile of 32 in a block that is not a multiple of 32: lanes that do not exist give nothing
 * that is used. */
__global__ void tile(unsigned *out)
{
    groups::thread_block_tile<32> warp = groups::tiled_partition<32>(groups::this_thread_block());
    out[threadIdx.x] = warp.ballot(threadIdx.x % 5 == 0);
    warp.sync();
    out[threadIdx.x] += warp.any(threadIdx.x == 33);
}

__global__ void coalesced(unsigned *out)
{
    if (threadIdx.x % 3 == 0)
        return;
    groups::coalesced_group group = groups::coalesced_threads();
    unsigned sum = groups::reduce(group, threadIdx.x, groups::plus<unsigned>());
    out[threadIdx.x] = group.size() * 1000 + group.thread_rank() + sum;
}

/* The others go around the shuffle and on to the last line: a mistake, told where the source shows it. */
__global__ void around(unsigned *out)
{
    unsigned value = threadIdx.x;
    if (threadIdx.x < 20)
        value = __shfl_xor_sync(ALL, value, 1);
    out[threadIdx.x] = value;
}

static unsigned *device_out;

static void show(const char *name, unsigned threads)
{
    unsigned out[64], sum = 0;
    cudaError_t status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < threads && status == cudaSuccess; i++)
        sum = sum * 31 + out[i];
    printf("%-16s %s %08x\n", name, cudaGetErrorName(status), sum);
    fflush(stdout);
}

#define RUN(kernel, threads)                              \
    do {                                                  \
        cudaMemset(device_out, 0, 64 * sizeof(unsigned)); \
        kernel<<<1, threads>>>(device_out);               \
        show(#kernel, threads);                           \
    } while (0)

int main(int count, char **)
{
    cudaMalloc(&device_out, 64 * sizeof(unsigned));
    if (count > 1) {
        RUN(around, 32);
        return 0;
    }
    RUN(exited_vote, 64);
    RUN(exited_any, 64);
    RUN(exited_shuffle, 64);
    RUN(exited_barrier, 64);
    RUN(exited_match, 64);
    RUN(exited_reduce, 64);
    RUN(leave_later, 32);
    RUN(never_there, 40);
    RUN(tile, 40);
    RUN(coalesced, 40);
    cudaFree(device_out);
    return 0;
}

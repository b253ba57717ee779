#include <cstring>
// Thread block clusters: ranks, distributed shared memory, cluster.sync, arrive and wait.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
#define CHECK(call)                                                                   \
    do {                                                                              \
        cudaError_t error = (call);                                                   \
        if (error != cudaSuccess)                                                     \
            printf("%s: %s (%d)\n", #call, cudaGetErrorName(error), (int)error);      \
    } while (0)

__global__ void __cluster_dims__(4, 1, 1) ranks(unsigned *out)
{
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        unsigned *mine = out + 8 * blockIdx.x, explicit_cluster, id, count;
        asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(explicit_cluster));
        asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
        asm("mov.u32 %0, %%nclusterid.x;" : "=r"(count));
        mine[0] = cluster.block_rank(), mine[1] = cluster.num_blocks(), mine[2] = cluster.block_index().x;
        mine[3] = cluster.dim_blocks().x, mine[4] = explicit_cluster, mine[5] = id, mine[6] = count;
        mine[7] = cluster.thread_rank() + cluster.num_threads();
    }
}

__global__ void neighbours(unsigned *out)
{
    __shared__ unsigned values[64];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
    values[threadIdx.x] = 1000 * blockIdx.x + threadIdx.x;
    cluster.sync();
    unsigned *theirs = cluster.map_shared_rank(values, next);
    unsigned got = theirs[63 - threadIdx.x], owner = cluster.query_shared_rank(theirs);
    cluster.sync();
    theirs[threadIdx.x] = got + owner;
    cluster.sync();
    out[64 * blockIdx.x + threadIdx.x] = values[threadIdx.x];
}

__global__ void histogram(unsigned *bins, const unsigned *data, int count, int per_block)
{
    extern __shared__ unsigned local[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < per_block; i += blockDim.x)
        local[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        unsigned bin = data[i];
        atomicAdd(cluster.map_shared_rank(local, bin / per_block) + bin % per_block, 1);
    }
    cluster.sync();
    unsigned *mine = bins + cluster.block_rank() * per_block;
    for (int i = threadIdx.x; i < per_block; i += blockDim.x)
        atomicAdd(&mine[i], local[i]);
}

__global__ void __cluster_dims__(2, 2, 1) split(unsigned *out, unsigned *scratch)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ unsigned value;
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0) {
        value = block + 1;
        scratch[block] = block + 10;
    }
    auto token = cluster.barrier_arrive();
    unsigned work = threadIdx.x * 2;
    cluster.barrier_wait(static_cast<decltype(token) &&>(token));
    unsigned sum = 0;
    for (unsigned r = 0; r < cluster.num_blocks(); r++)
        sum += *cluster.map_shared_rank(&value, r);
    if (threadIdx.x == 5)
        out[block] = sum + work + scratch[block ^ 1];
    cluster.sync();
}

static unsigned sum_of(const unsigned *values, int count)
{
    unsigned hash = 17;
    for (int i = 0; i < count; i++)
        hash = hash * 31 + values[i];
    return hash;
}

template <class... A>
static cudaError_t launch(void (*kernel)(A...), dim3 grid, dim3 block, size_t bytes, unsigned x, A... a)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = x, attribute.val.clusterDim.y = 1, attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = block, config.dynamicSmemBytes = bytes;
    config.attrs = &attribute, config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, a...);
}

// How many clusters fit: not compared with a GPU, where groups of multiprocessors matter as well.
static int occupancy()
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4, attribute.val.clusterDim.y = 1, attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8), config.blockDim = dim3(1024);
    int size = 0, own = 0, given = 0, smaller = 0, multiprocessors = 0, blocks = 0;
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, neighbours, 1024, 0));
    CHECK(cudaOccupancyMaxPotentialClusterSize(&size, neighbours, &config));
    CHECK(cudaOccupancyMaxActiveClusters(&own, ranks, &config));
    config.attrs = &attribute, config.numAttrs = 1;
    CHECK(cudaOccupancyMaxActiveClusters(&given, neighbours, &config));
    attribute.val.clusterDim.x = 2;
    CHECK(cudaOccupancyMaxActiveClusters(&smaller, neighbours, &config));
    attribute.val.clusterDim.x = 16;
    CHECK(cudaOccupancyMaxActiveClusters(&smaller, neighbours, &config));
    printf("size %d, of four %d %d, of two %d\n", size, own == multiprocessors * blocks / 4, given == own,
           smaller == multiprocessors * blocks / 2);
    return 0;
}

int main(int count, char **)
{
    if (count > 1)
        return occupancy();
    unsigned *out, *data, host[4096];
    CHECK(cudaMallocManaged(&out, sizeof host));
    CHECK(cudaMalloc(&data, sizeof host));
    for (int i = 0; i < 4096; i++)
        host[i] = (i * 2654435761u >> 7) % 64;
    CHECK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
    ranks<<<8, 32>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i++)
        printf("ranks %d: %u %u %u %u %u %u %u %u\n", i, out[8 * i], out[8 * i + 1], out[8 * i + 2], out[8 * i + 3],
               out[8 * i + 4], out[8 * i + 5], out[8 * i + 6], out[8 * i + 7]);
    CHECK(launch(neighbours, dim3(8), dim3(64), 0, 4u, out));
    CHECK(cudaDeviceSynchronize());
    printf("neighbours %u %u %u\n", out[0], out[100], sum_of(out, 512));
    memset(out, 0, 256);
    CHECK(launch(histogram, dim3(8), dim3(64), 32 * sizeof(unsigned), 2u, out, (const unsigned *)data, 4096, 32));
    CHECK(cudaDeviceSynchronize());
    printf("histogram %u %u %u\n", out[0], out[63], sum_of(out, 64));
    split<<<dim3(4, 2), 32>>>(out, data);
    CHECK(cudaDeviceSynchronize());
    printf("split %u %u %u %u %u %u %u %u\n", out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7]);
    printf("refused: %d %d %d\n", (int)launch(neighbours, dim3(7), dim3(64), 0, 4u, out),
           (int)launch(neighbours, dim3(16), dim3(64), 0, 16u, out), (int)launch(ranks, dim3(8), dim3(32), 0, 2u, out));
    cudaGetLastError();
    int value = 0;
    cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0);
    printf("attribute %d\n", value);
    CHECK(cudaFree(out));
    CHECK(cudaFree(data));
}

/* Which calls make the host wait for work that is pending: waits [NAME]. A kernel in a stream takes a while and then
 * writes 1 to pinned memory; after the call in question the host reads it. Prints NAME and "waited" or "returned".
 * Without a name: all. The emulated driver has done the work by then, and says "waited" each time: there, a finding says
 * whether it did. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { BYTES = 1 << 20, TICKS = 200000000 };

__global__ void work(volatile long long *ticks, int *done)
{
    long long start = clock64();
    while (clock64() - start < *ticks) {}
    *done = 1;
}

static cudaStream_t blocking, apart, other;
static cudaEvent_t event, pending;
static long long *ticks;
static int *done;
static char *device, *device2, *pinned, *managed, *pooled, *doomed, *doomed_pinned;
static char pageable[BYTES], registered[BYTES];

struct wait {
    const char *name;
    bool in_apart; /* the work is in a non-blocking stream */
    void (*call)();
};

static cudaStream_t stream;

static const wait waits[] = {
    {"nothing", false, [] {}},
    {"cudaStreamSynchronize", false, [] { cudaStreamSynchronize(stream); }},
    {"cudaStreamSynchronize_other", false, [] { cudaStreamSynchronize(other); }},
    {"cudaStreamSynchronize_default", false, [] { cudaStreamSynchronize(0); }},
    {"cudaStreamSynchronize_default_apart", true, [] { cudaStreamSynchronize(0); }},
    {"cudaDeviceSynchronize", true, [] { cudaDeviceSynchronize(); }},
    {"cudaEventSynchronize", false, [] { cudaEventSynchronize(event); }},
    {"cudaEventSynchronize_before", false, [] { cudaEventSynchronize(pending); }},
    {"cudaMemcpy_pageable_to_device", false, [] { cudaMemcpy(device, pageable, BYTES, cudaMemcpyHostToDevice); }},
    {"cudaMemcpy_pinned_to_device", false, [] { cudaMemcpy(device, pinned, BYTES, cudaMemcpyHostToDevice); }},
    {"cudaMemcpy_device_to_pageable", false, [] { cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost); }},
    {"cudaMemcpy_device_to_pinned", false, [] { cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost); }},
    {"cudaMemcpy_device_to_device", false, [] { cudaMemcpy(device2, device, BYTES, cudaMemcpyDeviceToDevice); }},
    {"cudaMemcpy_device_to_pageable_apart", true, [] { cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost); }},
    {"cudaMemcpyAsync_pageable_to_device", false,
     [] { cudaMemcpyAsync(device, pageable, BYTES, cudaMemcpyHostToDevice, stream); }},
    {"cudaMemcpyAsync_small_pageable_to_device", false,
     [] { cudaMemcpyAsync(device, pageable, 64, cudaMemcpyHostToDevice, stream); }},
    {"cudaMemcpyAsync_pinned_to_device", false,
     [] { cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream); }},
    {"cudaMemcpyAsync_device_to_pageable", false,
     [] { cudaMemcpyAsync(pageable, device, BYTES, cudaMemcpyDeviceToHost, stream); }},
    {"cudaMemcpyAsync_device_to_pinned", false,
     [] { cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream); }},
    {"cudaMemcpyAsync_pinned_to_pageable", false,
     [] { cudaMemcpyAsync(pageable, pinned, BYTES, cudaMemcpyHostToHost, stream); }},
    {"cudaMemset_device", false, [] { cudaMemset(device, 0, BYTES); }},
    {"cudaMemset_pinned", false, [] { cudaMemset(pinned, 0, BYTES); }},
    {"cudaMemset_managed", false, [] { cudaMemset(managed, 0, BYTES); }},
    {"cudaMemsetAsync_device", false, [] { cudaMemsetAsync(device, 0, BYTES, stream); }},
    {"cudaFree", false, [] { cudaFree(doomed); }},
    {"cudaFree_apart", true, [] { cudaFree(doomed); }},
    {"cudaFree_pooled", false, [] { cudaFree(pooled); }},
    {"cudaFreeHost", false, [] { cudaFreeHost(doomed_pinned); }},
    {"cudaHostUnregister", false, [] { cudaHostUnregister(registered); }},
    {"cudaMalloc", false, [] { cudaMalloc(&device2, BYTES); }},
    {"cudaStreamDestroy", false, [] { cudaStreamDestroy(stream); }},
    {"cudaEventDestroy", false, [] { cudaEventDestroy(event); }},
};

static void run(const wait &each, bool is_short)
{
    cudaStreamCreate(&blocking);
    cudaStreamCreate(&other);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaEventCreate(&pending);
    cudaMalloc(&ticks, sizeof *ticks);
    cudaMallocHost(&done, sizeof *done);
    cudaMalloc(&device, BYTES);
    cudaMalloc(&device2, BYTES);
    cudaMalloc(&doomed, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMallocHost(&doomed_pinned, BYTES);
    cudaMallocManaged(&managed, BYTES);
    cudaMallocAsync(&pooled, BYTES, apart);
    cudaHostRegister(registered, BYTES, cudaHostRegisterDefault);
    long long count = is_short ? 1 : TICKS;
    cudaMemcpy(ticks, &count, sizeof count, cudaMemcpyHostToDevice);
    cudaMemset(device, 0, BYTES);
    memset(pinned, 0, BYTES);
    *done = 0;
    stream = each.in_apart ? apart : blocking;
    cudaDeviceSynchronize();
    cudaEventRecord(pending, stream);
    work<<<1, 1, 0, stream>>>(ticks, done);
    cudaEventRecord(event, stream);
    each.call();
    int value = *(volatile int *)done;
    cudaDeviceSynchronize();
    cudaError_t error = cudaGetLastError();
    cudaHostUnregister(registered);
    cudaGetLastError(); /* of the case that did so itself */
    printf("%s %s%s\n", each.name, value ? "waited" : "returned", error == cudaSuccess ? "" : " and failed");
}

int main(int count, char **words)
{
    for (const wait &each : waits)
        if (count < 2 || strcmp(words[1], each.name) == 0)
            run(each, count > 1);
    return 0;
}

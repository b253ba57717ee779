/* Programs that wait for asynchronous work, each in its own way, and programs in which one wait is missing.
 *
 *   order right            runs all that are right, one after the other; nothing may be found
 *   order wrong            lists those that are wrong: name, finding, words of its message
 *   order wrong NAME       runs one of them
 *
 * In the same order as on a GPU they all print nothing. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>
#include <unistd.h>
#include <vector>

enum { COUNT = 4096, BYTES = COUNT * sizeof(int), BLOCK = 256 };

__global__ void fill(int *data, int value, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[i] = value;
}

__global__ void twice(int *data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[i] *= 2;
}

__global__ void copy(int *to, const int *from, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = from[i];
}

/* Every second element, from `first`. */
__global__ void comb(int *data, int first, int count)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + first;
    if (i < count)
        data[i] = i;
}

__global__ void count_up(int *counter)
{
    atomicAdd(counter, 1);
}

__device__ int variable[COUNT];

__global__ void fill_variable(int value)
{
    variable[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static void launch_fill(int *data, cudaStream_t stream, int count = COUNT)
{
    fill<<<(count + BLOCK - 1) / BLOCK, BLOCK, 0, stream>>>(data, 1, count);
}

/* ---- what they use: fresh for each ---- */

static cudaStream_t a, b, apart;
static cudaEvent_t event;
static int *device, *device2, *pinned, *pinned2, *managed;
static int pageable[COUNT];
static volatile int sink;

static void make()
{
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaMalloc(&device, BYTES);
    cudaMalloc(&device2, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMallocHost(&pinned2, BYTES);
    cudaMallocManaged(&managed, BYTES);
    cudaMemset(device, 0, BYTES);
    cudaMemset(device2, 0, BYTES);
    memset(pinned, 0, BYTES);
    memset(pinned2, 0, BYTES);
    memset(managed, 0, BYTES);
    cudaDeviceSynchronize();
}

static void drop()
{
    cudaDeviceSynchronize();
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaStreamDestroy(apart);
    cudaEventDestroy(event);
    cudaFree(device);
    cudaFree(device2);
    cudaFreeHost(pinned);
    cudaFreeHost(pinned2);
    cudaFree(managed);
}

static void to_host(int *target, const int *source, cudaStream_t stream, int count = COUNT)
{
    cudaMemcpyAsync(target, source, count * sizeof(int), cudaMemcpyDeviceToHost, stream);
}

static void to_device(int *target, const int *source, cudaStream_t stream, int count = COUNT)
{
    cudaMemcpyAsync(target, source, count * sizeof(int), cudaMemcpyHostToDevice, stream);
}

static void CUDART_CB set_flag(void *flag)
{
    *(volatile int *)flag = 1;
}

/* ---- right ---- */

static void one_stream()
{
    to_device(device, pinned, a);
    twice<<<COUNT / BLOCK, BLOCK, 0, a>>>(device, COUNT);
    to_host(pinned2, device, a);
    cudaStreamSynchronize(a);
    sink = pinned2[7];
}

static void event_between_streams()
{
    launch_fill(device, a);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event, 0);
    to_host(pinned, device, b);
    cudaStreamSynchronize(b);
    sink = pinned[7];
}

static void host_between_streams()
{
    launch_fill(device, a);
    cudaStreamSynchronize(a);
    to_host(pinned, device, b);
    cudaDeviceSynchronize();
    sink = pinned[7];
}

static void default_stream_waits_for_blocking_ones()
{
    launch_fill(device, a);
    launch_fill(device2, b);
    copy<<<COUNT / BLOCK, BLOCK>>>(device, device2, COUNT);
    to_host(pinned, device, a);
    cudaStreamSynchronize(a);
    sink = pinned[7];
}

static void synchronous_copy_waits_for_blocking_streams()
{
    launch_fill(device, a);
    cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost);
    cudaMemcpy(device, pageable, BYTES, cudaMemcpyHostToDevice);
    launch_fill(device, b);
}

static void halves_in_two_streams()
{
    for (int half = 0; half < 2; half++) {
        cudaStream_t stream = half ? b : a;
        int first = half * COUNT / 2;
        to_device(device + first, pinned + first, stream, COUNT / 2);
        twice<<<COUNT / 2 / BLOCK, BLOCK, 0, stream>>>(device + first, COUNT / 2);
        to_host(pinned2 + first, device + first, stream, COUNT / 2);
    }
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(b);
    sink = pinned2[COUNT - 1];
}

static void uneven_parts_in_two_streams()
{
    launch_fill(device, a, 1001);
    launch_fill(device + 1001, apart, 1003);
    cudaDeviceSynchronize();
}

static void teeth_of_two_combs()
{
    comb<<<COUNT / 2 / BLOCK, BLOCK, 0, a>>>(device, 0, COUNT);
    comb<<<COUNT / 2 / BLOCK, BLOCK, 0, apart>>>(device, 1, COUNT);
    cudaDeviceSynchronize();
}

static void both_read()
{
    to_host(pinned, device, a);
    copy<<<COUNT / BLOCK, BLOCK, 0, apart>>>(device2, device, COUNT);
    cudaDeviceSynchronize();
}

static void both_count()
{
    count_up<<<4, BLOCK, 0, a>>>(device);
    count_up<<<4, BLOCK, 0, b>>>(device);
    cudaDeviceSynchronize();
}

static void event_is_waited_for_by_the_host()
{
    to_host(pinned, device, a);
    cudaEventRecord(event, a);
    launch_fill(device2, a);
    cudaEventSynchronize(event);
    sink = pinned[3];
    cudaDeviceSynchronize();
}

static void asked_until_done()
{
    to_host(pinned, device, a);
    while (cudaStreamQuery(a) == cudaErrorNotReady) {}
    sink = pinned[3];
    launch_fill(device, b);
    cudaEventRecord(event, b);
    while (cudaEventQuery(event) == cudaErrorNotReady) {}
    to_host(pinned, device, apart);
    cudaDeviceSynchronize();
}

static void copy_to_pageable_memory_waits()
{
    launch_fill(device, a);
    to_host(pageable, device, a);
    sink = pageable[3];
    launch_fill(device, apart);
    cudaDeviceSynchronize();
}

static void host_function_tells()
{
    static int flag;
    flag = 0;
    to_host(pinned, device, a);
    cudaLaunchHostFunc(a, set_flag, &flag);
    while (!*(volatile int *)&flag) {}
    sink = pinned[3];
}

static void other_half_of_pinned_memory()
{
    to_host(pinned, device, a, COUNT / 2);
    for (int i = COUNT / 2; i < COUNT; i++)
        pinned[i] = i;
    cudaStreamSynchronize(a);
}

static void reading_what_is_only_read()
{
    to_device(device, pinned, a);
    sink = pinned[3];
    cudaStreamSynchronize(a);
    pinned[3] = 4;
}

static void managed_memory_after_the_device()
{
    for (int turn = 0; turn < 3; turn++) {
        twice<<<COUNT / BLOCK, BLOCK>>>(managed, COUNT);
        cudaDeviceSynchronize();
        managed[5]++;
    }
}

static void allocated_in_order()
{
    int *memory;
    cudaMallocAsync(&memory, BYTES, a);
    launch_fill(memory, a);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(apart, event, 0);
    to_host(pinned, memory, apart);
    cudaFreeAsync(memory, apart);
    cudaStreamSynchronize(apart);
    sink = pinned[3];
}

static void free_waits()
{
    int *memory;
    cudaMalloc(&memory, BYTES);
    launch_fill(memory, apart);
    to_host(pinned, device, a);
    cudaFree(memory);
    sink = pinned[3];
}

static void two_buffers_in_turn()
{
    cudaEvent_t done[2];
    int *buffers[2] = {pinned, pinned2}, *targets[2] = {device, device2};
    for (int i = 0; i < 2; i++)
        cudaEventCreate(&done[i]);
    for (int turn = 0; turn < 6; turn++) {
        int i = turn % 2;
        cudaEventSynchronize(done[i]);
        buffers[i][0] = turn;
        to_device(targets[i], buffers[i], i ? b : a);
        twice<<<COUNT / BLOCK, BLOCK, 0, i ? b : a>>>(targets[i], COUNT);
        cudaEventRecord(done[i], i ? b : a);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++)
        cudaEventDestroy(done[i]);
}

static void fork_and_join()
{
    cudaEvent_t joined;
    cudaEventCreate(&joined);
    launch_fill(device, apart);
    cudaEventRecord(event, apart);
    cudaStreamWaitEvent(a, event, 0);
    copy<<<COUNT / BLOCK, BLOCK, 0, a>>>(device2, device, COUNT);
    cudaEventRecord(joined, a);
    cudaStreamWaitEvent(apart, joined, 0);
    launch_fill(device, apart);
    to_host(pinned, device2, apart);
    cudaStreamSynchronize(apart);
    sink = pinned[9];
    cudaEventDestroy(joined);
}

static void graph_in_one_stream()
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    launch_fill(device, a);
    to_host(pinned, device, a);
    cudaStreamEndCapture(a, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    for (int turn = 0; turn < 3; turn++)
        cudaGraphLaunch(executable, b);
    cudaStreamSynchronize(b);
    sink = pinned[3];
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

static void destroyed_stream_goes_on()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    launch_fill(device, stream);
    cudaStreamDestroy(stream);
    cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost);
}

static void many_streams()
{
    for (int i = 0; i < 1000; i++) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        launch_fill(device, stream);
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
}

static void variable_after_an_event()
{
    fill_variable<<<COUNT / BLOCK, BLOCK, 0, a>>>(1);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event, 0);
    fill_variable<<<COUNT / BLOCK, BLOCK, 0, b>>>(2);
    cudaMemcpyFromSymbol(pageable, variable, BYTES);
}

/* The copy ends in the middle of a page: the rest of it is the host's, and system calls may use it. */
static void system_call_on_the_other_half()
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    to_host(pinned, device, a, COUNT / 2 + 1);
    if (write(ends[1], pinned + COUNT / 2 + 1, 400) != 400 || read(ends[0], pinned + COUNT - 100, 400) != 400)
        printf("a system call failed\n");
    cudaStreamSynchronize(a);
    if (write(ends[1], pinned, 4000) != 4000)
        printf("a system call failed\n");
    close(ends[0]);
    close(ends[1]);
}

/* Each thread has a stream and memory of its own. */
static void threads_of_the_host()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([] {
            int *memory, *result;
            cudaStream_t stream;
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
            cudaMalloc(&memory, BYTES);
            cudaMallocHost(&result, BYTES);
            for (int turn = 0; turn < 10; turn++) {
                launch_fill(memory, stream);
                to_host(result, memory, stream);
                cudaStreamSynchronize(stream);
                if (result[turn] != 1)
                    printf("a thread read %d\n", result[turn]);
            }
            cudaFree(memory);
            cudaFreeHost(result);
            cudaStreamDestroy(stream);
        });
    for (auto &thread : threads)
        thread.join();
}

static void (*const right[])() = {one_stream,
                                  event_between_streams,
                                  host_between_streams,
                                  default_stream_waits_for_blocking_ones,
                                  synchronous_copy_waits_for_blocking_streams,
                                  halves_in_two_streams,
                                  uneven_parts_in_two_streams,
                                  teeth_of_two_combs,
                                  both_read,
                                  both_count,
                                  event_is_waited_for_by_the_host,
                                  asked_until_done,
                                  copy_to_pageable_memory_waits,
                                  host_function_tells,
                                  other_half_of_pinned_memory,
                                  reading_what_is_only_read,
                                  managed_memory_after_the_device,
                                  allocated_in_order,
                                  free_waits,
                                  two_buffers_in_turn,
                                  fork_and_join,
                                  graph_in_one_stream,
                                  destroyed_stream_goes_on,
                                  many_streams,
                                  variable_after_an_event,
                                  system_call_on_the_other_half,
                                  threads_of_the_host};

/* ---- wrong: one wait is missing in each ---- */

static void kernel_then_copy_in_another()
{
    launch_fill(device, a);
    to_host(pinned, device, b);
}

static void copy_then_kernel_in_another()
{
    to_device(device, pinned, a);
    twice<<<COUNT / BLOCK, BLOCK, 0, b>>>(device, COUNT);
}

static void kernel_then_kernel_in_another()
{
    launch_fill(device, a);
    copy<<<COUNT / BLOCK, BLOCK, 0, b>>>(device2, device, COUNT);
}

static void overwritten_while_read()
{
    copy<<<COUNT / BLOCK, BLOCK, 0, a>>>(device2, device, COUNT);
    launch_fill(device, b);
}

static void both_write()
{
    launch_fill(device, a);
    cudaMemsetAsync(device, 0, BYTES, b);
}

static void non_blocking_after_the_default_stream()
{
    launch_fill(device, 0);
    to_host(pinned, device, apart);
}

static void default_stream_after_non_blocking()
{
    launch_fill(device, apart);
    cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost);
}

static void event_recorded_too_early()
{
    cudaEventRecord(event, a);
    launch_fill(device, a);
    cudaStreamWaitEvent(b, event, 0);
    to_host(pinned, device, b);
}

static void event_waited_for_in_the_wrong_stream()
{
    launch_fill(device, a);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(apart, event, 0);
    to_host(pinned, device, b);
}

static void wrong_stream_synchronised()
{
    launch_fill(device, a);
    cudaStreamSynchronize(b);
    to_host(pinned, device, b);
}

static void event_never_recorded()
{
    launch_fill(device, a);
    cudaStreamWaitEvent(b, event, 0);
    to_host(pinned, device, b);
}

static void join_forgotten()
{
    launch_fill(device, a);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event, 0);
    launch_fill(device2, b);
    to_host(pinned, device2, a);
}

static void halves_overlap()
{
    launch_fill(device, a, COUNT / 2 + 1);
    launch_fill(device + COUNT / 2, b, COUNT / 2);
}

static void rows_overlap()
{
    cudaMemset2DAsync(device, 256, 1, 128, 16, a);
    cudaMemcpy2DAsync(pinned, 128, (char *)device + 64, 256, 128, 16, cudaMemcpyDeviceToHost, b);
}

static void counted_and_read()
{
    count_up<<<1, BLOCK, 0, a>>>(device);
    to_host(pinned, device, b, 1);
}

static void variable_in_two_streams()
{
    fill_variable<<<COUNT / BLOCK, BLOCK, 0, a>>>(1);
    cudaMemcpyFromSymbolAsync(pinned, variable, BYTES, 0, cudaMemcpyDeviceToHost, b);
}

static void used_before_it_is_allocated()
{
    int *memory;
    cudaMallocAsync(&memory, BYTES, a);
    launch_fill(memory, b);
    cudaDeviceSynchronize();
    cudaFree(memory);
}

static void freed_in_another_stream()
{
    int *memory;
    cudaMallocAsync(&memory, BYTES, a);
    launch_fill(memory, a);
    cudaFreeAsync(memory, b);
}

static void freed_at_once()
{
    int *memory;
    cudaMallocAsync(&memory, BYTES, a);
    launch_fill(memory, a);
    cudaFree(memory);
}

static void graph_and_stream()
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    launch_fill(device, a);
    cudaStreamEndCapture(a, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, a);
    to_host(pinned, device, b);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

static void result_read_too_early()
{
    to_host(pinned, device, a);
    sink = pinned[3];
}

static void source_refilled_too_early()
{
    to_device(device, pinned, a);
    pinned[3] = 5;
}

static void managed_read_too_early()
{
    twice<<<COUNT / BLOCK, BLOCK>>>(managed, COUNT);
    sink = managed[5];
}

static void managed_written_too_early()
{
    copy<<<COUNT / BLOCK, BLOCK>>>(device, managed, COUNT);
    managed[5] = 1;
}

static void other_event_waited_for_by_the_host()
{
    cudaEventRecord(event, a);
    to_host(pinned, device, a);
    cudaEventSynchronize(event);
    sink = pinned[3];
}

static void zero_copy_read_too_early()
{
    launch_fill(pinned, a);
    sink = pinned[COUNT - 1];
}

static void registered_read_too_early()
{
    static int memory[4 * COUNT];
    cudaHostRegister(memory, sizeof memory, cudaHostRegisterDefault);
    to_host(memory, device, a);
    sink = memory[COUNT / 2];
    cudaDeviceSynchronize();
    cudaHostUnregister(memory);
}

static void stream_destroyed_instead_of_awaited()
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    to_host(pinned, device, stream);
    cudaStreamDestroy(stream);
    sink = pinned[3];
}

static const struct {
    void (*run)();
    const char *name, *finding, *words;
} wrong[] = {
#define WRONG(name, finding, words) {name, #name, finding, words}
    WRONG(kernel_then_copy_in_another, "stream_race",
          "kernel fill (stream 1, .*) writes bytes 0..16383 of .*; cuMemcpyDtoHAsync (stream 2, .*) reads them"),
    WRONG(copy_then_kernel_in_another, "stream_race",
          "cuMemcpyHtoDAsync (stream 1, .*) writes .*; kernel twice (stream 2, .*) "),
    WRONG(kernel_then_kernel_in_another, "stream_race",
          "kernel fill (stream 1, .*) writes .*; kernel copy (stream 2, .*) reads"),
    WRONG(overwritten_while_read, "stream_race", "kernel copy (stream 1, .*) reads .*; kernel fill (stream 2, .*) writes"),
    WRONG(both_write, "stream_race", "kernel fill (stream 1, .*) writes .*; cuMemsetD8Async (stream 2, .*) writes"),
    WRONG(non_blocking_after_the_default_stream, "stream_race",
          "kernel fill (the default stream, .*; cuMemcpyDtoHAsync (stream 3, .* A non-blocking stream"),
    WRONG(default_stream_after_non_blocking, "stream_race",
          "kernel fill (stream 3, .*; cuMemcpyDtoH (the default stream, .* A non-blocking stream"),
    WRONG(event_recorded_too_early, "stream_race", "kernel fill (stream 1, .*; cuMemcpyDtoHAsync (stream 2, "),
    WRONG(event_waited_for_in_the_wrong_stream, "stream_race", "kernel fill (stream 1, .*; cuMemcpyDtoHAsync (stream 2, "),
    WRONG(wrong_stream_synchronised, "stream_race", "kernel fill (stream 1, .*; cuMemcpyDtoHAsync (stream 2, "),
    WRONG(event_never_recorded, "stream_race", "kernel fill (stream 1, .*; cuMemcpyDtoHAsync (stream 2, "),
    WRONG(join_forgotten, "stream_race", "kernel fill (stream 2, .*; cuMemcpyDtoHAsync (stream 1, "),
    WRONG(halves_overlap, "stream_race", "writes bytes 8192..8195 of .*; kernel fill (stream 2, .*) writes them"),
    WRONG(rows_overlap, "stream_race",
          "cuMemsetD2D8Async (stream 1, .*) writes bytes 64..127 of .*; cuMemcpy2DAsync (stream 2, .*) reads them"),
    WRONG(counted_and_read, "stream_race", "kernel count_up (stream 1, .*) uses, atomically or as volatile, bytes 0..3 of "),
    WRONG(variable_in_two_streams, "stream_race", "of variable; cuMemcpyDtoHAsync (stream 2, in variable_in_two_streams"),
    WRONG(used_before_it_is_allocated, "stream_race",
          "cuMemAllocAsync (stream 1, .*) allocates .*; kernel fill (stream 2, .*) writes it"),
    WRONG(freed_in_another_stream, "use_after_free",
          "kernel fill (stream 1, .*) writes .*; cuMemFreeAsync (stream 2, .*) frees it"),
    WRONG(freed_at_once, "use_after_free", "cudaFree frees .* and the host has not waited for kernel fill (stream 1, "),
    WRONG(graph_and_stream, "stream_race", "kernel fill (stream 1, .*; cuMemcpyDtoHAsync (stream 2, "),
    WRONG(result_read_too_early, "host_race", "itself reads byte 12 of .*cuMemcpyDtoHAsync (stream 1, .*), which writes it"),
    WRONG(source_refilled_too_early, "host_race",
          "itself writes byte 12 of .*cuMemcpyHtoDAsync (stream 1, .*), which reads it"),
    WRONG(managed_read_too_early, "host_race",
          "itself reads byte 20 of .*kernel twice (the default stream, .*), which writes it"),
    WRONG(managed_written_too_early, "host_race",
          "itself writes byte 20 of .*kernel copy (the default stream, .*), which reads it"),
    WRONG(other_event_waited_for_by_the_host, "host_race", "itself reads byte 12 of .*cuMemcpyDtoHAsync (stream 1, "),
    WRONG(zero_copy_read_too_early, "host_race", "itself reads byte 16380 of .*kernel fill (stream 1, .*), which writes it"),
    WRONG(registered_read_too_early, "host_race", "itself reads byte 8192 of .*cuMemcpyDtoHAsync (stream 1, "),
    WRONG(stream_destroyed_instead_of_awaited, "host_race", "itself reads byte 12 of .*cuMemcpyDtoHAsync (stream 4, "),
};

int main(int count, char **words)
{
    bool is_right = count > 1 && strcmp(words[1], "right") == 0;
    for (size_t i = 0; is_right && i < sizeof right / sizeof *right; i++) {
        make();
        right[i]();
        drop();
        if (cudaGetLastError() != cudaSuccess)
            printf("right program %zu failed\n", i);
    }
    for (size_t i = 0; !is_right && i < sizeof wrong / sizeof *wrong; i++) {
        if (count < 3) {
            printf("%s|%s|%s\n", wrong[i].name, wrong[i].finding, wrong[i].words);
        } else if (strcmp(words[2], wrong[i].name) == 0) {
            make();
            wrong[i].run();
            drop();
        }
    }
    return 0;
}

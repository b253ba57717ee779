/* Programs in which one wait is missing, and programs that are right, among them some in which host and kernel release each
 * other. Each prints one number. Those that are right and end without a failure print the same on an H200 (driver 580).
 *
 *   late                 lists them: name, what it prints where work is done at once, and under the schedule "late"
 *   late NAME            runs one of them */
#include <atomic>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>
#include <unistd.h>

enum { COUNT = 4096, BYTES = COUNT * sizeof(int), BLOCK = 256 };

__global__ void fill(int *data, int value)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void add(int *data, int value)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

__global__ void hello()
{
    printf("7");
}

/* Waits for the flag, then leaves a trace. */
__global__ void wait_for(volatile int *flag, int *data)
{
    while (*flag == 0) {}
    *data += 1;
}

/* Answers each question of the host. */
__global__ void answer(volatile int *asked, volatile int *answered, int turns)
{
    for (int turn = 1; turn <= turns; turn++) {
        while (*asked < turn) {}
        __threadfence_system();
        *answered = turn;
    }
}

__managed__ volatile int managed_flag;

__global__ void wait_for_managed_flag(int *data)
{
    while (managed_flag == 0) {}
    *data += 1;
}

static cudaStream_t a, b;
static cudaEvent_t event;
static int *device, *pinned, *managed, *flag;
static int pageable[COUNT];

static void launch_fill(int *data, int value, cudaStream_t stream)
{
    fill<<<COUNT / BLOCK, BLOCK, 0, stream>>>(data, value);
}

static void launch_add(int *data, int value, cudaStream_t stream)
{
    add<<<COUNT / BLOCK, BLOCK, 0, stream>>>(data, value);
}

static void to_host(int *target, const int *source, cudaStream_t stream)
{
    cudaMemcpyAsync(target, source, BYTES, cudaMemcpyDeviceToHost, stream);
}

/* ---- wrong ---- */

static int managed_read_too_early()
{
    launch_fill(managed, 5, a);
    return managed[COUNT - 1];
}

static int pinned_read_too_early()
{
    launch_fill(device, 5, a);
    to_host(pinned, device, a);
    return pinned[3];
}

static int pinned_refilled_too_early()
{
    pinned[3] = 5;
    cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, a);
    pinned[3] = 6;
    cudaStreamSynchronize(a);
    to_host(pinned, device, a);
    cudaStreamSynchronize(a);
    return pinned[3];
}

static int copy_in_another_stream()
{
    launch_fill(device, 5, a);
    to_host(pinned, device, b);
    cudaStreamSynchronize(b);
    return pinned[3];
}

static int event_recorded_too_early()
{
    cudaEventRecord(event, a);
    launch_fill(device, 5, a);
    cudaStreamWaitEvent(b, event, 0);
    to_host(pinned, device, b);
    cudaDeviceSynchronize();
    return pinned[3];
}

static int query_not_looked_at()
{
    launch_fill(managed, 5, a);
    cudaStreamQuery(a);
    return managed[3];
}

static int memset_overtakes()
{
    launch_fill(device, 5, a);
    cudaMemsetAsync(device, 0, BYTES, b);
    cudaDeviceSynchronize();
    cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost);
    return pageable[3];
}

static void CUDART_CB copy_flag(void *data)
{
    *flag = *(int *)data;
}

static int data_of_a_host_function_changed()
{
    int value = 5;
    cudaLaunchHostFunc(a, copy_flag, &value);
    value = 6;
    cudaStreamSynchronize(a);
    return *flag;
}

static int elapsed_time_not_waited_for()
{
    float time;
    cudaEvent_t end;
    cudaEventCreate(&end);
    cudaEventRecord(event, a);
    launch_fill(device, 5, a);
    cudaEventRecord(end, a);
    return cudaEventElapsedTime(&time, event, end);
}

static int ends_without_waiting()
{
    hello<<<1, 1>>>();
    fflush(stdout);
    return 1;
}

/* ---- right ---- */

static int one_stream()
{
    memset(pageable, 0, sizeof pageable);
    cudaMemcpyAsync(device, pageable, BYTES, cudaMemcpyHostToDevice, a);
    pageable[3] = 100; /* has been read */
    launch_add(device, 2, a);
    cudaMemcpy2DAsync(pinned, 8, device, 8, 8, COUNT / 2, cudaMemcpyDeviceToHost, a);
    cudaStreamSynchronize(a);
    return pinned[3];
}

static int events_and_default_stream()
{
    launch_fill(device, 1, a);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event, 0);
    launch_add(device, 2, b);
    launch_add(device, 4, 0);
    launch_add(device, 8, a);
    cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost);
    return pageable[COUNT - 1];
}

static int time_of_events()
{
    float time = -1;
    cudaEvent_t end;
    cudaEventCreate(&end);
    cudaEventRecord(event, a);
    launch_fill(device, 5, a);
    cudaEventRecord(end, a);
    cudaEventSynchronize(end);
    return cudaEventElapsedTime(&time, event, end) == cudaSuccess && time > 0;
}

static int asked_until_done()
{
    launch_fill(managed, 5, a);
    while (cudaStreamQuery(a) == cudaErrorNotReady) {}
    return managed[3];
}

static int freed_in_order()
{
    int *memory;
    cudaMallocAsync(&memory, BYTES, a);
    launch_fill(memory, 5, a);
    to_host(pinned, memory, a);
    cudaFreeAsync(memory, a);
    cudaStreamSynchronize(a);
    return pinned[3];
}

static int failure_comes_with_the_wait()
{
    launch_fill((int *)16, 5, a);
    cudaError_t early = cudaGetLastError();
    return early == cudaSuccess && cudaStreamSynchronize(a) == cudaErrorIllegalAddress;
}

static void CUDART_CB call_back(cudaStream_t, cudaError_t, void *data)
{
    *(int *)data = *flag + 1;
}

static int callback_comes_last()
{
    int value = 5, result = 0;
    cudaLaunchHostFunc(a, copy_flag, &value);
    cudaStreamAddCallback(a, call_back, &result, 0);
    cudaStreamSynchronize(a);
    return result;
}

/* The host looks at memory and calls nothing. */
static int host_watches_memory()
{
    launch_fill(managed, 5, a);
    while (((volatile int *)managed)[COUNT - 1] != 5) {}
    return managed[COUNT - 1];
}

/* ---- host and kernel release each other ---- */

static int host_releases_a_kernel()
{
    wait_for<<<1, 1, 0, a>>>(flag, device);
    launch_add(device, 2, a);
    to_host(pinned, device, a);
    *(volatile int *)flag = 1;
    cudaStreamSynchronize(a);
    return pinned[0];
}

static int host_releases_by_a_managed_variable()
{
    wait_for_managed_flag<<<1, 1>>>(device);
    managed_flag = 1;
    cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost);
    return pageable[0];
}

static int host_asks_before_it_releases()
{
    wait_for<<<1, 1, 0, a>>>(flag, device);
    int unready = 0;
    for (int i = 0; i < 4; i++)
        unready += cudaStreamQuery(a) == cudaErrorNotReady;
    *(volatile int *)flag = 1;
    cudaStreamSynchronize(a);
    return unready;
}

static int host_and_kernel_in_turn()
{
    volatile int *asked = flag, *answered = managed;
    *answered = 0;
    answer<<<1, 1, 0, a>>>(asked, answered, 3);
    for (int turn = 1; turn <= 3; turn++) {
        *asked = turn;
        while (*answered != turn) {}
    }
    cudaStreamSynchronize(a);
    return *answered;
}

static int another_stream_releases_a_kernel()
{
    static const int one = 1;
    wait_for<<<1, 1, 0, a>>>(flag, device);
    cudaMemcpyAsync(flag, &one, sizeof one, cudaMemcpyHostToDevice, b);
    cudaDeviceSynchronize();
    cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost);
    return pageable[0];
}

static int another_thread_releases_a_kernel()
{
    wait_for<<<1, 1, 0, a>>>(flag, device);
    std::thread thread([] {
        usleep(50000);
        *(volatile int *)flag = 1;
    });
    cudaStreamSynchronize(a);
    thread.join();
    cudaMemcpy(pageable, device, BYTES, cudaMemcpyDeviceToHost);
    return pageable[0];
}

/* Nobody does. */
static int never_released()
{
    wait_for<<<1, 1, 0, a>>>(flag, device);
    return cudaStreamSynchronize(a) != cudaSuccess;
}

static const struct {
    int (*run)();
    const char *name;
    int at_once, late;
} programs[] = {
#define PROGRAM(name, at_once, late) {name, #name, at_once, late}
    PROGRAM(managed_read_too_early, 5, 0),
    PROGRAM(pinned_read_too_early, 5, 0),
    PROGRAM(pinned_refilled_too_early, 5, 6),
    PROGRAM(copy_in_another_stream, 5, 0),
    PROGRAM(event_recorded_too_early, 5, 0),
    PROGRAM(query_not_looked_at, 5, 0),
    PROGRAM(memset_overtakes, 0, 5),
    PROGRAM(data_of_a_host_function_changed, 5, 6),
    PROGRAM(elapsed_time_not_waited_for, cudaSuccess, cudaErrorNotReady),
    PROGRAM(ends_without_waiting, 71, 1),
    PROGRAM(one_stream, 2, 2),
    PROGRAM(events_and_default_stream, 15, 15),
    PROGRAM(time_of_events, 1, 1),
    PROGRAM(asked_until_done, 5, 5),
    PROGRAM(freed_in_order, 5, 5),
    PROGRAM(failure_comes_with_the_wait, 1, 1),
    PROGRAM(callback_comes_last, 6, 6),
    PROGRAM(host_watches_memory, 5, 5),
    PROGRAM(host_releases_a_kernel, 3, 3),
    PROGRAM(host_releases_by_a_managed_variable, 1, 1),
    PROGRAM(host_asks_before_it_releases, 4, 4),
    PROGRAM(host_and_kernel_in_turn, 3, 3),
    PROGRAM(another_stream_releases_a_kernel, 1, 1),
    PROGRAM(another_thread_releases_a_kernel, 1, 1),
    PROGRAM(never_released, 1, 1),
};

int main(int count, char **words)
{
    for (const auto &program : programs) {
        if (count < 2) {
            printf("%s %d %d\n", program.name, program.at_once, program.late);
        } else if (strcmp(words[1], program.name) == 0) {
            cudaStreamCreateWithFlags(&a, cudaStreamDefault);
            cudaStreamCreate(&b);
            cudaEventCreate(&event);
            cudaMalloc(&device, BYTES);
            cudaMallocHost(&pinned, BYTES);
            cudaMallocHost(&flag, BYTES);
            cudaMallocManaged(&managed, BYTES);
            cudaMemset(device, 0, BYTES);
            memset(pinned, 0, BYTES);
            memset(flag, 0, BYTES);
            memset(managed, 0, BYTES);
            cudaDeviceSynchronize();
            printf("%d\n", program.run());
            if (program.at_once == program.late) /* a free waits */
                cudaFree(device);
        }
    }
    return 0;
}

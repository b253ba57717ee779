/* A first program, each step by hand: context, compile, copy, launch, time, copy back, errors. handouts/start.md explains
 * it paragraph by paragraph. vector_add.c does the same with fewer calls.
 *
 *     ninja && build/examples/first_program [THREADS]
 *
 * THREADS is the size of a block, by default 256. The program uses the GPU when there is one.
 */
#include "runtime/lockstep.h"

#include <stdio.h>
#include <stdlib.h>

static const char source[] = "extern \"C\" __global__ void vector_add(const float *a, const float *b, float *c, int n)\n"
                             "{\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n) {\n"
                             "        c[i] = a[i] + b[i];\n"
                             "    }\n"
                             "}\n";

static lockstep_error error;

/* Ends the program when a call has failed. */
static void check(lockstep_status status)
{
    char text[2048];
    if (status != LOCKSTEP_OK) {
        lockstep_error_format(&error, text, sizeof text);
        fflush(stdout);
        fprintf(stderr, "%s\n", text);
        exit(1);
    }
}

/* Device memory of the same size, with the array's values in it. */
static lockstep_buffer *send(lockstep_device *device, const char *name, const float *array, size_t bytes)
{
    lockstep_buffer *buffer;
    check(lockstep_buffer_create(device, bytes, name, &buffer, &error));
    check(lockstep_buffer_upload(buffer, 0, array, bytes, &error));
    return buffer;
}

int main(int argument_count, char **arguments)
{
    enum { N = 1000 };
    static float a[N], b[N], c[N];
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = 0.5f;
    }

    /* 1. Context: open the device. */
    lockstep_device *device;
    check(lockstep_device_open(LOCKSTEP_AUTO, &device, &error));
    printf("device    %s\n", lockstep_device_get_info(device)->name);

    /* 2. Compile the source text, and find the kernel in the module. */
    lockstep_module *module;
    lockstep_kernel *kernel;
    check(lockstep_module_compile(device, source, "vector_add.cu", NULL, &module, &error));
    check(lockstep_module_kernel(module, "vector_add", &kernel, &error));

    /* 3. Copy the inputs to the device, and make room for the output. */
    lockstep_buffer *device_a = send(device, "a", a, sizeof a);
    lockstep_buffer *device_b = send(device, "b", b, sizeof b);
    lockstep_buffer *device_c;
    check(lockstep_buffer_create(device, sizeof c, "c", &device_c, &error));

    /* 4. Launch: as many blocks as it takes to have a thread for each element, between two events. */
    int n = N;
    int threads = argument_count > 1 ? atoi(arguments[1]) : 256;
    int blocks = threads > 0 ? (N + threads - 1) / threads : 0;
    lockstep_shape shape = {.grid = {(uint32_t)blocks}, .block = {(uint32_t)threads}};
    lockstep_argument kernel_arguments[] = {LOCKSTEP_BUFFER(device_a), LOCKSTEP_BUFFER(device_b), LOCKSTEP_BUFFER(device_c),
                                            LOCKSTEP_VALUE(n)};
    lockstep_event *start, *stop;
    check(lockstep_event_create(device, &start, &error));
    check(lockstep_event_create(device, &stop, &error));
    check(lockstep_event_record(start, NULL, &error));
    check(lockstep_launch(kernel, &shape, kernel_arguments, 4, NULL, &error));
    check(lockstep_event_record(stop, NULL, &error));

    /* 5. Time: wait for the second event. A fault in the kernel shows here at the latest. */
    float elapsed_ms;
    check(lockstep_event_elapsed(start, stop, &elapsed_ms, &error));
    printf("launch    %d blocks of %d threads for %d elements\ntime      %.2f ms\n", blocks, threads, n, elapsed_ms);

    /* 6. Copy the result back, and look at it. */
    int right = 0;
    check(lockstep_buffer_download(device_c, 0, c, sizeof c, &error));
    for (int i = 0; i < N; i++) {
        right += c[i] == a[i] + b[i];
    }
    printf("result    c[999] = %g; %d of %d sums are right\n", c[999], right, N);

    /* 7. Release everything. */
    lockstep_event_destroy(start);
    lockstep_event_destroy(stop);
    lockstep_buffer_destroy(device_a);
    lockstep_buffer_destroy(device_b);
    lockstep_buffer_destroy(device_c);
    lockstep_module_unload(module);
    lockstep_device_close(device);
    return right < N;
}

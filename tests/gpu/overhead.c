/* What the runtime adds to the driver: `ninja gpu-bench` prints it.
 *
 *     overhead [emulated]
 *
 * A JSON line each: launches through the runtime and by cuLaunchKernel (microseconds a launch, in turn, medians), copies of
 * 256 MiB in GB/s by the runtime from pageable memory and by the driver from pageable and from pinned memory, and a module
 * out of the cache (milliseconds: compile, and load).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/library/handles.h"
#include "runtime/lockstep.h"

enum { LAUNCHES = 2000, TURNS = 15, COPIES = 5 };
#define COPY_BYTES ((size_t)256 << 20)

static lockstep_device *device;
static const struct driver *driver;
static lockstep_error error;

static void ok(lockstep_status status)
{
    char text[2048];
    if (status == LOCKSTEP_OK)
        return;
    lockstep_error_format(&error, text, sizeof text);
    fprintf(stderr, "overhead: %s\n", text);
    exit(2);
}

static void ok_driver(CUresult result)
{
    ok(driver_check(driver, result, "driver", &error, "measuring"));
}

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

static const char source[] = "extern \"C\" __global__ void nothing(float *a, int n) { if (n < 0) a[0] = 0; }\n";

/* ---- launches ----------------------------------------------------------------------------------------------------- */

static double launch_by_runtime(lockstep_kernel *kernel, lockstep_buffer *buffer)
{
    int n = 1;
    const lockstep_shape shape = {.grid = {1}, .block = {32}};
    const lockstep_argument arguments[] = {LOCKSTEP_BUFFER(buffer), LOCKSTEP_VALUE(n)};
    double start = now_us();
    for (int i = 0; i < LAUNCHES; i++)
        ok(lockstep_launch(kernel, &shape, arguments, 2, NULL, &error));
    double end = now_us();
    ok(lockstep_device_synchronize(device, &error));
    return (end - start) / LAUNCHES;
}

static double launch_by_driver(CUfunction function, CUdeviceptr address)
{
    int n = 1;
    void *parameters[] = {&address, &n};
    double start = now_us();
    for (int i = 0; i < LAUNCHES; i++)
        ok_driver(driver->cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
    double end = now_us();
    ok(lockstep_device_synchronize(device, &error));
    return (end - start) / LAUNCHES;
}

static void compare_launches(lockstep_kernel *kernel)
{
    double runtime[TURNS], raw[TURNS], ratio[TURNS];
    lockstep_buffer *buffer;
    ok(lockstep_buffer_create(device, 4, "a", &buffer, &error));
    launch_by_runtime(kernel, buffer);
    for (int i = 0; i < TURNS; i++) {
        runtime[i] = launch_by_runtime(kernel, buffer);
        raw[i] = launch_by_driver(kernel->handle, buffer->address);
        ratio[i] = runtime[i] / raw[i];
    }
    printf("{\"what\":\"launch\",\"runtime_us\":%.3f,\"driver_us\":%.3f,\"ratio\":%.3f}\n", median(runtime, TURNS),
           median(raw, TURNS), median(ratio, TURNS));
    lockstep_buffer_destroy(buffer);
}

/* ---- copies ------------------------------------------------------------------------------------------------------- */

enum way { BY_RUNTIME, BY_DRIVER };

static double copy_rate(lockstep_buffer *buffer, void *host, bool upload, enum way way)
{
    double rates[COPIES];
    for (int i = -1; i < COPIES; i++) {
        double start = now_us();
        if (way == BY_RUNTIME)
            ok(upload ? lockstep_buffer_upload(buffer, 0, host, COPY_BYTES, &error)
                      : lockstep_buffer_download(buffer, 0, host, COPY_BYTES, &error));
        else
            ok_driver(upload ? driver->cuMemcpyHtoD(buffer->address, host, COPY_BYTES)
                             : driver->cuMemcpyDtoH(host, buffer->address, COPY_BYTES));
        if (i >= 0)
            rates[i] = (double)COPY_BYTES / (now_us() - start) / 1e3;
    }
    return median(rates, COPIES);
}

static void compare_copies(void)
{
    lockstep_buffer *buffer;
    void *pageable = malloc(COPY_BYTES), *pinned;
    if (!pageable)
        exit(2);
    memset(pageable, 1, COPY_BYTES);
    ok_driver(driver->cuMemHostAlloc(&pinned, COPY_BYTES, 0));
    ok(lockstep_buffer_create(device, COPY_BYTES, "a", &buffer, &error));
    for (int upload = 1; upload >= 0; upload--)
        printf("{\"what\":\"%s\",\"runtime_gb_s\":%.1f,\"driver_pageable_gb_s\":%.1f,\"driver_pinned_gb_s\":%.1f}\n",
               upload ? "to the device" : "from the device", copy_rate(buffer, pageable, upload, BY_RUNTIME),
               copy_rate(buffer, pageable, upload, BY_DRIVER), copy_rate(buffer, pinned, upload, BY_DRIVER));
    lockstep_buffer_destroy(buffer);
    driver->cuMemFreeHost(pinned);
    free(pageable);
}

/* ---- modules ------------------------------------------------------------------------------------------------------ */

static void time_cache(void)
{
    double compile[TURNS], load[TURNS];
    for (int i = -1; i < TURNS; i++) {
        lockstep_compile_request request = {
            .source = source,
            .source_bytes = strlen(source),
            .file_name = "nothing.cu",
            .major = device->info.major,
            .minor = device->info.minor,
        };
        lockstep_compiled compiled;
        lockstep_module *module;
        double start = now_us();
        ok(lockstep_compile(&request, &compiled, &error));
        double middle = now_us();
        ok(lockstep_module_load(device, compiled.ptx, compiled.ptx_bytes, &module, &error));
        if (i >= 0) {
            compile[i] = (middle - start) / 1e3;
            load[i] = (now_us() - middle) / 1e3;
        }
        lockstep_module_unload(module);
        lockstep_compiled_clear(&compiled);
    }
    printf("{\"what\":\"module out of the cache\",\"compile_ms\":%.3f,\"load_ms\":%.3f}\n", median(compile, TURNS),
           median(load, TURNS));
}

int main(int argc, char **argv)
{
    bool emulated = argc > 1 && strcmp(argv[1], "emulated") == 0;
    lockstep_module *module;
    lockstep_kernel *kernel;
    ok(lockstep_device_open(emulated ? LOCKSTEP_EMULATED : LOCKSTEP_GPU, &device, &error));
    driver = &device->driver;
    ok(lockstep_module_compile(device, source, "nothing.cu", NULL, &module, &error));
    ok(lockstep_module_kernel(module, "nothing", &kernel, &error));
    compare_launches(kernel);
    compare_copies();
    time_cache();
    lockstep_module_unload(module);
    lockstep_device_close(device);
    return 0;
}

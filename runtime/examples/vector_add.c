/* The whole interface in one small program: open a device, compile a kernel, launch it on host arrays, look at the result.
 *
 *     ninja build/examples/vector_add && build/examples/vector_add [gpu|emulated]
 *
 * Without an argument it uses the GPU when there is one. LOCKSTEP_IN and LOCKSTEP_OUT move the arrays; a program that
 * launches more than once keeps them on the device instead, in buffers (lockstep_buffer_create).
 */
#include "runtime/lockstep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "__global__ void vector_add(const float *a, const float *b, float *c, int n)\n"
                             "{\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n)\n"
                             "        c[i] = a[i] + b[i];\n"
                             "}\n";

static lockstep_error error;

/* Every call reports what went wrong, with what, and what to do about it. */
static void check(lockstep_status status)
{
    char text[2048];
    if (status == LOCKSTEP_OK)
        return;
    lockstep_error_format(&error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}

int main(int argument_count, char **arguments)
{
    enum { N = 1000, THREADS = 256 };
    static float a[N], b[N], c[N];
    for (int i = 0; i < N; i++) {
        a[i] = (float)i;
        b[i] = 0.5f;
    }
    lockstep_device_kind kind = LOCKSTEP_AUTO;
    if (argument_count > 1)
        kind = strcmp(arguments[1], "gpu") == 0 ? LOCKSTEP_GPU : LOCKSTEP_EMULATED;

    lockstep_device *device;
    lockstep_module *module;
    lockstep_kernel *kernel;
    check(lockstep_device_open(kind, &device, &error));
    check(lockstep_module_compile(device, source, "vector_add.cu", NULL, &module, &error));
    check(lockstep_module_kernel(module, "vector_add", &kernel, &error));

    int n = N;
    lockstep_shape shape = {.grid = {(N + THREADS - 1) / THREADS}, .block = {THREADS}};
    lockstep_argument kernel_arguments[] = {LOCKSTEP_IN(a, sizeof a), LOCKSTEP_IN(b, sizeof b), LOCKSTEP_OUT(c, sizeof c),
                                            LOCKSTEP_VALUE(n)};
    check(lockstep_launch(kernel, &shape, kernel_arguments, 4, NULL, &error));

    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += c[i] != a[i] + b[i];
    printf("%d of %d sums are right (c[999] = %g) on %s\n", N - wrong, N, c[999], lockstep_device_get_info(device)->name);
    lockstep_module_unload(module);
    lockstep_device_close(device);
    return wrong > 0;
}

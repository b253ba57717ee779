// expect: wrong_value - one block, whatever n is
/* A program that adds two vectors, in C on the kit's runtime library (runtime/lockstep.h).
 *
 * Input      standard input: n, then the n numbers of a, then those of b
 * Output     standard output: the n sums, and nothing else
 * Contract   The kernel computes the sums. Each input is copied to the device once, the result back once. What is made is
 *            destroyed. When a call fails, the program prints a message on the standard error and ends with a status other
 *            than 0.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/lockstep.h"

static const char source[] = "extern \"C\" __global__ void add(const float *a, const float *b, float *c, int n)\n"
                             "{\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n)\n"
                             "        c[i] = a[i] + b[i];\n"
                             "}\n";

// Every call can fail: it returns a status, and error says why. What should the program then do?
// --- your code ---
static lockstep_error error;

// Ends the program with a message when a call has failed.
static void check(lockstep_status status)
{
    char text[2048];
    if (status == LOCKSTEP_OK)
        return;
    lockstep_error_format(&error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    exit(1);
}
// --- end ---

static float *read_array(int n)
{
    float *array = malloc(n * sizeof *array);
    for (int i = 0; i < n; i++)
        if (!array || scanf("%f", &array[i]) != 1) {
            fprintf(stderr, "the input is too short\n");
            exit(1);
        }
    return array;
}

int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 1;
    float *a = read_array(n), *b = read_array(n), *c = malloc(n * sizeof *c);
    // The device, the module and its kernel, room for three arrays, the copies there, the launch, the copy back.
    // --- your code ---
    size_t bytes = n * sizeof *a;
    lockstep_device *device;
    lockstep_module *module;
    lockstep_kernel *kernel;
    lockstep_buffer *d_a, *d_b, *d_c;
    check(lockstep_device_open(LOCKSTEP_AUTO, &device, &error));
    check(lockstep_module_compile(device, source, "add.cu", NULL, &module, &error));
    check(lockstep_module_kernel(module, "add", &kernel, &error));
    check(lockstep_buffer_create(device, bytes, "a", &d_a, &error));
    check(lockstep_buffer_create(device, bytes, "b", &d_b, &error));
    check(lockstep_buffer_create(device, bytes, "c", &d_c, &error));
    check(lockstep_buffer_upload(d_a, 0, a, bytes, &error));
    check(lockstep_buffer_upload(d_b, 0, b, bytes, &error));
    lockstep_shape shape = {.grid = {1}, .block = {256}};
    lockstep_argument arguments[] = {LOCKSTEP_BUFFER(d_a), LOCKSTEP_BUFFER(d_b), LOCKSTEP_BUFFER(d_c), LOCKSTEP_VALUE(n)};
    check(lockstep_launch(kernel, &shape, arguments, 4, NULL, &error));
    check(lockstep_buffer_download(d_c, 0, c, bytes, &error));
    // --- end ---
    for (int i = 0; i < n; i++)
        printf("%.9g\n", c[i]);
    // What you have made is destroyed here, the device last.
    // --- your code ---
    lockstep_buffer_destroy(d_a);
    lockstep_buffer_destroy(d_b);
    lockstep_buffer_destroy(d_c);
    lockstep_module_unload(module);
    lockstep_device_close(device);
    // --- end ---
    free(a);
    free(b);
    free(c);
    return 0;
}

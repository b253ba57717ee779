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
    // --- end ---
    for (int i = 0; i < n; i++)
        printf("%.9g\n", c[i]);
    // What you have made is destroyed here, the device last.
    // --- your code ---
    // --- end ---
    free(a);
    free(b);
    free(c);
    return 0;
}

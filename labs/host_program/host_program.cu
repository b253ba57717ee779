/* A program that adds two vectors.
 *
 * Input      on the standard input: n, then the n numbers of a, then those of b
 * Output     on the standard output: the n sums, one a line, and nothing else
 * Contract   The kernel computes the sums, in one launch. Each input is copied to the device once, the result back once.
 *            What is allocated is freed. When a call of CUDA fails, the program prints a message on the standard error and
 *            ends with a status other than 0; otherwise it ends with status 0.
 * Run        build/lockstep grade host_program
 * Read       handouts/host_program.md
 *
 * Add your lines between the marks. Everything else can stay as it is.
 */
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

// Every call of CUDA can fail. What should the program do then?
// --- your code ---
// --- end ---

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

// An array in the host's memory, filled from the standard input.
static float *read_array(int n)
{
    float *array = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) {
        if (array == NULL || scanf("%f", &array[i]) != 1) {
            fprintf(stderr, "no memory, or too few numbers\n");
            exit(1);
        }
    }
    return array;
}

int main()
{
    int n;
    if (scanf("%d", &n) != 1 || n < 1) {
        fprintf(stderr, "the input must begin with n\n");
        return 1;
    }
    float *a = read_array(n);
    float *b = read_array(n);
    float *c = (float *)calloc(n, sizeof(float));
    if (c == NULL) {
        fprintf(stderr, "no memory\n");
        return 1;
    }

    // a and b are in the host's memory, and the sums belong in c. The kernel can use the device's memory only.
    // --- your code ---
    // --- end ---

    for (int i = 0; i < n; i++) {
        printf("%.9g\n", c[i]);
    }

    // What does the program still hold?
    // --- your code ---
    // --- end ---
    free(a);
    free(b);
    free(c);
    return 0;
}

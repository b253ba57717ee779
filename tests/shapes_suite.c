/* What a lab can ask of a launch, each by a small lab of its own: scalars, three dimensions, dynamic shared memory, constant
 * memory, textures, limits of the launch shape, tolerances by rule, and budgets that need another metric. */
#include "tests/support.h"

#include <math.h>
#include <string.h>

#include "grader/lab/compare.h"
#include "grader/lab/random.h"
#include "grader/lab/tolerance.h"
#include "tests/small_lab.h"

/* Fills every input with floats from -1 to 1, or with small whole numbers. */
static void fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)the_case;
    for (int a = 0; a < lab->array_count; a++)
        for (size_t i = 0; i < data->count[a] && lab->arrays[a].role != LAB_OUTPUT; i++) {
            if (types_is_float(lab->arrays[a].type))
                types_set_float(lab->arrays[a].type, data->array[a].bytes, i, (double)lab_random_float(random, -1, 1));
            else
                types_set_integer(lab->arrays[a].type, data->array[a].bytes, i, lab_random_below(random, 100));
        }
    for (int s = 0; s < lab->scalar_count; s++) {
        if (types_is_float(lab->scalars[s].type))
            data->scalar[s].f = 0.1 + lab_random_below(random, 1000) / 999.0;
        else
            data->scalar[s].i = lab_random_below(random, 50) - (lab->scalars[s].type == LAB_INT16 ? 25 : 0);
    }
}

static size_t extent(const struct lab *lab, const struct lab_case *the_case, int index)
{
    (void)lab, (void)index;
    size_t count = (size_t)the_case->size[0];
    for (int d = 1; d < 3; d++)
        count *= the_case->size[d] > 0 ? (size_t)the_case->size[d] : 1;
    return count;
}

/* Array 0 goes in, the last one comes out, and so does output 0. */
static struct lab lab_with(const char *name, const struct lab_kernel *kernel, const struct lab_plan *plan,
                           const struct lab_array *arrays, int array_count, const struct lab_output *output,
                           const struct lab_case *cases, int case_count)
{
    return (struct lab){.name = name,
                        .title = name,
                        .handout = "handouts/doublify.md",
                        .kernels = kernel,
                        .kernel_count = 1,
                        .plans = plan,
                        .plan_count = 1,
                        .arrays = arrays,
                        .array_count = array_count,
                        .outputs = output,
                        .output_count = 1,
                        .cases = cases,
                        .case_count = case_count,
                        .points = 10,
                        .extent = extent,
                        .fill = fill,
                        .timing_case = cases[0]};
}

static const struct lab_array float_pair[] = {{"x", LAB_FLOAT32, LAB_INPUT}, {"y", LAB_FLOAT32, LAB_OUTPUT}};
static const struct lab_output second_array[] = {{"y", 1, false}};
static const struct lab_case sizes[] = {{.name = "n = 7", .purpose = "few", .size = {7}},
                                        {.name = "n = 300", .purpose = "many", .size = {300}, .budget = true}};

/* ---- scalars: y = a x + y, z = k x + m ---------------------------------------------------------------------------- */

static void launch_saxpy(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    lab_launch(run, &(struct lab_launch){"saxpy", {n}, {0}, {LAB_INT(n), LAB_SCALAR(0), LAB_ARRAY(0), LAB_ARRAY(1)}});
    lab_check(run, 0, 0, (size_t)n);
}

static void expect_saxpy(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                         const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)the_case, (void)plan, (void)output;
    for (size_t i = 0; i < expected->count; i++)
        expected->f[i] = data->scalar[0].f * (double)data->array[0].f[i] + (double)data->array[1].f[i];
}

static const struct lab *saxpy(void)
{
    static const struct lab_scalar scalars[] = {{"a", LAB_FLOAT32}};
    static const struct lab_kernel kernel = {
        "saxpy", "void saxpy(int n, float a, const float *x, float *y)", {64, 1, 1}, 1, false};
    static const struct lab_plan plan = {"one launch", {0}, 1, launch_saxpy};
    static const struct lab_array arrays[] = {{"x", LAB_FLOAT32, LAB_INPUT}, {"y", LAB_FLOAT32, LAB_IN_PLACE}};
    static const struct lab_output output[] = {{"y", 1, false, false, {LAB_ABSOLUTE, 1e-6, NULL, LAB_NO_TYPE}}};
    static struct lab lab;
    lab = lab_with("saxpy", &kernel, &plan, arrays, 2, output, sizes, 2);
    lab.scalars = scalars;
    lab.scalar_count = 1;
    lab.reference = expect_saxpy;
    return &lab;
}

#define SAXPY(a, statement)                                                        \
    "extern \"C\" __global__ void saxpy(int n, " a ", const float *x, float *y)\n" \
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) " statement " }\n"

static void a_scalar_is_passed_and_named(void)
{
    CU_ASSERT(small_lab_passes(saxpy(), SAXPY("float a", "y[i] = a * x[i] + y[i];"), true));
    CU_ASSERT(small_lab_finds(saxpy(), SAXPY("float factor", "y[i] = 2 * factor * x[i] + y[i];"), "wrong_value",
                              "with factor = "));
    CU_ASSERT(small_lab_finds(saxpy(), SAXPY("int a", "y[i] = a * x[i] + y[i];"), "signature", "must be float"));
    CU_ASSERT(small_lab_finds(saxpy(), SAXPY("double a", "y[i] = a * x[i] + y[i];"), "signature",
                              "double a, but it must be float"));
}

static void launch_integers(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    lab_launch(run, &(struct lab_launch){"affine",
                                         {n},
                                         {0},
                                         {LAB_ARRAY(0), LAB_ARRAY(1), LAB_SCALAR(0), LAB_SCALAR(1), LAB_SCALAR(2),
                                          LAB_INTEGER(LAB_UINT64, n)}});
    lab_check(run, 0, 0, (size_t)n);
}

static void expect_integers(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                            const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)the_case, (void)plan, (void)output;
    for (size_t i = 0; i < expected->count; i++)
        expected->f[i] = (double)data->scalar[0].i * (double)data->array[0].f[i] + (double)data->scalar[1].i
                         + data->scalar[2].f;
}

static void scalars_of_any_type_are_passed(void)
{
    static const struct lab_scalar scalars[] = {{"k", LAB_INT16}, {"m", LAB_UINT8}, {"h", LAB_FLOAT64}};
    static const struct lab_kernel kernel = {
        "affine",
        "void affine(const float *x, float *y, short k, unsigned char m, double h, unsigned long n)",
        {64, 1, 1},
        1,
        false};
    static const struct lab_plan plan = {"one launch", {0}, 1, launch_integers};
    static const struct lab_output output[] = {{"y", 1, false, false, {LAB_ULPS, 2, NULL, LAB_NO_TYPE}}};
    struct lab lab = lab_with("affine", &kernel, &plan, float_pair, 2, output, sizes, 2);
    lab.scalars = scalars;
    lab.scalar_count = 3;
    lab.reference = expect_integers;
    CU_ASSERT(small_lab_passes(
        &lab,
        "extern \"C\" __global__ void affine(const float *x, float *y, short k, unsigned char m, "
        "double h, size_t n)\n"
        "{ size_t i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = (double)k * x[i] + m + h; }\n",
        true));
    CU_ASSERT(small_lab_finds(&lab,
                              "extern \"C\" __global__ void affine(const float *x, float *y, short k, unsigned char m, "
                              "double h, size_t n)\n"
                              "{ size_t i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = k * x[i] + h; }\n",
                              "wrong_value", " and h = "));
}

/* ---- the device runtime -------------------------------------------------------------------------------------------- */

#define DECLARE(result, name, parameters) "extern \"C\" __device__ " result " " name "(" parameters ");\n"
#define FILLS(name)                                     \
    DECLARE("int", name, "void *, int, size_t, void *") \
    SAXPY("float a", "{ y[i] = a * x[i] + y[i]; if (i < 0) " name "(y, 0, 4, 0); }")
#define LAUNCHES                                                                     \
    "__global__ void child(int n, float a, const float *x, float *y)\n"              \
    "{ int i = threadIdx.x; if (i < n) y[i] = a * x[i] + y[i]; }\n"                  \
    "extern \"C\" __global__ void saxpy(int n, float a, const float *x, float *y)\n" \
    "{ int i = blockIdx.x * blockDim.x; if (i < n && threadIdx.x == 0)\n"            \
    "    child<<<1, blockDim.x>>>(n - i, a, x + i, y + i); }\n"

static void kernels_use_the_device_runtime_where_the_lab_says_so(void)
{
    struct lab free = *saxpy();
    free.device_runtime = true;
    CU_ASSERT(small_lab_finds(saxpy(), FILLS("__cudaCDP2MemsetAsync"), "compile", "__cudaCDP2MemsetAsync belongs to"));
    CU_ASSERT(small_lab_finds(saxpy(), FILLS("cudaMemsetAsync"), "compile", "device_runtime: yes"));
    CU_ASSERT(small_lab_passes(/* the compiler declares it there */
                               &free,
                               SAXPY("float a", "{ y[i] = a * x[i] + y[i]; if (i < 0) cudaMemsetAsync(y, 0, 4, 0); }"),
                               true));
    CU_ASSERT(small_lab_finds(saxpy(), LAUNCHES, "compile", "A launch with <<< >>> is made by the host"));
    CU_ASSERT(small_lab_passes(&free, LAUNCHES, true));
    /* its own functions no lab's kernels may call */
#define ASKS                                                                                                             \
    "struct alignas(16) reply { unsigned long long error, place; };\n" DECLARE("reply", "__lockstep_device_Malloc",      \
                                                                               "unsigned long long, unsigned long long") \
        SAXPY("float a", "{ y[i] = a * x[i] + y[i]; if (i < 0) __lockstep_device_Malloc(0, 4); }")
    CU_ASSERT(small_lab_finds(saxpy(), ASKS, "compile", "__lockstep_device_Malloc is a function of the emulated driver's"));
    CU_ASSERT(small_lab_finds(&free, ASKS, "compile", "No lab allows"));
}

static void functions_of_the_submissions_own_may_have_any_name(void)
{
    CU_ASSERT(small_lab_passes(saxpy(),
                               "extern \"C\" __device__ __noinline__ float cudaMemsetAsync(float v) { return 2 * v; }\n"
                               "// calls neither __cudaCDP2MemsetAsync(y) nor __lockstep_device_Malloc(0)\n" SAXPY(
                                   "float a", "{ y[i] = a * x[i] + cudaMemsetAsync(y[i]) / 2;"
                                              " if (i == 0 && n < 0) printf(\"cudaLaunchDevice\\n\"); }"),
                               true));
    CU_ASSERT(small_lab_passes(
        saxpy(), SAXPY("float a", "{ float *p = (float *)malloc(4); assert(p); *p = a * x[i]; y[i] += *p; free(p); }"),
        true));
}

/* ---- three dimensions --------------------------------------------------------------------------------------------- */

static void launch_cells(struct lab_run *run)
{
    const int64_t *size = lab_run_case(run)->size;
    lab_launch(run,
               &(struct lab_launch){"cells",
                                    {size[0], size[1], size[2]},
                                    {0},
                                    {LAB_ARRAY(0), LAB_ARRAY(1), LAB_INT(size[0]), LAB_INT(size[1]), LAB_INT(size[2])}});
    lab_check(run, 0, 0, (size_t)(size[0] * size[1] * size[2]));
}

/* The cell above, in z; 0 in the lowest layer. */
static void expect_cells(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                         const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)plan, (void)output;
    size_t layer = (size_t)(the_case->size[0] * the_case->size[1]);
    for (size_t i = 0; i < expected->count; i++)
        expected->f[i] = i < layer ? 0 : (double)data->array[0].f[i - layer];
}

static const struct lab_case boxes[] = {{.name = "4 x 3 x 5", .purpose = "one block", .size = {4, 3, 5}},
                                        {.name = "33 x 9 x 11", .purpose = "several blocks", .size = {33, 9, 11}}};

static void a_grid_of_three_dimensions_covers_all(void)
{
    static const struct lab_kernel kernel = {
        "cells", "void cells(const float *x, float *y, int nx, int ny, int nz)", {8, 4, 2}, 3, false};
    static const struct lab_plan plan = {"one launch", {0}, 1, launch_cells};
    static const struct lab_output output[] = {{"y", 1, false, false, {LAB_EXACT, 0, NULL, LAB_NO_TYPE}}};
    struct lab lab = lab_with("cells", &kernel, &plan, float_pair, 2, output, boxes, 2);
    lab.reference = expect_cells;
#define CELLS(before, guard)                                                                               \
    before "extern \"C\" __global__ void cells(const float *x, float *y, int nx, int ny, int nz)\n"        \
           "{ int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,\n" \
           "      k = blockIdx.z * blockDim.z + threadIdx.z, at = (k * ny + j) * nx + i;\n"                \
           "  if (" guard ") y[at] = k > 0 ? x[at - nx * ny] : 0; }\n"
    CU_ASSERT(small_lab_passes(&lab, CELLS("", "i < nx && j < ny && k < nz"), true));
    CU_ASSERT(small_lab_passes(
        &lab, CELLS("extern \"C\" __constant__ int cells_block[3] = {32, 2, 4};\n", "i < nx && j < ny && k < nz"), true));
    CU_ASSERT(small_lab_finds(&lab, CELLS("", "i < nx && j < ny"), "out_of_bounds", NULL));
    CU_ASSERT(small_lab_finds(&lab, CELLS("extern \"C\" __constant__ int cells_items[2] = {32, 2};\n", "i < nx"), "launch",
                              "but 3 are expected: the columns, the rows and the layers"));
    CU_ASSERT(small_lab_finds(
        &lab,
        "extern \"C\" __global__ void __launch_bounds__(100) cells(const float *x, float *y, int nx, int ny, int nz) {}\n",
        "launch", "100 is not a cube"));
}

/* ---- dynamic shared memory: each block reversed ------------------------------------------------------------------- */

static void launch_reverse(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    size_t bytes = 4 * (size_t)lab_threads_per_block(run, "turned");
    lab_launch(run, &(struct lab_launch){.kernel = "turned",
                                         .cover = {n},
                                         .arguments = {LAB_ARRAY(0), LAB_ARRAY(1), LAB_INT(n)},
                                         .shared_bytes = bytes});
    lab_check(run, 0, 0, (size_t)n);
}

static void expect_reverse(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                           const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)the_case, (void)plan, (void)output;
    size_t block = (size_t)expected->elements_per_block;
    for (size_t i = 0; i < expected->count; i++) {
        size_t first = i / block * block, end = first + block < expected->count ? first + block : expected->count;
        expected->f[i] = (double)data->array[0].f[first + end - 1 - i];
    }
}

static void dynamic_shared_memory_is_as_large_as_the_lab_says(void)
{
    static const struct lab_kernel kernel = {.name = "turned",
                                             .signature = "void turned(const float *x, float *y, int n)",
                                             .block = {64, 1, 1},
                                             .dimensions = 1,
                                             .least_threads = 32,
                                             .most_threads = 256,
                                             .threads_multiple_of = 32};
    static const struct lab_plan plan = {"one launch", {0}, 1, launch_reverse};
    static const struct lab_output output[] = {{"y", 1, false, false, {LAB_EXACT, 0, NULL, LAB_NO_TYPE}}};
    struct lab lab = lab_with("turned", &kernel, &plan, float_pair, 2, output, sizes, 2);
    lab.reference = expect_reverse;
#define TURNED(before, place, barrier)                                              \
    before "extern __shared__ float piece[];\n"                                     \
           "extern \"C\" __global__ void turned(const float *x, float *y, int n)\n" \
           "{ int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;\n"      \
           "  int count = min((int)blockDim.x, n - first);\n"                       \
           "  if (i < n) piece[" place "] = x[i];\n  " barrier "  if (i < n) y[i] = piece[count - 1 - threadIdx.x]; }\n"
#define BLOCK(n) "extern \"C\" __constant__ int turned_block[3] = {" #n ", 1, 1};\n"
    CU_ASSERT(small_lab_passes(&lab, TURNED("", "threadIdx.x", "__syncthreads();\n"), true));
    CU_ASSERT(small_lab_passes(&lab, TURNED(BLOCK(128), "threadIdx.x", "__syncthreads();\n"), true));
    CU_ASSERT(small_lab_finds(&lab, TURNED("", "threadIdx.x + 60", "__syncthreads();\n"), "out_of_bounds", NULL));
    CU_ASSERT(small_lab_finds(&lab, TURNED("", "threadIdx.x", ""), "race_shared", NULL));
    CU_ASSERT(small_lab_finds(&lab, TURNED(BLOCK(16), "threadIdx.x", ""), "launch", "no fewer than 32"));
    CU_ASSERT(small_lab_finds(&lab, TURNED(BLOCK(512), "threadIdx.x", ""), "launch", "no more than 256"));
    CU_ASSERT(small_lab_finds(&lab, TURNED(BLOCK(80), "threadIdx.x", ""), "launch", "a multiple of 32"));
    CU_ASSERT(small_lab_finds(&lab, TURNED("extern \"C\" __constant__ int turned_grid[1] = {4};\n", "threadIdx.x", ""),
                              "launch", "Remove turned_grid"));
}

/* ---- constant memory and textures --------------------------------------------------------------------------------- */

enum { WEIGHTS = 2, WEIGHT_COUNT = 5 };

static size_t filter_extent(const struct lab *lab, const struct lab_case *the_case, int index)
{
    return index == WEIGHTS ? WEIGHT_COUNT : extent(lab, the_case, index);
}

static void launch_filter(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    lab_set_constant(run, "weights", WEIGHTS, 0, WEIGHT_COUNT);
    lab_launch(run, &(struct lab_launch){"filter", {n}, {0}, {LAB_ARRAY(0), LAB_ARRAY(1), LAB_INT(n)}});
    lab_check(run, 0, 0, (size_t)n);
}

static int64_t five(const struct lab *lab, const struct lab_case *the_case, int plan, int output)
{
    (void)lab, (void)the_case, (void)plan, (void)output;
    return WEIGHT_COUNT;
}

static void expect_filter(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                          const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)the_case, (void)plan, (void)output;
    for (size_t i = 0; i < expected->count; i++) {
        expected->f[i] = 0;
        for (size_t k = 0; k < WEIGHT_COUNT; k++)
            if (i + k >= 2 && i + k - 2 < expected->count)
                expected->f[i] += (double)data->array[WEIGHTS].f[k] * (double)data->array[0].f[i + k - 2];
    }
}

static void constant_memory_is_set_before_the_launch(void)
{
    static const struct lab_kernel kernel = {"filter", "void filter(const float *x, float *y, int n)", {64, 1, 1}, 1, false};
    static const struct lab_plan plan = {"one launch", {0}, 1, launch_filter};
    static const struct lab_array arrays[] = {
        {"x", LAB_FLOAT32, LAB_INPUT}, {"y", LAB_FLOAT32, LAB_OUTPUT}, {"weights", LAB_FLOAT32, LAB_INPUT}};
    static const struct lab_output output[] = {{"y", 1, false, false, {LAB_SUM, 1, five, LAB_NO_TYPE}}};
    struct lab lab = lab_with("filter", &kernel, &plan, arrays, 3, output, sizes, 2);
    lab.extent = filter_extent;
    lab.reference = expect_filter;
#define FILTER(weights, factor)                                                                                       \
    weights "extern \"C\" __global__ void filter(const float *x, float *y, int n)\n"                                  \
            "{ int i = blockIdx.x * blockDim.x + threadIdx.x; float sum = 0;\n"                                       \
            "  for (int k = 4; k >= 0; k--) if (i + k - 2 >= 0 && i + k - 2 < n) sum += " factor " * x[i + k - 2];\n" \
            "  if (i < n) y[i] = sum; }\n"
    CU_ASSERT(small_lab_passes(&lab, FILTER("__constant__ float weights[5];\n", "weights[k]"), true));
    CU_ASSERT(small_lab_passes(&lab, FILTER("static __constant__ float weights[8];\n", "weights[k]"), true));
    CU_ASSERT(small_lab_finds(&lab, FILTER("__constant__ float weights[5];\n", "weights[4 - k]"), "wrong_value", NULL));
    CU_ASSERT(small_lab_finds(&lab, FILTER("", "0.5f"), "launch", "__constant__ float weights[5];"));
    CU_ASSERT(small_lab_finds(&lab, FILTER("__constant__ float weights[4];\n", "weights[k & 3]"), "launch", "has 16 bytes"));
}

static size_t image_columns(const struct lab *lab, const struct lab_case *the_case, int index)
{
    (void)lab, (void)index;
    return (size_t)the_case->size[0];
}

static void launch_texture(struct lab_run *run)
{
    const int64_t *size = lab_run_case(run)->size;
    lab_launch(run,
               &(struct lab_launch){
                   "mirrored", {size[0], size[1]}, {0}, {LAB_TEXTURE(0), LAB_ARRAY(1), LAB_INT(size[0]), LAB_INT(size[1])}});
    lab_check(run, 0, 0, (size_t)(size[0] * size[1]));
}

/* The element to the left; at the edge the element itself. */
static void expect_texture(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                           const struct lab_data *data, struct lab_expected *expected)
{
    (void)plan, (void)output;
    size_t columns = (size_t)the_case->size[0];
    for (size_t i = 0; i < expected->count; i++) {
        size_t from = i % columns == 0 ? i : i - 1;
        if (expected->f)
            expected->f[i] = types_get_float(lab->arrays[0].type, data->array[0].bytes, from);
        else
            expected->i[i] = types_get_integer(lab->arrays[0].type, data->array[0].bytes, from);
    }
}

static void a_texture_shows_an_input(void)
{
    static const enum lab_type types[] = {LAB_FLOAT32, LAB_UINT8, LAB_INT16};
    static const struct lab_case images[] = {{.name = "5 x 3", .purpose = "small", .size = {5, 3}},
                                             {.name = "67 x 21", .purpose = "ragged", .size = {67, 21}}};
    static const struct lab_plan plan = {"one launch", {0}, 1, launch_texture};
    for (size_t t = 0; t < SUPPORT_COUNT(types); t++) {
        const char *c = types_get(types[t])->c;
        char signature[256], source[1024];
        snprintf(signature, sizeof signature, "void mirrored(cudaTextureObject_t image, %s *y, int columns, int rows)", c);
        struct lab_kernel kernel = {"mirrored", signature, {16, 16, 1}, 2, false};
        struct lab_array arrays[] = {{"image", types[t], LAB_INPUT}, {"y", types[t], LAB_OUTPUT}};
        struct lab lab = lab_with("mirrored", &kernel, &plan, arrays, 2, second_array, images, 2);
        lab.columns = image_columns;
        lab.reference = expect_texture;
        for (int wrong = 0; wrong < 2; wrong++) {
            snprintf(source, sizeof source,
                     "extern \"C\" __global__ void mirrored(cudaTextureObject_t image, %s *y, int columns, int rows)\n"
                     "{ int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;\n"
                     "  if (i < columns && j < rows) y[j * columns + i] = tex2D<%s>(image, i - %d, j); }\n",
                     c, c, 1 + wrong);
            CU_ASSERT_EQUAL(small_lab_passes(&lab, source, !wrong), !wrong);
        }
    }
}

/* ---- a grid of the student's own ---------------------------------------------------------------------------------- */

static void launch_copy(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    lab_launch(run, &(struct lab_launch){"copied", {n}, {0}, {LAB_ARRAY(0), LAB_ARRAY(1), LAB_INT(n)}});
    lab_check(run, 0, 0, (size_t)n);
}

static void expect_copy(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                        const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)the_case, (void)plan, (void)output;
    for (size_t i = 0; i < expected->count; i++)
        expected->f[i] = (double)data->array[0].f[i];
    expected->bound = NULL;
}

static const struct lab_kernel copied = {.name = "copied",
                                         .signature = "void copied(const float *x, float *y, int n)",
                                         .block = {64, 1, 1},
                                         .dimensions = 1,
                                         .chooses_grid = true};
static const struct lab_plan copy_plan = {"one launch", {0}, 1, launch_copy};

static void a_kernel_may_choose_its_grid(void)
{
    struct lab lab = lab_with("copied", &copied, &copy_plan, float_pair, 2, second_array, sizes, 2);
    lab.reference = expect_copy;
#define COPIED(before, loop)                                                        \
    before "extern \"C\" __global__ void copied(const float *x, float *y, int n)\n" \
           "{ int i = blockIdx.x * blockDim.x + threadIdx.x; " loop " y[i] = x[i]; }\n"
#define GRID(n)  "extern \"C\" __constant__ int copied_grid[3] = {" #n ", 1, 1};\n"
#define STRIDING "for (; i < n; i += gridDim.x * blockDim.x)"
    CU_ASSERT(small_lab_passes(&lab, COPIED("", "if (i < n)"), true));
    CU_ASSERT(small_lab_passes(&lab, COPIED(GRID(2), STRIDING), true));
    CU_ASSERT(small_lab_finds(&lab, COPIED(GRID(2), "if (i < n)"), "never_written", "128..299"));
    CU_ASSERT(small_lab_finds(&lab, COPIED(GRID(0), STRIDING), "launch", "at least one block in each direction"));
}

/* ---- budgets that need another metric ----------------------------------------------------------------------------- */

static int score_of(const struct lab *lab, const char *source)
{
    struct result_lab result;
    small_lab_grade(lab, source, &result);
    int score = result.score;
    result_lab_clear(&result);
    return score;
}

static void a_budget_can_need_another_metric(void)
{
    static const struct lab_budget budgets[] = {{.metric = "shared_bank_conflicts",
                                                 .base = LAB_BUDGET_ABSOLUTE,
                                                 .full_at = 0,
                                                 .zero_at = 1,
                                                 .points = 5,
                                                 .needs = "shared_store_requests",
                                                 .needs_above = 9,
                                                 .needs_why = "nothing is kept in shared memory here"}};
    struct lab lab = lab_with("copied", &copied, &copy_plan, float_pair, 2, second_array, sizes, 2);
    lab.reference = expect_copy;
    lab.budgets = budgets;
    lab.budget_count = 1;
    CU_ASSERT_EQUAL(score_of(&lab, COPIED("", "if (i < n)")), 10);
    CU_ASSERT_EQUAL(score_of(&lab, "extern \"C\" __global__ void copied(const float *x, float *y, int n)\n"
                                   "{ __shared__ float piece[64]; int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                   "  piece[threadIdx.x] = i < n ? x[i] : 0; __syncthreads();\n"
                                   "  if (i < n) y[i] = piece[threadIdx.x ^ 1 ^ 1]; }\n"),
                    15);
}

/* ---- tolerances --------------------------------------------------------------------------------------------------- */

static bool accepts(struct lab_tolerance tolerance, enum lab_type type, double want, double got, double absolute)
{
    double value = want, bound = -1;
    char rule[128];
    uint64_t element = 0;
    struct lab_expected expected = {.type = type, .count = 1, .f = &value, .bound = &bound};
    tolerance_apply(&tolerance, 1000, &absolute, &expected, rule, sizeof rule);
    CU_ASSERT(strlen(expected.rule) > 5);
    types_set_float(type, &element, 0, got);
    return compare_element(&expected, &element, 0);
}

static void tolerances_accept_what_they_say(void)
{
    struct lab_tolerance ulps = {LAB_ULPS, 2, NULL, LAB_NO_TYPE}, exact = {LAB_EXACT, 0, NULL, LAB_NO_TYPE};
    struct lab_tolerance relative = {LAB_RELATIVE, 1e-3, NULL, LAB_NO_TYPE};
    struct lab_tolerance absolute = {LAB_ABSOLUTE, 0.25, NULL, LAB_NO_TYPE};
    struct lab_tolerance sum = {LAB_SUM, 1, NULL, LAB_NO_TYPE}, in_float = {LAB_SUM, 1, NULL, LAB_FLOAT32};
    CU_ASSERT(accepts(ulps, LAB_FLOAT32, 1, 1 + 0x1p-22, 0));
    CU_ASSERT_FALSE(accepts(ulps, LAB_FLOAT32, 1, 1 + 0x1.8p-22, 0));
    CU_ASSERT(accepts(ulps, LAB_FLOAT16, 1, 1 + 0x1p-9, 0));
    CU_ASSERT_FALSE(accepts(ulps, LAB_FLOAT16, 1, 1 + 0x1.8p-9, 0));
    CU_ASSERT(accepts(exact, LAB_FLOAT32, 1.0 / 3, (double)(1.0f / 3), 0));
    CU_ASSERT_FALSE(accepts(exact, LAB_FLOAT32, 1.0 / 3, (double)(1.0f / 3) + 0x1p-25, 0));
    CU_ASSERT(accepts(exact, LAB_FLOAT16, 70000, (double)INFINITY, 0));
    CU_ASSERT(accepts(relative, LAB_FLOAT32, 1000, 1000.9, 0));
    CU_ASSERT_FALSE(accepts(relative, LAB_FLOAT32, 1000, 1001.1, 0));
    CU_ASSERT(accepts(absolute, LAB_FLOAT32, 0, 0.25, 0));
    CU_ASSERT_FALSE(accepts(absolute, LAB_FLOAT32, 0, 0.26, 0));
    CU_ASSERT_FALSE(accepts(absolute, LAB_FLOAT32, NAN, 0, 0));
    CU_ASSERT(accepts(absolute, LAB_FLOAT32, NAN, NAN, 0));
    CU_ASSERT_FALSE(accepts(absolute, LAB_FLOAT32, (double)INFINITY, 3e38, 0));
    /* 6 sqrt(1000) u of a sum of absolute values of 1000. */
    CU_ASSERT(accepts(sum, LAB_FLOAT32, 1, 1.01, 1000));
    CU_ASSERT_FALSE(accepts(sum, LAB_FLOAT32, 1, 1.02, 1000));
    CU_ASSERT(accepts(sum, LAB_FLOAT16, 1, 50, 1000));
    CU_ASSERT_FALSE(accepts(in_float, LAB_FLOAT16, 1, 1.1, 1000));
    CU_ASSERT(accepts(in_float, LAB_FLOAT16, 1, 1.01, 1000));
}

static const struct support_test tests[] = {
    SUPPORT_TEST(a_scalar_is_passed_and_named),
    SUPPORT_TEST(scalars_of_any_type_are_passed),
    SUPPORT_TEST(kernels_use_the_device_runtime_where_the_lab_says_so),
    SUPPORT_TEST(functions_of_the_submissions_own_may_have_any_name),
    SUPPORT_TEST(a_grid_of_three_dimensions_covers_all),
    SUPPORT_TEST(dynamic_shared_memory_is_as_large_as_the_lab_says),
    SUPPORT_TEST(constant_memory_is_set_before_the_launch),
    SUPPORT_TEST(a_texture_shows_an_input),
    SUPPORT_TEST(a_kernel_may_choose_its_grid),
    SUPPORT_TEST(a_budget_can_need_another_metric),
    SUPPORT_TEST(tolerances_accept_what_they_say),
};

int shapes_suite_register(void)
{
    return support_register("shapes", tests, SUPPORT_COUNT(tests));
}

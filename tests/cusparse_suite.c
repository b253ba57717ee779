/* cuSPARSE on the emulated device: what it exports, what it refuses, and what it looks at of its operands. What it computes
 * and answers is beside what a GPU does in transforms_test.py. */
#include <stdint.h>

#include "tests/math_library.h"
#include "tests/support.h"

enum { SUCCESS, NOT_INITIALIZED, INVALID_VALUE = 3, EXECUTION_FAILED = 6, NOT_SUPPORTED = 10 };
enum { N, T, INDEX_32 = 2, BASE_ZERO = 0, R_32F = 0, R_16F = 2, WORK = 4096 };

typedef int handle_fn(void *handle);
typedef int create_fn(void **handle);
typedef int csr_fn(void **descriptor, int64_t rows, int64_t columns, int64_t nnz, void *offsets, void *indices, void *values,
                   int offset_type, int index_type, int base, int type);
typedef int vector_fn(void **descriptor, int64_t size, void *values, int type);
typedef int product_fn(void *handle, int op, const void *alpha, void *a, void *x, const void *beta, void *y, int type,
                       int algorithm, void *buffer);
typedef int mode_fn(void *handle, int mode);
typedef int destroy_fn(void *descriptor);

#define FUNCTION(type, name) ((type##_fn *)math_library_function("cusparse" name))

static void *handle;
static const float one = 1, zero = 0;

/* 3 x 4: [1 0 2 0; 0 0 0 3; 4 5 0 6], times a vector. */
struct product {
    int *offsets, *columns;
    float *values, *x, *y;
    char *work;
    void *a, *vx, *vy;
};
static const int offsets[4] = {0, 2, 3, 6}, columns[6] = {0, 2, 3, 0, 1, 3};
static const float values[6] = {1, 2, 3, 4, 5, 6}, x[4] = {1, 2, 3, 4};

static int set_up(void)
{
    if (math_library_open("libcusparse.so.12") != 0)
        return -1;
    create_fn *create = (create_fn *)math_library_function("cusparseCreate");
    return create && create(&handle) == SUCCESS ? 0 : -1;
}

static void begin(struct product *p, int type)
{
    p->offsets = math_library_memory(offsets, sizeof offsets);
    p->columns = math_library_memory(columns, sizeof columns);
    p->values = math_library_memory(values, sizeof values);
    p->x = math_library_memory(x, sizeof x);
    p->y = math_library_memory(NULL, 3 * sizeof *p->y);
    p->work = math_library_memory(NULL, WORK);
    CU_ASSERT_EQUAL(
        FUNCTION(csr, "CreateCsr")(&p->a, 3, 4, 6, p->offsets, p->columns, p->values, INDEX_32, INDEX_32, BASE_ZERO, type),
        SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(vector, "CreateDnVec")(&p->vx, 4, p->x, type), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(vector, "CreateDnVec")(&p->vy, 3, p->y, type), SUCCESS);
}

static void end(struct product *p)
{
    void *memory[] = {p->offsets, p->columns, p->values, p->x, p->y, p->work};
    for (size_t i = 0; i < SUPPORT_COUNT(memory); i++)
        math_library_free(memory[i]);
    CU_ASSERT_EQUAL(FUNCTION(destroy, "DestroySpMat")(p->a), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(destroy, "DestroyDnVec")(p->vx), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(destroy, "DestroyDnVec")(p->vy), SUCCESS);
}

static int multiply(struct product *p, const float *alpha, const float *beta, int type)
{
    return FUNCTION(product, "SpMV")(handle, N, alpha, p->a, p->vx, beta, p->vy, type, 0, p->work);
}

static void exports_what_nvidias_library_does(void)
{
    math_library_compare("libcusparse.so.12", "cusparse");
}

static void refuses_by_name_what_it_does_not_offer(void)
{
    static const char *const refused[] = {
#define OWN(name)
#define TYPED(...)
#define REFUSED(name) #name,
#include "runtime/emulator/math_libraries/cusparse/cusparse.def"
#undef REFUSED
    };
    for (size_t i = 0; i < SUPPORT_COUNT(refused); i++) {
        handle_fn *function = (handle_fn *)math_library_function(refused[i]);
        if (function && i < 4)
            CU_ASSERT_EQUAL(function(handle), NOT_SUPPORTED);
    }
    struct product p;
    begin(&p, R_16F);
    CU_ASSERT_EQUAL(multiply(&p, &one, &zero, R_32F), NOT_SUPPORTED);
    end(&p);
}

static void multiplies_what_lies_in_device_memory(void)
{
    static const float expected[3] = {7, 12, 38};
    struct product p;
    float got[3];
    begin(&p, R_32F);
    size_t before = math_library_findings("cusparse");
    CU_ASSERT_EQUAL(multiply(&p, &one, &zero, R_32F), SUCCESS); /* with beta 0, y need not have been written */
    math_library_read(p.y, got, sizeof got);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(got[i], expected[i]);
    float *scalars = math_library_memory((float[]){2, 1}, 2 * sizeof *scalars);
    CU_ASSERT_EQUAL(FUNCTION(mode, "SetPointerMode")(handle, 1), SUCCESS);
    CU_ASSERT_EQUAL(multiply(&p, scalars, scalars + 1, R_32F), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(mode, "SetPointerMode")(handle, 0), SUCCESS);
    math_library_read(p.y, got, sizeof got);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(got[i], 3 * expected[i]);
    CU_ASSERT_EQUAL(math_library_findings("cusparse"), before);
    math_library_free(scalars);
    end(&p);
}

static void finds_what_was_never_written(void)
{
    struct product p;
    begin(&p, R_32F);
    CU_ASSERT_EQUAL(multiply(&p, &one, &one, R_32F), SUCCESS);
    CU_ASSERT_EQUAL(math_library_findings("cusparseSpMV reads what was never written"), 1);
    end(&p);
}

/* The driver knows allocations; what the indices say is the library's to look at. */
static void looks_at_every_index(void)
{
    static const int wild[6] = {0, 2, 3, 0, 1000000, 3}, falling[4] = {0, 5, 3, 6};
    struct product p;
    begin(&p, R_32F);
    math_library_write(p.columns, wild, sizeof wild);
    CU_ASSERT_EQUAL(multiply(&p, &one, &zero, R_32F), EXECUTION_FAILED);
    math_library_write(p.columns, columns, sizeof columns);
    math_library_write(p.offsets, falling, sizeof falling);
    CU_ASSERT_EQUAL(multiply(&p, &one, &zero, R_32F), EXECUTION_FAILED);
    end(&p);
}

static void finds_an_operand_that_is_too_short_or_freed(void)
{
    struct product p;
    void *longer, *shorter = math_library_memory(x, 2 * sizeof *x);
    begin(&p, R_32F);
    CU_ASSERT_EQUAL(FUNCTION(vector, "CreateDnVec")(&longer, 4, shorter, R_32F), SUCCESS);
    CU_ASSERT_EQUAL(FUNCTION(product, "SpMV")(handle, N, &one, p.a, longer, &zero, p.vy, R_32F, 0, p.work),
                    EXECUTION_FAILED);
    CU_ASSERT_EQUAL(
        math_library_findings("cusparseSpMV would read 16 bytes from byte 0 of the allocation, which has 8 bytes"), 1);
    math_library_free(shorter);
    CU_ASSERT_EQUAL(FUNCTION(product, "SpMV")(handle, N, &one, p.a, longer, &zero, p.vy, R_32F, 0, p.work),
                    EXECUTION_FAILED);
    CU_ASSERT_EQUAL(math_library_findings("cusparseSpMV was given an address in the allocation (8 bytes), which was freed"),
                    1);
    CU_ASSERT_EQUAL(FUNCTION(product, "SpMV")(handle, T, &one, p.a, p.vx, &zero, p.vy, R_32F, 0, p.work), INVALID_VALUE);
    FUNCTION(destroy, "DestroyDnVec")(longer);
    end(&p);
}

static const struct support_test tests[] = {
    SUPPORT_TEST_OF(outside, exports_what_nvidias_library_does),
    SUPPORT_TEST(refuses_by_name_what_it_does_not_offer),
    SUPPORT_TEST(multiplies_what_lies_in_device_memory),
    SUPPORT_TEST(finds_what_was_never_written),
    SUPPORT_TEST(looks_at_every_index),
    SUPPORT_TEST(finds_an_operand_that_is_too_short_or_freed),
};

int cusparse_suite_register(void)
{
    return support_register_with("cusparse", set_up, math_library_close, tests, SUPPORT_COUNT(tests));
}

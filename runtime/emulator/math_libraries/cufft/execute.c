/* cufftExec…: operands are looked at, the input is copied close together, and FFTW writes the output where it belongs. So an
 * output may lie in its input's place with any layout, and an input of which it lies apart is never overwritten. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cufft/cufft.h"
#include "runtime/emulator/math_libraries/cufft/interface.h"

/* The same elements, close together. */
static uint64_t close_together(const struct cufft_layout *layout, struct cufft_layout *packed)
{
    int64_t step = (int64_t)layout->size;
    *packed = *layout;
    for (int i = layout->rank - 1; i >= 0; i--) {
        packed->step[i] = step;
        step *= layout->count[i];
    }
    packed->distance = step;
    return (uint64_t)(step * layout->batch);
}

static void gather(const struct cufft_layout *from, const char *source, char *to)
{
    struct cufft_layout l = *from;
    int last = l.rank - 1;
    /* Fewer dimensions are dimensions of one element before the others. */
    int64_t count[CUFFT_MAX_RANK] = {1, 1, 1}, step[CUFFT_MAX_RANK] = {0};
    for (int i = 0; i <= last; i++) {
        count[i + CUFFT_MAX_RANK - l.rank] = l.count[i];
        step[i + CUFFT_MAX_RANK - l.rank] = l.step[i];
    }
    for (int64_t b = 0; b < l.batch; b++)
        for (int64_t x = 0; x < count[0]; x++)
            for (int64_t y = 0; y < count[1]; y++) {
                const char *row = source + b * l.distance + x * step[0] + y * step[1];
                if (step[2] == (int64_t)l.size) {
                    memcpy(to, row, (size_t)count[2] * l.size);
                    to += (uint64_t)count[2] * l.size;
                    continue;
                }
                for (int64_t z = 0; z < count[2]; z++, to += l.size)
                    memcpy(to, row + z * step[2], l.size);
            }
}

/* Both sides begin at multiples of a complex element's size, even a real one. */
static bool is_aligned(const void *pointer, int type)
{
    return (uintptr_t)pointer % (cufft_is_double(type) ? 16 : 8) == 0;
}

static int transform(const char *call, const struct cufft_plan *plan, const void *in, void *out, int direction)
{
    struct cufft_layout from, packed, to;
    cufft_layout_of(&plan->shape, false, in == out, &from);
    cufft_layout_of(&plan->shape, true, in == out, &to);
    if (!is_aligned(in, plan->shape.type) || !is_aligned(out, plan->shape.type))
        return CUFFT_INVALID_VALUE;
    if (!plan->allocates && !plan->work && plan->work_bytes > 0)
        return CUFFT_NO_WORKSPACE;
    const void *input = cufft_operand(call, plan->stream, in, &from, LOCKSTEP_READ);
    void *output = input ? cufft_operand(call, plan->stream, out, &to, LOCKSTEP_WRITE) : NULL;
    if (!output)
        return CUFFT_EXEC_FAILED;
    if (!plan->allocates && plan->work_bytes > 0
        && !operand(call, plan->stream, plan->work, plan->work_bytes, plan->work_bytes, 1, LOCKSTEP_WRITE))
        return CUFFT_EXEC_FAILED;
    void *copy = aligned_alloc(64, (close_together(&from, &packed) + 63) / 64 * 64);
    if (!copy)
        return CUFFT_ALLOC_FAILED;
    gather(&from, input, copy);
    bool done = cufft_compute(call, &plan->shape, &packed, &to, copy, output, direction);
    free(copy);
    return done ? CUFFT_SUCCESS : CUFFT_NOT_SUPPORTED;
}

static int execute(const char *call, int handle, int type, const void *in, void *out, int direction)
{
    const struct cufft_plan *plan = cufft_find(handle);
    if (!plan || !plan->made)
        return CUFFT_INVALID_PLAN;
    if (plan->shape.type != type) {
        fprintf(stderr, "lockstep: %s was given a plan of another type, 0x%x and not 0x%x; see cufftType in cufft.h\n", call,
                (unsigned)plan->shape.type, (unsigned)type);
        return CUFFT_INVALID_VALUE;
    }
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
        return CUFFT_INVALID_VALUE;
    return transform(call, plan, in, out, direction);
}

int cufftExecC2C(int plan, void *in, void *out, int direction)
{
    return execute("cufftExecC2C", plan, CUFFT_C2C, in, out, direction);
}
int cufftExecZ2Z(int plan, void *in, void *out, int direction)
{
    return execute("cufftExecZ2Z", plan, CUFFT_Z2Z, in, out, direction);
}
int cufftExecR2C(int plan, void *in, void *out)
{
    return execute("cufftExecR2C", plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
int cufftExecD2Z(int plan, void *in, void *out)
{
    return execute("cufftExecD2Z", plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
int cufftExecC2R(int plan, void *in, void *out)
{
    return execute("cufftExecC2R", plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
int cufftExecZ2D(int plan, void *in, void *out)
{
    return execute("cufftExecZ2D", plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}

int cufftXtExec(int handle, void *in, void *out, int direction)
{
    const struct cufft_plan *plan = cufft_find(handle);
    if (!plan || !plan->made)
        return CUFFT_INVALID_PLAN;
    int type = plan->shape.type;
    /* The type says the direction. */
    if ((cufft_is_to_complex(type) && direction != CUFFT_FORWARD) || (cufft_is_to_real(type) && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    return execute("cufftXtExec", handle, type, in, out, direction);
}

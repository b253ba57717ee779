#include "runtime/emulator/math_libraries/base/operand.h"
#include "runtime/emulator/math_libraries/cufft/cufft.h"

void cufft_layout_of(const struct cufft_shape *shape, bool output, bool in_place, struct cufft_layout *layout)
{
    const struct cufft_side *side = output ? &shape->out : &shape->in;
    bool real = output ? cufft_is_to_real(shape->type) : cufft_is_to_complex(shape->type);
    bool halved = !real && (cufft_is_to_real(shape->type) || cufft_is_to_complex(shape->type));
    int last = shape->rank - 1;
    int64_t unit = (cufft_is_double(shape->type) ? 8 : 4) * (real ? 1 : 2), whole = 1;
    *layout = (struct cufft_layout){.rank = shape->rank, .size = (uint64_t)unit, .batch = shape->batch};
    for (int i = 0; i <= last; i++)
        layout->count[i] = shape->n[i];
    /* The transform of a real array repeats itself after the middle. */
    if (halved)
        layout->count[last] = shape->n[last] / 2 + 1;
    layout->step[last] = unit * (side->basic ? 1 : side->stride);
    for (int i = last; i >= 0; i--) {
        int64_t length = side->basic ? layout->count[i] : side->embed[i];
        if (side->basic && real && in_place && i == last)
            length = 2 * (shape->n[last] / 2 + 1); /* as many bytes as the complex elements have */
        if (i > 0)
            layout->step[i - 1] = layout->step[i] * length;
        whole *= length;
    }
    layout->distance = unit * (side->basic ? whole : side->distance);
}

/* The dimensions of a layout from the shortest step to the longest, without those of one element. */
struct ordered {
    int count;
    int64_t length[CUFFT_MAX_RANK + 1], step[CUFFT_MAX_RANK + 1];
};

static void insert(struct ordered *dimensions, int64_t length, int64_t step)
{
    if (length == 1 || step == 0)
        return;
    int place = dimensions->count++;
    while (place > 0 && dimensions->step[place - 1] > step) {
        dimensions->length[place] = dimensions->length[place - 1];
        dimensions->step[place] = dimensions->step[place - 1];
        place--;
    }
    dimensions->length[place] = length;
    dimensions->step[place] = step;
}

/* Takes neighbouring dimensions whose elements follow each other without a gap as one. */
static void merge(struct ordered *dimensions, uint64_t *width)
{
    struct ordered merged = {0};
    for (int i = 0; i < dimensions->count; i++) {
        int last = merged.count - 1;
        if (last < 0 && dimensions->step[i] == (int64_t)*width) {
            *width *= (uint64_t)dimensions->length[i];
        } else if (last >= 0 && dimensions->step[i] == merged.step[last] * merged.length[last]) {
            merged.length[last] *= dimensions->length[i];
        } else {
            merged.length[merged.count] = dimensions->length[i];
            merged.step[merged.count++] = dimensions->step[i];
        }
    }
    *dimensions = merged;
}

/* Asks for what the dimensions up to `level` hold. */
static void *ask(const char *call, void *stream, const char *pointer, const struct ordered *dimensions, int level,
                 uint64_t width, int access)
{
    if (level < 0)
        return operand(call, stream, pointer, width, width, 1, access);
    int64_t length = dimensions->length[level], step = dimensions->step[level];
    if (level == 0 && step >= (int64_t)width)
        return operand(call, stream, pointer, width, (uint64_t)step, (uint64_t)length, access);
    void *first = NULL;
    for (int64_t i = 0; i < length; i++) {
        void *host = ask(call, stream, pointer + i * step, dimensions, level - 1, width, access);
        if (!host)
            return NULL;
        first = i == 0 ? host : first;
    }
    return first;
}

void *cufft_operand(const char *call, void *stream, const void *pointer, const struct cufft_layout *layout, int access)
{
    struct ordered dimensions = {0};
    uint64_t width = layout->size;
    for (int i = layout->rank - 1; i >= 0; i--)
        insert(&dimensions, layout->count[i], layout->step[i]);
    insert(&dimensions, layout->batch, layout->distance);
    merge(&dimensions, &width);
    return ask(call, stream, pointer, &dimensions, dimensions.count - 1, width, access);
}

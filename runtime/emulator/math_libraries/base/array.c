#include "runtime/emulator/math_libraries/base/array.h"

#include <stddef.h>

#include "runtime/emulator/math_libraries/base/operand.h"

static char nothing[16]; /* where an array without elements lies */

static void *rows_of(const struct caller *caller, const void *pointer, uint64_t width, int64_t growth, uint64_t pitch,
                     int64_t rows, int access)
{
    if (growth == 0 && (pitch == width || rows == 1)) {
        width *= (uint64_t)rows;
        pitch = width;
        rows = 1;
    }
    return operand_growing(caller->call, caller->stream, pointer, width, growth, pitch, (uint64_t)rows, access);
}

void *array_vector(const struct caller *caller, const void *pointer, int64_t count, int64_t increment, uint64_t size,
                   int access)
{
    if (count <= 0)
        return nothing;
    uint64_t step = increment < 0 ? 0 - (uint64_t)increment : (uint64_t)increment;
    return rows_of(caller, pointer, size, 0, step * size, step == 0 ? 1 : count, access);
}

void *array_matrix(const struct caller *caller, const void *pointer, int64_t rows, int64_t columns, int64_t ld,
                   uint64_t size, int access)
{
    if (rows <= 0 || columns <= 0)
        return nothing;
    return rows_of(caller, pointer, (uint64_t)rows * size, 0, (uint64_t)ld * size, columns, access);
}

void *array_triangle(const struct caller *caller, const void *pointer, bool upper, bool unit, int64_t n, int64_t ld,
                     uint64_t size, int access)
{
    int64_t columns = unit ? n - 1 : n, step = (int64_t)size;
    if (columns <= 0)
        return nothing;
    /* The first element of the triangle lies beside the corner when there is no diagonal. */
    uint64_t skipped = !unit ? 0 : upper ? (uint64_t)ld * size : size;
    const char *first = (const char *)pointer + skipped;
    char *host = upper ? rows_of(caller, first, size, columns > 1 ? step : 0, (uint64_t)ld * size, columns, access)
                       : rows_of(caller, first, (uint64_t)columns * size, columns > 1 ? -step : 0, (uint64_t)(ld + 1) * size,
                                 columns, access);
    return host ? host - skipped : NULL;
}

void *array_band(const struct caller *caller, const void *pointer, int64_t rows, int64_t columns, int64_t below,
                 int64_t above, int64_t ld, uint64_t size, int access)
{
    char *host = NULL;
    if (rows <= 0 || columns <= 0)
        return nothing;
    /* Column j holds the matrix's rows j - above to j + below, as far as there are such. */
    for (int64_t column = 0; column < columns; column++) {
        int64_t first = column < above ? above - column : 0;
        int64_t end = rows - column + above < above + below + 1 ? rows - column + above : above + below + 1;
        if (end <= first)
            break;
        uint64_t offset = (uint64_t)(column * ld + first) * size;
        char *part = rows_of(caller, (const char *)pointer + offset, (uint64_t)(end - first) * size, 0,
                             (uint64_t)(end - first) * size, 1, access);
        if (!part)
            return NULL;
        host = host ? host : part - offset;
    }
    return host ? host : nothing;
}

/* Poison in matrices: ldmatrix and stmatrix move it with the elements; an element of a product has it where any element of
 * its row of A, its column of B, or its element of C has it. */
#include "runtime/emulator/observe/poison/poison.h"

#include <string.h>

#include "runtime/emulator/arithmetic/matrix.h"

/* Poison of some registers, and the number of a load that brought some of it. */
struct collected {
    uint32_t bits[4][WARP_LANES];
    uint32_t origin;
    bool any;
};

static void collect(const struct warp *warp, const uint32_t *offset, unsigned count, struct collected *collected)
{
    memset(collected, 0, sizeof *collected);
    for (unsigned i = 0; i < count; i++) {
        uint32_t lanes = poison_lanes(warp, PART_R, offset[i]);
        if (lanes && !collected->any) {
            collected->any = true;
            collected->origin = poison_origin(warp, PART_R, offset[i]);
        }
        for (; lanes; lanes &= lanes - 1) {
            unsigned lane = (unsigned)__builtin_ctz(lanes);
            collected->bits[i][lane] = (uint32_t)poison_bits(warp, PART_R, offset[i], lane);
        }
    }
}

static void step_spread(struct warp *warp, const struct matrix_rows *rows)
{
    struct collected in;
    collect(warp, rows->rows, 4, &in);
    for (unsigned matrix = 0; matrix < rows->count; matrix++)
        poison_clear(warp, PART_R, rows->place[matrix], ALL_LANES);
    for (unsigned i = 0; in.any && i < rows->count * WARP_LANES; i++) {
        unsigned matrix = i / WARP_LANES, lane = i % WARP_LANES;
        unsigned first = 8 * matrix + lane % 4 * 2, shift = lane / 4 % 2 * 16;
        uint32_t bits = in.bits[lane % 4][8 * matrix + lane / 4];
        if (rows->transposed)
            bits = (in.bits[lane / 8][first] >> shift & 0xFFFF) | in.bits[lane / 8][first + 1] >> shift << 16;
        poison_set(warp, PART_R, rows->place[matrix], lane, bits, in.origin);
    }
}

static void step_collect(struct warp *warp, const struct matrix_rows *rows)
{
    struct collected in;
    collect(warp, rows->place, rows->count, &in);
    for (unsigned word = 0; word < 4; word++)
        poison_clear(warp, PART_R, rows->rows[word], ALL_LANES);
    for (unsigned i = 0; in.any && i < rows->count * WARP_LANES; i++) {
        unsigned matrix = i / WARP_LANES, row = i / 4 % 8, word = i % 4, shift = row % 2 * 16, from = 8 * word + row / 2;
        uint32_t bits = in.bits[matrix][4 * row + word];
        if (rows->transposed)
            bits = (in.bits[matrix][from] >> shift & 0xFFFF) | in.bits[matrix][from + 4] >> shift << 16;
        poison_set(warp, PART_R, rows->rows[word], 8 * matrix + row, bits, in.origin);
    }
}

/* Which halves of which lanes a lane's halves of the transpose come from: matrix_transpose. */
static void step_transpose(struct warp *warp, const struct operation *operation)
{
    struct collected in;
    collect(warp, &operation->a, 1, &in);
    poison_clear(warp, PART_R, operation->d, ALL_LANES);
    for (unsigned lane = 0; in.any && lane < WARP_LANES; lane++) {
        unsigned from = lane % 4 * 8 + lane / 8, shift = lane / 4 % 2 * 16;
        uint32_t bits = (in.bits[0][from] >> shift & 0xFFFF) | in.bits[0][from + 4] >> shift << 16;
        poison_set(warp, PART_R, operation->d, lane, bits, in.origin);
    }
}

/* Which rows (A), columns (B) or elements (C) of the matrices have poison. Returns whether any has. */
static bool mark(const struct warp *warp, const struct matrix *matrix, enum matrix_operand operand, bool *marks,
                 uint32_t *origin)
{
    const struct matrix_fragment *fragment = &matrix->operand[operand];
    enum operand_part part_of = fragment->wide ? PART_Q : PART_R;
    bool any = false;
    for (unsigned i = 0; i < (unsigned)fragment->held_count * fragment->parts; i++) {
        uint32_t place = fragment->place[i / fragment->parts];
        unsigned width = (fragment->wide ? 64u : 32u) / fragment->parts, shift = i % fragment->parts * width;
        for (uint32_t rest = poison_lanes(warp, part_of, place); rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest), at = fragment->index[i * WARP_LANES + lane];
            uint64_t bits = poison_bits(warp, part_of, place, lane);
            if (!(bits >> shift & UINT64_MAX >> (64 - width)))
                continue;
            if (!any)
                *origin = poison_origin(warp, part_of, place);
            any = true;
            marks[operand == MATRIX_A   ? at / matrix->k
                  : operand == MATRIX_B ? at / matrix->n / matrix->k * matrix->n + at % matrix->n
                                        : at] = true;
        }
    }
    return any;
}

static void step_multiply(struct warp *warp, const struct matrix *matrix)
{
    bool rows[MATRIX_MAX_C] = {false}, columns[MATRIX_MAX_C] = {false}, elements[MATRIX_MAX_C] = {false};
    const struct matrix_fragment *d = &matrix->operand[MATRIX_D];
    enum operand_part part_of = d->wide ? PART_Q : PART_R;
    uint32_t origin = 0;
    bool any = mark(warp, matrix, MATRIX_C, elements, &origin);
    any |= mark(warp, matrix, MATRIX_B, columns, &origin);
    any |= mark(warp, matrix, MATRIX_A, rows, &origin);
    unsigned width = (d->wide ? 64u : 32u) / d->parts;
    for (unsigned i = 0; i < d->held_count; i++) {
        poison_clear(warp, part_of, d->place[i], ALL_LANES);
        for (unsigned lane = 0; any && lane < WARP_LANES; lane++) {
            uint64_t bits = 0;
            for (unsigned part = 0; part < d->parts; part++) {
                unsigned at = d->index[(i * d->parts + part) * WARP_LANES + lane], row = at / matrix->n;
                if (elements[at] || rows[row] || columns[row / matrix->m * matrix->n + at % matrix->n])
                    bits |= UINT64_MAX >> (64 - width) << part * width;
            }
            poison_set(warp, part_of, d->place[i], lane, bits, origin);
        }
    }
}

void poison_matrix(struct warp *warp, const struct operation *operation)
{
    if (operation->handler == HANDLER_matrix_spread)
        step_spread(warp, operation->rows);
    else if (operation->handler == HANDLER_matrix_collect)
        step_collect(warp, operation->rows);
    else if (operation->handler == HANDLER_matrix_transpose)
        step_transpose(warp, operation);
    else
        step_multiply(warp, operation->matrix);
}

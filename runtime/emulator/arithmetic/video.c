#include "runtime/emulator/arithmetic/video.h"

#include <stdbool.h>

static int64_t clamp(int64_t value, unsigned width, bool is_signed)
{
    int64_t low = is_signed ? -((int64_t)1 << (width - 1)) : 0;
    int64_t high = is_signed ? ((int64_t)1 << (width - 1)) - 1 : ((int64_t)1 << width) - 1;
    return value < low ? low : value > high ? high : value;
}

static int64_t extend(uint32_t bits, unsigned width, bool is_signed)
{
    uint32_t field = width == 32 ? UINT32_MAX : (1u << width) - 1;
    int64_t value = bits & field;
    return is_signed && value >> (width - 1) ? value - ((int64_t)1 << width) : value;
}

static unsigned part_width(enum video_part part)
{
    return part == VIDEO_ALL ? 32 : part <= VIDEO_B3 ? 8 : 16;
}

static unsigned part_shift(enum video_part part)
{
    return part == VIDEO_ALL ? 0 : part <= VIDEO_B3 ? 8 * (unsigned)(part - VIDEO_B0) : 16 * (unsigned)(part - VIDEO_H0);
}

static int64_t take(uint32_t bits, enum video_part part, bool is_signed)
{
    return extend(bits >> part_shift(part), part_width(part), is_signed);
}

static int64_t compute(enum video_operation operation, int64_t a, int64_t b)
{
    switch (operation) {
    case VIDEO_ADD: return a + b;
    case VIDEO_SUB: return a - b;
    case VIDEO_ABSDIFF: return a < b ? b - a : a - b;
    case VIDEO_AVERAGE: return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case VIDEO_MIN: return a < b ? a : b;
    case VIDEO_MAX: return a > b ? a : b;
    case VIDEO_SHIFT_LEFT: return (int64_t)((uint64_t)a << b);
    case VIDEO_SHIFT_RIGHT: return a >> b;
    case VIDEO_EQ: return a == b;
    case VIDEO_NE: return a != b;
    case VIDEO_LT: return a < b;
    case VIDEO_LE: return a <= b;
    case VIDEO_GT: return a > b;
    default: return a >= b;
    }
}

/* vmad: (a * b) + c with more bits than the sum needs; a negation is a complement and a carry into the lowest bit. */
static uint32_t multiply_add(uint32_t a_bits, uint32_t b_bits, uint32_t c, uint32_t flags)
{
    bool a_signed = flags & VIDEO_A_SIGNED, b_signed = flags & VIDEO_B_SIGNED;
    bool is_signed = a_signed || b_signed || flags & (VIDEO_NEGATE_PRODUCT | VIDEO_NEGATE_C);
    __int128 sum = (__int128)take(a_bits, flags >> VIDEO_A_PART & 7, a_signed)
                   * take(b_bits, flags >> VIDEO_B_PART & 7, b_signed);
    if (flags & VIDEO_NEGATE_PRODUCT)
        sum = -sum;
    /* c has the sign of the product before it is negated itself: u32 * u32 - u32 */
    int64_t addend = extend(c, 32, a_signed || b_signed || flags & VIDEO_NEGATE_PRODUCT);
    sum += flags & VIDEO_NEGATE_C ? -addend : addend;
    sum += flags & VIDEO_PLUS_ONE ? 1 : 0;
    sum >>= flags & VIDEO_SHIFT7 ? 7 : flags & VIDEO_SHIFT15 ? 15 : 0;
    if (flags & VIDEO_SATURATE) {
        __int128 low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
        sum = sum < low ? low : sum > high ? high : sum;
    }
    return (uint32_t)sum;
}

uint32_t video_scalar(uint32_t a, uint32_t b, uint32_t c, uint32_t flags)
{
    enum video_operation operation = flags & 15;
    if (operation == VIDEO_MULTIPLY_ADD)
        return multiply_add(a, b, c, flags);
    bool is_signed = flags & VIDEO_D_SIGNED;
    enum video_part merge = flags >> VIDEO_D_PART & 7;
    int64_t left = take(a, flags >> VIDEO_A_PART & 7, flags & VIDEO_A_SIGNED);
    int64_t right = take(b, flags >> VIDEO_B_PART & 7, flags & VIDEO_B_SIGNED);
    if (operation == VIDEO_SHIFT_LEFT || operation == VIDEO_SHIFT_RIGHT)
        right = flags & VIDEO_WRAP ? right & 31 : right > 32 ? 32 : right;
    int64_t value = compute(operation, left, right);
    if (flags & VIDEO_SATURATE)
        value = clamp(value, part_width(merge), is_signed);
    uint32_t result = (uint32_t)value;
    int64_t whole = extend(result, 32, is_signed);
    switch ((enum video_second)(flags >> VIDEO_SECOND & 3)) {
    case VIDEO_NO_SECOND: break;
    case VIDEO_SECOND_ADD: result += c; break;
    case VIDEO_SECOND_MIN: result = (uint32_t)compute(VIDEO_MIN, whole, extend(c, 32, is_signed)); break;
    case VIDEO_SECOND_MAX: result = (uint32_t)compute(VIDEO_MAX, whole, extend(c, 32, is_signed)); break;
    }
    if (merge == VIDEO_ALL)
        return result;
    uint32_t field = (part_width(merge) == 8 ? 0xFFu : 0xFFFFu) << part_shift(merge);
    return (result << part_shift(merge) & field) | (c & ~field);
}

uint32_t video_simd(uint32_t a, uint32_t b, uint32_t c, uint32_t flags, uint32_t selectors)
{
    unsigned width = flags & VIDEO_BYTES ? 8 : 16;
    uint32_t field = (1u << width) - 1, merged = c, sum = c;
    uint64_t both = (uint64_t)b << 32 | a;
    for (unsigned i = 0; i < 32 / width; i++) {
        if (!(flags >> (VIDEO_MASK + i) & 1))
            continue;
        int64_t left = extend((uint32_t)(both >> width * (selectors >> 4 * i & 7)), width, flags & VIDEO_A_SIGNED);
        int64_t right = extend((uint32_t)(both >> width * (selectors >> (16 + 4 * i) & 7)), width, flags & VIDEO_B_SIGNED);
        int64_t value = compute(flags & 15, left, right);
        if (flags & VIDEO_SATURATE)
            value = clamp(value, width, flags & VIDEO_D_SIGNED);
        sum += (uint32_t)value;
        merged = (merged & ~(field << width * i)) | ((uint32_t)value & field) << width * i;
    }
    return flags & VIDEO_ACCUMULATE ? sum : merged;
}

/* How poison spreads through operations: exactly where bits only move, upwards through sums, otherwise to all bits. */
#include "runtime/emulator/observe/poison/poison.h"

#include "runtime/emulator/arithmetic/lane_math.h"
#include "runtime/emulator/arithmetic/rounding.h"

/* A sum or a product is exact below its lowest doubtful bit. */
static uint64_t upwards(uint64_t bits)
{
    return bits | (0 - bits);
}

/* Shifts move poison as they move values; a doubtful distance makes all bits poison. */
static uint64_t shifted(uint64_t result, uint64_t distance_bits)
{
    return distance_bits ? UINT64_MAX : result;
}

static uint64_t shift_right_signed(int64_t bits, uint64_t distance, unsigned width)
{
    return (uint64_t)(bits >> (distance >= width ? width - 1 : distance));
}

static uint64_t logic3(const uint64_t v[3], const uint64_t p[3], uint32_t table)
{
    uint32_t first = 0, differs = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint32_t operand[3];
        for (unsigned k = 0; k < 3; k++)
            operand[k] = (uint32_t)(i >> k & 1 ? v[k] | p[k] : v[k] & ~p[k]);
        uint32_t result = lookup3(operand[0], operand[1], operand[2], table);
        first = i == 0 ? result : first;
        differs |= result ^ first;
    }
    return differs;
}

/* Any clean bit that differs decides equality. */
static uint64_t equality(const uint64_t v[3], const uint64_t p[3])
{
    return !((v[0] ^ v[1]) & ~(p[0] | p[1]));
}

/* An order is decided when the ranges of the two sides do not cross; equal: they may also touch.
 *   width   in bits; a signed order is the unsigned one with the sign inverted */
static uint64_t order(const uint64_t v[3], const uint64_t p[3], unsigned width, bool is_signed, bool or_equal)
{
    uint64_t sign = is_signed ? (uint64_t)1 << (width - 1) : 0, all = UINT64_MAX >> (64 - width);
    uint64_t a = (v[0] ^ sign) & all, b = (v[1] ^ sign) & all;
    uint64_t low_a = a & ~p[0], high_a = (a | p[0]) & all, low_b = b & ~p[1], high_b = (b | p[1]) & all;
    return or_equal ? !(high_a <= low_b || high_b < low_a) : !(high_a < low_b || high_b <= low_a);
}

/* The two halves of a pair do not touch each other. */
static uint64_t by_halves(uint64_t bits)
{
    return (bits & 0xFFFF ? 0xFFFF : 0) | (bits & 0xFFFF0000u ? 0xFFFF0000u : 0);
}

static bool is_integer(uint32_t type)
{
    return ptx_type_kind((enum ptx_type)type) != KIND_FLOAT;
}

static uint64_t convert(const struct operation *operation, uint64_t bits)
{
    uint32_t packed = operation->extra, to = packed & 255, from = packed >> 8 & 255;
    bool saturate = packed >> 22 & 1;
    unsigned width = 8 * ptx_type_bytes((enum ptx_type)from);
    bits &= width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
    if (!bits)
        return 0;
    return is_integer(to) && is_integer(from) && !saturate ? convert_value(bits, packed) : UINT64_MAX;
}

uint64_t poison_transfer(const struct operation *operation, const uint64_t v[3], const uint64_t p[3])
{
    uint64_t all = p[0] | p[1] | p[2];
    uint32_t a = (uint32_t)p[0], b = (uint32_t)p[1];
    switch (operation->handler) {
    case HANDLER_mov_b16:
    case HANDLER_mov_b32:
    case HANDLER_mov_b64:
    case HANDLER_not_b32:
    case HANDLER_not_b64:
    case HANDLER_neg_f32:
    case HANDLER_neg_f64:
    case HANDLER_cvt_u64_u32:
    case HANDLER_xor_b32:
    case HANDLER_xor_b64:
    case HANDLER_cvta_window: return all;
    case HANDLER_neg_f16:
    case HANDLER_neg_f16x2:
    case HANDLER_neg_bf16:
    case HANDLER_neg_bf16x2: return all;
    case HANDLER_abs_f16:
    case HANDLER_abs_f16x2:
    case HANDLER_abs_bf16:
    case HANDLER_abs_bf16x2: return all & 0x7FFF7FFF;
    case HANDLER_abs_f32: return all & 0x7FFFFFFF;
    case HANDLER_abs_f64: return all & INT64_MAX;
    case HANDLER_copysign_f32: return (p[0] & 0x80000000u) | (p[1] & 0x7FFFFFFFu);
    case HANDLER_copysign_f64: return (p[0] & (uint64_t)1 << 63) | (p[1] & INT64_MAX);
    case HANDLER_cvt_s64_s32: return (uint64_t)(int64_t)(int32_t)a;
    case HANDLER_cvt_u32_u64:
    case HANDLER_unpack_lo_b64: return a;
    case HANDLER_unpack_hi_b64: return p[0] >> 32;
    case HANDLER_unpack_lo_b32: return a & 0xFFFF;
    case HANDLER_unpack_hi_b32: return a >> 16;
    case HANDLER_unpack_lo_b16: return a & 0xFF;
    case HANDLER_unpack_hi_b16: return a >> 8 & 0xFF;
    case HANDLER_pack_b16_b8: return (a & 0xFF) | (b & 0xFF) << 8;
    case HANDLER_pack_b32_b16: return (a & 0xFFFF) | b << 16;
    case HANDLER_pack_b64_b32: return a | (uint64_t)b << 32;
    case HANDLER_and_b32:
    case HANDLER_and_b64: return (p[0] & p[1]) | (p[0] & v[1]) | (p[1] & v[0]);
    case HANDLER_or_b32:
    case HANDLER_or_b64: return (p[0] & p[1]) | (p[0] & ~v[1]) | (p[1] & ~v[0]);
    case HANDLER_lop3_b32: return logic3(v, p, operation->extra);
    case HANDLER_shl_b16:
    case HANDLER_shl_b32: return shifted(v[1] > 31 ? 0 : p[0] << v[1], p[1]);
    case HANDLER_shl_b64: return shifted(v[1] > 63 ? 0 : p[0] << v[1], p[1]);
    case HANDLER_shr_u16:
    case HANDLER_shr_u32: return shifted(v[1] > 31 ? 0 : p[0] >> v[1], p[1]);
    case HANDLER_shr_u64: return shifted(v[1] > 63 ? 0 : p[0] >> v[1], p[1]);
    case HANDLER_shr_s16: return shifted(shift_right_signed((int16_t)a, v[1], 16), p[1]);
    case HANDLER_shr_s32: return shifted(shift_right_signed((int32_t)a, v[1], 32), p[1]);
    case HANDLER_shr_s64: return shifted(shift_right_signed((int64_t)p[0], v[1], 64), p[1]);
    case HANDLER_shf_l_wrap: return shifted((uint32_t)(((uint64_t)b << 32 | a) << (v[2] & 31) >> 32), p[2]);
    case HANDLER_shf_r_wrap: return shifted((uint32_t)(((uint64_t)b << 32 | a) >> (v[2] & 31)), p[2]);
    case HANDLER_shf_l_clamp: return shifted(v[2] > 31 ? a : (uint32_t)(((uint64_t)b << 32 | a) << v[2] >> 32), p[2]);
    case HANDLER_shf_r_clamp: return shifted(v[2] > 31 ? b : (uint32_t)(((uint64_t)b << 32 | a) >> v[2]), p[2]);
    case HANDLER_prmt_b32: return shifted(permute_bytes(a, b, (uint32_t)v[2], operation->extra), p[2]);
    case HANDLER_bfe_u32: return shifted(extract_u32(a, (uint32_t)v[1], (uint32_t)v[2]), p[1] | p[2]);
    case HANDLER_bfe_s32: return shifted(extract_s32(a, (uint32_t)v[1], (uint32_t)v[2]), p[1] | p[2]);
    case HANDLER_bfe_u64: return shifted(extract_u64(p[0], (uint32_t)v[1], (uint32_t)v[2]), p[1] | p[2]);
    case HANDLER_bfe_s64: return shifted(extract_s64(p[0], (uint32_t)v[1], (uint32_t)v[2]), p[1] | p[2]);
    case HANDLER_brev_b32: return reverse_bits_u32(a);
    case HANDLER_add_u16:
    case HANDLER_add_u32:
    case HANDLER_add_u64:
    case HANDLER_sub_u16:
    case HANDLER_sub_u32:
    case HANDLER_sub_u64:
    case HANDLER_mul_lo_u16:
    case HANDLER_mul_lo_u32:
    case HANDLER_mul_lo_u64:
    case HANDLER_mul_wide_u16:
    case HANDLER_mul_wide_s16:
    case HANDLER_mul_wide_u32:
    case HANDLER_mul_wide_s32:
    case HANDLER_mad_lo_u16:
    case HANDLER_mad_lo_u32:
    case HANDLER_mad_lo_u64:
    case HANDLER_mad_wide_u16:
    case HANDLER_mad_wide_s16:
    case HANDLER_mad_wide_u32:
    case HANDLER_mad_wide_s32:
    case HANDLER_neg_s16:
    case HANDLER_neg_s32:
    case HANDLER_neg_s64: return upwards(all);
    case HANDLER_eq_u16:
    case HANDLER_ne_u16:
    case HANDLER_eq_u32:
    case HANDLER_ne_u32:
    case HANDLER_eq_u64:
    case HANDLER_ne_u64: return equality(v, p);
    case HANDLER_lt_u16: return order(v, p, 16, false, false);
    case HANDLER_le_u16: return order(v, p, 16, false, true);
    case HANDLER_lt_s16: return order(v, p, 16, true, false);
    case HANDLER_le_s16: return order(v, p, 16, true, true);
    case HANDLER_lt_u32: return order(v, p, 32, false, false);
    case HANDLER_le_u32: return order(v, p, 32, false, true);
    case HANDLER_lt_s32: return order(v, p, 32, true, false);
    case HANDLER_le_s32: return order(v, p, 32, true, true);
    case HANDLER_lt_u64: return order(v, p, 64, false, false);
    case HANDLER_le_u64: return order(v, p, 64, false, true);
    case HANDLER_lt_s64: return order(v, p, 64, true, false);
    case HANDLER_le_s64: return order(v, p, 64, true, true);
    case HANDLER_add_f16x2:
    case HANDLER_add_bf16x2:
    case HANDLER_sub_f16x2:
    case HANDLER_sub_bf16x2:
    case HANDLER_mul_f16x2:
    case HANDLER_mul_bf16x2:
    case HANDLER_fma_f16x2:
    case HANDLER_fma_bf16x2:
    case HANDLER_min_f16x2:
    case HANDLER_min_bf16x2:
    case HANDLER_max_f16x2:
    case HANDLER_max_bf16x2:
    case HANDLER_add_mode_f16x2:
    case HANDLER_sub_mode_f16x2:
    case HANDLER_mul_mode_f16x2:
    case HANDLER_fma_mode_f16x2:
    case HANDLER_min_mode_f16x2:
    case HANDLER_max_mode_f16x2:
    case HANDLER_fma_mode_bf16x2:
    case HANDLER_min_mode_bf16x2:
    case HANDLER_max_mode_bf16x2:
    case HANDLER_flush_f16x2:
    case HANDLER_ex2_f16x2:
    case HANDLER_ex2_ftz_bf16x2:
    case HANDLER_tanh_f16x2:
    case HANDLER_tanh_bf16x2: return by_halves(all);
    case HANDLER_cvt_f16x2_f32:
    case HANDLER_cvt_bf16x2_f32: return (a ? 0xFFFF0000u : 0) | (b ? 0xFFFF : 0);
    case HANDLER_convert: return convert(operation, p[0]);
    default: return all ? UINT64_MAX : 0;
    }
}

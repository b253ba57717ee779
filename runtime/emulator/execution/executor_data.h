/* Operations on registers that are written by hand. Part of executor.c. */

#define FOR_ACTIVE_LANES(lane)                                                                                             \
    for (uint32_t rest_ = warp->mask, lane; rest_ && (lane = (uint32_t)__builtin_ctz(rest_), true); rest_ &= rest_ - 1)

OPERATION(select_b32)
{
    uint32_t *d = r_register(warp, operation->d);
    const uint32_t *x = r_register(warp, operation->a), *y = r_register(warp, operation->b);
    _Alignas(32) int32_t first[WARP_LANES];
    spread_lanes(first, warp->p[operation->c] ^ (operation->negated ? ALL_LANES : 0));
    FOR_LANES(u32, uint32_t value = (x[lane] & (uint32_t)first[lane]) | (y[lane] & ~(uint32_t)first[lane]))
    NEXT(operation + 1);
}

OPERATION(select_b64)
{
    uint64_t *d = q_register(warp, operation->d);
    const uint64_t *x = q_register(warp, operation->a), *y = q_register(warp, operation->b);
    _Alignas(32) int32_t first[WARP_LANES];
    spread_lanes(first, warp->p[operation->c] ^ (operation->negated ? ALL_LANES : 0));
    FOR_LANES(u64, uint64_t whole = (uint64_t)(int64_t)first[lane];
              uint64_t value = (x[lane] & whole) | (y[lane] & ~whole))
    NEXT(operation + 1);
}

#if defined(__SSE2__) && !defined(__FMA__)
/* Without an instruction for it, a call a lane would be needed. The product of two floats is exact as a double; the sum is
 * rounded to a double, and rounding that to a float is right unless it lies just between two floats (then what was lost
 * decides) or the result is subnormal (then other bits do): such lanes, which are rare, are called for. */
static inline __m128d fma_pair(__m128 a, __m128 b, __m128 c, __m128i *doubtful)
{
    __m128d sum = _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b)), _mm_cvtps_pd(c));
    __m128i lower = _mm_and_si128(_mm_castpd_si128(sum), _mm_set1_epi64x(0x1FFFFFFF));
    __m128i between = _mm_cmpeq_epi32(lower, _mm_set1_epi64x(0x10000000));   /* in the lower word of each */
    __m128d size = _mm_andnot_pd(_mm_set1_pd(-0.0), sum);
    __m128d tiny = _mm_and_pd(_mm_cmplt_pd(size, _mm_set1_pd(0x1p-126)), _mm_cmpneq_pd(size, _mm_setzero_pd()));
    tiny = _mm_or_pd(tiny, _mm_cmpunord_pd(sum, sum));
    *doubtful = _mm_or_si128(*doubtful, _mm_or_si128(_mm_and_si128(between, _mm_set1_epi64x(UINT32_MAX)),
                                                     _mm_castpd_si128(tiny)));
    return sum;
}

DO(fma_f32)
{
    float *d = REGISTER(f32, operation->d);
    const float *a = REGISTER(f32, operation->a), *b = REGISTER(f32, operation->b), *c = REGISTER(f32, operation->c);
    if (warp->mask != ALL_LANES) {
        FOR_ACTIVE_LANES(lane)
            d[lane] = canonical_f32(__builtin_fmaf(a[lane], b[lane], c[lane]));
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane += 4) {
        __m128 x = _mm_loadu_ps(a + lane), y = _mm_loadu_ps(b + lane), z = _mm_loadu_ps(c + lane);
        __m128i doubtful = _mm_setzero_si128();
        __m128d low = fma_pair(x, y, z, &doubtful);
        __m128d high = fma_pair(_mm_movehl_ps(x, x), _mm_movehl_ps(y, y), _mm_movehl_ps(z, z), &doubtful);
        if (__builtin_expect(_mm_movemask_epi8(doubtful), 0))
            for (unsigned i = lane; i < lane + 4; i++)
                d[i] = canonical_f32(__builtin_fmaf(a[i], b[i], c[i]));
        else
            _mm_storeu_ps(d + lane, _mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)));
    }
}
#else
DO(fma_f32)
{
    float *d = REGISTER(f32, operation->d);
    const float *a = REGISTER(f32, operation->a), *b = REGISTER(f32, operation->b), *c = REGISTER(f32, operation->c);
    FOR_LANES(f32, float value = canonical_f32(__builtin_fmaf(a[lane], b[lane], c[lane])))
}
#endif

OPERATION(fma_f32)
{
    do_fma_f32(warp, operation);
    NEXT(operation + 1);
}

/* slct: extra 1 when c is an f32, else it is an s32. -0.0 counts as >= 0. */
static inline bool slct_first(const struct operation *operation, uint32_t c)
{
    return operation->extra ? float_from_bits(c) >= 0.0f : (int32_t)c >= 0;
}

OPERATION(select_sign_b32)
{
    uint32_t *d = r_register(warp, operation->d);
    const uint32_t *x = r_register(warp, operation->a), *y = r_register(warp, operation->b);
    const uint32_t *c = r_register(warp, operation->c);
    FOR_ACTIVE_LANES(lane)
        d[lane] = slct_first(operation, c[lane]) ? x[lane] : y[lane];
    NEXT(operation + 1);
}

OPERATION(select_sign_b64)
{
    uint64_t *d = q_register(warp, operation->d);
    const uint64_t *x = q_register(warp, operation->a), *y = q_register(warp, operation->b);
    const uint32_t *c = r_register(warp, operation->c);
    FOR_ACTIVE_LANES(lane)
        d[lane] = slct_first(operation, c[lane]) ? x[lane] : y[lane];
    NEXT(operation + 1);
}

/* extra: packed conversion; b: 1 when the source is in q; c: 1 when the destination is. */
OPERATION(convert)
{
    FOR_ACTIVE_LANES(lane) {
        uint64_t bits = operation->b ? q_register(warp, operation->a)[lane] : r_register(warp, operation->a)[lane];
        uint64_t result = convert_value(bits, operation->extra);
        if (operation->c)
            q_register(warp, operation->d)[lane] = result;
        else
            r_register(warp, operation->d)[lane] = (uint32_t)result;
    }
    NEXT(operation + 1);
}

/* Extended precision (9.7.2). extra: see enum carry_flags. immediate: offset of the addend of mad, for which a * b is done
 * first. */
static inline uint64_t carry_product(uint64_t a, uint64_t b, uint32_t flags)
{
    bool high = flags & CARRY_HIGH;
    if (flags & CARRY_WIDE) {
        if (flags & CARRY_SIGNED)
            return high ? (uint64_t)((__int128)(int64_t)a * (int64_t)b >> 64) : a * b;
        return high ? (uint64_t)((unsigned __int128)a * b >> 64) : a * b;
    }
    if (flags & CARRY_SIGNED)
        return high ? (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32) : (uint32_t)(a * b);
    return high ? (uint32_t)((uint64_t)(uint32_t)a * (uint32_t)b >> 32) : (uint32_t)(a * b);
}

OPERATION(carry)
{
    uint32_t flags = operation->extra;
    bool wide = flags & CARRY_WIDE;
    FOR_ACTIVE_LANES(lane) {
        uint64_t a = wide ? q_register(warp, operation->a)[lane] : r_register(warp, operation->a)[lane];
        uint64_t b = wide ? q_register(warp, operation->b)[lane] : r_register(warp, operation->b)[lane];
        if (flags & CARRY_MULTIPLY) {
            a = carry_product(a, b, flags);
            b = wide ? q_register(warp, operation->c)[lane] : r_register(warp, operation->c)[lane];
        }
        uint64_t in = flags & CARRY_IN ? warp->carry >> lane & 1 : 0;
        unsigned __int128 sum = flags & CARRY_SUBTRACT ? (unsigned __int128)a - b - in : (unsigned __int128)a + b + in;
        uint64_t out = (uint64_t)(sum >> (wide ? 64 : 32)) & 1;
        if (flags & CARRY_OUT)
            warp->carry = (warp->carry & ~(1u << lane)) | (uint32_t)out << lane;
        if (wide)
            q_register(warp, operation->d)[lane] = (uint64_t)sum;
        else
            r_register(warp, operation->d)[lane] = (uint32_t)sum;
    }
    NEXT(operation + 1);
}

/* bfi: immediate holds the offset of the fourth source. */
OPERATION(insert_b32)
{
    FOR_ACTIVE_LANES(lane)
        r_register(warp, operation->d)[lane] = (uint32_t)insert_bits(
            r_register(warp, operation->a)[lane], r_register(warp, operation->b)[lane], r_register(warp, operation->c)[lane],
            r_register(warp, (uint32_t)operation->immediate)[lane], 32);
    NEXT(operation + 1);
}

OPERATION(insert_b64)
{
    FOR_ACTIVE_LANES(lane)
        q_register(warp, operation->d)[lane] = insert_bits(
            q_register(warp, operation->a)[lane], q_register(warp, operation->b)[lane], r_register(warp, operation->c)[lane],
            r_register(warp, (uint32_t)operation->immediate)[lane], 64);
    NEXT(operation + 1);
}

/* Predicates: 32 lanes in one word. extra bit 0: a is negated, bit 1: b is. */
static inline uint32_t source_predicate(const struct warp *warp, uint32_t index, bool negated)
{
    return warp->p[index] ^ (negated ? ALL_LANES : 0);
}

OPERATION(pred_mov)
{
    set_predicate(warp, operation->d, source_predicate(warp, operation->a, operation->extra & 1));
    NEXT(operation + 1);
}

OPERATION(pred_not)
{
    set_predicate(warp, operation->d, ~warp->p[operation->a]);
    NEXT(operation + 1);
}

OPERATION(pred_and)
{
    set_predicate(warp, operation->d, source_predicate(warp, operation->a, operation->extra & 1)
                                          & source_predicate(warp, operation->b, operation->extra & 2));
    NEXT(operation + 1);
}

OPERATION(pred_or)
{
    set_predicate(warp, operation->d, source_predicate(warp, operation->a, operation->extra & 1)
                                          | source_predicate(warp, operation->b, operation->extra & 2));
    NEXT(operation + 1);
}

OPERATION(pred_xor)
{
    set_predicate(warp, operation->d, source_predicate(warp, operation->a, operation->extra & 1)
                                          ^ source_predicate(warp, operation->b, operation->extra & 2));
    NEXT(operation + 1);
}

/* set: extra is the value for true. */
OPERATION(pred_to_b32)
{
    uint32_t *d = r_register(warp, operation->d);
    uint32_t bits = warp->p[operation->a], one = operation->extra;
    FOR_LANES(u32, uint32_t value = bits >> lane & 1 ? one : 0)
    NEXT(operation + 1);
}

OPERATION(special_b32)
{
    uint32_t *d = r_register(warp, operation->d);
    uint32_t which = operation->extra;
    if (which <= SPECIAL_TID_Z) {
        const uint32_t *source = warp->tid[which - SPECIAL_TID_X];
        FOR_LANES(u32, uint32_t value = source[lane])
    } else if (which >= SPECIAL_LANEID) {
        FOR_ACTIVE_LANES(lane)
            d[lane] = (uint32_t)library_special(warp, which, lane);
    } else {   /* the same for all lanes */
        uint32_t common = (uint32_t)library_special(warp, which, 0);
        FOR_LANES(u32, uint32_t value = common)
    }
    NEXT(operation + 1);
}

OPERATION(special_b64)
{
    FOR_ACTIVE_LANES(lane)
        q_register(warp, operation->d)[lane] = library_special(warp, operation->extra, lane);
    NEXT(operation + 1);
}

/* Address of a .local variable: immediate is its offset in the frame. */
OPERATION(local_address)
{
    uint64_t *d = q_register(warp, operation->d);
    uint64_t address = warp->local_base + operation->immediate;
    FOR_LANES(u64, uint64_t value = address)
    NEXT(operation + 1);
}

/* cvta: adds or removes a window. extra 1: removes. b: 1 when the source is in r. */
OPERATION(cvta_window)
{
    uint64_t *d = q_register(warp, operation->d);
    uint64_t window = operation->immediate;
    if (operation->b) {
        const uint32_t *x = r_register(warp, operation->a);
        FOR_LANES(u64, uint64_t value = window + x[lane])
    } else {
        const uint64_t *x = q_register(warp, operation->a);
        uint64_t change = operation->extra ? 0 - window : window;
        FOR_LANES(u64, uint64_t value = x[lane] + change)
    }
    NEXT(operation + 1);
}

OPERATION(isspacep)
{
    uint32_t bits = 0;
    FOR_ACTIVE_LANES(lane)
        bits |= (uint32_t)library_is_space(warp, q_register(warp, operation->a)[lane], operation->extra) << lane;
    set_predicate(warp, operation->d, bits);
    NEXT(operation + 1);
}

/* Kernel parameters: the same for all lanes. extra: size in bytes, with 16 added when signed; immediate: offset. */
static inline uint64_t parameter_value(const struct warp *warp, const struct operation *operation)
{
    uint64_t value = 0;
    unsigned bytes = operation->extra & 15;
    memcpy(&value, warp->launch->parameters + operation->immediate, bytes);
    if (operation->extra & 16)
        value = (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
    return value;
}

OPERATION(parameter_b32)
{
    uint32_t *d = r_register(warp, operation->d);
    uint32_t parameter = (uint32_t)parameter_value(warp, operation);
    FOR_LANES(u32, uint32_t value = parameter)
    NEXT(operation + 1);
}

OPERATION(parameter_b64)
{
    uint64_t *d = q_register(warp, operation->d);
    uint64_t parameter = parameter_value(warp, operation);
    FOR_LANES(u64, uint64_t value = parameter)
    NEXT(operation + 1);
}

/* Parameters of calls: bytes [immediate, + extra & 15) of a slot in q, 8 bytes a lane and word. extra 16: signed, 32: the
 * register is in q. a: the slot. */
OPERATION(slot_load)
{
    unsigned bytes = operation->extra & 15;
    const uint64_t *words = q_register(warp, operation->a + (uint32_t)(operation->immediate / 8) * 256);
    FOR_ACTIVE_LANES(lane) {
        uint64_t value = words[lane] >> (operation->immediate % 8 * 8);
        if (bytes < 8)
            value = operation->extra & 16 ? (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes))
                                          : value & (((uint64_t)1 << (8 * bytes)) - 1);
        if (operation->extra & 32)
            q_register(warp, operation->d)[lane] = value;
        else
            r_register(warp, operation->d)[lane] = (uint32_t)value;
    }
    NEXT(operation + 1);
}

OPERATION(slot_store)
{
    unsigned bytes = operation->extra & 15, shift = (unsigned)(operation->immediate % 8 * 8);
    uint64_t *words = q_register(warp, operation->a + (uint32_t)(operation->immediate / 8) * 256);
    uint64_t field = bytes == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * bytes)) - 1;
    FOR_ACTIVE_LANES(lane) {
        uint64_t value = operation->extra & 32 ? q_register(warp, operation->d)[lane] : r_register(warp, operation->d)[lane];
        words[lane] = (words[lane] & ~(field << shift)) | (value & field) << shift;
    }
    NEXT(operation + 1);
}

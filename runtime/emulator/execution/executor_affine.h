/* Operations on affine registers (affine.h): one scalar step where the shapes allow it, else the lanes are filled in and the
 * ordinary operation runs. Part of executor.c. */

#define AFFINE_OF_u32 warp_affine_r
#define AFFINE_OF_s32 warp_affine_r
#define AFFINE_OF_u64 warp_affine_q
#define AFFINE_OF_s64 warp_affine_q
#define WIDE_u32 false
#define WIDE_s32 false
#define WIDE_u64 true
#define WIDE_s64 true
#define EXPAND_u32 expand_r
#define EXPAND_s32 expand_r
#define EXPAND_u64 expand_q
#define EXPAND_s64 expand_q
#define AFFINE(type, offset) AFFINE_OF_##type(warp, offset)

/* ---- from affine to lanes ---- */

static __attribute__((noinline)) void fill_r(struct affine *x, uint32_t *lanes)
{
    const uint32_t *delta = x->shape->delta32, base = (uint32_t)x->base;
    x->expanded = true;
    INDEPENDENT_LANES
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes[lane] = base + delta[lane];
}

static __attribute__((noinline)) void fill_q(struct affine *x, uint64_t *lanes)
{
    const int64_t *delta = x->shape->delta;
    uint64_t base = x->base;
    x->expanded = true;
    INDEPENDENT_LANES
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes[lane] = base + (uint64_t)delta[lane];
}

static inline void expand_r(const struct warp *warp, uint32_t offset)
{
    struct affine *x = warp_affine_r(warp, offset);
    if (x->shape && !x->expanded)
        fill_r(x, r_register(warp, offset));
}

static inline void expand_q(const struct warp *warp, uint32_t offset)
{
    struct affine *x = warp_affine_q(warp, offset);
    if (x->shape && !x->expanded)
        fill_q(x, q_register(warp, offset));
}

OPERATION(expand_r)
{
    expand_r(warp, operation->a);
    NEXT(operation + 1);
}

OPERATION(expand_q)
{
    expand_q(warp, operation->a);
    NEXT(operation + 1);
}

/* ---- rules: the shape of a result; NULL: the lanes have to be computed ---- */

#define MAYBE_UNUSED __attribute__((unused))
#define RULE(name)                                                                                                         \
    static inline const struct lane_shape *rule_##name(                                                                    \
        MAYBE_UNUSED struct affine_site *site, MAYBE_UNUSED const struct affine *a, MAYBE_UNUSED const struct affine *b,   \
        MAYBE_UNUSED const struct affine *c, MAYBE_UNUSED bool is_signed, MAYBE_UNUSED bool wide)

static inline bool is_uniform(const struct affine *x)
{
    return x->shape == &lane_shape_uniform;
}

RULE(copy)
{
    return a->shape;
}

RULE(uniform)
{
    return is_uniform(a) && is_uniform(b) ? &lane_shape_uniform : NULL;
}

static inline const struct lane_shape *sum_shape(struct affine_site *site, const struct lane_shape *left,
                                                 const struct lane_shape *right, bool subtract, bool wide)
{
    if (right == &lane_shape_uniform)
        return left;
    if (left == &lane_shape_uniform && !subtract)
        return right;
    return left == site->left && right == site->right ? site->sum : affine_sum(site, left, right, subtract, wide);
}

RULE(sum)
{
    return sum_shape(site, a->shape, b->shape, false, wide);
}

RULE(difference)
{
    return sum_shape(site, a->shape, b->shape, true, wide);
}

/* wide: of the result. A factor of 32 bits is taken with its sign where the product is wider. */
static inline const struct lane_shape *product_shape(struct affine_site *site, const struct affine *a,
                                                     const struct affine *b, bool extend_sign, bool wide)
{
    const struct affine *factor = is_uniform(b) ? b : a, *other = is_uniform(b) ? a : b;
    if (!is_uniform(factor))
        return NULL;
    if (is_uniform(other))
        return &lane_shape_uniform;
    uint64_t times = extend_sign ? (uint64_t)(int64_t)(int32_t)factor->base : factor->base;
    return other->shape == site->factor_shape && times == site->factor ? site->product
                                                                       : affine_product(site, other->shape, times, wide);
}

RULE(product)
{
    return product_shape(site, a, b, false, wide);
}

RULE(shift)
{
    if (!is_uniform(b) || (uint32_t)b->base > (wide ? 63 : 31))
        return NULL;
    struct affine factor = {.shape = &lane_shape_uniform, .base = (uint64_t)1 << (b->base & 63)};
    return product_shape(site, a, &factor, false, wide);
}

/* Are all lanes of a 32-bit register, read with or without a sign, exactly base + delta? */
static inline bool fits_32(const struct affine *x, bool is_signed)
{
    int64_t base = is_signed ? (int64_t)(int32_t)x->base : (int64_t)(uint32_t)x->base;
    return is_signed ? base + x->shape->low >= INT32_MIN && base + x->shape->high <= INT32_MAX
                     : base + x->shape->low >= 0 && base + x->shape->high <= UINT32_MAX;
}

RULE(widen)
{
    return fits_32(a, is_signed) ? a->shape : NULL;
}

RULE(narrow)
{
    return a->shape->low >= INT32_MIN && a->shape->high <= INT32_MAX ? a->shape : NULL;
}

RULE(product_wide)
{
    return fits_32(a, is_signed) && fits_32(b, is_signed) ? product_shape(site, a, b, is_signed, true) : NULL;
}

RULE(mad)
{
    const struct lane_shape *product = rule_product(site, a, b, c, is_signed, wide);
    return product ? sum_shape(site, product, c->shape, false, wide) : NULL;
}

RULE(mad_wide)
{
    const struct lane_shape *product = rule_product_wide(site, a, b, c, is_signed, true);
    return product ? sum_shape(site, product, c->shape, false, true) : NULL;
}

/* ---- arithmetic ---- */

#define IS_SIGNED_u32 false
#define IS_SIGNED_s32 true
#define IS_SIGNED_u64 false
#define IS_SIGNED_s64 true

/* The result gets lanes: under a partial mask those that are not active keep their values. */
#define DROP_AFFINE(D)                                                                                                     \
    if (warp->mask != ALL_LANES)                                                                                           \
        EXPAND_##D(warp, operation->d);                                                                                    \
    AFFINE(D, operation->d)->shape = NULL;

/* Only when all lanes are active is a register written as a whole. What is rare stands in a function of its own, so that the
 * way that is common needs no stack. */
#define AFFINE_RESULT(name, D, A, has_shapes, rule, a, b, c, scalar)                                                       \
    if (__builtin_expect(warp->mask == ALL_LANES && (has_shapes), 1)) {                                                    \
        const struct lane_shape *shape = rule_##rule(operation->affine, a, b, c, IS_SIGNED_##A, WIDE_##D);                 \
        if (__builtin_expect(shape != NULL, 1)) {                                                                          \
            struct affine *d = AFFINE(D, operation->d);                                                                    \
            d->base = WIDE_##D ? (uint64_t)(SLOT_##D)(scalar) : (uint32_t)(scalar);                                        \
            d->shape = shape;                                                                                              \
            d->expanded = false;                                                                                           \
            NEXT(operation + 1);                                                                                           \
        }                                                                                                                  \
    }                                                                                                                      \
    return lanes_##name(warp, operation);

#define LANES(name)                                                                                                        \
    static __attribute__((noinline)) next_operation lanes_##name(struct warp *warp, const struct operation *operation)

#define AFFINE_UNARY(name, D, A, rule)                                                                                     \
    LANES(name)                                                                                                            \
    {                                                                                                                      \
        EXPAND_##A(warp, operation->a);                                                                                    \
        DROP_AFFINE(D)                                                                                                     \
        return run_##name(warp, operation);                                                                                \
    }                                                                                                                      \
    OPERATION(affine_##name)                                                                                               \
    {                                                                                                                      \
        const struct affine *x = AFFINE(A, operation->a);                                                                  \
        AFFINE_RESULT(name, D, A, x->shape, rule, x, x, x, scalar_##name(operation, (VALUE_##A)x->base))                   \
    }
#define AFFINE_BINARY(name, D, A, B, rule)                                                                                 \
    LANES(name)                                                                                                            \
    {                                                                                                                      \
        EXPAND_##A(warp, operation->a);                                                                                    \
        EXPAND_##B(warp, operation->b);                                                                                    \
        DROP_AFFINE(D)                                                                                                     \
        return run_##name(warp, operation);                                                                                \
    }                                                                                                                      \
    OPERATION(affine_##name)                                                                                               \
    {                                                                                                                      \
        const struct affine *x = AFFINE(A, operation->a), *y = AFFINE(B, operation->b);                                    \
        AFFINE_RESULT(name, D, A, x->shape && y->shape, rule, x, y, y,                                                     \
                      scalar_##name(operation, (VALUE_##A)x->base, (VALUE_##B)y->base))                                    \
    }
#define AFFINE_TERNARY(name, D, A, B, C, rule)                                                                             \
    LANES(name)                                                                                                            \
    {                                                                                                                      \
        EXPAND_##A(warp, operation->a);                                                                                    \
        EXPAND_##B(warp, operation->b);                                                                                    \
        EXPAND_##C(warp, operation->c);                                                                                    \
        DROP_AFFINE(D)                                                                                                     \
        return run_##name(warp, operation);                                                                                \
    }                                                                                                                      \
    OPERATION(affine_##name)                                                                                               \
    {                                                                                                                      \
        const struct affine *x = AFFINE(A, operation->a), *y = AFFINE(B, operation->b), *z = AFFINE(C, operation->c);      \
        AFFINE_RESULT(name, D, A, x->shape && y->shape && z->shape, rule, x, y, z,                                         \
                      scalar_##name(operation, (VALUE_##A)x->base, (VALUE_##B)y->base, (VALUE_##C)z->base))                \
    }

/* ---- comparisons ---- */

/* The smallest and largest value of a register. False where the lanes wrap around. */
#define DEFINE_RANGE(type, wider, minimum, maximum)                                                                        \
    static inline bool range_##type(const struct affine *x, wider *low, wider *high)                                       \
    {                                                                                                                      \
        wider base = (VALUE_##type)x->base;                                                                                \
        *low = base + x->shape->low;                                                                                       \
        *high = base + x->shape->high;                                                                                     \
        return *low >= (minimum) && *high <= (maximum);                                                                    \
    }
DEFINE_RANGE(u32, int64_t, 0, UINT32_MAX)
DEFINE_RANGE(s32, int64_t, INT32_MIN, INT32_MAX)
DEFINE_RANGE(u64, __int128, 0, UINT64_MAX)
DEFINE_RANGE(s64, __int128, INT64_MIN, INT64_MAX)
#define RANGE_u32 int64_t
#define RANGE_s32 int64_t
#define RANGE_u64 __int128
#define RANGE_s64 __int128

/* Of a relation: holds for all lanes, holds for none. */
#define ALL_less (a_high < b_low)
#define NONE_less (a_low >= b_high)
#define ALL_less_or_equal (a_high <= b_low)
#define NONE_less_or_equal (a_low > b_high)
#define ALL_equal ((a_low == b_high) & (a_high == b_low))
#define NONE_equal ((a_high < b_low) | (a_low > b_high))
#define ALL_different NONE_equal
#define NONE_different ALL_equal

#define AFFINE_COMPARE(name, A, relation)                                                                                  \
    LANES(name)                                                                                                            \
    {                                                                                                                      \
        EXPAND_##A(warp, operation->a);                                                                                    \
        EXPAND_##A(warp, operation->b);                                                                                    \
        return run_##name(warp, operation);                                                                                \
    }                                                                                                                      \
    OPERATION(affine_##name)                                                                                               \
    {                                                                                                                      \
        const struct affine *x = AFFINE(A, operation->a), *y = AFFINE(A, operation->b);                                    \
        if (__builtin_expect(x->shape && y->shape, 1)) {                                                                   \
            RANGE_##A a_low, a_high, b_low, b_high;                                                                        \
            if ((unsigned)range_##A(x, &a_low, &a_high) & (unsigned)range_##A(y, &b_low, &b_high)) {                       \
                uint32_t all = ALL_##relation, none = NONE_##relation;                                                     \
                if (__builtin_expect(all | none, 1)) {                                                                     \
                    set_predicate(warp, operation->d, 0 - all);                                                            \
                    NEXT(operation + 1);                                                                                   \
                }                                                                                                          \
            }                                                                                                              \
        }                                                                                                                  \
        return lanes_##name(warp, operation);                                                                              \
    }
#define AFFINE_SPECIAL(name)
#include "runtime/emulator/execution/affine.def"
#undef AFFINE_UNARY
#undef AFFINE_BINARY
#undef AFFINE_TERNARY
#undef AFFINE_COMPARE
#undef AFFINE_SPECIAL

/* %ctaid and others that all lanes share: decode_affine.c lets only those come here. */
OPERATION(affine_special_b32)
{
    struct affine *d = warp_affine_r(warp, operation->d);
    if (warp->mask == ALL_LANES) {
        d->base = (uint32_t)library_special(warp, operation->extra, 0);
        d->shape = &lane_shape_uniform;
        d->expanded = false;
        NEXT(operation + 1);
    }
    expand_r(warp, operation->d);
    d->shape = NULL;
    return run_special_b32(warp, operation);
}

OPERATION(affine_cvta_window)
{
    const struct affine *x = operation->b ? warp_affine_r(warp, operation->a) : warp_affine_q(warp, operation->a);
    struct affine *d = warp_affine_q(warp, operation->d);
    if (warp->mask == ALL_LANES && x->shape && (!operation->b || fits_32(x, false))) {
        uint64_t window = operation->immediate;
        d->base = x->base + (operation->extra ? 0 - window : window);
        d->shape = x->shape;
        d->expanded = false;
        NEXT(operation + 1);
    }
    if (operation->b)
        expand_r(warp, operation->a);
    else
        expand_q(warp, operation->a);
    if (warp->mask != ALL_LANES)
        expand_q(warp, operation->d);
    d->shape = NULL;
    return run_cvta_window(warp, operation);
}

/* ---- memory ---- */

/* The address register's shape led to this request the last time, and the site has been described for it since: remembers
 * what a request of the same shape still has to be tested for. */
static __attribute__((noinline)) uint8_t *locate_and_learn(struct warp *warp, const struct operation *operation)
{
    struct memory_site *site = operation->site;
    if (site->address_in_r)
        expand_r(warp, operation->a);
    else
        expand_q(warp, operation->a);
    site->known = &lane_shape_unknown;
    uint8_t *place = locate(warp, operation);
    const struct affine *address =
        site->address_in_r ? warp_affine_r(warp, operation->a) : warp_affine_q(warp, operation->a);
    if (place && address->shape) {
        site->known = address->shape;
        site->start_offset = (uint64_t)site->offset + (uint64_t)address->shape->delta[site->shape.first];
        site->valid_from = site->window_address - (uint64_t)site->shape.low;
        site->valid_span = site->window_bytes - site->shape.extent;
        site->host_offset = (uintptr_t)site->window_host - (uintptr_t)site->window_address;
    }
    return place;
}

/* NULL: the address has another shape than the last time, or the request lies elsewhere. */
static inline uint8_t *locate_known(struct warp *warp, const struct operation *operation)
{
    struct memory_site *site = operation->site;
    const struct affine *address =
        site->address_in_r ? warp_affine_r(warp, operation->a) : warp_affine_q(warp, operation->a);
    uint64_t start = address->base + site->start_offset;
    if (site->address_in_r)
        start = (uint32_t)start;
    if (__builtin_expect((address->shape != site->known) | (warp->mask != site->shape.mask)
                         | (start - site->valid_from > site->valid_span) | ((start & (site->request_bytes - 1u)) != 0), 0))
        return NULL;
    tell_request(warp, operation, start);
    uintptr_t place = site->host_offset + (uintptr_t)start;
    return site->allocation ? (uint8_t *)place : warp->shared + place;   /* of shared memory: an offset */
}

static inline uint8_t *locate_affine(struct warp *warp, const struct operation *operation)
{
    uint8_t *place = locate_known(warp, operation);
    return place ? place : locate_and_learn(warp, operation);
}

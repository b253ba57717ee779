/* Loads, stores and atomics. Part of executor.c. */

/* Finds the host address of a request, or NULL when it must be done lane by lane: locate() or locate_affine(). */
typedef uint8_t *locate_request(struct warp *warp, const struct operation *operation);
#define ALWAYS_INLINE static inline __attribute__((always_inline))

static inline void copy_vectors(void *to, const void *from, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i += VECTOR_BYTES)
        *(vector_r4 *)((char *)to + i) = *(const vector_r4 *)((const char *)from + i);
}

/* Four values to one vector or two: lanes at `place + delta[lane]`. */
static inline uint32_t value_r4(const uint8_t *place, uint64_t delta)
{
    uint32_t value;
    memcpy(&value, place + delta, sizeof value);
    return value;
}

static inline uint64_t value_q8(const uint8_t *place, uint64_t delta)
{
    uint64_t value;
    memcpy(&value, place + delta, sizeof value);
    return value;
}

static inline void gather_r4(uint32_t *d, const uint8_t *place, const uint64_t *delta)
{
#define LANE(i) value_r4(place, delta[i])
    for (unsigned lane = 0; lane < WARP_LANES; lane += 8, delta += 8)
        *(vector_r4 *)(d + lane) = (vector_r4){LANE(0), LANE(1), LANE(2), LANE(3), LANE(4), LANE(5), LANE(6), LANE(7)};
#undef LANE
}

static inline void gather_q8(uint64_t *d, const uint8_t *place, const uint64_t *delta)
{
#define LANE(i) value_q8(place, delta[i])
    for (unsigned lane = 0; lane < WARP_LANES; lane += 4, delta += 4)
        *(vector_q8 *)(d + lane) = (vector_q8){LANE(0), LANE(1), LANE(2), LANE(3)};
#undef LANE
}

/* Groups of `group` lanes with one address each. */
static inline void splat_r4(uint32_t *d, const uint8_t *place, const struct shape *shape)
{
    if (shape->group == 4) {
        for (unsigned lane = 0; lane < WARP_LANES; lane += 8) {
            uint32_t a = value_r4(place, shape->delta[lane]), b = value_r4(place, shape->delta[lane + 4]);
            *(vector_r4 *)(d + lane) = (vector_r4){a, a, a, a, b, b, b, b};
        }
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane += 8)
        *(vector_r4 *)(d + lane) = (vector_r4){0} + value_r4(place, shape->delta[lane]);
}

static inline void splat_q8(uint64_t *d, const uint8_t *place, const struct shape *shape)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane += 4)
        *(vector_q8 *)(d + lane) = (vector_q8){0} + value_q8(place, shape->delta[lane]);
}

/* Groups of `group` neighbours. */
static inline void runs_r4(uint32_t *d, const uint8_t *place, const struct shape *shape)
{
    typedef uint32_t half_r4 __attribute__((vector_size(16), aligned(1), may_alias));
    if (shape->group == 4) {
        for (unsigned lane = 0; lane < WARP_LANES; lane += 8) {
            half_r4 a = *(const half_r4 *)(place + shape->delta[lane]);
            half_r4 b = *(const half_r4 *)(place + shape->delta[lane + 4]);
            *(vector_r4 *)(d + lane) = (vector_r4){a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
        }
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane += 8)
        *(vector_r4 *)(d + lane) = *(const vector_r4 *)(place + shape->delta[lane]);
}

static inline void runs_q8(uint64_t *d, const uint8_t *place, const struct shape *shape)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane += 4)
        *(vector_q8 *)(d + lane) = *(const vector_q8 *)(place + shape->delta[lane]);
}

/* The lanes' share of a request that has been found. */
#define DEFINE_COPIES(width, type)                                                                                         \
    ALWAYS_INLINE void load_lanes_##width(struct warp *warp, const struct operation *operation, const uint8_t *place)      \
    {                                                                                                                      \
        type *d = REGISTER_##width(warp, operation->d);                                                                    \
        const struct shape *shape = &operation->site->shape;                                                               \
        switch (shape->kind) {                                                                                             \
        case SHAPE_CONTIGUOUS:                                                                                             \
            copy_vectors(d, place, WARP_LANES * sizeof *d);                                                                \
            break;                                                                                                         \
        case SHAPE_UNIFORM: {                                                                                              \
            vector_##width value = (vector_##width){0} + value_##width(place, 0);                                          \
            for (unsigned lane = 0; lane < WARP_LANES; lane += sizeof value / sizeof *d)                                   \
                *(vector_##width *)(d + lane) = value;                                                                     \
            break;                                                                                                         \
        }                                                                                                                  \
        case SHAPE_RUNS:                                                                                                   \
            runs_##width(d, place, shape);                                                                                 \
            break;                                                                                                         \
        case SHAPE_SPLATS:                                                                                                 \
            splat_##width(d, place, shape);                                                                                \
            break;                                                                                                         \
        default:                                                                                                           \
            if (shape->mask == ALL_LANES) {                                                                                \
                gather_##width(d, place, shape->delta);                                                                    \
            } else {                                                                                                       \
                FOR_ACTIVE_LANES(lane)                                                                                     \
                    d[lane] = value_##width(place, shape->delta[lane]);                                                    \
            }                                                                                                              \
        }                                                                                                                  \
    }                                                                                                                      \
    ALWAYS_INLINE void store_lanes_##width(struct warp *warp, const struct operation *operation, uint8_t *place)           \
    {                                                                                                                      \
        const type *d = REGISTER_##width(warp, operation->d);                                                              \
        const struct shape *shape = &operation->site->shape;                                                               \
        if (shape->kind == SHAPE_CONTIGUOUS) {                                                                             \
            copy_vectors(place, d, WARP_LANES * sizeof *d);                                                                \
        } else if (shape->kind == SHAPE_RUNS && shape->group * sizeof *d >= VECTOR_BYTES) {                                \
            for (unsigned lane = 0; lane < WARP_LANES; lane += VECTOR_BYTES / sizeof *d)                                   \
                copy_vectors(place + shape->delta[lane], d + lane, VECTOR_BYTES);                                          \
        } else { /* lanes in rising order: where several store to one place, the last one wins */                          \
            FOR_ACTIVE_LANES(lane)                                                                                         \
                memcpy(place + shape->delta[lane], &d[lane], sizeof *d);                                                   \
        }                                                                                                                  \
    }
#define REGISTER_r4 r_register
#define REGISTER_q8 q_register
DEFINE_COPIES(r4, uint32_t)
DEFINE_COPIES(q8, uint64_t)

/* What is rare stands in functions of its own, so that the common way needs no stack. */
static __attribute__((noinline)) next_operation run_slowly(struct warp *warp, const struct operation *operation)
{
    access_slow(warp, operation);
    NEXT(operation + 1);
}

#define DEFINE_ACCESS(name, width)                                                                                         \
    OPERATION(name##_##width)                                                                                              \
    {                                                                                                                      \
        uint8_t *place = locate(warp, operation);                                                                          \
        if (__builtin_expect(!place, 0))                                                                                   \
            return run_slowly(warp, operation);                                                                            \
        name##_lanes_##width(warp, operation, place);                                                                      \
        NEXT(operation + 1);                                                                                               \
    }                                                                                                                      \
    static __attribute__((noinline)) next_operation learn_##name##_##width(struct warp *warp,                              \
                                                                           const struct operation *operation)              \
    {                                                                                                                      \
        uint8_t *place = locate_and_learn(warp, operation);                                                                \
        if (__builtin_expect(!place, 0))                                                                                   \
            return run_slowly(warp, operation);                                                                            \
        name##_lanes_##width(warp, operation, place);                                                                      \
        NEXT(operation + 1);                                                                                               \
    }                                                                                                                      \
    OPERATION(affine_##name##_##width)                                                                                     \
    {                                                                                                                      \
        uint8_t *place = locate_known(warp, operation);                                                                    \
        if (__builtin_expect(!place, 0))                                                                                   \
            return learn_##name##_##width(warp, operation);                                                                \
        name##_lanes_##width(warp, operation, place);                                                                      \
        NEXT(operation + 1);                                                                                               \
    }
DEFINE_ACCESS(load, r4)
DEFINE_ACCESS(load, q8)
DEFINE_ACCESS(store, r4)
DEFINE_ACCESS(store, q8)

/* Any other width, vectors, sign extension: lane by lane. */
ALWAYS_INLINE void access_lanes(struct warp *warp, const struct operation *operation, locate_request *find)
{
    uint8_t *place = operation->site->space == SITE_LOCAL ? NULL : find(warp, operation);
    if (__builtin_expect(!place, 0)) {
        access_slow(warp, operation);
    } else {
        const struct shape *shape = &operation->site->shape;
        FOR_ACTIVE_LANES(lane)
            access_lane(warp, operation, lane, place + shape->delta[lane]);
    }
}

/* Four floats or integers a lane. */
static inline void load_vectors(struct warp *warp, const struct memory_site *site, const uint8_t *place)
{
    uint32_t dropped[WARP_LANES];
    uint32_t *d[4];
    for (unsigned element = 0; element < 4; element++)
        d[element] = site->data[element] == UINT32_MAX ? dropped : r_register(warp, site->data[element]);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t value[4];
        memcpy(value, place + site->shape.delta[lane], sizeof value);
        d[0][lane] = value[0];
        d[1][lane] = value[1];
        d[2][lane] = value[2];
        d[3][lane] = value[3];
    }
}

ALWAYS_INLINE void load_any(struct warp *warp, const struct operation *operation, locate_request *find)
{
    struct memory_site *site = operation->site;
    if (site->vector == 4 && site->bytes == 4 && !site->wide[0] && site->space != SITE_LOCAL && warp->mask == ALL_LANES) {
        const uint8_t *place = find(warp, operation);
        if (place) {
            load_vectors(warp, site, place);
            return;
        }
    }
    warp->polls += site->is_volatile || site->strong;
    access_lanes(warp, operation, find);
}

static inline void add_integers(struct warp *warp, const struct operation *operation, uint8_t *place)
{
    const struct memory_site *site = operation->site;
    const uint32_t *operand = r_register(warp, site->data[0]);
    uint32_t ignored[WARP_LANES];
    uint32_t *d = site->access == SITE_ATOMIC && operation->d != UINT32_MAX ? r_register(warp, operation->d) : ignored;
    FOR_ACTIVE_LANES(lane) {
        uint32_t old, sum;
        memcpy(&old, place + site->shape.delta[lane], sizeof old);
        sum = old + operand[lane];
        memcpy(place + site->shape.delta[lane], &sum, sizeof sum);
        d[lane] = old;
    }
}

/* Does the request wait for another thread rather than change memory? Compare-and-swap and exchange take locks; adding 0 and
 * the like only look. */
static inline bool is_poll(const struct warp *warp, const struct memory_site *site)
{
    if (site->access != SITE_ATOMIC)
        return false;
    if (site->atomic == ATOMIC_CAS || site->atomic == ATOMIC_EXCH)
        return true;
    if (site->atomic != ATOMIC_ADD && site->atomic != ATOMIC_OR && site->atomic != ATOMIC_XOR && site->atomic != ATOMIC_MAX)
        return false;
    unsigned lane = (unsigned)__builtin_ctz(warp->mask);
    return site->wide[0] ? q_register(warp, site->data[0])[lane] == 0 : r_register(warp, site->data[0])[lane] == 0;
}

ALWAYS_INLINE void atomic_any(struct warp *warp, const struct operation *operation, locate_request *find)
{
    const struct memory_site *site = operation->site;
    warp->polls += is_poll(warp, site);
    uint8_t *place = find(warp, operation);
    if (__builtin_expect(!place, 0)) {
        access_slow(warp, operation);
        return;
    }
    if (site->atomic == ATOMIC_ADD && (site->type == PTX_U32 || site->type == PTX_S32)) {
        add_integers(warp, operation, place);
        return;
    }
    FOR_ACTIVE_LANES(lane)
        access_lane(warp, operation, lane, place + site->shape.delta[lane]);
}

#define DEFINE_ANY(prefix, find)                                                                                           \
    OPERATION(prefix##load)                                                                                                \
    {                                                                                                                      \
        load_any(warp, operation, find);                                                                                   \
        NEXT(operation + 1);                                                                                               \
    }                                                                                                                      \
    OPERATION(prefix##store)                                                                                               \
    {                                                                                                                      \
        access_lanes(warp, operation, find);                                                                               \
        NEXT(operation + 1);                                                                                               \
    }                                                                                                                      \
    OPERATION(prefix##atomic)                                                                                              \
    {                                                                                                                      \
        atomic_any(warp, operation, find);                                                                                 \
        NEXT(operation + 1);                                                                                               \
    }
DEFINE_ANY(, locate)
DEFINE_ANY(affine_, locate_affine)

OPERATION(fence)
{
#if EXECUTOR_OBSERVED
    checks_fence(warp, operation);
#endif
    (void)warp;
    NEXT(operation + 1);
}

/* nanosleep: a thread that sleeps waits for another one. */
OPERATION(sleep)
{
    warp->polls += POLL_LIMIT;
    NEXT(operation + 1);
}

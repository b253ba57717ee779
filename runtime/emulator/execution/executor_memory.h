/* Loads, stores and atomics. Part of executor.c.
 *
 * Each site remembers the relative addresses of its last request (the shape) and the allocation it lay in (the window). A
 * request of the same shape needs one vector comparison and one range check; the rest follows from the shape's kind.
 */

/* Registers are written and read in whole vectors of 32 bytes: a vector that is loaded right after its parts were stored one
 * by one waits until those stores have reached the cache. */
typedef uint32_t vector_r4 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint64_t vector_q8 __attribute__((vector_size(32), aligned(1), may_alias));
enum { VECTOR_BYTES = 32 };

/* Is every bit of 32 lanes of differences zero? The sum is kept in one vector, so that one test decides. */
static inline bool is_zero(vector_r4 difference)
{
#if defined(__AVX2__)
    return _mm256_testz_si256((__m256i)difference, (__m256i)difference);
#else
    vector_q8 wide = (vector_q8)difference;
    return (wide[0] | wide[1] | wide[2] | wide[3]) == 0;
#endif
}

static inline bool same_shape64(const struct warp *warp, const struct shape *shape, const uint64_t *address)
{
    if (shape->mask != warp->mask || shape->kind == SHAPE_NONE)
        return false;
    enum { LANES = VECTOR_BYTES / sizeof *address };
    vector_q8 base = (vector_q8){0} + address[shape->first], difference = {0};
    if (warp->mask == ALL_LANES) {
        for (unsigned lane = 0; lane < WARP_LANES; lane += LANES)
            difference |= (*(const vector_q8 *)(address + lane) - base) ^ *(const vector_q8 *)(shape->delta + lane);
        return is_zero((vector_r4)difference);
    }
    uint64_t differences = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        differences |= ((address[lane] - base[0]) ^ shape->delta[lane]) & (uint64_t)(int64_t)warp->lane_mask[lane];
    return differences == 0;
}

static inline bool same_shape32(const struct warp *warp, const struct shape *shape, const uint32_t *address)
{
    if (shape->mask != warp->mask || shape->kind == SHAPE_NONE)
        return false;
    enum { LANES = VECTOR_BYTES / sizeof *address };
    vector_r4 base = (vector_r4){0} + address[shape->first], difference = {0};
    if (warp->mask == ALL_LANES) {
        for (unsigned lane = 0; lane < WARP_LANES; lane += LANES)
            difference |= (*(const vector_r4 *)(address + lane) - base) ^ *(const vector_r4 *)(shape->delta32 + lane);
    } else {
        for (unsigned lane = 0; lane < WARP_LANES; lane += LANES)
            difference |= ((*(const vector_r4 *)(address + lane) - base) ^ *(const vector_r4 *)(shape->delta32 + lane))
                          & *(const vector_r4 *)(warp->lane_mask + lane);
    }
    return is_zero(difference);
}

/* Are the lanes, in groups of `group`, at distances of `step` bytes within each group? */
static inline bool grouped(const struct shape *shape, unsigned group, uint64_t step)
{
    uint64_t difference = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        difference |= (shape->delta[lane] - shape->delta[lane & ~(group - 1)]) ^ (lane & (group - 1)) * step;
    return difference == 0;
}

/* Describes the addresses anew. */
static __attribute__((noinline)) void reshape(const struct warp *warp, struct memory_site *site, const uint64_t *address)
{
    struct shape *shape = &site->shape;
    uint64_t size = (uint64_t)site->bytes * site->vector, misfit = 0;
    uint32_t mask = warp->mask;
    shape->first = (uint32_t)__builtin_ctz(mask);
    uint64_t base = address[shape->first];
    int64_t low = 0, high = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t delta = mask >> lane & 1 ? address[lane] - base : 0;
        shape->delta[lane] = delta;
        shape->delta32[lane] = (uint32_t)delta;
        misfit |= delta;
        low = (int64_t)delta < low ? (int64_t)delta : low;
        high = (int64_t)delta > high ? (int64_t)delta : high;
    }
    shape->mask = mask;
    shape->low = low;
    shape->extent = (uint64_t)high - (uint64_t)low + size;
    shape->aligned = (misfit & (size - 1)) == 0;
    memset(shape->sectors, 0, sizeof shape->sectors);
    shape->wavefronts = shape->multiplicity = 0;
    shape->version++;
    shape->kind = SHAPE_GATHER;
    if (mask != ALL_LANES)
        return;
    if (misfit == 0) {
        shape->kind = SHAPE_UNIFORM;
    } else if (shape->extent == size * WARP_LANES && grouped(shape, 32, size)) {
        shape->kind = SHAPE_CONTIGUOUS;
    } else {
        for (unsigned group = 16; group >= 4; group /= 2) {
            bool run = grouped(shape, group, size);
            if (!run && !grouped(shape, group, 0))
                continue;
            shape->kind = run ? SHAPE_RUNS : SHAPE_SPLATS;
            shape->group = group;
            return;
        }
    }
}

static __attribute__((noinline)) void reshape32(const struct warp *warp, struct memory_site *site, const uint32_t *address)
{
    uint64_t wide[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        wide[lane] = address[lane];
    reshape(warp, site, wide);
}

static inline uint8_t *locate(struct warp *warp, const struct operation *operation)
{
    struct memory_site *site = operation->site;
    uint64_t start;
    if (site->address_in_r) {
        const uint32_t *address = r_register(warp, operation->a);
        if (!same_shape32(warp, &site->shape, address)) {
            reshape32(warp, site, address);
        }
        start = (uint32_t)(address[site->shape.first] + (uint64_t)site->offset);
    } else {
        const uint64_t *address = q_register(warp, operation->a);
        if (!same_shape64(warp, &site->shape, address))
            reshape(warp, site, address);
        start = address[site->shape.first] + (uint64_t)site->offset;
    }
    uint64_t offset = start + (uint64_t)site->shape.low - site->window_address;
    unsigned size = (unsigned)site->bytes * site->vector;
    if (offset > site->window_bytes || site->shape.extent > site->window_bytes - offset)
        return NULL;
    if (!site->shape.aligned || (start & (size - 1)))
        return NULL;
    uintptr_t place = (uintptr_t)site->window_host + (start - site->window_address);
    uint8_t *host = site->allocation ? (uint8_t *)place : warp->shared + place;   /* of shared memory: an offset */
#if EXECUTOR_OBSERVED
    checks_request(warp, operation, start);
#endif
    return host;
}

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
            half_r4 a = *(const half_r4 *)(place + shape->delta[lane]), b = *(const half_r4 *)(place + shape->delta[lane + 4]);
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

#define DEFINE_LOAD(width, type)                                                                                           \
    OPERATION(load_##width)                                                                                                \
    {                                                                                                                      \
        const uint8_t *place = locate(warp, operation);                                                                    \
        if (__builtin_expect(!place, 0)) {                                                                                 \
            access_slow(warp, operation);                                                                                  \
            NEXT(operation + 1);                                                                                           \
        }                                                                                                                  \
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
        NEXT(operation + 1);                                                                                               \
    }

#define DEFINE_STORE(width, type)                                                                                          \
    OPERATION(store_##width)                                                                                               \
    {                                                                                                                      \
        uint8_t *place = locate(warp, operation);                                                                          \
        if (__builtin_expect(!place, 0)) {                                                                                 \
            access_slow(warp, operation);                                                                                  \
            NEXT(operation + 1);                                                                                           \
        }                                                                                                                  \
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
        NEXT(operation + 1);                                                                                               \
    }

#define REGISTER_r4 r_register
#define REGISTER_q8 q_register
DEFINE_LOAD(r4, uint32_t)
DEFINE_LOAD(q8, uint64_t)
DEFINE_STORE(r4, uint32_t)
DEFINE_STORE(q8, uint64_t)

/* Any other width, vectors, sign extension: lane by lane. */
static inline next_operation access_lanes(struct warp *warp, const struct operation *operation)
{
    uint8_t *place = operation->site->space == SITE_LOCAL ? NULL : locate(warp, operation);
    if (__builtin_expect(!place, 0)) {
        access_slow(warp, operation);
    } else {
        const struct shape *shape = &operation->site->shape;
        FOR_ACTIVE_LANES(lane)
            access_lane(warp, operation, lane, place + shape->delta[lane]);
    }
    NEXT(operation + 1);
}

OPERATION(load)
{
    struct memory_site *site = operation->site;
    if (site->vector == 4 && site->bytes == 4 && !site->wide[0] && site->space != SITE_LOCAL && warp->mask == ALL_LANES) {
        const uint8_t *place = locate(warp, operation);
        if (place) {
            const struct shape *shape = &site->shape;
            uint32_t dropped[WARP_LANES];
            uint32_t *d[4];
            for (unsigned element = 0; element < 4; element++)
                d[element] = site->data[element] == UINT32_MAX ? dropped : r_register(warp, site->data[element]);
            for (unsigned lane = 0; lane < WARP_LANES; lane++) {
                uint32_t value[4];
                memcpy(value, place + shape->delta[lane], sizeof value);
                d[0][lane] = value[0];
                d[1][lane] = value[1];
                d[2][lane] = value[2];
                d[3][lane] = value[3];
            }
            NEXT(operation + 1);
        }
    }
    warp->polls += site->is_volatile || site->strong;
    return access_lanes(warp, operation);
}

OPERATION(store)
{
    return access_lanes(warp, operation);
}

OPERATION(atomic)
{
    const struct memory_site *site = operation->site;
    warp->polls += site->access == SITE_ATOMIC && (site->atomic == ATOMIC_CAS || site->atomic == ATOMIC_EXCH);
    uint8_t *place = locate(warp, operation);
    if (__builtin_expect(!place, 0)) {
        access_slow(warp, operation);
        NEXT(operation + 1);
    }
    const struct shape *shape = &site->shape;
    if (site->atomic == ATOMIC_ADD && site->bytes == 4 && site->type != PTX_F32) {
        const uint32_t *operand = r_register(warp, site->data[0]);
        uint32_t ignored[WARP_LANES];
        uint32_t *d = site->access == SITE_ATOMIC && operation->d != UINT32_MAX ? r_register(warp, operation->d) : ignored;
        FOR_ACTIVE_LANES(lane) {
            uint32_t old, sum;
            memcpy(&old, place + shape->delta[lane], sizeof old);
            sum = old + operand[lane];
            memcpy(place + shape->delta[lane], &sum, sizeof sum);
            d[lane] = old;
        }
        NEXT(operation + 1);
    }
    FOR_ACTIVE_LANES(lane)
        access_lane(warp, operation, lane, place + shape->delta[lane]);
    NEXT(operation + 1);
}

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

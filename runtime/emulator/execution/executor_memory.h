/* Loads, stores and atomics. Part of executor.c.
 *
 * Each site remembers the relative addresses of its last request (the shape) and the allocation it lay in (the window). A
 * request of the same shape needs one vector comparison and one range check; the rest follows from the shape's kind.
 */

static inline bool same_shape64(const struct warp *warp, const struct shape *shape, const uint64_t *address)
{
    if (shape->mask != warp->mask || shape->kind == SHAPE_NONE)
        return false;
    uint64_t base = address[shape->first], difference = 0;
    if (warp->mask == ALL_LANES) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            difference |= (address[lane] - base) ^ shape->delta[lane];
    } else {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            difference |= ((address[lane] - base) ^ shape->delta[lane]) & (uint64_t)(int64_t)warp->lane_mask[lane];
    }
    return difference == 0;
}

static inline bool same_shape32(const struct warp *warp, const struct shape *shape, const uint32_t *address)
{
    if (shape->mask != warp->mask || shape->kind == SHAPE_NONE)
        return false;
    uint32_t base = address[shape->first], difference = 0;
    if (warp->mask == ALL_LANES) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            difference |= (address[lane] - base) ^ shape->delta32[lane];
    } else {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            difference |= ((address[lane] - base) ^ shape->delta32[lane]) & (uint32_t)warp->lane_mask[lane];
    }
    return difference == 0;
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
    shape->wavefronts = shape->multiplicity = shape->place_count = 0;
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

static inline uint8_t *locate(struct warp *warp, const struct operation *operation)
{
    struct memory_site *site = operation->site;
    uint64_t start;
    if (site->address_in_r) {
        const uint32_t *address = r_register(warp, operation->a);
        if (!same_shape32(warp, &site->shape, address)) {
            uint64_t wide[WARP_LANES];
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                wide[lane] = address[lane];
            reshape(warp, site, wide);
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
    uint8_t *host = site->window_host + (start - site->window_address);
    if (!site->allocation)
        host = warp->shared + (uintptr_t)host;
#if EXECUTOR_OBSERVED
    checks_request(warp, operation, start);
#endif
    return host;
}

/* Runs `copy` on each place of a grouped shape with a constant size, so that it becomes a few vector moves. */
#define COPY_GROUPS(bytes_of_lane, copy)                                                                                   \
    switch (shape->group) {                                                                                                \
    case 16:                                                                                                               \
        for (unsigned lane = 0; lane < WARP_LANES; lane += 16) {                                                           \
            enum { BYTES = 16 * (bytes_of_lane) };                                                                         \
            copy;                                                                                                          \
        }                                                                                                                  \
        break;                                                                                                             \
    case 8:                                                                                                                \
        for (unsigned lane = 0; lane < WARP_LANES; lane += 8) {                                                            \
            enum { BYTES = 8 * (bytes_of_lane) };                                                                          \
            copy;                                                                                                          \
        }                                                                                                                  \
        break;                                                                                                             \
    default:                                                                                                               \
        for (unsigned lane = 0; lane < WARP_LANES; lane += 4) {                                                            \
            enum { BYTES = 4 * (bytes_of_lane) };                                                                          \
            copy;                                                                                                          \
        }                                                                                                                  \
    }

#define DEFINE_LOAD(name, type, part)                                                                                      \
    OPERATION(name)                                                                                                        \
    {                                                                                                                      \
        const uint8_t *place = locate(warp, operation);                                                                    \
        if (__builtin_expect(!place, 0)) {                                                                                 \
            access_slow(warp, operation);                                                                                  \
            return operation + 1;                                                                                          \
        }                                                                                                                  \
        type *d = part(warp, operation->d);                                                                                \
        const struct shape *shape = &operation->site->shape;                                                               \
        type value;                                                                                                        \
        switch (shape->kind) {                                                                                             \
        case SHAPE_CONTIGUOUS:                                                                                             \
            memcpy(d, place, WARP_LANES * sizeof *d);                                                                      \
            break;                                                                                                         \
        case SHAPE_UNIFORM:                                                                                                \
            memcpy(&value, place, sizeof value);                                                                           \
            for (unsigned lane = 0; lane < WARP_LANES; lane++)                                                             \
                d[lane] = value;                                                                                           \
            break;                                                                                                         \
        case SHAPE_RUNS:                                                                                                   \
            COPY_GROUPS(sizeof(type), memcpy(d + lane, place + shape->delta[lane], BYTES))                                 \
            break;                                                                                                         \
        case SHAPE_SPLATS:                                                                                                 \
            for (unsigned lane = 0; lane < WARP_LANES; lane += 4) {                                                        \
                memcpy(&value, place + shape->delta[lane], sizeof value);                                                  \
                d[lane] = d[lane + 1] = d[lane + 2] = d[lane + 3] = value;                                                 \
            }                                                                                                              \
            break;                                                                                                         \
        default:                                                                                                           \
            if (shape->mask == ALL_LANES) {                                                                                \
                for (unsigned lane = 0; lane < WARP_LANES; lane++)                                                         \
                    memcpy(&d[lane], place + shape->delta[lane], sizeof *d);                                               \
            } else {                                                                                                       \
                FOR_ACTIVE_LANES(lane)                                                                                     \
                    memcpy(&d[lane], place + shape->delta[lane], sizeof *d);                                               \
            }                                                                                                              \
        }                                                                                                                  \
        return operation + 1;                                                                                              \
    }

#define DEFINE_STORE(name, type, part)                                                                                     \
    OPERATION(name)                                                                                                        \
    {                                                                                                                      \
        uint8_t *place = locate(warp, operation);                                                                          \
        if (__builtin_expect(!place, 0)) {                                                                                 \
            access_slow(warp, operation);                                                                                  \
            return operation + 1;                                                                                          \
        }                                                                                                                  \
        const type *d = part(warp, operation->d);                                                                          \
        const struct shape *shape = &operation->site->shape;                                                               \
        switch (shape->kind) {                                                                                             \
        case SHAPE_CONTIGUOUS:                                                                                             \
            memcpy(place, d, WARP_LANES * sizeof *d);                                                                      \
            break;                                                                                                         \
        case SHAPE_RUNS:                                                                                                   \
            COPY_GROUPS(sizeof(type), memcpy(place + shape->delta[lane], d + lane, BYTES))                                 \
            break;                                                                                                         \
        default: /* lanes in rising order: where several store to one place, the last one wins */                          \
            FOR_ACTIVE_LANES(lane)                                                                                         \
                memcpy(place + shape->delta[lane], &d[lane], sizeof *d);                                                   \
        }                                                                                                                  \
        return operation + 1;                                                                                              \
    }

DEFINE_LOAD(load_r4, uint32_t, r_register)
DEFINE_LOAD(load_q8, uint64_t, q_register)
DEFINE_STORE(store_r4, uint32_t, r_register)
DEFINE_STORE(store_q8, uint64_t, q_register)

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
    return operation + 1;
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
            return operation + 1;
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
        return operation + 1;
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
        return operation + 1;
    }
    FOR_ACTIVE_LANES(lane)
        access_lane(warp, operation, lane, place + shape->delta[lane]);
    return operation + 1;
}

OPERATION(fence)
{
#if EXECUTOR_OBSERVED
    checks_fence(warp, operation);
#endif
    (void)warp;
    return operation + 1;
}

/* nanosleep: a thread that sleeps waits for another one. */
OPERATION(sleep)
{
    warp->polls += POLL_LIMIT;
    return operation + 1;
}

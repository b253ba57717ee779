/* Where a memory instruction goes: shapes, windows, host addresses. Part of executor.c.
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
static inline bool is_zero(const void *vector)
{
    const vector_r4 difference = *(const vector_r4 *)vector;
#if defined(__AVX2__)
    return _mm256_testz_si256((__m256i)difference, (__m256i)difference);
#else
    const vector_q8 wide = (vector_q8)difference;
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
        return is_zero(&difference);
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
    return is_zero(&difference);
}

/* Are the lanes, in groups of `group`, at distances of `step` bytes within each group? */
static inline bool grouped(const struct shape *shape, unsigned group, uint64_t step)
{
    uint64_t difference = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        difference |= (shape->delta[lane] - shape->delta[lane & ~(group - 1)]) ^ (lane & (group - 1)) * step;
    return difference == 0;
}

/* Could there be groups at all? The first four lanes tell. */
static inline bool grouped_by_four(const struct shape *shape, uint64_t size)
{
    uint64_t step = shape->delta[1];
    return (step == 0 || step == size) && shape->delta[2] == 2 * step && shape->delta[3] == 3 * step;
}

/* Describes the addresses anew. */
static __attribute__((noinline)) void reshape(const struct warp *warp, struct memory_site *site, const uint64_t *address)
{
    struct shape *shape = &site->shape;
    uint64_t size = site->request_bytes, misfit = 0;
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
    shape->wavefronts = shape->multiplicity = shape->run_count = 0;
    shape->version++;
    shape->kind = SHAPE_GATHER;
    if (mask != ALL_LANES)
        return;
    if (misfit == 0) {
        shape->kind = SHAPE_UNIFORM;
    } else if (shape->extent == size * WARP_LANES && grouped(shape, 32, size)) {
        shape->kind = SHAPE_CONTIGUOUS;
    } else if (grouped_by_four(shape, size)) {
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

#if EXECUTOR_OBSERVED
/* Is there nothing that a checker could ask about the request? So it is with most loads from arrays that are only read. */
static inline bool is_quiet(const struct warp *warp, const struct memory_site *site)
{
    const struct memory_allocation *allocation = site->allocation;
    return warp->unchecked
           || (allocation && allocation->quiet_in == warp->quiet && site->access == SITE_LOAD && !warp->poisoned);
}

/* Counts a request of a shape that has been counted before, of an array in which there is nothing left to mark as touched.
 * Returns false where it takes more. */
static inline bool count_known(struct memory_site *site, uint64_t start)
{
    const struct shape *shape = &site->shape;
    if (!site->allocation) {
        if (!shape->wavefronts)
            return false;
        site->units += shape->wavefronts;
        site->conflicts += (uint64_t)shape->wavefronts - shape->wavefronts_ideal;
    } else {
        uint8_t sectors = shape->sectors[start % 32];
        if (!sectors || !site->allocation->all_touched || site->access >= SITE_ATOMIC)
            return false;
        site->units += sectors;
    }
    site->requests++;
    return true;
}
#endif

/* Tells the checkers and counters of a request. */
static inline void tell_request(struct warp *warp, const struct operation *operation, uint64_t start)
{
#if EXECUTOR_OBSERVED
    if (warp->counts && (warp->looked_at || !count_known(operation->site, start)))
        checks_count(warp, operation, start);
    if (!is_quiet(warp, operation->site))
        checks_request(warp, operation, start);
#else
    (void)warp;
    (void)operation;
    (void)start;
#endif
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
    unsigned size = site->request_bytes;
    if (offset > site->window_bytes || site->shape.extent > site->window_bytes - offset)
        return NULL;
    if (!site->shape.aligned || (start & (size - 1)))
        return NULL;
    uintptr_t place = (uintptr_t)site->window_host + (start - site->window_address);
    uint8_t *host = site->allocation ? (uint8_t *)place : warp->shared + place;   /* of shared memory: an offset */
    tell_request(warp, operation, start);
    return host;
}

/* Control flow, barriers, and the operations in which lanes exchange values. Part of executor.c. */

#if EXECUTOR_OBSERVED
static inline void add_to_lanes(struct warp *warp, uint32_t lanes, uint64_t instructions)
{
    warp->uneven = true;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        warp->lane_instructions[lane] += (0 - (uint64_t)(lanes >> lane & 1)) & instructions;
}

/* The lanes stay the same for some blocks, mostly: their instructions are added up before each lane gets them. */
static __attribute__((noinline)) void count_block_of_some(struct warp *warp, const struct operation *operation)
{
    operation->counters->absent += WARP_LANES - (unsigned)__builtin_popcount(warp->mask);
    if (warp->mask != warp->partial_mask) {
        if (warp->partial_instructions)
            add_to_lanes(warp, warp->partial_mask, warp->partial_instructions);
        warp->partial_mask = warp->mask;
        warp->partial_instructions = 0;
    }
    warp->partial_instructions += operation->extra;
}

static inline void count_block(struct warp *warp, const struct operation *operation)
{
    operation->counters->warps++;
    if (warp->mask == ALL_LANES)
        warp->common_instructions += operation->extra;
    else
        count_block_of_some(warp, operation);
}
#endif

static inline void enter_block(struct warp *warp, const struct operation *operation)
{
    warp->budget -= operation->extra;
#if EXECUTOR_OBSERVED
    if (warp->counts)
        count_block(warp, operation);
#endif
}

static inline bool slice_used(const struct warp *warp)
{
    return (warp->budget <= 0) | (warp->polls >= POLL_LIMIT);
}

OPERATION(block)
{
    if (__builtin_expect(slice_used(warp), 0)) {
        next_operation next = warp_yield(warp, operation);
        if (next != operation)
            return next;
    }
    enter_block(warp, operation);
    NEXT(operation + 1);
}

OPERATION(block_join)
{
    if (warp->join && warp->join->at == operation) {
        next_operation next = warp_arrive(warp, operation);
        if (next || !warp->mask)
            return next;
    }
    return run_block(warp, operation);
}

/* The next operation runs only in the lanes whose predicate holds. */
OPERATION(guard)
{
    uint32_t lanes = warp->mask & source_predicate(warp, operation->a, operation->negated);
#if EXECUTOR_OBSERVED
    uint32_t off = warp->mask & ~lanes;
    if (warp->counts && off) {
        operation->counters->absent += (uint64_t)__builtin_popcount(off);
        add_to_lanes(warp, off, UINT64_MAX);   /* wraps; the sum with common_instructions is right */
    }
#endif
    if (!lanes)
        return operation + operation->extra + 2;
    warp->saved_mask = warp->mask;
    warp_set_mask(warp, lanes);
    NEXT(operation + 1);
}

OPERATION(unguard)
{
    warp_set_mask(warp, warp->saved_mask);
    NEXT(operation + 1);
}

OPERATION(jump)
{
    (void)warp;
    NEXT(operation->target);
}

OPERATION(branch)
{
    uint32_t taken = warp->mask & source_predicate(warp, operation->a, operation->negated);
    warp->last_branch = operation;
    if (taken == warp->mask)
        NEXT(operation->target);
    if (!taken)
        NEXT(operation + 1);
    return warp_diverge(warp, operation, taken);
}

OPERATION(exit)
{
    return warp_exit(warp, operation);
}

OPERATION(trap)
{
    return library_trap(warp, operation);
}

OPERATION(call)
{
    return library_call(warp, operation, operation->call->callee);
}

OPERATION(call_register)
{
    return library_call_register(warp, operation);
}

OPERATION(call_external)
{
    return library_call_external(warp, operation);
}

OPERATION(call_done)
{
    library_call_done(warp, operation);
    NEXT(operation + 1);
}

OPERATION(ret)
{
    (void)operation;   /* where it goes stands in the frame */
    return library_return(warp);
}

/* d: result of bar.red (predicate or r); a: barrier number in r; b: threads in r or UINT32_MAX; c: source predicate;
 * extra: see enum barrier_flags. */
OPERATION(barrier)
{
    if (operation->extra & BARRIER_PLAIN && warp->mask == warp->live) {
        warp_park(warp, operation);
        return NULL;
    }
    return library_barrier(warp, operation);
}

static inline uint32_t first_lane_value(const struct warp *warp, uint32_t offset)
{
    return r_register(warp, offset)[__builtin_ctz(warp->mask)];
}

/* Do the active lanes carry one mask in register `offset`? They need not: the tiles of a block carry one each, and each set
 * of lanes with one mask is then a warp of its own. */
static inline bool same_members(const struct warp *warp, uint32_t offset)
{
    const uint32_t *members = r_register(warp, offset);
    uint32_t first = members[__builtin_ctz(warp->mask)], differs = 0;
    if (warp->mask == ALL_LANES) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            differs |= members[lane] ^ first;
    } else {
        FOR_ACTIVE_LANES(lane)
            differs |= members[lane] ^ first;
    }
    return !differs;
}

/* Active lanes whose mask is that of the first one of `lanes`. */
static uint32_t lanes_of_mask(const struct warp *warp, uint32_t offset, uint32_t lanes)
{
    const uint32_t *members = r_register(warp, offset);
    uint32_t first = members[__builtin_ctz(lanes)], same = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        same |= (uint32_t)(members[__builtin_ctz(rest)] == first) << __builtin_ctz(rest);
    return same;
}

/* Runs an operation whose lanes carry different masks. When each set is complete they all go at once and stay together. */
static __attribute__((noinline)) next_operation run_by_mask(struct warp *warp, const struct operation *operation,
                                                            uint32_t offset)
{
    const uint32_t *members = r_register(warp, offset);
    uint32_t all = warp->mask, missing = 0;
    for (uint32_t rest = all, set; rest; rest &= ~set) {
        set = lanes_of_mask(warp, offset, rest);
        missing |= members[__builtin_ctz(set)] & ~set & warp->live;
    }
    if (missing) {   /* the first set goes on alone, the others come again */
        struct operation split = {.target = operation, .instruction = operation->instruction};
        warp_diverge(warp, &split, all & ~lanes_of_mask(warp, offset, all));
        return operation;
    }
    uint32_t copy[WARP_LANES];   /* the result may lie where the masks do */
    memcpy(copy, members, sizeof copy);
    for (uint32_t rest = all, set; rest; rest &= ~set) {
        set = 0;
        for (uint32_t lanes = rest; lanes; lanes &= lanes - 1)
            set |= (uint32_t)(copy[__builtin_ctz(lanes)] == copy[__builtin_ctz(rest)]) << __builtin_ctz(lanes);
        warp_set_mask(warp, set);
        operation->run(warp, operation);
    }
    warp_set_mask(warp, all);
    return operation + 1;
}

OPERATION(warp_barrier)
{
    next_operation next;
    if (!same_members(warp, operation->a))
        return run_by_mask(warp, operation, operation->a);
    if (!warp_gather(warp, operation, first_lane_value(warp, operation->a), &next))
        return next;
#if EXECUTOR_OBSERVED
    checks_warp_barrier(warp, warp->mask);
#endif
    NEXT_BY_LOOP(operation + 1);
}

/* Which lane each lane reads: itself where the other lies outside of its segment. Returns who reads inside, one bit a lane.
 *   b   lane or distance    c   clamp in bits 0 to 4, segment mask in bits 8 to 12 */
static inline uint32_t shuffle_sources(uint32_t mode, const uint32_t b[WARP_LANES], const uint32_t c[WARP_LANES],
                                       uint32_t from[WARP_LANES])
{
    _Alignas(32) int32_t inside[WARP_LANES];
#define SOURCES(other, is_inside)                                                                                          \
    for (int32_t lane = 0; lane < WARP_LANES; lane++) {                                                                    \
        int32_t source = b[lane] & 31, segment = c[lane] >> 8 & 31, minimum = lane & segment;                              \
        int32_t limit = minimum | ((int32_t)(c[lane] & 31) & ~segment), at = (other);                                      \
        (void)minimum;                                                                                                     \
        inside[lane] = -(int32_t)(is_inside);                                                                              \
        from[lane] = (uint32_t)((at & inside[lane]) | (lane & ~inside[lane]));                                             \
    }                                                                                                                      \
    break
    switch (mode) {
    case SHUFFLE_UP: SOURCES(lane - source, at >= limit);
    case SHUFFLE_DOWN: SOURCES(lane + source, at <= limit);
    case SHUFFLE_BUTTERFLY: SOURCES(lane ^ source, at <= limit);
    default: SOURCES(minimum | (source & ~segment), at <= limit);
    }
#undef SOURCES
    return pack_lanes(inside);
}

/* read[lane] = a[from[lane]] */
static inline void gather_lanes(uint32_t read[WARP_LANES], const uint32_t a[WARP_LANES], const uint32_t from[WARP_LANES])
{
#if defined(__AVX2__)
    __m256i part[4];
    for (unsigned i = 0; i < 4; i++)
        part[i] = _mm256_loadu_si256((const __m256i *)(const void *)(a + 8 * i));
    for (unsigned i = 0; i < 4; i++) {   /* of each part the lane that bits 0 to 2 name; bits 3 and 4 name the part */
        __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)(from + 8 * i));
        __m256 bit3 = _mm256_castsi256_ps(_mm256_slli_epi32(at, 28)), bit4 = _mm256_castsi256_ps(_mm256_slli_epi32(at, 27));
        __m256 found[4];
        for (unsigned k = 0; k < 4; k++)
            found[k] = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(part[k], at));
        __m256 low = _mm256_blendv_ps(found[0], found[1], bit3), high = _mm256_blendv_ps(found[2], found[3], bit3);
        _mm256_storeu_ps((float *)(void *)(read + 8 * i), _mm256_blendv_ps(low, high, bit4));
    }
#else
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        read[lane] = a[from[lane]];
#endif
}

/* d: result, or UINT32_MAX; immediate: predicate result in the upper half (UINT32_MAX none), lane mask register below;
 * a: value, b: lane or delta, c: clamp and segment mask; extra: mode. */
OPERATION(shuffle)
{
    next_operation next;
    if (!same_members(warp, (uint32_t)operation->immediate))
        return run_by_mask(warp, operation, (uint32_t)operation->immediate);
    if (!warp_gather(warp, operation, first_lane_value(warp, (uint32_t)operation->immediate), &next))
        return next;
#if EXECUTOR_OBSERVED
    checks_exchange(warp, operation);
#endif
    const uint32_t *a = r_register(warp, operation->a), *b = r_register(warp, operation->b),
                   *c = r_register(warp, operation->c);
    _Alignas(32) uint32_t from[WARP_LANES], read[WARP_LANES];
    uint32_t inside = shuffle_sources(operation->extra, b, c, from);
    gather_lanes(read, a, from);
    if (operation->d != UINT32_MAX) {
        uint32_t *d = r_register(warp, operation->d);
        FOR_LANES(u32, uint32_t value = read[lane])
    }
    uint32_t predicate = (uint32_t)(operation->immediate >> 32);
    if (predicate != UINT32_MAX)
        set_predicate(warp, predicate, inside);
    NEXT_BY_LOOP(operation + 1);
}

/* d: predicate, or r for ballot; a: source predicate; b: lane mask; extra: mode. */
OPERATION(vote)
{
    next_operation next;
    if (!same_members(warp, operation->b))
        return run_by_mask(warp, operation, operation->b);
    if (!warp_gather(warp, operation, first_lane_value(warp, operation->b), &next))
        return next;
#if EXECUTOR_OBSERVED
    checks_exchange(warp, operation);
#endif
    uint32_t votes = source_predicate(warp, operation->a, operation->negated) & warp->mask;
    if (operation->extra == VOTE_BALLOT) {
        uint32_t *d = r_register(warp, operation->d);
        FOR_ACTIVE_LANES(lane)
            d[lane] = votes;
        NEXT_BY_LOOP(operation + 1);
    }
    bool result = operation->extra == VOTE_ALL   ? votes == warp->mask
                  : operation->extra == VOTE_ANY ? votes != 0
                                                 : votes == warp->mask || votes == 0;
    set_predicate(warp, operation->d, result ? ALL_LANES : 0);
    NEXT_BY_LOOP(operation + 1);
}

/* d: r; a: value (in q when negated is set); b: lane mask; c: predicate of match.all, or UINT32_MAX; extra 1: all. */
OPERATION(match)
{
    next_operation next;
    if (!same_members(warp, operation->b))
        return run_by_mask(warp, operation, operation->b);
    if (!warp_gather(warp, operation, first_lane_value(warp, operation->b), &next))
        return next;
#if EXECUTOR_OBSERVED
    checks_exchange(warp, operation);
#endif
    uint64_t value[WARP_LANES];
    uint32_t same[WARP_LANES];
    FOR_ACTIVE_LANES(lane)
        value[lane] = operation->negated ? q_register(warp, operation->a)[lane] : r_register(warp, operation->a)[lane];
    FOR_ACTIVE_LANES(lane) {
        same[lane] = 0;
        for (unsigned other = 0; other < WARP_LANES; other++)
            if (warp->mask >> other & 1)
                same[lane] |= (uint32_t)(value[lane] == value[other]) << other;
    }
    bool all = same[__builtin_ctz(warp->mask)] == warp->mask;
    if (operation->d != UINT32_MAX) {
        uint32_t *d = r_register(warp, operation->d);
        FOR_ACTIVE_LANES(lane)
            d[lane] = !operation->extra ? same[lane] : all ? warp->mask : 0;
    }
    if (operation->c != UINT32_MAX)
        set_predicate(warp, operation->c, all ? ALL_LANES : 0);
    NEXT_BY_LOOP(operation + 1);
}

/* d, a: r; b: lane mask; extra: enum atomic_operation, 16 added when signed. */
OPERATION(redux)
{
    next_operation next;
    if (!same_members(warp, operation->b))
        return run_by_mask(warp, operation, operation->b);
    if (!warp_gather(warp, operation, first_lane_value(warp, operation->b), &next))
        return next;
#if EXECUTOR_OBSERVED
    checks_exchange(warp, operation);
#endif
    const uint32_t *a = r_register(warp, operation->a);
    uint32_t result = a[__builtin_ctz(warp->mask)];
    uint32_t others = warp->mask & (warp->mask - 1);
    for (; others; others &= others - 1)
        access_atomic((enum atomic_operation)(operation->extra & 15), operation->extra & 16 ? PTX_S32 : PTX_U32, &result,
                      a[__builtin_ctz(others)], 0);
    uint32_t *d = r_register(warp, operation->d);
    FOR_ACTIVE_LANES(lane)
        d[lane] = result;
    NEXT_BY_LOOP(operation + 1);
}

OPERATION(activemask)
{
    uint32_t *d = r_register(warp, operation->d);
    FOR_ACTIVE_LANES(lane)
        d[lane] = warp->mask;
    NEXT(operation + 1);
}

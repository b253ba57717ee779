#include "runtime/emulator/machine/warp_state.h"

#include <string.h>

uint64_t warp_state_mix(uint64_t state, uint64_t value)
{
    state = (state ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return state ^ state >> 29;
}

/* Four sums side by side, so that memory is the limit. */
uint64_t warp_state_bytes(uint64_t state, const void *bytes, uint64_t count)
{
    enum { LANES = 4 };
    const uint8_t *at = (const uint8_t *)bytes;
    uint64_t part[LANES] = {state, state ^ 1, state ^ 2, state ^ 3}, word[LANES];
    for (; count >= sizeof word; count -= sizeof word, at += sizeof word) {
        memcpy(word, at, sizeof word);
        for (int i = 0; i < LANES; i++)
            part[i] = warp_state_mix(part[i], word[i]);
    }
    memset(word, 0, sizeof word);
    memcpy(word, at, count);
    for (int i = 0; i < LANES; i++)
        state = warp_state_mix(warp_state_mix(state, part[i]), word[i]);
    return warp_state_mix(state, count);
}

static uint64_t mix_place(uint64_t state, const void *place)
{
    return warp_state_mix(state, (uint64_t)(uintptr_t)place);
}

static uint64_t mix_fragment(uint64_t state, const struct fragment *fragment)
{
    state = warp_state_mix(state, (uint64_t)fragment->mask << 32 | fragment->depth);
    state = mix_place(mix_place(state, fragment->at), fragment->join);
    state = warp_state_mix(mix_place(state, fragment->r), (uint64_t)fragment->local_base << 1 | fragment->passes);
    state = warp_state_mix(state, (uint64_t)fragment->barrier << 32 | fragment->barrier_threads);
    return warp_state_mix(state, fragment->members);
}

static uint64_t mix_join(uint64_t state, const struct join *join)
{
    state = warp_state_mix(state, (uint64_t)join->expected << 32 | join->arrived);
    state = mix_place(mix_place(state, join->at), join->parent);
    return warp_state_mix(mix_place(state, join->r), (uint64_t)join->depth << 1 | join->dissolved);
}

uint64_t warp_state(const struct warp *warp, const struct operation *at)
{
    /* registers of 64 and 32 bits, predicates and affine forms lie one after the other */
    uint64_t state = warp_state_bytes(0, warp->q_base, (uint64_t)(warp->local - (const uint8_t *)warp->q_base));
    state = warp_state_mix(state, (uint64_t)warp->ready << 32 | warp->at_barrier);
    state = warp_state_mix(state, (uint64_t)warp->at_warp_barrier << 32 | warp->live);
    state = warp_state_mix(state, (uint64_t)warp->carry << 32 | warp->yielded);
    state = warp_state_mix(state, warp->kept_waiting);
    state = warp_state_mix(mix_place(mix_place(mix_place(state, at), warp->parked), warp->resume), warp->joins_used);
    if (at || warp->parked || warp->resume) { /* lanes that are not in a fragment */
        state = warp_state_mix(state, (uint64_t)warp->mask << 32 | warp->depth);
        state = warp_state_mix(mix_place(mix_place(state, warp->join), warp->r),
                               (uint64_t)warp->local_base << 1 | warp->passes);
    }
    for (uint32_t rest = warp->ready | warp->at_barrier | warp->at_warp_barrier; rest; rest &= rest - 1)
        state = mix_fragment(state, &warp->fragments[__builtin_ctz(rest)]);
    for (uint64_t rest = warp->joins_used; rest; rest &= rest - 1)
        state = mix_join(state, &warp->joins[__builtin_ctzll(rest)]);
    return state;
}

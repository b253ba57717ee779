#include "runtime/emulator/machine/mbarrier_object.h"

#include <string.h>

#include "runtime/emulator/machine/warp.h"

uint64_t mbarrier_word_of(const struct mbarrier *barrier)
{
    return UINT64_C(1) << 63 | (uint64_t)(barrier->phase & 0x7FFFFF) << 40 | (uint64_t)barrier->expected << 20
           | barrier->pending;
}

void mbarrier_store_word(struct block *block, struct mbarrier *barrier)
{
    barrier->word = mbarrier_word_of(barrier);
    memcpy(block->shared + barrier->offset, &barrier->word, sizeof barrier->word);
}

static void end_phase_if_complete(struct block *block, struct mbarrier *barrier)
{
    barrier->failures = 0;
    if (!barrier->pending && !barrier->bytes) {
        barrier->phase++;
        barrier->pending = barrier->expected;
        barrier->complete = barrier->released;
    }
    mbarrier_store_word(block, barrier);
}

void mbarrier_arrive(struct block *block, struct mbarrier *barrier, uint32_t count)
{
    barrier->pending -= count < barrier->pending ? count : barrier->pending;
    end_phase_if_complete(block, barrier);
}

void mbarrier_complete(struct block *block, struct mbarrier *barrier, int64_t bytes)
{
    barrier->bytes -= bytes;
    end_phase_if_complete(block, barrier);
}

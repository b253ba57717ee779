/* Shuffles, votes, matches and reductions with one mask whose lanes are at different instructions.
 *
 * Since Volta a lane waits until all lanes of the mask have reached an instruction "with the same qualifiers and the same
 * mask" (PTX ISA 9.7.9.6 and similar), wherever it is: both sides of a branch may shuffle with each other. An H200
 * does so for each of these operations; different operations never meet.
 */
#ifndef EMULATOR_EXCHANGE_H
#define EMULATOR_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/emulator/machine/warp.h"

/* May lanes at `a` and at `b` meet? */
bool exchange_is_same(const struct operation *a, const struct operation *b);

/* Executes the operation for the running fragment, which is at `at`, and for those in `slots` of warp->fragments, each
 * with the registers that its own instruction names. */
void exchange_run(struct warp *warp, const struct operation *at, uint32_t members, uint32_t slots);

#endif

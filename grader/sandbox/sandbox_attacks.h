/* Tries to break out of each layer, with harmless attempts: the truth about a sandbox is what cannot be done in it. */
#ifndef SANDBOX_ATTACKS_H
#define SANDBOX_ATTACKS_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/sandbox/sandbox.h"

enum {
#define ATTACK(function, meaning) SANDBOX_ATTACK_##function,
#include "grader/sandbox/sandbox_attacks.def"
#undef ATTACK
    SANDBOX_ATTACK_outlive, /* outlive the grader when it is killed */
    SANDBOX_ATTACKS,
};

enum sandbox_attack_end { SANDBOX_HELD, SANDBOX_BROKEN, SANDBOX_UNTRIED, SANDBOX_GRANTED /* what the layer is for */ };

struct sandbox_attacks {
    enum sandbox_attack_end ends[SANDBOX_ATTACKS];
    int held, broken, untried, granted;
};

/* Makes every attempt in this layer; takes some tens of milliseconds. Untried: the machine cannot start the child. Needs a
 * folder for temporary files. Returns false when there is none. */
bool sandbox_attack(enum sandbox_layer layer, struct sandbox_attacks *attacks);

/* "read one of the instructor's files" */
const char *sandbox_attack_meaning(int attack);

#endif

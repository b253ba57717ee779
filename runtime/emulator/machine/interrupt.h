/* Signals that end the process while a launch runs: the launch stops, the findings so far are written, and then the signal
 * takes its usual effect. Only where the program has no handler of its own. */
#ifndef EMULATOR_INTERRUPT_H
#define EMULATOR_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* The number of the signal that was received; 0: none. Read by the running launch. */
extern volatile sig_atomic_t interrupt_signal;

enum { INTERRUPT_SIGNALS = 3 };

/* What the signals did before the launch. */
struct interrupt {
    struct sigaction before[INTERRUPT_SIGNALS];
    bool taken[INTERRUPT_SIGNALS];
};

/* Installs the handlers, and restores the old ones; the latter does not return when a signal was received. */
void interrupt_begin(struct interrupt *interrupt);
void interrupt_end(const struct interrupt *interrupt);

#endif

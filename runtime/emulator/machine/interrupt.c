#include "runtime/emulator/machine/interrupt.h"

#include <string.h>

volatile sig_atomic_t interrupt_signal;

static const int numbers[INTERRUPT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

static void take(int number)
{
    interrupt_signal = number;
}

void interrupt_begin(struct interrupt *interrupt)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = take;
    action.sa_flags = SA_RESTART;
    for (int i = 0; i < INTERRUPT_SIGNALS; i++) {
        interrupt->taken[i] = sigaction(numbers[i], NULL, &interrupt->before[i]) == 0
                              && !(interrupt->before[i].sa_flags & SA_SIGINFO) && interrupt->before[i].sa_handler == SIG_DFL
                              && sigaction(numbers[i], &action, NULL) == 0;
    }
}

void interrupt_end(const struct interrupt *interrupt)
{
    for (int i = 0; i < INTERRUPT_SIGNALS; i++)
        if (interrupt->taken[i])
            sigaction(numbers[i], &interrupt->before[i], NULL);
    if (interrupt_signal) {
        int number = interrupt_signal;
        interrupt_signal = 0;
        raise(number);
    }
}

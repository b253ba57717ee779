/* What `extra` means in operations that come in several kinds. */
#ifndef EMULATOR_MODES_H
#define EMULATOR_MODES_H

enum carry_flags {
    CARRY_IN = 1,
    CARRY_OUT = 2,
    CARRY_SUBTRACT = 4,
    CARRY_WIDE = 8,
    CARRY_MULTIPLY = 16,
    CARRY_HIGH = 32,
    CARRY_SIGNED = 64
};
enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNIFORM, VOTE_BALLOT };
enum barrier_flags {
    BARRIER_ARRIVE = 1,
    BARRIER_AND = 2,
    BARRIER_OR = 4,
    BARRIER_POPC = 8,
    BARRIER_ALIGNED = 16,
    BARRIER_NEGATED = 32,
    BARRIER_PLAIN = 64 /* of all threads, by a constant number, which is in `immediate` */
};
enum space_test { TEST_GLOBAL, TEST_SHARED, TEST_LOCAL, TEST_CONST, TEST_PARAM };

#endif

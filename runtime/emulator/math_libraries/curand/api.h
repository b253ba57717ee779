/* The types of cuRAND's host API, with the numbers that programs pass and compare (cuRAND 10.x, "Host API"). */
#ifndef EMULATOR_CURAND_API_H
#define EMULATOR_CURAND_API_H

#include <stddef.h>
#include <stdint.h>

enum curand_status {
    STATUS_SUCCESS = 0,
    STATUS_NOT_INITIALIZED = 101,
    STATUS_ALLOCATION_FAILED = 102,
    STATUS_TYPE_ERROR = 103,
    STATUS_OUT_OF_RANGE = 104,
    STATUS_LENGTH_NOT_MULTIPLE = 105,
    STATUS_LAUNCH_FAILURE = 201,
    STATUS_INITIALIZATION_FAILED = 203,
    STATUS_INTERNAL_ERROR = 999,
};

enum curand_type {
    TYPE_PSEUDO_DEFAULT = 100,
    TYPE_XORWOW = 101,
    TYPE_MRG32K3A = 121,
    TYPE_MTGP32 = 141,
    TYPE_MT19937 = 142,
    TYPE_PHILOX4_32_10 = 161,
    TYPE_QUASI_DEFAULT = 200,
    TYPE_SOBOL32 = 201,
    TYPE_SCRAMBLED_SOBOL32 = 202,
    TYPE_SOBOL64 = 203,
    TYPE_SCRAMBLED_SOBOL64 = 204,
};

enum curand_order {
    ORDER_BEST = 100,
    ORDER_DEFAULT = 101,
    ORDER_SEEDED = 102,
    ORDER_LEGACY = 103,
    ORDER_DYNAMIC = 104,
    ORDER_QUASI = 201,
};

struct generator;
struct discrete; /* a distribution in device memory */

#define EXPORTED                  __attribute__((visibility("default")))
#define FUNCTION(name, arguments) EXPORTED int name arguments;
#include "runtime/emulator/math_libraries/curand/curand.def"
#undef FUNCTION

#endif

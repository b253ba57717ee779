#include "runtime/emulator/machine/roles.h"

const uint8_t operation_roles[HANDLER_COUNT] = {
#define UNARY(name, ...)                                  [HANDLER_##name] = ROLE_PRIVATE | ROLE_LANES,
#define BINARY(name, ...)                                 [HANDLER_##name] = ROLE_PRIVATE | ROLE_LANES,
#define TERNARY(name, ...)                                [HANDLER_##name] = ROLE_PRIVATE | ROLE_LANES,
#define COMPARE(name, ...)                                [HANDLER_##name] = ROLE_PRIVATE | ROLE_LANES,
#define REGISTERS(name, d, a, b, c, poison, affine, role) [HANDLER_##name] = (role),
#define BY_HAND(name, poison, affine, role)               [HANDLER_##name] = (role),
#include "runtime/emulator/machine/operations.def"
};

const uint8_t operation_affine_rules[HANDLER_COUNT] = {
#define UNARY(name, D, A, expression, poison, affine)         [HANDLER_##name] = AFFINE_##affine,
#define BINARY(name, D, A, B, expression, poison, affine)     [HANDLER_##name] = AFFINE_##affine,
#define TERNARY(name, D, A, B, C, expression, poison, affine) [HANDLER_##name] = AFFINE_##affine,
#define COMPARE(name, A, expression, poison, affine)          [HANDLER_##name] = AFFINE_##affine,
#define REGISTERS(name, d, a, b, c, poison, affine, role)     [HANDLER_##name] = AFFINE_##affine,
#define BY_HAND(name, poison, affine, role)                   [HANDLER_##name] = AFFINE_##affine,
#include "runtime/emulator/machine/operations.def"
};

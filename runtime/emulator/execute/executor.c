/* Operations on the 32 lanes of a warp. Compiled once per level of vector instructions (EXECUTOR_ISA) and once more with the
 * hooks of counters and checkers (EXECUTOR_OBSERVED): see executor.h. The compiler vectorises the loops over lanes. */
#include "runtime/emulator/machine/executor.h"

#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "runtime/emulator/arithmetic/half_math.h"
#include "runtime/emulator/arithmetic/lane_math.h"
#include "runtime/emulator/arithmetic/matrix.h"
#include "runtime/emulator/arithmetic/mode_math.h"
#include "runtime/emulator/arithmetic/rounding.h"
#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/affine.h"
#include "runtime/emulator/machine/async.h"
#include "runtime/emulator/machine/cluster.h"
#include "runtime/emulator/machine/cluster_barrier.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/library.h"
#include "runtime/emulator/machine/mbarrier.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/machine/texture.h"
#include "runtime/emulator/machine/waiting.h"
#include "runtime/emulator/machine/warp_flow.h"
#include "runtime/emulator/machine/work.h"

#define JOIN_NAMES_(a, b) a##b
#define JOIN_NAMES(a, b)  JOIN_NAMES_(a, b)
#define TEXT_(x)          #x
#define TEXT(x)           TEXT_(x)

#if defined(__clang__)
#define INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT_LANES _Pragma("GCC ivdep") /* lane i never depends on lane j */
#endif

typedef const struct operation *next_operation;

/* Does an observer see every operation? It does while a register is poison. */
#if EXECUTOR_OBSERVED
#define STEPS(warp) __builtin_expect((warp)->watches != 0, 0)
#else
#define STEPS(warp) false
#endif

/* How an operation ends. In optimised code it jumps to the next one, so that the processor predicts each of these jumps
 * separately; else, and where an observer must see every operation, it returns the next one to the calling loop. */
#if defined(__clang__)
#define TAIL_CALL __attribute__((musttail))
#else
#define TAIL_CALL
#endif
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NEXT(next) return next
#else
#define NEXT(next)                                \
    do {                                          \
        next_operation next_ = (next);            \
        if (STEPS(warp))                          \
            return next_;                         \
        TAIL_CALL return next_->run(warp, next_); \
    } while (0)
#endif
/* The end of an operation that hands out addresses of its own variables: what runs next must not overlap them. */
#define NEXT_BY_LOOP(next) return next
#define OPERATION(name)    static next_operation run_##name(struct warp *warp, const struct operation *operation)

/* An operation on lanes alone knows nothing of hooks: the plain build has its function, and the observed build of the same
 * level uses that one. It continues with the next operation even where an observer must see each: warp_run_alone(). */
#define DECLARE_LANES(name)                      \
    next_operation run_##name(struct warp *warp, \
                              const struct operation *operation) __asm__("lockstep_" TEXT(EXECUTOR_ISA) "_" #name)
#if EXECUTOR_OBSERVED
#define LANES_OPERATION(name) DECLARE_LANES(name);
#else
#define LANES_OPERATION(name)                                                       \
    DECLARE_LANES(name);                                                            \
    next_operation run_##name(struct warp *warp, const struct operation *operation) \
    {                                                                               \
        do_##name(warp, operation);                                                 \
        NEXT(operation + 1);                                                        \
    }
#endif

/* What an operation does, without its end. */
#define DO(name) \
    static inline __attribute__((always_inline)) void do_##name(struct warp *warp, const struct operation *operation)

/* How a value of each type is stored in a lane's slot. */
#define SLOT_u16               uint32_t
#define SLOT_s16               uint32_t
#define SLOT_u32               uint32_t
#define SLOT_s32               int32_t
#define SLOT_f32               float
#define SLOT_u64               uint64_t
#define SLOT_s64               int64_t
#define SLOT_f64               double
#define PART_u16               warp->r
#define PART_s16               warp->r
#define PART_u32               warp->r
#define PART_s32               warp->r
#define PART_f32               warp->r
#define PART_u64               warp->q
#define PART_s64               warp->q
#define PART_f64               warp->q
#define REGISTER(type, offset) ((SLOT_##type *)((char *)PART_##type + (offset)))

static inline uint32_t *r_register(const struct warp *warp, uint32_t offset)
{
    return (uint32_t *)((char *)warp->r + offset);
}

static inline uint64_t *q_register(const struct warp *warp, uint32_t offset)
{
    return (uint64_t *)((char *)warp->q + offset);
}

/* What a division by zero gives, which a finding tells; only of lanes that are active. */
#define ZERO_DIVISOR(result) \
    ((warp->mask >> lane & 1 ? library_zero_divisor(warp, operation, lane, (int64_t)(result)) : (void)0), (result))

/* Writes value(lane) to the active lanes of d. */
#define FOR_LANES(D, compute)                                            \
    if (warp->mask == ALL_LANES) {                                       \
        INDEPENDENT_LANES                                                \
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {             \
            compute;                                                     \
            d[lane] = (SLOT_##D)(VALUE_##D)value;                        \
        }                                                                \
    } else {                                                             \
        const int32_t *active = warp->lane_mask;                         \
        INDEPENDENT_LANES                                                \
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {             \
            compute;                                                     \
            SLOT_##D result = (SLOT_##D)(VALUE_##D)value, old = d[lane]; \
            d[lane] = active[lane] ? result : old;                       \
        }                                                                \
    }

#define UNARY(name, D, A, expression, poison, affine)                                                    \
    DO(name)                                                                                             \
    {                                                                                                    \
        SLOT_##D *d = REGISTER(D, operation->d);                                                         \
        const SLOT_##A *source_a = REGISTER(A, operation->a);                                            \
        FOR_LANES(D, VALUE_##A a = (VALUE_##A)source_a[lane]; VALUE_##D value = (VALUE_##D)(expression)) \
    }                                                                                                    \
    LANES_OPERATION(name)
#define BINARY(name, D, A, B, expression, poison, affine)                                              \
    DO(name)                                                                                           \
    {                                                                                                  \
        SLOT_##D *d = REGISTER(D, operation->d);                                                       \
        const SLOT_##A *source_a = REGISTER(A, operation->a);                                          \
        const SLOT_##B *source_b = REGISTER(B, operation->b);                                          \
        FOR_LANES(D, VALUE_##A a = (VALUE_##A)source_a[lane]; VALUE_##B b = (VALUE_##B)source_b[lane]; \
                  VALUE_##D value = (VALUE_##D)(expression))                                           \
    }                                                                                                  \
    LANES_OPERATION(name)
/* By a constant: the same for all lanes, for which every level of vector instructions has a shift. */
#define SHIFT(name, D, A, expression, poison, affine)                                                        \
    DO(name)                                                                                                 \
    {                                                                                                        \
        SLOT_##D *d = REGISTER(D, operation->d);                                                             \
        const SLOT_##A *source_a = REGISTER(A, operation->a);                                                \
        if (operation->extra) {                                                                              \
            const uint32_t b = operation->extra - 1;                                                         \
            FOR_LANES(D, VALUE_##A a = (VALUE_##A)source_a[lane]; VALUE_##D value = (VALUE_##D)(expression)) \
        } else {                                                                                             \
            const uint32_t *source_b = REGISTER(u32, operation->b);                                          \
            FOR_LANES(D, VALUE_##A a = (VALUE_##A)source_a[lane]; uint32_t b = source_b[lane];               \
                      VALUE_##D value = (VALUE_##D)(expression))                                             \
        }                                                                                                    \
    }                                                                                                        \
    LANES_OPERATION(name)
#define TERNARY(name, D, A, B, C, expression, poison, affine)                                          \
    DO(name)                                                                                           \
    {                                                                                                  \
        SLOT_##D *d = REGISTER(D, operation->d);                                                       \
        const SLOT_##A *source_a = REGISTER(A, operation->a);                                          \
        const SLOT_##B *source_b = REGISTER(B, operation->b);                                          \
        const SLOT_##C *source_c = REGISTER(C, operation->c);                                          \
        FOR_LANES(D, VALUE_##A a = (VALUE_##A)source_a[lane]; VALUE_##B b = (VALUE_##B)source_b[lane]; \
                  VALUE_##C c = (VALUE_##C)source_c[lane]; VALUE_##D value = (VALUE_##D)(expression))  \
    }                                                                                                  \
    LANES_OPERATION(name)

/* 32 comparison results (0 or -1) to one bit a lane. */
static inline uint32_t pack_lanes(const int32_t *flags)
{
#if defined(__AVX2__)
    uint32_t bits = 0;
    for (unsigned i = 0; i < 4; i++)
        bits |= (uint32_t)_mm256_movemask_ps(_mm256_loadu_ps((const float *)flags + 8 * i)) << (8 * i);
    return bits;
#elif defined(__SSE2__)
    uint32_t bits = 0;
    for (unsigned i = 0; i < 8; i++)
        bits |= (uint32_t)__builtin_ia32_movmskps(*(const float __attribute__((vector_size(16))) *)(flags + (size_t)4 * i))
                << (4 * i);
    return bits;
#else
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        bits |= (uint32_t)(flags[lane] & 1) << lane;
    return bits;
#endif
}

static inline void set_predicate(struct warp *warp, uint32_t index, uint32_t bits)
{
    warp->p[index] = (warp->p[index] & ~warp->mask) | (bits & warp->mask);
}

#define COMPARE(name, A, expression, poison, affine)                                \
    DO(name)                                                                        \
    {                                                                               \
        _Alignas(32) int32_t flags[WARP_LANES];                                     \
        const SLOT_##A *source_a = REGISTER(A, operation->a);                       \
        const SLOT_##A *source_b = REGISTER(A, operation->b);                       \
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {                        \
            VALUE_##A a = (VALUE_##A)source_a[lane], b = (VALUE_##A)source_b[lane]; \
            flags[lane] = -(int32_t)(expression);                                   \
        }                                                                           \
        set_predicate(warp, operation->d, pack_lanes(flags));                       \
    }                                                                               \
    LANES_OPERATION(name)
#define REGISTERS(name, ...)
#define BY_HAND(name, ...)
#include "runtime/emulator/machine/operations.def"

/* The same on one lane, for affine registers. */
#undef ZERO_DIVISOR
#define ZERO_DIVISOR(result) \
    (library_zero_divisor(warp, operation, (unsigned)__builtin_ctz(warp->mask), (int64_t)(result)), (result))
#define SCALAR(D) __attribute__((unused)) static inline VALUE_##D
#define UNARY(name, D, A, expression, poison, affine)                                                \
    SCALAR(D) scalar_##name(const struct warp *warp, const struct operation *operation, VALUE_##A a) \
    {                                                                                                \
        (void)warp;                                                                                  \
        (void)operation;                                                                             \
        return (VALUE_##D)(expression);                                                              \
    }
#define BINARY(name, D, A, B, expression, poison, affine)                                                         \
    SCALAR(D) scalar_##name(const struct warp *warp, const struct operation *operation, VALUE_##A a, VALUE_##B b) \
    {                                                                                                             \
        (void)warp;                                                                                               \
        (void)operation;                                                                                          \
        return (VALUE_##D)(expression);                                                                           \
    }
#define TERNARY(name, D, A, B, C, expression, poison, affine)                                                        \
    SCALAR(D)                                                                                                        \
    scalar_##name(const struct warp *warp, const struct operation *operation, VALUE_##A a, VALUE_##B b, VALUE_##C c) \
    {                                                                                                                \
        (void)warp;                                                                                                  \
        (void)operation;                                                                                             \
        return (VALUE_##D)(expression);                                                                              \
    }
#define COMPARE(name, ...)
#define REGISTERS(name, ...)
#define BY_HAND(name, ...)
#include "runtime/emulator/machine/operations.def"

/* Each uses the ones above it. */
// clang-format off
#include "runtime/emulator/execute/executor_data.inc"
#include "runtime/emulator/execute/executor_request.inc"
#include "runtime/emulator/execute/executor_affine.inc"
#include "runtime/emulator/execute/executor_memory.inc"
#include "runtime/emulator/execute/executor_async.inc"
#include "runtime/emulator/execute/executor_texture.inc"
#include "runtime/emulator/execute/executor_flow.inc"
#include "runtime/emulator/execute/executor_tile.inc"
#include "runtime/emulator/execute/executor_matrix.inc"
#include "runtime/emulator/execute/executor_fused.inc"
// clang-format on

const struct executor JOIN_NAMES(JOIN_NAMES(executor_, EXECUTOR_ISA), EXECUTOR_BUILD) = {
    .name = TEXT(EXECUTOR_ISA),
    .run =
        {
#define EACH_OPERATION(name) [HANDLER_##name] = run_##name,
#include "runtime/emulator/machine/operations.def"
        },
    .affine =
        {
#define RUN_AFFINE(name, affine)                              IF_AFFINE_##affine([HANDLER_##name] = run_affine_##name, )
#define UNARY(name, D, A, expression, poison, affine)         RUN_AFFINE(name, affine)
#define BINARY(name, D, A, B, expression, poison, affine)     RUN_AFFINE(name, affine)
#define TERNARY(name, D, A, B, C, expression, poison, affine) RUN_AFFINE(name, affine)
#define COMPARE(name, A, expression, poison, affine)          RUN_AFFINE(name, affine)
#define REGISTERS(name, d, a, b, c, poison, affine, role)     RUN_AFFINE(name, affine)
#define BY_HAND(name, poison, affine, role)                   RUN_AFFINE(name, affine)
#include "runtime/emulator/machine/operations.def"
        },
    .fuse = fuse,
};

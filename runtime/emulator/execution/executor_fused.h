/* Neighbours that often stand together, as one function: what they save is the way from one operation to the next. Each
 * keeps its own place in the bytecode, so that branches may lead between them, and so that the first can leave the others to
 * themselves. Part of executor.c.
 */

/* A load that is as usual; where it is not, or brings poison, it goes on alone. */
#define USUAL_LOAD(at)                                                                                                     \
    do {                                                                                                                   \
        const uint8_t *place_ = locate_known(warp, at);                                                                    \
        if (__builtin_expect(!place_, 0))                                                                                  \
            return learn_load_r4(warp, at);                                                                                \
        load_lanes_r4(warp, at, place_);                                                                                   \
        if (STEPS(warp))                                                                                                   \
            return (at) + 1;                                                                                               \
    } while (0)

OPERATION(fused_load_load)
{
    USUAL_LOAD(operation);
    USUAL_LOAD(operation + 1);
    NEXT(operation + 2);
}

OPERATION(fused_load_fma)
{
    USUAL_LOAD(operation);
    do_fma_f32(warp, operation + 1);
    NEXT(operation + 2);
}

OPERATION(fused_load_load_fma)
{
    USUAL_LOAD(operation);
    USUAL_LOAD(operation + 1);
    do_fma_f32(warp, operation + 2);
    NEXT(operation + 3);
}

/* A comparison in lanes and the branch on it. */
#define FUSED_COMPARE(name)                                                                                                \
    OPERATION(fused_##name##_branch)                                                                                       \
    {                                                                                                                      \
        do_##name(warp, operation);                                                                                        \
        if (STEPS(warp))                                                                                                   \
            return operation + 1;                                                                                          \
        return run_branch(warp, operation + 1);                                                                            \
    }
FUSED_COMPARE(eq_u32)
FUSED_COMPARE(ne_u32)
FUSED_COMPARE(lt_u32)
FUSED_COMPARE(le_u32)
FUSED_COMPARE(lt_s32)
FUSED_COMPARE(le_s32)
FUSED_COMPARE(lt_f32)

static const struct fusion {
    operation_run *parts[3], *whole;   /* two parts, or three */
} fusions[] = {
    /* the longest first */
    {{run_affine_load_r4, run_affine_load_r4, run_fma_f32}, run_fused_load_load_fma},
    {{run_affine_load_r4, run_affine_load_r4, NULL}, run_fused_load_load},
    {{run_affine_load_r4, run_fma_f32, NULL}, run_fused_load_fma},
    {{run_eq_u32, run_branch, NULL}, run_fused_eq_u32_branch},
    {{run_ne_u32, run_branch, NULL}, run_fused_ne_u32_branch},
    {{run_lt_u32, run_branch, NULL}, run_fused_lt_u32_branch},
    {{run_le_u32, run_branch, NULL}, run_fused_le_u32_branch},
    {{run_lt_s32, run_branch, NULL}, run_fused_lt_s32_branch},
    {{run_le_s32, run_branch, NULL}, run_fused_le_s32_branch},
    {{run_lt_f32, run_branch, NULL}, run_fused_lt_f32_branch},
};

static operation_run *fused_at(const struct operation *at, size_t left)
{
    for (const struct fusion *fusion = fusions; fusion < fusions + sizeof fusions / sizeof *fusions; fusion++) {
        unsigned part = 0;
        while (part < 3 && fusion->parts[part] && part < left && at[part].run == fusion->parts[part])
            part++;
        if (part == 3 || !fusion->parts[part])
            return fusion->whole;
    }
    return NULL;
}

static void fuse(struct operation *operations, size_t count)
{
    for (size_t i = 0; i < count; i++) {   /* those behind are still as they were */
        operation_run *whole = fused_at(&operations[i], count - i);
        if (whole)
            operations[i].run = whole;
    }
}

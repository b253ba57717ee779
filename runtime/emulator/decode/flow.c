#include "runtime/emulator/decode/flow.h"

#include <string.h>

bool flow_needs_branch(const struct ptx_instruction *instruction)
{
    return instruction->opcode.form->role & PTX_CONVERGES;
}

/* Steps before labels are bound: `first_step[i]` is the first step of instruction i. */
static int list_steps(const struct ptx_function *function, struct flow_step *steps, int *first_step)
{
    int count = 0;
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        enum ptx_form_id form = instruction->opcode.form->id;
        struct flow_step step = {.instruction = (int)i, .target = -1, .choice = -1};
        first_step[i] = count;
        if (form == FORM_BRA) {
            step.kind = instruction->guard >= 0 ? FLOW_BRANCH : FLOW_JUMP;
            step.negated = instruction->guard_negated;
            steps[count++] = step;
            continue;
        }
        if (instruction->guard >= 0 && flow_needs_branch(instruction)) {
            step.kind = FLOW_BRANCH;
            step.synthetic = true;
            step.negated = !instruction->guard_negated;
            step.target = -2; /* the next instruction */
            steps[count++] = step;
            step.synthetic = false;
            step.negated = false;
            step.target = -1;
        }
        if (form == FORM_BRX) { /* one comparison and branch a target; behind them nothing is defined */
            for (unsigned k = 0; k < instruction->operands[1].count; k++) {
                step.kind = FLOW_BRANCH;
                step.choice = (int)k;
                steps[count++] = step;
                step.synthetic = true;
            }
            step.kind = FLOW_EXIT;
            step.choice = -1;
            steps[count++] = step;
            continue;
        }
        step.kind = form == FORM_RET                                               ? FLOW_JUMP
                    : form == FORM_EXIT || form == FORM_TRAP || form == FORM_BRKPT ? FLOW_EXIT
                                                                                   : FLOW_STRAIGHT;
        step.target = form == FORM_RET ? -3 : -1; /* -3: the last step */
        steps[count++] = step;
    }
    first_step[function->instruction_count] = count;
    steps[count++] = (struct flow_step){.kind = FLOW_RETURN, .instruction = -1, .target = -1, .choice = -1};
    return count;
}

static void bind_targets(const struct ptx_function *function, struct flow *flow, const int *first_step)
{
    for (int i = 0; i < flow->step_count; i++) {
        struct flow_step *step = &flow->steps[i];
        if (step->target == -2)
            step->target = first_step[step->instruction + 1];
        else if (step->target == -3)
            step->target = flow->step_count - 1;
        else if (step->choice >= 0)
            step->target =
                first_step[function->instructions[step->instruction].operands[1].elements[step->choice].label->instruction];
        else if (step->kind == FLOW_JUMP || step->kind == FLOW_BRANCH)
            step->target = first_step[function->instructions[step->instruction].operands[0].label->instruction];
    }
}

static void list_blocks(struct flow *flow, const struct ptx_function *function, unsigned char *leader)
{
    leader[0] = 1;
    for (int i = 0; i < flow->step_count; i++) {
        const struct flow_step *step = &flow->steps[i];
        if (step->kind == FLOW_JUMP || step->kind == FLOW_BRANCH)
            leader[step->target] = 1;
        bool call = step->instruction >= 0 && function->instructions[step->instruction].opcode.form->id == FORM_CALL;
        if ((step->kind != FLOW_STRAIGHT || call) && i + 1 < flow->step_count)
            leader[i + 1] = 1;
    }
    leader[flow->step_count - 1] = 1;
    for (int i = 0; i < flow->step_count; i++) {
        if (leader[i])
            flow->blocks[flow->block_count++] = (struct flow_block){.first = i, .successors = {-1, -1}, .meeting = -1};
        flow->steps[i].block = flow->block_count - 1;
        flow->blocks[flow->block_count - 1].last = i;
    }
    for (int b = 0; b < flow->block_count; b++) {
        struct flow_block *block = &flow->blocks[b];
        const struct flow_step *last = &flow->steps[block->last];
        if (last->kind == FLOW_JUMP || last->kind == FLOW_BRANCH)
            block->successors[0] = flow->steps[last->target].block;
        if (last->kind == FLOW_STRAIGHT || last->kind == FLOW_BRANCH)
            block->successors[1] = b + 1;
    }
}

/* ---- post-dominators, after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph ----
 */

struct dominance {
    int *order;  /* blocks in post-order of the reversed graph's walk … */
    int *number; /* … and each block's place there; -1 not reached */
    int *parent; /* immediate post-dominator; the virtual end is block_count */
    int *predecessor_first, *predecessor_next, *predecessor_block;
    int *stack, *edge;
    int count;
};

static void add_edge(struct dominance *dominance, int *edges, int from, int to)
{
    dominance->predecessor_block[*edges] = from;
    dominance->predecessor_next[*edges] = dominance->predecessor_first[to];
    dominance->predecessor_first[to] = (*edges)++;
}

/* Depth-first from the virtual end along reversed edges. */
static void walk(struct dominance *dominance, int start)
{
    int depth = 0;
    dominance->stack[depth] = start;
    dominance->edge[depth++] = dominance->predecessor_first[start];
    dominance->number[start] = -2; /* seen */
    while (depth > 0) {
        int edge = dominance->edge[depth - 1];
        if (edge < 0) {
            int block = dominance->stack[--depth];
            dominance->number[block] = dominance->count;
            dominance->order[dominance->count++] = block;
            continue;
        }
        dominance->edge[depth - 1] = dominance->predecessor_next[edge];
        int block = dominance->predecessor_block[edge];
        if (dominance->number[block] != -1)
            continue;
        dominance->number[block] = -2;
        dominance->stack[depth] = block;
        dominance->edge[depth++] = dominance->predecessor_first[block];
    }
}

static int intersect(const struct dominance *dominance, int a, int b)
{
    while (a != b) {
        while (dominance->number[a] < dominance->number[b])
            a = dominance->parent[a];
        while (dominance->number[b] < dominance->number[a])
            b = dominance->parent[b];
    }
    return a;
}

/* A doomed block never returns: lanes that can return do not wait for it. */
static void solve(const struct flow *flow, struct dominance *dominance, const unsigned char *to_end,
                  const unsigned char *doomed)
{
    int end = flow->block_count;
    bool changed = true;
    dominance->parent[end] = end;
    while (changed) {
        changed = false;
        for (int i = dominance->count - 2; i >= 0; i--) { /* the end itself is last in post-order */
            int block = dominance->order[i], parent = to_end[block] ? end : -1;
            for (int s = 0; s < 2; s++) {
                int successor = flow->blocks[block].successors[s];
                if (successor < 0 || dominance->parent[successor] < 0 || (doomed[successor] && !doomed[block]))
                    continue;
                parent = parent < 0 ? successor : intersect(dominance, parent, successor);
            }
            if (parent != dominance->parent[block]) {
                dominance->parent[block] = parent;
                changed = true;
            }
        }
    }
}

static bool find_meetings(struct flow *flow, struct arena *arena)
{
    size_t blocks = (size_t)flow->block_count + 1, edges_max = 3 * blocks;
    struct dominance d = {0};
    int *memory = arena_allocate(arena, (6 * blocks + 2 * edges_max) * sizeof *memory);
    unsigned char *to_end = arena_allocate(arena, blocks), *doomed = arena_allocate(arena, blocks);
    if (!memory || !to_end || !doomed)
        return false;
    d.order = memory;
    d.number = memory + blocks;
    d.parent = memory + 2 * blocks;
    d.predecessor_first = memory + 3 * blocks;
    d.stack = memory + 4 * blocks;
    d.edge = memory + 5 * blocks;
    d.predecessor_next = memory + 6 * blocks;
    d.predecessor_block = memory + 6 * blocks + edges_max;
    for (size_t i = 0; i < blocks; i++)
        d.number[i] = d.parent[i] = d.predecessor_first[i] = -1;
    int end = flow->block_count, edges = 0;
    for (int b = 0; b < end; b++) {
        const struct flow_block *block = &flow->blocks[b];
        for (int s = 0; s < 2; s++)
            if (block->successors[s] >= 0)
                add_edge(&d, &edges, b, block->successors[s]);
        /* exit and trap end a thread, so others should not wait for it there: only returns lead to the end … */
        if (flow->steps[block->last].kind == FLOW_RETURN) {
            to_end[b] = 1;
            add_edge(&d, &edges, b, end);
        }
    }
    walk(&d, end);
    for (int b = 0; b < end; b++)
        doomed[b] = d.number[b] == -1;
    /* … unless nothing else does: endless loops, and blocks that only lead to an exit. */
    for (int b = end - 1; b >= 0; b--)
        if (d.number[b] == -1) {
            to_end[b] = 1;
            add_edge(&d, &edges, b, end);
            walk(&d, b); /* only to see what it reaches: all are walked again, in order, below */
        }
    for (size_t i = 0; i < blocks; i++)
        d.number[i] = -1;
    d.count = 0;
    walk(&d, end);
    solve(flow, &d, to_end, doomed);
    for (int b = 0; b < end; b++)
        flow->blocks[b].meeting = d.parent[b] == end ? -1 : d.parent[b];
    return true;
}

bool flow_analyse(const struct ptx_function *function, struct arena *arena, struct flow *flow)
{
    size_t instructions = function->instruction_count, steps_max = 2 * instructions + function->target_count + 1;
    memset(flow, 0, sizeof *flow);
    flow->steps = arena_allocate(arena, steps_max * sizeof *flow->steps);
    flow->blocks = arena_allocate(arena, steps_max * sizeof *flow->blocks);
    int *first_step = arena_allocate(arena, (instructions + 1) * sizeof *first_step);
    unsigned char *leader = arena_allocate(arena, steps_max);
    if (!flow->steps || !flow->blocks || !first_step || !leader)
        return false;
    flow->step_count = list_steps(function, flow->steps, first_step);
    bind_targets(function, flow, first_step);
    list_blocks(flow, function, leader);
    if (!find_meetings(flow, arena))
        return false;
    for (int b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        if (flow->steps[block->last].kind == FLOW_BRANCH && block->meeting >= 0)
            flow->blocks[block->meeting].is_meeting = true;
    }
    return true;
}

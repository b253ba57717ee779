/* Plain loads that are mere guesses: an atomic operation on the same place looks again before anything comes of them.
 *
 *     old = *p;                                          if (x < *p)
 *     do {                                                   atomicMin(p, x);
 *         assumed = old;
 *         old = atomicCAS(p, assumed, f(assumed));
 *     } while (assumed != old);
 *
 * Why such a load may race with atomic operations on its place. In the memory model of PTX (ISA manual, chapter 8), a race
 * of a plain load does not make the program undefined: of each byte it returns one of the values that were written there
 * and that no write which is ordered before the load has replaced. Which one is open, and single-copy atomicity holds for
 * morally strong accesses only, so the bytes may even come from several writes. A compare-and-swap whose expected value is
 * the guess stores only if the memory, read atomically, equals the guess. Then whatever was computed from the guess was
 * computed from the value that is replaced; otherwise its result is the next guess. So what ends up in memory does not
 * depend on what the load returned, as long as the guess goes nowhere else before it is confirmed. A test that only leaves
 * out an operation which would have changed nothing, had it met the value that was read, is as good as that operation at
 * the time of the read. A compiler that loaded twice, as it may without an atomic load, would have written two loads into
 * the PTX: these are judged one by one.
 *
 * The value is followed forwards from the load through the text of the function. Each register has an identity, as in
 * static single assignment, and says on which guess it depends: the load, or a mixture of it and the results of
 * compare-and-swaps that meet at the head of a loop. The branch behind `result == expected` confirms that guess. A guess that
 * reaches memory, an address, a call, another lane or another place before is none; nor is one that decides whether
 * anything else is done.
 */
#include "runtime/emulator/observe/races/race.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/observe/races/race_text.h"

enum {
    MOST_REGISTERS = 96, /* that depend on a guess; beyond, it counts as none */
    MOST_SWAPS = 16,     /* compare-and-swaps on its place */
    MOST_OPEN = 4,       /* branches that a guess has decided, at one time */
    MOST_TURNS = 40,     /* until nothing changes any more */
    MOST_BLOCKS = 24,    /* of a shortcut */
    MOST_EDGES = 1 << 14,
};

/* Identities and guesses. */
enum { NONE = 0, GUESS = 1, MANY = 2, FIRST_INSTRUCTION = 16 };

typedef const struct ptx_instruction *instruction;

struct value {
    int exact;                /* its identity; NONE: it has none that matters */
    int guess;                /* that it depends on: NONE, an identity, or MANY: more than can be confirmed */
    int8_t whole;             /* it shows all bits of the guess that it depends on, or says which ones it has replaced */
    int8_t on_true, on_false; /* of a predicate: the swap (1 + its number) that has succeeded then; 0: none */
    int8_t unused;            /* values are compared as bytes */
};

struct open { /* a branch that a guess has decided, and whose two ways have not met yet */
    int block, guess;
    int taken;
};

struct state {
    int reached, moved; /* moved: a register of the load's address has changed since */
    struct open open[MOST_OPEN];
    unsigned open_count;
    struct value values[MOST_REGISTERS];
};

struct swap {
    int at; /* instruction */
    int exact, guess;
};

struct guess {
    struct race_text text;
    int load; /* instruction */
    const struct ptx_operand *address;
    int registers[MOST_REGISTERS]; /* that are followed */
    unsigned register_count;
    struct swap swaps[MOST_SWAPS];
    unsigned swap_count;
    struct state *states; /* [edge_count] at the end of each edge */
    bool *after;          /* [block_count] the load can come before it */
    bool confirmed;       /* an operation on the place has checked it */
    bool checks, fails;   /* the last turn: whatever a guess must not do is looked for */
};

static instruction at_of(const struct guess *guess, int i)
{
    return &guess->text.function->instructions[i];
}

static enum ptx_form_id form_of(instruction at)
{
    return at->opcode.form->id;
}

static int index_of(const struct guess *guess, int number)
{
    for (unsigned i = 0; i < guess->register_count; i++)
        if (guess->registers[i] == number)
            return (int)i;
    return -1;
}

/* ---- the place ---- */

static unsigned bytes_of(instruction at)
{
    return at->opcode.type_count ? ptx_type_bytes(at->opcode.types[at->opcode.type_count - 1]) : 0;
}

/* Is it an atomic operation on what the load reads? */
static bool is_on_place(const struct guess *guess, int i)
{
    instruction at = at_of(guess, i), load = at_of(guess, guess->load);
    return (form_of(at) == FORM_ATOM || form_of(at) == FORM_RED) && at->opcode.vector <= 1 && bytes_of(at) == bytes_of(load)
           && race_text_same_address(&guess->text, at, load);
}

static bool is_swap(instruction at)
{
    return form_of(at) == FORM_ATOM && ptx_has(&at->opcode, MOD_cas);
}

/* The operand of an atomic operation, the n-th behind its address; of a swap: what is expected, what is stored. */
static const struct ptx_operand *operand_of(instruction at, unsigned n)
{
    for (unsigned o = 0; o < at->operand_count; o++)
        if (at->operands[o].kind == OPERAND_ADDRESS)
            return o + 1 + n < at->operand_count ? &at->operands[o + 1 + n] : NULL;
    return NULL;
}

/* Has the register nothing but values of the place: what this load or another one read there, or results of operations
 * on it? */
static bool is_from_place(const struct guess *guess, int number, unsigned depth)
{
    bool any = false;
    for (int i = 0; i < (int)guess->text.function->instruction_count && depth; i++) {
        instruction at = at_of(guess, i);
        if (!race_text_sets(at, number))
            continue;
        bool reads = form_of(at) == FORM_LD && bytes_of(at) == bytes_of(at_of(guess, guess->load)) && at->opcode.vector <= 1
                     && race_text_same_address(&guess->text, at, at_of(guess, guess->load));
        bool copies = form_of(at) == FORM_MOV && at->operands[1].kind == OPERAND_REGISTER;
        any = true;
        if (!reads && !is_on_place(guess, i)
            && !(copies && (at->operands[1].index == number || is_from_place(guess, at->operands[1].index, depth - 1))))
            return false;
    }
    return any;
}

/* ---- which registers are followed ---- */

static bool follow(struct guess *guess, int number)
{
    if (index_of(guess, number) >= 0)
        return false;
    if (guess->register_count == MOST_REGISTERS) {
        guess->fails = true;
        return false;
    }
    guess->registers[guess->register_count++] = number;
    return true;
}

/* Those that are computed from what is loaded, and copies of the results of swaps. */
static void find_registers(struct guess *guess)
{
    int count = (int)guess->text.function->instruction_count;
    for (bool grew = true; grew && !guess->fails;) {
        grew = false;
        for (int i = 0; i < count && !guess->fails; i++) {
            instruction at = at_of(guess, i);
            bool takes = i == guess->load || (is_swap(at) && is_on_place(guess, i));
            for (unsigned r = 0; !takes && r < guess->register_count; r++)
                takes = race_text_computes(at) && ptx_instruction_reads(at, guess->registers[r]);
            int results[8];
            unsigned set = takes ? race_text_results(at, results) : 0;
            for (unsigned r = 0; r < set; r++)
                grew |= follow(guess, results[r]);
        }
    }
}

/* Is the result of the operation, or what is computed from it, compared with anything, or given to who called? */
static bool is_compared(const struct guess *guess, instruction operation)
{
    int from[MOST_REGISTERS], results[8];
    unsigned count = 0, done = 0;
    if (form_of(operation) == FORM_ATOM && operation->operands[0].kind == OPERAND_REGISTER)
        from[count++] = operation->operands[0].index;
    while (done < count) {
        int number = from[done++];
        for (int i = 0; i < (int)guess->text.function->instruction_count; i++) {
            instruction at = at_of(guess, i);
            if (!ptx_instruction_reads(at, number))
                continue;
            if (form_of(at) == FORM_SETP || form_of(at) == FORM_SET
                || (form_of(at) == FORM_ST && ptx_has(&at->opcode, MOD_param)))
                return true;
            unsigned set = race_text_computes(at) ? race_text_results(at, results) : 0;
            for (unsigned r = 0; r < set && count < MOST_REGISTERS; r++) {
                bool known = false;
                for (unsigned k = 0; k < count; k++)
                    known |= from[k] == results[r];
                if (!known)
                    from[count++] = results[r];
            }
        }
    }
    return false;
}

/* ---- tests ---- */

enum relation { LESS = 1, EQUAL = 2, GREATER = 4 }; /* sets of them */

static unsigned relation_of(instruction at)
{
    static const struct {
        enum ptx_modifier modifier;
        unsigned relation;
    } rows[] = {
        {MOD_eq, EQUAL},   {MOD_ne, LESS | GREATER},  {MOD_lt, LESS},     {MOD_le, LESS | EQUAL},
        {MOD_gt, GREATER}, {MOD_ge, GREATER | EQUAL}, {MOD_lo, LESS},     {MOD_ls, LESS | EQUAL},
        {MOD_hi, GREATER}, {MOD_hs, GREATER | EQUAL}, {MOD_equ, EQUAL},   {MOD_neu, LESS | GREATER},
        {MOD_ltu, LESS},   {MOD_leu, LESS | EQUAL},   {MOD_gtu, GREATER}, {MOD_geu, GREATER | EQUAL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ptx_has(&at->opcode, rows[i].modifier))
            return rows[i].relation;
    return 0;
}

struct test { /* the place stands in this relation to the operand */
    unsigned relation;
    const struct ptx_operand *operand;
};

/* What a comparison says of the place when it has this outcome. Relation 0: nothing. */
static struct test test_of(const struct guess *guess, instruction at, bool outcome)
{
    struct test test = {0, NULL};
    if (form_of(at) != FORM_SETP || at->operand_count < 3)
        return test;
    const struct ptx_operand *left = &at->operands[1], *right = &at->operands[2];
    bool swapped = right->kind == OPERAND_REGISTER && is_from_place(guess, right->index, 6);
    if (!swapped && !(left->kind == OPERAND_REGISTER && is_from_place(guess, left->index, 6)))
        return test;
    unsigned relation = relation_of(at);
    if (relation && swapped)
        relation = (relation & EQUAL) | (relation & LESS ? GREATER : 0) | (relation & GREATER ? LESS : 0);
    if (relation && !outcome)
        relation ^= LESS | EQUAL | GREATER;
    return (struct test){relation, swapped ? left : right};
}

static bool is_number(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_INTEGER;
}

/* Would the operation change nothing, if it met a value of which the test holds? */
static bool is_idle(const struct guess *guess, instruction at, struct test test)
{
    const struct ptx_opcode *opcode = &at->opcode;
    const struct ptx_operand *operand = operand_of(at, 0);
    if (!test.relation || !operand)
        return false;
    bool same = race_text_same_value(&guess->text, operand, test.operand);
    const struct ptx_operand *mine = race_text_origin(&guess->text, operand),
                             *other = race_text_origin(&guess->text, test.operand);
    bool numbers = is_number(mine) && is_number(other),
         equality = test.relation == EQUAL || test.relation == (LESS | GREATER);
    if (ptx_has(opcode, MOD_cas)) {
        if (same)
            return !(test.relation & EQUAL);
        return numbers && test.relation == EQUAL;
    }
    if (ptx_has(opcode, MOD_max) && same && !(test.relation & LESS))
        return true;
    if (ptx_has(opcode, MOD_min) && same && !(test.relation & GREATER))
        return true;
    bool sets = ptx_has(opcode, MOD_exch) || ptx_has(opcode, MOD_or) || ptx_has(opcode, MOD_and) || ptx_has(opcode, MOD_max)
                || ptx_has(opcode, MOD_min);
    if (sets && same && test.relation == EQUAL)
        return true;
    return sets && numbers && equality; /* a flag: it is set, or it is not */
}

/* Does the function compare what the operation returned as the test compared the place, or in the opposite way? */
static bool is_tested_again(const struct guess *guess, instruction operation, struct test test)
{
    int result = form_of(operation) == FORM_ATOM && operation->operands[0].kind == OPERAND_REGISTER
                     ? operation->operands[0].index
                     : -1;
    for (int i = 0; i < (int)guess->text.function->instruction_count && result >= 0; i++) {
        instruction at = at_of(guess, i);
        if (form_of(at) != FORM_SETP || !ptx_instruction_reads(at, result))
            continue;
        struct test again = test_of(guess, at, true);
        if (again.relation
            && (again.relation == test.relation || (again.relation ^ test.relation) == (LESS | EQUAL | GREATER))
            && race_text_same_value(&guess->text, again.operand, test.operand))
            return true;
    }
    return false;
}

/* The comparison, or the combination of some, that sets a predicate. */
static instruction setter_of(const struct guess *guess, int number, int before)
{
    for (int i = before - 1; i >= guess->text.first[guess->text.block_of[before]]; i--)
        if (race_text_sets(at_of(guess, i), number))
            return at_of(guess, i);
    int set = guess->text.set_in[number];
    return set >= 0 ? at_of(guess, set) : NULL;
}

/* When a predicate has this value because of the guess, would the operation change nothing? Or is what it returns tested in the
 * same way? */
static bool leaves_out_nothing(const struct guess *guess, int number, bool value, int before, instruction operation,
                               unsigned depth)
{
    instruction at = index_of(guess, number) >= 0 ? setter_of(guess, number, before) : NULL;
    if (index_of(guess, number) < 0)
        return true; /* not because of the guess */
    if (!at || depth == 0 || at->guard >= 0)
        return false;
    int place = (int)(at - guess->text.function->instructions);
    bool both = false, all = false;
    switch (form_of(at)) {
    case FORM_SETP: {
        value ^= at->operands[0].second == number;
        struct test test = test_of(guess, at, value);
        instruction part = test.operand || at->operands[1].kind != OPERAND_REGISTER
                               ? NULL
                               : setter_of(guess, at->operands[1].index, place);
        bool combined = at->operand_count > 3 && !(ptx_has(&at->opcode, MOD_and) && value)
                        && !(ptx_has(&at->opcode, MOD_or) && !value);
        bool bits = part && form_of(part) == FORM_AND && ptx_has(&operation->opcode, MOD_or)
                    && part->operands[1].kind == OPERAND_REGISTER && is_from_place(guess, part->operands[1].index, 6)
                    && race_text_same_value(&guess->text, &part->operands[2], operand_of(operation, 0));
        unsigned relation = value ? relation_of(at) : relation_of(at) ^ (LESS | EQUAL | GREATER);
        if (bits) /* the bits that it would set are set */
            return !combined
                   && (race_text_origin(&guess->text, &at->operands[2])->bits == 0 ? !(relation & EQUAL)
                                                                                   : relation == EQUAL);
        return !combined && (is_idle(guess, operation, test) || (test.relation && is_tested_again(guess, operation, test)));
    }
    case FORM_NOT: return leaves_out_nothing(guess, at->operands[1].index, !value, place, operation, depth - 1);
    case FORM_MOV: return leaves_out_nothing(guess, at->operands[1].index, value, place, operation, depth - 1);
    case FORM_AND: all = value; break; /* then both have it */
    case FORM_OR: all = !value; break;
    default: return false;
    }
    for (unsigned o = 1; o < 3; o++) {
        bool flips = at->operands[o].negated;
        if (at->operands[o].kind != OPERAND_REGISTER || at->opcode.types[0] != PTX_PRED)
            return false;
        bool fine = leaves_out_nothing(guess, at->operands[o].index, value ^ flips, place, operation, depth - 1);
        if (!all && !fine)
            return false;
        both |= fine && index_of(guess, at->operands[o].index) >= 0;
    }
    return !all || both;
}

/* ---- shortcuts: a branch past an operation that would have changed nothing ---- */

struct way { /* from a branch by way of the operation */
    int results[MOST_REGISTERS];
    unsigned count;
};

/* The block that the edge leads to, or, where that one only leads on, the one behind it. */
static int end_of(const struct guess *guess, int block)
{
    const struct race_text *text = &guess->text;
    for (unsigned k = 0; k < MOST_BLOCKS; k++) {
        int first = text->first[block];
        if (text->leaving[block + 1] - text->leaving[block] != 1 || text->first[block + 1] - first != 1
            || form_of(at_of(guess, first)) != FORM_BRA)
            break;
        block = text->edges[text->leaving[block]].to;
    }
    return block;
}

static bool comes_from(const struct guess *guess, instruction operation, int number, unsigned depth)
{
    int result = form_of(operation) == FORM_ATOM && operation->operands[0].kind == OPERAND_REGISTER
                     ? operation->operands[0].index
                     : -1;
    if (number == result || depth == 0)
        return number == result;
    int set = guess->text.set_in[number];
    instruction at = set >= 0 ? at_of(guess, set) : NULL;
    for (unsigned o = 1; at && race_text_computes(at) && o < at->operand_count; o++)
        if (at->operands[o].kind == OPERAND_REGISTER && comes_from(guess, operation, at->operands[o].index, depth - 1))
            return true;
    return false;
}

/* Does the way through `block` do nothing but an operation that makes the check again, and then come to `skipped`, unless what
 * the operation returned leads elsewhere? */
static bool is_way(struct guess *guess, int branch, bool skips_when, int block, int skipped)
{
    struct race_text *text = &guess->text;
    struct way way = {.count = 0};
    int number = at_of(guess, branch)->guard;
    instruction operation = NULL;
    bool arrived = false;
    for (unsigned k = 0; k < MOST_BLOCKS && !arrived; k++) {
        for (int i = text->first[block]; i < text->first[block + 1]; i++) {
            instruction at = at_of(guess, i);
            int results[8];
            unsigned set = race_text_results(at, results);
            if (way.count + set > MOST_REGISTERS)
                return false;
            for (unsigned r = 0; r < set; r++)
                way.results[way.count++] = results[r];
            if (form_of(at) == FORM_BRA || race_text_computes(at) || form_of(at) == FORM_LD)
                continue;
            if (!is_on_place(guess, i) || at->guard >= 0 || !leaves_out_nothing(guess, number, skips_when, branch, at, 6))
                return false;
            operation = at;
        }
        int first = text->leaving[block], count = text->leaving[block + 1] - first, next = -1;
        instruction last = at_of(guess, text->first[block + 1] - 1);
        if (count == 1)
            next = text->edges[first].to;
        for (int e = first; count == 2 && e < first + count; e++)
            if (end_of(guess, text->edges[e].to) == skipped)
                next = operation ? skipped : text->edges[2 * first + 1 - e].to;
        if (next < 0
            || (count == 2
                && (operation ? !comes_from(guess, operation, last->guard, 6) : index_of(guess, last->guard) >= 0)))
            return false;
        block = next;
        arrived = end_of(guess, block) == skipped;
    }
    for (unsigned r = 0; r < way.count; r++) /* another guess in the place of this one is followed, too */
        if (race_text_is_live(text, way.results[r], skipped) && !is_from_place(guess, way.results[r], 6))
            return false;
    return arrived && operation;
}

static bool is_shortcut(struct guess *guess, int branch)
{
    const struct race_text *text = &guess->text;
    int block = text->block_of[branch], first = text->leaving[block];
    if (text->leaving[block + 1] - first != 2)
        return false;
    for (int e = first; e < first + 2; e++) {
        const struct race_edge *skip = &text->edges[e], *goes = &text->edges[2 * first + 1 - e];
        if (is_way(guess, branch, skip->taken ^ at_of(guess, branch)->guard_negated, goes->to, end_of(guess, skip->to)))
            return true;
    }
    return false;
}

/* ---- what an instruction does ---- */

static int join(int a, int b)
{
    return !a || a == b ? b : !b ? a : MANY;
}

static struct value value_of(const struct guess *guess, const struct state *state, int number)
{
    int i = number >= 0 ? index_of(guess, number) : -1;
    return i >= 0 ? state->values[i] : (struct value){.whole = true};
}

static struct value operand_value(const struct guess *guess, const struct state *state, const struct ptx_operand *operand)
{
    struct value value = {.whole = true};
    if (!operand)
        return value;
    if (operand->kind == OPERAND_REGISTER && operand->second < 0)
        return value_of(guess, state, operand->index);
    for (unsigned r = 0; r < guess->register_count; r++)
        if (ptx_operand_names(operand, guess->registers[r])) {
            value.guess = join(value.guess, state->values[r].guess);
            value.whole = false;
        }
    return value;
}

static void fail(struct guess *guess)
{
    guess->fails |= guess->checks;
}

/* What had this identity is now something of the past. */
static void forget(const struct guess *guess, struct state *state, int identity)
{
    for (unsigned r = 0; r < guess->register_count; r++) {
        struct value *value = &state->values[r];
        value->exact = value->exact == identity ? NONE : value->exact;
        value->guess = value->guess == identity ? MANY : value->guess;
    }
    for (unsigned i = 0; i < state->open_count; i++)
        if (state->open[i].guess == identity)
            state->open[i].guess = MANY;
}

static void set(const struct guess *guess, struct state *state, int number, struct value value)
{
    int i = index_of(guess, number);
    if (i >= 0)
        state->values[i] = value;
}

static bool keeps_whole(instruction at)
{
    switch (form_of(at)) {
    case FORM_MOV:
    case FORM_AND:
    case FORM_OR:
    case FORM_XOR:
    case FORM_NOT:
    case FORM_ADD:
    case FORM_SUB:
    case FORM_BFI:
    case FORM_LOP3:
    case FORM_PRMT:
    case FORM_SELP:
    case FORM_CVT: return true;
    default: return false;
    }
}

/* A comparison of what a swap returned with what it expected. Returns 1 + its number, or 0. */
static int swap_of_comparison(const struct guess *guess, const struct state *state, instruction at)
{
    unsigned relation = relation_of(at);
    if (form_of(at) != FORM_SETP || at->operand_count != 3 || (relation != EQUAL && relation != (LESS | GREATER)))
        return 0;
    struct value a = operand_value(guess, state, &at->operands[1]), b = operand_value(guess, state, &at->operands[2]);
    for (unsigned s = 0; s < guess->swap_count; s++) {
        int result = FIRST_INSTRUCTION + 2 * guess->swaps[s].at, expected = guess->swaps[s].exact;
        if (expected && ((a.exact == result && b.exact == expected) || (b.exact == result && a.exact == expected)))
            return 1 + (int)s;
    }
    return 0;
}

static void compute(struct guess *guess, struct state *state, int i)
{
    instruction at = at_of(guess, i);
    struct value value = {.whole = keeps_whole(at)};
    bool any = false;
    int swap = swap_of_comparison(guess, state, at);
    for (unsigned o = 1; o < at->operand_count; o++) {
        struct value part = operand_value(guess, state, &at->operands[o]);
        if (form_of(at) == FORM_SELP && at->operands[3].kind == OPERAND_REGISTER && o < 3) {
            struct value chosen = operand_value(guess, state, &at->operands[3]); /* each side only where it is confirmed */
            int confirmed = (o == 1) != at->operands[3].negated ? chosen.on_true : chosen.on_false;
            if (confirmed && part.guess == guess->swaps[confirmed - 1].guess)
                part = (struct value){.whole = true};
        }
        any |= part.guess != NONE;
        value.guess = join(value.guess, part.guess);
        value.whole &= part.whole || !part.guess;
    }
    if (any && (form_of(at) == FORM_ADD_CARRY || form_of(at) == FORM_SUB_CARRY || form_of(at) == FORM_MAD_CARRY))
        fail(guess); /* by way of a register that is not followed */
    if (any || swap)
        forget(guess, state, FIRST_INSTRUCTION + 2 * i + 1);
    const struct value first = at->operand_count > 1 ? operand_value(guess, state, &at->operands[1]) : (struct value){0};
    if (swap) {
        unsigned equal = relation_of(at) == EQUAL;
        value = (struct value){.whole = true, .on_true = (int8_t)(equal ? swap : 0), .on_false = (int8_t)(equal ? 0 : swap)};
    } else if (form_of(at) == FORM_MOV && at->operands[0].kind == OPERAND_REGISTER
               && at->operands[1].kind == OPERAND_REGISTER) {
        value = first;
    } else if (form_of(at) == FORM_NOT && !value.guess) {
        value.on_true = first.on_false;
        value.on_false = first.on_true;
    } else if ((form_of(at) == FORM_AND || form_of(at) == FORM_OR) && !value.guess) {
        struct value second = operand_value(guess, state, &at->operands[2]);
        if (form_of(at) == FORM_AND)
            value.on_true = first.on_true ? first.on_true : second.on_true;
        else
            value.on_false = first.on_false ? first.on_false : second.on_false;
    } else if (value.guess) {
        value.exact = FIRST_INSTRUCTION + 2 * i + 1;
    }
    int results[8];
    unsigned count = race_text_results(at, results);
    for (unsigned r = 0; r < count; r++) {
        struct value result = value;
        if (at->operands[0].kind == OPERAND_REGISTER && r == 1) { /* p|q: q is the opposite */
            result.on_true = value.on_false;
            result.on_false = value.on_true;
        }
        if (count > 1)
            result.exact = NONE;
        if (at->guard >= 0) { /* or what it had */
            struct value before = value_of(guess, state, results[r]), guard = value_of(guess, state, at->guard);
            result = (struct value){.guess = join(join(before.guess, result.guess), guard.guess)};
        }
        set(guess, state, results[r], result);
    }
}

/* A compare-and-swap on the place. */
static void do_swap(struct guess *guess, struct state *state, int i)
{
    instruction at = at_of(guess, i);
    struct value expected = operand_value(guess, state, operand_of(at, 0)),
                 stored = operand_value(guess, state, operand_of(at, 1));
    struct swap *swap = NULL;
    for (unsigned s = 0; s < guess->swap_count; s++)
        if (guess->swaps[s].at == i)
            swap = &guess->swaps[s];
    if (!swap && guess->swap_count < MOST_SWAPS)
        swap = &guess->swaps[guess->swap_count++];
    if (!swap) {
        fail(guess);
        return;
    }
    *swap = (struct swap){i, expected.exact, expected.guess};
    bool fits = !stored.guess || (stored.guess == expected.guess && expected.guess != MANY);
    guess->confirmed |= expected.guess != NONE;
    if (expected.guess)
        fits &= expected.guess != MANY && (expected.exact == expected.guess || expected.whole) && is_compared(guess, at);
    for (unsigned k = 0; k < state->open_count; k++)
        fits &= expected.guess && state->open[k].guess == expected.guess;
    if (!fits || value_of(guess, state, at->guard).guess)
        fail(guess);
    forget(guess, state, FIRST_INSTRUCTION + 2 * i);
    if (at->operands[0].kind == OPERAND_REGISTER)
        set(guess, state, at->operands[0].index, (struct value){.exact = FIRST_INSTRUCTION + 2 * i, .whole = true});
}

static bool takes_guess(const struct guess *guess, const struct state *state, instruction at)
{
    bool takes = value_of(guess, state, at->guard).guess;
    for (unsigned o = at->operand_count && ptx_form_defines(at->opcode.form); o < at->operand_count && !takes; o++)
        takes = operand_value(guess, state, &at->operands[o]).guess;
    return takes;
}

/* An instruction that does more than compute: nothing of it may come from a guess. */
static void act(struct guess *guess, struct state *state, int i)
{
    instruction at = at_of(guess, i);
    bool reads = form_of(at) == FORM_LD, guarded = value_of(guess, state, at->guard).guess != NONE;
    bool repeats = guarded && is_on_place(guess, i) && !state->moved
                   && leaves_out_nothing(guess, at->guard, at->guard_negated, i, at, 6);
    if ((!reads && form_of(at) != FORM_RET && form_of(at) != FORM_EXIT && form_of(at) != FORM_BRX && state->open_count)
        || (takes_guess(guess, state, at) && !repeats))
        fail(guess);
    for (unsigned o = 1; repeats && o < at->operand_count; o++)
        if (operand_value(guess, state, &at->operands[o]).guess)
            fail(guess);
    guess->confirmed |= repeats;
    int results[8];
    unsigned count = race_text_results(at, results);
    for (unsigned r = 0; r < count; r++)
        set(guess, state, results[r], (struct value){.whole = true});
}

static void step(struct guess *guess, struct state *state, int i)
{
    instruction at = at_of(guess, i);
    bool moves = guess->address->index >= 0 && race_text_sets(at, guess->address->index);
    if (i == guess->load) {
        forget(guess, state, GUESS);
        if (value_of(guess, state, at->guard).guess || moves)
            fail(guess);
        set(guess, state, at->operands[0].index, (struct value){.exact = GUESS, .guess = GUESS, .whole = true});
        state->moved = false;
        return;
    }
    if (race_text_computes(at))
        compute(guess, state, i);
    else if (is_swap(at) && !state->moved && is_on_place(guess, i))
        do_swap(guess, state, i);
    else if (form_of(at) != FORM_BRA)
        act(guess, state, i);
    state->moved |= moves;
}

/* ---- branches ---- */

static void confirm(const struct guess *guess, struct state *state, int swap)
{
    int confirmed = swap ? guess->swaps[swap - 1].guess : NONE;
    if (!confirmed || confirmed == MANY)
        return;
    for (unsigned r = 0; r < guess->register_count; r++)
        if (state->values[r].guess == confirmed)
            state->values[r] = (struct value){.whole = true};
    unsigned kept = 0;
    for (unsigned i = 0; i < state->open_count; i++)
        if (state->open[i].guess != confirmed)
            state->open[kept++] = state->open[i];
    state->open_count = kept;
}

/* A branch that makes the test of an earlier one again, with a value that an operation on the place has returned. */
static void test_again(struct guess *guess, struct state *state, int branch, bool outcome)
{
    int number = at_of(guess, branch)->guard;
    instruction mine = setter_of(guess, number, branch);
    struct test test = mine ? test_of(guess, mine, outcome) : (struct test){0, NULL};
    unsigned kept = 0;
    for (unsigned i = 0; i < state->open_count; i++) {
        const struct open *open = &state->open[i];
        int other = guess->text.first[open->block + 1] - 1, guard = at_of(guess, other)->guard;
        instruction theirs = guard >= 0 ? setter_of(guess, guard, other) : NULL;
        struct test before = theirs ? test_of(guess, theirs, open->taken ^ at_of(guess, other)->guard_negated)
                                    : (struct test){0, NULL};
        if (!test.relation || before.relation != test.relation
            || !race_text_same_value(&guess->text, test.operand, before.operand))
            state->open[kept++] = *open;
    }
    state->open_count = kept;
}

/* What a guess decides must be of no consequence where the two ways meet, unless it is followed. */
static void check_region(struct guess *guess, int block, int meeting)
{
    struct race_text *text = &guess->text;
    bool *region = malloc((size_t)text->block_count * sizeof *region);
    race_text_region(text, block, meeting);
    if (region)
        memcpy(region, text->visited, (size_t)text->block_count * sizeof *region);
    for (int b = 0; region && b < text->block_count && meeting >= 0; b++)
        for (int i = text->first[b]; region[b] && i < text->first[b + 1]; i++) {
            int results[8];
            unsigned count = race_text_results(at_of(guess, i), results);
            for (unsigned r = 0; r < count; r++)
                if (index_of(guess, results[r]) < 0 && race_text_is_live(text, results[r], meeting))
                    fail(guess);
        }
    if (!region)
        fail(guess);
    free(region);
}

/* The state at the end of a block goes along its edges. Returns whether any of them changed. */
static bool leave(struct guess *guess, const struct state *state, int block)
{
    const struct race_text *text = &guess->text;
    int last = text->first[block + 1] - 1;
    instruction at = at_of(guess, last);
    struct value guard = value_of(guess, state, at->guard);
    bool branches = form_of(at) == FORM_BRA && at->guard >= 0, changed = false;
    bool opens = branches && guard.guess && !is_shortcut(guess, last);
    guess->confirmed |= branches && guard.guess && !opens;
    if (opens && guess->checks)
        check_region(guess, block, race_text_meeting(&guess->text, block));
    for (int e = text->leaving[block]; e < text->leaving[block + 1]; e++) {
        struct state next = *state;
        bool outcome = text->edges[e].taken ^ at->guard_negated;
        next.reached = true;
        if (branches && !guard.guess) {
            confirm(guess, &next, outcome ? guard.on_true : guard.on_false);
            test_again(guess, &next, last, outcome);
        }
        if (opens) {
            test_again(guess, &next, last, outcome);
            unsigned k = 0;
            while (k < next.open_count && next.open[k].block != block)
                k++;
            if (k == MOST_OPEN)
                fail(guess);
            else
                next.open[k] = (struct open){block, guard.guess, text->edges[e].taken};
            next.open_count += k < MOST_OPEN && k == next.open_count;
        }
        if (memcmp(&next, &guess->states[e], sizeof next) != 0) {
            guess->states[e] = next;
            changed = true;
        }
    }
    return changed;
}

/* ---- where ways meet ---- */

static int meeting_identity(int block, unsigned r)
{
    return (int)(0x40000000u | ((unsigned)block * MOST_REGISTERS + r));
}

static bool is_of_block(int identity, int block)
{
    return identity >= meeting_identity(block, 0) && identity < meeting_identity(block, 0) + MOST_REGISTERS;
}

/* The states that come into a block; of a way by which the load cannot have come before: an empty one. */
struct entry {
    const struct state *states[64];
    unsigned count;
};

static const struct value *arriving(const struct entry *entry, unsigned i, unsigned r)
{
    return &entry->states[i]->values[r];
}

/* Do all ways bring the same identity, and is it not of an earlier turn of this loop? */
static bool is_unchanged(const struct entry *entry, unsigned r, int block)
{
    for (unsigned i = 1; i < entry->count; i++)
        if (memcmp(arriving(entry, i, r), arriving(entry, 0, r), sizeof(struct value)) != 0)
            return false;
    return !is_of_block(arriving(entry, 0, r)->exact, block) && !is_of_block(arriving(entry, 0, r)->guess, block);
}

/* Is it a new guess: a copy of a guess or of a result on every way, but not the same one? */
static bool is_new_guess(const struct entry *entry, unsigned r, int block)
{
    bool any = false;
    for (unsigned i = 0; i < entry->count; i++) {
        const struct value *value = arriving(entry, i, r);
        if (!value->exact || (value->guess && value->guess != value->exact))
            return false;
        any |= value->guess != NONE;
    }
    return any && !is_unchanged(entry, r, block);
}

/* The new guess of which something is a function that on each way depends on the guess given, or on none. NONE: there is
 * none. */
static int new_guess_for(const struct guess *guess, const struct entry *entry, const int *guesses, int block)
{
    for (unsigned r = 0; r < guess->register_count; r++) {
        if (!is_new_guess(entry, r, block))
            continue;
        bool fits = true;
        for (unsigned i = 0; i < entry->count; i++)
            fits &= !guesses[i] || guesses[i] == arriving(entry, i, r)->exact;
        if (fits)
            return meeting_identity(block, r);
    }
    return NONE;
}

/* A guess that remains one here, the same on each way that has any. MANY: there is none. */
static int lasting_guess(const struct entry *entry, const int *guesses, int block)
{
    int lasting = NONE;
    for (unsigned i = 0; i < entry->count; i++)
        lasting = join(lasting, guesses[i]);
    return is_of_block(lasting, block) ? MANY : lasting;
}

static struct value meet(const struct guess *guess, const struct entry *entry, unsigned r, int block)
{
    int guesses[64];
    struct value met = *arriving(entry, 0, r);
    if (is_unchanged(entry, r, block))
        return met;
    met = (struct value){.exact = meeting_identity(block, r), .whole = true};
    for (unsigned i = 0; i < entry->count; i++) {
        guesses[i] = arriving(entry, i, r)->guess;
        met.whole &= arriving(entry, i, r)->whole;
    }
    bool any = false;
    for (unsigned i = 0; i < entry->count; i++)
        any |= guesses[i] != NONE;
    if (!any)
        return (struct value){.whole = true};
    if (is_new_guess(entry, r, block)) {
        met.guess = met.exact;
        return met;
    }
    met.guess = new_guess_for(guess, entry, guesses, block);
    if (!met.guess)
        met.guess = lasting_guess(entry, guesses, block);
    return met;
}

/* Branches that are still open, or whose two ways meet here: what has come to be different depends on their guess. */
static void meet_open(struct guess *guess, const struct entry *entry, int block, struct state *met)
{
    for (unsigned i = 0; i < entry->count; i++)
        for (unsigned k = 0; k < entry->states[i]->open_count; k++) {
            struct open open = entry->states[i]->open[k];
            int guesses[64];
            bool known = false;
            for (unsigned j = 0; j < met->open_count; j++)
                known |= met->open[j].block == open.block;
            for (unsigned j = 0; j < entry->count; j++) {
                guesses[j] = NONE;
                for (unsigned m = 0; m < entry->states[j]->open_count; m++)
                    if (entry->states[j]->open[m].block == open.block)
                        guesses[j] = entry->states[j]->open[m].guess;
            }
            int fresh = new_guess_for(guess, entry, guesses, block);
            open.guess = fresh ? fresh : lasting_guess(entry, guesses, block);
            if (race_text_meeting(&guess->text, open.block) == block) {
                for (unsigned r = 0; r < guess->register_count; r++)
                    if (!is_unchanged(entry, r, block))
                        met->values[r].guess = join(met->values[r].guess, open.guess);
            } else if (!known && met->open_count < MOST_OPEN) {
                met->open[met->open_count++] = open;
            } else if (!known) {
                fail(guess);
            }
        }
}

static bool enter(struct guess *guess, int block, struct state *met)
{
    static const struct state empty;
    struct entry entry = {.count = 0};
    bool from_elsewhere = block == 0;
    memset(met, 0, sizeof *met);
    for (int e = 0; e < guess->text.edge_count; e++) {
        const struct race_edge *edge = &guess->text.edges[e];
        if (edge->to != block)
            continue;
        from_elsewhere |= !guess->after[edge->from];
        if (!guess->states[e].reached)
            continue;
        if (entry.count == 62) {
            guess->fails = true;
            return false;
        }
        entry.states[entry.count++] = &guess->states[e];
    }
    if (from_elsewhere)
        entry.states[entry.count++] = &empty;
    if (!entry.count)
        return false;
    for (unsigned r = 0; r < guess->register_count; r++)
        met->values[r] = meet(guess, &entry, r, block);
    meet_open(guess, &entry, block, met);
    for (unsigned i = 0; i < entry.count; i++)
        met->moved |= entry.states[i]->moved;
    return true;
}

/* ---- the verdict ---- */

static bool turn(struct guess *guess)
{
    bool changed = false;
    for (int block = 0; block < guess->text.block_count && !guess->fails; block++) {
        struct state state;
        if (!guess->after[block] || !enter(guess, block, &state))
            continue;
        for (int i = guess->text.first[block]; i < guess->text.first[block + 1] && !guess->fails; i++)
            step(guess, &state, i);
        changed |= leave(guess, &state, block);
    }
    return changed;
}

static bool is_guess(const struct ptx_function *function, int load)
{
    struct guess guess = {.load = load};
    instruction at = &function->instructions[load];
    bool found = false;
    if (form_of(at) != FORM_LD || at->opcode.vector > 1 || at->operands[0].kind != OPERAND_REGISTER || !bytes_of(at))
        return false;
    guess.address = race_text_address(at);
    if (!race_text_init(&guess.text, function) || !guess.address || guess.text.edge_count > MOST_EDGES)
        guess.fails = true;
    for (int i = 0; i < (int)function->instruction_count && !guess.fails && !found; i++)
        found = is_on_place(&guess, i);
    guess.states = found ? calloc((size_t)guess.text.edge_count + 1, sizeof *guess.states) : NULL;
    guess.after = found ? calloc((size_t)guess.text.block_count + 1, sizeof *guess.after) : NULL;
    guess.fails |= !found || !guess.states || !guess.after;
    if (!guess.fails) {
        race_text_region(&guess.text, guess.text.block_of[load], -1);
        memcpy(guess.after, guess.text.visited, (size_t)guess.text.block_count * sizeof *guess.after);
        guess.after[guess.text.block_of[load]] = true;
        find_registers(&guess);
    }
    unsigned turns = 0;
    while (!guess.fails && turn(&guess))
        guess.fails |= ++turns == MOST_TURNS;
    guess.checks = true;
    if (!guess.fails)
        turn(&guess);
    race_text_clear(&guess.text);
    free(guess.states);
    free(guess.after);
    return guess.confirmed && !guess.fails;
}

bool race_is_guess(struct races *races, uint32_t number)
{
    struct race_site *site = &races->sites[number];
    if (site->guess >= 0)
        return site->guess;
    const struct code *code = program_code_of(races->launch->request->function->program, site->operation);
    site->guess = code && site->site->access == SITE_LOAD && !site->site->strong && !site->site->read_only_path
                  && site->operation->instruction >= 0 && is_guess(code->function, site->operation->instruction);
    return site->guess;
}

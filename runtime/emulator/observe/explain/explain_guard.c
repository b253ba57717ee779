/* A reader of C statements that knows only what leads to a place: if, else, loops, early returns, and in an expression
 * ?:, && and ||. */
#include "runtime/emulator/observe/explain/explain_guard.h"

#include <string.h>

struct reader {
    const struct source *source;
    size_t target;
    struct guards *guards;
    unsigned depth;
    bool found, failed;
};

static bool is(const struct reader *r, size_t at, const char *text)
{
    return at < r->source->token_count && !r->source->tokens[at].defined && source_token_is(&r->source->tokens[at], text);
}

static bool opens(const struct reader *r, size_t at)
{
    return is(r, at, "(") || is(r, at, "[") || is(r, at, "{");
}

static size_t closing(const struct reader *r, size_t at, size_t end)
{
    return source_closing(r->source, at, end);
}

static void push(struct reader *r, struct guard guard)
{
    if (r->guards->count == GUARDS_MOST)
        r->failed = true;
    else
        r->guards->list[r->guards->count++] = guard;
}

/* ---- expressions ---- */

/* Is the & at this place an operator with two sides? */
static bool has_left_side(const struct reader *r, size_t first, size_t at)
{
    return at > first && source_ends_operand(r->source, at - 1);
}

static void drop(struct reader *r, unsigned kept, size_t start)
{
    while (r->guards->count > kept && r->guards->list[r->guards->count - 1].first >= start)
        r->guards->count--;
}

static bool ends_operand(const struct reader *r, size_t at)
{
    static const char *const signs[] = {
        ",", ";", "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "return"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (is(r, at, signs[i]))
            return true;
    return false;
}

/* What is asked in [first, end) before the target is evaluated. */
static void read_expression(struct reader *r, size_t first, size_t end)
{
    unsigned kept = r->guards->count;
    size_t choice = first, either = first, both = first, bits = first; /* starts of the operands of ?, ||, &&, & */
    if (++r->depth > 64)
        r->failed = true;
    for (size_t i = first; i < r->target && i < end && !r->failed; i++) {
        if (r->source->tokens[i].defined)
            continue;
        if (opens(r, i)) {
            size_t close = closing(r, i, end);
            if (r->target < close) {
                read_expression(r, i + 1, close);
                return;
            }
            i = close;
        } else if (ends_operand(r, i)) {
            drop(r, kept, choice);
            choice = either = both = bits = i + 1;
        } else if (is(r, i, "?")) {
            drop(r, kept, choice);
            push(r, (struct guard){GUARD_IF, choice, i, i + 1, 0, true});
            choice = either = both = bits = i + 1;
        } else if (is(r, i, ":")) {
            drop(r, kept, choice);
            if (r->guards->count > kept)
                r->guards->list[r->guards->count - 1].holds = false;
            choice = either = both = bits = i + 1;
        } else if (is(r, i, "||")) {
            drop(r, kept, either);
            push(r, (struct guard){GUARD_IF, either, i, i + 1, 0, false});
            either = both = bits = i + 1;
        } else if (is(r, i, "&&")) {
            drop(r, kept, both);
            push(r, (struct guard){GUARD_IF, both, i, i + 1, 0, true});
            both = bits = i + 1;
        } else if ((is(r, i, "&") || is(r, i, "|")) && has_left_side(r, first, i)) {
            push(r, (struct guard){GUARD_EAGER, bits, i, i + 1, 0, is(r, i, "&")});
            bits = i + 1;
        }
    }
}

/* ---- statements ---- */

static size_t read_statement(struct reader *r, size_t at, size_t end, bool *leaves);

/* The statements of a block. Guards before the target stay; those of blocks without it do not. */
static void read_block(struct reader *r, size_t at, size_t end, bool *leaves)
{
    unsigned kept = r->guards->count;
    *leaves = false;
    while (at < end && !r->found && !r->failed) {
        bool one;
        at = read_statement(r, at, end, &one);
        *leaves |= one;
    }
    if (!r->found)
        r->guards->count = kept;
}

static size_t read_branch(struct reader *r, struct guard guard, size_t at, size_t end, bool *leaves)
{
    unsigned kept = r->guards->count;
    guard.body = at;
    push(r, guard);
    at = read_statement(r, at, end, leaves);
    if (!r->found) /* nor does what the branch left behind, as in `if (a) if (b) return;`, hold after it */
        r->guards->count = kept;
    return at;
}

static size_t read_if(struct reader *r, size_t at, size_t end, bool *leaves)
{
    size_t open = at + 1 + is(r, at + 1, "constexpr"), close = closing(r, open, end);
    bool then_leaves = false, else_leaves = false;
    if (!is(r, open, "(") || close >= end) {
        r->failed = true;
        return end;
    }
    if (r->target > open && r->target < close) {
        read_expression(r, open + 1, close);
        r->found = true;
        return end;
    }
    if (is(r, close + 1, ";") && !is(r, close + 2, "else")) {
        push(r, (struct guard){GUARD_EMPTY, open + 1, close, close + 1, 0, true});
        return close + 2;
    }
    at = read_branch(r, (struct guard){GUARD_IF, open + 1, close, 0, 0, true}, close + 1, end, &then_leaves);
    if (!r->found && !r->failed && is(r, at, "else"))
        at = read_branch(r, (struct guard){GUARD_IF, open + 1, close, 0, 0, false}, at + 1, end, &else_leaves);
    if (r->found || r->failed)
        return at;
    *leaves = then_leaves && else_leaves;
    if (then_leaves != else_leaves)
        push(r, (struct guard){GUARD_LEFT, open + 1, close, at, 0, else_leaves});
    return at;
}

/* Behind the statement at `at`, whatever is in it. */
static size_t skip_statement(struct reader *r, size_t at, size_t end)
{
    struct guards ignored = {.count = 0};
    struct reader skip = {.source = r->source, .target = SIZE_MAX, .guards = &ignored, .depth = r->depth};
    bool leaves;
    at = read_statement(&skip, at, end, &leaves);
    r->failed |= skip.failed;
    return at;
}

static size_t read_loop(struct reader *r, size_t at, size_t end)
{
    bool is_for = is(r, at, "for"), leaves;
    size_t open = at + 1, close = closing(r, open, end), first = open + 1, last = close;
    if (!is(r, open, "(") || close >= end) {
        r->failed = true;
        return end;
    }
    if (is_for) {
        size_t semicolons[2] = {0, 0};
        unsigned count = 0;
        for (size_t i = open + 1; i < close; i++) {
            if (opens(r, i))
                i = closing(r, i, close);
            else if (is(r, i, ";") && count < 2)
                semicolons[count++] = i;
        }
        if (count < 2) { /* over a range */
            r->failed = true;
            return end;
        }
        first = semicolons[0] + 1;
        last = semicolons[1];
    }
    if (r->target > open && r->target < close) {
        if (r->target >= first && r->target < last)
            read_expression(r, first, last);
        r->found = true;
        return end;
    }
    struct guard guard = {last > first ? GUARD_LOOP : GUARD_NOTHING, first, last, close + 1, 0, true};
    guard.loop_end = skip_statement(r, close + 1, end);
    return read_branch(r, guard, close + 1, end, &leaves);
}

static size_t read_do(struct reader *r, size_t at, size_t end)
{
    bool leaves;
    size_t behind = skip_statement(r, at + 1, end);
    size_t close = closing(r, behind + 1, end);
    if (r->failed || !is(r, behind, "while") || !is(r, behind + 1, "(") || close >= end) {
        r->failed = true;
        return end;
    }
    read_branch(r, (struct guard){GUARD_AFTER, behind + 2, close, 0, behind, true}, at + 1, end, &leaves);
    return close + 2;
}

/* A declaration or an expression, up to its semicolon. */
static size_t read_simple(struct reader *r, size_t at, size_t end)
{
    size_t stop = at;
    for (; stop < end && !is(r, stop, ";"); stop++) {
        const struct source_token *token = &r->source->tokens[stop];
        if (opens(r, stop)) {
            bool macro = stop > at && r->source->tokens[stop - 1].kind == SOURCE_WORD && is(r, stop, "(");
            for (size_t m = 0; macro && m < r->source->macro_count; m++)
                r->failed |= r->source->macros[m].has_parameters && r->source->macros[m].length == token[-1].length
                             && memcmp(r->source->macros[m].name, token[-1].text, (size_t)token[-1].length) == 0;
            stop = closing(r, stop, end);
        }
    }
    if (r->target >= at && r->target < stop) {
        read_expression(r, at, stop);
        r->found = true;
    }
    return stop + 1;
}

static size_t read_statement(struct reader *r, size_t at, size_t end, bool *leaves)
{
    static const char *const unread[] = {"goto", "switch", "case", "default"};
    *leaves = false;
    while (at < end && r->source->tokens[at].defined)
        at++;
    if (at >= end || ++r->depth > 200) {
        r->failed |= at < end;
        return end;
    }
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
        r->failed |= is(r, at, unread[i]);
    if (r->failed)
        return end;
    if (is(r, at, "{")) {
        size_t close = closing(r, at, end + 1);
        read_block(r, at + 1, close, leaves);
        at = close + 1;
    } else if (is(r, at, "if")) {
        at = read_if(r, at, end, leaves);
    } else if (is(r, at, "for") || is(r, at, "while")) {
        at = read_loop(r, at, end);
    } else if (is(r, at, "do")) {
        at = read_do(r, at, end);
    } else {
        *leaves = is(r, at, "return") || is(r, at, "break") || is(r, at, "continue");
        at = read_simple(r, at, end);
    }
    r->depth--;
    return at;
}

bool guards_read(const struct source *source, const struct source_function *function, size_t target, struct guards *guards)
{
    struct reader reader = {.source = source, .target = target, .guards = guards};
    bool leaves;
    guards->count = 0;
    if (!function->last || target < function->first || target >= function->last)
        return false;
    read_block(&reader, function->first, function->last, &leaves);
    return reader.found && !reader.failed;
}

/* ---- comparisons ---- */

/* Takes off brackets around the whole. */
static void strip(const struct source *source, size_t *first, size_t *end)
{
    while (*end > *first + 1 && source_token_is(&source->tokens[*first], "(")
           && source_closing(source, *first, *end) == *end - 1) {
        ++*first;
        --*end;
    }
}

bool guards_comparison(const struct source *source, size_t *at, size_t end, bool holds, size_t *left, size_t *sign,
                       size_t *right)
{
    static const char *const signs[] = {"<", ">", "<=", ">=", "==", "!="};
    static const char *const others[] = {"&&", "||", "&", "|", "^", "?", "=", "!", ","};
    const struct reader reader = {.source = source};
    unsigned count = 0;
    bool other = false;
    if (*at >= end)
        return false;
    size_t stop = *at;
    for (; stop < end && !is(&reader, stop, holds ? "&&" : "||"); stop++)
        if (opens(&reader, stop)) {
            stop = closing(&reader, stop, end);
            if (stop >= end)
                return false;
        }
    *left = *at;
    *right = stop;
    *at = stop + 1;
    *sign = 0;
    strip(source, left, right);
    for (size_t i = *left; i < *right; i++) {
        if (opens(&reader, i))
            i = closing(&reader, i, *right);
        else
            for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
                if (is(&reader, i, signs[k]) && ++count == 1)
                    *sign = i;
        for (size_t k = 0; i < *right && k < sizeof others / sizeof *others; k++)
            other |= is(&reader, i, others[k]);
    }
    if (count != 1 || other || *sign == *left || *sign + 1 == *right)
        *sign = 0;
    return true;
}

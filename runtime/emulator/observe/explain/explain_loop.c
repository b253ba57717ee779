/* Why a loop does not end: the loop in the source that holds all that a thread does in a turn, and what becomes of the
 * variables in its condition. Only what the text proves, with what was seen, is reported.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/turn.h"
#include "runtime/emulator/observe/explain/explain.h"

enum { MOST_SEEN = 4096, MOST_FRAMES = 6, MOST_NAMES = 6, FOLLOWED = 64 };

/* A loop as it is written; tokens. */
struct loop {
    size_t keyword;                  /* for, while, or the do */
    size_t condition, condition_end; /* equal: none */
    size_t step, step_end;           /* of a for */
    size_t start, start_end;         /* of a for */
    size_t body, body_end;           /* without its braces */
    size_t last;                     /* its last token */
};

/* ---- what was seen ---- */

/* Lines of the student's file at which an operation is: its own, and those of the calls that were inlined. */
struct seen {
    int lines[MOST_FRAMES];
    unsigned count;
};

static void take_frames(const struct launch *launch, const struct operation *operation, struct seen *seen)
{
    const struct ptx_module *module = launch->request->function->program->module;
    const struct ptx_instruction *instruction = operation_instruction(launch, operation);
    int index = instruction ? instruction->location : -1;
    seen->count = 0;
    while (index >= 0 && seen->count + 1 < MOST_FRAMES) {
        const struct ptx_location *location = &module->locations[index];
        int outer = ptx_location_outer(module, index);
        if (location->file == launch->student_file && location->line > 0)
            seen->lines[seen->count++] = location->line;
        if (outer < 0 && location->inlined_file == launch->student_file)
            seen->lines[seen->count++] = location->inlined_line;
        index = outer;
    }
}

/* Returns how many operations with a line were seen. */
static unsigned list_seen(const struct launch *launch, struct seen *list)
{
    unsigned count = 0;
    for (size_t i = 0; i < launch->code->operation_count && count < MOST_SEEN; i++) {
        if (!turn_has(&launch->turn, i))
            continue;
        take_frames(launch, &launch->code->operations[i], &list[count]);
        count += list[count].count > 0;
    }
    return count;
}

static bool is_between(const struct seen *seen, int first, int last)
{
    for (unsigned i = 0; i < seen->count; i++)
        if (seen->lines[i] >= first && seen->lines[i] <= last)
            return true;
    return false;
}

static bool was_reached(const struct seen *list, unsigned count, int line)
{
    for (unsigned i = 0; i < count; i++)
        if (is_between(&list[i], line, line))
            return true;
    return false;
}

/* Has the line any code of its own in the kernel? Else that it was not seen says nothing. */
static bool has_code(const struct launch *launch, int line)
{
    struct seen seen;
    for (size_t i = 0; i < launch->code->operation_count; i++) {
        take_frames(launch, &launch->code->operations[i], &seen);
        if (is_between(&seen, line, line))
            return true;
    }
    return false;
}

/* ---- loops in the source ---- */

static bool is(const struct source *source, size_t at, const char *text)
{
    return at < source->token_count && source_token_is(&source->tokens[at], text);
}

/* The token behind a statement that begins at `at`. */
static size_t behind_statement(const struct source *source, size_t at)
{
    size_t end = source->token_count;
    if (is(source, at, "{"))
        return source_closing(source, at, end) + 1;
    if ((is(source, at, "for") || is(source, at, "while") || is(source, at, "if")) && is(source, at + 1, "(")) {
        size_t next = behind_statement(source, source_closing(source, at + 1, end) + 1);
        return is(source, at, "if") && is(source, next, "else") ? behind_statement(source, next + 1) : next;
    }
    if (is(source, at, "do"))
        at = behind_statement(source, at + 1);
    int depth = 0;
    for (; at < end; at++) {
        depth += is(source, at, "(") || is(source, at, "[") || is(source, at, "{");
        depth -= is(source, at, ")") || is(source, at, "]") || is(source, at, "}");
        if (depth < 0)
            return at;
        if (depth == 0 && is(source, at, ";"))
            return at + 1;
    }
    return end;
}

static void take_body(const struct source *source, size_t at, struct loop *loop)
{
    size_t behind = behind_statement(source, at);
    bool braces = is(source, at, "{");
    loop->body = braces ? at + 1 : at;
    loop->body_end = braces ? behind - 1 : behind;
    loop->last = behind - 1;
}

static bool read_loop(const struct source *source, size_t at, struct loop *loop)
{
    size_t end = source->token_count;
    *loop = (struct loop){.keyword = at};
    if (source->tokens[at].defined || !source->tokens[at].own)
        return false;
    if (is(source, at, "do")) {
        take_body(source, at + 1, loop);
        size_t condition = loop->last + 1;
        if (!is(source, condition, "while") || !is(source, condition + 1, "("))
            return false;
        loop->condition = condition + 2;
        loop->condition_end = source_closing(source, condition + 1, end);
        loop->last = loop->condition_end;
        return loop->last < end;
    }
    if ((!is(source, at, "for") && !is(source, at, "while")) || !is(source, at + 1, "("))
        return false;
    size_t close = source_closing(source, at + 1, end);
    if (close >= end)
        return false;
    take_body(source, close + 1, loop);
    loop->condition = at + 2;
    loop->condition_end = close;
    if (!is(source, at, "for"))
        return true;
    size_t parts[2], count = 0;
    int depth = 0;
    for (size_t i = at + 2; i < close; i++) {
        depth += is(source, i, "(") || is(source, i, "[") || is(source, i, "{");
        depth -= is(source, i, ")") || is(source, i, "]") || is(source, i, "}");
        if (depth == 0 && is(source, i, ";") && count++ < 2)
            parts[count - 1] = i;
    }
    if (count != 2)
        return false;
    loop->start = at + 2;
    loop->start_end = parts[0];
    loop->condition = parts[0] + 1;
    loop->condition_end = parts[1];
    loop->step = parts[1] + 1;
    loop->step_end = close;
    return true;
}

/* The while of a do is not a loop of its own. */
static bool closes_do(const struct source *source, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        struct loop loop;
        if (is(source, i, "do") && read_loop(source, i, &loop) && loop.condition == at + 2)
            return true;
    }
    return false;
}

static int line_of(const struct source *source, size_t at)
{
    return source->tokens[at].line;
}

/* The smallest loop that holds everything that was seen. `all` false: or most of it, with the rest in lines before the loop:
 * the compiler may convert a value again in each turn. */
static bool find_loop_of(const struct source *source, const struct seen *list, unsigned count, bool all, struct loop *found)
{
    int smallest = 0;
    for (size_t at = 0; at < source->token_count; at++) {
        struct loop loop;
        if (!read_loop(source, at, &loop) || (is(source, at, "while") && closes_do(source, at)))
            continue;
        int first = line_of(source, loop.keyword), last = line_of(source, loop.last);
        bool holds = count > 0;
        unsigned inside = 0;
        for (unsigned i = 0; i < count && holds; i++) {
            bool between = is_between(&list[i], first, last);
            holds = between || (!all && is_between(&list[i], 1, first));
            inside += between;
        }
        holds &= 2 * inside > count;
        /* Of two in the same lines, the outer one comes first and holds the other. */
        if (holds && (smallest == 0 || last - first + 1 < smallest)) {
            smallest = last - first + 1;
            *found = loop;
        }
    }
    return smallest > 0;
}

static bool find_loop(const struct source *source, const struct seen *list, unsigned count, struct loop *found)
{
    return find_loop_of(source, list, count, true, found) || find_loop_of(source, list, count, false, found);
}

/* ---- names and their changes ---- */

static bool is_change(const struct source *source, size_t at)
{
    static const char *const signs[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"};
    bool changes = at > 0 && (is(source, at - 1, "++") || is(source, at - 1, "--"));
    for (size_t i = 0; i < sizeof signs / sizeof *signs && !changes; i++)
        changes = is(source, at + 1, signs[i]);
    return changes;
}

static bool is_type_word(const struct source *source, size_t at)
{
    static const char *const words[] = {"int",     "unsigned", "float",  "double",  "long",    "short",
                                        "char",    "bool",     "size_t", "auto",    "int32_t", "uint32_t",
                                        "int64_t", "uint64_t", "int8_t", "uint8_t", "int16_t", "uint16_t"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is(source, at, words[i]))
            return true;
    return false;
}

/* `int i = …` there is another i. */
static bool declares(const struct source *source, size_t at)
{
    return at > 0 && is_type_word(source, at - 1);
}

/* Could the name change in a way that cannot be seen: its address is taken, or it is captured by something else? */
static bool is_hidden(const struct source *source, size_t first, size_t end, const struct source_token *name)
{
    for (size_t i = first; i < end; i++)
        if (i > 0 && source_token_same(&source->tokens[i], name) && is(source, i - 1, "&")
            && (source->tokens[i - 2].kind == SOURCE_SIGN && !is(source, i - 2, ")") && !is(source, i - 2, "]")))
            return true;
    return false;
}

struct change {
    size_t at; /* the name */
    bool in_step;
};

/* Changes of the name in the loop, without declarations of another one. Returns how many; the first few are listed. */
static unsigned list_changes(const struct source *source, const struct loop *loop, const struct source_token *name,
                             struct change list[4])
{
    unsigned count = 0;
    const size_t parts[3][2] = {
        {loop->step, loop->step_end}, {loop->condition, loop->condition_end}, {loop->body, loop->body_end}};
    for (unsigned part = 0; part < 3; part++)
        for (size_t i = parts[part][0]; i < parts[part][1]; i++)
            if (source_token_same(&source->tokens[i], name) && !is(source, i - 1, ".") && !is(source, i - 1, "->")
                && is_change(source, i) && !declares(source, i)) {
                if (count < 4)
                    list[count] = (struct change){i, part == 0};
                count++;
            }
    return count;
}

/* Variables in the condition. Returns false where it also depends on something else: memory, a call. */
static bool list_names(const struct source *source, const struct loop *loop, const struct source_token *names[MOST_NAMES],
                       unsigned *count)
{
    static const char *const built_in[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "true", "false"};
    bool plain = true;
    *count = 0;
    for (size_t i = loop->condition; i < loop->condition_end; i++) {
        const struct source_token *token = &source->tokens[i];
        plain &= !is(source, i, "[") && !is(source, i, "->");
        if (is(source, i, "*") && (i == loop->condition || source->tokens[i - 1].kind == SOURCE_SIGN))
            plain &= is(source, i - 1, ")") || is(source, i - 1, "]");
        if (token->kind != SOURCE_WORD || is_type_word(source, i) || is(source, i - 1, "."))
            continue;
        bool known = false;
        for (size_t k = 0; k < sizeof built_in / sizeof *built_in && !known; k++)
            known = source_token_is(token, built_in[k]);
        for (unsigned k = 0; k < *count && !known; k++)
            known = source_token_same(names[k], token);
        if (is(source, i + 1, "("))
            plain = false;
        else if (!known && !source_find_macro(source, token)) {
            if (*count == MOST_NAMES)
                return false;
            names[(*count)++] = token;
        }
    }
    return plain;
}

/* The token at which a variable is declared, in the function before or in the loop; 0: it is not found. */
static size_t declaration_of(const struct source *source, const struct source_function *function, const struct loop *loop,
                             const struct source_token *name)
{
    size_t found = 0;
    for (size_t i = function->first; i < loop->body; i++)
        if (source_token_same(&source->tokens[i], name) && declares(source, i))
            found = i;
    return found;
}

/* ---- facts ---- */

struct facts {
    const struct launch *launch;
    const struct source *source;
    const struct loop *loop;
    struct explain_view *view;
    const struct seen *seen;
    unsigned seen_count;
    struct finding *finding;
};

static void tell(struct facts *facts, const char *pattern, const struct source_token *variable, int line2)
{
    facts->finding->pattern = pattern;
    if (variable)
        snprintf(facts->finding->array, sizeof facts->finding->array, "%.*s", variable->length, variable->text);
    facts->finding->line2 = line2 != facts->finding->line ? line2 : 0;
}

#define REMARK(...) snprintf(facts->finding->remark, sizeof facts->finding->remark, __VA_ARGS__)
#define NAME(token) (token)->length, (token)->text

/* The text of tokens, as it is written on one line; "" where it is long or spans lines. */
static void copy_text(const struct source *source, size_t first, size_t end, char text[64])
{
    text[0] = '\0';
    if (first >= end || line_of(source, first) != line_of(source, end - 1))
        return;
    const struct source_token *a = &source->tokens[first], *b = &source->tokens[end - 1];
    size_t length = (size_t)(b->text + b->length - a->text);
    if (length < 40)
        snprintf(text, 64, "%.*s", (int)length, a->text);
}

/* A shared variable that another line of the kernel changes: the loop waits for the threads that come there. */
static bool tell_awaited(struct facts *facts, const struct source_token *variable)
{
    const struct source *source = facts->source;
    size_t declared = declaration_of(source, &facts->view->function, facts->loop, variable);
    bool is_shared = false, is_volatile = false;
    for (size_t i = declared; declared && i-- > facts->view->function.first && !is(source, i, ";") && !is(source, i, "{");) {
        is_shared |= is(source, i, "__shared__");
        is_volatile |= is(source, i, "volatile");
    }
    unsigned changes = 0;
    int line = 0;
    for (size_t i = declared + 1; is_shared && i < facts->view->function.last; i++) {
        if (!source_token_same(&source->tokens[i], variable) || !is_change(source, i))
            continue;
        changes += i < facts->loop->keyword ? 1 : 2; /* the first one before the loop gives it the value to begin with */
        line = line_of(source, i);
    }
    if (changes < 2)
        return false;
    tell(facts, is_volatile ? "waits" : "polls", is_volatile ? NULL : variable, is_volatile ? 0 : line);
    if (!is_volatile)
        REMARK("it waits until line %d changes %.*s, but reads it plainly, which the compiler may do once only", line,
               NAME(variable));
    return true;
}

/* Nothing in the loop changes what its condition consists of. */
static void tell_unchanged(struct facts *facts, const struct source_token *const *names, unsigned count)
{
    const struct source *source = facts->source;
    const struct loop *loop = facts->loop;
    const struct source_token *variable = NULL, *other = NULL;
    char text[64];
    for (unsigned i = 0; i < count; i++) { /* those that the function declares: the others are what they are compared with */
        size_t declared = declaration_of(source, &facts->view->function, loop, names[i]);
        other = declared && variable ? names[i] : other;
        variable = declared && !variable ? names[i] : variable;
    }
    if (!variable)
        variable = names[0];
    if (tell_awaited(facts, variable))
        return;
    for (size_t i = loop->body; i < loop->body_end; i++)
        if (source_token_same(&source->tokens[i], variable) && declares(source, i)) {
            tell(facts, "another", variable, line_of(source, i));
            REMARK("line %d declares another %.*s, and the one in its condition stays as it is", line_of(source, i),
                   NAME(variable));
            return;
        }
    copy_text(source, loop->step, loop->step_end, text);
    if (text[0] != '\0') {
        tell(facts, "no_effect", variable, 0);
        REMARK("`%s` changes no variable, so %.*s stays as it is", text, NAME(variable));
        return;
    }
    if (loop->body + 1 == loop->body_end && is(source, loop->body, ";")) {
        tell(facts, "empty", variable, 0);
        REMARK("the `;` behind its condition is all that it repeats");
        return;
    }
    tell(facts, "unchanged", variable, 0);
    if (other)
        REMARK("nothing in it changes %.*s or %.*s", NAME(variable), NAME(other));
    else
        REMARK("nothing in it changes %.*s", NAME(variable));
}

/* The only `continue` of this loop before a token; 0: there is none, or several. */
static size_t continue_before(const struct facts *facts, size_t end)
{
    size_t found = 0;
    for (size_t i = facts->loop->body; i < end; i++) {
        struct loop inner;
        if (read_loop(facts->source, i, &inner)) {
            i = inner.last;
            continue;
        }
        if (!is(facts->source, i, "continue"))
            continue;
        if (found)
            return 0;
        found = i;
    }
    return found;
}

/* No thread comes to the lines that change the variable. */
static bool tell_not_reached(struct facts *facts, const struct source_token *name, const struct change *changes,
                             unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        int line = line_of(facts->source, changes[i].at);
        if (changes[i].in_step || was_reached(facts->seen, facts->seen_count, line) || !has_code(facts->launch, line))
            return false;
    }
    size_t skips = continue_before(facts, changes[0].at);
    int line = line_of(facts->source, changes[0].at);
    tell(facts, skips && count == 1 ? "continue" : "not_reached", name,
         skips && count == 1 ? line_of(facts->source, skips) : line);
    if (skips && count == 1)
        REMARK("the `continue` in line %d skips line %d, which changes %.*s", line_of(facts->source, skips), line,
               NAME(name));
    else
        REMARK("%s %d, which change%s %.*s, is not reached in its turns", "line", line, "s", NAME(name));
    return true;
}

/* A loop inside sets the variable: its own part `start`, or its step. NULL: none. */
static bool tell_both_loops(struct facts *facts, const struct source_token *name)
{
    const struct source *source = facts->source;
    for (size_t i = facts->loop->body; i < facts->loop->body_end; i++) {
        struct loop inner;
        if (!is(source, i, "for") || !read_loop(source, i, &inner))
            continue;
        for (size_t k = inner.start; k < inner.start_end; k++)
            if (source_token_same(&source->tokens[k], name) && is(source, k + 1, "=") && !declares(source, k)) {
                tell(facts, "both_loops", name, line_of(source, i));
                REMARK("%.*s is its variable, and the loop in line %d, inside it, sets %.*s again in every turn", NAME(name),
                       line_of(source, i), NAME(name));
                return true;
            }
    }
    return false;
}

/* ---- following a variable ---- */

/* The value that one change of the only kind gives: x++, x op= e, x = e. Returns false where it is not known. */
static bool next_value(struct facts *facts, size_t at, const struct source_token *name, int64_t x, int64_t *next)
{
    const struct source *source = facts->source;
    struct explain_view view = *facts->view;
    struct expression expression;
    const struct source_token *sign = &source->tokens[at + 1];
    if (source_token_is(sign, "++") || is(source, at - 1, "++")) {
        *next = x + 1;
        return true;
    }
    if (source_token_is(sign, "--") || is(source, at - 1, "--")) {
        *next = x - 1;
        return true;
    }
    size_t end = at + 2;
    for (int depth = 0; end < source->token_count; end++) {
        if (depth == 0 && (is(source, end, ";") || is(source, end, ",") || is(source, end, ")")))
            break;
        depth += is(source, end, "(") || is(source, end, "[");
        depth -= is(source, end, ")") || is(source, end, "]");
    }
    view.unknown = name;
    view.unknown_count = 1;
    view.trial = x;
    if (!explain_evaluate(&view, at + 2, end, &expression))
        return false;
    int64_t e = expression.value;
    if (source_token_is(sign, "="))
        *next = e;
    else if (source_token_is(sign, "+="))
        *next = x + e;
    else if (source_token_is(sign, "-="))
        *next = x - e;
    else if (source_token_is(sign, "*="))
        *next = (int64_t)((uint64_t)x * (uint64_t)e);
    else if (source_token_is(sign, "/=") && e != 0 && e != -1)
        *next = x / e;
    else if (source_token_is(sign, "%=") && e != 0 && e != -1)
        *next = x % e;
    else if (source_token_is(sign, "<<=") && e >= 0 && e < 32)
        *next = (int64_t)((uint64_t)x << e);
    else if (source_token_is(sign, ">>=") && e >= 0 && e < 32)
        *next = x >> e;
    else
        return false;
    return true;
}

static bool evaluate_condition(struct facts *facts, const struct source_token *name, int64_t x, bool *holds)
{
    struct explain_view view = *facts->view;
    struct expression expression;
    view.unknown = name;
    view.unknown_count = 1;
    view.trial = x;
    if (!explain_evaluate(&view, facts->loop->condition, facts->loop->condition_end, &expression))
        return false;
    *holds = expression.value != 0;
    return true;
}

/* Value with which the loop begins: in its own first part, or where the variable is declared. */
static bool first_value(struct facts *facts, const struct source_token *name, int64_t *value)
{
    const struct source *source = facts->source;
    size_t at = 0;
    for (size_t i = facts->loop->start; i < facts->loop->start_end; i++)
        if (source_token_same(&source->tokens[i], name) && is(source, i + 1, "="))
            at = i;
    if (!at) { /* declared with a value, and not changed between there and the loop */
        at = declaration_of(source, &facts->view->function, facts->loop, name);
        for (size_t i = at + 1; at && i < facts->loop->keyword; i++)
            if (source_token_same(&source->tokens[i], name) && is_change(source, i))
                return false;
        for (size_t i = facts->view->function.first; at && i < facts->loop->keyword; i++) {
            struct loop around;
            if (read_loop(source, i, &around) && around.last >= facts->loop->last && around.keyword > at)
                return false; /* it begins again with what the last turn left */
        }
    }
    return at && is(source, at + 1, "=") && next_value(facts, at, name, 0, value);
}

/* Is the variable a whole number of 32 bits or more, and signed? */
static bool is_integer(const struct facts *facts, const struct source_token *name, bool *is_unsigned)
{
    size_t at = declaration_of(facts->source, &facts->view->function, facts->loop, name);
    *is_unsigned = false;
    bool good = false;
    for (size_t i = at;
         i-- > facts->view->function.first && (is_type_word(facts->source, i) || is(facts->source, i, "const"));) {
        *is_unsigned |= is(facts->source, i, "unsigned") || is(facts->source, i, "size_t")
                        || is(facts->source, i, "uint32_t") || is(facts->source, i, "uint64_t");
        good |= !is(facts->source, i, "float") && !is(facts->source, i, "double") && !is(facts->source, i, "auto")
                && !is(facts->source, i, "bool") && !is(facts->source, i, "char") && !is(facts->source, i, "short");
        if (is(facts->source, i, "float") || is(facts->source, i, "double"))
            return false;
    }
    return good;
}

/* Of 32 bits: `long` and the like go further. */
static bool is_int(const struct facts *facts, const struct source_token *name)
{
    size_t at = declaration_of(facts->source, &facts->view->function, facts->loop, name);
    return is(facts->source, at - 1, "int") && !is(facts->source, at - 2, "long");
}

/* "stride = gridDim.x/blockDim.x = 1/256 = 0": where the step is one variable, which keeps the value that its declaration gives
 * it. */
static void show_step(struct facts *facts, size_t change)
{
    const struct source *source = facts->source;
    const struct source_function *function = &facts->view->function;
    const struct source_token *step = &source->tokens[change + 2];
    struct explain_view view = *facts->view;
    struct expression expression;
    bool is_one = step->kind == SOURCE_WORD && !is(source, change + 1, "=") && !is(source, change + 1, "++")
                  && !is(source, change + 1, "--")
                  && (is(source, change + 3, ";") || is(source, change + 3, ")") || is(source, change + 3, "}"));
    size_t at = is_one ? declaration_of(source, function, facts->loop, step) : 0, end = at + 2;
    for (size_t i = function->first; at && i < function->last; i++)
        if (i != at && source_token_same(&source->tokens[i], step) && is_change(source, i))
            return;
    if (!at || !is(source, at + 1, "="))
        return;
    for (int depth = 0; end < function->last && (depth > 0 || (!is(source, end, ";") && !is(source, end, ","))); end++)
        depth += is(source, end, "(") - is(source, end, ")");
    if (!explain_evaluate(&view, at + 2, end, &expression) || expression.is_name
        || strcmp(expression.text, expression.numbers) == 0)
        return;
    snprintf(facts->finding->arithmetic, sizeof facts->finding->arithmetic, "%.*s = %s = %s = %lld", NAME(step),
             expression.text, expression.numbers, (long long)expression.value);
}

/* Follows the variable, which one place alone changes, through the first turns. */
static bool tell_values(struct facts *facts, const struct source_token *name, size_t change, bool proven)
{
    int64_t x, next = 0, values[FOLLOWED + 1];
    bool holds, is_unsigned;
    char condition[64];
    unsigned count = 0;
    if (!is_integer(facts, name, &is_unsigned) || !first_value(facts, name, &x))
        return false;
    copy_text(facts->source, facts->loop->condition, facts->loop->condition_end, condition);
    for (;; x = next) {
        if (is_unsigned && x < 0)
            x = (int64_t)(uint32_t)x;
        /* A variable of 32 bits would have wrapped, and the difference of two of 64 bits may itself overflow. */
        if (x < INT32_MIN || x > UINT32_MAX)
            return false;
        if (!evaluate_condition(facts, name, x, &holds) || !holds || !condition[0])
            return false;
        values[count++] = x;
        if (count > FOLLOWED || !next_value(facts, change, name, x, &next))
            break;
        if (next == x) {
            tell(facts, "stays", name, line_of(facts->source, change));
            show_step(facts, change);
            if (count == 1)
                REMARK("%.*s is %lld and stays %lld, so the condition %s stays true", NAME(name), (long long)x, (long long)x,
                       condition);
            else
                REMARK("%.*s becomes %lld and stays %lld, and the condition %s is still true", NAME(name), (long long)x,
                       (long long)x, condition);
            return true;
        }
    }
    if (count <= FOLLOWED)
        return false;
    bool steady = true, has_equal = false;
    for (unsigned i = 2; i < count; i++)
        steady &= values[i] - values[i - 1] == values[1] - values[0];
    for (size_t i = facts->loop->condition; i < facts->loop->condition_end; i++)
        has_equal |= is(facts->source, i, "!=");
    /* Much later: does it still hold? Then it moves away from its end, or past it. */
    int64_t step = values[1] - values[0], room = step > 0 ? INT32_MAX - values[0] : values[0] - INT32_MIN;
    if (!steady || proven || step == 0 || room < 0 || !is_int(facts, name))
        return false;
    int64_t turns = room / (step > 0 ? step : -step);
    if (!evaluate_condition(facts, name, values[0] + turns * step, &holds) || !holds)
        return false;
    tell(facts, has_equal ? "passes" : "away", name, line_of(facts->source, change));
    REMARK("%.*s is %lld, %lld, %lld ..., and the condition %s stays true", NAME(name), (long long)values[0],
           (long long)values[1], (long long)values[2], condition);
    return true;
}

/* `x >= 0` of an x that has no sign. */
static bool tell_unsigned(struct facts *facts)
{
    const struct source *source = facts->source;
    for (size_t i = facts->loop->condition; i + 2 < facts->loop->condition_end; i++) {
        bool is_unsigned;
        if (source->tokens[i].kind == SOURCE_WORD && is(source, i + 1, ">=") && is(source, i + 2, "0")
            && facts->loop->condition_end - facts->loop->condition == 3
            && is_integer(facts, &source->tokens[i], &is_unsigned) && is_unsigned) {
            tell(facts, "unsigned", &source->tokens[i], 0);
            REMARK("%.*s is unsigned, so %.*s >= 0 is always true", NAME(&source->tokens[i]), NAME(&source->tokens[i]));
            return true;
        }
    }
    return false;
}

/* The largest number that a variable of 8 or 16 bits holds, with its type as it is written; 0: it is of another type. */
static int64_t largest_of(const struct facts *facts, const struct source_token *name, char type[40])
{
    const struct source *source = facts->source;
    size_t at = declaration_of(source, &facts->view->function, facts->loop, name), first = at;
    bool is_unsigned = false;
    int bits = 0;
    while (first > facts->view->function.first
           && (is_type_word(source, first - 1) || is(source, first - 1, "const") || is(source, first - 1, "signed")))
        first--;
    for (size_t i = first; i < at; i++) {
        is_unsigned |= is(source, i, "unsigned") || is(source, i, "uint8_t") || is(source, i, "uint16_t");
        bits = is(source, i, "char") || is(source, i, "int8_t") || is(source, i, "uint8_t")      ? 8
               : is(source, i, "short") || is(source, i, "int16_t") || is(source, i, "uint16_t") ? 16
                                                                                                 : bits;
    }
    if (bits == 0)
        return 0;
    const struct source_token *from = &source->tokens[first], *last = &source->tokens[at - 1];
    snprintf(type, 40, "%.*s", (int)(last->text + last->length - from->text), from->text);
    return (INT64_C(1) << (bits - !is_unsigned)) - 1;
}

/* `x < 256` of an x of 8 bits. */
static bool tell_narrow(struct facts *facts)
{
    const struct source *source = facts->source;
    const struct loop *loop = facts->loop;
    const struct source_token *name = &source->tokens[loop->condition];
    struct explain_view view = *facts->view;
    struct expression bound;
    char condition[64], type[40];
    bool equal = is(source, loop->condition + 1, "<=");
    if (loop->condition_end < loop->condition + 3 || name->kind != SOURCE_WORD
        || (!equal && !is(source, loop->condition + 1, "<")))
        return false;
    int64_t largest = largest_of(facts, name, type);
    copy_text(source, loop->condition, loop->condition_end, condition);
    for (size_t i = loop->condition + 2; i < loop->condition_end; i++) /* no further comparison */
        if (is(source, i, "&&") || is(source, i, "||") || is(source, i, "<") || is(source, i, "?"))
            return false;
    if (largest == 0 || !condition[0] || !explain_evaluate(&view, loop->condition + 2, loop->condition_end, &bound)
        || bound.value < largest + !equal)
        return false;
    tell(facts, "narrow", name, 0);
    REMARK("the type of %.*s is %s, which holds no number above %lld, so the condition %s is always true", NAME(name), type,
           (long long)largest, condition);
    return true;
}

/* Without a condition only a break or return ends it. */
static bool tell_no_condition(struct facts *facts)
{
    const struct source *source = facts->source;
    const struct loop *loop = facts->loop;
    bool always = loop->condition == loop->condition_end
                  || (loop->condition + 1 == loop->condition_end
                      && (is(source, loop->condition, "true") || is(source, loop->condition, "1")));
    int line = 0;
    if (!always)
        return false;
    for (size_t i = loop->body; i < loop->body_end; i++)
        if ((is(source, i, "break") || is(source, i, "return")) && !line)
            line = line_of(source, i);
    tell(facts, line ? "break" : "no_break", NULL, line);
    if (line)
        REMARK("only a `break` or a `return` ends it, and no turn comes to one");
    else
        REMARK("its condition is always true, and it has neither a `break` nor a `return`");
    return true;
}

/* Does the loop change or ask memory by atomic operations that wait for a change? */
static const struct source_token *find_atomic(const struct source *source, const struct loop *loop)
{
    for (size_t i = loop->keyword; i < loop->last; i++)
        if (is(source, i, "atomicCAS") || is(source, i, "atomicExch"))
            return &source->tokens[i];
    return NULL;
}

static bool is_parameter(const struct source_function *function, const struct source *source,
                         const struct source_token *name)
{
    for (unsigned i = 0; i < function->parameter_count; i++)
        if (function->parameters[i] && source_token_same(&source->tokens[function->parameters[i]], name))
            return true;
    return false;
}

/* The lock that the loop waits for, where no other line uses it: nothing sets it free. A variable of the file is looked for in
 * all of it, since the functions that a kernel calls can use it. */
static bool tell_kept(struct facts *facts, const struct source_token *atomic)
{
    const struct source *source = facts->source;
    const struct loop *loop = facts->loop;
    size_t at = (size_t)(atomic - source->tokens) + 2;
    at += is(source, at, "&");
    const struct source_token *name = &source->tokens[at];
    if (at >= loop->condition_end || at < loop->condition || name->kind != SOURCE_WORD
        || (!is(source, at + 1, ",") && !is(source, at + 1, "[")))
        return false;
    bool parameter = is_parameter(&facts->view->function, source, name);
    bool own = parameter || declaration_of(source, &facts->view->function, loop, name) != 0;
    if (parameter && facts->finding->called_from_count > 0)
        return false; /* what it points to may have another name in the kernel */
    size_t first = own ? facts->view->function.first : 0, last = own ? facts->view->function.last : source->token_count;
    for (size_t i = first; i < last; i++)
        if ((i < loop->condition || i >= loop->condition_end) && source_token_same(&source->tokens[i], name)
            && !declares(source, i))
            return false;
    tell(facts, "kept", name, 0);
    REMARK("it waits for %.*s to change, and no other line of the kernel uses %.*s", NAME(name), NAME(name));
    return true;
}

/* Is there another way out of the loop than its condition? */
static bool has_way_out(const struct source *source, const struct loop *loop)
{
    for (size_t i = loop->body; i < loop->body_end; i++)
        if (is(source, i, "break") || is(source, i, "return") || is(source, i, "goto") || is(source, i, "asm"))
            return true;
    return false;
}

static void find_reason(struct facts *facts, bool proven)
{
    const struct source *source = facts->source;
    const struct source_token *names[MOST_NAMES], *single = NULL;
    unsigned count, changed = 0;
    struct change changes[4];
    size_t change = 0;
    bool plain = list_names(source, facts->loop, names, &count);
    const struct source_token *atomic = find_atomic(source, facts->loop);
    if (atomic && tell_kept(facts, atomic))
        return;
    if (atomic) {
        tell(facts, "lock", NULL, atomic->line);
        return;
    }
    if (tell_no_condition(facts) || tell_unsigned(facts) || tell_narrow(facts))
        return;
    for (unsigned i = 0; i < count; i++) {
        unsigned times = list_changes(source, facts->loop, names[i], changes);
        if (times == 0)
            continue;
        changed++;
        single = names[i];
        change = times == 1 ? changes[0].at : 0;
    }
    for (unsigned i = 0; i < count; i++)
        if (is_hidden(source, facts->view->function.first, facts->view->function.last, names[i]))
            return;
    if (!plain) {
        if (changed == 0)
            tell(facts, "waits", NULL, 0);
        return;
    }
    if (changed == 0 && count > 0) {
        if (proven || !has_way_out(source, facts->loop))
            tell_unchanged(facts, names, count);
        return;
    }
    if (changed != 1)
        return;
    if (tell_both_loops(facts, single))
        return;
    unsigned times = list_changes(source, facts->loop, single, changes);
    if (times <= 4 && tell_not_reached(facts, single, changes, times))
        return;
    if (change)
        tell_values(facts, single, change, proven);
}

void explain_loop(const struct launch *launch, bool proven, struct finding *finding)
{
    const struct source *source = finding->line > 0 ? explain_source(launch) : NULL;
    struct seen *seen = calloc(MOST_SEEN, sizeof *seen);
    unsigned count = source && seen ? list_seen(launch, seen) : 0;
    struct explain_view view = {.launch = launch, .source = source, .thread = finding->thread, .block = finding->block};
    struct loop loop;
    if (count > 0 && find_loop(source, seen, count, &loop)) {
        finding->line = line_of(source, loop.keyword);
        snprintf(finding->where, sizeof finding->where, "line %d", finding->line);
        explain_find_function(&view, finding->function, finding->line);
        struct facts facts = {launch, source, &loop, &view, seen, count, finding};
        if (view.function.last)
            find_reason(&facts, proven);
    }
    free(seen);
}

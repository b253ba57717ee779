#include "runtime/compile/advice_calls.h"

#include <stdio.h>
#include <string.h>

#include "runtime/compile/advice_facts.h"
#include "runtime/language/expression.h"

enum { ARGUMENTS_MOST = 8, WARP = 32, TURNS_MOST = 64 };

/* Tokens [first[k], end[k]) of the arguments of a call whose name is token `at`. Returns how many, 0: the call cannot be read. */
static size_t list_arguments(const struct source *source, size_t at, size_t first[ARGUMENTS_MOST],
                             size_t end[ARGUMENTS_MOST])
{
    size_t close = at + 2 < source->token_count && source_token_is(&source->tokens[at + 1], "(")
                       ? source_closing(source, at + 1, source->token_count)
                       : source->token_count;
    size_t count = 0, from = at + 2;
    for (size_t i = at + 2; i <= close && close < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        if (i == close || source_token_is(token, ",")) {
            if (count == ARGUMENTS_MOST || i == from)
                return 0;
            first[count] = from;
            end[count++] = i;
            from = i + 1;
        } else if (facts_bracket_change(token) > 0) {
            i = source_closing(source, i, close);
        }
    }
    return count;
}

/* ---- shuffles ---- */

/* The variable of a loop, with its value in one turn. */
struct turn {
    const struct source *source;
    const struct source_token *name; /* NULL: there is no loop */
    int64_t value;
};

static size_t value_of(void *context, size_t at, size_t end, int64_t *value)
{
    const struct turn *turn = context;
    const struct source_token *name = &turn->source->tokens[at];
    const struct source_macro *macro = source_find_macro(turn->source, name);
    struct expression_names names = {value_of, context};
    struct expression expression;
    bool known = true;
    (void)end;
    if (turn->name && source_token_same(name, turn->name))
        *value = turn->value;
    else if (source_token_is(name, "warpSize"))
        *value = WARP;
    else if (macro && macro->first + macro->count <= at /* nothing that names itself */
             && expression_evaluate(turn->source, macro->first, macro->first + macro->count, &names, &expression))
        *value = expression.value;
    else
        known = false;
    return known;
}

static bool evaluate(struct turn *turn, size_t first, size_t end, int64_t *value)
{
    struct expression_names names = {value_of, turn};
    struct expression expression;
    bool known = first < end && expression_evaluate(turn->source, first, end, &names, &expression);
    *value = known ? expression.value : 0;
    return known;
}

/* `d *= 2` and the like: the next value. Returns false where the step is another one. */
static bool step(struct turn *turn, size_t first, size_t end)
{
    const struct source *source = turn->source;
    const struct source_token *sign = &source->tokens[first + 1];
    int64_t by;
    if (end < first + 3 || !source_token_same(&source->tokens[first], turn->name) || !evaluate(turn, first + 2, end, &by)
        || by < 1 || by > WARP)
        return false;
    if (source_token_is(sign, "*="))
        turn->value *= by;
    else if (source_token_is(sign, "/="))
        turn->value /= by;
    else if (source_token_is(sign, "<<="))
        turn->value <<= by;
    else if (source_token_is(sign, ">>="))
        turn->value >>= by;
    else
        return false;
    return true;
}

/* Of a `for` around token `at` with this variable: the first value in its turns that is at least `least`. Returns false when
 * there is no such value or no such loop. */
static bool reaches(const struct source *source, size_t at, const struct source_token *name, int64_t least, int64_t *value)
{
    for (size_t i = at; i-- > 0;) {
        size_t close = source_token_is(&source->tokens[i], "for") ? source_closing(source, i + 1, source->token_count) : 0;
        size_t part[3] = {i + 2}, parts = 1, begins = i + 2;
        for (size_t k = i + 2; k < close; k++)
            if (source_token_is(&source->tokens[k], ";") && parts < 3)
                part[parts++] = k + 1;
        while (begins < close && !source_token_is(&source->tokens[begins], "="))
            begins++;
        if (close == 0 || close >= at || parts < 3 || begins + 1 >= part[1]
            || !source_token_same(&source->tokens[begins - 1], name))
            continue;
        size_t last = source_token_is(&source->tokens[close + 1], "{")
                          ? source_closing(source, close + 1, source->token_count)
                          : close + 1;
        while (last < source->token_count && !source_token_is(&source->tokens[last], ";")
               && !source_token_is(&source->tokens[last], "}"))
            last++;
        struct turn turn = {source, NULL, 0};
        if (last < at || !evaluate(&turn, begins + 1, part[1] - 1, &turn.value))
            return false;
        turn.name = name;
        for (int turns = 0; turns < TURNS_MOST; turns++) {
            int64_t goes_on;
            if (!evaluate(&turn, part[1], part[2] - 1, &goes_on) || goes_on == 0)
                return false;
            *value = turn.value;
            if (turn.value >= least)
                return true;
            if (!step(&turn, part[2], close))
                return false;
        }
        return false;
    }
    return false;
}

/* A shuffle by as many lanes as there are, or from a lane that there is not. A distance above 32 counts by its lowest bits. */
static const char *judge_shuffle(const struct source *source, size_t at, char words[ADVICE_CALLS_BYTES])
{
    static const char *const distant[] = {"__shfl_down_sync", "__shfl_up_sync", "__shfl_xor_sync"};
    const struct source_token *name = &source->tokens[at];
    bool by_lane = source_token_is(name, "__shfl_sync"), exclusive = source_token_is(name, distant[2]);
    size_t first[ARGUMENTS_MOST], end[ARGUMENTS_MOST];
    size_t count = by_lane || SOURCE_IS_ANY(name, distant) ? list_arguments(source, at, first, end) : 0;
    struct turn none = {source, NULL, 0};
    int64_t width = WARP, value = 0;
    if (count < 3 || count > 4 || (count == 4 && !evaluate(&none, first[3], end[3], &width)) || width < 1 || width > WARP
        || (width & (width - 1)) != 0 || (exclusive && width < WARP))
        return NULL;
    const struct source_token *variable = &source->tokens[first[2]];
    bool constant = evaluate(&none, first[2], end[2], &value);
    bool turns = !constant && end[2] == first[2] + 1 && variable->kind == SOURCE_WORD && !by_lane
                 && reaches(source, at, variable, width, &value);
    if ((!constant && !turns) || value < width || (value > WARP && !by_lane))
        return NULL;
    char when[FACTS_WORD_BYTES + 32] = "";
    if (turns)
        snprintf(when, sizeof when, " in the turn with %.*s = %lld", variable->length < 40 ? variable->length : 40,
                 variable->text, (long long)value);
    if (by_lane)
        snprintf(words, ADVICE_CALLS_BYTES,
                 "This shuffle counts lanes from 0 to %lld: %lld is not among them, and lane %lld is taken.",
                 (long long)width - 1, (long long)value, (long long)(value % width));
    else if (width < WARP)
        snprintf(
            words, ADVICE_CALLS_BYTES,
            "This shuffle has a width of %lld, so no lane finds another one %lld places away in its part of the warp: it "
            "gives each lane its own value%s.",
            (long long)width, (long long)value, when);
    else
        snprintf(
            words, ADVICE_CALLS_BYTES,
            "This shuffle gives each lane its own value%s: a warp has 32 lanes, so none finds another one %lld places away.",
            when, (long long)value);
    return "shuffle";
}

/* ---- arguments ---- */

/* Two arguments with the names of each other's parameters. */
static const char *judge_order(const struct source *source, size_t at, char words[ADVICE_CALLS_BYTES])
{
    size_t first[ARGUMENTS_MOST], end[ARGUMENTS_MOST], count = list_arguments(source, at, first, end);
    struct source_function function;
    char name[FACTS_WORD_BYTES], one[FACTS_WORD_BYTES], other[FACTS_WORD_BYTES];
    facts_copy(&source->tokens[at], name);
    if (count < 2 || !source_find_function(source, name, 0, &function) || function.name == at
        || function.parameter_count != count)
        return NULL;
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++) {
            if (end[a] != first[a] + 1 || end[b] != first[b] + 1 || function.parameters[a] == 0
                || function.parameters[b] == 0 || source_token_same(&source->tokens[first[a]], &source->tokens[first[b]])
                || !source_token_same(&source->tokens[first[a]], &source->tokens[function.parameters[b]])
                || !source_token_same(&source->tokens[first[b]], &source->tokens[function.parameters[a]]))
                continue;
            facts_copy(&source->tokens[first[a]], one);
            facts_copy(&source->tokens[first[b]], other);
            snprintf(words, ADVICE_CALLS_BYTES,
                     "%.60s takes %.40s before %.40s, as line %d says, and this call has them the other way round.", name,
                     other, one, source->tokens[function.name].line);
            return "arguments";
        }
    return NULL;
}

/* ---- what every thread does for itself ---- */

/* How many `{` are open around token `at`, in a function whose body begins with token `open`. */
static int depth_of(const struct source *source, size_t open, size_t at)
{
    int depth = 0;
    for (size_t i = open; i < at; i++)
        depth += source_token_is(&source->tokens[i], "{") - source_token_is(&source->tokens[i], "}");
    return depth;
}

/* The function whose body holds the token. */
static bool find_around(const struct source *source, size_t at, struct source_function *function)
{
    static const char *const statements[] = {"if", "for", "while", "switch"};
    for (size_t i = at; i-- > 0;) {
        char name[FACTS_WORD_BYTES];
        if (source->tokens[i].kind != SOURCE_WORD || !source_token_is(&source->tokens[i + 1], "(")
            || SOURCE_IS_ANY(&source->tokens[i], statements))
            continue;
        facts_copy(&source->tokens[i], name);
        if (source_find_function(source, name, source->tokens[i].line, function) && function->name == i
            && function->first <= at && at < function->last)
            return true;
    }
    return false;
}

/* threadIdx, or a name that is set to threadIdx.x and nothing more where it is declared. */
static bool is_thread(const struct source *source, const struct source_function *function, size_t at)
{
    if (source_token_is(&source->tokens[at], "threadIdx"))
        return true;
    for (size_t i = function->first; i + 5 < function->last; i++)
        if (source_token_same(&source->tokens[i], &source->tokens[at]) && source_token_is(&source->tokens[i + 1], "=")
            && source_token_is(&source->tokens[i + 2], "threadIdx")
            && (source_token_is(&source->tokens[i + 5], ";") || source_token_is(&source->tokens[i + 5], ",")))
            return true;
    return false;
}

/* `__shared__ unsigned ticket;` */
static bool is_shared(const struct source *source, const struct source_function *function, size_t name)
{
    for (size_t i = function->first; i + 2 < name; i++)
        for (size_t k = i + 1;
             source_token_is(&source->tokens[i], "__shared__") && k < name && !source_token_is(&source->tokens[k], ";"); k++)
            if (source_token_same(&source->tokens[k], &source->tokens[name])
                && !source_token_is(&source->tokens[k + 1], "["))
                return true;
    return false;
}

/* `int tile = atomicAdd(…);` in all threads, and then `tile * 256 + threadIdx.x`, as if the block had one number; or
 * `if (threadIdx.x == 0) ticket = tile;`, as if one number had been drawn. */
static const char *judge_ticket(const struct source *source, size_t at, char words[ADVICE_CALLS_BYTES])
{
    const struct source_token *tokens = source->tokens;
    struct source_function function;
    if (at < 3 || !source_token_is(&tokens[at], "atomicAdd") || !source_token_is(&tokens[at - 1], "=")
        || tokens[at - 2].kind != SOURCE_WORD || tokens[at - 3].kind != SOURCE_WORD || !find_around(source, at, &function)
        || depth_of(source, function.first, at) != 0 || source_token_is(&tokens[at - 4], "__shared__"))
        return NULL;
    size_t before = at - 3; /* `if (t == 0) x = …` has a ) there, a declaration begins a statement */
    while (before > function.first && tokens[before - 1].kind == SOURCE_WORD)
        before--;
    if (!source_token_is(&tokens[before - 1], ";") && !source_token_is(&tokens[before - 1], "{")
        && !source_token_is(&tokens[before - 1], "}"))
        return NULL;
    size_t close = source_closing(source, at + 1, function.last);
    bool draws = source_token_is(&tokens[close - 1], "1") || source_token_is(&tokens[close - 1], "1u");
    for (size_t i = at; i + 4 < function.last; i++) {
        if (!source_token_same(&tokens[i], &tokens[at - 2]))
            continue;
        if (draws && source_token_is(&tokens[i - 1], "=") && source_token_is(&tokens[i + 1], ";")
            && is_shared(source, &function, i - 2)) {
            snprintf(
                words, ADVICE_CALLS_BYTES,
                "Every thread runs this line, so a block draws as many numbers as it has threads. Line %d stores one of "
                "them in %.*s, for all.",
                tokens[i].line, tokens[i - 2].length < 40 ? tokens[i - 2].length : 40, tokens[i - 2].text);
            return "tickets";
        }
        if (!source_token_is(&tokens[i + 1], "*"))
            continue;
        size_t plus = i + 3;
        while (plus < function.last && source_token_is(&tokens[plus], ".")) /* blockDim.x */
            plus += 2;
        if (!source_token_is(&tokens[plus], "+") || !is_thread(source, &function, plus + 1))
            continue;
        snprintf(
            words, ADVICE_CALLS_BYTES,
            "Every thread runs this line, so each has a %.*s of its own. Line %d uses it as a number that all threads of "
            "the block share.",
            tokens[i].length < 40 ? tokens[i].length : 40, tokens[i].text, tokens[i].line);
        return "tickets";
    }
    return NULL;
}

/* `h = a; a = b; b = h;` in an `if` that asks for the thread: token `at` is that h. */
static const char *judge_exchange(const struct source *source, size_t at, char words[ADVICE_CALLS_BYTES])
{
    const struct source_token *tokens = source->tokens, *h = &tokens[at];
    struct source_function function;
    size_t open = at, condition, close;
    if (at + 11 >= source->token_count || h->kind != SOURCE_WORD || !source_token_is(h + 1, "=")
        || !source_token_is(h + 3, ";") || !source_token_same(h + 2, h + 4) || !source_token_is(h + 5, "=")
        || !source_token_is(h + 7, ";") || !source_token_same(h + 6, h + 8) || !source_token_is(h + 9, "=")
        || !source_token_same(h, h + 10) || !find_around(source, at, &function))
        return NULL;
    for (int depth = 0; open > function.first && depth == 0; open--)
        depth += source_token_is(&tokens[open - 1], "{") - source_token_is(&tokens[open - 1], "}");
    if (open <= function.first || !source_token_is(&tokens[open], "{") || !source_token_is(&tokens[open - 1], ")"))
        return NULL;
    for (condition = open - 1; condition > function.first && !source_token_is(&tokens[condition], "if"); condition--)
        if (source_token_is(&tokens[condition], ";") || source_token_is(&tokens[condition], "{"))
            return NULL;
    close = source_closing(source, condition + 1, open);
    bool by_thread = false;
    for (size_t i = condition; i < close && close == open - 1; i++)
        by_thread |= is_thread(source, &function, i);
    if (!by_thread || !source_token_is(&tokens[condition], "if"))
        return NULL;
    snprintf(
        words, ADVICE_CALLS_BYTES,
        "This exchanges %.*s and %.*s only in the threads for which the condition in line %d is true. Each thread has its "
        "own %.*s and %.*s.",
        h[2].length < 30 ? h[2].length : 30, h[2].text, h[6].length < 30 ? h[6].length : 30, h[6].text,
        tokens[condition].line, h[2].length < 30 ? h[2].length : 30, h[2].text, h[6].length < 30 ? h[6].length : 30,
        h[6].text);
    return "exchange";
}

const char *advice_calls_judge(const struct source *source, size_t at, char words[ADVICE_CALLS_BYTES])
{
    if (source->tokens[at].kind != SOURCE_WORD || at + 2 >= source->token_count)
        return NULL;
    if (source_token_is(&source->tokens[at + 1], "="))
        return judge_exchange(source, at, words);
    if (!source_token_is(&source->tokens[at + 1], "("))
        return NULL;
    const char *kind = judge_shuffle(source, at, words);
    kind = kind ? kind : judge_ticket(source, at, words);
    return kind ? kind : judge_order(source, at, words);
}

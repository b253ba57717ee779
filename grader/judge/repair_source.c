#include "grader/judge/repair_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "runtime/language/source.h"

enum statement_kind { BLOCK, IF, LOOP, SWITCH, SIMPLE };

enum { MOST_DEPTH = 60 }; /* of statements in one another; deeper ones are one simple statement */

struct statement {
    enum statement_kind kind;
    size_t first, last; /* tokens */
    size_t head_last;   /* the last one before what it holds */
    int parent;         /* statement; -1: the body of a function */
    int depth;
};

struct repair_source {
    struct source *source;
    struct statement *statements; /* a parent comes before what it holds */
    int count, capacity;
};

/* ---- statements --------------------------------------------------------------------------------------------------- */

static bool is(const struct repair_source *own, size_t token, const char *text)
{
    return token < own->source->token_count && source_token_is(&own->source->tokens[token], text);
}

/* The next token of the program: not one of a macro's definition. */
static size_t skip_defined(const struct repair_source *own, size_t token)
{
    while (token < own->source->token_count && own->source->tokens[token].defined)
        token++;
    return token;
}

static size_t after(const struct repair_source *own, size_t token)
{
    return skip_defined(own, token + 1);
}

static int line_of(const struct repair_source *own, size_t token)
{
    return own->source->tokens[token].line;
}

static int add_statement(struct repair_source *own, enum statement_kind kind, size_t first, int parent)
{
    if (own->count == own->capacity) {
        own->capacity = own->capacity ? 2 * own->capacity : 64;
        struct statement *grown = allocate_zeroed((size_t)own->capacity * sizeof *grown);
        if (own->count > 0)
            memcpy(grown, own->statements, (size_t)own->count * sizeof *grown);
        free(own->statements);
        own->statements = grown;
    }
    own->statements[own->count] = (struct statement){.kind = kind,
                                                     .first = first,
                                                     .last = first,
                                                     .head_last = first,
                                                     .parent = parent,
                                                     .depth = parent >= 0 ? own->statements[parent].depth + 1 : 0};
    return own->count++;
}

static bool opens(const struct repair_source *own, size_t token)
{
    return is(own, token, "(") || is(own, token, "[") || is(own, token, "{");
}

/* Up to the semicolon. */
static size_t end_of_simple(const struct repair_source *own, size_t at, size_t end)
{
    for (; at < end; at = after(own, at)) {
        if (is(own, at, ";"))
            return at;
        if (opens(own, at))
            at = source_closing(own->source, at, end);
    }
    return end;
}

/* Reads the statement at `at`. Returns the token behind it. */
static size_t read_statement(struct repair_source *own, size_t at, size_t end, int parent);

static size_t read_block(struct repair_source *own, size_t at, size_t end, int self)
{
    size_t close = source_closing(own->source, at, end);
    own->statements[self].head_last = at;
    for (size_t next = after(own, at); next < close;)
        next = read_statement(own, next, close, self);
    own->statements[self].last = close < end ? close : end;
    return after(own, close);
}

static size_t read_head(struct repair_source *own, size_t at, size_t end, int self)
{
    size_t open = after(own, at);
    if (is(own, open, "constexpr"))
        open = after(own, open);
    size_t close = is(own, open, "(") ? source_closing(own->source, open, end) : at;
    own->statements[self].head_last = close;
    return after(own, close);
}

static size_t read_statement(struct repair_source *own, size_t at, size_t end, int parent)
{
    while (is(own, at, "case") || is(own, at, "default")) {
        while (at < end && !is(own, at, ":"))
            at = after(own, at);
        at = after(own, at);
    }
    if (at >= end)
        return end;
    bool deep = parent >= 0 && own->statements[parent].depth > MOST_DEPTH;
    enum statement_kind kind = deep                                                              ? SIMPLE
                               : is(own, at, "{")                                                ? BLOCK
                               : is(own, at, "if")                                               ? IF
                               : is(own, at, "for") || is(own, at, "while") || is(own, at, "do") ? LOOP
                               : is(own, at, "switch")                                           ? SWITCH
                                                                                                 : SIMPLE;
    int self = add_statement(own, kind, at, parent);
    size_t next = at;
    if (kind == BLOCK)
        return read_block(own, at, end, self);
    if (kind == SIMPLE) {
        size_t last = end_of_simple(own, at, end);
        own->statements[self].last = own->statements[self].head_last = last < end ? last : end;
        return last < end ? after(own, last) : end;
    }
    if (is(own, at, "do")) {
        next = read_statement(own, after(own, at), end, self);
        next = end_of_simple(own, next, end);
        own->statements[self].last = next < end ? next : end;
        return next < end ? after(own, next) : end;
    }
    next = read_statement(own, read_head(own, at, end, self), end, self);
    while (kind == IF && is(own, next, "else"))
        next = read_statement(own, after(own, next), end, self);
    size_t last = next - 1;
    while (last > at && own->source->tokens[last].defined)
        last--;
    own->statements[self].last = last;
    return next;
}

struct repair_source *repair_source_create(const char *text, size_t bytes)
{
    struct source *source = text ? source_create(text, bytes) : NULL;
    if (!source)
        return NULL;
    struct repair_source *own = allocate_zeroed(sizeof *own);
    own->source = source;
    for (size_t i = skip_defined(own, 0); i < source->token_count; i = after(own, i)) {
        if (!is(own, i, "{") || i == 0 || !is(own, i - 1, ")"))
            continue;
        size_t close = source_closing(source, i, source->token_count);
        if (close >= source->token_count)
            break;
        read_statement(own, i, close + 1, -1);
        i = close;
    }
    return own;
}

void repair_source_destroy(struct repair_source *own)
{
    if (!own)
        return;
    source_destroy(own->source);
    free(own->statements);
    free(own);
}

/* ---- places ------------------------------------------------------------------------------------------------------- */

static bool names_in(const struct repair_source *own, size_t first, size_t last, int line, const char *name)
{
    for (size_t i = first; i <= last && i < own->source->token_count; i++)
        if (line_of(own, i) == line && (name[0] == '\0' || is(own, i, name)))
            return true;
    return false;
}

/* The innermost statement that has tokens of its own in the line: of several, one with the name; -1: there is none. */
static int find_statement(const struct repair_source *own, int line, const char *name)
{
    int found = -1;
    for (int pass = 0; pass < 2 && found < 0; pass++)
        for (int i = 0; i < own->count; i++) {
            const struct statement *statement = &own->statements[i];
            if (statement->kind != BLOCK
                && names_in(own, statement->first, statement->head_last, line, pass == 0 ? name : ""))
                found = i;
        }
    return found;
}

static bool is_jump(const struct repair_source *own, const struct statement *statement)
{
    return statement->kind == SIMPLE
           && (is(own, statement->first, "return") || is(own, statement->first, "break")
               || is(own, statement->first, "continue"));
}

/* Is it the last thing in its block? */
static bool is_last(const struct repair_source *own, const struct statement *statement)
{
    return statement->parent >= 0 && own->statements[statement->parent].kind == BLOCK
           && after(own, statement->last) == own->statements[statement->parent].last;
}

static void write_lines(const struct repair_source *own, const struct statement *statement, const char *noun, char *words)
{
    int first = line_of(own, statement->first), last = line_of(own, statement->last);
    if (first == last)
        snprintf(words, REPAIR_PLACE_WORDS, "after %s in line %d", noun, first);
    else
        snprintf(words, REPAIR_PLACE_WORDS, "after %s of lines %d to %d", noun, first, last);
}

static void describe(const struct repair_source *own, const struct statement *statement, struct repair_place *place)
{
    const struct statement *parent = &own->statements[statement->parent];
    const struct statement *around = parent->kind == BLOCK && parent->parent >= 0 ? &own->statements[parent->parent]
                                                                                  : parent;
    int first = line_of(own, statement->first), last = line_of(own, statement->last);
    size_t next = after(own, statement->last);
    bool in_loop = around->kind == LOOP && (place->braces > 0 || is_last(own, statement));
    place->at_body_end = in_loop;
    place->loop = in_loop ? line_of(own, around->first) : 0;
    if (in_loop)
        snprintf(place->words, sizeof place->words, "at the end of the body of the loop in line %d%s",
                 line_of(own, around->first), place->braces > 0 ? ", which then needs braces" : "");
    else if (statement->kind == IF)
        write_lines(own, statement, "the `if`", place->words);
    else if (statement->kind == LOOP)
        write_lines(own, statement, "the loop", place->words);
    else if (statement->kind != SIMPLE)
        write_lines(own, statement, "the block", place->words);
    else if (next < own->source->token_count && line_of(own, next) == last && !is(own, next, "}"))
        snprintf(place->words, sizeof place->words, "in line %d, between the statements that are there", last);
    else if (first < last)
        write_lines(own, statement, "the statement", place->words);
    else if (is_last(own, statement) && around->kind == IF && around != parent)
        snprintf(place->words, sizeof place->words, "after line %d, inside the `if` of line %d", last,
                 line_of(own, around->first));
    else
        snprintf(place->words, sizeof place->words, "after line %d", last);
}

static bool is_end_of_all(const struct repair_source *own, int index)
{
    const struct statement *statement = &own->statements[index];
    return statement->parent >= 0 && own->statements[statement->parent].parent < 0 && is_last(own, statement);
}

static void add_place(const struct repair_source *own, int index, struct repair_place places[REPAIR_PLACES_MOST], int *count)
{
    const struct statement *statement = &own->statements[index];
    if (statement->parent < 0 || is_jump(own, statement) || *count == REPAIR_PLACES_MOST)
        return;
    const struct statement *parent = &own->statements[statement->parent];
    if ((parent->kind != BLOCK && parent->kind != LOOP) || (statement->kind == BLOCK && parent->kind != BLOCK))
        return;
    for (int i = 0; i < *count; i++)
        if (places[i].token == statement->last && (places[i].braces > 0) == (parent->kind == LOOP))
            return;
    struct repair_place *place = &places[(*count)++];
    *place = (struct repair_place){.token = statement->last,
                                   .braces = parent->kind == LOOP ? statement->first : 0,
                                   .line = line_of(own, statement->last),
                                   .depth = statement->depth,
                                   .before_barrier = is(own, after(own, statement->last), "__syncthreads")};
    describe(own, statement, place);
}

/* The end of what the loop holds, where the loop's own head has the access. */
static void add_body_end(const struct repair_source *own, int loop, struct repair_place *places, int *count)
{
    int last = -1;
    for (int i = loop + 1; i < own->count && own->statements[i].first <= own->statements[loop].last; i++) {
        const struct statement *statement = &own->statements[i];
        bool direct = statement->parent == loop && statement->kind != BLOCK;
        bool held = statement->parent > loop && own->statements[statement->parent].kind == BLOCK
                    && own->statements[statement->parent].parent == loop;
        if (direct || held)
            last = i;
    }
    if (last >= 0)
        add_place(own, last, places, count);
}

/* Behind a statement and those around it. */
static int add_around(const struct repair_source *own, int at, struct repair_place *places, int *count)
{
    int root = at;
    for (; at >= 0; at = own->statements[at].parent) {
        /* What comes at the very end orders nothing: only where there is no other place. */
        if (!is_end_of_all(own, at) || *count == 0)
            add_place(own, at, places, count);
        /* Behind the body's last statement too: there the next turn begins. */
        if (own->statements[at].kind == LOOP)
            add_body_end(own, at, places, count);
        root = at;
    }
    return root;
}

/* The name of the function whose body begins at a token; 0: unknown. */
static size_t function_of(const struct repair_source *own, size_t body)
{
    int depth = 0;
    for (size_t i = body; i-- > 1;) {
        depth += is(own, i, ")") - is(own, i, "(");
        if (depth == 0)
            return i - 1;
    }
    return 0;
}

static bool calls(const struct repair_source *own, const struct statement *statement, size_t name)
{
    for (size_t i = statement->first; i < statement->head_last && statement->kind != BLOCK; i++)
        if (source_token_same(&own->source->tokens[i], &own->source->tokens[name]) && is(own, i + 1, "("))
            return true;
    return false;
}

/* Behind the access in the line, and behind the calls of its function. */
static void add_chain(const struct repair_source *own, int line, const char *array, struct repair_place *places, int *count)
{
    int at = line > 0 ? find_statement(own, line, array) : -1;
    if (at < 0)
        return;
    int root = add_around(own, at, places, count);
    size_t name = function_of(own, own->statements[root].first);
    for (int i = 0; i < own->count && name > 0; i++)
        if (calls(own, &own->statements[i], name))
            add_around(own, i, places, count);
}

/* Behind what ends a batch of asynchronous copies, which only then can be waited for. */
static void add_commits(const struct repair_source *own, struct repair_place *places, int *count)
{
    for (int i = 0; i < own->count; i++) {
        const struct statement *statement = &own->statements[i];
        bool commits = false;
        for (size_t t = statement->first; statement->kind == SIMPLE && t < statement->last; t++) {
            const struct source_token *token = &own->source->tokens[t];
            commits |= source_token_is(token, "__pipeline_commit")
                       || (token->kind == SOURCE_LITERAL
                           && memmem(token->text, (size_t)token->length, "commit_group", strlen("commit_group")));
        }
        int first = *count;
        if (commits)
            add_place(own, i, places, count);
        for (; first < *count; first++)
            places[first].depth = -1;
    }
}

static int compare_places(const void *a, const void *b)
{
    const struct repair_place *first = a, *second = b;
    if (first->depth != second->depth)
        return first->depth - second->depth;
    return first->token < second->token ? -1 : first->token > second->token;
}

/* A `__syncwarp(…);` between the two lines: it is there that somebody meant to wait. */
static void add_warp_barriers(const struct repair_source *own, int line, int line2, struct repair_place *places, int *count)
{
    int from = line < line2 ? line : line2, to = line < line2 ? line2 : line;
    for (int i = 0; i < own->count && from > 0 && *count < REPAIR_PLACES_MOST; i++) {
        const struct statement *statement = &own->statements[i];
        int at = line_of(own, statement->first);
        if (statement->kind != SIMPLE || !is(own, statement->first, "__syncwarp") || at < from || at > to)
            continue;
        struct repair_place *place = &places[(*count)++];
        *place = (struct repair_place){.token = statement->last,
                                       .removed = statement->first,
                                       .removed_end = statement->last + 1,
                                       .line = at,
                                       .depth = -1};
        snprintf(place->words, sizeof place->words, "for the whole block instead of the `__syncwarp()` in line %d", at);
    }
}

int repair_source_places(const struct repair_source *own, const struct result_finding *finding,
                         struct repair_place places[REPAIR_PLACES_MOST])
{
    int count = 0;
    add_warp_barriers(own, finding->line, finding->line2, places, &count);
    if (strcmp(finding->code, "async_copy") == 0)
        add_commits(own, places, &count);
    add_chain(own, finding->line, finding->array, places, &count);
    add_chain(own, finding->line2, finding->array, places, &count);
    qsort(places, (size_t)count, sizeof *places, compare_places);
    return count;
}

/* ---- barriers and jumps that are there ---------------------------------------------------------------------------- */

bool repair_source_find_barrier(const struct repair_source *own, int line, size_t *first, size_t *end)
{
    for (int i = 0; i < own->count; i++) {
        const struct statement *statement = &own->statements[i];
        if (statement->kind != SIMPLE || line_of(own, statement->first) != line
            || !is(own, statement->first, "__syncthreads") || !is(own, statement->first + 1, "("))
            continue;
        *first = statement->first;
        *end = statement->last;
        return true;
    }
    return false;
}

int repair_source_find_warp_barrier(const struct repair_source *own, int from, int line)
{
    int found = 0;
    for (size_t i = skip_defined(own, 0); i < own->source->token_count; i = after(own, i))
        if (is(own, i, "__syncwarp") && line_of(own, i) >= from && line_of(own, i) <= line)
            found = line_of(own, i);
    return found;
}

int repair_source_find_fence(const struct repair_source *own, int from, int line, const char **name)
{
    static const char *const fences[] = {"__threadfence", "__threadfence_block"};
    int found = 0;
    for (size_t i = skip_defined(own, 0); i < own->source->token_count; i = after(own, i))
        for (size_t k = 0; k < sizeof fences / sizeof *fences; k++)
            if (is(own, i, fences[k]) && line_of(own, i) >= from && line_of(own, i) <= line) {
                found = line_of(own, i);
                *name = fences[k];
            }
    return found;
}

static int loop_around(const struct repair_source *own, int at)
{
    for (at = own->statements[at].parent; at >= 0; at = own->statements[at].parent)
        if (own->statements[at].kind == LOOP)
            return at;
    return -1;
}

/* The head of a statement in front of what it holds, where it is of one line, and not `line`. Returns that line, else 0. */
static int write_head(const struct repair_source *own, const struct statement *statement, int line, char *head,
                      size_t head_bytes)
{
    const struct source_token *first = &own->source->tokens[statement->first];
    const struct source_token *last = &own->source->tokens[statement->head_last];
    size_t length = last->text >= first->text ? (size_t)(last->text + last->length - first->text) : head_bytes;
    if (first->line != last->line || first->line == line || length >= head_bytes)
        return 0;
    memcpy(head, first->text, length);
    head[length] = '\0';
    return first->line;
}

int repair_source_find_loop(const struct repair_source *own, int line, char *head, size_t head_bytes)
{
    int at = find_statement(own, line, ""), loop = at >= 0 ? loop_around(own, at) : -1;
    if (loop < 0 || is(own, own->statements[loop].first, "do"))
        return 0;
    return write_head(own, &own->statements[loop], line, head, head_bytes);
}

int repair_source_find_if(const struct repair_source *own, int line, char *head, size_t head_bytes)
{
    int statement = find_statement(own, line, ""), at = statement >= 0 ? own->statements[statement].parent : -1;
    while (at >= 0 && own->statements[at].kind == BLOCK)
        at = own->statements[at].parent;
    if (at < 0 || own->statements[at].kind != IF)
        return 0;
    for (size_t i = after(own, own->statements[at].head_last); i < own->statements[statement].first; i = after(own, i)) {
        size_t close = opens(own, i) ? source_closing(own->source, i, own->source->token_count) : i;
        if (is(own, i, "else"))
            return 0;
        i = close < own->statements[statement].first ? close : i;
    }
    return write_head(own, &own->statements[at], line, head, head_bytes);
}

static int root_of(const struct repair_source *own, int at)
{
    while (own->statements[at].parent >= 0)
        at = own->statements[at].parent;
    return at;
}

int repair_source_find_jump(const struct repair_source *own, int line, const char **word)
{
    int target = find_statement(own, line, ""), found = -1;
    if (target < 0)
        return 0;
    for (int i = 0; i < own->count; i++) {
        const struct statement *statement = &own->statements[i];
        if (!is_jump(own, statement) || root_of(own, i) != root_of(own, target))
            continue;
        bool returns = is(own, statement->first, "return"), breaks = is(own, statement->first, "break");
        bool before = statement->last < own->statements[target].first;
        /* `break` keeps a thread from the later turns as well. */
        bool same_loop = loop_around(own, i) >= 0 && loop_around(own, i) == loop_around(own, target);
        if ((returns && before) || (same_loop && (before || breaks)))
            found = i;
    }
    if (found < 0)
        return 0;
    size_t first = own->statements[found].first;
    *word = is(own, first, "return") ? "return" : is(own, first, "break") ? "break" : "continue";
    return line_of(own, first);
}

int repair_source_depth(const struct repair_source *own, int line)
{
    int at = find_statement(own, line, "");
    return at >= 0 ? own->statements[at].depth : 0;
}

bool repair_source_find_around(const struct repair_source *own, int line, bool *is_loop, int *around)
{
    int at = find_statement(own, line, "");
    for (at = at >= 0 ? own->statements[at].parent : -1; at >= 0; at = own->statements[at].parent) {
        if (own->statements[at].kind != IF && own->statements[at].kind != LOOP)
            continue;
        *is_loop = own->statements[at].kind == LOOP;
        *around = line_of(own, own->statements[at].first);
        return true;
    }
    return false;
}

/* The tokens of a loop's condition and of its body. */
struct loop_parts {
    size_t condition, condition_end, body, body_end;
};

static bool find_parts(const struct repair_source *own, const struct statement *loop, struct loop_parts *parts)
{
    bool is_do = is(own, loop->first, "do");
    size_t at = is_do ? loop->last : loop->first;
    while (is_do && at > loop->first && !is(own, at, "while"))
        at--;
    size_t open = after(own, at);
    if (is(own, loop->first, "for") || !is(own, at, "while") || !is(own, open, "("))
        return false;
    size_t close = source_closing(own->source, open, loop->last + 1);
    *parts = is_do ? (struct loop_parts){open + 1, close, loop->first + 1, at}
                   : (struct loop_parts){open + 1, close, close + 1, loop->last + 1};
    return close <= loop->last;
}

static bool starts_with(const struct source_token *token, const char *text)
{
    return (size_t)token->length > strlen(text) && strncmp(token->text, text, strlen(text)) == 0;
}

/* Is the name declared with this word in its declaration, anywhere in the text? */
static bool is_declared(const struct repair_source *own, const struct source_token *name, const char *word)
{
    for (size_t t = 1; t < own->source->token_count; t++) {
        if (!source_token_same(&own->source->tokens[t], name))
            continue;
        for (size_t back = t; back-- > 0;) {
            const struct source_token *token = &own->source->tokens[back];
            if (token->kind != SOURCE_WORD && !source_token_is(token, "*"))
                break;
            if (source_token_is(token, word))
                return true;
        }
    }
    return false;
}

/* Does the condition read memory, with a subscript, a star or an atomic function, or a shared variable? */
static bool reads_memory(const struct repair_source *own, const struct loop_parts *parts, const char *array, bool *plain,
                         bool *named)
{
    bool reads = false;
    *plain = true;
    *named = false;
    for (size_t t = parts->condition; t < parts->condition_end; t++) {
        const struct source_token *token = &own->source->tokens[t];
        bool word = token->kind == SOURCE_WORD, prefix = is(own, t - 1, "(") || is(own, t - 1, "!") || is(own, t - 1, "&&");
        bool atomic = starts_with(token, "atomic") || source_token_is(token, "volatile")
                      || (word && is_declared(own, token, "volatile")) || source_token_is(token, "load");
        *plain &= !atomic;
        reads |= atomic || source_token_is(token, "[") || (source_token_is(token, "*") && prefix)
                 || (word && is_declared(own, token, "__shared__"));
        *named |= source_token_is(token, array);
    }
    return reads;
}

/* Is a function called that may change what the loop asks for? */
static bool calls_other(const struct repair_source *own, size_t first, size_t end)
{
    static const char *const waits[] = {"__syncwarp", "__nanosleep", "__threadfence", "__threadfence_block",
                                        "__ldcg",     "__ldcv",      "load",          "while"};
    for (size_t t = first; t < end; t++) {
        const struct source_token *token = &own->source->tokens[t];
        if (token->kind == SOURCE_WORD && is(own, t + 1, "(") && !starts_with(token, "atomic")
            && !SOURCE_IS_ANY(token, waits))
            return true;
    }
    return false;
}

static bool has_any(const struct repair_source *own, size_t first, size_t end, const char *const *words, size_t count)
{
    for (size_t t = first; t < end; t++)
        if (source_token_is_any(&own->source->tokens[t], words, count))
            return true;
    return false;
}

/* Does the body change nothing, and leave the loop nowhere? */
static bool only_waits(const struct repair_source *own, const struct loop_parts *parts, bool *empty)
{
    static const char *const changes[] = {"=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", "++", "--"};
    static const char *const leaves[] = {"break", "return", "goto", "__syncthreads"};
    size_t count = sizeof changes / sizeof *changes;
    *empty = true;
    for (size_t t = parts->body; t < parts->body_end; t++) {
        *empty &= own->source->tokens[t].kind != SOURCE_WORD;
        if (starts_with(&own->source->tokens[t], "atomic"))
            return false;
    }
    return !calls_other(own, parts->condition, parts->condition_end) && !calls_other(own, parts->body, parts->body_end)
           && !has_any(own, parts->condition, parts->condition_end, changes, count)
           && !has_any(own, parts->body, parts->body_end, changes, count)
           && !has_any(own, parts->body, parts->body_end, leaves, sizeof leaves / sizeof *leaves);
}

static size_t variable_of(const struct repair_source *own, const struct statement *statement);

/* Is what the statement sets the only thing that the loop asks for? */
static bool asks_for(const struct repair_source *own, const struct statement *statement, const struct loop_parts *parts,
                     struct repair_wait *wait)
{
    size_t variable = variable_of(own, statement);
    bool asks = false;
    for (size_t t = parts->condition; t < parts->condition_end && variable > 0; t++) {
        const struct source_token *token = &own->source->tokens[t];
        if (token->kind == SOURCE_WORD && !source_token_same(token, &own->source->tokens[variable]))
            return false;
        asks |= source_token_same(token, &own->source->tokens[variable]);
    }
    if (asks)
        snprintf(wait->variable, sizeof wait->variable, "%.*s", own->source->tokens[variable].length,
                 own->source->tokens[variable].text);
    return asks;
}

bool repair_source_find_wait(const struct repair_source *own, int line, const char *array, struct repair_wait *wait)
{
    int at = find_statement(own, line, "");
    for (int i = 0; i < own->count && at >= 0; i++) {
        const struct statement *loop = &own->statements[i], *around = &own->statements[at];
        struct loop_parts parts;
        bool named, plain, empty, inside = loop->first >= around->first && loop->last <= around->last;
        inside |= line_of(own, loop->first) == line; /* the statement in the line may be the loop's body */
        if (loop->kind != LOOP || root_of(own, i) != root_of(own, at) || !find_parts(own, loop, &parts)
            || !only_waits(own, &parts, &empty))
            continue;
        bool memory = reads_memory(own, &parts, array, &plain, &named);
        *wait = (struct repair_wait){.line = line_of(own, loop->first), .plain = plain, .empty = empty};
        if (memory && (named || inside))
            return true;
        if (!memory && loop->first > around->last && asks_for(own, around, &parts, wait)) {
            wait->read_line = line;
            return true;
        }
    }
    return false;
}

static bool stores_to(const struct repair_source *own, const struct statement *statement, const char *array)
{
    return statement->kind == SIMPLE && is(own, statement->first, array) && is(own, statement->first + 1, "[")
           && is(own, source_closing(own->source, statement->first + 1, statement->last) + 1, "=");
}

/* Do two stores begin with the same tokens, up to the `=`? */
static bool same_left_side(const struct repair_source *own, const struct statement *a, const struct statement *b)
{
    for (size_t i = 0; a->first + i <= a->last && b->first + i <= b->last; i++) {
        const struct source_token *one = &own->source->tokens[a->first + i], *other = &own->source->tokens[b->first + i];
        if (!source_token_same(one, other))
            return false;
        if (source_token_is(one, "="))
            return true;
    }
    return false;
}

/* The store to the array in the other branch of the `if` around statement i; -1: there is none. */
static int find_other_branch(const struct repair_source *own, int i, const char *array)
{
    int branch = own->statements[i].parent;
    while (branch >= 0 && own->statements[branch].kind == BLOCK)
        branch = own->statements[branch].parent;
    if (branch < 0 || own->statements[branch].kind != IF)
        return -1;
    for (int k = 0; k < own->count; k++) {
        const struct statement *other = &own->statements[k];
        bool inside = other->first > own->statements[branch].first && other->last <= own->statements[branch].last;
        bool apart = false;
        size_t from = k < i ? other->last : own->statements[i].last;
        for (size_t t = from; inside && t < (k < i ? own->statements[i].first : other->first); t++)
            apart |= is(own, t, "else");
        if (k != i && apart && stores_to(own, other, array))
            return k;
    }
    return -1;
}

static int find_twin(const struct repair_source *own, int line, const char *array, bool same)
{
    for (int i = 0; i < own->count; i++) {
        if (!stores_to(own, &own->statements[i], array) || line_of(own, own->statements[i].first) != line)
            continue;
        int other = find_other_branch(own, i, array);
        if (other >= 0 && (!same || same_left_side(own, &own->statements[i], &own->statements[other])))
            return line_of(own, own->statements[other].first);
    }
    return 0;
}

int repair_source_find_twin(const struct repair_source *own, int line, const char *array)
{
    return find_twin(own, line, array, false);
}

int repair_source_find_same_store(const struct repair_source *own, int line, const char *array)
{
    return find_twin(own, line, array, true);
}

int repair_source_find_only_loop(const struct repair_source *own, int line)
{
    int at = find_statement(own, line, ""), loop = at >= 0 && own->statements[at].kind != LOOP ? loop_around(own, at) : -1;
    return loop >= 0 && loop_around(own, loop) < 0 ? line_of(own, own->statements[loop].first) : 0;
}

bool repair_source_is_barrier(const struct repair_source *own, int line)
{
    bool barrier = false;
    for (int i = 0; i < own->count; i++) {
        const struct statement *statement = &own->statements[i];
        if (statement->kind == BLOCK || !names_in(own, statement->first, statement->head_last, line, ""))
            continue;
        if (statement->kind != SIMPLE || !is(own, statement->first, "__syncthreads") || !is(own, statement->first + 1, "("))
            return false;
        barrier = true;
    }
    return barrier;
}

static bool is_factor(const struct repair_source *own, size_t token)
{
    enum source_token_kind kind = own->source->tokens[token].kind;
    return kind == SOURCE_WORD || kind == SOURCE_NUMBER;
}

static int find_remainder_in(const struct repair_source *own, const struct statement *statement, char *text,
                             size_t text_bytes)
{
    for (size_t t = statement->first; statement->kind != BLOCK && t + 4 <= statement->head_last; t++) {
        if (!is_factor(own, t) || !is(own, t + 1, "%") || !is_factor(own, t + 2) || !is(own, t + 3, "*")
            || !is_factor(own, t + 4))
            continue;
        const struct source_token *a = &own->source->tokens[t], *b = a + 2, *c = a + 4;
        snprintf(text, text_bytes, "`%.*s %% %.*s * %.*s` as `(%.*s %% %.*s) * %.*s`", a->length, a->text, b->length,
                 b->text, c->length, c->text, a->length, a->text, b->length, b->text, c->length, c->text);
        return a->line;
    }
    return 0;
}

/* `if (...) return;`, `continue` or `break`, in braces or without. */
static bool is_way_out(const struct repair_source *own, int at)
{
    int body = at + 1;
    if (own->statements[at].kind != IF || body >= own->count || own->statements[body].parent != at)
        return false;
    if (own->statements[body].kind == BLOCK && body + 1 < own->count && own->statements[body + 1].parent == body)
        body++;
    return is_jump(own, &own->statements[body]);
}

int repair_source_find_shifted_sum(const struct repair_source *own, const char *shown, char *text, size_t text_bytes)
{
    static const char *const shifts[] = {"<<", ">>"}, *const sums[] = {"+", "-"}, *const before[] = {"=", "(", "[", ","},
                             *const behind[] = {";", ")", "]", ",", "+", "-"}; /* nothing that binds tighter */
    for (size_t t = 1; t + 5 < own->source->token_count; t++) {
        const struct source_token *a = &own->source->tokens[t], *b = a + 2, *c = a + 4;
        char formula[80];
        if (!is_factor(own, t) || !SOURCE_IS_ANY(a + 1, shifts) || !is_factor(own, t + 2) || !SOURCE_IS_ANY(a + 3, sums)
            || !is_factor(own, t + 4) || !SOURCE_IS_ANY(a - 1, before) || !SOURCE_IS_ANY(a + 5, behind))
            continue;
        int length = snprintf(formula, sizeof formula, "%.*s %.2s %.*s %.1s %.*s", a->length, a->text, a[1].text, b->length,
                              b->text, a[3].text, c->length, c->text);
        if (length >= (int)sizeof formula || !strstr(shown, formula))
            continue;
        snprintf(text, text_bytes, "`%s` as `%.*s %.2s (%.*s %.1s %.*s)`", formula, a->length, a->text, a[1].text, b->length,
                 b->text, a[3].text, c->length, c->text);
        return a->line;
    }
    return 0;
}

/* Is the parameter a plain number: no pointer, array or reference? */
static bool is_number(const struct repair_source *own, const struct source_function *function, unsigned parameter)
{
    size_t name = function->parameters[parameter];
    for (size_t t = function->types[parameter]; t <= name + 1; t++)
        if (is(own, t, "*") || is(own, t, "&") || is(own, t, "["))
            return false;
    return name > 0;
}

bool repair_source_find_passed(const struct repair_source *own, const char *function, int line, int call, char *text,
                               size_t text_bytes)
{
    const struct source *source = own->source;
    struct source_function called;
    size_t at = 0, used = 0, count = source->token_count, calls = 0;
    if (!source_find_function(source, function, line, &called))
        return false;
    for (size_t t = 0; t + 1 < count; t++)
        if (source->tokens[t].line == call && is(own, t, function) && is(own, t + 1, "(")) {
            at = t;
            calls++;
        }
    if (calls != 1)
        return false;
    size_t close = source_closing(source, at + 1, count), first = at + 2;
    text[0] = '\0';
    for (unsigned p = 0; p < called.parameter_count && first < close && used < text_bytes; p++) {
        size_t end = first;
        for (int depth = 0; end < close && (depth > 0 || !is(own, end, ",")); end++)
            depth += is(own, end, "(") + is(own, end, "[") - is(own, end, ")") - is(own, end, "]");
        const struct source_token *name = &source->tokens[called.parameters[p]], *passed = &source->tokens[first];
        bool one = end == first + 1 && passed->kind == SOURCE_WORD;
        if (one && is_number(own, &called, p) && !source_token_same(name, passed))
            used += (size_t)snprintf(text + used, text_bytes - used, "%s%.*s for %.*s", used > 0 ? ", " : "", passed->length,
                                     passed->text, name->length, name->text);
        first = end + 1;
    }
    return used > 0 && used < text_bytes;
}

/* The float variable that the `if` at a token replaces, and compares in its condition: the token of its name; 0: none. */
static size_t find_replaced_by(const struct repair_source *own, size_t at)
{
    static const char *const comparisons[] = {"<", ">", "<=", ">=", "==", "!="};
    const struct source_token *tokens = own->source->tokens;
    size_t close = is(own, at, "if") && is(own, at + 1, "(") ? source_closing(own->source, at + 1, own->source->token_count)
                                                             : 0;
    size_t name = close + 1 + is(own, close + 1, "{");
    if (close == 0 || tokens[at].defined || name + 1 >= own->source->token_count || !is(own, name + 1, "="))
        return 0;
    bool compares = false, asked = false, is_float = false;
    for (size_t t = at + 2; t < close; t++) {
        compares |= SOURCE_IS_ANY(&tokens[t], comparisons);
        asked |= source_token_same(&tokens[t], &tokens[name]);
    }
    for (size_t t = 0; t + 1 < own->source->token_count; t++)
        is_float |= is(own, t, "float") && source_token_same(&tokens[t + 1], &tokens[name]);
    return compares && asked && is_float ? name : 0;
}

int repair_source_find_replaced(const struct repair_source *own, int *second, char *name, size_t name_bytes)
{
    size_t first = 0;
    *second = 0;
    for (size_t t = 0; t + 3 < own->source->token_count && *second == 0; t++) {
        size_t replaced = find_replaced_by(own, t);
        if (replaced > 0 && first > 0 && source_token_same(&own->source->tokens[replaced], &own->source->tokens[first]))
            *second = own->source->tokens[replaced].line;
        first = first > 0 ? first : replaced;
    }
    if (first == 0)
        return 0;
    snprintf(name, name_bytes, "%.*s", own->source->tokens[first].length, own->source->tokens[first].text);
    return own->source->tokens[first].line;
}

/* `if (x < limit) return 0.0f;` in a function that gets x as a float: tokens of the number that is returned. 0: it is none. */
static size_t find_returned_by(const struct repair_source *own, size_t at, size_t *name)
{
    static const char *const comparisons[] = {"<", ">", "<=", ">="};
    const struct source_token *tokens = own->source->tokens;
    size_t close = is(own, at, "if") && is(own, at + 1, "(") ? source_closing(own->source, at + 1, own->source->token_count)
                                                             : 0;
    size_t value = close + 2 + is(own, close + 1, "{");
    bool compares = false, is_float = false;
    if (close == 0 || tokens[at].defined || !is(own, value - 1, "return") || value + 1 >= own->source->token_count
        || tokens[value].kind != SOURCE_NUMBER || !is(own, value + 1, ";"))
        return 0;
    *name = 0;
    for (size_t t = at + 2; t < close; t++) {
        compares |= SOURCE_IS_ANY(&tokens[t], comparisons);
        if (*name == 0 && tokens[t].kind == SOURCE_WORD && !is(own, t + 1, "("))
            *name = t;
    }
    for (size_t t = 0; *name > 0 && t + 1 < own->source->token_count; t++)
        is_float |= is(own, t, "float") && source_token_same(&tokens[t + 1], &tokens[*name]);
    return compares && is_float ? value : 0;
}

int repair_source_find_returned(const struct repair_source *own, char *name, size_t name_bytes, char *value,
                                size_t value_bytes)
{
    for (size_t t = 0; t + 3 < own->source->token_count; t++) {
        size_t asked, number = find_returned_by(own, t, &asked);
        if (number == 0)
            continue;
        const struct source_token *tokens = own->source->tokens;
        snprintf(name, name_bytes, "%.*s", tokens[asked].length, tokens[asked].text);
        snprintf(value, value_bytes, "%.*s", tokens[number].length, tokens[number].text);
        return tokens[number].line;
    }
    return 0;
}

int repair_source_find_only_call(const struct repair_source *own, const char *const *functions, size_t count,
                                 const char **function)
{
    int line = 0;
    for (size_t t = 0; t + 1 < own->source->token_count; t++)
        for (size_t i = 0; i < count && is(own, t + 1, "("); i++) {
            if (!is(own, t, functions[i]))
                continue;
            if (line > 0)
                return 0;
            line = own->source->tokens[t].line;
            *function = functions[i];
        }
    return line;
}

int repair_source_find_atomic_add(const struct repair_source *own, const char *array)
{
    for (size_t t = 0; t + 4 < own->source->token_count; t++)
        if (is(own, t, "atomicAdd") && is(own, t + 1, "(") && is(own, t + 2 + is(own, t + 2, "&"), array))
            return own->source->tokens[t].line;
    return 0;
}

/* The variable that the statement sets: the word before its first `=`; 0: none. */
static size_t variable_of(const struct repair_source *own, const struct statement *statement)
{
    for (size_t t = statement->first + 1; statement->kind == SIMPLE && t < statement->last; t++)
        if (is(own, t, "="))
            return own->source->tokens[t - 1].kind == SOURCE_WORD ? t - 1 : 0;
    return 0;
}

/* The same in the statements that set what an `if` asks: `bool receives = id % 2 * i == 0; if (receives)`. */
static int find_remainder_behind(const struct repair_source *own, int at, char *text, size_t text_bytes)
{
    const struct statement *asking = &own->statements[at];
    int found = 0;
    for (size_t t = asking->first; asking->kind == IF && t <= asking->head_last && found == 0; t++) {
        int k = own->source->tokens[t].kind == SOURCE_WORD ? at - 1 : -1;
        for (; k >= 0; k--) {
            size_t set = variable_of(own, &own->statements[k]);
            if (set > 0 && source_token_same(&own->source->tokens[set], &own->source->tokens[t]))
                break;
        }
        found = k >= 0 ? find_remainder_in(own, &own->statements[k], text, text_bytes) : 0;
    }
    return found;
}

int repair_source_find_remainder(const struct repair_source *own, int line, char *text, size_t text_bytes)
{
    int found = 0;
    for (int at = find_statement(own, line, ""); at >= 0 && found == 0; at = own->statements[at].parent) {
        found = find_remainder_in(own, &own->statements[at], text, text_bytes);
        found = found > 0 ? found : find_remainder_behind(own, at, text, text_bytes);
        for (int k = at - 1; k >= 0 && found == 0; k--) /* what has kept other threads away */
            if (own->statements[k].parent == own->statements[at].parent && is_way_out(own, k))
                found = find_remainder_in(own, &own->statements[k], text, text_bytes);
    }
    return found;
}

/* Are the tokens [first, end) of the address, without &, in the statement, and no part of a longer one? */
static bool has_tokens(const struct repair_source *own, const struct statement *statement, size_t first, size_t end)
{
    for (size_t at = statement->first; at + (end - first) <= statement->last && first < end; at++) {
        size_t same = 0;
        while (first + same < end && source_token_same(&own->source->tokens[at + same], &own->source->tokens[first + same]))
            same++;
        bool longer = is(own, at + same, "+") || is(own, at + same, "-") || is(own, at + same, "[") || is(own, at - 1, "+")
                      || is(own, at - 1, "-");
        if (first + same == end && !longer)
            return true;
    }
    return false;
}

/* The comma behind the first argument of the call that begins at `call`; 0: there is one argument only. */
static size_t first_comma(const struct repair_source *own, size_t call, size_t end)
{
    for (size_t t = call + 2; t < end; t++) {
        if (is(own, t, ","))
            return t;
        if (opens(own, t))
            t = source_closing(own->source, t, end);
    }
    return 0;
}

/* The line of an earlier statement that reads the place that the atomicExch at `index` replaces, into a variable that goes into
 * the new value; 0: there is none. */
static int find_read(const struct repair_source *own, int index)
{
    const struct statement *exchange = &own->statements[index];
    size_t comma = first_comma(own, exchange->first, exchange->last), address = exchange->first + 2;
    address += is(own, address, "&");
    for (int i = index - 1; i >= 0 && comma > 0 && root_of(own, i) == root_of(own, index); i--) {
        size_t variable = variable_of(own, &own->statements[i]);
        if (variable == 0 || !has_tokens(own, &own->statements[i], address, comma))
            continue;
        for (size_t t = comma; t < exchange->last; t++)
            if (source_token_same(&own->source->tokens[t], &own->source->tokens[variable]))
                return line_of(own, own->statements[i].first);
    }
    return 0;
}

int repair_source_find_steps(const struct repair_source *own, int *read_line)
{
    for (int i = 0; i < own->count; i++) {
        const struct statement *statement = &own->statements[i];
        *read_line = 0;
        if (statement->kind != SIMPLE || !is(own, statement->first + 1, "("))
            continue;
        if (is(own, statement->first, "atomicCAS")
            || (is(own, statement->first, "atomicExch") && (*read_line = find_read(own, i)) > 0))
            return line_of(own, statement->first);
    }
    return 0;
}

/* Is a loop around the statement that may repeat it: any but a `for` whose head has a step? */
static bool is_repeated(const struct repair_source *own, int at)
{
    for (at = own->statements[at].parent; at >= 0; at = own->statements[at].parent) {
        const struct statement *loop = &own->statements[at];
        bool steps = false;
        for (size_t t = loop->first; t < loop->head_last; t++)
            steps |= is(own, t, "++") || is(own, t, "+=");
        if (loop->kind == LOOP && !(is(own, loop->first, "for") && steps))
            return true;
    }
    return false;
}

int repair_source_find_try(const struct repair_source *own, char *name, size_t name_bytes)
{
    for (int i = 0; i < own->count; i++) {
        const struct statement *statement = &own->statements[i];
        for (size_t t = statement->first; statement->kind == IF && t + 4 < statement->head_last; t++) {
            size_t place = t + 2 + (size_t)is(own, t + 2, "&");
            if ((!is(own, t, "atomicCAS") && !is(own, t, "atomicExch")) || !is(own, t + 1, "(")
                || own->source->tokens[place].kind != SOURCE_WORD || is_repeated(own, i))
                continue;
            size_t comma = first_comma(own, t, statement->head_last);
            bool numbers = comma > 0;
            for (size_t k = comma + 1; numbers && k < source_closing(own->source, t + 1, statement->head_last); k++)
                numbers = is(own, k, ",") || own->source->tokens[k].kind == SOURCE_NUMBER;
            if (!numbers)
                continue;
            snprintf(name, name_bytes, "%.*s", own->source->tokens[place].length, own->source->tokens[place].text);
            return line_of(own, statement->first);
        }
    }
    return 0;
}

/* How often a word occurs in the statement. */
static int count_word(const struct repair_source *own, const struct statement *statement, size_t word)
{
    int count = 0;
    for (size_t t = statement->first; t <= statement->last; t++)
        count += source_token_same(&own->source->tokens[t], &own->source->tokens[word]);
    return count;
}

/* Does an atomic function in the statement change the array, behind the token? */
static bool changes_atomically(const struct repair_source *own, const struct statement *statement, size_t from, size_t array)
{
    for (size_t t = from; t + 3 < statement->last; t++) {
        const struct source_token *token = &own->source->tokens[t];
        size_t place = t + 2 + (size_t)is(own, t + 2, "&");
        if (token->length > 6 && strncmp(token->text, "atomic", 6) == 0 && is(own, t + 1, "(")
            && source_token_same(&own->source->tokens[place], &own->source->tokens[array]))
            return true;
    }
    return false;
}

int repair_source_find_reset(const struct repair_source *own, int *loop, char *name, size_t name_bytes)
{
    for (int i = 0; i < own->count; i++) {
        const struct statement *statement = &own->statements[i];
        size_t first = statement->first;
        if (statement->kind != SIMPLE || !is(own, first + 1, "["))
            continue;
        size_t close = source_closing(own->source, first + 1, statement->last);
        int around = loop_around(own, i);
        for (; around >= 0 && is(own, close + 1, "=") && is(own, close + 2, "0") && is(own, close + 3, ";");
             around = loop_around(own, around)) {
            const struct statement *body = &own->statements[around];
            if (!changes_atomically(own, body, statement->last, first) || count_word(own, body, first) != 2)
                continue;
            *loop = line_of(own, body->first);
            snprintf(name, name_bytes, "%.*s", own->source->tokens[first].length, own->source->tokens[first].text);
            return line_of(own, first);
        }
    }
    return 0;
}

int repair_source_find_old_value(const struct repair_source *own, char *name, size_t name_bytes)
{
    for (int i = 0; i < own->count; i++) {
        const struct statement *statement = &own->statements[i];
        size_t equal = statement->first;
        while (statement->kind == SIMPLE && equal < statement->last && !is(own, equal, "="))
            equal++;
        if (statement->kind != SIMPLE || equal == statement->first || equal + 3 >= statement->last
            || !is(own, equal + 2, "("))
            continue;
        const struct source_token *function = &own->source->tokens[equal + 1];
        size_t place = equal + 3 + (size_t)is(own, equal + 3, "&"), length = equal - statement->first;
        size_t comma = first_comma(own, equal + 1, statement->last);
        if (function->length < 7 || strncmp(function->text, "atomic", 6) != 0 || comma != place + length)
            continue;
        size_t same = 0;
        while (same < length
               && source_token_same(&own->source->tokens[statement->first + same], &own->source->tokens[place + same]))
            same++;
        if (same < length)
            continue;
        snprintf(name, name_bytes, "%.*s", function->length, function->text);
        return function->line;
    }
    return 0;
}

/* The name that `__device__ float name;` or `... name = 0;` declares outside of functions; 0: none. */
static size_t find_device_variable(const struct repair_source *own, size_t at)
{
    size_t name = at + 1;
    if (!is(own, at, "__device__") || own->source->tokens[at].defined)
        return 0;
    while (name + 1 < own->source->token_count && own->source->tokens[name].kind == SOURCE_WORD && !is(own, name, "const")
           && own->source->tokens[name + 1].kind == SOURCE_WORD)
        name++;
    bool ends = name > at + 1 && name + 1 < own->source->token_count && (is(own, name + 1, "=") || is(own, name + 1, ";"));
    return ends && own->source->tokens[name].kind == SOURCE_WORD ? name : 0;
}

/* How a name is used at a token. */
enum use { ADDED_TO, ADDED_TO_AND_READ, READ, SET };

static enum use use_of(const struct repair_source *own, size_t at)
{
    bool address = is(own, at - 1, "&") && (is(own, at - 2, "(") || is(own, at - 2, ","));
    bool begins = is(own, at - 1, ";") || is(own, at - 1, "{") || is(own, at - 1, "}") || is(own, at - 1, ")");
    if (address && is(own, at - 3, "atomicAdd"))
        return is(own, at - 4, ";") || is(own, at - 4, "{") || is(own, at - 4, "}") || is(own, at - 4, ")")
                   ? ADDED_TO
                   : ADDED_TO_AND_READ;
    if (begins && (is(own, at + 1, "+=") || is(own, at + 1, "++")))
        return ADDED_TO;
    static const char *const changes[] = {"=", "+=", "-=", "*=", "/=", "++",  "--",
                                          "[", "&=", "|=", "^=", "%=", "<<=", ">>="};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (is(own, at + 1, changes[i]))
            return SET;
    return address || is(own, at - 1, "++") || is(own, at - 1, "--") ? SET : READ;
}

int repair_source_find_kept(const struct repair_source *own, char *name, size_t name_bytes)
{
    const struct source *source = own->source;
    for (size_t at = 0; at + 2 < source->token_count; at++) {
        size_t declared = find_device_variable(own, at);
        int line = 0;
        bool is_read = false, is_set = declared == 0;
        for (size_t t = declared + 1; !is_set && t + 1 < source->token_count; t++) {
            if (!source_token_same(&source->tokens[t], &source->tokens[declared]) || t < 4)
                continue;
            enum use use = use_of(own, t);
            is_set = use == SET || source->tokens[t].defined;
            is_read |= use == READ || use == ADDED_TO_AND_READ;
            line = line == 0 && use != READ ? source->tokens[t].line : line;
        }
        if (!is_set && is_read && line > 0) {
            snprintf(name, name_bytes, "%.*s", source->tokens[declared].length, source->tokens[declared].text);
            return line;
        }
    }
    return 0;
}

int repair_source_find_only_read(const struct repair_source *own, int line, const char *name)
{
    int at = find_statement(own, line, ""), found = 0;
    const struct statement *body = at >= 0 ? &own->statements[root_of(own, at)] : NULL;
    for (size_t t = body ? body->first : 0; body && t <= body->last; t++) {
        bool declared = t > 0 && own->source->tokens[t - 1].kind == SOURCE_WORD && !is(own, t - 1, "return");
        if (!is(own, t, name) || declared || is(own, t - 1, ".") || use_of(own, t) != READ)
            continue;
        if (found > 0 && found != line_of(own, t))
            return 0;
        found = line_of(own, t);
    }
    return found;
}

/* The statement before number `at` that sets the name at the token; -1: there is none. */
static int find_setter(const struct repair_source *own, int at, size_t token)
{
    for (int k = at - 1; k >= 0 && own->source->tokens[token].kind == SOURCE_WORD; k--) {
        size_t set = variable_of(own, &own->statements[k]);
        if (set > 0 && source_token_same(&own->source->tokens[set], &own->source->tokens[token])
            && root_of(own, k) == root_of(own, at))
            return k;
    }
    return -1;
}

/* An atomic function in the statement, or in those that set the names in it; the `(` behind its name. 0: there is none. */
static size_t find_atomic_behind(const struct repair_source *own, int at, int depth)
{
    const struct statement *statement = &own->statements[at];
    size_t found = 0;
    for (size_t t = statement->first; t <= statement->head_last && found == 0 && depth < 4; t++) {
        if (starts_with(&own->source->tokens[t], "atomic") && is(own, t + 1, "(") && depth > 0)
            return t + 1;
        int setter = find_setter(own, at, t);
        found = setter >= 0 ? find_atomic_behind(own, setter, depth + 1) : 0;
    }
    return found;
}

int repair_source_find_ticket(const struct repair_source *own, int line, char *name, size_t name_bytes)
{
    int at = find_statement(own, line, "");
    size_t open = at >= 0 ? find_atomic_behind(own, at, 0) : 0, variable = open + 1 + (size_t)is(own, open + 1, "&");
    if (open == 0 || variable >= own->source->token_count || own->source->tokens[variable].kind != SOURCE_WORD)
        return 0;
    snprintf(name, name_bytes, "%.*s", own->source->tokens[variable].length, own->source->tokens[variable].text);
    return line_of(own, open);
}

int repair_source_find_asked_name(const struct repair_source *own, int line, char *name, size_t name_bytes)
{
    int at = find_statement(own, line, "if"), found = 0;
    size_t asked = at >= 0 ? own->statements[at].first + 2 : 0;
    asked += at >= 0 && is(own, asked, "!");
    if (at < 0 || own->statements[at].kind != IF || asked + 1 != own->statements[at].head_last
        || own->source->tokens[asked].kind != SOURCE_WORD)
        return 0;
    for (int k = 0; k < own->count; k++) {
        size_t set = variable_of(own, &own->statements[k]);
        if (set == 0 || root_of(own, k) != root_of(own, at)
            || !source_token_same(&own->source->tokens[set], &own->source->tokens[asked]))
            continue;
        if (found > 0)
            return 0;
        found = line_of(own, set);
    }
    if (found > 0)
        snprintf(name, name_bytes, "%.*s", own->source->tokens[asked].length, own->source->tokens[asked].text);
    return found;
}

int repair_source_find_set_again(const struct repair_source *own, int line, const char *array, int *second, char *name,
                                 size_t name_bytes)
{
    int at = find_statement(own, line, array), lines[2] = {0, 0}, count = 0;
    size_t index = 0;
    for (size_t t = at >= 0 ? own->statements[at].first : 1; at >= 0 && index == 0 && t + 3 <= own->statements[at].last; t++)
        if (is(own, t, array) && is(own, t + 1, "[") && is(own, t + 3, "]")
            && own->source->tokens[t + 2].kind == SOURCE_WORD)
            index = t + 2;
    const struct statement *body = index > 0 ? &own->statements[root_of(own, at)] : NULL;
    for (size_t t = body ? body->first : 0; body && t <= body->last; t++)
        if (source_token_same(&own->source->tokens[t], &own->source->tokens[index]) && use_of(own, t) != READ
            && !is(own, t - 1, "."))
            count++;
    for (int k = 0, found = 0; body && k < at && count == 2; k++) {
        size_t set = variable_of(own, &own->statements[k]);
        bool plain = own->statements[k].kind == SIMPLE && own->statements[k].parent == root_of(own, at);
        if (plain && set > body->first && source_token_same(&own->source->tokens[set], &own->source->tokens[index]))
            lines[found++] = line_of(own, set);
    }
    *second = lines[1];
    if (lines[1] > 0)
        snprintf(name, name_bytes, "%.*s", own->source->tokens[index].length, own->source->tokens[index].text);
    return lines[1] > 0 ? lines[0] : 0;
}

/* `__constant__ float name;` or `__device__ float name;`, in the file itself: the name; 0: it is something else. */
static size_t find_without_value(const struct repair_source *own, size_t at)
{
    bool constant = is(own, at, "__constant__");
    size_t name = at + 1;
    if ((!constant && !is(own, at, "__device__")) || own->source->tokens[at].defined || !own->source->tokens[at].own)
        return 0;
    while (name + 1 < own->source->token_count && own->source->tokens[name + 1].kind == SOURCE_WORD)
        name++;
    size_t end = name + 1;
    while (constant && is(own, end, "["))
        end = source_closing(own->source, end, own->source->token_count) + 1;
    return name > at + 1 && is(own, end, ";") ? name : 0;
}

int repair_source_find_unset(const struct repair_source *own, int line, char *name, size_t name_bytes)
{
    const struct source *source = own->source;
    for (size_t at = 0; at + 2 < source->token_count; at++) {
        size_t declared = find_without_value(own, at);
        bool constant = is(own, at, "__constant__"), used = false, set = declared == 0;
        for (size_t t = declared + 1; !set && t + 1 < source->token_count; t++) {
            if (!source_token_same(&source->tokens[t], &source->tokens[declared]))
                continue;
            used |= line_of(own, t) == line;
            set = source->tokens[t].defined || (!constant && use_of(own, t) != READ);
        }
        if (!set && used) {
            snprintf(name, name_bytes, "%.*s", source->tokens[declared].length, source->tokens[declared].text);
            return line_of(own, declared);
        }
    }
    return 0;
}

/* Does the function around the token declare it as a parameter `float *`? */
static bool is_pointer_to_float(const struct repair_source *own, int at, size_t token)
{
    const struct statement *body = &own->statements[root_of(own, at)];
    for (size_t t = body->first; t-- > 2 && !is(own, t, ";") && !is(own, t, "}");)
        if (source_token_same(&own->source->tokens[t], &own->source->tokens[token]))
            return is(own, t - 1, "*") && is(own, t - 2, "float");
    return false;
}

/* `(double *)a` or `reinterpret_cast<double *>(a` in the statement: the token of a; 0: there is none. */
static size_t find_conversion(const struct repair_source *own, int at, size_t *type)
{
    static const char *const types[] = {"double", "int", "unsigned", "long", "short", "char"};
    const struct statement *statement = &own->statements[at];
    for (size_t t = statement->first; t + 3 < statement->head_last; t++) {
        bool opens_cast = is(own, t, "(") || (is(own, t, "<") && is(own, t - 1, "reinterpret_cast"));
        *type = t + 1 + (size_t)is(own, t + 1, "const");
        size_t star = *type + 1, name;
        while (own->source->tokens[star].kind == SOURCE_WORD && star < statement->head_last)
            star++;
        name = star + 2 + (size_t)is(own, star + 2, "(");
        bool known = false;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            known |= is(own, *type, types[i]);
        if (opens_cast && known && is(own, star, "*") && (is(own, star + 1, ")") || is(own, star + 1, ">"))
            && is_pointer_to_float(own, at, name))
            return name;
    }
    return 0;
}

int repair_source_find_pointee(const struct repair_source *own, int line, char *name, size_t name_bytes, char *type,
                               size_t type_bytes)
{
    int at = find_statement(own, line, ""), in = at;
    size_t word = 0, found = at >= 0 ? find_conversion(own, at, &word) : 0;
    for (size_t t = at >= 0 ? own->statements[at].first : 1; at >= 0 && found == 0 && t <= own->statements[at].head_last;
         t++) {
        in = find_setter(own, at, t);
        found = in >= 0 ? find_conversion(own, in, &word) : 0;
    }
    if (found == 0)
        return 0;
    const struct source_token *first = &own->source->tokens[word], *last = first;
    while (last[1].kind == SOURCE_WORD)
        last++;
    snprintf(name, name_bytes, "%.*s", own->source->tokens[found].length, own->source->tokens[found].text);
    snprintf(type, type_bytes, "%.*s", (int)(last->text + last->length - first->text), first->text);
    return line_of(own, found);
}

/* Does some statement, or the head of a loop, give the variable a value that is made of `number`, "blockIdx" or "threadIdx",
 * itself or by a name? */
static bool goes_by(const struct repair_source *own, size_t variable, const char *number, int depth)
{
    enum { MOST_NAMES = 3 };
    const struct source *source = own->source;
    for (size_t t = 0; t + 1 < source->token_count; t++) {
        if (source->tokens[t].defined || !source_token_same(&source->tokens[t], &source->tokens[variable])
            || !is(own, t + 1, "="))
            continue;
        for (size_t k = t + 2; k < source->token_count && !is(own, k, ";") && !is(own, k, ","); k++)
            if (is(own, k, number)
                || (depth < MOST_NAMES && source->tokens[k].kind == SOURCE_WORD && !is(own, k - 1, ".")
                    && !source_token_same(&source->tokens[k], &source->tokens[variable])
                    && goes_by(own, k, number, depth + 1)))
                return true;
    }
    return false;
}

/* `int step = blockDim.x;`: what a step is that one statement sets, and where no gridDim is in it. Writes "step, which is
 * blockDim.x (line 4)". */
static bool find_set_step(const struct repair_source *own, int at, size_t name, char *step, size_t step_bytes)
{
    const struct source_token *tokens = own->source->tokens;
    const struct statement *body = &own->statements[root_of(own, at)];
    size_t set = 0, end = 0;
    bool block = false;
    for (size_t t = body->first + 1; t < body->last; t++) {
        if (!source_token_same(&tokens[t], &tokens[name]) || use_of(own, t) == READ)
            continue;
        if (set > 0 || !is(own, t + 1, "="))
            return false;
        set = t;
    }
    for (end = set + 2; set > 0 && end < body->last && !is(own, end, ";") && !is(own, end, ","); end++) {
        if (is(own, end, "gridDim")
            || (tokens[end].kind == SOURCE_WORD && !is(own, end, "blockDim") && !is(own, end - 1, ".")))
            return false;
        block |= is(own, end, "blockDim");
    }
    if (!block || tokens[end - 1].line != tokens[set].line)
        return false;
    snprintf(step, step_bytes, "%.*s, which is %.*s (line %d)", tokens[name].length, tokens[name].text,
             (int)(tokens[end - 1].text + tokens[end - 1].length - tokens[set + 2].text), tokens[set + 2].text,
             tokens[set].line);
    return true;
}

int repair_source_find_short_step(const struct repair_source *own, int line, char *step, size_t step_bytes)
{
    int at = find_statement(own, line, "");
    for (; at >= 0; at = own->statements[at].parent) {
        const struct statement *loop = &own->statements[at];
        for (size_t t = loop->first + 2; loop->kind == LOOP && t + 1 < loop->head_last; t++) {
            if (!is(own, t, "+=") || !goes_by(own, t - 1, "blockIdx", 0))
                continue;
            size_t end = t + 1;
            for (; end < loop->head_last && !is(own, end, ","); end++)
                if (is(own, end, "gridDim"))
                    return 0;
            const struct source_token *first = &own->source->tokens[t + 1], *last = &own->source->tokens[end - 1];
            bool one = end == t + 2 && first->kind != SOURCE_WORD; /* a number says nothing, a name may hold the grid */
            if (one || last->line != first->line)
                return 0;
            if (end == t + 2 && !source_find_macro(own->source, first))
                return find_set_step(own, at, t + 1, step, step_bytes) ? line_of(own, loop->first) : 0;
            snprintf(step, step_bytes, "%.*s", (int)(last->text + last->length - first->text), first->text);
            return line_of(own, loop->first);
        }
    }
    return 0;
}

/* Is the variable alone the index of `array` in the statement? */
static bool is_index(const struct repair_source *own, int at, const char *array, size_t variable)
{
    const struct source_token *tokens = own->source->tokens;
    for (size_t t = own->statements[at].first; t + 3 <= own->statements[at].last; t++)
        if (is(own, t, array) && is(own, t + 1, "[") && source_token_same(&tokens[t + 2], &tokens[variable])
            && is(own, t + 3, "]"))
            return true;
    return false;
}

int repair_source_find_step_in_block(const struct repair_source *own, int line, const char *array, long apart, char *step,
                                     size_t step_bytes)
{
    const struct source_token *tokens = own->source->tokens;
    int statement = find_statement(own, line, "");
    for (int at = statement; at >= 0; at = own->statements[at].parent) {
        const struct statement *loop = &own->statements[at];
        for (size_t t = loop->first + 2; loop->kind == LOOP && t < loop->head_last; t++) {
            bool one = is(own, t, "++"), by_grid = is(own, t + 1, "gridDim") && is(own, t + 2, ".");
            size_t end = one ? t + 1 : by_grid ? t + 4 : t + 2;
            size_t variable = one && tokens[t - 1].kind != SOURCE_WORD ? t + 1 : t - 1;
            long number = one ? 1 : by_grid ? 0 : strtol(tokens[t + 1].text, NULL, 10);
            if ((!one && !is(own, t, "+=")) || !is_index(own, statement, array, variable)
                || !goes_by(own, variable, "threadIdx", 0))
                continue;
            if ((!one && end != loop->head_last) || (!by_grid && (number <= 0 || apart % number != 0)))
                return 0;
            if (by_grid)
                snprintf(step, step_bytes, "gridDim.%.*s", tokens[t + 3].length, tokens[t + 3].text);
            else
                snprintf(step, step_bytes, "%ld", number);
            return line_of(own, loop->first);
        }
    }
    return 0;
}

/* What a variable is made of, as far as the right sides of its `=` say it: of threadIdx and not of blockIdx, of neither, or of
 * something else. */
enum made_of { OF_THREAD, OF_NUMBERS, OF_OTHERS };

static enum made_of made_of(const struct repair_source *own, size_t variable)
{
    const struct source *source = own->source;
    enum made_of found = OF_NUMBERS;
    for (size_t t = 0; t + 1 < source->token_count; t++) {
        if (source->tokens[t].defined || !source_token_same(&source->tokens[t], &source->tokens[variable]))
            continue;
        if (source->tokens[t + 1].kind == SOURCE_SIGN && t + 1 < source->token_count && !is(own, t + 1, "=")
            && source->tokens[t + 1].length == 2 && source->tokens[t + 1].text[1] == '='
            && !strchr("<>=!", *source->tokens[t + 1].text))
            return OF_OTHERS;
        if (!is(own, t + 1, "="))
            continue;
        bool thread = is(own, t + 2, "threadIdx") && is(own, t + 3, ".") && is(own, t + 5, ";");
        if (!thread)
            return OF_OTHERS;
        found = OF_THREAD;
    }
    return found;
}

static bool asks_thread_alone(const struct repair_source *own, const struct statement *statement)
{
    bool remainder = false, thread = false;
    for (size_t t = statement->first + 1; statement->kind == IF && t <= statement->head_last; t++) {
        const struct source_token *token = &own->source->tokens[t];
        remainder |= source_token_is(token, "%");
        bool member = is(own, t - 1, ".");
        if (token->kind != SOURCE_WORD || member)
            continue;
        enum made_of of = is(own, t, "threadIdx") ? OF_THREAD : is(own, t, "blockDim") ? OF_NUMBERS : made_of(own, t);
        if (of == OF_OTHERS || is(own, t, "blockIdx") || is(own, t + 1, "(") || is(own, t + 1, "[")
            || source_find_macro(own->source, token))
            return false;
        thread |= of == OF_THREAD;
    }
    return remainder && thread;
}

int repair_source_find_thread_alone(const struct repair_source *own, int line)
{
    for (int at = find_statement(own, line, ""); at >= 0; at = own->statements[at].parent) {
        if (asks_thread_alone(own, &own->statements[at]))
            return line_of(own, own->statements[at].first);
        for (int k = at - 1; k >= 0; k--)
            if (own->statements[k].parent == own->statements[at].parent && is_way_out(own, k)
                && asks_thread_alone(own, &own->statements[k]))
                return line_of(own, own->statements[k].first);
    }
    return 0;
}

int repair_source_find_plain_atomic(const struct repair_source *own, const char *kernel)
{
    struct source_function function;
    int line = 0;
    if (!source_find_function(own->source, kernel, 0, &function))
        return 0;
    for (int i = 0; i < own->count; i++) {
        const struct statement *statement = &own->statements[i];
        if (statement->first < function.first || statement->first >= function.last)
            continue;
        if (is_way_out(own, i) && line == 0)
            return 0;
        if (statement->kind != SIMPLE || !is(own, statement->first, "atomicAdd") || !is(own, statement->first + 1, "("))
            continue;
        int around = statement->parent;
        while (around >= 0 && own->statements[around].kind == BLOCK)
            around = own->statements[around].parent;
        if (around >= 0 || line > 0)
            return 0;
        line = line_of(own, statement->first);
    }
    return line;
}

int repair_source_find_outside(const struct repair_source *own, const char *name, bool *is_array)
{
    const struct source *source = own->source;
    bool device = false;
    for (size_t i = 0; i + 1 < source->token_count; i++) {
        bool linkage = is(own, i, "{") && i > 0 && source->tokens[i - 1].kind == SOURCE_LITERAL; /* extern "C" { */
        if (opens(own, i) && !linkage)
            i = source_closing(source, i, source->token_count);
        else if (is(own, i, ";") || is(own, i, "}"))
            device = false;
        else if (is(own, i, name) && device && source->tokens[i].own) {
            *is_array = is(own, i + 1, "[");
            return source->tokens[i].line;
        }
        device |= is(own, i, "__device__");
        device &= !is(own, i, "}");
    }
    return 0;
}

/* The innermost loop around both; -1: there is none. */
static int common_loop(const struct repair_source *own, int first, int second)
{
    for (int a = loop_around(own, first); a >= 0; a = loop_around(own, a))
        for (int b = loop_around(own, second); b >= 0; b = loop_around(own, b))
            if (a == b)
                return a;
    return -1;
}

/* Is there nothing but braces between the loop and the statement? */
static bool is_directly_in(const struct repair_source *own, int at, int loop)
{
    for (at = own->statements[at].parent; at >= 0 && at != loop; at = own->statements[at].parent)
        if (own->statements[at].kind != BLOCK)
            return false;
    return at == loop;
}

int repair_source_find_turns(const struct repair_source *own, int line, int line2)
{
    const char *word;
    int first = find_statement(own, line < line2 ? line : line2, ""),
        second = find_statement(own, line < line2 ? line2 : line, "");
    int loop = first >= 0 && second >= 0 && line != line2 ? common_loop(own, first, second) : -1;
    for (int i = 0; i < own->count && loop >= 0; i++) {
        const struct statement *statement = &own->statements[i];
        if (statement->kind == SIMPLE && is(own, statement->first, "__syncthreads") && is(own, statement->first + 1, "(")
            && is_directly_in(own, i, loop) && statement->first > own->statements[first].last
            && statement->last < own->statements[second].first
            && repair_source_find_jump(own, line_of(own, statement->first), &word) == 0)
            return line_of(own, own->statements[loop].first);
    }
    return 0;
}

int repair_source_find_still_index(const struct repair_source *own, int line, const char *array, char *name,
                                   size_t name_bytes)
{
    static const char *const changes[] = {"=", "+=", "-=", "*=", "/=", "%=", "^=", "|=", "&=", "<<=", ">>=", "++", "--"};
    static const char *const steps[] = {"++", "--"};
    const struct source_token *tokens = own->source->tokens, *index = NULL;
    size_t count = own->source->token_count, sets = 0;
    int found = 0, negated = 0;
    bool is_zero = false;
    for (size_t i = 0; i + 4 < count && !index; i++) {
        bool here = !tokens[i].defined && is(own, i, array) && tokens[i].line == line;
        if (here && is(own, i + 1, "[") && tokens[i + 2].kind == SOURCE_WORD && is(own, i + 3, "]") && is(own, i + 4, "["))
            index = &tokens[i + 2];
    }
    bool several = false; /* parts: `As[2][16][16]` */
    for (size_t i = 1; i + 4 < count && index; i++)
        several |= is(own, i, array) && tokens[i - 1].kind == SOURCE_WORD && is(own, i + 1, "[")
                   && tokens[i + 2].kind == SOURCE_NUMBER && is(own, i + 3, "]") && is(own, i + 4, "[");
    for (size_t i = 1; i + 2 < count && several; i++) {
        if (!source_token_same(&tokens[i], index) || is(own, i - 1, "."))
            continue;
        bool changed = SOURCE_IS_ANY(&tokens[i + 1], changes) || SOURCE_IS_ANY(&tokens[i - 1], steps);
        bool number = tokens[i - 1].kind == SOURCE_WORD && is(own, i + 1, "=") && tokens[i + 2].kind == SOURCE_NUMBER
                      && tokens[i + 3].length == 1 && strchr(",;", *tokens[i + 3].text);
        bool address = is(own, i - 1, "&") && tokens[i - 2].kind != SOURCE_WORD;
        bool negates = is(own, i + 1, "=") && is(own, i + 2, "-") && source_token_same(&tokens[i + 3], index)
                       && is(own, i + 4, ";");
        bool is_same = source_token_same(&tokens[i], index) && is(own, i - 2, "=") && is(own, i - 1, "-");
        if (negates) {
            negated = tokens[i].line;
            continue;
        }
        sets += (changed || address) && !is_same;
        found = number ? tokens[i].line : found;
        is_zero |= number && is(own, i + 2, "0");
    }
    if (found == 0 || sets != 1 || (negated > 0 && !is_zero)) /* -0 is 0 */
        return 0;
    snprintf(name, name_bytes, "%.*s", index->length, index->text);
    return found;
}

int repair_source_find_turns_wait(const struct repair_source *own, int line, int line2)
{
    int first = find_statement(own, line < line2 ? line : line2, ""),
        second = find_statement(own, line < line2 ? line2 : line, "");
    int loop = first >= 0 && second >= 0 && line != line2 ? common_loop(own, first, second) : -1;
    for (int i = 0; i < own->count && loop >= 0; i++) {
        const struct statement *statement = &own->statements[i];
        bool inside = statement->first > own->statements[loop].first && statement->last <= own->statements[loop].last;
        bool between = statement->first > own->statements[first].last && statement->last < own->statements[second].first;
        if (statement->kind == SIMPLE && is(own, statement->first, "__syncwarp") && inside && !between)
            return line_of(own, statement->first);
    }
    return 0;
}

/* ---- the text ----------------------------------------------------------------------------------------------------- */

char *repair_source_edited(const struct repair_source *own, const struct repair_edit *edits, int count, size_t *bytes)
{
    const struct source *source = own->source;
    size_t room = source->bytes + 1;
    for (int i = 0; i < count; i++)
        room += strlen(edits[i].text) + 8;
    char *text = allocate_zeroed(room);
    size_t used = 0, copied = 0;
    for (size_t t = 0; t < source->token_count; t++) {
        const struct source_token *token = &source->tokens[t];
        size_t start = (size_t)(token->text - source->text), stop = start + (size_t)token->length;
        if (token->text < source->text || stop > source->bytes || start < copied || token->defined)
            continue;
        bool removed = false, wraps = false;
        for (int i = 0; i < count; i++) {
            const struct repair_edit *edit = &edits[i];
            removed |= edit->removed_end > 0 && t >= edit->removed && t < edit->removed_end;
            removed |= edit->place.removed_end > 0 && t >= edit->place.removed && t < edit->place.removed_end;
            wraps |= edits[i].place.braces > 0 && edits[i].place.braces == t;
        }
        memcpy(text + used, source->text + copied, start - copied);
        used += start - copied;
        if (wraps)
            used += (size_t)snprintf(text + used, room - used, "{ ");
        if (!removed) {
            memcpy(text + used, source->text + start, stop - start);
            used += stop - start;
        }
        copied = stop;
        for (int i = 0; i < count; i++)
            if (edits[i].place.token == t)
                used += (size_t)snprintf(text + used, room - used, " %s%s", edits[i].text,
                                         edits[i].place.braces > 0 ? " }" : "");
    }
    memcpy(text + used, source->text + copied, source->bytes - copied);
    *bytes = used + source->bytes - copied;
    text[*bytes] = '\0';
    return text;
}

/* What the line of an access contains, and which of its expressions is meant. */
#include "runtime/emulator/observe/explain/explain.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/words.h"
#include "runtime/emulator/observe/explain/explain_guard.h"

enum { MOST_LINES = 4 }; /* that a statement may span */

/* ---- candidates ---- */

/* Is the element read or written there? */
static void find_direction(const struct source *source, struct explain_candidate *candidate)
{
    static const char *const both[] = {"+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"};
    static const char *const steps[] = {"++", "--"};
    const struct source_token *before = &source->tokens[candidate->name] - 1, *after = &source->tokens[candidate->last] + 1;
    bool operand = source_ends_operand(source, candidate->name - 2);
    candidate->written = source_token_is(after, "=");
    candidate->read = !candidate->written;
    if (SOURCE_IS_ANY(after, both) || SOURCE_IS_ANY(before, steps)
        || (source_token_is(before, "&") && !operand)) /* an atomic's place */
        candidate->read = candidate->written = true;
}

static bool read_candidate(const struct source *source, size_t at, struct explain_candidate *candidate)
{
    *candidate = (struct explain_candidate){.name = at, .last = at};
    if (at + 3 >= source->token_count || at < 2 || source->tokens[at].kind != SOURCE_WORD || source->tokens[at].defined)
        return false;
    while (source_token_is(&source->tokens[candidate->last + 1], "[") && candidate->dimensions < EXPLAIN_MAX_DIMENSIONS) {
        size_t close = source_closing(source, candidate->last + 1, source->token_count);
        if (close + 2 >= source->token_count)
            return false;
        candidate->first[candidate->dimensions] = candidate->last + 2;
        candidate->end[candidate->dimensions++] = close;
        candidate->last = close;
    }
    while (candidate->dimensions && candidate->last + 3 < source->token_count
           && source_token_is(&source->tokens[candidate->last + 1], ".")
           && source->tokens[candidate->last + 2].kind == SOURCE_WORD)
        candidate->last += 2;
    find_direction(source, candidate);
    return candidate->dimensions > 0;
}

/* The tokens of the line, and of the following lines that its last statement spans. Returns false when there are none. */
static bool tokens_of_line(const struct source *source, int line, size_t *first, size_t *end)
{
    size_t i = 0;
    while (i < source->token_count
           && (source->tokens[i].line != line || !source->tokens[i].own || source->tokens[i].defined))
        i++;
    if (i == source->token_count)
        return false;
    *first = i;
    while (i < source->token_count && source->tokens[i].line == line)
        i++;
    while (i > *first && i < source->token_count && source->tokens[i].line <= line + MOST_LINES
           && !source_token_is(&source->tokens[i - 1], ";") && !source_token_is(&source->tokens[i - 1], "{")
           && !source_token_is(&source->tokens[i - 1], "}"))
        i++;
    *end = i;
    return true;
}

/* Is the token the last word of `structure.field`, written like that? */
static bool is_field(const struct source *source, size_t at, const char *array)
{
    const char *point = strchr(array, '.');
    char structure[sizeof((struct finding *)0)->array];
    if (!point || at < 2 || !source_token_is(&source->tokens[at], point + 1)
        || !source_token_is(&source->tokens[at - 1], "."))
        return false;
    snprintf(structure, sizeof structure, "%.*s", (int)(point - array), array);
    return source_token_is(&source->tokens[at - 2], structure);
}

static void find_candidates(struct explain_access *view)
{
    const struct source *source = view->names.source;
    size_t first, end;
    if (!tokens_of_line(source, view->line, &first, &end))
        return;
    for (size_t i = first; i < end && view->count < EXPLAIN_MAX_CANDIDATES; i++) {
        struct explain_candidate *candidate = &view->list[view->count];
        if (!read_candidate(source, i, candidate)
            || !((view->reads && candidate->read) || (view->writes && candidate->written)))
            continue;
        candidate->named = source_token_is(&source->tokens[i], view->finding->array)
                           || source_token_is(&source->tokens[i], view->finding->parameter)
                           || is_field(source, i, view->finding->array);
        view->count++;
    }
}

/* ---- subscripts ---- */

bool explain_flat_index(struct explain_access *view, const struct explain_candidate *candidate, int64_t trial,
                        int64_t *index)
{
    *index = 0;
    view->names.trial = trial;
    for (unsigned d = 0; d < candidate->dimensions; d++) {
        struct expression expression;
        if (!explain_evaluate(&view->names, candidate->first[d], candidate->end[d], &expression))
            return false;
        int64_t columns = view->finding->columns > 0 ? view->finding->columns : 1;
        if (__builtin_mul_overflow(*index, columns, index) || __builtin_add_overflow(*index, expression.value, index))
            return false;
    }
    struct expression offset;
    return candidate->offset_end == candidate->offset_first
           || (explain_evaluate(&view->names, candidate->offset_first, candidate->offset_end, &offset)
               && !__builtin_add_overflow(*index, offset.value, index));
}

/* x[i], where x is a + first: is a the array? */
static bool is_alias(const struct explain_access *view, struct explain_candidate *candidate)
{
    const struct source *source = view->names.source;
    size_t first, end;
    if (candidate->dimensions != 1 || !view->names.function.last
        || !explain_pointer(source, &view->names.function, &source->tokens[candidate->name], &first, &end)
        || !(source_token_is(&source->tokens[first], view->finding->array)
             || source_token_is(&source->tokens[first], view->finding->parameter))
        || (end > first + 1 && !source_token_is(&source->tokens[first + 1], "+")))
        return false;
    candidate->offset_first = end > first + 1 ? first + 2 : 0;
    candidate->offset_end = end > first + 1 ? end : 0;
    return true;
}

/* Does the other branch of an `if` store to the same array? The compiler often makes one store of the two, so the line of the
 * access may be that of the other one. */
static bool has_twin(const struct source *source, const struct explain_candidate *candidate)
{
    enum { NEAR = 40 }; /* tokens */
    struct explain_candidate other;
    size_t first = candidate->name > NEAR ? candidate->name - NEAR : 0, end = candidate->last + NEAR;
    for (size_t i = first; i < end && i < source->token_count; i++) {
        if (i == candidate->name || !source_token_same(&source->tokens[i], &source->tokens[candidate->name])
            || !read_candidate(source, i, &other) || !other.written)
            continue;
        for (size_t k = i < candidate->name ? i : candidate->name; k < i || k < candidate->name; k++)
            if (source_token_is(&source->tokens[k], "else"))
                return true;
    }
    return false;
}

/* Sets the unknown's value, which is `near` or, where a division rounds, close to it. Returns false when no value gives the
 * index, or several do. */
static bool solve(struct explain_access *view, const struct explain_candidate *candidate, int64_t near)
{
    enum { REACH = 64 };
    int64_t index, found = 0;
    int count = 0;
    if (explain_flat_index(view, candidate, near, &index) && index == view->finding->index)
        return true;
    for (int64_t trial = near - REACH; trial <= near + REACH; trial++)
        if (explain_flat_index(view, candidate, trial, &index) && index == view->finding->index) {
            found = trial;
            count++;
        }
    view->names.trial = found;
    return count == 1;
}

/* Does the function step the pointer on? Then the distance to the array's start is not the index alone. */
static bool steps_on(const struct explain_access *view, const struct explain_candidate *candidate)
{
    const struct source_token *tokens = view->names.source->tokens;
    size_t change = 0;
    return view->names.function.last
           && explain_changes(view->names.source, &view->names.function, &tokens[candidate->name], &change)
           && !source_token_is(&tokens[change + 1], "=");
}

/* An unknown value is solved for, where the index is linear in it. */
static bool verify(struct explain_access *view, const struct explain_candidate *candidate)
{
    int64_t want = view->finding->index, at[3];
    view->names.unknown = NULL;
    view->names.narrowed = view->names.wide = false;
    if (candidate->dimensions > (view->finding->columns > 0 ? 2 : 1))
        return false;
    for (int64_t trial = 0; trial < 3; trial++)
        if (!explain_flat_index(view, candidate, trial, &at[trial]))
            return false;
    if (view->names.unknown && (view->names.narrowed || view->names.wide))
        return false; /* what was lost on the way would be made up for by the unknown */
    if (!view->names.unknown)
        return at[0] == want || (int32_t)at[0] == want || (uint32_t)at[0] == want;
    if (steps_on(view, candidate))
        return false; /* the way that the pointer has gone would be taken for a part of the unknown */
    int64_t step, next, distance;
    if (__builtin_sub_overflow(at[1], at[0], &step) || __builtin_sub_overflow(at[2], at[1], &next)
        || __builtin_sub_overflow(want, at[0], &distance) || distance == INT64_MIN)
        return false;
    if (step == 0 || next != step || distance % step != 0)
        return false;
    int64_t near = distance / step;
    if (near > INT32_MAX || near < INT32_MIN || !solve(view, candidate, near)
        || (candidate->written && has_twin(view->names.source, candidate)))
        return false;
    return explain_fits(&view->names, view->names.trial);
}

/* ---- marks ---- */

static void add_mark(const struct source *source, const struct explain_candidate *candidate, struct finding *finding)
{
    size_t name = is_field(source, candidate->name, finding->array) ? candidate->name - 2 : candidate->name;
    const struct source_token *first = &source->tokens[name], *last = &source->tokens[candidate->last];
    int length;
    const char *line = source_line_of(source, first, &length);
    if (finding->mark_count == FINDING_MAX_MARKS || last->line != first->line)
        return;
    for (int i = 0; i < finding->mark_count; i++)
        if (finding->marks[i].line == first->line && finding->marks[i].column == (int)(first->text - line) + 1)
            return;
    struct finding_mark *mark = &finding->marks[finding->mark_count++];
    mark->line = first->line;
    mark->column = (int)(first->text - line) + 1;
    mark->width = (int)(last->text + last->length - first->text);
}

/* Is this the only expression that could be meant, though the array has another name here? */
static bool is_only_one(const struct explain_access *view)
{
    const struct source *source = view->names.source;
    size_t first, end;
    if (view->count != 1 || !tokens_of_line(source, view->line, &first, &end))
        return false;
    for (size_t i = first; i < end; i++)
        if (source_token_is(&source->tokens[i], "->")
            || (source_token_is(&source->tokens[i], "*") && source->tokens[i - 1].kind == SOURCE_SIGN
                && !source_token_is(&source->tokens[i - 1], ")") && !source_token_is(&source->tokens[i - 1], "]")))
            return false; /* another way to reach memory */
    return true;
}

static bool same_words(const struct source *source, const struct explain_candidate *a, const struct explain_candidate *b)
{
    size_t count = a->last - a->name + 1;
    return b->last - b->name + 1 == count && source_same_tokens(source, a->name, b->name, count);
}

/* Marks what is verified, else what has the name, else nothing unless no other expression could be meant. Returns the
 * candidate that explains the index; NULL when none does. */
static const struct explain_candidate *judge(struct explain_access *view, struct finding *finding)
{
    const struct explain_candidate *chosen = NULL;
    unsigned named = 0, verified = 0;
    for (unsigned i = 0; i < view->count; i++) {
        bool alias = !view->list[i].named && finding->has_index && is_alias(view, &view->list[i]);
        view->list[i].verified = (view->list[i].named || alias) && finding->has_index && verify(view, &view->list[i]);
        view->list[i].named |= alias && view->list[i].verified;
        named += view->list[i].named;
        verified += view->list[i].verified;
    }
    bool alone = !named && is_only_one(view);
    for (unsigned i = 0; i < view->count; i++) {
        const struct explain_candidate *candidate = &view->list[i];
        if (verified ? candidate->verified : candidate->named || alone)
            add_mark(view->names.source, candidate, finding);
        if (candidate->verified && !chosen)
            chosen = candidate;
    }
    if (!chosen || !verify(view, chosen)) /* once more: for the unknown name's value */
        return NULL;
    for (unsigned i = 0; i < view->count && view->names.unknown; i++)
        if (view->list[i].verified && !same_words(view->names.source, chosen, &view->list[i]))
            return NULL; /* with one value of the unknown it is this one, with another value that one */
    return chosen;
}

void explain_find_function(struct explain_view *names, const char *readable, int line)
{
    char name[128];
    explain_plain_name(readable, name, sizeof name);
    struct source_function kernel;
    bool has_kernel = explain_kernel(names->launch, names->source, &kernel);
    if (!source_find_function(names->source, name, line, &names->function)
        || names->source->tokens[names->function.last].line < line
        || names->source->tokens[names->function.name].line > line) {
        names->function = kernel;
        if (!has_kernel || names->source->tokens[kernel.last].line < line)
            memset(&names->function, 0, sizeof names->function);
    }
    names->in_kernel = has_kernel && names->function.name == kernel.name;
}

static bool is_in_student_file(const struct launch *launch, const char *file)
{
    const char *own = ptx_module_file(launch->request->function->program->module, launch->student_file);
    return own && strcmp(own, file) == 0;
}

static void set_direction(struct explain_access *view, const struct operation *operation)
{
    const struct memory_site *site = operation->site;
    view->reads = site->access != SITE_STORE;
    view->writes = site->access != SITE_LOAD;
}

/* The view of an access that a finding is about; its source is NULL when it cannot explain anything. */
static struct explain_access view_of(const struct warp *warp, const struct operation *operation,
                                     const struct finding *finding)
{
    const struct launch *launch = warp->launch;
    const struct source *source = finding->line > 0 && !finding->inside.line && is_in_student_file(launch, finding->file)
                                      ? explain_source(launch)
                                      : NULL;
    struct explain_access view = {
        .names = {.launch = launch, .source = source, .thread = finding->thread, .block = finding->block},
        .finding = finding,
        .line = finding->line};
    if (source) {
        explain_find_function(&view.names, finding->function, view.line);
        set_direction(&view, operation);
        find_candidates(&view);
    }
    return view;
}

static void name_member(const struct warp *warp, const struct operation *operation, struct finding *finding)
{
    struct explain_access view = view_of(warp, operation, finding);
    int64_t offset, total = finding->elements * finding->element_bytes;
    int64_t index, bytes;
    if (__builtin_mul_overflow(finding->index, (int64_t)finding->element_bytes, &offset))
        return;
    for (unsigned i = 0; i < view.count; i++) {
        const struct explain_candidate *candidate = &view.list[i];
        const struct source_token *member = &view.names.source->tokens[candidate->last];
        if (!candidate->named || candidate->dimensions != 1 || candidate->last != candidate->end[0] + 2
            || !explain_member(&view.names, finding->parameter, candidate->first[0], candidate->end[0], member, offset,
                               &index, &bytes))
            continue;
        finding->index = index;
        finding->element_bytes = (unsigned)bytes;
        finding->elements = total / bytes;
        snprintf(finding->member, sizeof finding->member, ".%.*s", member->length, member->text);
        return;
    }
}

/* The line calls the array by the kernel's parameter: so does the message. */
static void use_own_name(const struct explain_access *view, struct finding *finding)
{
    bool own = false, other = false;
    for (unsigned i = 0; i < view->count; i++) {
        const struct source_token *name = &view->names.source->tokens[view->list[i].name];
        own |= view->names.in_kernel && source_token_is(name, finding->parameter);
        other |= source_token_is(name, finding->array);
    }
    if (own && !other) {
        memcpy(finding->label, finding->array, sizeof finding->label);
        snprintf(finding->array, sizeof finding->array, "%s", finding->parameter);
    }
}

/* Is the token in the branch that is taken where the condition comes out otherwise? */
static bool is_opposite(const struct explain_access *view, size_t token, const struct guard *decides)
{
    struct guards guards;
    if (!guards_read(view->names.source, &view->names.function, token, &guards))
        return false;
    for (unsigned i = 0; i < guards.count; i++)
        if (guards.list[i].first == decides->first && guards.list[i].end == decides->end
            && guards.list[i].holds != decides->holds)
            return true;
    return false;
}

/* The compiler makes one access of two that both branches of an `if` have, and gives it the line of one of them. Where the
 * condition shows that the thread took the other branch, the line of the access there; 0: the line is right, or it is not
 * known which other one is. */
static int find_twin(struct explain_access *view, const struct explain_candidate *chosen)
{
    const struct source *source = view->names.source;
    const struct source_function *function = &view->names.function;
    struct explain_candidate twin;
    struct guard decides;
    int line = 0;
    if (view->names.unknown || !explain_is_elsewhere(view, chosen, &decides))
        return 0;
    for (size_t i = function->first; i < function->last; i++) {
        if (!source_token_same(&source->tokens[i], &source->tokens[chosen->name]) || !read_candidate(source, i, &twin)
            || !((view->reads && twin.read) || (view->writes && twin.written)) || !is_opposite(view, i, &decides)
            || !verify(view, &twin) || view->names.unknown)
            continue;
        if (line > 0 && line != source->tokens[i].line)
            return 0;
        line = source->tokens[i].line;
    }
    return line;
}

/* Moves the finding to the other branch, if the thread is there. */
static const struct explain_candidate *use_branch(struct explain_access *view, const struct explain_candidate *chosen,
                                                  struct finding *finding)
{
    int line = find_twin(view, chosen);
    if (line == 0)
        return judge(view, finding); /* as it was */
    finding->line = view->line = line;
    snprintf(finding->where, sizeof finding->where, "line %d", line);
    finding->mark_count = 0;
    view->count = 0;
    find_candidates(view);
    return judge(view, finding);
}

static void explain(const struct warp *warp, const struct operation *operation, struct finding *finding)
{
    if (explain_is_spent()) {
        memset(finding->index_loads, 0, sizeof finding->index_loads);
        if (!*finding->remark)
            snprintf(finding->remark, sizeof finding->remark,
                     "No explanation: the findings before this one used up the work set aside for explanations. Fix those "
                     "first, then run again.");
        return;
    }
    struct explain_access view = view_of(warp, operation, finding);
    const struct explain_candidate *chosen = NULL;
    if (view.names.source) {
        chosen = judge(&view, finding);
        if (chosen && finding->code == FINDING_out_of_bounds)
            chosen = use_branch(&view, chosen, finding);
        if (chosen)
            explain_arithmetic(&view, chosen, finding->arithmetic);
    }
    if (!*finding->arithmetic && finding->element_bytes && finding->columns == 0)
        explain_slice(&view.names, operation, finding);
    if (finding->code == FINDING_out_of_bounds) {
        use_own_name(&view, finding);
        explain_bounds(&view, chosen, finding);
    }
    explain_loads(warp->launch, operation, finding);
}

/* "line 12: ...", after the text that is already there. */
static void write_at(char text[ARITHMETIC_BYTES], const char *where, const char *arithmetic)
{
    if (!*arithmetic)
        return;
    explain_append(text, ARITHMETIC_BYTES, *text ? "; " : "");
    explain_append(text, ARITHMETIC_BYTES, where);
    explain_append(text, ARITHMETIC_BYTES, ": ");
    explain_append(text, ARITHMETIC_BYTES, arithmetic);
}

static void explain_second(const struct launch *launch, const struct operation *operation, const uint32_t thread[3],
                           const uint32_t block[3], struct finding *finding)
{
    const struct source *source = finding->line2 > 0 && is_in_student_file(launch, finding->file2) ? explain_source(launch)
                                                                                                   : NULL;
    struct explain_access view = {.names = {.launch = launch, .source = source, .thread = thread, .block = block},
                                  .finding = finding,
                                  .line = finding->line2};
    char first[ARITHMETIC_BYTES], second[ARITHMETIC_BYTES] = ""; /* of the access of `line`, of this one */
    if (!source)
        return;
    explain_find_function(&view.names, finding->function, view.line);
    set_direction(&view, operation);
    find_candidates(&view);
    const struct explain_candidate *chosen = judge(&view, finding);
    if (chosen)
        explain_arithmetic(&view, chosen, second);
    memcpy(first, finding->arithmetic, sizeof first);
    finding->arithmetic[0] = '\0';
    if (strlen(first) + strlen(second) + strlen(finding->where) + strlen(finding->where2) + 8 > ARITHMETIC_BYTES)
        return;
    bool same = finding->line == finding->line2;
    if (same && (!*first || !*second))
        return; /* what explains one thread's index, and not the other's, explains nothing */
    if (!same || strcmp(first, second) != 0)
        write_at(finding->arithmetic, finding->where2, second);
    write_at(finding->arithmetic, finding->where, first);
}

const struct words explain_words = {.name_parameter = explain_name_parameter,
                                    .name_field = explain_name_field,
                                    .name_variable = explain_name_variable,
                                    .element_type = explain_element_type,
                                    .name_member = name_member,
                                    .constant_write = explain_constant_write,
                                    .unset_pointer = explain_unset_pointer,
                                    .local_atomic = explain_local_atomic,
                                    .has_trap = explain_has_trap,
                                    .leaves_at = explain_leaves_at,
                                    .explain = explain,
                                    .loop = explain_loop,
                                    .explain_second = explain_second};

#include "grader/judge/origin_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/judge/origin_bins.h"

struct text {
    char *text;
    size_t bytes;
};

static void say(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct text *text, const char *format, ...)
{
    size_t used = strlen(text->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text->text + used, text->bytes - used, format, arguments);
    va_end(arguments);
}

/* ---- lists of elements --------------------------------------------------------------------------------------------- */

enum { RUNS_SHOWN = 4 };

/* Elements with equal weights, one after the other in a row (step 1) or in a column. */
struct stretch {
    size_t first, count;
    int weight;
};

static size_t find_stretches(const int16_t *weight, size_t count, size_t step, size_t row_length,
                             struct stretch list[RUNS_SHOWN])
{
    size_t found = 0;
    for (size_t column = 0; column < step; column++)
        for (size_t i = column; i < count; i += step) {
            if (weight[i] == 0)
                continue;
            size_t length = 1;
            while (i + length * step < count && weight[i + length * step] == weight[i]
                   && (step > 1 || row_length == 0 || (i + length) % row_length != 0))
                length++;
            if (found < RUNS_SHOWN)
                list[found] = (struct stretch){i, length, weight[i]};
            found++;
            i += (length - 1) * step;
        }
    return found;
}

/* "in[0..3]", "2 x in[4]", "A[1][0..15]", "B[0..15][3]"; several, with "and" before the last. Returns how many elements there
 * are. */
static size_t say_list(struct text *text, const char *name, const int16_t *weight, size_t count, size_t columns)
{
    struct stretch rows[RUNS_SHOWN], down[RUNS_SHOWN], *list = rows;
    size_t by_rows = find_stretches(weight, count, 1, columns, rows), elements = 0;
    size_t by_columns = columns > 1 ? find_stretches(weight, count, columns, columns, down) : by_rows, stretches = by_rows;
    bool across = by_columns >= by_rows;
    if (!across) {
        list = down;
        stretches = by_columns;
    }
    for (size_t i = 0; i < count; i++)
        elements += weight[i] != 0;
    size_t shown = stretches <= RUNS_SHOWN ? stretches : RUNS_SHOWN - 1, told = 0;
    for (size_t k = 0; k < shown; k++) {
        const struct stretch *one = &list[k];
        told += one->count;
        say(text, "%s", k == 0 ? "" : k + 1 == shown && shown == stretches ? " and " : ", ");
        if (one->weight != 1)
            say(text, "%d x ", one->weight);
        size_t last = one->first + (one->count - 1) * (across ? 1 : columns);
        if (columns == 0 && one->count == 1)
            say(text, "%s[%zu]", name, one->first);
        else if (columns == 0)
            say(text, "%s[%zu..%zu]", name, one->first, last);
        else if (one->count == 1)
            say(text, "%s[%zu][%zu]", name, one->first / columns, one->first % columns);
        else if (across)
            say(text, "%s[%zu][%zu..%zu]", name, one->first / columns, one->first % columns, last % columns);
        else
            say(text, "%s[%zu..%zu][%zu]", name, one->first / columns, last / columns, one->first % columns);
    }
    if (shown < stretches)
        say(text, " and %zu more elements", elements - told);
    return elements;
}

/* The first element that should count, and does not. */
static size_t first_missing(const struct origin_weights *weights, int which, size_t o)
{
    size_t count = weights->count[which], i = 0;
    const int16_t *own = weights->own[which] + o * count, *want = weights->want[which] + o * count;
    while (i + 1 < count && !(own[i] == 0 && want[i] != 0))
        i++;
    return i;
}

static int line_of_reader(const struct origin_subject *subject, int which, size_t i)
{
    struct origin_element element;
    for (int launch = subject->launches - 1; launch >= 0; launch--)
        if (origin_log_find(subject->log, launch, subject->recorded[which], i, &element) && element.loads > 0)
            return element.load_line;
    return 0;
}

static bool has_two_lines(const struct origin_element *element)
{
    return element->first_load_line > 0 && element->load_line > 0 && element->first_load_line != element->load_line;
}

/* The line that reads an element of an input. Returns the line, 0 when nobody does or it is not known. */
static int say_reader(const struct origin_subject *subject, int which, size_t i, struct text *text)
{
    char name[128], first[80], last[80];
    size_t columns = subject->columns[which];
    if (columns > 0)
        snprintf(name, sizeof name, "%s[%zu][%zu]", subject->input[which], i / columns, i % columns);
    else
        snprintf(name, sizeof name, "%s[%zu]", subject->input[which], i);
    bool known = false;
    for (int launch = subject->launches - 1; launch >= 0; launch--) {
        struct origin_element element;
        if (!origin_log_find(subject->log, launch, subject->recorded[which], i, &element))
            continue;
        known = true;
        if (element.loads == 0)
            continue;
        origin_thread_write(&element.first_load, first, sizeof first);
        origin_thread_write(&element.last_load, last, sizeof last);
        if (element.loads == 1)
            say(text, "%s is read once, at line %d by thread %s. ", name, element.load_line, first);
        else if (has_two_lines(&element) && strcmp(first, last) == 0)
            say(text, "%s is read %lld times by thread %s, first at line %d, last at line %d. ", name,
                (long long)element.loads, first, element.first_load_line, element.load_line);
        else if (has_two_lines(&element))
            say(text, "%s is read %lld times: first at line %d by thread %s, last at line %d by thread %s. ", name,
                (long long)element.loads, element.first_load_line, first, element.load_line, last);
        else if (strcmp(first, last) == 0)
            say(text, "%s is read %lld times by thread %s, at line %d. ", name, (long long)element.loads, first,
                element.load_line);
        else
            say(text, "%s is read %lld times: first by thread %s, last by thread %s, at line %d. ", name,
                (long long)element.loads, first, last, element.load_line);
        return element.load_line;
    }
    if (known)
        say(text, "No thread reads %s. ", name);
    return 0;
}

static bool is_same_thread(const struct origin_thread *a, const struct origin_thread *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* The loads of an element of an input by the last launch that reads it. */
static bool find_loads(const struct origin_subject *subject, int which, size_t i, struct origin_element *element)
{
    for (int launch = subject->launches - 1; launch >= 0; launch--)
        if (origin_log_find(subject->log, launch, subject->recorded[which], i, element) && element->loads > 0)
            return true;
    return false;
}

/* Is it recorded who accesses the element? */
static bool is_known(const struct origin_subject *subject, int which, size_t i)
{
    struct origin_element element;
    for (int launch = subject->launches - 1; launch >= 0; launch--)
        if (origin_log_find(subject->log, launch, subject->recorded[which], i, &element))
            return true;
    return false;
}

static bool has_read(const struct origin_element *element, const struct origin_thread *thread)
{
    return is_same_thread(&element->first_load, thread) || is_same_thread(&element->last_load, thread);
}

/* The element `own` came where `want` belongs, and it is not the index of the load alone that tells why: the thread that stores
 * has read both, or it has it from another thread. Returns false where that is not so. */
static bool say_way(const struct origin_subject *subject, int which, size_t own, size_t want, struct text *text)
{
    struct origin_element used, wanted;
    const char *name = subject->input[which];
    char storing[80], reading[80];
    if (!subject->stored || subject->stored->stores == 0 || subject->columns[which] > 0
        || !is_same_thread(&subject->stored->first_store, &subject->stored->last_store)
        || !find_loads(subject, which, own, &used) || !find_loads(subject, which, want, &wanted))
        return false;
    const struct origin_thread *thread = &subject->stored->last_store;
    origin_thread_write(thread, storing, sizeof storing);
    if (has_read(&used, thread) && has_read(&wanted, thread)) {
        say(text, "Thread %s, which stores %s, reads both %s[%zu] and %s[%zu], at line %d", storing, subject->place, name,
            own, name, want, used.load_line);
        if (wanted.load_line != used.load_line)
            say(text, " and line %d", wanted.load_line);
        say(text, ". ");
        return true;
    }
    if (used.loads == 1 && !has_read(&used, thread)) {
        origin_thread_write(&used.first_load, reading, sizeof reading);
        say(text, "%s[%zu] is read by thread %s, at line %d", name, own, reading, used.load_line);
        if (wanted.loads == 1) {
            origin_thread_write(&wanted.first_load, reading, sizeof reading);
            say(text, ", and %s[%zu] by thread %s", name, want, reading);
        }
        say(text, ". ");
        return true;
    }
    return false;
}

#define READS_IT " reads it. "

/* Does the text end with the line that reads what came instead? */
static bool says_line(const struct text *text)
{
    size_t length = sizeof READS_IT - 1, used = strlen(text->text);
    return used >= length && strcmp(text->text + used - length, READS_IT) == 0;
}

/* Does the line use an element of the array? Of the reads in two branches, the compiler makes one, with the line of the `if`. */
static bool is_used_in(const struct origin_subject *subject, int line, const char *name)
{
    for (size_t i = 0; subject->source && i + 1 < subject->source->token_count; i++)
        if (subject->source->tokens[i].line == line && source_token_is(&subject->source->tokens[i], name)
            && source_token_is(&subject->source->tokens[i + 1], "["))
            return true;
    return false;
}

/* The line at which the thread that stores the element reads the one that came where another belongs; 0: not known. */
static int line_of_moved(const struct origin_subject *subject, int which, size_t own)
{
    struct origin_element used;
    if (!subject->stored || subject->stored->stores == 0 || subject->before
        || !is_same_thread(&subject->stored->first_store, &subject->stored->last_store)
        || !find_loads(subject, which, own, &used))
        return 0;
    const struct origin_thread *thread = &subject->stored->last_store;
    return is_same_thread(&used.last_load, thread)    ? used.load_line
           : is_same_thread(&used.first_load, thread) ? used.first_load_line
                                                      : 0;
}

/* Is an element that is missing read at all? */
enum reading { UNKNOWN, NOBODY, SOMEBODY, OTHER_BLOCK };

/* Says which thread reads an element of an input. Of one launch with shared memory, what a single thread of another block reads does not
 * come to the block that stores. */
static enum reading tell_reader(const struct origin_subject *subject, int which, size_t i, struct text *text)
{
    struct origin_element element;
    if (say_reader(subject, which, i, text) == 0)
        return NOBODY;
    if (subject->launches != 1 || subject->products || !subject->uses_shared || !subject->stored
        || !find_loads(subject, which, i, &element) || element.loads != 1
        || memcmp(element.first_load.block, subject->stored->last_store.block, sizeof element.first_load.block) == 0)
        return SOMEBODY;
    say(text, "No thread of the block that stores %s reads it, and no block sees another one's shared memory. ",
        subject->place);
    return OTHER_BLOCK;
}

/* ---- sums ---------------------------------------------------------------------------------------------------------- */

/* How the weights of one output element differ from what they should be, in one input array. */
struct difference {
    size_t own, want; /* elements with a weight */
    size_t missing, foreign, more, less;
    bool below;      /* some weight is negative where it should not be */
    int factor;      /* all weights are this many times what they should be; 0: they are not, or are right */
    int64_t shift;   /* the only element is so far from the one that belongs */
    bool moved;      /* … and it is another one */
    bool subtracted; /* some are, none of which should be */
    bool negative;   /* all weights are right but for their sign */
};

static struct difference compare_weights(const struct origin_weights *weights, int which, size_t o)
{
    struct difference difference = {.factor = -1};
    size_t count = weights->count[which], own_at = 0, want_at = 0;
    const int16_t *own = weights->own[which] + o * count, *want = weights->want[which] + o * count;
    for (size_t i = 0; i < count; i++) {
        difference.own += own[i] != 0;
        difference.want += want[i] != 0;
        own_at = own[i] != 0 ? i : own_at;
        want_at = want[i] != 0 ? i : want_at;
        difference.missing += own[i] == 0 && want[i] != 0;
        difference.foreign += own[i] != 0 && want[i] == 0;
        difference.more += own[i] > want[i] && want[i] > 0;
        difference.less += own[i] < want[i] && own[i] != 0;
        difference.below |= own[i] < 0 && want[i] >= 0;
        difference.subtracted |= own[i] < 0 && want[i] > 0;
        int factor = want[i] != 0 && own[i] % want[i] == 0 ? own[i] / want[i] : 0;
        if (want[i] != 0)
            difference.factor = difference.factor == -1 || difference.factor == factor ? factor : 0;
        else if (own[i] != 0)
            difference.factor = 0;
    }
    difference.negative = difference.factor == -1;
    difference.factor = difference.factor > 1 ? difference.factor : 0;
    difference.moved = difference.own == 1 && difference.want == 1 && own_at != want_at;
    difference.shift = (int64_t)own_at - (int64_t)want_at;
    return difference;
}

static bool is_same(const struct difference *difference)
{
    return difference->missing + difference->foreign + difference->more + difference->less == 0;
}

static bool is_only_missing(const struct difference *difference)
{
    return difference->missing > 0 && difference->foreign + difference->more + difference->less == 0;
}

/* How many wrong elements have what `holds` asks for. */
typedef bool holds_fn(const struct origin_weights *weights, int which, size_t o, int64_t parameter);

static bool has_none(const struct origin_weights *weights, int which, size_t o, int64_t parameter)
{
    struct difference difference = compare_weights(weights, which, o);
    (void)parameter;
    return difference.own == 0 && difference.want > 0;
}

static bool has_shift(const struct origin_weights *weights, int which, size_t o, int64_t parameter)
{
    struct difference difference = compare_weights(weights, which, o);
    return difference.moved && difference.shift == parameter;
}

static bool has_factor(const struct origin_weights *weights, int which, size_t o, int64_t parameter)
{
    return compare_weights(weights, which, o).factor == parameter;
}

static bool has_right(const struct origin_weights *weights, int which, size_t o, int64_t parameter)
{
    struct difference difference = compare_weights(weights, which, o);
    (void)parameter;
    return is_same(&difference) && difference.want > 0;
}

static bool all_bad(const struct origin_subject *subject, const struct origin_weights *weights, int which, holds_fn *holds,
                    int64_t parameter)
{
    for (size_t o = 0; o < subject->outputs; o++)
        if (subject->bad[o] && !(weights->whole[o] && holds(weights, which, o, parameter)))
            return false;
    return true;
}

/* With whole numbers as inputs all is right: it is the numbers that make the difference. */
static const char *say_typed(const struct origin_subject *subject, int64_t base, struct text *text)
{
    say(text,
        "With other inputs, whole numbers from 1 to 11 and powers of %lld up to %s, the result is right: each element counts as "
        "often as it should. What becomes of %s on its way?",
        (long long)base,
        base > 64            ? "2^20"
        : subject->of_halves ? "2^12"
        : subject->is_float  ? "2^18"
                             : "2^24",
        subject->is_float ? "a fraction, or of a negative number," : "a larger number");
    return "typed";
}

static const char *say_unused(const struct origin_subject *subject, const struct origin_weights *weights, int which,
                              struct text *text)
{
    bool all = all_bad(subject, weights, which, has_none, 0);
    const char *name = subject->input[which];
    bool unread = origin_log_loads(subject->log, subject->launches, subject->recorded[which]) == 0;
    if (unread)
        say(text, "Nothing that is read from %s reaches the result. ", name); /* the compiler drops what is read in vain */
    else if (all)
        say(text, "With other numbers in %s, the wrong elements stay what they are. ", name);
    else
        say(text, "With other numbers in %s, %s stays what it is. ", name, subject->place);
    return "unused";
}

static size_t first_of(const int16_t *weight, size_t count)
{
    size_t first = 0;
    while (first + 1 < count && weight[first] == 0)
        first++;
    return first;
}

/* Is it the element itself, which the kernel changes, that counts too often? */
static bool is_in_place(const struct origin_subject *subject, int which, const struct difference *difference,
                        const int16_t *own)
{
    return difference->want == 1 && difference->own == 1 && own[subject->element] != 0
           && strcmp(subject->recorded[which], subject->output_name) == 0 && !subject->before;
}

static bool is_stored_by_one(const struct origin_subject *subject)
{
    return subject->stored && subject->stored->stores > 0
           && is_same_thread(&subject->stored->first_store, &subject->stored->last_store);
}

static const char *describe_array(const struct origin_subject *subject, const struct origin_weights *weights, int which,
                                  const struct difference *difference, struct text *text, enum reading *read)
{
    size_t count = weights->count[which], o = subject->element, columns = subject->columns[which];
    const int16_t *own = weights->own[which] + o * count, *want = weights->want[which] + o * count;
    const char *name = subject->input[which];
    int16_t *some = malloc((count + 1) * sizeof *some);
    const char *pattern = "mixed";
    bool sums = weights->array_count > 1;
    if (!some)
        return NULL;
    if (difference->own == 0) {
        pattern = say_unused(subject, weights, which, text);
        if (!subject->before && difference->want > 0 && difference->missing > 0
            && origin_log_loads(subject->log, subject->launches, subject->recorded[which]) > 0)
            *read = tell_reader(subject, which, first_of(want, count), text);
    } else if (difference->factor > 0) {
        bool all = all_bad(subject, weights, which, has_factor, difference->factor);
        bool in_place = is_in_place(subject, which, difference, own);
        if (in_place) {
            say(text, "%s becomes %d x what it was, and should become %d x what it was", subject->place, own[o], want[o]);
        } else if (difference->want == 1) {
            say(text, sums ? "%s contains " : "%s is ", subject->place);
            say_list(text, name, own, count, columns);
            say(text, sums ? ", where it should contain " : ", where it should be ");
            say_list(text, name, want, count, columns);
        } else {
            say(text, "%s has each of its elements of %s %d times", subject->place, name, difference->factor);
        }
        say(text, all && subject->bad_count > 1 ? "; so it is with all wrong elements. " : ". ");
        pattern = "multiple";
        if (in_place && is_stored_by_one(subject))
            pattern = subject->stored->stores == 1 ? "own_factor" : "changed_again";
    } else if (difference->own == 1 && difference->want == 1 && !difference->moved) {
        say(text, "%s contains ", subject->place);
        say_list(text, name, own, count, columns);
        say(text, ", where it should contain ");
        say_list(text, name, want, count, columns);
        say(text, ". ");
        pattern = "scaled";
    } else if (difference->subtracted) {
        say(text, "%s is made of ", subject->place);
        say_list(text, name, own, count, columns);
        say(text, ", and should be made of ");
        say_list(text, name, want, count, columns);
        say(text, ". ");
        pattern = "scaled";
    } else if (difference->missing == 0 && difference->less == 0) {
        for (size_t i = 0; i < count; i++)
            some[i] = (int16_t)(own[i] - want[i]);
        say(text, "Besides what belongs there, %s contains ", subject->place);
        bool one = say_list(text, name, some, count, columns) == 1;
        say(text, ". ");
        struct origin_element again;
        if (one && !sums && !subject->before && find_loads(subject, which, first_of(some, count), &again) && again.loads > 1)
            say_reader(subject, which, first_of(some, count), text);
        pattern = difference->foreign > 0 ? "foreign" : "multiple";
    } else if (difference->foreign == 0 && difference->more == 0 && !difference->below) {
        for (size_t i = 0; i < count; i++)
            some[i] = (int16_t)(want[i] - own[i]);
        say_list(text, name, some, count, columns);
        say(text, " %s missing in %s, which has only ", difference->missing == 1 ? "is" : "are", subject->place);
        say_list(text, name, own, count, columns);
        say(text, ". ");
        pattern = subject->left_out_by ? "left_out" : "missing";
        if (!subject->before && !subject->left_out_by)
            *read = tell_reader(subject, which, first_of(some, count), text);
    } else {
        say(text, "%s is made of ", subject->place);
        say_list(text, name, own, count, columns);
        say(text, ", and should be made of ");
        say_list(text, name, want, count, columns);
        say(text, ". ");
        for (size_t i = 0; i < count; i++)
            some[i] = own[i] == 0 && want[i] != 0;
        if (!subject->before && difference->missing > 0 && !difference->moved)
            *read = tell_reader(subject, which, first_of(some, count), text);
        pattern = difference->moved ? "moved" : difference->subtracted && difference->foreign == 0 ? "scaled" : "exchanged";
        int line = difference->moved ? line_of_moved(subject, which, first_of(own, count)) : 0;
        if (line > 0 && line != subject->stored->last_line && is_used_in(subject, line, name))
            say(text, "Line %d" READS_IT, line);
        if (difference->moved && columns == 0 && subject->bad_count > 1
            && all_bad(subject, weights, which, has_shift, difference->shift)) {
            long long far = llabs((long long)difference->shift);
            const char *side = difference->shift > 0 ? "right" : "left";
            if (far == 1)
                say(text, "Every wrong element is made of the one just to the %s. ", side);
            else
                say(text, "Every wrong element is made of the one %lld places to the %s. ", far, side);
        }
        if (difference->moved && !subject->before
            && say_way(subject, which, first_of(own, count), first_of(want, count), text))
            pattern = "carried";
    }
    if (subject->before && difference->own > 0)
        say(text, "(These are the elements as they were before %s.) ", subject->before);
    free(some);
    return pattern;
}

/* What elements are that depend on no input: one number, or a multiple of the index. */
static void say_constant(const struct origin_subject *subject, const struct origin_weights *weights, struct text *text)
{
    const double *constant = weights->constant;
    size_t first = subject->element, second = first + 1, wrong = 0;
    while (second < subject->outputs && !subject->bad[second])
        second++;
    if (second >= subject->outputs)
        return;
    double step = (constant[second] - constant[first]) / (double)(second - first);
    double start = constant[first] - step * (double)first;
    for (size_t i = 0; i < subject->outputs; i++) {
        if (!subject->bad[i])
            continue;
        wrong++;
        if (!weights->known[i] || constant[i] != start + step * (double)i)
            return;
        for (int which = 0; which < weights->array_count; which++)
            if (compare_weights(weights, which, i).own != 0) /* of this one, other inputs make something else */
                return;
    }
    if (wrong < 3)
        return;
    if (step == 0) {
        say(text, "Every wrong element is %.9g, with other inputs as well. ", start);
        return;
    }
    say(text, "Every wrong element is ");
    if (step != 1)
        say(text, "%.9g times ", step);
    say(text, "its index");
    if (start != 0)
        say(text, " %s %.9g", start > 0 ? "+" : "-", fabs(start));
    say(text, ". ");
}

/* Of a sum of products that has the last ones alone: what becomes of the others? */
enum last_ones {
    NOT_THE_LAST,
    THE_LAST_ALONE, /* one product: the line that adds keeps no other */
    THE_LAST_FEW,   /* several: those of the last turns of a loop */
};

static enum last_ones find_last_ones(const struct origin_weights *weights, int which, size_t o,
                                     const struct difference *difference)
{
    size_t count = weights->count[which], last_missing = 0, first_own = count;
    const int16_t *own = weights->own[which] + o * count, *want = weights->want[which] + o * count;
    for (size_t i = 0; i < count; i++) {
        last_missing = own[i] == 0 && want[i] != 0 ? i : last_missing;
        first_own = own[i] != 0 && first_own == count ? i : first_own;
    }
    if (difference->own == 1 && difference->want > 2)
        return THE_LAST_ALONE;
    /* Where k = 0 alone is missing, a loop begins at 1. */
    return is_only_missing(difference) && difference->missing > 1 && last_missing < first_own && first_own < count
               ? THE_LAST_FEW
               : NOT_THE_LAST;
}

static void ask(const char *pattern, bool one, enum last_ones last, enum reading read, const struct origin_subject *subject,
                const char *name, struct text *text)
{
    if (read == OTHER_BLOCK)
        say(text, "Which thread of that block should load it, and into which cell?");
    else if (strcmp(pattern, "unused") == 0 && read == SOMEBODY)
        say(text, "What becomes of it until %s is stored?", subject->place);
    else if (strcmp(pattern, "unused") == 0)
        say(text, "Which line should use %s?", name);
    else if (strcmp(pattern, "missing") == 0 && subject->products && read == NOBODY)
        say(text, "Which line should read %s, and for which k does it run?", one ? "it" : "them");
    else if (strcmp(pattern, "missing") == 0 && subject->products && !subject->uses_shared && last == NOT_THE_LAST)
        say(text, "What becomes of it until %s is stored?", subject->place);
    else if (strcmp(pattern, "missing") == 0 && subject->products && last == THE_LAST_ALONE)
        say(text, "Which line adds the products, and what becomes there of those before?");
    else if (strcmp(pattern, "missing") == 0 && subject->products && last == THE_LAST_FEW)
        say(text, "Which line adds the products, and what becomes of their sum from one turn of the loop to the next?");
    else if (strcmp(pattern, "missing") == 0 && subject->products)
        say(text, "Which line should add %s, and for which k does it run?", one ? "this product" : "these products");
    else if (strcmp(pattern, "own_factor") == 0)
        say(text, "By what does line %d multiply it, alone or with the lines before?", subject->stored->last_line);
    else if (strcmp(pattern, "changed_again") == 0)
        say(text, "Which of these stores should change %s, and which one should not?", subject->place);
    else if (strcmp(pattern, "multiple") == 0)
        say(text, "Where is it counted again: in another line, in another turn of a loop, or in another thread?");
    else if (strcmp(pattern, "missing") == 0 && read == NOBODY)
        say(text, "Which thread should read %s?", one ? "it" : "them");
    else if (strcmp(pattern, "missing") == 0)
        say(text, "Which thread should add %s, and at which line?", one ? "it" : "them");
    else if (strcmp(pattern, "left_out") == 0 && subject->left_out_line == 0)
        say(text, "Which line of %s should change %s?", subject->left_out_by, subject->place);
    else if (strcmp(pattern, "left_out") == 0)
        say(text, "What decides whether line %d stores to %s?", subject->left_out_line, subject->place);
    else if (strcmp(pattern, "moved") == 0 && says_line(text))
        say(text, "Which index does it compute for %s?", subject->place);
    else if (strcmp(pattern, "moved") == 0)
        say(text, "Which line reads %s for %s, and which index does it compute?", name, subject->place);
    else if (strcmp(pattern, "carried") == 0)
        say(text, "On the way to %s, where does the one take the place of the other?", subject->place);
    else if (strcmp(pattern, "sign") == 0)
        say(text, "Which operation changes the sign?");
    else if (strcmp(pattern, "scaled") == 0)
        say(text, "Which operation gives that, and which one should it be?");
    else if (strcmp(pattern, "foreign") == 0 && subject->before && subject->stored && subject->stored->stores > 1
             && is_same_thread(&subject->stored->first_store, &subject->stored->last_store))
        say(text, "How many of these %lld stores belong into one launch?", (long long)subject->stored->stores);
    else if (strcmp(pattern, "foreign") == 0)
        say(text, "Which line adds what does not belong there?");
    else if (subject->before)
        say(text, "Which elements does each step add, and to which?");
    else if (read == SOMEBODY)
        say(text, "What becomes of it until %s is stored?", subject->place);
    else
        say(text, "Which line should read it, and with which index?");
}

static int64_t cells_beyond(const struct origin_subject *subject)
{
    int64_t columns = (int64_t)subject->columns[0], tile = subject->tile;
    return subject->products && subject->uses_shared && tile > 1 && columns % tile != 0 ? tile - columns % tile : 0;
}

/* Cells that the last tile has beyond the end of a row of the first factor, when what is added is a multiple of a number that
 * somebody may have put there; else 0. */
static int64_t padding_of(const struct origin_subject *subject, double added)
{
    int64_t cells = cells_beyond(subject);
    double each = cells > 0 ? 16 * added / (double)cells : 0;
    return cells > 0 && each != 0 && each == rint(each) ? cells : 0;
}

/* Does each cell of the last tile that lies beyond the end of a row hold an element that counts once more? Then says so. */
static bool says_padding(const struct origin_subject *subject, const struct origin_weights *weights, struct text *text)
{
    int64_t cells = cells_beyond(subject), extra[ORIGIN_ARRAYS] = {0};
    size_t o = subject->element;
    for (int which = 0; which < weights->array_count && cells > 0; which++) {
        struct difference difference = compare_weights(weights, which, o);
        size_t count = weights->count[which];
        for (size_t i = 0; i < count; i++)
            extra[which] += weights->own[which][o * count + i] - weights->want[which][o * count + i];
        if (difference.missing + difference.less > 0 || extra[which] != cells)
            return false;
    }
    if (cells == 0 || weights->array_count != 2)
        return false;
    say(text, "Besides what belongs there, %s contains ", subject->place);
    for (int which = 0; which < 2; which++) {
        size_t count = weights->count[which];
        int16_t *some = malloc((count + 1) * sizeof *some);
        for (size_t i = 0; some && i < count; i++)
            some[i] = (int16_t)(weights->own[which][o * count + i] - weights->want[which][o * count + i]);
        say(text, "%s", which > 0 ? " and " : "");
        if (some)
            say_list(text, subject->input[which], some, count, subject->columns[which]);
        free(some);
    }
    say(text, ". The last tile reaches %lld cell%s beyond column %zu of %s. What do these cells hold?", (long long)cells,
        cells == 1 ? "" : "s", subject->columns[0] - 1, subject->input[0]);
    return true;
}

/* Several inputs belong into the element, and no load touches any of those elements: says so. */
static bool says_unread(const struct origin_subject *subject, const struct origin_weights *weights, struct text *text)
{
    for (int which = 0; which < weights->array_count; which++) {
        struct origin_element element;
        struct difference difference = compare_weights(weights, which, subject->element);
        size_t at = first_missing(weights, which, subject->element);
        if (weights->array_count < 2 || difference.missing != 1 || find_loads(subject, which, at, &element)
            || !is_known(subject, which, at))
            return false;
    }
    for (int which = 0; which < weights->array_count; which++)
        say_reader(subject, which, first_missing(weights, which, subject->element), text);
    return true;
}

/* Does an element have all that belongs into the one of the message, and nothing else? */
static bool has_all_of(const struct origin_subject *subject, const struct origin_weights *weights, size_t other)
{
    for (int which = 0; which < weights->array_count; which++) {
        size_t count = weights->count[which];
        if (memcmp(weights->own[which] + other * count, weights->want[which] + subject->element * count,
                   count * sizeof(int16_t))
            != 0)
            return false;
    }
    return weights->known[other] && weights->constant[other] == 0;
}

/* Where the right products are computed, but stored elsewhere: says which element has them, and asks. */
static bool say_found_elsewhere(const struct origin_subject *subject, const struct origin_weights *weights,
                                struct text *text)
{
    size_t columns = subject->columns[1], found = 0, count = 0;
    if (!subject->products || columns == 0 || subject->before)
        return false;
    for (size_t i = 0; i < subject->outputs && count < 2; i++)
        if (i != subject->element && has_all_of(subject, weights, i)) {
            found = i;
            count++;
        }
    if (count == 1)
        say(text,
            "What belongs into %s is in %s[%zu][%zu]. Which index puts it there: one of the cells that are multiplied, or "
            "that of the store?",
            subject->place, subject->output_name, found / columns, found % columns);
    return count == 1;
}

const char *origin_words_sums(const struct origin_subject *subject, const struct origin_weights *weights, char *out,
                              size_t out_bytes)
{
    struct text text = {out, out_bytes};
    size_t o = subject->element, known = 0, whole = 0;
    const char *pattern = NULL, *asked = "";
    enum reading read = UNKNOWN;
    bool right_weights = weights->constant[o] == 0, right = true, none = true, wanted = false, one = true;
    bool negative = true;
    enum last_ones last = NOT_THE_LAST;
    out[0] = '\0';
    for (size_t i = 0; i < subject->outputs; i++) {
        known += subject->bad[i] && weights->known[i];
        whole += subject->bad[i] && weights->whole[i];
    }
    for (int which = 0; which < weights->array_count; which++) {
        struct difference difference = compare_weights(weights, which, o);
        right_weights &= all_bad(subject, weights, which, has_right, 0);
        none &= difference.own == 0;
        negative &= difference.negative;
        wanted |= difference.want > 0;
    }
    for (int which = 0; which < weights->array_count && wanted && weights->array_count > 1; which++)
        if (weights->unread[which] && !none) { /* also where the rest is not a sum */
            describe_array(subject, weights, which, &(struct difference){.want = 1, .missing = 1}, &text, &read);
            ask("unused", one, last, read, subject, subject->input[which], &text);
            return "unused";
        }
    if (!wanted || !weights->whole[o])
        return NULL;
    right = right_weights;
    for (size_t i = 0; i < subject->outputs; i++)
        right &= !subject->bad[i] || weights->right[i];
    if (right && whole == subject->bad_count && weights->constant[o] == 0)
        return say_typed(subject, weights->base, &text);
    if (right_weights)
        return NULL;
    if (!weights->known[o] || 2 * known < subject->bad_count)
        return NULL;
    if (none && weights->array_count > 1)
        say(&text, "With other numbers in %s and %s, %s stays what it is. ", subject->input[0], subject->input[1],
            subject->place);
    else if (none)
        describe_array(subject, weights, 0, &(struct difference){.want = 1}, &text, &read);
    if (none) {
        bool loaded = false;
        for (int which = 0; which < weights->array_count; which++)
            loaded |= origin_log_loads(subject->log, subject->launches, subject->recorded[which]) > 0;
        say_constant(subject, weights, &text);
        if (loaded && says_unread(subject, weights, &text)) {
            say(&text, "Which condition, or which index, keeps them from being read?");
            return "not_read";
        }
        if (loaded)
            say(&text,
                "What becomes of the numbers that are read: does a factor of 0 take them away, do they cancel out, or are they left out?");
        else
            say(&text, "Which line should use %s?", weights->array_count > 1 ? "them" : subject->input[0]);
        return "unused";
    }
    if (negative && subject->products && weights->constant[o] == 0) {
        say(&text, "%s has each of its elements of %s and of %s with the opposite sign. ", subject->place, subject->input[0],
            subject->input[1]);
        ask("sign", one, last, read, subject, "", &text);
        return "sign";
    }
    if (says_padding(subject, weights, &text))
        return "edge";
    for (int which = 0; which < weights->array_count; which++) {
        struct difference difference = compare_weights(weights, which, o);
        if (is_same(&difference))
            continue;
        if (pattern && strcmp(pattern, "missing") == 0 && subject->products && is_only_missing(&difference)) {
            say(&text, "The elements of %s that belong to them are missing, too. ", subject->input[which]);
            size_t at = first_missing(weights, which, o);
            if (read == SOMEBODY && line_of_reader(subject, which, at) == 0 && say_reader(subject, which, at, &text) == 0) {
                read = UNKNOWN; /* asks for the line and its index */
                pattern = "exchanged";
            }
            continue;
        }
        const char *own = describe_array(subject, weights, which, &difference, &text, &read);
        if (own && (!pattern || strcmp(own, "unused") == 0)) { /* an array that is not used explains the most */
            pattern = own;
            asked = subject->input[which];
            one = difference.missing == 1;
            last = find_last_ones(weights, which, o, &difference);
        }
    }
    if (weights->constant[o] != 0 && !subject->others) {
        if (pattern)
            say(&text, "When all inputs are 0, %s is %.9g. ", subject->place, weights->constant[o]);
        else
            say(&text, "%s has %.9g in it that comes from no input. ", subject->place, weights->constant[o]);
        pattern = pattern ? pattern : "added";
    }
    int64_t cells = padding_of(subject, weights->constant[o]);
    if (pattern && strcmp(pattern, "added") == 0 && cells > 0) {
        say(&text,
            "That is %lld x %.9g, and the last tile reaches %lld cell%s beyond column %zu of %s. What do these cells hold?",
            (long long)cells, weights->constant[o] / (double)cells, (long long)cells, cells == 1 ? "" : "s",
            subject->columns[0] - 1, subject->input[0]);
        return "edge";
    }
    if (pattern && strcmp(pattern, "exchanged") == 0 && say_found_elsewhere(subject, weights, &text))
        return pattern;
    if (pattern && strcmp(pattern, "added") == 0)
        say(&text, "Which line adds it?");
    else if (pattern)
        ask(pattern, one, last, read, subject, asked, &text);
    bool unread = pattern && strcmp(pattern, "missing") == 0 && read == NOBODY && !subject->products;
    return unread ? "not_read" : pattern;
}

bool origin_words_one_unread(const struct origin_subject *subject, const struct origin_weights *weights)
{
    int unread = 0;
    for (int which = 0; which < weights->array_count; which++) {
        struct difference difference = compare_weights(weights, which, subject->element);
        size_t at = first_missing(weights, which, subject->element);
        if (difference.missing > 0)
            unread += line_of_reader(subject, which, at) == 0;
    }
    return unread == 1;
}

/* ---- counts -------------------------------------------------------------------------------------------------------- */

int origin_words_line_of_each(const struct origin_log *log, int launches, int64_t elements)
{
    struct origin_atomics atomics = origin_bins_atomics(log, launches);
    int line = 0, found = 0;
    for (int i = 0; i < atomics.count; i++)
        if (atomics.lanes[i] == elements) {
            line = atomics.line[i];
            found++;
        }
    return found == 1 ? line : 0;
}

static void say_atomics(const struct origin_atomics *atomics, struct text *text)
{
    for (int i = 0; i < atomics->count; i++) {
        say(text, "%s", i == 0 ? "Atomic operations executed in this case: " : i + 1 < atomics->count ? ", " : " and ");
        if (atomics->lanes[i] == 0)
            say(text, "none at line %d", atomics->line[i]);
        else
            say(text, "%lld at line %d", (long long)atomics->lanes[i], atomics->line[i]);
    }
    if (atomics->count > 0)
        say(text, ". ");
}

/* Is the first index of the atomic call in the line more than a name or an element: does it compute something? */
static bool computes_index(const struct source *source, int line)
{
    for (size_t t = 0; source && t + 1 < source->token_count; t++) {
        const struct source_token *token = &source->tokens[t];
        if (token->line != line || token->length < 7 || strncmp(token->text, "atomic", 6) != 0)
            continue;
        while (t < source->token_count && !source_token_is(&source->tokens[t], "["))
            t++;
        size_t end = source_closing(source, t, source->token_count);
        for (size_t i = t + 1; i < end; i++) {
            if (source_token_is(&source->tokens[i], "[") || source_token_is(&source->tokens[i], "("))
                i = source_closing(source, i, end);
            else if (source->tokens[i].kind == SOURCE_SIGN && !source_token_is(&source->tokens[i], "."))
                return true;
        }
        return false;
    }
    return true;
}

/* The same bins, whatever the elements are. */
static const char *say_any_value(const struct origin_subject *subject, const struct origin_counts *counts, struct text *text,
                                 int *line)
{
    const char *name = subject->input[0];
    bool read = origin_log_loads(subject->log, subject->launches, subject->recorded[0]) != 0;
    say(text, "With all elements of %s equal to %d, and with all equal to %d, the bins come out the same. ", name,
        counts->value[0], counts->value[1]);
    if (read) {
        say(text, "What in the index of %s depends on the value of an element?", subject->output_name);
        return "any_value";
    }
    *line = origin_words_line_of_each(subject->log, subject->launches, (int64_t)counts->count);
    say(text, "Nothing that is read from %s reaches them. Which line should use an element of %s?", name, name);
    return "unused";
}

static bool names(const struct source *source, int line, const char *name)
{
    for (size_t t = 0; source && t < source->token_count; t++)
        if (source->tokens[t].line == line && source_token_is(&source->tokens[t], name))
            return true;
    return false;
}

/* Which bin counts elements that are all equal. Returns the pattern, NULL: it is the right one. */
static const char *say_bin(const struct origin_subject *subject, const struct origin_counts *counts, struct text *text,
                           int *line)
{
    const char *name = subject->input[0];
    bool right = counts->bin[0] == counts->value[0] || counts->bin[1] == counts->value[1];
    if (counts->same_bins && !counts->none[0])
        return say_any_value(subject, counts, text, line);
    if (counts->same_places && counts->scaled && !counts->none[0]) {
        say(text,
            "With all elements of %s equal to %d, the same bins change as with all equal to %d: the value of an element decides "
            "how much is added, and not where. Which of the two should it decide?",
            name, counts->value[0], counts->value[1]);
        return "any_value";
    }
    if (counts->bin[0] == (counts->value[0] ^ 1) && counts->bin[1] == (counts->value[1] ^ 1)) {
        say(text,
            "With all elements of %s equal to %d, it is %s[%d] that counts them, and with all equal to %d, it is %s[%d]: of two "
            "neighbouring values, each gets the count of the other. Which line takes the one for the other?",
            name, counts->value[0], subject->output_name, counts->bin[0], counts->value[1], subject->output_name,
            counts->bin[1]);
        return "pair_exchanged";
    }
    for (int i = 0; i < 3; i++)
        if (counts->bin[i] >= 0 && counts->bin[i] != counts->value[i]) {
            int each = origin_words_line_of_each(subject->log, subject->launches, (int64_t)counts->count);
            *line = each > 0 && computes_index(subject->source, each) ? each : *line;
            say(text,
                "With all elements of %s equal to %d, it is %s[%d] that counts them. Which index does a value lead to?",
                name, counts->value[i], subject->output_name, counts->bin[i]);
            return "bin";
        }
    for (int i = 0; i < 2; i++)
        if (counts->filled[i] > 1) {
            say(text,
                "With all elements of %s equal to %d, %d bins are not 0, the first of them %s[%d]. Which bins should an element "
                "change, and which does it change?",
                name, counts->value[i], counts->filled[i], subject->output_name, counts->lowest[i]);
            return "several";
        }
    if (!counts->none[2] || !right)
        return NULL;
    int good = counts->bin[0] == counts->value[0] ? 0 : 1;
    say(text,
        "With all elements of %s equal to %d, no bin counts them; with all equal to %d, %s[%d] does. On which line does the "
        "way of the value %d differ from that of %d?",
        name, counts->value[2], counts->value[good], subject->output_name, counts->value[good], counts->value[2],
        counts->value[good]);
    /* Where all elements are counted, it is what becomes of the counts. */
    struct origin_atomics atomics = origin_bins_atomics(subject->log, subject->launches);
    int each = origin_words_line_of_each(subject->log, subject->launches, (int64_t)counts->count);
    *line = line_of_reader(subject, 0, 0);
    for (int i = 0; i < atomics.count && each > 0; i++)
        *line = atomics.line[i] != each && names(subject->source, atomics.line[i], subject->output_name) ? atomics.line[i]
                                                                                                         : *line;
    return "value";
}

static const char *say_none(const struct origin_subject *subject, const struct origin_atomics *atomics, struct text *text,
                            int *line)
{
    int last = subject->launches - 1, executed = 0;
    const char *kernel = last >= 0 && last < subject->log->count
                             ? json_string_value(json_object_get(subject->log->launches[last], "kernel"))
                             : NULL;
    int at = say_reader(subject, 0, 0, text);
    say_atomics(atomics, text);
    *line = at > 0 ? at : *line;
    for (int i = 0; i < atomics->count; i++) {
        *line = atomics->lanes[i] == 0 ? atomics->line[i] : *line;
        executed += atomics->lanes[i] > 0;
    }
    if (kernel && executed > 0 && executed == atomics->count
        && !origin_log_is_stored(subject->log, last, subject->output_name)) {
        for (int i = 0; i < atomics->count; i++)
            *line = atomics->line[i] > *line ? atomics->line[i] : *line;
        say(text, "None of them changes %s. Which line of %s should?", subject->output_name, kernel);
        return "not_stored";
    }
    if (atomics->count == 1 && executed == 1) {
        *line = atomics->line[0];
        say(text, "How much does line %d add each time?", *line);
        return "amount";
    }
    say(text, "Where does the way from %s to %s end?", subject->input[0], subject->output_name);
    return "none";
}

static bool is_read_once(const struct origin_subject *subject, size_t i)
{
    struct origin_element element;
    return find_loads(subject, 0, i, &element) && element.loads == 1;
}

/* Does the call on that line add the number 1, as it is written? */
static bool adds_one(const struct source *source, int line)
{
    for (size_t t = 0; source && t + 2 < source->token_count; t++)
        if (source->tokens[t].line == line && source_token_is(&source->tokens[t], ",")
            && source_token_is(&source->tokens[t + 1], "1") && source_token_is(&source->tokens[t + 2], ")"))
            return true;
    return false;
}

static int64_t block_count(const struct origin_subject *subject, const struct origin_counts *counts)
{
    return subject->tile > 0 ? ((int64_t)counts->count + subject->tile - 1) / subject->tile : 0;
}

/* Each element is counted by one line, once, and another line hands the counts over more often than there are bins. */
static const char *say_merged_again(const struct origin_subject *subject, const struct origin_counts *counts,
                                    const struct origin_atomics *atomics, struct text *text, int *line)
{
    int each = origin_words_line_of_each(subject->log, subject->launches, (int64_t)counts->count);
    int64_t blocks = block_count(subject, counts);
    int other = atomics->count == 2 && atomics->line[0] == each ? 1 : 0;
    if (counts->known || each == 0 || atomics->count != 2 || blocks == 0 || counts->sum <= (int64_t)counts->count
        || atomics->lanes[other] <= 256 * blocks || !adds_one(subject->source, each))
        return NULL;
    *line = atomics->line[other];
    say(text,
        "Line %d counts each element once, and line %d is executed %lld times: 256 bins in each of %lld block%s would be %lld. "
        "Which threads come to the same bin there?",
        each, *line, (long long)atomics->lanes[other], (long long)blocks, blocks == 1 ? "" : "s", (long long)(256 * blocks));
    return "merged_again";
}

static const char *say_each(const struct origin_subject *subject, const struct origin_counts *counts,
                            const struct origin_atomics *atomics, struct text *text, int *line)
{
    struct origin_element element;
    bool read = find_loads(subject, 0, 0, &element);
    say(text, "Each element is counted %d times. ", counts->times[0]);
    say_reader(subject, 0, 0, text);
    if (read && element.loads == counts->times[0] && !is_same_thread(&element.first_load, &element.last_load)) {
        *line = element.load_line;
        bool blocks = memcmp(element.first_load.thread, element.last_load.thread, sizeof element.first_load.thread) == 0;
        say(text, "Which of these %s should count %s[0], and which should not?", blocks ? "blocks" : "threads",
            subject->input[0]);
        return blocks ? "every_block" : "every_thread";
    }
    int each = origin_words_line_of_each(subject->log, subject->launches, (int64_t)counts->count);
    if (atomics->count == 1 && each > 0 && is_read_once(subject, 0)) {
        text->text[0] = '\0';
        *line = each;
        say(text, "Line %d is executed once for each element, and changes its bin by %d. How much should an element add?",
            each, counts->times[0]);
        return "amount";
    }
    say_atomics(atomics, text);
    int64_t blocks = block_count(subject, counts);
    bool once = atomics->count == 2 && each > 0 && atomics->lanes[atomics->line[0] == each] == 256 * blocks;
    if (once) { /* no line runs too often: one of the two adds too much */
        bool later = adds_one(subject->source, each);
        *line = later ? atomics->line[atomics->line[0] == each] : each;
        if (later)
            say(text, "Line %d adds 1. What does line %d add?", each, *line);
        else
            say(text, "How much does each of them add?");
    } else {
        say(text, "By which ways does one element reach its bin, and how often?");
    }
    return "each";
}

/* The line that counts runs once for each element, and adds different numbers. */
static const char *say_amount(const struct origin_subject *subject, const struct origin_counts *counts, struct text *text,
                              int *line)
{
    int each = origin_words_line_of_each(subject->log, subject->launches, (int64_t)counts->count);
    size_t second = 1, third;
    while (second < counts->count && counts->times[second] == counts->times[0])
        second++;
    for (third = second + 1; third < counts->count; third++)
        if (counts->times[third] != counts->times[0] && counts->times[third] != counts->times[second])
            break;
    if (each == 0 || third >= counts->count || !is_read_once(subject, 0) || !is_read_once(subject, second)
        || !is_read_once(subject, third))
        return NULL;
    *line = each;
    say(text,
        "Line %d is executed once for each element, but %s[0] makes its bin grow by %d, %s[%zu] by %d and %s[%zu] by %d. How "
        "much should an element add, and how much does it?",
        each, subject->input[0], counts->times[0], subject->input[0], second, counts->times[second], subject->input[0],
        third, counts->times[third]);
    return "amount";
}

/* An element that is in no bin: was it read, and was it counted? */
static const char *say_lost(const struct origin_subject *subject, const struct origin_counts *counts,
                            const struct origin_atomics *atomics, size_t first, bool more, struct text *text, int *line)
{
    struct origin_element element;
    bool read = find_loads(subject, 0, first, &element);
    int each = origin_words_line_of_each(subject->log, subject->launches, (int64_t)counts->count);
    if (subject->try_line > 0) {
        *line = subject->try_line;
        say(text,
            "The `if` in line %d asks once for %s: a thread that finds it taken skips the lines inside. What becomes of the "
            "element of such a thread?",
            subject->try_line, subject->try_name);
        return "try_once";
    }
    if (read && each > 0 && !more) {
        *line = 0;
        say(text,
            "Line %d is executed %zu times, as often as there are elements. What becomes of what it counts for %s[%zu]?",
            each, counts->count, subject->input[0], first);
        return "lost_later";
    }
    if (read && atomics->count == 1 && atomics->lanes[0] < (int64_t)counts->count) {
        *line = atomics->line[0];
        say(text,
            "Line %d is executed %lld times for %zu elements. What decides whether an element that has been read is "
            "counted?",
            *line, (long long)atomics->lanes[0], counts->count);
        return "skipped";
    }
    if (read) {
        say(text, "It is read, but no bin has it. What keeps %s[%zu] from its bin?", subject->input[0], first);
        return "skipped";
    }
    say(text, "Which thread should count %s[%zu]?", subject->input[0], first);
    return "not_counted";
}

/* Elements that are not counted once, from the first on. */
static const char *say_places(const struct origin_subject *subject, const struct origin_counts *counts,
                              const struct origin_atomics *atomics, struct text *text, int *line)
{
    const char *name = subject->input[0];
    struct origin_element element;
    size_t first = 0, wrong = 0;
    bool more = false;
    while (counts->times[first] == 1)
        first++;
    size_t end = first;
    while (end < counts->count && counts->times[end] == counts->times[first])
        end++;
    for (size_t i = 0; i < counts->count; i++) {
        wrong += counts->times[i] != 1;
        more |= counts->times[i] > 1;
    }
    if (end - first == 1)
        say(text, "%s[%zu] is ", name, first);
    else
        say(text, "%s[%zu..%zu] are ", name, first, end - 1);
    bool lost = counts->times[first] == 0 && !more && find_loads(subject, 0, first, &element)
                && origin_words_line_of_each(subject->log, subject->launches, (int64_t)counts->count) > 0;
    if (counts->times[first] == 0)
        say(text, lost ? "missing from %s" : "not counted", subject->output_name);
    else
        say(text, "counted %d times%s", counts->times[first], end - first == 1 ? "" : " each");
    if (wrong == end - first)
        say(text, "; every other element is counted once. ");
    else if (lost)
        say(text, "; so are %zu elements in all. ", wrong);
    else
        say(text, "; %zu elements in all are not counted exactly once. ", wrong);
    int at = say_reader(subject, 0, first, text);
    for (size_t i = 0; i < counts->count && at == 0; i++) /* the line that reads the others */
        at = line_of_reader(subject, 0, i);
    *line = at > 0 ? at : *line;
    if (counts->times[first] == 0)
        return say_lost(subject, counts, atomics, first, more, text, line);
    if (is_read_once(subject, first)) {
        *line = atomics->count == 1 ? atomics->line[0] : *line;
        say_atomics(atomics, text);
        say(text, "What is added to a bin for %s[%zu], and how often?", name, first);
        return "amount";
    }
    if (find_loads(subject, 0, first, &element) && is_same_thread(&element.first_load, &element.last_load)) {
        say(text, "Should this thread count %s[%zu] more than once, or another element?", name, first);
        return "same_thread";
    }
    bool known = find_loads(subject, 0, first, &element);
    if (known && element.loads == counts->times[first] && has_two_lines(&element)) {
        say(text, "Which of these lines should count %s[%zu]?", name, first);
        return "two_lines";
    }
    say(text, "Which thread should count %s[%zu], and which should not?", name, first);
    bool of_one = known && memcmp(element.first_load.block, element.last_load.block, sizeof element.last_load.block) == 0;
    return of_one ? "counted_in_block" : "counted_again";
}

/* The line whose operations are all that is in the bins, and fewer than there are elements, where no line has one for each: no
 * update is lost, some are not made. 0: there is none. */
static int line_of_some(const struct origin_atomics *atomics, const struct origin_counts *counts)
{
    int line = 0;
    for (int i = 0; i < atomics->count; i++) {
        if (atomics->lanes[i] >= (int64_t)counts->count)
            return 0;
        line = atomics->lanes[i] == counts->sum ? atomics->line[i] : line;
    }
    return line;
}

const char *origin_words_counts(const struct origin_subject *subject, const struct origin_counts *counts, char *out,
                                size_t out_bytes, int *line)
{
    struct text text = {out, out_bytes};
    struct origin_atomics atomics = origin_bins_atomics(subject->log, subject->launches);
    out[0] = '\0';
    const char *pattern = say_bin(subject, counts, &text, line);
    if (pattern)
        return pattern;
    pattern = say_merged_again(subject, counts, &atomics, &text, line);
    if (pattern)
        return pattern;
    for (int i = 0; i < atomics.count; i++)
        *line = atomics.lanes[i] == 0 ? atomics.line[i] : *line;
    if (counts->all_once && !counts->known && counts->collide && counts->kept) {
        int seldom = line_of_some(&atomics, counts);
        if (seldom > 0) {
            *line = seldom;
            say(&text,
                "With values that all differ, every element of %s is counted once; in this case, line %d is executed %lld "
                "times for %zu elements. What keeps an element away from it when others have the same value?",
                subject->input[0], seldom, (long long)counts->sum, counts->count);
            return "equal_left";
        }
        say(&text,
            "With values that all differ, every element of %s is counted once; of elements with the same value, counts get "
            "lost. ",
            subject->input[0]);
        say_atomics(&atomics, &text);
        say(&text,
            "What becomes of an update when the bin has one already, and what when another thread or block changes it?");
        /* Where one block alone loses nothing, it is not the line that counts. */
        bool several = subject->tile > 0 && counts->count > (size_t)subject->tile;
        *line = atomics.count > 0 && !several ? atomics.line[0] : *line;
        return "collisions";
    }
    if (!counts->known || counts->all_once || counts->count == 0)
        return NULL;
    if (counts->all_same && counts->times[0] == 0)
        return say_none(subject, &atomics, &text, line);
    if (counts->all_same)
        return say_each(subject, counts, &atomics, &text, line);
    pattern = say_amount(subject, counts, &text, line);
    return pattern ? pattern : say_places(subject, counts, &atomics, &text, line);
}

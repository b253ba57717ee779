#include "grader/judge/origin_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static size_t find_stretches(const int8_t *weight, size_t count, size_t step, size_t row_length,
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
static size_t say_list(struct text *text, const char *name, const int8_t *weight, size_t count, size_t columns)
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
    const int8_t *own = weights->own[which] + o * count, *want = weights->want[which] + o * count;
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

/* Who reads an element of an input. Returns the line, 0 when nobody does or it is not known. */
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

/* Is an element that is missing read at all? */
enum reading { UNKNOWN, NOBODY, SOMEBODY };

/* ---- sums ---------------------------------------------------------------------------------------------------------- */

/* How the weights of one output element differ from what they should be, in one input array. */
struct difference {
    size_t own, want; /* elements with a weight */
    size_t missing, foreign, more, less;
    size_t negative; /* elements that are taken away, and should be added */
    int factor;      /* all weights are so many times what they should be; 0: they are not, or are right */
    int64_t shift;   /* the only element is so far from the one that belongs */
    bool moved;      /* … and it is another one */
};

static struct difference compare_weights(const struct origin_weights *weights, int which, size_t o)
{
    struct difference difference = {.factor = -1};
    size_t count = weights->count[which], own_at = 0, want_at = 0;
    const int8_t *own = weights->own[which] + o * count, *want = weights->want[which] + o * count;
    for (size_t i = 0; i < count; i++) {
        difference.own += own[i] != 0;
        difference.want += want[i] != 0;
        own_at = own[i] != 0 ? i : own_at;
        want_at = want[i] != 0 ? i : want_at;
        difference.missing += own[i] == 0 && want[i] != 0;
        difference.foreign += own[i] != 0 && want[i] == 0;
        difference.more += own[i] > want[i] && want[i] > 0;
        difference.less += own[i] < want[i] && own[i] != 0;
        difference.negative += own[i] < 0 && want[i] > 0;
        int factor = want[i] != 0 && own[i] % want[i] == 0 ? own[i] / want[i] : 0;
        if (want[i] != 0)
            difference.factor = difference.factor == -1 || difference.factor == factor ? factor : 0;
        else if (own[i] != 0)
            difference.factor = 0;
    }
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
static const char *say_typed(const struct origin_subject *subject, struct text *text)
{
    say(text,
        "With other inputs, whole numbers from 1 to 11 and powers of 64 up to %s, the result is right: each element counts as "
        "often as it should. What becomes of %s on its way?",
        subject->is_float ? "2^18" : "2^24", subject->is_float ? "a fraction, or of a negative number," : "a larger number");
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
        say(text, "No wrong element depends on %s, whatever is in it. ", name);
    else
        say(text, "%s does not depend on %s, whatever is in it. ", subject->place, name);
    return "unused";
}

static size_t first_of(const int8_t *weight, size_t count)
{
    size_t first = 0;
    while (first + 1 < count && weight[first] == 0)
        first++;
    return first;
}

static const char *describe_array(const struct origin_subject *subject, const struct origin_weights *weights, int which,
                                  const struct difference *difference, struct text *text, enum reading *read)
{
    size_t count = weights->count[which], o = subject->element, columns = subject->columns[which];
    const int8_t *own = weights->own[which] + o * count, *want = weights->want[which] + o * count;
    const char *name = subject->input[which];
    int8_t *some = malloc(count + 1);
    const char *pattern = "mixed";
    if (!some)
        return NULL;
    if (difference->own == 0) {
        pattern = say_unused(subject, weights, which, text);
        if (!subject->before && difference->want > 0 && difference->missing > 0
            && origin_log_loads(subject->log, subject->launches, subject->recorded[which]) > 0)
            *read = say_reader(subject, which, first_of(want, count), text) > 0 ? SOMEBODY : NOBODY;
    } else if (difference->factor > 0) {
        bool all = all_bad(subject, weights, which, has_factor, difference->factor);
        if (difference->want == 1) {
            say(text, "%s is ", subject->place);
            say_list(text, name, own, count, columns);
            say(text, ", where it should be ");
            say_list(text, name, want, count, columns);
        } else {
            say(text, "%s has each of its elements of %s %d times", subject->place, name, difference->factor);
        }
        say(text, all && subject->bad_count > 1 ? "; so it is with all wrong elements. " : ". ");
        pattern = "multiple";
    } else if (difference->own == 1 && difference->want == 1 && !difference->moved) {
        say(text, "%s contains ", subject->place);
        say_list(text, name, own, count, columns);
        say(text, ", where it should contain ");
        say_list(text, name, want, count, columns);
        say(text, ". ");
        pattern = "scaled";
    } else if (difference->missing == 0 && difference->less == 0) {
        for (size_t i = 0; i < count; i++)
            some[i] = (int8_t)(own[i] - want[i]);
        say(text, "Besides what belongs there, %s contains ", subject->place);
        say_list(text, name, some, count, columns);
        say(text, ". ");
        pattern = difference->foreign > 0 ? "foreign" : "multiple";
    } else if (difference->foreign == 0 && difference->more == 0 && difference->negative == 0) {
        for (size_t i = 0; i < count; i++)
            some[i] = (int8_t)(want[i] - own[i]);
        say_list(text, name, some, count, columns);
        say(text, " %s missing in %s, which has only ", difference->missing == 1 ? "is" : "are", subject->place);
        say_list(text, name, own, count, columns);
        say(text, ". ");
        if (!subject->before)
            *read = say_reader(subject, which, first_of(some, count), text) > 0 ? SOMEBODY : NOBODY;
        pattern = "missing";
    } else {
        say(text, "%s is made of ", subject->place);
        say_list(text, name, own, count, columns);
        say(text, ", and should be made of ");
        say_list(text, name, want, count, columns);
        say(text, ". ");
        for (size_t i = 0; i < count; i++)
            some[i] = own[i] == 0 && want[i] != 0;
        if (!subject->before && difference->missing > 0 && !difference->moved)
            *read = say_reader(subject, which, first_of(some, count), text) > 0 ? SOMEBODY : NOBODY;
        pattern = difference->moved                                      ? "moved"
                  : difference->negative > 0 && difference->foreign == 0 ? "scaled"
                                                                         : "exchanged";
        if (difference->moved && columns == 0 && subject->bad_count > 1
            && all_bad(subject, weights, which, has_shift, difference->shift)) {
            long long far = llabs((long long)difference->shift);
            say(text, "All wrong elements are made of the one %lld place%s to the %s. ", far, far == 1 ? "" : "s",
                difference->shift > 0 ? "right" : "left");
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
        wrong += subject->bad[i];
        if (subject->bad[i] && constant[i] != start + step * (double)i)
            return;
    }
    if (wrong < 3)
        return;
    if (step == 0) {
        say(text, "Every wrong element is %.9g, whatever the inputs hold. ", start);
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

static void ask(const char *pattern, bool one, enum reading read, const struct origin_subject *subject, const char *name,
                struct text *text)
{
    if (strcmp(pattern, "unused") == 0 && read == SOMEBODY)
        say(text, "What becomes of it until %s is stored?", subject->place);
    else if (strcmp(pattern, "unused") == 0)
        say(text, "Which line should use %s?", name);
    else if (strcmp(pattern, "multiple") == 0)
        say(text, "Which thread, or which turn of a loop, adds it again?");
    else if (strcmp(pattern, "missing") == 0 && read == NOBODY)
        say(text, "Which thread should read %s?", one ? "it" : "them");
    else if (strcmp(pattern, "missing") == 0)
        say(text, "Which thread should add %s, and in which step?", one ? "it" : "them");
    else if (strcmp(pattern, "moved") == 0)
        say(text, "Which line reads %s for %s, and which index does it compute?", name, subject->place);
    else if (strcmp(pattern, "carried") == 0)
        say(text, "On the way to %s, where does the one take the place of the other?", subject->place);
    else if (strcmp(pattern, "scaled") == 0)
        say(text, "Which operation gives that, and which one should it be?");
    else if (strcmp(pattern, "foreign") == 0)
        say(text, "Which line adds what does not belong there?");
    else if (subject->before)
        say(text, "Which elements does each step add, and to which?");
    else if (read == SOMEBODY)
        say(text, "What becomes of it until %s is stored?", subject->place);
    else
        say(text, "Which line should read it, and with which index?");
}

/* Cells that the last tile has beyond the end of a row of the first factor, when what is added is so many times a number that
 * somebody may have put there; else 0. */
static int64_t padding_of(const struct origin_subject *subject, double added)
{
    int64_t columns = (int64_t)subject->columns[0], tile = subject->tile;
    int64_t cells = subject->products && tile > 1 && columns % tile != 0 ? tile - columns % tile : 0;
    double each = cells > 0 ? 16 * added / (double)cells : 0;
    return cells > 0 && each != 0 && each == rint(each) ? cells : 0;
}

const char *origin_words_sums(const struct origin_subject *subject, const struct origin_weights *weights, char *out,
                              size_t out_bytes)
{
    struct text text = {out, out_bytes};
    size_t o = subject->element, known = 0, whole = 0;
    const char *pattern = NULL, *asked = "";
    enum reading read = UNKNOWN;
    bool right_weights = weights->constant[o] == 0, right = true, none = true, wanted = false, one = true;
    out[0] = '\0';
    for (size_t i = 0; i < subject->outputs; i++) {
        known += subject->bad[i] && weights->known[i];
        whole += subject->bad[i] && weights->whole[i];
    }
    for (int which = 0; which < weights->array_count; which++) {
        struct difference difference = compare_weights(weights, which, o);
        right_weights &= all_bad(subject, weights, which, has_right, 0);
        none &= difference.own == 0;
        wanted |= difference.want > 0;
    }
    if (!wanted || !weights->whole[o])
        return NULL;
    right = right_weights;
    for (size_t i = 0; i < subject->outputs; i++)
        right &= !subject->bad[i] || weights->right[i];
    if (right && whole == subject->bad_count && weights->constant[o] == 0)
        return say_typed(subject, &text);
    if (right_weights)
        return NULL;
    if (!weights->known[o] || 2 * known < subject->bad_count)
        return NULL;
    if (none && weights->array_count > 1)
        say(&text, "%s depends neither on %s nor on %s. ", subject->place, subject->input[0], subject->input[1]);
    else if (none)
        describe_array(subject, weights, 0, &(struct difference){.want = 1}, &text, &read);
    if (none) {
        say_constant(subject, weights, &text);
        say(&text, "Which line should use %s?", weights->array_count > 1 ? "them" : subject->input[0]);
        return "unused";
    }
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
        }
    }
    if (weights->constant[o] != 0) {
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
    if (pattern && strcmp(pattern, "added") == 0)
        say(&text, "Which line adds it?");
    else if (pattern)
        ask(pattern, one, read, subject, asked, &text);
    return pattern;
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

/* The atomic operations of the last launch, and how often each was executed. */
struct atomics {
    int line[8];
    int64_t lanes[8];
    int count;
};

static struct atomics find_atomics(const struct origin_log *log, int launches)
{
    int launch = launches - 1;
    bool known = launch >= 0 && launch < log->count;
    const json_t *sites = known ? json_object_get(log->launches[launch], "sites") : NULL;
    struct atomics atomics = {.count = 0};
    for (size_t i = 0; i < json_array_size(sites); i++) {
        const json_t *site = json_array_get(sites, i);
        const char *access = json_string_value(json_object_get(site, "access"));
        int line = (int)json_integer_value(json_object_get(site, "line")), at = 0;
        if (!access || strcmp(access, "atomic") != 0 || line == 0)
            continue;
        while (at < atomics.count && atomics.line[at] != line)
            at++;
        if (at == 8)
            break;
        atomics.count += at == atomics.count;
        atomics.line[at] = line;
        atomics.lanes[at] += json_integer_value(json_object_get(site, "lanes"));
    }
    return atomics;
}

int origin_words_line_of_each(const struct origin_log *log, int launches, int64_t elements)
{
    struct atomics atomics = find_atomics(log, launches);
    int line = 0, found = 0;
    for (int i = 0; i < atomics.count; i++)
        if (atomics.lanes[i] == elements) {
            line = atomics.line[i];
            found++;
        }
    return found == 1 ? line : 0;
}

static void say_atomics(const struct atomics *atomics, struct text *text)
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

const char *origin_words_counts(const struct origin_subject *subject, const struct origin_counts *counts, char *out,
                                size_t out_bytes, int *line)
{
    struct text text = {out, out_bytes};
    const char *name = subject->input[0];
    struct atomics atomics = find_atomics(subject->log, subject->launches);
    out[0] = '\0';
    for (int i = 0; i < 2; i++)
        if (counts->bin[i] >= 0 && counts->bin[i] != counts->value[i]) {
            say(&text,
                "With all elements of %s equal to %d, it is %s[%d] that counts them. Which index does a value lead to?",
                name, counts->value[i], subject->output_name, counts->bin[i]);
            return "bin";
        }
    for (int i = 0; i < atomics.count; i++)
        *line = atomics.lanes[i] == 0 ? atomics.line[i] : *line;
    if (counts->all_once && !counts->known && counts->collide && counts->kept) {
        say(&text,
            "With values that all differ, every element of %s is counted once; of elements with the same value, counts get "
            "lost. ",
            name);
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
    if (counts->all_same && counts->times[0] == 0) {
        int at = say_reader(subject, 0, 0, &text);
        say_atomics(&atomics, &text);
        say(&text, "Where does the way from %s to %s end?", name, subject->output_name);
        *line = at > 0 ? at : *line;
        for (int i = 0; i < atomics.count; i++)
            *line = atomics.lanes[i] == 0 ? atomics.line[i] : *line;
        return "none";
    }
    if (counts->all_same) {
        say(&text, "Each element is counted %d times. ", counts->times[0]);
        say_reader(subject, 0, 0, &text);
        say_atomics(&atomics, &text);
        int each = origin_words_line_of_each(subject->log, subject->launches, (int64_t)counts->count);
        int64_t blocks = subject->tile > 0 ? ((int64_t)counts->count + subject->tile - 1) / subject->tile : 0;
        bool once = atomics.count == 2 && each > 0 && atomics.lanes[atomics.line[0] == each] == 256 * blocks;
        if (once) { /* no line runs too often: one of the two adds too much */
            *line = each;
            say(&text, "How much does each of them add?");
        } else {
            say(&text, "By which ways does one element reach its bin, and how often?");
        }
        return "each";
    }
    size_t first = 0;
    while (counts->times[first] == 1)
        first++;
    size_t end = first, wrong = 0;
    while (end < counts->count && counts->times[end] == counts->times[first])
        end++;
    for (size_t i = 0; i < counts->count; i++)
        wrong += counts->times[i] != 1;
    if (end - first == 1)
        say(&text, "%s[%zu] is ", name, first);
    else
        say(&text, "%s[%zu..%zu] are ", name, first, end - 1);
    if (counts->times[first] == 0)
        say(&text, "not counted");
    else
        say(&text, "counted %d times%s", counts->times[first], end - first == 1 ? "" : " each");
    if (wrong == end - first)
        say(&text, "; every other element is counted once. ");
    else
        say(&text, "; %zu elements in all are not counted exactly once. ", wrong);
    int at = say_reader(subject, 0, first, &text);
    for (size_t i = 0; i < counts->count && at == 0; i++) /* the line that reads the others */
        at = line_of_reader(subject, 0, i);
    *line = at > 0 ? at : *line;
    say(&text,
        counts->times[first] == 0 ? "Which thread should count %s[%zu]?"
                                  : "Which thread should count %s[%zu], and which should not?",
        name, first);
    return counts->times[first] == 0 ? "not_counted" : "counted_again";
}

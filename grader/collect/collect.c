/* The command `collect`: downloads of learning systems in, a folder that `batch` can grade out. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/exit_status.h"
#include "grader/base/files.h"
#include "grader/base/paint.h"
#include "grader/class/moment.h"
#include "grader/collect/online_text.h"
#include "grader/collect/place.h"
#include "grader/collect/source.h"
#include "grader/collect/tree.h"
#include "grader/options/commands.h"
#include "grader/result/result_json.h"

/* Of what a student typed into a form. */
#define ONLINE_TEXT_BYTES_MAX (1u << 20)

struct collecting {
    const struct options *options;
    FILE *out; /* for people */
    struct course course;
    struct people people;
    struct place place;
    struct sources sources;
    char *work;
    struct place_item *items; /* [sources.handed_count] */
    char **assignments;       /* of each source; owned */
    size_t unpacked;
    char message[1024];
};

static enum exit_status give_up(const char *message, enum exit_status status)
{
    fprintf(stderr, "lockstep: %s\n", message);
    return status;
}

/* ---- whose it is -------------------------------------------------------------------------------------------------- */

/* Does a table of one's own call the person by the name of their folder? */
static bool is_called(const struct person *person, const char *id)
{
    return person->fields[PERSON_NUMBER] && strcasecmp(person->fields[PERSON_NUMBER], id) == 0;
}

/* Adds to a person what the tables know of them. Returns the line with a time that is theirs, NULL: there is none. */
static const struct table_row *join_tables(const struct sources *sources, struct person *person)
{
    const struct table_row *timed = NULL;
    char *own_id = person->fields[PERSON_ROSTER] ? NULL : people_own_id(person);
    for (size_t source = 0; source < sources->count; source++) {
        const struct table_row *best = NULL;
        int best_match = 0;
        bool several = false;
        for (size_t i = 0; i < sources->row_count; i++) {
            const struct table_row *row = &sources->rows[i];
            int match = row->source != source                       ? 0
                        : own_id && is_called(&row->person, own_id) ? 2
                                                                    : person_compare(person, &row->person);
            /* A name alone must be the only one; of several lines of one person the last time counts. */
            several = match == 1 && best_match == 1 ? true : match > best_match ? false : several;
            if (match > best_match
                || (match == 2 && best_match == 2 && row->has_time
                    && (!best->has_time || row->submitted >= best->submitted))) {
                best = row;
                best_match = match;
            }
        }
        if (!best || several)
            continue;
        for (int field = 0; field < PERSON_FIELDS; field++)
            if (!person->fields[field] && best->person.fields[field])
                person_set(person, field, best->person.fields[field]);
        timed = best->has_time ? best : timed;
    }
    free(own_id);
    return timed;
}

static void find_person(struct collecting *collecting, struct handed *handed)
{
    struct sources *sources = &collecting->sources;
    const struct source *source = &sources->list[handed->source];
    bool several;
    const char *known = people_find(&collecting->people, &handed->person, source->form, &several);
    person_set(&handed->person, PERSON_ROSTER, known ? known : "");
    const struct table_row *timed = join_tables(sources, &handed->person);
    if (timed) {
        handed->has_time = true;
        handed->submitted = timed->submitted;
    }
    const char *id = known ? known : people_find(&collecting->people, &handed->person, source->form, &several);
    handed->id = id ? people_folder_name(id) : people_own_id(&handed->person);
    if (!handed->id)
        handed->id = people_folder_name("unnamed");
    if (collecting->people.has_roster && !id) {
        char *place = allocate_format("%s: %s", source->path, handed->person.fields[PERSON_FOLDER]);
        notes_add(
            &sources->notes, true, place,
            several ? "Several of the roster may be meant; collected as %s. Write this name into the column folder of the "
                      "one that is."
                    : "Nobody on the roster; collected as %s. Write this name into the column folder of the student's line.",
            handed->id);
        free(place);
    }
}

/* Two people of one source that got the same id: their numbers in the system keep them apart. */
static void keep_apart(struct collecting *collecting)
{
    struct sources *sources = &collecting->sources;
    for (size_t i = 0; i < sources->handed_count; i++)
        for (size_t k = i + 1; k < sources->handed_count; k++) {
            struct handed *left = &sources->handed[i], *right = &sources->handed[k];
            const char *one = left->person.fields[PERSON_SYSTEM], *other = right->person.fields[PERSON_SYSTEM];
            if (left->source != right->source || strcmp(left->id, right->id) != 0 || !one || !other
                || strcmp(one, other) == 0)
                continue;
            notes_add(&sources->notes, true, sources->list[right->source].path,
                      "Two people are called %s: the second is collected as %s (%s).", right->id, right->id, other);
            char *id = allocate_format("%s (%s)", right->id, other);
            free(right->id);
            right->id = id;
        }
}

/* Several folders of one student in one download belong together. */
static void join_folders(struct sources *sources)
{
    for (size_t i = 0; i < sources->handed_count; i++)
        for (size_t k = i + 1; k < sources->handed_count; k++) {
            struct handed *first = &sources->handed[i], *second = &sources->handed[k];
            if (first->source != second->source || sources->list[first->source].form != FORM_FOLDERS
                || strcmp(first->id, second->id) != 0)
                continue;
            for (size_t part = 0; part < second->part_count; part++)
                handed_add_part(first, second->parts[part].path, second->parts[part].path, false);
            handed_clear(second);
            memmove(second, second + 1, (--sources->handed_count - k) * sizeof *second);
            sources->list[first->source].submissions--;
            k--;
        }
}

/* ---- which assignment, which submission ---------------------------------------------------------------------------- */

/* Names that a download has whatever it is of. */
static bool is_general(const char *name)
{
    static const char *const names[] = {"submissions", "submission", "download", "downloads", "export", "moodle", "canvas",
                                        "gradescope",  "classroom",  "clones",   "repos",     "files",  "archive"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    return strspn(name, "._-") == strlen(name);
}

static bool name_assignments(struct collecting *collecting)
{
    const struct sources *sources = &collecting->sources;
    collecting->assignments = allocate_zeroed((sources->count + 1) * sizeof *collecting->assignments);
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->list[i];
        const char *name = collecting->options->as ? collecting->options->as : source->name;
        collecting->assignments[i] = people_folder_name(name);
        if (!source->is_table && !collecting->options->as && is_general(name)) {
            snprintf(
                collecting->message, sizeof collecting->message,
                "%.300s: its name does not say which assignment it is of. Name it, by the lab or as you like: --as scan",
                source->path);
            return false;
        }
    }
    return true;
}

/* Of several submissions of a student for one assignment the last one counts: by time, and without times the one in the
 * last source. */
static void choose_last(struct collecting *collecting)
{
    struct sources *sources = &collecting->sources;
    for (size_t i = 0; i < sources->handed_count; i++)
        for (size_t k = i + 1; k < sources->handed_count; k++) {
            struct place_item *left = &collecting->items[i], *right = &collecting->items[k];
            if (left->is_earlier || right->is_earlier || sources->handed[i].part_count == 0
                || sources->handed[k].part_count == 0 || strcmp(left->id, right->id) != 0
                || strcmp(left->assignment, right->assignment) != 0)
                continue;
            bool left_is_last = left->has_time && (!right->has_time || left->submitted > right->submitted);
            (left_is_last ? right : left)->is_earlier = true;
            if (!left->has_time || !right->has_time)
                notes_add(&sources->notes, true, left->id,
                          "Handed in twice for %s, and not both times are known: what %s has was taken.", left->assignment,
                          left_is_last ? left->source : right->source);
        }
}

/* ---- making ready ------------------------------------------------------------------------------------------------- */

/* What was typed into a form, beside what the system saved: as a file that can be graded where it has a kernel and no other
 * file was handed in that can. */
static bool write_online_text(struct tree_copy *copy, const struct source *source, const struct handed_part *part, int to)
{
    char *path = allocate_format("%s/%s%s%s", source->root, part->path, part->as[0] == '\0' ? "/" : "",
                                 part->as[0] == '\0' ? "onlinetext.html" : "");
    char message[300];
    size_t bytes = 0;
    struct stat facts;
    bool good = true, is_file = lstat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    char *html = is_file ? files_read(path, ONLINE_TEXT_BYTES_MAX, &bytes, message, sizeof message) : NULL;
    if (html) {
        char *text = online_text_read(html, bytes);
        const char *name = copy->sources == 0 && strstr(text, "__global__") ? "onlinetext.cu" : "onlinetext.txt";
        good = tree_write(copy, to, name, text, strlen(text));
        free(text);
    }
    free(html);
    free(path);
    return good;
}

static bool make_ready(struct collecting *collecting, size_t number)
{
    struct sources *sources = &collecting->sources;
    const struct handed *handed = &sources->handed[number];
    const struct source *source = &sources->list[handed->source];
    struct place_item *item = &collecting->items[number];
    struct tree_copy copy = {.notes = &sources->notes,
                             .place = item->id,
                             .message = collecting->message,
                             .message_bytes = sizeof collecting->message};
    if (item->is_earlier)
        return true;
    int to = place_stage(&collecting->place, number);
    bool good = to >= 0;
    if (!good)
        snprintf(collecting->message, sizeof collecting->message, "%.300s: %s", collecting->place.folder, strerror(errno));
    for (size_t i = 0; i < handed->part_count && good; i++) {
        const struct handed_part *part = &handed->parts[i];
        good = tree_copy(&copy, source->folder, part->path, to, part->as);
    }
    for (size_t i = 0; i < handed->part_count && good; i++)
        if (handed->parts[i].is_online_text)
            good = write_online_text(&copy, source, &handed->parts[i], to);
    if (to >= 0)
        close(to);
    item->files = copy.files;
    collecting->unpacked += copy.unpacked;
    return good;
}

/* The group that handed this in together. Other systems' groups may be those of a course, in which everybody hands in alone. */
static const char *group_of(const struct sources *sources, const struct handed *handed)
{
    return sources->list[handed->source].form == FORM_GRADESCOPE ? handed->person.fields[PERSON_GROUP] : NULL;
}

static void fill_items(struct collecting *collecting)
{
    struct sources *sources = &collecting->sources;
    collecting->items = allocate_zeroed((sources->handed_count + 1) * sizeof *collecting->items);
    for (size_t i = 0; i < sources->handed_count; i++) {
        const struct handed *handed = &sources->handed[i];
        const struct source *source = &sources->list[handed->source];
        const char *slash = strrchr(source->path, '/');
        collecting->items[i] = (struct place_item){
            .id = handed->id,
            .assignment = collecting->assignments[handed->source],
            .source = slash && slash[1] != '\0' ? slash + 1 : source->path,
            .form = form_word(source->form),
            .group = group_of(sources, handed),
            .has_time = handed->has_time,
            .submitted = handed->submitted,
            .files = 1,
        };
    }
}

static void note_people(struct collecting *collecting)
{
    static const struct {
        const char *key;
        enum person_field field;
    } rows[] = {{"name", PERSON_NAME},
                {"email", PERSON_EMAIL},
                {"number", PERSON_NUMBER},
                {"login", PERSON_LOGIN},
                {"group", PERSON_GROUP}};
    for (size_t i = 0; i < collecting->sources.handed_count; i++) {
        const struct handed *handed = &collecting->sources.handed[i];
        json_t *person = json_object();
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            if (handed->person.fields[rows[k].field])
                json_object_set_new(person, rows[k].key, result_json_text(handed->person.fields[rows[k].field]));
        place_person(&collecting->place, handed->id, person);
    }
}

/* ---- the answer --------------------------------------------------------------------------------------------------- */

static size_t count_students(const struct collecting *collecting)
{
    size_t students = 0;
    for (size_t i = 0; i < collecting->sources.handed_count; i++) {
        bool first = true;
        for (size_t k = 0; k < i && first; k++)
            first = strcmp(collecting->items[i].id, collecting->items[k].id) != 0;
        students += first;
    }
    return students;
}

/* Is the table of times that the course file names the one in DIR? */
static bool is_own_table(const struct collecting *collecting)
{
    char *path = allocate_format("%s/timestamps.csv", collecting->place.folder);
    struct stat own, named;
    bool same = stat(path, &own) == 0 && stat(collecting->course.timestamps, &named) == 0 && own.st_dev == named.st_dev
                && own.st_ino == named.st_ino;
    free(path);
    return same;
}

/* What the class as a whole should know: missing times, groups, a course file that looks elsewhere for times. */
static void tell_of_class(struct collecting *collecting)
{
    struct sources *sources = &collecting->sources;
    size_t unknown = 0, late = 0;
    for (size_t i = 0; i < sources->handed_count; i++) {
        unknown += collecting->items[i].files > 0 && !collecting->items[i].has_time;
        late += sources->handed[i].is_late && !collecting->items[i].has_time;
    }
    if (unknown > 0)
        notes_add(
            &sources->notes, collecting->course.percent_per_day > 0 || late > 0, "times",
            "%zu submission%s without a time, so nobody can say whether %s late%s. Give a table with the columns id and "
            "submitted as one more SOURCE.",
            unknown, unknown == 1 ? " is" : "s are", unknown == 1 ? "it is" : "they are",
            late > 0 ? ", though Canvas marks some LATE" : "");
    size_t members = 0;
    for (size_t i = 0; i < sources->handed_count; i++)
        members += group_of(sources, &sources->handed[i]) != NULL;
    if (members > 0)
        notes_add(
            &sources->notes, false, "groups",
            "%zu students handed in as members of groups (groups.csv). `batch` grades what a group handed in once, for "
            "all of its members.",
            members);
    if (collecting->course.timestamps && !is_own_table(collecting))
        notes_add(
            &sources->notes, true, collecting->options->course,
            "It names a table of times, so `batch` reads that one and not %s/timestamps.csv. Remove the key timestamps.",
            collecting->place.folder);
    bool reads_table = false;
    for (int i = 0; i < collecting->course.time_count; i++)
        reads_table |= collecting->course.times[i] == COURSE_TIMESTAMPS;
    if (!reads_table)
        notes_add(&sources->notes, true, collecting->options->course,
                  "Its key late: times leaves timestamps out, so `batch` does not read %s/timestamps.csv.",
                  collecting->place.folder);
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void show(const struct collecting *collecting)
{
    static const char *const state_words[] = {
#define PLACE(id, word, words) words,
#include "grader/collect/states.def"
#undef PLACE
    };
    const struct sources *sources = &collecting->sources;
    FILE *out = collecting->out;
    size_t counts[PLACE_STATES] = {0}, files = 0, times = 0;
    bool colour = paint_wanted(out);
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->list[i];
        if (source->is_table)
            fprintf(out, "%s: a table of %zu %s, %zu time%s\n", source->path, source->rows,
                    source->rows == 1 ? "person" : "people", source->times, plural(source->times));
        else
            fprintf(out, "%s: %s, %zu submission%s for %s\n", source->path, form_title(source->form), source->submissions,
                    plural(source->submissions), collecting->assignments[i]);
    }
    for (size_t i = 0; i < sources->handed_count; i++) {
        counts[collecting->items[i].state]++;
        files += collecting->items[i].is_earlier ? 0 : collecting->items[i].files;
        times += collecting->items[i].has_time;
    }
    size_t students = count_students(collecting);
    fprintf(out, "\n%zu student%s, %zu file%s, %zu of %zu times known", students, plural(students), files, plural(files),
            times, sources->handed_count);
    if (collecting->unpacked > 0)
        fprintf(out, ", %zu archive%s unpacked", collecting->unpacked, plural(collecting->unpacked));
    fprintf(out, "\n");
    for (int state = 0; state < PLACE_STATES; state++)
        if (counts[state] > 0)
            fprintf(out, "%6zu %s\n", counts[state], state_words[state]);
    for (size_t i = 0; i < sources->handed_count; i++)
        if (collecting->items[i].state == PLACE_KEPT)
            fprintf(out, "       %s/%s/%s\n", collecting->place.folder, collecting->items[i].id,
                    collecting->items[i].assignment);
    for (size_t i = 0; i < sources->notes.count; i++) {
        const struct note *note = &sources->notes.list[i];
        fprintf(out, "%s%s%s %s: ", i == 0 ? "\n" : "", paint_on(colour, note->must_look ? PAINT_YELLOW : PAINT_DIM),
                note->must_look ? "look at" : "note   ", note->place);
        fprintf(out, "%s%s\n", note->message, paint_off(colour));
    }
    if (sources->notes.left_out > 0)
        fprintf(out, "... and %zu more\n", sources->notes.left_out);
    fprintf(out, "\nnext    lockstep batch %s --out results%s%s\n", collecting->place.folder,
            collecting->options->course ? " --course " : "", collecting->options->course ? collecting->options->course : "");
}

static json_t *document_of(const struct collecting *collecting)
{
    const struct sources *sources = &collecting->sources;
    json_t *list = json_array(), *submissions = json_array(), *notes = json_array();
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->list[i];
        json_array_append_new(list,
                              json_pack("{s:o,s:s,s:o,s:I,s:I}", "source", result_json_text(source->path), "form",
                                        source->is_table ? "table" : form_word(source->form), "assignment",
                                        source->is_table ? json_null() : result_json_text(collecting->assignments[i]),
                                        "submissions", (json_int_t)source->submissions, "people", (json_int_t)source->rows));
    }
    for (size_t i = 0; i < sources->handed_count; i++) {
        const struct place_item *item = &collecting->items[i];
        const char *name = sources->handed[i].person.fields[PERSON_NAME];
        char text[MOMENT_TEXT_BYTES];
        moment_write(item->submitted, text);
        json_array_append_new(submissions,
                              json_pack("{s:o,s:o,s:o,s:o,s:s,s:I,s:o}", "id", result_json_text(item->id), "name",
                                        name ? result_json_text(name) : json_null(), "assignment",
                                        result_json_text(item->assignment), "source",
                                        result_json_text(sources->list[sources->handed[i].source].path), "state",
                                        place_word(item->state), "files", (json_int_t)(item->is_earlier ? 0 : item->files),
                                        "submitted", item->has_time ? json_string(text) : json_null()));
    }
    for (size_t i = 0; i < sources->notes.count; i++) {
        const struct note *note = &sources->notes.list[i];
        json_array_append_new(notes, json_pack("{s:o,s:o,s:b}", "place", result_json_text(note->place), "message",
                                               result_json_text(note->message), "must_look", note->must_look));
    }
    return json_pack("{s:s,s:o,s:o,s:o,s:o}", "schema", "lockstep/collect/v1", "into",
                     result_json_text(collecting->place.folder), "sources", list, "submissions", submissions, "notes",
                     notes);
}

static enum exit_status judge(const struct collecting *collecting)
{
    bool look = false;
    for (size_t i = 0; i < collecting->sources.notes.count; i++)
        look |= collecting->sources.notes.list[i].must_look;
    for (size_t i = 0; i < collecting->sources.handed_count; i++)
        look |= collecting->items[i].state == PLACE_KEPT;
    return look ? EXIT_STATUS_SUBMISSION : EXIT_STATUS_FULL_SCORE;
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

/* Clones without a single commit's time are not a class that is punctual. */
static bool has_commit_times(struct collecting *collecting)
{
    struct sources *sources = &collecting->sources;
    for (size_t source = 0; source < sources->count; source++) {
        size_t known = 0;
        for (size_t i = 0; i < sources->handed_count; i++)
            known += sources->handed[i].source == source && sources->handed[i].has_time;
        if (sources->list[source].form != FORM_CLONES || known > 0)
            continue;
        snprintf(collecting->message, sizeof collecting->message,
                 "%.300s: the time of no commit can be read: %s Or give a table of times as one more SOURCE.",
                 sources->list[source].path,
                 sources->notes.count > 0 ? sources->notes.list[sources->notes.count - 1].message : "");
        return false;
    }
    return true;
}

static enum exit_status stop(const struct collecting *collecting)
{
    fprintf(stderr, "lockstep: %s\nNothing was lost: fix this, and run the same command again.\n", collecting->message);
    return EXIT_STATUS_HARNESS;
}

static enum exit_status read_all(struct collecting *collecting)
{
    const struct options *options = collecting->options;
    struct sources *sources = &collecting->sources;
    sources->course = &collecting->course;
    sources->work = collecting->work = place_work(&collecting->place);
    for (int i = 0; i < options->argument_count; i++)
        if (!sources_add(sources, options->arguments[i])) {
            snprintf(collecting->message, sizeof collecting->message, "%s", sources->message);
            return sources->disk ? stop(collecting) : give_up(sources->message, EXIT_STATUS_USAGE);
        }
    if (sources->handed_count == 0)
        return give_up(
            "these sources have no submission. A table alone cannot be collected: give the download it belongs to, too.",
            EXIT_STATUS_USAGE);
    for (size_t i = 0; i < sources->row_count; i++) {
        bool several;
        const char *id = people_find(&collecting->people, &sources->rows[i].person, FORM_UNKNOWN, &several);
        person_set(&sources->rows[i].person, PERSON_ROSTER, id ? id : "");
    }
    for (size_t i = 0; i < sources->handed_count; i++)
        find_person(collecting, &sources->handed[i]);
    keep_apart(collecting);
    join_folders(sources);
    if (!name_assignments(collecting) || !has_commit_times(collecting))
        return give_up(collecting->message, EXIT_STATUS_USAGE);
    return EXIT_STATUS_FULL_SCORE;
}

static bool is_within(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* A source that holds DIR, or lies in it, would collect itself. */
static bool is_apart(struct collecting *collecting)
{
    char *into = realpath(collecting->place.folder, NULL);
    bool apart = true;
    for (int i = 0; i < collecting->options->argument_count && apart; i++) {
        const char *argument = collecting->options->arguments[i];
        struct stat facts;
        char *source = stat(argument, &facts) == 0 && S_ISDIR(facts.st_mode) ? realpath(argument, NULL) : NULL;
        apart = !source || !into || (!is_within(into, source) && !is_within(source, into));
        if (!apart)
            snprintf(collecting->message, sizeof collecting->message,
                     "%.300s and %.300s: one lies in the other. Choose another --into.", argument, collecting->place.folder);
        free(source);
    }
    free(into);
    return apart;
}

static enum exit_status run(struct collecting *collecting)
{
    const struct options *options = collecting->options;
    bool usage = false;
    if (options->argument_count == 0 || !options->into)
        return give_up(options->into ? "collect: name what you downloaded: a folder, an archive or a table."
                                     : "collect: name the folder to collect into: --into DIR",
                       EXIT_STATUS_USAGE);
    if (!options->course)
        course_init(&collecting->course);
    else if (course_read(options->course, &collecting->course, stderr) > 0)
        return give_up("the course file has errors; nothing was collected.", EXIT_STATUS_USAGE);
    if (!people_read(&collecting->course, &collecting->people, collecting->message, sizeof collecting->message))
        return give_up(collecting->message, EXIT_STATUS_USAGE);
    if (!place_open(options->into, &collecting->place, &usage, collecting->message, sizeof collecting->message))
        return give_up(collecting->message, usage ? EXIT_STATUS_USAGE : EXIT_STATUS_HARNESS);
    if (!is_apart(collecting))
        return give_up(collecting->message, EXIT_STATUS_USAGE);
    enum exit_status status = read_all(collecting);
    if (status != EXIT_STATUS_FULL_SCORE)
        return status;
    struct sources *sources = &collecting->sources;
    fill_items(collecting);
    choose_last(collecting);
    for (size_t i = 0; i < sources->handed_count; i++)
        if (!make_ready(collecting, i))
            return stop(collecting);
    note_people(collecting);
    if (!place_all(&collecting->place, collecting->items, sources->handed_count, collecting->message,
                   sizeof collecting->message)
        || !place_finish(&collecting->place, collecting->items, sources->handed_count, &sources->notes, collecting->message,
                         sizeof collecting->message))
        return stop(collecting);
    tell_of_class(collecting);
    show(collecting);
    status = judge(collecting);
    if (options->json) {
        json_t *document = document_of(collecting);
        if (!result_json_write(document, options->json, collecting->message, sizeof collecting->message))
            status = give_up(collecting->message, EXIT_STATUS_HARNESS);
        json_decref(document);
    }
    return status;
}

/* Exit status: 0 everything was collected; 1 a person must look: something was left out, is nobody's, or was changed by hand;
 * 2 bad usage, a source or table that cannot be read; 3 the disk or the kit failed. */
int collect_run(const struct options *options)
{
    struct collecting *collecting = allocate_zeroed(sizeof *collecting);
    collecting->options = options;
    collecting->out = options->json && strcmp(options->json, "-") == 0 ? stderr : stdout;
    collecting->place.descriptor = collecting->place.lock = -1;
    enum exit_status status = run(collecting);
    for (size_t i = 0; collecting->assignments && i < collecting->sources.count; i++)
        free(collecting->assignments[i]);
    free(collecting->assignments);
    free(collecting->items);
    free(collecting->work);
    sources_clear(&collecting->sources);
    place_close(&collecting->place);
    people_clear(&collecting->people);
    course_clear(&collecting->course);
    free(collecting);
    return status;
}

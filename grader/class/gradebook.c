#include "grader/class/gradebook.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/class/csv.h"
#include "grader/options/commands.h"

#define CELLS_SHOWN         12
#define GRADEBOOK_BYTES_MAX (256u << 20)

/* A table that is made of the class, and the columns that say whose row it is. */
static const struct gradebook {
    const char *format, *name;
    const char *keys[2]; /* NULL: one is enough */
} gradebooks[] = {
    {"csv", "gradebook.csv", {"student_id", "assignment"}},
    {"wide", "gradebook_wide.csv", {"id", NULL}},
};

/* ---- converting --------------------------------------------------------------------------------------------------- */

static bool convert(const struct batch *batch, const char *format, const char *what, const char *target)
{
    char *source = allocate_format("%s/class.json", batch->store.folder);
    char *words[] = {(char *)format, source, "--from-batch", "--out", (char *)target};
    struct options options = {.arguments = words, .argument_count = sizeof words / sizeof *words};
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        dup2(STDERR_FILENO, STDOUT_FILENO); /* what it says is not part of the class */
        _exit(export_run(&options));
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    bool good = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good)
        fprintf(stderr, "lockstep: %s made; class.json is complete. `lockstep export %s %s --out %s` tries again.\n", what,
                format, source, target);
    free(source);
    return good;
}

void gradebook_write_pages(const struct batch *batch)
{
    char *target = allocate_format("%s/report", batch->store.folder);
    if (convert(batch, "html", "no pages were", target))
        fprintf(batch->out, "pages      %s/index.html\n", target);
    free(target);
}

/* ---- edited by hand? ---------------------------------------------------------------------------------------------- */

/* A gradebook as somebody left it, beside the one that was written, and the one that this run makes. */
struct comparison {
    const struct batch *batch;
    const struct gradebook *book;
    struct csv written, found, next;
    struct names *next_rows; /* key to row of `next` */
    size_t count;            /* cells that somebody edited, and that this run does not make the same */
};

static char *key_of(const struct gradebook *book, const struct csv *csv, const struct csv_row *row)
{
    const char *second = book->keys[1] ? csv_get(row, csv_find_column(csv, book->keys[1])) : "";
    return allocate_format("%s%s%s", csv_get(row, csv_find_column(csv, book->keys[0])), second[0] != '\0' ? ", " : "",
                           second);
}

static void tell(struct comparison *both, const char *key, const char *column, const char *before, const char *after)
{
    if (both->count == 0)
        fprintf(stderr, "lockstep: %s/%s was edited by hand since the last run, so it was not replaced. Edited:\n",
                both->batch->store.folder, both->book->name);
    if (both->count++ < CELLS_SHOWN)
        fprintf(stderr, "  %s, %s: \"%s\", was \"%s\"\n", key, column, after, before);
}

/* The rows of a table by their keys; names_destroy. */
static struct names *list_rows(const struct gradebook *book, const struct csv *csv)
{
    struct names *rows = names_create(csv->row_count);
    for (size_t i = 1; i < csv->row_count; i++) {
        char *key = key_of(book, csv, &csv->rows[i]);
        if (names_find(rows, key) == NAMES_NONE)
            names_add(rows, key, i);
        free(key);
    }
    return rows;
}

/* Does this run make the cell what somebody typed, because it has become a decision? */
static bool will_be(const struct comparison *both, const char *key, const char *heading, const char *typed)
{
    size_t row = names_find(both->next_rows, key);
    int column = csv_find_column(&both->next, heading);
    return row != NAMES_NONE && column >= 0 && strcmp(csv_get(&both->next.rows[row], column), typed) == 0;
}

static void compare_rows(struct comparison *both, const struct csv_row *before, const struct csv_row *after)
{
    char *key = key_of(both->book, &both->written, before);
    for (int i = 0; i < both->written.rows[0].field_count; i++) {
        const char *heading = both->written.rows[0].fields[i];
        int column = csv_find_column(&both->found, heading);
        const char *old = csv_get(before, i), *typed = column < 0 ? "" : csv_get(after, column);
        if (strcmp(old, typed) != 0 && !will_be(both, key, heading, typed))
            tell(both, key, heading, old, typed);
    }
    for (int i = 0; i < both->found.rows[0].field_count; i++)
        if (csv_find_column(&both->written, both->found.rows[0].fields[i]) < 0 && csv_get(after, i)[0] != '\0')
            tell(both, key, both->found.rows[0].fields[i], "", csv_get(after, i));
    free(key);
}

static void compare_tables(struct comparison *both)
{
    struct names *rows = list_rows(both->book, &both->found);
    bool *met = allocate_zeroed((both->found.row_count + 1) * sizeof *met);
    both->next_rows = list_rows(both->book, &both->next);
    for (size_t i = 1; i < both->written.row_count; i++) {
        char *key = key_of(both->book, &both->written, &both->written.rows[i]);
        size_t at = names_find(rows, key);
        if (at == NAMES_NONE && names_find(both->next_rows, key) != NAMES_NONE)
            tell(both, key, "the row", "there", "gone");
        if (at != NAMES_NONE) {
            compare_rows(both, &both->written.rows[i], &both->found.rows[at]);
            met[at] = true;
        }
        free(key);
    }
    for (size_t i = 1; i < both->found.row_count; i++)
        if (!met[i]) {
            char *key = key_of(both->book, &both->found, &both->found.rows[i]);
            tell(both, key, "the row", "not there", "new");
            free(key);
        }
    names_destroy(both->next_rows);
    names_destroy(rows);
    free(met);
}

static void advise(const struct comparison *both)
{
    const char *course = both->batch->options->course;
    if (both->count > CELLS_SHOWN)
        fprintf(stderr, "  and %zu more\n", both->count - CELLS_SHOWN);
    fprintf(stderr,
            "To keep a score, make it a decision, and run this again:\n"
            "  lockstep decide STUDENT LAB score POINTS --course %s --why REASON\n"
            "To replace the file, and lose what was typed, add --overwrite.\n",
            course ? course : "FILE");
}

static bool is_same(const char *path, const char *text, size_t bytes)
{
    char ignored[512];
    size_t other_bytes = 0;
    char *other = files_read(path, GRADEBOOK_BYTES_MAX, &other_bytes, ignored, sizeof ignored);
    bool same = other && other_bytes == bytes && memcmp(other, text, bytes) == 0;
    free(other);
    return same;
}

static bool read_table(const char *path, struct csv *csv, char *message, size_t message_bytes)
{
    size_t bytes = 0;
    memset(csv, 0, sizeof *csv);
    char *text = files_read(path, GRADEBOOK_BYTES_MAX, &bytes, message, message_bytes);
    return text && csv_parse(path, text, bytes, csv, message, message_bytes);
}

/* Where the files of one gradebook are. */
struct places {
    char *target; /* DIR/NAME */
    char *kept;   /* what the last run wrote */
    char *next;   /* what this run makes, until it is in both other places */
};

/* Has the file other bytes than the last run wrote? A run that was killed between two steps left what it had made as `next`. */
static bool was_touched(const struct places *places)
{
    char ignored[512];
    size_t bytes = 0;
    char *text = files_read(places->target, GRADEBOOK_BYTES_MAX, &bytes, ignored, sizeof ignored);
    bool touched = text && access(places->kept, F_OK) == 0 && !is_same(places->kept, text, bytes)
                   && !is_same(places->next, text, bytes);
    free(text);
    return touched;
}

/* Says on stderr which cells somebody edited that this run does not make the same anyway. Returns whether there are any. */
static bool is_edited(const struct batch *batch, const struct gradebook *book, const struct places *places)
{
    struct comparison both = {.batch = batch, .book = book};
    char message[512];
    bool readable = read_table(places->target, &both.found, message, sizeof message);
    if (!readable)
        fprintf(stderr, "lockstep: %s. The file was edited since the last run, so it was not replaced.\n", message);
    else if (read_table(places->kept, &both.written, message, sizeof message)
             && read_table(places->next, &both.next, message, sizeof message))
        compare_tables(&both);
    if (!readable || both.count > 0)
        advise(&both);
    csv_clear(&both.found);
    csv_clear(&both.written);
    csv_clear(&both.next);
    return !readable || both.count > 0;
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

static bool copy_file(const char *from, const char *to)
{
    char message[512];
    size_t bytes = 0;
    char *text = files_read(from, GRADEBOOK_BYTES_MAX, &bytes, message, sizeof message);
    bool good = text && files_write(to, text, bytes, message, sizeof message) != FILES_FAILED;
    if (!good)
        fprintf(stderr, "lockstep: %s\n", message);
    free(text);
    return good;
}

static enum gradebook_write write_to(const struct batch *batch, const struct gradebook *book, const struct places *places)
{
    bool touched = !batch->options->overwrite && was_touched(places);
    if (!convert(batch, book->format, "no gradebook was", places->next)) {
        if (!touched)
            unlink(places->target); /* an older one would pass for this one */
        return GRADEBOOK_FAILED;
    }
    if (touched && is_edited(batch, book, places)) {
        unlink(places->next);
        return GRADEBOOK_EDITED;
    }
    if (!copy_file(places->next, places->target) || rename(places->next, places->kept) != 0)
        return GRADEBOOK_FAILED;
    fprintf(batch->out, "gradebook  %s\n", places->target);
    return GRADEBOOK_WRITTEN;
}

static enum gradebook_write write_one(const struct batch *batch, const struct gradebook *book)
{
    const char *folder = batch->store.folder;
    struct places places = {.target = allocate_format("%s/%s", folder, book->name),
                            .kept = allocate_format("%s/.lockstep/%s", folder, book->name),
                            .next = allocate_format("%s/.lockstep/next-%s", folder, book->name)};
    enum gradebook_write result = write_to(batch, book, &places);
    free(places.target);
    free(places.kept);
    free(places.next);
    return result;
}

enum gradebook_write gradebook_write(const struct batch *batch)
{
    enum gradebook_write worst = GRADEBOOK_WRITTEN;
    fputc('\n', batch->out);
    for (size_t i = 0; i < sizeof gradebooks / sizeof *gradebooks && worst != GRADEBOOK_FAILED; i++) {
        enum gradebook_write one = write_one(batch, &gradebooks[i]);
        worst = one > worst ? one : worst;
    }
    return worst;
}

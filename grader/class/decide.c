/* The command decide: writes a line into the decisions of a course, after a look at the whole file. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/class/csv.h"
#include "grader/class/decisions.h"
#include "grader/class/moment.h"
#include "grader/class/pseudonyms.h"
#include "grader/class/roster.h"
#include "grader/lab/labs.h"
#include "grader/options/commands.h"

#define CLASS_BYTES_MAX (256u << 20)
#define HEADING         "student,lab,what,value,by,why,date,private\n"

/* The command while it works. */
struct deciding {
    const struct options *options;
    struct course course;
    struct class class;
    bool anybody; /* nothing says who is in the class */
    const char *student, *lab, *what, *value, *by;
    char date[MOMENT_TEXT_BYTES];
    char message[1024];
};

static enum exit_status give_up(const char *message, enum exit_status status)
{
    fprintf(stderr, "lockstep: %s\n", message);
    return status;
}

/* STUDENT [LAB] WHAT [VALUE]; a second word that is a kind of decision is not a lab. */
static bool read_words(struct deciding *deciding)
{
    char **words = deciding->options->arguments;
    int count = deciding->options->argument_count;
    enum decision_what what;
    bool has_lab = count >= 3
                   && (labs_find_typed(words[1]) || !decision_find(words[1], &what) || decision_find(words[2], &what));
    if (count < 2 || count > (has_lab ? 4 : 3))
        return false;
    deciding->student = words[0];
    deciding->lab = has_lab ? words[1] : "";
    deciding->what = words[1 + has_lab];
    deciding->value = count > 2 + has_lab ? words[2 + has_lab] : "";
    if (strcmp(deciding->lab, "-") == 0)
        deciding->lab = "";
    const struct lab *lab = deciding->lab[0] != '\0' ? labs_find_typed(deciding->lab) : NULL;
    if (lab)
        deciding->lab = lab->name;
    return true;
}

/* ---- who is in the class ------------------------------------------------------------------------------------------ */

static bool take_class(struct deciding *deciding)
{
    const char *folder = deciding->options->in;
    char *path = allocate_format("%s/class.json", folder);
    size_t bytes = 0, i;
    char *text = files_read(path, CLASS_BYTES_MAX, &bytes, deciding->message, sizeof deciding->message);
    json_t *document = text ? json_loadb(text, bytes, 0, NULL) : NULL, *one;
    if (text && !json_is_array(json_object_get(document, "students")))
        snprintf(deciding->message, sizeof deciding->message, "%.300s: this is not a class. --in names the DIR of a batch.",
                 path);
    bool good = json_is_array(json_object_get(document, "students"));
    struct names *known = names_create(deciding->class.count);
    for (i = 0; i < deciding->class.count; i++)
        if (names_find(known, deciding->class.students[i].id) == NAMES_NONE)
            names_add(known, deciding->class.students[i].id, i);
    json_array_foreach(json_object_get(document, "students"), i, one)
    {
        const char *id = json_string_value(json_object_get(one, "id"));
        const char *name = json_string_value(json_object_get(one, "name"));
        if (!id || names_find(known, id) != NAMES_NONE)
            continue;
        struct student *student = class_add(&deciding->class, id);
        student->name = name ? allocate_text(name, strlen(name)) : NULL;
    }
    names_destroy(known);
    json_decref(document);
    free(text);
    free(path);
    return good && pseudonyms_read(&deciding->class, folder, deciding->message, sizeof deciding->message);
}

static bool find_people(struct deciding *deciding)
{
    struct names *folders = NULL;
    bool good = roster_read(&deciding->class, &folders, deciding->message, sizeof deciding->message);
    if (folders)
        names_destroy(folders);
    good = good && (!deciding->options->in || take_class(deciding));
    deciding->anybody = !deciding->course.roster && !deciding->options->in;
    return good;
}

/* A name becomes the ID; an ID and a pseudonym stay as they are. Returns false with the message. */
static bool find_student(struct deciding *deciding)
{
    if (deciding->anybody)
        return true;
    const struct student *student = decisions_find_student(&deciding->class, deciding->student, deciding->message,
                                                           sizeof deciding->message);
    if (student && (!student->pseudonym || strcasecmp(deciding->student, student->pseudonym) != 0))
        deciding->student = student->id;
    return student != NULL;
}

/* ---- the line ----------------------------------------------------------------------------------------------------- */

static const char *cell_of(const struct deciding *deciding, const char *column)
{
    const struct {
        const char *column, *cell;
    } cells[] = {
        {"student", deciding->student}, {"lab", deciding->lab},
        {"what", deciding->what},       {"value", deciding->value},
        {"by", deciding->by},           {"why", deciding->options->why ? deciding->options->why : ""},
        {"date", deciding->date},       {"private", deciding->options->is_private ? "yes" : ""},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (strcasecmp(cells[i].column, column) == 0)
            return cells[i].cell;
    return "";
}

/* The text of the file with the line at its end, owned by the caller; NULL with the message. The line has the file's columns,
 * separator and line ends. */
static char *add_line(struct deciding *deciding, const char *path, size_t *bytes)
{
    struct csv csv;
    char *old = access(path, F_OK) == 0 ? csv_load(path, bytes, deciding->message, sizeof deciding->message)
                                        : allocate_text(HEADING, *bytes = strlen(HEADING));
    if (!old)
        return NULL;
    size_t old_bytes = *bytes, heading = strcspn(old, "\r\n");
    bool is_dos = strstr(old, "\r\n") != NULL;
    char separator = memchr(old, ',', heading)    ? ','
                     : memchr(old, ';', heading)  ? ';'
                     : memchr(old, '\t', heading) ? '\t'
                                                  : ',';
    char *text = NULL, *again = allocate_text(old, old_bytes);
    FILE *file = open_memstream(&text, bytes);
    fwrite(old, 1, old_bytes, file);
    if (old_bytes > 0 && old[old_bytes - 1] != '\n')
        fputs(is_dos ? "\r\n" : "\n", file);
    bool good = csv_parse(path, again, old_bytes, &csv, deciding->message, sizeof deciding->message);
    for (int i = 0; good && i < csv.rows[0].field_count; i++)
        csv_put(file, cell_of(deciding, csv.rows[0].fields[i]), separator, i == 0);
    fputs(is_dos ? "\r\n" : "\n", file);
    fclose(file);
    for (size_t i = 0; good && i < 8; i++) {
        static const char *const columns[] = {"student", "lab", "what", "value", "by", "why", "date", "private"};
        if (csv_find_column(&csv, columns[i]) >= 0 || cell_of(deciding, columns[i])[0] == '\0' || i == 6)
            continue;
        snprintf(deciding->message, sizeof deciding->message,
                 "%.300s has no column %s, which this line needs. Add the word to its first line.", path, columns[i]);
        good = false;
    }
    csv_clear(&csv);
    free(old);
    if (!good) {
        free(text);
        text = NULL;
    }
    return text;
}

static enum exit_status write_line(struct deciding *deciding, const char *path)
{
    struct decisions decisions;
    size_t bytes = 0;
    char *text = add_line(deciding, path, &bytes);
    if (!text)
        return give_up(deciding->message, EXIT_STATUS_USAGE);
    int mistakes = decisions_read(path, allocate_text(text, bytes), bytes, &deciding->class, deciding->anybody, &decisions,
                                  stderr);
    enum exit_status status = EXIT_STATUS_FULL_SCORE;
    if (mistakes > 0)
        status = give_up("nothing was written.", EXIT_STATUS_USAGE);
    else if (files_write(path, text, bytes, deciding->message, sizeof deciding->message) == FILES_FAILED)
        status = give_up(deciding->message, EXIT_STATUS_HARNESS);
    else
        printf("%s: %s%s%s, %s%s%s, by %s\nThe next `lockstep batch` applies it.\n", path, deciding->student,
               deciding->lab[0] != '\0' ? ", " : "", deciding->lab, deciding->what, deciding->value[0] != '\0' ? " " : "",
               deciding->value, deciding->by);
    if (mistakes == 0 && deciding->anybody)
        printf("Nothing says yet who is in the class: that run checks the student.\n");
    decisions_clear(&decisions);
    free(text);
    return status;
}

/* Two graders may decide at the same moment: one waits for the other. */
static int lock_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? allocate_text(path, (size_t)(slash - path) + 1) : allocate_text(".", 1);
    int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0)
        flock(lock, LOCK_EX);
    free(folder);
    return lock;
}

static char *target_path(const struct course *course)
{
    char *path = decisions_path(course);
    const char *slash = strrchr(course->file, '/');
    return path ? path : allocate_format("%.*sdecisions.csv", slash ? (int)(slash + 1 - course->file) : 0, course->file);
}

static enum exit_status decide(struct deciding *deciding)
{
    const char *login = getenv("LOGNAME") ? getenv("LOGNAME") : getenv("USER");
    if (!read_words(deciding))
        return give_up(
            "decide needs a student and what is decided: lockstep decide STUDENT [LAB] WHAT [VALUE] --course FILE. "
            "`lockstep decide --help` lists what can be decided.",
            EXIT_STATUS_USAGE);
    deciding->by = deciding->options->by ? deciding->options->by : login ? login : "";
    if (deciding->by[0] == '\0')
        return give_up("nobody knows who you are: add --by NAME.", EXIT_STATUS_USAGE);
    if (course_read(deciding->options->course, &deciding->course, stderr) > 0)
        return give_up("the course file has errors; nothing was written.", EXIT_STATUS_USAGE);
    class_init(&deciding->class, &deciding->course, ".");
    if (!find_people(deciding) || !find_student(deciding))
        return give_up(deciding->message, EXIT_STATUS_USAGE);
    moment_write((int64_t)time(NULL), deciding->date);
    deciding->date[10] = '\0';
    char *path = target_path(&deciding->course);
    int lock = lock_folder(path);
    enum exit_status status = write_line(deciding, path);
    if (lock >= 0)
        close(lock);
    free(path);
    return status;
}

/* Exit status: 0 the line was written; 2 it, or the file, has mistakes, and nothing was written; 3 it cannot be written. */
int decide_run(const struct options *options)
{
    struct deciding *deciding = allocate_zeroed(sizeof *deciding);
    deciding->options = options;
    enum exit_status status = decide(deciding);
    if (deciding->class.course)
        class_clear(&deciding->class);
    course_clear(&deciding->course);
    free(deciding);
    return status;
}

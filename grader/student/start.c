/* The commands start and reset: a fresh skeleton in the student's own folder, without ever losing work. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/base/words.h"
#include "grader/compile/submission.h"
#include "grader/grading/workspace.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/options/commands.h"
#include "grader/student/skeleton.h"
#include "grader/student/subject.h"

enum { BACKUPS_MAX = 10000 };

/* Writes a new file beside its place, whole and on the disk, and gives it its name unless something has that already.
 * `taken` (may be NULL) is where the file that has the name is to be kept: then the new one replaces it. errno tells why it
 * failed. */
static bool put_file(const char *path, const char *text, const char *taken)
{
    char *temporary = allocate_format("%s.XXXXXX", path);
    int file = mkstemp(temporary);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    mode_t mask = umask(0);
    umask(mask);
    bool good = stream && fputs(text, stream) >= 0 && fflush(stream) == 0 && fsync(file) == 0
                && fchmod(file, 0666 & ~mask) == 0;
    int problem = errno;
    if (stream && fclose(stream) != 0 && good) {
        problem = errno;
        good = false;
    }
    /* link() never replaces anything; rename() does, but what it replaces has a second name by then. */
    if (good && !taken && link(temporary, path) != 0) {
        problem = errno;
        good = false;
    }
    if (good && taken && (link(path, taken) != 0 || rename(temporary, path) != 0)) {
        problem = errno;
        good = false;
    }
    if (file >= 0)
        unlink(temporary);
    free(temporary);
    errno = problem;
    return good;
}

/* ---- start -------------------------------------------------------------------------------------------------------- */

static bool is_any_missing(const struct workspace *workspace, const struct options *options)
{
    char path[KIT_PATH_BYTES];
    for (int i = 0; i < options->argument_count; i++)
        if (!workspace_lab_file(workspace, labs_find_typed(options->arguments[i]), path))
            return true;
    return false;
}

/* Where work begins: the folder named, else the student's, else, outside the kit, the working directory. */
static bool choose_folder(const struct options *options, struct workspace *workspace)
{
    char here[KIT_PATH_BYTES], message[KIT_PATH_BYTES];
    size_t length = strlen(kit_root());
    const char *folder = options->into;
    workspace_find(workspace);
    if (!folder && !workspace->is_kit)
        folder = strcpy(here, workspace->root);
    if (!folder && getcwd(here, sizeof here)
        && !(strncmp(here, kit_root(), length) == 0 && (here[length] == '/' || here[length] == '\0')))
        folder = here;
    if (!folder && is_any_missing(workspace, options)) /* labs/ gets back what was deleted there */
        return true;
    if (!folder) {
        fprintf(stderr,
                "lockstep: this is the kit's own folder. You can work in its labs/ as they are. For a folder of your own,\n"
                "which updates of the kit do not touch, name one: %s start %s --into ~/lockstep-course\n",
                kit_program(), options->arguments[0]);
        return false;
    }
    if (workspace_create(folder, workspace, message, sizeof message))
        return true;
    fprintf(stderr, "lockstep: %s\n", message);
    return false;
}

/* What has changed for all other commands, and how it is changed back. */
static void tell_move(const struct workspace *before, const struct workspace *after)
{
    struct workspace now;
    char old[KIT_PATH_BYTES], new[KIT_PATH_BYTES];
    bool colour = paint_wanted(stdout);
    workspace_find(&now);
    kit_shown_path(before->root, old);
    kit_shown_path(after->root, new);
    if (strcmp(before->root, after->root) == 0)
        return;
    char *text =
        strcmp(now.root, after->root) == 0
            ? allocate_format("Your folder is now %s: a lab's name means its file there, and progress is counted there. "
                              "What you have in %s stays as it is. To go back:",
                              new, old)
            : allocate_format("Other commands still mean %s%s. To work in %s, change to that folder first.", old,
                              getenv("LOCKSTEP_FOLDER") ? ", which the variable LOCKSTEP_FOLDER names" : "", new);
    paint_wrapped(stdout, 0, text, colour, PAINT_PLAIN);
    free(text);
    if (strcmp(now.root, after->root) == 0) {
        char *word = words_shell(old);
        printf("    %s start --into %s\n", kit_program(), word);
        free(word);
    }
    fputc('\n', stdout);
}

static enum exit_status start_lab(const struct workspace *workspace, const struct lab *lab)
{
    char path[KIT_PATH_BYTES], handout[KIT_PATH_BYTES];
    bool colour = paint_wanted(stdout);
    char *text;
    if (workspace_lab_file(workspace, lab, path)) {
        text = allocate_format("%s already exists and stays as it is. To start over: %s reset %s", path, kit_program(),
                               lab->name);
        paint_wrapped(stdout, 0, text, colour, PAINT_PLAIN);
        free(text);
        return EXIT_STATUS_FULL_SCORE;
    }
    char *skeleton = skeleton_make(lab);
    char *folder = allocate_format("%s/%s", workspace->root, lab->name);
    char *file = allocate_format("%s/%s%s", folder, lab->name, kit_source_ending(lab));
    bool good = skeleton && (mkdir(folder, 0777) == 0 || errno == EEXIST) && put_file(file, skeleton, NULL);
    if (!skeleton)
        fprintf(stderr, "lockstep: the kit has no skeleton of %s.\n", lab->name);
    else if (!good)
        fprintf(stderr, "lockstep: %s: %s\n", file, strerror(errno));
    free(skeleton);
    free(folder);
    free(file);
    if (!good)
        return EXIT_STATUS_HARNESS;
    kit_handout(lab, handout);
    text = allocate_format("%s is yours now. Read %s, write between the marks, and have it graded each time you save:", path,
                           handout);
    paint_wrapped(stdout, 0, text, colour, PAINT_PLAIN);
    free(text);
    printf("    %s watch %s\n", kit_program(), lab->name);
    return EXIT_STATUS_FULL_SCORE;
}

/* Puts skeletons into the student's folder, or into --into FOLDER, which becomes one, also without a lab. What is there stays
 * as it is. */
int start_run(const struct options *options)
{
    struct workspace before, workspace;
    enum exit_status status = EXIT_STATUS_FULL_SCORE;
    workspace_find(&before);
    if (options->argument_count == 0 && !options->into) {
        fprintf(stderr, "lockstep: start which lab? `%s list` shows them, `%s quiz` proposes one.\n", kit_program(),
                kit_program());
        return EXIT_STATUS_USAGE;
    }
    for (int i = 0; i < options->argument_count; i++)
        if (!labs_find_typed(options->arguments[i])) {
            char suggestion[160];
            labs_suggest(options->arguments[i], suggestion, sizeof suggestion);
            fprintf(stderr, "lockstep: %s: there is no such lab%s `%s list` shows them.\n", options->arguments[i],
                    suggestion[0] != '\0' ? suggestion : ";", kit_program());
            return EXIT_STATUS_USAGE;
        }
    if (!choose_folder(options, &workspace))
        return EXIT_STATUS_USAGE;
    if (options->into)
        tell_move(&before, &workspace);
    if (options->argument_count == 0 && strcmp(before.root, workspace.root) == 0)
        printf("%s is your folder already.\n", options->into);
    for (int i = 0; i < options->argument_count; i++) {
        enum exit_status one = start_lab(&workspace, labs_find_typed(options->arguments[i]));
        status = one > status ? one : status;
    }
    return status;
}

/* ---- reset -------------------------------------------------------------------------------------------------------- */

/* What belongs to the kit is not the student's to reset, but for the files in labs/ that are there to be edited. */
static bool is_the_kits(const struct subject *subject)
{
    char real[KIT_PATH_BYTES];
    size_t length = strlen(kit_root());
    return !subject->key.own && realpath(subject->key.path, real) && strncmp(real, kit_root(), length) == 0
           && real[length] == '/';
}

/* Keeps the file as path.1, or the first number that is free, and puts the skeleton in its place. */
static bool replace(const char *path, const char *skeleton, char backup[KIT_PATH_BYTES])
{
    for (int number = 1; number < BACKUPS_MAX; number++) {
        snprintf(backup, KIT_PATH_BYTES, "%.4000s.%d", path, number);
        if (put_file(path, skeleton, backup))
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* Puts the skeleton in the place of a file that is kept under a new name, file.cu.1 and so on. */
int reset_run(const struct options *options)
{
    struct subject subject;
    char backup[KIT_PATH_BYTES], real[KIT_PATH_BYTES], shown[KIT_PATH_BYTES];
    struct stat facts;
    if (options->argument_count == 0 && !options->lab) {
        fprintf(stderr, "lockstep: reset which lab or file?\n");
        return EXIT_STATUS_USAGE;
    }
    if (!subject_find(options, &subject))
        return EXIT_STATUS_USAGE;
    /* A link leads to the file that is worked on. */
    bool kits = is_the_kits(&subject);
    if (kits || !realpath(subject.key.path, real) || stat(real, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        fprintf(stderr, "lockstep: %s: %s\n", subject.key.path,
                kits ? "this file is the kit's, not yours" : "not a regular file");
        return EXIT_STATUS_USAGE;
    }
    char *skeleton = skeleton_make(subject.key.lab);
    struct submission now;
    submission_read(real, &now);
    bool fresh = skeleton_is(subject.key.lab, &now);
    submission_clear(&now);
    bool good = skeleton && (fresh || replace(real, skeleton, backup));
    if (fresh)
        printf("%s is still the skeleton: nothing to reset.\n", subject.key.path);
    else if (good) {
        kit_shown_path(backup, shown);
        printf("%s is the skeleton again; your version is kept in %s\n", subject.key.path, shown);
    } else
        fprintf(stderr, "lockstep: %s: %s\n", subject.key.path,
                !skeleton ? "the kit has no skeleton of this lab" : strerror(errno));
    free(skeleton);
    return good ? EXIT_STATUS_FULL_SCORE : EXIT_STATUS_HARNESS;
}

#include "grader/class/scan.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/class/kit_files.h"
#include "grader/class/moment_any.h"
#include "grader/class/recognise.h"
#include "grader/lab/kit.h"

/* ---- names in a folder -------------------------------------------------------------------------------------------- */

struct listing {
    char **names; /* owned, sorted by their bytes */
    size_t count, capacity;
};

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* What systems and tools leave behind is nobody's submission. */
static bool is_noise(const char *name)
{
    static const char *const names[] = {
        ".",       "..",    ".git",   ".github",       ".gitignore", ".gitattributes",     ".gitkeep", ".DS_Store",
        ".vscode", ".idea", ".cache", ".clang-format", ".lockstep",  ".ipynb_checkpoints", "__MACOSX",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "._", 2) == 0; /* macOS, beside each file that it puts into an archive */
}

/* Reads at most `most` names; with `hidden` also those that begin with a dot. Takes the descriptor over. Returns false with errno when the folder cannot be read. */
static bool list_folder(int folder, size_t most, bool hidden, struct listing *listing)
{
    memset(listing, 0, sizeof *listing);
    DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
    if (!list) {
        if (folder >= 0)
            close(folder);
        return false;
    }
    for (struct dirent *entry; listing->count < most && (entry = readdir(list));) {
        if (is_noise(entry->d_name) || (entry->d_name[0] == '.' && !hidden))
            continue;
        listing->names = allocate_grown(listing->names, &listing->capacity, listing->count + 1, sizeof *listing->names);
        listing->names[listing->count++] = allocate_text(entry->d_name, strlen(entry->d_name));
    }
    closedir(list);
    if (listing->count > 0)
        qsort(listing->names, listing->count, sizeof *listing->names, compare_texts);
    return true;
}

static void clear_listing(struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        free(listing->names[i]);
    free(listing->names);
}

static int open_folder(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/* ---- one student's folder ----------------------------------------------------------------------------------------- */

/* A student's folder while it is searched. */
struct walk {
    struct class *class;
    struct student *student;
    struct recognise_list *found;
    int32_t budget; /* names that may still be looked at */
    bool full;      /* there were more, or deeper ones */
};

static void walk_folder(struct walk *walk, int folder, const char *path, int depth, int64_t submitted);

/* The moment in a file `submitted` of this folder; `around` where there is none. */
static int64_t read_submitted(struct walk *walk, int folder, const char *path, int64_t around)
{
    int64_t moment;
    char text[128];
    struct stat facts;
    const struct course *course = walk->class->course;
    bool wanted = false;
    for (int i = 0; i < course->time_count; i++)
        wanted |= course->times[i] == COURSE_SUBMITTED;
    if (!wanted || fstatat(folder, "submitted", &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode))
        return around;
    int file = openat(folder, "submitted", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    const char *why = moment_read_any(text, course->time_zone, course->date_order, &moment);
    walk->class->times_read++;
    if (!why)
        return moment;
    if (walk->class->times_bad++ == 0 || moment_is_ambiguous(why))
        snprintf(walk->class->bad_time, sizeof walk->class->bad_time, "%.300s/submitted: %.100s: %s.", path, text, why);
    walk->class->times_ambiguous |= moment_is_ambiguous(why);
    char *shown = allocate_format("%s/submitted", path);
    problems_add(&walk->student->problems, PROBLEM_time_impossible, shown, "%s: %s.", text, why);
    free(shown);
    return around;
}

static void meet_other(struct walk *walk, const char *path, const struct stat *facts)
{
    bool link = S_ISLNK(facts->st_mode);
    recognise_refuse(walk->found, path, link ? PROBLEM_link : PROBLEM_not_regular);
    problems_add(&walk->student->problems, link ? PROBLEM_link : PROBLEM_not_regular, path,
                 link ? "This is a symbolic link. It was not followed: put the file itself there."
                      : "This is not a regular file but %s. It was not opened.",
                 S_ISFIFO(facts->st_mode)   ? "a FIFO"
                 : S_ISSOCK(facts->st_mode) ? "a socket"
                                            : "a device");
}

static void meet_source(struct walk *walk, int folder, const char *name, const char *path, const struct stat *facts,
                        int64_t submitted)
{
    struct submission submission;
    submission_read_in(folder, name, &submission);
    if (submission.status == SUBMISSION_UNREADABLE) {
        problems_add(&walk->student->problems, PROBLEM_unreadable, path, "It cannot be read: %s.", submission.message);
        recognise_refuse(walk->found, path, PROBLEM_unreadable);
    } else {
        recognise_add(walk->found, path, &submission, facts->st_mtim.tv_sec, submitted);
    }
    submission_clear(&submission);
}

/* A file that may be a lab's under another ending. */
static void meet_offer(struct walk *walk, int folder, const char *name, const char *path, bool text)
{
    struct submission submission;
    if (text)
        submission_read_in(folder, name, &submission);
    if (!recognise_offer(walk->found, path, text ? &submission : NULL))
        recognise_note(walk->found, path);
    if (text)
        submission_clear(&submission);
}

static void meet_archive(struct walk *walk, const char *path)
{
    problems_add(&walk->student->problems, PROBLEM_not_opened, path,
                 "An archive: it was not opened. Unpack it into the student's folder, and run this again.");
}

/* A name that begins with a dot is hidden from the student, and seldom meant to be handed in: it is only mentioned when
 * nothing else is there. */
static void meet(struct walk *walk, int folder, const char *name, const char *path, int depth, int64_t submitted)
{
    struct stat facts;
    enum recognise_kind kind = recognise_kind_of(name);
    if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0) {
        problems_add(&walk->student->problems, PROBLEM_unreadable, path, "It cannot be read: %s.", strerror(errno));
        recognise_refuse(walk->found, path, PROBLEM_unreadable);
    } else if (name[0] == '.') {
        recognise_note(walk->found, path);
    } else if (S_ISDIR(facts.st_mode)) {
        walk_folder(walk, open_folder(folder, name), path, depth + 1, submitted);
    } else if (kind == RECOGNISE_SOURCE && !S_ISREG(facts.st_mode)) {
        meet_other(walk, path, &facts);
    } else if (kind == RECOGNISE_ARCHIVE) {
        meet_archive(walk, path);
    } else if (!S_ISREG(facts.st_mode) || kind == RECOGNISE_OTHER) {
        recognise_note(walk->found, path);
    } else if (kind == RECOGNISE_SOURCE) {
        meet_source(walk, folder, name, path, &facts, submitted);
    } else {
        meet_offer(walk, folder, name, path, kind == RECOGNISE_OTHER_ENDING);
    }
}

/* The folder solutions/ of a copy of the kit is not searched. Is a file there not the kit's? Somebody may have worked there. */
static void look_at_solutions(struct walk *walk, int folder, const char *path)
{
    const struct course *course = walk->class->course;
    int solutions = open_folder(folder, "solutions"), changed = 0;
    for (int i = 0; i < course->lab_count && solutions >= 0; i++) {
        const struct lab *lab = course->labs[i].lab;
        struct submission submission;
        char *name = allocate_format("%s%s", lab->name, kit_source_ending(lab));
        int inside = open_folder(solutions, lab->name);
        submission_read_in(inside, name, &submission);
        changed += submission.status == SUBMISSION_READ && !kit_files_is_solution(lab, submission.sha256);
        submission_clear(&submission);
        if (inside >= 0)
            close(inside);
        free(name);
    }
    if (solutions >= 0)
        close(solutions);
    if (changed > 0)
        problems_add(
            &walk->student->problems, PROBLEM_kit_copy, path,
            "A copy of the kit. Its folder solutions/ was not searched, although %d file%s there %s not this kit's.",
            changed, changed == 1 ? "" : "s", changed == 1 ? "is" : "are");
}

/* Takes the descriptor over. */
static void walk_folder(struct walk *walk, int folder, const char *path, int depth, int64_t submitted)
{
    struct listing listing;
    if (depth > walk->class->course->limit_depth) {
        walk->full = true;
        if (folder >= 0)
            close(folder);
        return;
    }
    int again = folder >= 0 ? fcntl(folder, F_DUPFD_CLOEXEC, 0) : -1;
    if (!list_folder(folder, (size_t)walk->budget + 1, true, &listing)) {
        problems_add(&walk->student->problems, PROBLEM_unreadable, path, "It cannot be read: %s.", strerror(errno));
        recognise_refuse(walk->found, path, PROBLEM_unreadable);
        if (again >= 0)
            close(again);
        return;
    }
    submitted = read_submitted(walk, again, path, submitted);
    bool copy = kit_files_is_copy(listing.names, listing.count);
    if (copy)
        look_at_solutions(walk, again, path);
    for (size_t i = 0; i < listing.count; i++) {
        if (kit_files_passes_over(listing.names[i], class_last_part(path), copy))
            continue;
        if (walk->budget-- <= 0) {
            walk->budget = 0;
            walk->full = true;
            break;
        }
        char *inside = allocate_format("%s/%s", path, listing.names[i]);
        meet(walk, again, listing.names[i], inside, depth, submitted);
        free(inside);
    }
    clear_listing(&listing);
    close(again);
}

static void scan_student(struct class *class, struct student *student, int root, bool any_name)
{
    struct recognise_list found = {.course = class->course, .any_name = any_name};
    struct walk walk = {.class = class, .student = student, .found = &found, .budget = class->course->limit_files};
    for (size_t i = 0; i < student->folder_count; i++)
        walk_folder(&walk, open_folder(root, student->folders[i]), student->folders[i], 1, 0);
    if (walk.full)
        problems_add(
            &student->problems, PROBLEM_too_many_files, student->folder_count > 0 ? student->folders[0] : NULL,
            "There are more than %d files and folders, or more than %d levels of nested folders. The rest was not searched.",
            class->course->limit_files, class->course->limit_depth);
    recognise_settle(&found, student);
    recognise_clear(&found);
}

static void add_folder(struct student *student, const char *name)
{
    student->folders = allocate_grown(student->folders, &student->folder_capacity, student->folder_count + 1,
                                      sizeof *student->folders);
    student->folders[student->folder_count++] = allocate_text(name, strlen(name));
    if (student->folder_count == 2)
        problems_add(&student->problems, PROBLEM_two_folders, name, "%s has the folders %s and %s. All are searched.",
                     student->id, student->folders[0], name);
}

void scan_folder(struct class *class, struct student *student)
{
    int root = open(class->submissions, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    add_folder(student, ".");
    scan_student(class, student, root, true);
    if (root >= 0)
        close(root);
}

/* ---- the class's folder ------------------------------------------------------------------------------------------- */

static bool is_printable(const char *name)
{
    char *shown = class_printable(name);
    bool same = strcmp(shown, name) == 0;
    free(shown);
    return same;
}

/* The id of a folder that no roster knows: its name, with a number where a name like it is taken. */
static struct student *add_stranger(struct class *class, struct names *ids, const char *name)
{
    char *plain = class_printable(name), *id;
    size_t length = strlen(plain);
    while (length > 1 && plain[length - 1] == ' ')
        plain[--length] = '\0';
    id = allocate_text(plain, length);
    size_t twin = names_find(ids, id);
    for (int number = 2; names_find(ids, id) != NAMES_NONE; number++) {
        free(id);
        id = allocate_format("%s (%d)", plain, number);
    }
    free(plain);
    names_add(ids, id, class->count);
    struct student *student = class_add(class, id);
    if (twin != NAMES_NONE)
        problems_add(&student->problems, PROBLEM_name_collision, name,
                     "Its name differs from that of %s only in case, trailing blanks or Unicode form. It is listed as %s.",
                     class->students[twin].id, student->id);
    free(id);
    return student;
}

static void take_folder(struct class *class, const struct names *folders, struct names *ids, const char *name)
{
    size_t owner = folders ? names_find(folders, name) : NAMES_NONE;
    struct student *student = owner != NAMES_NONE ? &class->students[owner] : add_stranger(class, ids, name);
    add_folder(student, name);
    if (!is_printable(name))
        problems_add(&student->problems, PROBLEM_name_unprintable, name,
                     "The folder's name has control characters or is not UTF-8; such bytes are shown as \\x1b.");
}

static bool is_same_folder(int root, const char *name, int out)
{
    struct stat left, right;
    return out >= 0 && fstatat(root, name, &left, AT_SYMLINK_NOFOLLOW) == 0 && fstat(out, &right) == 0
           && left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

static void take_name(struct class *class, const struct names *folders, int root, int out, struct names *ids,
                      const char *name)
{
    struct stat facts;
    if (fstatat(root, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
        problems_add(&class->problems, PROBLEM_unreadable, name, "It cannot be read: %s.", strerror(errno));
    else if (S_ISDIR(facts.st_mode) && !is_same_folder(root, name, out))
        take_folder(class, folders, ids, name);
    else if (S_ISLNK(facts.st_mode))
        problems_add(&class->problems, PROBLEM_link, name, "This is a symbolic link. It was not followed.");
    else if (!S_ISDIR(facts.st_mode) && strcmp(name, "timestamps.csv") != 0 && strcmp(name, "students.csv") != 0
             && strcmp(name, "groups.csv") != 0)
        problems_add(&class->problems, PROBLEM_not_a_folder, name,
                     "This is beside the students' folders, so it belongs to no student. Each student needs a folder.");
}

bool scan_class(struct class *class, const struct names *folders, int out, struct names **ids, char *message,
                size_t message_bytes)
{
    struct listing listing;
    int root = open(class->submissions, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int again = root >= 0 ? fcntl(root, F_DUPFD_CLOEXEC, 0) : -1;
    *ids = NULL;
    if (root < 0 || !list_folder(again, SIZE_MAX, false, &listing)) {
        snprintf(message, message_bytes, "%.300s: %s", class->submissions, strerror(errno));
        if (root >= 0)
            close(root);
        return false;
    }
    *ids = names_create(class->count + listing.count);
    for (size_t i = 0; i < class->count; i++)
        names_add(*ids, class->students[i].id, i);
    for (size_t i = 0; i < listing.count; i++)
        take_name(class, folders, root, out, *ids, listing.names[i]);
    clear_listing(&listing);
    for (size_t i = 0; i < class->count; i++)
        scan_student(class, &class->students[i], root, false);
    close(root);
    return true;
}

/* ---- a file that a person names ----------------------------------------------------------------------------------- */

/* A path that stays below where it begins. */
static bool is_inside(const char *path)
{
    for (const char *at = path; at; at = (at = strchr(at, '/')) ? at + 1 : NULL) {
        size_t length = strcspn(at, "/");
        if (length == 0 || (length == 1 && at[0] == '.') || (length == 2 && strncmp(at, "..", 2) == 0))
            return false;
    }
    return true;
}

bool scan_accept(struct class *class, struct student *student, const char *path, struct class_entry *entry, char *message,
                 size_t message_bytes)
{
    struct walk walk = {.class = class, .student = student};
    struct submission submission;
    struct stat facts;
    if (!is_inside(path)) {
        snprintf(message, message_bytes, "%.300s is not a path inside the student's folder", path);
        return false;
    }
    int folder = open(class->submissions, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int64_t submitted = 0;
    const char *at = path;
    for (const char *slash; folder >= 0 && (slash = strchr(at, '/')); at = slash + 1) {
        char *name = allocate_text(at, (size_t)(slash - at)), *shown = allocate_text(path, (size_t)(slash - path));
        int inside = open_folder(folder, name);
        close(folder);
        folder = inside;
        submitted = folder >= 0 ? read_submitted(&walk, folder, shown, submitted) : 0;
        free(shown);
        free(name);
    }
    bool found = folder >= 0 && fstatat(folder, at, &facts, AT_SYMLINK_NOFOLLOW) == 0;
    bool good = found && S_ISREG(facts.st_mode);
    if (!found)
        snprintf(message, message_bytes, "%.300s cannot be read: %s", path, strerror(errno));
    else if (!good)
        snprintf(message, message_bytes, "%.300s is %s", path,
                 S_ISLNK(facts.st_mode)   ? "a symbolic link, which is never followed"
                 : S_ISDIR(facts.st_mode) ? "a folder"
                                          : "not a regular file");
    if (good) {
        submission_read_in(folder, at, &submission);
        good = submission.status != SUBMISSION_UNREADABLE;
        if (!good)
            snprintf(message, message_bytes, "%.300s cannot be read: %.300s", path, submission.message);
        free(entry->path);
        entry->path = allocate_text(path, strlen(path));
        entry->state = good ? ENTRY_WAITING : ENTRY_PROBLEM;
        entry->untouched = false;
        memcpy(entry->sha256, submission.sha256, sizeof entry->sha256);
        entry->mtime = facts.st_mtim.tv_sec;
        entry->submitted_file = submitted;
        submission_clear(&submission);
    }
    if (folder >= 0)
        close(folder);
    return good;
}

/* ---- reading again ------------------------------------------------------------------------------------------------ */

void scan_read(const struct class *class, const struct class_entry *entry, struct submission *submission)
{
    int folder = open(class->submissions, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *at = entry->path;
    for (const char *slash; folder >= 0 && (slash = strchr(at, '/')); at = slash + 1) {
        char *name = allocate_text(at, (size_t)(slash - at));
        int inside = open_folder(folder, name);
        free(name);
        close(folder);
        folder = inside;
    }
    submission_read_in(folder, at, submission);
    if (folder >= 0)
        close(folder);
}

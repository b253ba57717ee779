#include "grader/collect/source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/collect/archive.h"
#include "grader/collect/commit.h"
#include "grader/collect/tree.h"

/* Folders that only hold one folder: downloads that were unpacked by hand. */
#define WRAPPERS_MAX 4

static bool refuse(struct sources *sources, const char *path, const char *why)
{
    snprintf(sources->message, sizeof sources->message, "%.300s: %s", path, why);
    return false;
}

struct handed *sources_add_handed(struct sources *sources, size_t source)
{
    sources->handed = allocate_grown(sources->handed, &sources->handed_capacity, sources->handed_count + 1,
                                     sizeof *sources->handed);
    struct handed *handed = &sources->handed[sources->handed_count++];
    memset(handed, 0, sizeof *handed);
    handed->source = source;
    sources->list[source].submissions++;
    return handed;
}

void handed_add_part(struct handed *handed, const char *path, const char *as, bool is_online_text)
{
    handed->parts = allocate_grown(handed->parts, &handed->part_capacity, handed->part_count + 1, sizeof *handed->parts);
    handed->parts[handed->part_count++] = (struct handed_part){allocate_text(path, strlen(path)),
                                                               allocate_text(as, strlen(as)), is_online_text};
}

/* ---- names that say whose each file is ---------------------------------------------------------------------------- */

/* The submission of this source with the same student and number; a new one where there is none. */
static struct handed *find_handed(struct sources *sources, size_t source, const struct form_name *parts)
{
    for (size_t i = sources->handed_count; i > 0 && sources->handed[i - 1].source == source; i--) {
        struct person *person = &sources->handed[i - 1].person;
        const char *number = person->fields[PERSON_SYSTEM] ? person->fields[PERSON_SYSTEM] : "";
        if (strcmp(number, parts->number) == 0 && strcmp(person->fields[PERSON_NAME], parts->student) == 0)
            return &sources->handed[i - 1];
    }
    struct handed *handed = sources_add_handed(sources, source);
    person_set(&handed->person, PERSON_NAME, parts->student);
    person_set(&handed->person, PERSON_SYSTEM, parts->number);
    if (!handed->person.fields[PERSON_NAME])
        person_set(&handed->person, PERSON_NAME, "unnamed");
    return handed;
}

static void tell_unknown(struct sources *sources, size_t number, const char *name)
{
    char *place = allocate_format("%s: %s", sources->list[number].path, name);
    notes_add(&sources->notes, true, place, "Not collected: it is not a name that %s has.",
              form_title(sources->list[number].form));
    free(place);
}

static void read_named(struct sources *sources, size_t number, const struct forms_list *list)
{
    enum form form = sources->list[number].form;
    for (size_t i = 0; i < list->count; i++) {
        const struct forms_entry *entry = &list->entries[i];
        struct form_name parts;
        bool anonymous = form == FORM_CANVAS && form_name_read(FORM_CANVAS_ANONYMOUS, entry->name, &parts);
        if (!anonymous && !form_name_read(form, entry->name, &parts)) {
            if (!forms_is_companion(entry->name))
                tell_unknown(sources, number, entry->name);
            continue;
        }
        struct handed *handed = find_handed(sources, number, &parts);
        person_set(&handed->person, PERSON_FOLDER, entry->name);
        handed->is_late |= parts.is_late;
        /* A folder "NAME_123_assignsubmission_file_" is the submission; "NAME_1_2_work" is one unpacked archive of it. */
        if (parts.file[0] == '\0' && !entry->is_folder)
            tell_unknown(sources, number, entry->name);
        else
            handed_add_part(handed, entry->name, parts.file, parts.is_online_text);
        form_name_clear(&parts);
    }
}

static void read_folders(struct sources *sources, size_t number, const struct forms_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->entries[i].name;
        if (!list->entries[i].is_folder) {
            if (!forms_is_companion(name))
                tell_unknown(sources, number, name);
            continue;
        }
        if (name[0] == '.')
            continue;
        struct handed *handed = sources_add_handed(sources, number);
        person_set(&handed->person, PERSON_NAME, name);
        person_set(&handed->person, PERSON_FOLDER, name);
        handed_add_part(handed, name, "", false);
    }
}

/* ---- clones ------------------------------------------------------------------------------------------------------- */

/* How long the beginning "ASSIGNMENT-" is that all clones have: of the folder's name, else what they share. */
static size_t find_prefix(const struct source *source, const struct forms_list *list)
{
    size_t shared = 0, clones = 0, named = strlen(source->name);
    const char *first = NULL;
    bool has_name = true;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->entries[i].name;
        if (!list->entries[i].has_git)
            continue;
        has_name = has_name && strncmp(name, source->name, named) == 0 && name[named] == '-';
        if (clones++ == 0) {
            first = name;
            shared = strlen(name);
        }
        for (size_t k = 0; k < shared; k++)
            if (name[k] != first[k])
                shared = k;
    }
    if (has_name)
        return named + 1;
    while (clones > 1 && shared > 0 && first[shared - 1] != '-')
        shared--;
    return clones > 1 ? shared : 0;
}

static void read_clones(struct sources *sources, size_t number, const struct forms_list *list)
{
    char *work = allocate_format("%s/repository", sources->work);
    char message[300];
    bool made = commit_make_repository(work);
    size_t prefix = find_prefix(&sources->list[number], list);
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->entries[i].name;
        if (!list->entries[i].has_git) {
            if (!forms_is_companion(name))
                tell_unknown(sources, number, name);
            continue;
        }
        struct handed *handed = sources_add_handed(sources, number);
        person_set(&handed->person, PERSON_LOGIN, name + (strlen(name) > prefix ? prefix : 0));
        person_set(&handed->person, PERSON_FOLDER, name);
        handed_add_part(handed, name, "", false);
        char *clone = allocate_format("%s/%s", sources->list[number].root, name);
        handed->has_time = made && commit_time(clone, work, &handed->submitted, message, sizeof message);
        sources->list[number].times += handed->has_time;
        if (!handed->has_time)
            notes_add(&sources->notes, true, clone, "A clone: %s.", made ? message : strerror(errno));
        free(clone);
    }
    free(work);
}

/* ---- opening ------------------------------------------------------------------------------------------------------ */

/* "submissions (1)" -> "submissions"; "scan-submissions", "class-scan_submissions_2026_05_09_T_14_30_45" -> "scan" ... */
static char *plain_name(const char *path)
{
    size_t length = strlen(path), stem_bytes;
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *whole = allocate_text(path, length);
    const char *slash = strrchr(whole, '/');
    char *name = people_folder_name(slash ? slash + 1 : whole);
    free(whole);
    if (forms_is_archive(name, &stem_bytes))
        name[stem_bytes] = '\0';
    length = strlen(name);
    char *bracket = strrchr(name, '(');
    if (bracket && bracket > name + 1 && bracket[-1] == ' ' && isdigit((unsigned char)bracket[1]) && name[length - 1] == ')')
        bracket[-1] = '\0';
    char *stamp = strstr(name, "_submissions_");
    if (stamp && stamp > name && isdigit((unsigned char)stamp[13]))
        *stamp = '\0';
    length = strlen(name);
    if (length > 12 && strcmp(name + length - 12, "-submissions") == 0)
        name[length - 12] = '\0';
    for (char *at = name; *at != '\0'; at++)
        if (*at == ' ')
            *at = '-';
    return name;
}

static bool open_archive(struct sources *sources, struct source *source)
{
    char why[300];
    bool disk = false;
    source->root = allocate_format("%s/%zu", sources->work, sources->count);
    int file = open(source->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return refuse(sources, source->path, strerror(errno));
    source->folder = mkdir(source->root, 0777) == 0 ? open(source->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool good = source->folder >= 0
                && archive_unpack(file, source->folder, &archive_of_class, source->path, &sources->notes, &disk, why,
                                  sizeof why);
    if (source->folder < 0) {
        snprintf(why, sizeof why, "%s", strerror(errno));
        disk = true;
    }
    close(file);
    sources->disk |= disk;
    if (!good)
        snprintf(sources->message, sizeof sources->message, "%.300s: %s%s", source->path, why,
                 disk ? "" : ". Nothing of it was collected: download it again.");
    return good;
}

/* Goes into a folder that is alone, as long as a form shows there that does not show above. */
static bool open_wrappers(struct source *source, struct forms_list *list)
{
    source->form = forms_recognise(list);
    for (int level = 0; level < WRAPPERS_MAX; level++) {
        struct forms_list inside;
        if (source->form != FORM_FOLDERS || list->count != 1)
            return true;
        const char *name = list->entries[0].name;
        int folder = tree_open(source->folder, name);
        if (folder < 0 || !forms_list_read(folder, &inside))
            return false;
        enum form form = forms_recognise(&inside);
        bool is_own_name = strcmp(name, source->name) == 0 && form == FORM_FOLDERS;
        if ((form == FORM_FOLDERS && !is_own_name && inside.count != 1) || form == FORM_UNKNOWN) {
            forms_list_clear(&inside);
            close(folder);
            return true;
        }
        char *root = allocate_format("%s/%s", source->root, name);
        free(source->root);
        source->root = root;
        if (form != FORM_FOLDERS) {
            free(source->name);
            source->name = plain_name(name);
        }
        close(source->folder);
        source->folder = folder;
        forms_list_clear(list);
        *list = inside;
        source->form = form;
    }
    return true;
}

static bool read_download(struct sources *sources, size_t number)
{
    struct source *source = &sources->list[number];
    struct forms_list list;
    bool good = forms_list_read(source->folder, &list) && open_wrappers(source, &list);
    struct stat facts;
    if (!good) {
        refuse(sources, source->path, strerror(errno));
    } else if (fstatat(source->folder, ".git", &facts, AT_SYMLINK_NOFOLLOW) == 0) {
        good = refuse(sources, source->path, "this is one repository. Give the folder that holds the students' clones.");
    } else if (source->form == FORM_UNKNOWN) {
        good = refuse(
            sources, source->path,
            "this is not a download that this version knows: neither a folder for each student, nor names as Canvas and "
            "Moodle give them, nor an export of Gradescope, nor clones.");
    } else if (source->form == FORM_GRADESCOPE) {
        good = source_read_gradescope(sources, number, &list);
    } else {
        if (source->form == FORM_CANVAS_ANONYMOUS)
            source->form = FORM_CANVAS;
        if (source->form == FORM_CLONES)
            read_clones(sources, number, &list);
        else if (source->form == FORM_FOLDERS)
            read_folders(sources, number, &list);
        else
            read_named(sources, number, &list);
    }
    forms_list_clear(&list);
    return good;
}

bool sources_add(struct sources *sources, const char *path)
{
    struct stat facts;
    size_t stem_bytes, length = strlen(path), number = sources->count;
    sources->list = allocate_grown(sources->list, &sources->capacity, number + 1, sizeof *sources->list);
    struct source *source = &sources->list[sources->count++];
    *source = (struct source){.path = path, .folder = -1, .form = FORM_UNKNOWN};
    source->name = plain_name(path);
    if (stat(path, &facts) != 0)
        return refuse(sources, path, strerror(errno));
    if (S_ISDIR(facts.st_mode)) {
        source->root = allocate_text(path, strlen(path));
        source->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (source->folder < 0)
            return refuse(sources, path, strerror(errno));
        return read_download(sources, number);
    }
    if (forms_is_archive(path, &stem_bytes))
        return open_archive(sources, source) && read_download(sources, number);
    source->is_table = length > 4 && strcasecmp(path + length - 4, ".csv") == 0;
    if (source->is_table)
        return source_read_table(sources, number);
    return refuse(sources, path, "neither a folder nor an archive (.zip, .tar.gz) nor a table (.csv).");
}

void handed_clear(struct handed *handed)
{
    for (size_t i = 0; i < handed->part_count; i++) {
        free(handed->parts[i].path);
        free(handed->parts[i].as);
    }
    free(handed->parts);
    free(handed->id);
    person_clear(&handed->person);
}

void sources_clear(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        if (sources->list[i].folder >= 0)
            close(sources->list[i].folder);
        free(sources->list[i].root);
        free(sources->list[i].name);
    }
    for (size_t i = 0; i < sources->handed_count; i++)
        handed_clear(&sources->handed[i]);
    for (size_t i = 0; i < sources->row_count; i++)
        person_clear(&sources->rows[i].person);
    free(sources->list);
    free(sources->handed);
    free(sources->rows);
    notes_clear(&sources->notes);
}

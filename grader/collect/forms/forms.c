#include "grader/collect/forms/forms.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"

enum { GROUP_STUDENT = 1, GROUP_LATE, GROUP_NUMBER, GROUP_KIND, GROUP_FILE, GROUP_COUNT };

static const struct {
    const char *word, *title, *pattern, *marker;
} forms[] = {
#define FORM(id, word, title, pattern, marker) {word, title, pattern, marker},
#include "grader/collect/forms/forms.def"
#undef FORM
    {"unknown", "no form that this version knows", NULL, NULL},
};

const char *form_word(enum form form)
{
    return forms[form].word;
}

const char *form_title(enum form form)
{
    return forms[form].title;
}

/* ---- names in a folder -------------------------------------------------------------------------------------------- */

bool forms_is_noise(const char *name)
{
    static const char *const names[] = {".", "..", ".DS_Store", "Thumbs.db", "desktop.ini", "__MACOSX", ".lockstep"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "._", 2) == 0; /* macOS, beside each file that it puts into an archive */
}

static int compare_entries(const void *left, const void *right)
{
    return strcmp(((const struct forms_entry *)left)->name, ((const struct forms_entry *)right)->name);
}

bool forms_list_read(int folder, struct forms_list *list)
{
    struct stat facts;
    memset(list, 0, sizeof *list);
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = again >= 0 ? fdopendir(again) : NULL;
    if (!names) {
        if (again >= 0)
            close(again);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(names));) {
        if (forms_is_noise(entry->d_name))
            continue;
        list->entries = allocate_grown(list->entries, &list->capacity, list->count + 1, sizeof *list->entries);
        struct forms_entry *added = &list->entries[list->count++];
        added->name = allocate_text(entry->d_name, strlen(entry->d_name));
        added->is_folder = fstatat(folder, added->name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(facts.st_mode);
        char *git = allocate_format("%s/.git", added->name);
        added->has_git = added->is_folder && fstatat(folder, git, &facts, AT_SYMLINK_NOFOLLOW) == 0;
        free(git);
    }
    closedir(names);
    if (list->count > 0)
        qsort(list->entries, list->count, sizeof *list->entries, compare_entries);
    return true;
}

void forms_list_clear(struct forms_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->entries[i].name);
    free(list->entries);
    memset(list, 0, sizeof *list);
}

/* ---- names taken apart -------------------------------------------------------------------------------------------- */

static char *take_group(const char *name, const regmatch_t *group)
{
    return allocate_text(name + (group->rm_so > 0 ? group->rm_so : 0),
                         group->rm_so >= 0 ? (size_t)(group->rm_eo - group->rm_so) : 0);
}

bool form_name_read(enum form form, const char *name, struct form_name *parts)
{
    regmatch_t groups[GROUP_COUNT];
    regex_t pattern;
    if (!forms[form].pattern)
        return false;
    int made = regcomp(&pattern, forms[form].pattern, REG_EXTENDED);
    assert(made == 0);
    (void)made;
    bool fits = regexec(&pattern, name, GROUP_COUNT, groups, 0) == 0;
    regfree(&pattern);
    if (!fits)
        return false;
    char *kind = take_group(name, &groups[GROUP_KIND]);
    *parts = (struct form_name){
        .student = take_group(name, &groups[GROUP_STUDENT]),
        .number = take_group(name, &groups[GROUP_NUMBER]),
        .file = take_group(name, &groups[GROUP_FILE]),
        .is_late = groups[GROUP_LATE].rm_eo > groups[GROUP_LATE].rm_so,
        .is_online_text = strcmp(kind, "onlinetext") == 0 || strcmp(kind, "text") == 0,
    };
    if (strcmp(kind, "text") == 0 || strcmp(kind, "link") == 0) { /* NAME_text.html */
        free(parts->file);
        parts->file = allocate_format("%s.html", kind);
    }
    free(kind);
    return true;
}

void form_name_clear(struct form_name *parts)
{
    free(parts->student);
    free(parts->number);
    free(parts->file);
    memset(parts, 0, sizeof *parts);
}

/* ---- which form --------------------------------------------------------------------------------------------------- */

bool forms_is_companion(const char *name)
{
    size_t length = strlen(name);
    return (length > 4 && strcasecmp(name + length - 4, ".csv") == 0) || strcmp(name, forms[FORM_GRADESCOPE].marker) == 0;
}

/* How many names have the form; *whole: of how many. */
static size_t count_names(enum form form, const struct forms_list *list, size_t *whole)
{
    size_t count = 0;
    *whole = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct form_name parts;
        const char *marker = forms[form].marker;
        *whole += !forms_is_companion(list->entries[i].name);
        if (form_name_read(form, list->entries[i].name, &parts)) {
            form_name_clear(&parts);
            count++;
        } else if (form == FORM_GRADESCOPE && strcmp(list->entries[i].name, marker) == 0) {
            *whole = count = list->count;
            break;
        } else if (form == FORM_CLONES) {
            count += list->entries[i].has_git;
        } else if (form == FORM_FOLDERS) {
            count += list->entries[i].is_folder;
        }
    }
    return count;
}

enum form forms_recognise(const struct forms_list *list)
{
    for (int form = 0; form < FORM_UNKNOWN; form++) {
        size_t whole, count = count_names(form, list, &whole);
        if (form == FORM_FOLDERS ? count > 0 : 2 * count > whole)
            return form;
    }
    return FORM_UNKNOWN;
}

bool forms_is_flat(const struct forms_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].is_folder)
            return false;
    return list->count > 0;
}

bool forms_is_archive(const char *name, size_t *stem_bytes)
{
    static const char *const endings[] = {".zip",  ".tar",    ".tar.gz", ".tgz",    ".tar.bz2",
                                          ".tbz2", ".tar.xz", ".txz",    ".tar.zst"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcasecmp(name + length - ending, endings[i]) == 0) {
            *stem_bytes = length - ending;
            return true;
        }
    }
    return false;
}

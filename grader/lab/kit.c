#include "grader/lab/kit.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/words.h"
#include "grader/lab/labs.h"

static bool has_file(const char *root, const char *name)
{
    char path[KIT_PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s/%s", root, name);
    return access(path, F_OK) == 0;
}

const char *kit_root(void)
{
    static char root[KIT_PATH_BYTES];
    static bool looked;
    if (looked)
        return root;
    looked = true;
    ssize_t length = readlink("/proc/self/exe", root, sizeof root - 1);
    root[length > 0 ? length : 0] = '\0';
    /* build/lockstep, build/sanitize/lockstep, or wherever a build was put below the kit. */
    for (char *slash; (slash = strrchr(root, '/'));) {
        *slash = '\0';
        if (has_file(root, "labs/map.yaml"))
            return root;
    }
    root[0] = '\0';
    return root;
}

const char *kit_missing(void)
{
    if (access("/proc/self/exe", F_OK) != 0)
        return "/proc is not there: it tells where this program is, and the processes of a grading need it. Mount it.";
    return "no folder above this program holds the kit's labs/map.yaml. Build it inside the kit.";
}

void kit_shown_path(const char *absolute, char path[KIT_PATH_BYTES])
{
    char here[KIT_PATH_BYTES];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool below = length > 1 && strncmp(absolute, here, length) == 0 && absolute[length] == '/';
    snprintf(path, KIT_PATH_BYTES, "%s", below ? absolute + length + 1 : absolute);
}

bool kit_has_lab(const struct lab *lab)
{
    char own[KIT_PATH_BYTES];
    snprintf(own, sizeof own, "%.3000s/labs/%.200s", kit_root(), lab->name);
    return !lab->folder || strcmp(lab->folder, own) == 0;
}

void kit_lab_part(const struct lab *lab, const char *part, char path[KIT_PATH_BYTES])
{
    if (lab->folder)
        snprintf(path, KIT_PATH_BYTES, "%.3000s/%s", lab->folder, part);
    else
        snprintf(path, KIT_PATH_BYTES, "%.3000s/labs/%s/%s", kit_root(), lab->name, part);
}

const char *kit_source_ending(const struct lab *lab)
{
    char path[KIT_PATH_BYTES], *name = allocate_format("%s.c", lab->name);
    kit_lab_part(lab, name, path);
    free(name);
    return lab->program && access(path, F_OK) == 0 ? ".c" : ".cu";
}

void kit_lab_file(const struct lab *lab, const char *folder, const char *suffix, char path[KIT_PATH_BYTES])
{
    char absolute[KIT_PATH_BYTES], name[256];
    bool is_solution = strcmp(folder, "solutions") == 0;
    if (is_solution && kit_has_lab(lab)) {
        snprintf(absolute, sizeof absolute, "%.3000s/solutions/%s/%s%s%s", kit_root(), lab->name, lab->name, suffix,
                 kit_source_ending(lab));
    } else {
        snprintf(name, sizeof name, "%.200s%s%s", is_solution ? "solution" : lab->name, suffix, kit_source_ending(lab));
        kit_lab_part(lab, name, absolute);
    }
    kit_shown_path(absolute, path);
}

/* FOLDER/4_scan/scan.cu: what an older kit's folders are called. */
static bool find_numbered(const char *folder, const struct lab *lab, char path[KIT_PATH_BYTES])
{
    DIR *directory = opendir(folder);
    bool found = false;
    for (const struct dirent *entry; directory && !found && (entry = readdir(directory));) {
        if (strcmp(labs_without_number(entry->d_name), lab->name) != 0)
            continue;
        snprintf(path, KIT_PATH_BYTES, "%.3000s/%.255s/%s%s", folder, entry->d_name, lab->name, kit_source_ending(lab));
        found = access(path, F_OK) == 0;
    }
    if (directory)
        closedir(directory);
    return found;
}

bool kit_find_file(const char *folder, const struct lab *lab, char path[KIT_PATH_BYTES])
{
    const char *ending = kit_source_ending(lab);
    snprintf(path, KIT_PATH_BYTES, "%.3000s/%s/%s%s", folder, lab->name, lab->name, ending);
    if (access(path, F_OK) == 0)
        return true;
    snprintf(path, KIT_PATH_BYTES, "%.3000s/%s%s", folder, lab->name, ending);
    if (access(path, F_OK) == 0 || find_numbered(folder, lab, path))
        return true;
    snprintf(path, KIT_PATH_BYTES, "%.3000s/%s/%s%s", folder, lab->name, lab->name, ending);
    return false;
}

bool kit_has_solutions(void)
{
    return has_file(kit_root(), "solutions");
}

void kit_handout(const struct lab *lab, char path[KIT_PATH_BYTES])
{
    char absolute[KIT_PATH_BYTES];
    bool is_absolute = lab->handout[0] == '/';
    snprintf(absolute, sizeof absolute, "%.3000s%s%s", is_absolute ? "" : kit_root(), is_absolute ? "" : "/", lab->handout);
    kit_shown_path(absolute, path);
}

char *kit_file_words(const struct lab *lab, const char *path)
{
    bool known = labs_find_for_path(path) == lab, is_own = kit_has_lab(lab);
    char *word = words_shell(path), *folder = is_own ? NULL : words_shell(lab->folder);
    char *words = allocate_format("%s%s%s%s%s", word, known ? "" : " --lab ", known ? "" : lab->name,
                                  is_own ? "" : " --labs-from ", is_own ? "" : folder);
    free(folder);
    free(word);
    return words;
}

const char *kit_program(void)
{
    return program_invocation_name;
}

const char *kit_build(void)
{
    static char build[128];
    struct stat facts;
    if (build[0] == '\0') {
        bool found = stat("/proc/self/exe", &facts) == 0;
        snprintf(build, sizeof build, "%s %.40s %lld.%09ld", KIT_VERSION, kit_git(),
                 found ? (long long)facts.st_mtim.tv_sec : 0, found ? facts.st_mtim.tv_nsec : 0);
    }
    return build;
}

/* First line of a file of the kit, without its end. */
static bool read_line(const char *name, char *line, size_t line_bytes)
{
    char path[KIT_PATH_BYTES + 256];
    snprintf(path, sizeof path, "%s/%.200s", kit_root(), name);
    FILE *file = fopen(path, "r");
    bool good = file && fgets(line, (int)line_bytes, file);
    if (file)
        fclose(file);
    line[good ? strcspn(line, "\r\n") : 0] = '\0';
    return good;
}

const char *kit_git(void)
{
    static char commit[256];
    char head[256];
    if (commit[0] != '\0' || kit_root()[0] == '\0')
        return commit;
    if (!read_line(".git/HEAD", head, sizeof head)) {
        read_line(KIT_COMMIT, commit, sizeof commit);
    } else if (strncmp(head, "ref: ", 5) != 0) {
        snprintf(commit, sizeof commit, "%s", head);
    } else {
        char *name = allocate_format(".git/%s", head + 5);
        read_line(name, commit, sizeof commit);
        free(name);
    }
    return commit;
}

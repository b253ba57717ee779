#include "tests/support.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/compile/cache.h"
#include "runtime/compile/compile_cache.h"
#include "runtime/compile/includes.h"
#include "runtime/lockstep.h"

static char folder[SUPPORT_PATH_BYTES]; /* LOCKSTEP_CACHE of this suite; empty at the start of each test that asks */

static const char source[] = "__global__ void twice(float *a, int n)\n"
                             "{\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x, unused;\n"
                             "    if (i < n) a[i] *= 2.0f;\n"
                             "}\n";

static const lockstep_compile_request request = {
    .source = source, .source_bytes = sizeof source - 1, .file_name = "twice.cu", .major = 8, .minor = 0};
static lockstep_error error;

static int use_folder(void)
{
    if (!support_temporary_directory(folder))
        return -1;
    return setenv("LOCKSTEP_CACHE", folder, 1);
}

static int remove_folder(void)
{
    support_remove_tree(folder);
    return 0;
}

static void empty_folder(void)
{
    support_remove_tree(folder);
    mkdir(folder, 0700);
}

/* Compiles and tells whether the cache gave the result; -1 when it does not compile. */
static int compile_is_hit(const lockstep_compile_request *what)
{
    lockstep_compiled compiled;
    if (lockstep_compile(what, &compiled, &error) != LOCKSTEP_OK)
        return -1;
    int hit = compiled.from_cache;
    bool whole = compiled.ptx && strstr(compiled.ptx, ".entry") && compiled.ptx_bytes == strlen(compiled.ptx);
    lockstep_compiled_clear(&compiled);
    return whole ? hit : -1;
}

/* The path of the entry of `request`. */
static void entry_path(char path[SUPPORT_PATH_BYTES])
{
    struct cache_key key;
    CU_ASSERT_FATAL(compile_cache_key(&request, &key));
    snprintf(path, SUPPORT_PATH_BYTES, "%.800s/%c/%s", folder, key.text[0], key.text);
}

static size_t count_files(const char *path)
{
    size_t count = 0;
    DIR *directory = opendir(path);
    for (struct dirent *file; directory && (file = readdir(directory));)
        count += file->d_name[0] != '.' || strlen(file->d_name) > 2;
    if (directory)
        closedir(directory);
    return count;
}

/* ---- hits --------------------------------------------------------------------------------------------------------- */

static void gives_the_same_result_the_second_time(void)
{
    lockstep_compiled first, second;
    empty_folder();
    CU_ASSERT_EQUAL_FATAL(lockstep_compile(&request, &first, &error), LOCKSTEP_OK);
    CU_ASSERT_EQUAL_FATAL(lockstep_compile(&request, &second, &error), LOCKSTEP_OK);
    CU_ASSERT_FALSE(first.from_cache);
    CU_ASSERT_TRUE(second.from_cache);
    CU_ASSERT_EQUAL(first.ptx_bytes, second.ptx_bytes);
    CU_ASSERT_STRING_EQUAL(first.ptx, second.ptx);
    CU_ASSERT_EQUAL(first.diagnostic_count, 1);
    CU_ASSERT_EQUAL_FATAL(first.diagnostic_count, second.diagnostic_count);
    CU_ASSERT_EQUAL(memcmp(first.diagnostics, second.diagnostics, sizeof *first.diagnostics), 0);
    lockstep_compiled_clear(&first);
    lockstep_compiled_clear(&second);
}

static bool has_loaded_nvrtc(void)
{
    bool found = false;
    char line[1024];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        found |= strstr(line, "libnvrtc") != NULL;
    if (maps)
        fclose(maps);
    return found;
}

/* In a child of its own: 0 when all of it holds. */
static int in_child(int (*body)(void))
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(body());
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return status;
}

static int fill(void)
{
    return compile_is_hit(&request) == 0 && has_loaded_nvrtc() ? 0 : 1;
}

static int hit_without_nvrtc(void)
{
    lockstep_compiled compiled;
    if (compile_is_hit(&request) != 1)
        return 1;
    if (!lockstep_compile_find_cached(&request, &compiled) || !compiled.from_cache)
        return 2;
    lockstep_compiled_clear(&compiled);
    return has_loaded_nvrtc() ? 3 : 0;
}

static void a_hit_does_not_load_nvrtc(void)
{
    empty_folder();
    CU_ASSERT_EQUAL(in_child(fill), 0);
    CU_ASSERT_EQUAL(in_child(hit_without_nvrtc), 0);
}

static void everything_that_matters_is_in_the_key(void)
{
    static const char *const option[] = {"-DX=1"};
    lockstep_compile_request other = request;
    empty_folder();
    CU_ASSERT_EQUAL(compile_is_hit(&request), 0);
    other.source_bytes--;
    CU_ASSERT_EQUAL(compile_is_hit(&other), 0);
    other = request;
    other.file_name = "thrice.cu";
    CU_ASSERT_EQUAL(compile_is_hit(&other), 0);
    other = request;
    other.minor = 6;
    CU_ASSERT_EQUAL(compile_is_hit(&other), 0);
    other = request;
    other.options = option;
    other.option_count = 1;
    CU_ASSERT_EQUAL(compile_is_hit(&other), 0);
    other = request;
    other.no_cache = true;
    CU_ASSERT_EQUAL(compile_is_hit(&other), 0);
    CU_ASSERT_EQUAL(compile_is_hit(&request), 1);
}

static void keeps_what_another_process_compiled(void)
{
    lockstep_compile_request uncached = request;
    uncached.no_cache = true;
    lockstep_compiled compiled, found;
    empty_folder();
    CU_ASSERT_EQUAL_FATAL(lockstep_compile(&uncached, &compiled, &error), LOCKSTEP_OK);
    CU_ASSERT_FALSE(lockstep_compile_find_cached(&uncached, &found));
    CU_ASSERT_PTR_NULL(found.ptx);
    lockstep_compile_keep(&uncached, &compiled);
    CU_ASSERT_TRUE_FATAL(lockstep_compile_find_cached(&uncached, &found));
    CU_ASSERT_STRING_EQUAL(found.ptx, compiled.ptx);
    lockstep_compiled_clear(&compiled);
    lockstep_compiled_clear(&found);
}

/* ---- damage ------------------------------------------------------------------------------------------------------- */

static void ignores_and_repairs_damaged_entries(void)
{
    char path[SUPPORT_PATH_BYTES];
    size_t bytes = 0;
    empty_folder();
    CU_ASSERT_EQUAL_FATAL(compile_is_hit(&request), 0);
    entry_path(path);
    char *whole = support_read_file(path, &bytes);
    CU_ASSERT_FATAL(whole && bytes > 100);
    const size_t lengths[] = {0, 1, 7, 47, 48, 60, bytes / 2, bytes - 1};
    for (size_t at = 0; at < SUPPORT_COUNT(lengths); at++) {
        CU_ASSERT(support_write_file(path, whole, lengths[at]));
        CU_ASSERT_EQUAL(compile_is_hit(&request), 0);
        CU_ASSERT_EQUAL(compile_is_hit(&request), 1);
    }
    const size_t places[] = {0, 8, 15, 20, 47, 48, 56, 100, bytes / 2, bytes - 1};
    for (size_t at = 0; at < SUPPORT_COUNT(places); at++) {
        whole[places[at]] ^= 0x40;
        CU_ASSERT(support_write_file(path, whole, bytes));
        whole[places[at]] ^= 0x40;
        CU_ASSERT_EQUAL(compile_is_hit(&request), 0);
        CU_ASSERT_EQUAL(compile_is_hit(&request), 1);
    }
    free(whole);
}

static void ignores_an_entry_under_another_key(void)
{
    char path[SUPPORT_PATH_BYTES];
    size_t bytes = 0;
    lockstep_compile_request other = request;
    other.file_name = "other.cu";
    empty_folder();
    CU_ASSERT_EQUAL_FATAL(compile_is_hit(&request), 0);
    entry_path(path);
    char *whole = support_read_file(path, &bytes);
    CU_ASSERT_FATAL(whole != NULL);
    struct cache_key key;
    CU_ASSERT_FATAL(compile_cache_key(&other, &key));
    snprintf(path, sizeof path, "%.800s/%c", folder, key.text[0]);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%.800s/%c/%s", folder, key.text[0], key.text);
    CU_ASSERT(support_write_file(path, whole, bytes));
    CU_ASSERT_EQUAL(compile_is_hit(&other), 0);
    free(whole);
}

static void does_not_wait_at_a_pipe_or_follow_a_link(void)
{
    char path[SUPPORT_PATH_BYTES];
    empty_folder();
    CU_ASSERT_EQUAL(compile_is_hit(&request), 0);
    entry_path(path);
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT_EQUAL(mkfifo(path, 0600), 0);
    CU_ASSERT_EQUAL(compile_is_hit(&request), 0);
    CU_ASSERT_EQUAL(compile_is_hit(&request), 1); /* the rename replaced the pipe */
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT_EQUAL(symlink("/etc/passwd", path), 0);
    CU_ASSERT_EQUAL(compile_is_hit(&request), 0);
    CU_ASSERT_EQUAL(compile_is_hit(&request), 1);
}

/* ---- no room, no right -------------------------------------------------------------------------------------------- */

static int compile_without_room(void)
{
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {64, 64}; /* every write beyond 64 bytes fails, as on a full disk */
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    return compile_is_hit(&request) == 0 ? 0 : 2;
}

static void compiles_when_the_disk_is_full(void)
{
    char path[SUPPORT_PATH_BYTES];
    empty_folder();
    CU_ASSERT_EQUAL(in_child(compile_without_room), 0);
    entry_path(path);
    CU_ASSERT(access(path, F_OK) != 0);
    *strrchr(path, '/') = '\0';
    CU_ASSERT_EQUAL(count_files(path), 0); /* no half-written file stays */
}

/* Compiles twice; true when it works and neither result comes from the cache. */
static bool never_hits(void)
{
    int first = compile_is_hit(&request), second = compile_is_hit(&request);
    return first == 0 && second == 0;
}

static int compile_without_folder(void)
{
    char path[SUPPORT_PATH_BYTES];
    support_join(path, folder, "a_file");
    if (!support_write_text(path, "in the way\n"))
        return 1;
    support_join(path, folder, "a_file/cache");
    setenv("LOCKSTEP_CACHE", path, 1);
    if (!never_hits())
        return 2;
    setenv("LOCKSTEP_CACHE", "none", 1);
    if (!never_hits())
        return 3;
    unsetenv("LOCKSTEP_CACHE");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    return never_hits() ? 0 : 4;
}

static void compiles_where_nothing_can_be_written(void)
{
    empty_folder();
    CU_ASSERT_EQUAL(in_child(compile_without_folder), 0);
}

static int use_default_folders(void)
{
    char path[CACHE_PATH_BYTES];
    unsetenv("LOCKSTEP_CACHE");
    setenv("HOME", "/home/someone", 1);
    setenv("XDG_CACHE_HOME", "relative", 1);
    if (!cache_folder(path) || strcmp(path, "/home/someone/.cache/lockstep") != 0)
        return 1;
    setenv("XDG_CACHE_HOME", "/xdg", 1);
    return cache_folder(path) && strcmp(path, "/xdg/lockstep") == 0 ? 0 : 2;
}

static void follows_the_base_directory_specification(void)
{
    CU_ASSERT_EQUAL(in_child(use_default_folders), 0);
}

/* ---- many, and old ------------------------------------------------------------------------------------------------ */

static void survives_eight_processes_at_once(void)
{
    enum { PROCESSES = 8 };
    pid_t children[PROCESSES];
    char path[SUPPORT_PATH_BYTES];
    empty_folder();
    fflush(NULL);
    for (int at = 0; at < PROCESSES; at++) {
        children[at] = fork();
        if (children[at] == 0) {
            int good = compile_is_hit(&request) >= 0;
            for (int round = 0; round < 20; round++) {
                struct cache_key key;
                uint8_t *payload = NULL;
                size_t bytes = 0;
                good = good && compile_cache_key(&request, &key) && cache_load(&key, &payload, &bytes);
                if (payload)
                    cache_store(&key, payload, bytes);
                free(payload);
            }
            _exit(good ? 0 : 1);
        }
    }
    for (int at = 0; at < PROCESSES; at++) {
        int status = -1;
        CU_ASSERT_EQUAL(waitpid(children[at], &status, 0), children[at]);
        CU_ASSERT_EQUAL(status, 0);
    }
    CU_ASSERT_EQUAL(compile_is_hit(&request), 1);
    entry_path(path);
    *strrchr(path, '/') = '\0';
    CU_ASSERT_EQUAL(count_files(path), 1);
}

/* A file in the suite's folder, last used some seconds ago. */
static void make_old_file(const char *name, size_t bytes, int age_seconds)
{
    static const char zeros[4096];
    char path[SUPPORT_PATH_BYTES];
    struct timespec times[2];
    support_join(path, folder, name);
    CU_ASSERT(support_write_file(path, zeros, bytes));
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= age_seconds;
    times[1] = times[0];
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool exists(const char *name)
{
    char path[SUPPORT_PATH_BYTES];
    return access(support_join(path, folder, name), F_OK) == 0;
}

static void removes_the_oldest_and_only_its_own(void)
{
    char names[4][65];
    empty_folder();
    for (int at = 0; at < 4; at++) {
        memset(names[at], 'a' + at, 64);
        names[at][64] = '\0';
    }
    make_old_file(names[0], 4000, 5000);
    make_old_file(names[1], 4000, 9000);
    make_old_file(names[2], 4000, 3000);
    make_old_file(names[3], 4000, 1);
    make_old_file("homework.txt", 4000, 100000);
    make_old_file(".lockstep-new-abcdef", 10, 7200);
    make_old_file(".lockstep-new-ghijkl", 10, 5);
    cache_trim(folder, 9000);
    CU_ASSERT_FALSE(exists(names[1]));
    CU_ASSERT_FALSE(exists(names[0]));
    CU_ASSERT_TRUE(exists(names[2]));
    CU_ASSERT_TRUE(exists(names[3]));
    CU_ASSERT_TRUE(exists("homework.txt"));
    CU_ASSERT_FALSE(exists(".lockstep-new-abcdef"));
    CU_ASSERT_TRUE(exists(".lockstep-new-ghijkl"));
    cache_trim(folder, 0);
    CU_ASSERT_FALSE(exists(names[2]));
    CU_ASSERT_TRUE(exists(names[3])); /* just written: perhaps somebody is about to read it */
}

static void a_hit_counts_as_use(void)
{
    char path[SUPPORT_PATH_BYTES];
    struct stat information;
    empty_folder();
    CU_ASSERT_EQUAL(compile_is_hit(&request), 0);
    entry_path(path);
    struct timespec old[2] = {{1000000, 0}, {1000000, 0}};
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, old, 0), 0);
    CU_ASSERT_EQUAL(compile_is_hit(&request), 1);
    CU_ASSERT_EQUAL(stat(path, &information), 0);
    CU_ASSERT(information.st_mtim.tv_sec > 1000000);
}

/* ---- what may be cached ------------------------------------------------------------------------------------------- */

static void check_scan(const char *text, bool foreign, bool cacheable)
{
    struct includes found = includes_scan(text, strlen(text), "no/such/folder/k.cu", true);
    if (found.foreign != foreign || found.cacheable != cacheable)
        fprintf(stderr, "includes_scan(%s): foreign %d, cacheable %d\n", text, found.foreign, found.cacheable);
    CU_ASSERT_EQUAL(found.foreign, foreign);
    CU_ASSERT_EQUAL(found.cacheable, cacheable);
}

static void recognises_what_a_source_depends_on(void)
{
    check_scan("", false, true);
    check_scan("int a; // we include nothing\n", false, true);
    check_scan("#include <stdio.h>\n  #  include \"math.h\"\n", false, true);
    check_scan("#include <cuda_fp16.h>", true, true);
    check_scan("#include </etc/passwd>\n", true, false);
    check_scan("#include \"../solution.cu\"\n", true, false);
    check_scan("#define H <stdio.h>\n#include H\n", true, false);
    check_scan("#if __has_include(<secret.h>)\n#endif\n", true, false);
    check_scan("#/**/include <stdio.h>\n", true, false);
    check_scan("#\\\ninclude <stdio.h>\n", true, false);
    check_scan("%:include <stdio.h>\n", true, false);
    check_scan("#include <stdio.h", true, false);
    check_scan("#include <README.md>\n", true, false); /* exists in the working folder */
    check_scan("include", false, true);
    check_scan("#include", true, false);
}

static void does_not_cache_what_depends_on_the_users_files(void)
{
    char header[SUPPORT_PATH_BYTES], name[SUPPORT_PATH_BYTES];
    static const char text[] = "#include \"factor.h\"\n__global__ void k(float *a) { *a *= FACTOR; }\n";
    lockstep_compile_request own = {
        .source = text, .source_bytes = sizeof text - 1, .major = 8, .file_name = support_join(name, folder, "k.cu")};
    lockstep_compiled compiled;
    empty_folder();
    CU_ASSERT(support_write_text(support_join(header, folder, "factor.h"), "#define FACTOR 2.0f\n"));
    CU_ASSERT_EQUAL(compile_is_hit(&own), 0);
    CU_ASSERT(support_write_text(header, "#define FACTOR 42.0f\n"));
    CU_ASSERT_EQUAL_FATAL(lockstep_compile(&own, &compiled, &error), LOCKSTEP_OK);
    CU_ASSERT_FALSE(compiled.from_cache);
    SUPPORT_CONTAINS(compiled.ptx, "0f42280000");
    lockstep_compiled_clear(&compiled);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(a_hit_does_not_load_nvrtc), /* before this process has loaded it */
    SUPPORT_TEST(gives_the_same_result_the_second_time),
    SUPPORT_TEST(everything_that_matters_is_in_the_key),
    SUPPORT_TEST(keeps_what_another_process_compiled),
    SUPPORT_TEST(ignores_and_repairs_damaged_entries),
    SUPPORT_TEST(ignores_an_entry_under_another_key),
    SUPPORT_TEST(does_not_wait_at_a_pipe_or_follow_a_link),
    SUPPORT_TEST(compiles_when_the_disk_is_full),
    SUPPORT_TEST(compiles_where_nothing_can_be_written),
    SUPPORT_TEST(follows_the_base_directory_specification),
    SUPPORT_TEST(survives_eight_processes_at_once),
    SUPPORT_TEST(removes_the_oldest_and_only_its_own),
    SUPPORT_TEST(a_hit_counts_as_use),
    SUPPORT_TEST(recognises_what_a_source_depends_on),
    SUPPORT_TEST(does_not_cache_what_depends_on_the_users_files),
};

int cache_suite_register(void)
{
    return support_register_with("cache", use_folder, remove_folder, tests, SUPPORT_COUNT(tests));
}

/* Folders for work: they go with the process that made them, and nothing else does. */
#include "tests/support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/scratch.h"

static char root[SUPPORT_PATH_BYTES];
static char *before;

/* Folders are made in a folder of the test's. */
static void begin(void)
{
    before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
    CU_ASSERT_FATAL(support_temporary_directory(root));
    setenv("TMPDIR", root, 1);
}

static void end(void)
{
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    free(before);
    support_remove_tree(root);
}

static void put(const char *folder, const char *name)
{
    char *path = allocate_format("%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CU_ASSERT(file >= 0);
    close(file);
    free(path);
}

static bool is_there(const char *folder, const char *name)
{
    char *path = allocate_format("%s/%s", folder, name);
    struct stat facts;
    bool there = lstat(path, &facts) == 0;
    free(path);
    return there;
}

static void a_folder_goes_with_its_files(void)
{
    struct scratch scratch;
    struct stat facts;
    begin();
    CU_ASSERT_FATAL(scratch_make("test", &scratch));
    CU_ASSERT(stat(scratch.path, &facts) == 0 && (facts.st_mode & 0777) == 0700);
    put(scratch.path, "file");
    char *path = strdup(scratch.path);
    scratch_remove(&scratch);
    CU_ASSERT(access(path, F_OK) != 0 && errno == ENOENT);
    scratch_remove(&scratch);
    free(path);
    end();
}

static void a_folder_goes_when_its_process_is_killed(void)
{
    static const int deaths[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP};
    begin();
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) {
        char path[SCRATCH_PATH_BYTES] = "";
        int ends[2];
        CU_ASSERT_FATAL(pipe(ends) == 0);
        pid_t child = fork();
        if (child == 0) {
            struct scratch scratch;
            setpgid(0, 0);
            signal(deaths[i], SIG_DFL);
            if (!scratch_make("test", &scratch) || write(ends[1], scratch.path, sizeof path) != sizeof path)
                _exit(1);
            for (;;)
                pause();
        }
        CU_ASSERT_FATAL(read(ends[0], path, sizeof path) == sizeof path);
        put(path, "file");
        CU_ASSERT(kill(-child, deaths[i]) == 0 || kill(child, deaths[i]) == 0);
        waitpid(child, NULL, 0);
        while (access(path, F_OK) == 0) /* the runner ends a suite that hangs */
            usleep(1000);
        close(ends[0]);
        close(ends[1]);
    }
    end();
}

static void what_a_killed_keeper_left_goes_and_nothing_else(void)
{
    struct scratch scratch, second;
    begin();
    char *left = allocate_format("%s/lockstep-test-aaaaaa", root), *used = allocate_format("%s/lockstep-test-bbbbbb", root),
         *open_to_all = allocate_format("%s/lockstep-test-cccccc", root), *target = allocate_format("%s/target", root),
         *link = allocate_format("%s/lockstep-test-dddddd", root);
    CU_ASSERT(mkdir(left, 0700) == 0 && mkdir(used, 0700) == 0 && mkdir(open_to_all, 0700) == 0 && mkdir(target, 0700) == 0);
    CU_ASSERT(chmod(open_to_all, 0755) == 0 && symlink(target, link) == 0);
    put(left, "file");
    put(used, "file");
    put(open_to_all, "file");
    put(target, "file");
    int lock = open(used, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CU_ASSERT(lock >= 0 && flock(lock, LOCK_EX) == 0);
    CU_ASSERT_FATAL(scratch_make("test", &scratch) && scratch_make("test", &second));
    CU_ASSERT(access(left, F_OK) != 0);
    CU_ASSERT(is_there(used, "file") && is_there(open_to_all, "file") && is_there(target, "file")
              && is_there(root, "target"));
    CU_ASSERT(access(scratch.path, F_OK) == 0); /* the second left the first alone */
    scratch_remove(&second);
    CU_ASSERT(access(scratch.path, F_OK) == 0);
    scratch_remove(&scratch);
    close(lock);
    free(left);
    free(used);
    free(open_to_all);
    free(target);
    free(link);
    end();
}

static const struct support_test tests[] = {
    SUPPORT_TEST(a_folder_goes_with_its_files),
    SUPPORT_TEST(a_folder_goes_when_its_process_is_killed),
    SUPPORT_TEST(what_a_killed_keeper_left_goes_and_nothing_else),
};

int scratch_suite_register(void)
{
    return support_register("scratch", tests, SUPPORT_COUNT(tests));
}

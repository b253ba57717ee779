/* When `lockstep watch` takes a file that was saved: by a clock that only these tests move. */
#include "tests/support.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/record.h"
#include "grader/student/watch.h"

static char folder[SUPPORT_PATH_BYTES], path[SUPPORT_PATH_BYTES];
static struct watch_file file;
static int64_t now_ms;

static int64_t tests_clock(void)
{
    return now_ms;
}

static void begin(void)
{
    now_ms = 1000000;
    record_set_clock(tests_clock);
    CU_ASSERT_FATAL(support_temporary_directory(folder));
    CU_ASSERT_FATAL(support_write_text(support_join(path, folder, "scan.cu"), "first\n"));
    watch_file_open(path, &file);
    CU_ASSERT_FALSE(watch_file_take(&file));
}

static void end(void)
{
    watch_file_close(&file);
    support_remove_tree(folder);
    record_set_clock(NULL);
}

/* Some milliseconds later: is the file taken? */
static bool is_taken_after(int64_t ms)
{
    now_ms += ms;
    watch_file_look(&file);
    return watch_file_take(&file);
}

static void save(const char *text)
{
    CU_ASSERT(support_write_text(path, text));
    watch_file_look(&file);
}

static void takes_a_save_once_after_a_moment_of_quiet(void)
{
    begin();
    save("second\n");
    CU_ASSERT_EQUAL(watch_file_wait_ms(&file), WATCH_FILE_QUIET_MS);
    CU_ASSERT_FALSE(is_taken_after(WATCH_FILE_QUIET_MS - 1));
    CU_ASSERT_EQUAL(watch_file_wait_ms(&file), 1);
    CU_ASSERT_TRUE(is_taken_after(1));
    CU_ASSERT_FALSE(is_taken_after(WATCH_FILE_LONGEST_MS));
    end();
}

static void gives_a_file_that_was_emptied_the_time_to_be_written(void)
{
    begin();
    save("");
    CU_ASSERT_FALSE(is_taken_after(2 * WATCH_FILE_QUIET_MS)); /* what is whole would be taken */
    save("second\n");
    CU_ASSERT_FALSE(is_taken_after(WATCH_FILE_QUIET_MS - 1));
    CU_ASSERT_TRUE(is_taken_after(1));
    end();
}

static void takes_a_file_that_stays_empty_or_away(void)
{
    begin();
    save("");
    CU_ASSERT_TRUE(is_taken_after(WATCH_FILE_QUIET_EMPTY_MS));
    CU_ASSERT_EQUAL(unlink(path), 0);
    watch_file_look(&file);
    CU_ASSERT_FALSE(is_taken_after(WATCH_FILE_QUIET_EMPTY_MS - 1));
    CU_ASSERT_TRUE(is_taken_after(1));
    CU_ASSERT_FALSE(file.there);
    end();
}

/* An editor that saves without end does not put off the grading without end. */
static void does_not_wait_for_ever_for_quiet(void)
{
    int64_t waited = 0;
    begin();
    save("second\n");
    while (!is_taken_after(WATCH_FILE_QUIET_MS / 2) && waited < 10 * WATCH_FILE_LONGEST_MS) {
        waited += WATCH_FILE_QUIET_MS / 2;
        save(waited / (WATCH_FILE_QUIET_MS / 2) % 2 == 0 ? "one\n" : "another\n");
    }
    CU_ASSERT(waited <= WATCH_FILE_LONGEST_MS);
    CU_ASSERT(waited >= WATCH_FILE_LONGEST_MS - WATCH_FILE_QUIET_MS);
    end();
}

static void takes_a_file_that_was_put_in_its_place(void)
{
    char other[SUPPORT_PATH_BYTES];
    begin();
    CU_ASSERT(support_write_text(support_join(other, folder, "scan.cu.new"), "second\n"));
    CU_ASSERT_FALSE(is_taken_after(WATCH_FILE_LONGEST_MS));
    CU_ASSERT_EQUAL(rename(other, path), 0);
    watch_file_look(&file);
    CU_ASSERT_TRUE(is_taken_after(WATCH_FILE_QUIET_MS));
    end();
}

static const struct support_test tests[] = {
    SUPPORT_TEST(takes_a_save_once_after_a_moment_of_quiet),
    SUPPORT_TEST(gives_a_file_that_was_emptied_the_time_to_be_written),
    SUPPORT_TEST(takes_a_file_that_stays_empty_or_away),
    SUPPORT_TEST(does_not_wait_for_ever_for_quiet),
    SUPPORT_TEST(takes_a_file_that_was_put_in_its_place),
};

int watch_file_suite_register(void)
{
    return support_register("watch_file", tests, SUPPORT_COUNT(tests));
}

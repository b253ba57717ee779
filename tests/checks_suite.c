/* The checkers for races, poison and barriers: tests/fixtures/checks holds kernels that say what must be found in them
 * (tests/checks.h), launched with every check.
 *
 * LOCKSTEP_TEST_CHECKS names a file of such kernels, to be run instead of the fixtures; LOCKSTEP_TEST_SCHEDULE an order of
 * threads for them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/lockstep.h"
#include "tests/checks.h"
#include "tests/support.h"

static char directory[SUPPORT_PATH_BYTES], findings[SUPPORT_PATH_BYTES];
static lockstep_device *device;
static bool no_compiler;

static int set_up(void)
{
    lockstep_error error;
    if (!support_temporary_directory(directory))
        return -1;
    setenv("LOCKSTEP_CHECKS", "all", 1);
    setenv("LOCKSTEP_FINDINGS", support_join(findings, directory, "findings"), 1);
    if (getenv("LOCKSTEP_TEST_SCHEDULE"))
        setenv("LOCKSTEP_SCHEDULE", getenv("LOCKSTEP_TEST_SCHEDULE"), 1);
    no_compiler = lockstep_compiler_find(NULL, NULL, 0, &error) != LOCKSTEP_OK;
    if (no_compiler)
        return 0;
    return lockstep_device_open(LOCKSTEP_EMULATED, &device, &error) == LOCKSTEP_OK ? 0 : -1;
}

static int clean_up(void)
{
    if (device)
        lockstep_device_close(device);
    support_remove_tree(directory);
    return 0;
}

static void run_file(const char *name, size_t at_least)
{
    char path[SUPPORT_PATH_BYTES];
    if (no_compiler) {
        support_skip("there is no NVRTC");
        return;
    }
    snprintf(path, sizeof path, strchr(name, '/') ? "%s" : "tests/fixtures/checks/%s.cu", name);
    checks_run_file(path, findings, &device, at_least);
}

static void says_who_waits_where_and_who_has_left(void)
{
    run_file("barriers", 21);
}

static void finds_races_in_shared_memory(void)
{
    run_file("races_shared", 13);
}

static void finds_races_in_global_memory(void)
{
    run_file("races_global", 12);
}

static void finds_races_with_atomics_volatiles_and_locks(void)
{
    run_file("races_strong", 16);
}

static void tells_guesses_from_races(void)
{
    run_file("guesses", 27);
}

static void tells_volatile_flags_from_lost_updates(void)
{
    run_file("volatile", 16);
}

static void proves_that_a_launch_never_ends(void)
{
    run_file("endless", 11);
}

static void agrees_with_predictions_about_waiting_and_order(void)
{
    run_file("waiting", 73);
}

static void is_silent_where_threads_are_ordered(void)
{
    run_file("silent_order", 17);
}

static void is_silent_about_common_patterns(void)
{
    run_file("silent_patterns", 14);
}

static void finds_copies_that_nobody_waited_for(void)
{
    run_file("async", 14);
}

static void is_silent_about_copies_and_barrier_objects_in_order(void)
{
    run_file("silent_async", 12);
}

static void finds_values_that_nobody_wrote(void)
{
    run_file("poison", 11);
}

static void follows_unwritten_values_through_lanes_and_bits(void)
{
    run_file("poison_flow", 25);
}

static void is_silent_where_unwritten_values_do_not_matter(void)
{
    run_file("poison_silent", 12);
}

static void tells_padding_that_is_moved_from_values_that_are_used(void)
{
    run_file("padding", 11);
}

static void names_the_cause_of_several_that_could_be_meant(void)
{
    run_file("reasons", 9);
}

static void finds_what_kernels_free_that_they_must_not(void)
{
    run_file("heap", 4);
}

static void follows_the_elements_of_matrices(void)
{
    run_file("matrix", 7);
}

static void names_the_calls_that_led_to_an_access(void)
{
    run_file("places", 7);
}

static void spells_out_the_index_of_an_access(void)
{
    run_file("explain", 21);
}

static void tells_right_messages_from_wrong_ones(void)
{
    run_file("protocols_messages", 45);
}

static void tells_right_locks_and_grid_barriers_from_wrong_ones(void)
{
    run_file("protocols_locks", 55);
}

static void finds_the_mistakes_of_textbook_kernels(void)
{
    run_file("textbook", 60);
}

static void finds_the_mistakes_of_students(void)
{
    run_file("students", 13);
}

static void finds_what_the_given_file_says(void)
{
    run_file(getenv("LOCKSTEP_TEST_CHECKS"), 1);
}

static const struct support_test given[] = {SUPPORT_TEST(finds_what_the_given_file_says)};

static const struct support_test tests[] = {
    SUPPORT_TEST(names_the_calls_that_led_to_an_access),
    SUPPORT_TEST(spells_out_the_index_of_an_access),
    SUPPORT_TEST(follows_the_elements_of_matrices),
    SUPPORT_TEST(says_who_waits_where_and_who_has_left),
    SUPPORT_TEST(finds_races_in_shared_memory),
    SUPPORT_TEST(finds_races_in_global_memory),
    SUPPORT_TEST(finds_races_with_atomics_volatiles_and_locks),
    SUPPORT_TEST(tells_guesses_from_races),
    SUPPORT_TEST(tells_volatile_flags_from_lost_updates),
    SUPPORT_TEST(proves_that_a_launch_never_ends),
    SUPPORT_TEST(agrees_with_predictions_about_waiting_and_order),
    SUPPORT_TEST(is_silent_where_threads_are_ordered),
    SUPPORT_TEST(is_silent_about_common_patterns),
    SUPPORT_TEST(finds_copies_that_nobody_waited_for),
    SUPPORT_TEST(is_silent_about_copies_and_barrier_objects_in_order),
    SUPPORT_TEST(finds_values_that_nobody_wrote),
    SUPPORT_TEST(follows_unwritten_values_through_lanes_and_bits),
    SUPPORT_TEST(is_silent_where_unwritten_values_do_not_matter),
    SUPPORT_TEST(tells_padding_that_is_moved_from_values_that_are_used),
    SUPPORT_TEST(tells_right_messages_from_wrong_ones),
    SUPPORT_TEST(tells_right_locks_and_grid_barriers_from_wrong_ones),
    SUPPORT_TEST(finds_the_mistakes_of_textbook_kernels),
    SUPPORT_TEST(finds_the_mistakes_of_students),
    SUPPORT_TEST(names_the_cause_of_several_that_could_be_meant),
    SUPPORT_TEST(finds_what_kernels_free_that_they_must_not),
};

int checks_suite_register(void)
{
    if (getenv("LOCKSTEP_TEST_CHECKS"))
        return support_register_with("checks", set_up, clean_up, given, SUPPORT_COUNT(given));
    return support_register_with("checks", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}

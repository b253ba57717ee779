/* Pictures: files that are read, PNG files that are written, and what a result keeps of a wrong one. */
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "grader/lab/picture.h"
#include "grader/lab/random.h"
#include "grader/result/json_text.h"
#include "tests/small_lab.h"

static char directory[SUPPORT_PATH_BYTES];

static int set_up(void)
{
    return support_temporary_directory(directory) ? 0 : -1;
}

static int clean_up(void)
{
    support_remove_tree(directory);
    return 0;
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

static bool read_text(const char *text, size_t bytes, size_t channels, struct picture *picture, char message[512])
{
    char path[SUPPORT_PATH_BYTES];
    FILE *file = fopen(support_join(path, directory, "picture"), "wb");
    fwrite(text, 1, bytes, file);
    fclose(file);
    return picture_read(path, channels, picture, message, 512);
}

static void expect_pixels(const char *text, size_t bytes, size_t channels, const char *pixels)
{
    struct picture picture;
    char message[512] = "";
    CU_ASSERT(read_text(text, bytes, channels, &picture, message));
    CU_ASSERT_STRING_EQUAL(message, "");
    CU_ASSERT(picture.columns == 2 && picture.rows == 1 && picture.channels == channels);
    CU_ASSERT(picture.pixels && memcmp(picture.pixels, pixels, 2 * channels) == 0);
    picture_clear(&picture);
}

static void pnm_files_are_read(void)
{
    expect_pixels("P5\n2 1\n255\n\x10\xff", 14, 1, "\x10\xff");
    expect_pixels("P5 # grey\n2 # columns\n1 255\n\x10\xff", 31, 1, "\x10\xff");
    expect_pixels("P2 2 1 15 15 0", 14, 1, "\xff\0");
    expect_pixels("P6 2 1 255\n\x01\x02\x03\xff\xff\xff", 17, 3, "\x01\x02\x03\xff\xff\xff");
    expect_pixels("P6 2 1 255\n\0\0\0\xff\xff\xff", 17, 1, "\0\xff");
    expect_pixels("P3 2 1 1 1 0 0 0 0 1", 20, 3, "\xff\0\0\0\0\xff");
    expect_pixels("P5 2 1 255\n\x10\x20", 13, 3, "\x10\x10\x10\x20\x20\x20");
}

static void other_files_are_refused(void)
{
    static const struct {
        const char *text, *message;
    } rows[] = {{"P7 2 1 255\n12", "neither a PNG file nor a PNM file"},
                {"", "neither a PNG file nor a PNM file"},
                {"P5 0 1 255\n12", "columns"},
                {"P5 2 99999 255\n12", "columns"},
                {"P5 2 1 65535\n12", "largest value of 1 to 255"},
                {"P5 2 1 255\n1", "pixel 1 of 2"},
                {"P2 2 1 7 8 1", "pixel 0 of 2"},
                {"\x89PNG but no more", "picture "}};
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct picture picture;
        char message[512] = "";
        CU_ASSERT_FALSE(read_text(rows[i].text, strlen(rows[i].text), 1, &picture, message));
        CU_ASSERT_PTR_NOT_NULL(strstr(message, rows[i].message));
        picture_clear(&picture);
    }
    struct picture picture;
    char message[512];
    CU_ASSERT_FALSE(picture_read("/no/such/file.png", 1, &picture, message, sizeof message));
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "/no/such/file.png: No such file"));
}

static void a_png_that_is_written_is_read_again(void)
{
    for (size_t channels = 1; channels <= 3; channels += 2) {
        uint8_t pixels[7 * 5 * 3];
        struct picture picture = {7, 5, channels, pixels}, again;
        char message[512];
        size_t bytes;
        for (size_t i = 0; i < sizeof pixels; i++)
            pixels[i] = (uint8_t)(i * 41);
        uint8_t *png = picture_png(&picture, &bytes);
        CU_ASSERT_PTR_NOT_NULL_FATAL(png);
        CU_ASSERT(read_text((const char *)png, bytes, channels, &again, message));
        CU_ASSERT(again.columns == 7 && again.rows == 5);
        CU_ASSERT_EQUAL(memcmp(again.pixels, pixels, 35 * channels), 0);
        picture_clear(&again);
        free(png);
    }
}

static void base64_comes_back(void)
{
    uint8_t bytes[40];
    for (size_t count = 0; count < sizeof bytes; count++) {
        size_t again;
        bytes[count] = (uint8_t)(count * 91 + 200);
        char *text = json_text_base64(bytes, count);
        uint8_t *back = json_text_decode(text, &again);
        CU_ASSERT(back && again == count && memcmp(back, bytes, count) == 0);
        free(text);
        free(back);
    }
    char *text = json_text_base64((const uint8_t *)"lockstep", 8);
    CU_ASSERT_STRING_EQUAL(text, "bG9ja3N0ZXA=");
    free(text);
    CU_ASSERT_PTR_NULL(json_text_decode("bG9j*3N0", &(size_t){0}));
    CU_ASSERT_PTR_NULL(json_text_decode("bG9ja", &(size_t){0}));
}

/* ---- a lab whose output is a picture: the negative ---------------------------------------------------------------- */

static size_t columns(const struct lab *lab, const struct lab_case *the_case, int index)
{
    (void)index;
    return (size_t)the_case->size[0] * (lab->arrays[0].picture == LAB_RGB ? 3 : 1);
}

static size_t extent(const struct lab *lab, const struct lab_case *the_case, int index)
{
    return columns(lab, the_case, index) * (size_t)the_case->size[1];
}

static void fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    (void)lab, (void)the_case;
    for (size_t i = 0; i < data->count[0]; i++)
        types_set_integer(LAB_UINT8, data->array[0].bytes, i, lab_random_below(random, 255));
}

static void reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                      const struct lab_data *data, struct lab_expected *expected)
{
    (void)lab, (void)the_case, (void)plan, (void)output;
    for (size_t i = 0; i < expected->count; i++)
        expected->i[i] = 255 - types_get_integer(LAB_UINT8, data->array[0].bytes, i);
}

static void launch(struct lab_run *run)
{
    const struct lab *lab = lab_run_lab(run);
    int64_t n = (int64_t)extent(lab, lab_run_case(run), 0);
    lab_launch(run, &(struct lab_launch){"negative", {n}, {0}, {LAB_ARRAY(0), LAB_ARRAY(1), LAB_INT(n)}});
    lab_check(run, 0, 0, (size_t)n);
}

static const char wrong[] =
    "extern \"C\" __global__ void negative(const unsigned char *in, unsigned char *out, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = i == 50 ? 9 : 255 - in[i]; }\n";

static void grade(enum lab_picture kind, int64_t size_x, int64_t size_y, struct result_lab *result)
{
    static const struct lab_kernel kernel = {
        "negative", "void negative(const unsigned char *in, unsigned char *out, int n)", {256, 1, 1}, 1, false};
    static const struct lab_plan plan = {"one launch", {0}, 1, launch};
    static const struct lab_output output[] = {{"out", 1, false}};
    struct lab_case cases[] = {{.name = "small", .purpose = "first", .size = {size_x, size_y}},
                               {.name = "larger", .purpose = "second", .size = {size_x + 5, size_y}}};
    struct lab_array arrays[] = {{"in", LAB_UINT8, LAB_INPUT, kind}, {"out", LAB_UINT8, LAB_OUTPUT, kind}};
    struct lab lab = {.name = "negative",
                      .title = "Negative",
                      .handout = "handouts/doublify.md",
                      .kernels = &kernel,
                      .kernel_count = 1,
                      .plans = &plan,
                      .plan_count = 1,
                      .arrays = arrays,
                      .array_count = 2,
                      .outputs = output,
                      .output_count = 1,
                      .cases = cases,
                      .case_count = 2,
                      .points = 10,
                      .extent = extent,
                      .columns = columns,
                      .fill = fill,
                      .reference = reference,
                      .timing_case = cases[0]};
    small_lab_grade(&lab, wrong, result);
    for (int i = 0; i < result->test_count; i++)
        result->tests[i].purpose = "";
    result->plan = "";
}

static void a_wrong_picture_is_kept_once(void)
{
    struct result_lab result;
    grade(LAB_GREY, 20, 10, &result);
    CU_ASSERT_EQUAL(result.state, RESULT_FAIL);
    const struct result_picture *picture = result.tests[0].picture;
    CU_ASSERT_PTR_NOT_NULL_FATAL(picture);
    CU_ASSERT_PTR_NULL(result.tests[1].picture);
    CU_ASSERT(picture->got.columns == 20 && picture->got.rows == 10 && picture->got.channels == 1);
    CU_ASSERT_EQUAL(picture->got.pixels[50], 9);
    CU_ASSERT_EQUAL(picture->difference.pixels[50], abs(picture->expected.pixels[50] - 9));
    CU_ASSERT_EQUAL(picture->difference.pixels[49], 0);
    result_lab_clear(&result);
}

static void colours_are_kept_pixel_by_pixel(void)
{
    struct result_lab result;
    grade(LAB_RGB, 6, 4, &result); /* element 50: row 2, pixel 4, blue */
    const struct result_picture *picture = result.tests[0].picture;
    CU_ASSERT_PTR_NOT_NULL_FATAL(picture);
    CU_ASSERT(picture->got.columns == 6 && picture->got.rows == 4 && picture->got.channels == 3);
    CU_ASSERT_EQUAL(picture->got.pixels[(2 * 6 + 4) * 3 + 2], 9);
    result_lab_clear(&result);
}

static void of_a_large_picture_a_part_is_kept(void)
{
    struct result_lab result;
    grade(LAB_GREY, 700, 600, &result);
    const struct result_picture *picture = result.tests[0].picture;
    CU_ASSERT_PTR_NOT_NULL_FATAL(picture);
    CU_ASSERT(picture->got.columns == 512 && picture->got.rows == 512 && picture->column == 0 && picture->row == 0);
    CU_ASSERT_EQUAL(picture->got.pixels[50], 9);
    result_lab_clear(&result);
}

static void an_array_that_is_no_picture_keeps_none(void)
{
    struct result_lab result;
    grade(LAB_NO_PICTURE, 20, 10, &result);
    CU_ASSERT_PTR_NULL(result.tests[0].picture);
    result_lab_clear(&result);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(pnm_files_are_read),
    SUPPORT_TEST(other_files_are_refused),
    SUPPORT_TEST(a_png_that_is_written_is_read_again),
    SUPPORT_TEST(base64_comes_back),
    SUPPORT_TEST(a_wrong_picture_is_kept_once),
    SUPPORT_TEST(colours_are_kept_pixel_by_pixel),
    SUPPORT_TEST(of_a_large_picture_a_part_is_kept),
    SUPPORT_TEST(an_array_that_is_no_picture_keeps_none),
};

int picture_suite_register(void)
{
    return support_register_with("picture", set_up, clean_up, tests, SUPPORT_COUNT(tests));
}

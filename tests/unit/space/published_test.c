/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search spaces published with "Efficient Construction of Large Search Spaces for Auto-Tuning" (2025): the
 * numbers of valid configurations must be the published ones, also by what the constraints are reported to remove.
 * The files are looked for in $TUNE_TEST_DATA, else in ../shared/data beside the repository; without them the tests
 * are skipped.
 */
#include "tests/unit/fixture.h"

#include <stdio.h>
#include <stdlib.h>

struct published {
    const char *name;
    const char *further; /* a rule that the published count stands on and the file does not list */
};

static FILE *open_data(const char *name)
{
    char path[4096];
    const char *folder = getenv("TUNE_TEST_DATA");
    if (!folder)
        folder = TUNE_SOURCE_FOLDER "/../shared/data";
    snprintf(path, sizeof path, "%s/spaces/%s.txt", folder, name);
    return fopen(path, "r");
}

struct texts {
    char *template, *space;
    double cartesian, valid; /* as published */
};

static double number_behind(const char *line, const char *key)
{
    const char *at = strstr(line, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static void convert_line(char *line, FILE *template, FILE *space)
{
    size_t name = strcspn(line, " ") + 1;
    if (strncmp(line, "param ", 6) == 0) {
        fprintf(template, "parameter %.*s\n", (int)strcspn(line + name, " "), line + name);
        fputs(line, space);
    } else if (strncmp(line, "restrict ", 9) == 0) {
        fprintf(space, "where %s", line + name);
    }
}

static struct texts convert(FILE *file, const struct published *published)
{
    struct texts texts = {0};
    size_t lengths[2], capacity = 0;
    char *line = NULL;
    FILE *template = open_memstream(&texts.template, &lengths[0]);
    FILE *space = open_memstream(&texts.space, &lengths[1]);
    assert_true(template && space);
    fprintf(template, "template published\nsize n = 1\n");
    fprintf(space, "space %s of published\n", published->name);
    assert_true(getline(&line, &capacity, file) > 0);
    texts.cartesian = number_behind(line, "cartesian=");
    texts.valid = number_behind(line, "valid=");
    while (getline(&line, &capacity, file) > 0)
        convert_line(line, template, space);
    if (published->further)
        fprintf(space, "where %s\n", published->further);
    fprintf(template, "source \"k.cu\"\nbuffer y : int[n] out\nlaunch { k<<<1, 1>>>(y) }\n"
                      "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n");
    fclose(template);
    fclose(space);
    free(line);
    return texts;
}

static void test_published(void **state)
{
    const struct published *published = *state;
    FILE *file = open_data(published->name);
    if (!file)
        skip();
    struct texts texts = convert(file, published);
    fclose(file);
    struct fixture fixture;
    fixture_create(&fixture, texts.template, texts.space);
    assert_true(problem_cartesian_count(fixture.problem) == texts.cartesian);
    assert_int_equal(problem_configuration_count(fixture.problem), (size_t)texts.valid);
    /* Listed, with a byte for each parameter of more than one value, they would take this at least. */
    const struct search_space *space = problem_search_space(fixture.problem);
    size_t varied = 0;
    for (size_t d = 0; d < search_space_dimensions(space); d++)
        varied += search_space_positions(space, d) > 1;
    assert_true((double)search_space_bytes(space) < 1.5 * texts.valid * (double)varied);

    double left = texts.cartesian;
    for (size_t i = 0; i < problem_constraint_count(fixture.problem); i++) {
        struct constraint_report report;
        problem_constraint_report(fixture.problem, i, &report);
        assert_true(report.removed >= 0);
        left -= report.removed;
    }
    assert_true(left == texts.valid);
    fixture_free(&fixture);
    free(texts.template);
    free(texts.space);
}

#define PUBLISHED(name, further)                                                                                     \
    {                                                                                                                \
        "published space " #name, test_published, NULL, NULL, &(struct published)                                    \
        {                                                                                                            \
#name, further                                                                                           \
        }                                                                                                            \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        PUBLISHED(dedispersion, NULL), PUBLISHED(expdist, "block_size_x * block_size_y <= 1024"),
        PUBLISHED(gemm, NULL),         PUBLISHED(hotspot, NULL),
        PUBLISHED(atf_prl_2x2, NULL),  PUBLISHED(atf_prl_4x4, NULL),
        PUBLISHED(atf_prl_8x8, NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every variant of the shipped templates is right on the CPU device, at the template's awkward size and where every
 * size is 1: from the `full` space the first configuration with each VARIANT, or the last, in turns, so that small
 * blocks and large ones are seen; with TUNE_TEST_ALL set, with each combination of its named choices (TRIG, FETCH or
 * FINISH where there is one). At further sizes of every third combination.
 */
#include "tests/unit/measure/compiled.h"
#include "tests/unit/measure/shipped.h"
#include "tuner/measure/evaluate.h"

static struct evaluator *evaluator;
static struct device_description description;
static struct error error;

static int make_evaluator(void **state)
{
    assert_int_equal(scratch_folder_create(state), 0);
    must(evaluator_create(device_driver_find("cpu"), 0, NULL, &evaluator, &error));
    must(evaluator_describe(evaluator, &description, &error));
    return 0;
}

static int drop_evaluator(void **state)
{
    evaluator_free(evaluator);
    return scratch_folder_remove(state);
}

/* ---- choosing configurations ------------------------------------------------------------------------------------
 */

enum { MOST_CHOICES = 64, CHOICE_TEXT = 128 };

/* A combination of named choices, "VARIANT=joint", and the configurations that make it. */
struct choice {
    char text[CHOICE_TEXT];
    size_t first, last;
};

static void choice_text(const struct shipped *shipped, size_t index, char *text)
{
    const struct template *template = shipped->template;
    struct value *slots = shipped_slots(shipped, index);
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < template->parameter_count; i++) {
        struct value value = slots[template->parameters[i].slot];
        if (value.kind == VALUE_STRING)
            used += (size_t)snprintf(text + used, CHOICE_TEXT - used, "%s%s=%s", used ? " " : "",
                                     template->parameters[i].name, value.string);
        assert_true(used < CHOICE_TEXT);
    }
    free(slots);
}

static size_t find_choices(const struct shipped *shipped, struct choice *choices)
{
    size_t count = 0;
    for (size_t index = 0; index < problem_configuration_count(shipped->problem); index++) {
        char text[CHOICE_TEXT];
        size_t i = 0;
        choice_text(shipped, index, text);
        while (i < count && strcmp(choices[i].text, text) != 0)
            i++;
        if (i == count) {
            assert_true(count < MOST_CHOICES);
            memcpy(choices[count].text, text, sizeof text);
            choices[count++].first = index;
        }
        choices[i].last = index;
    }
    return count;
}

/* ---- carrying them out ------------------------------------------------------------------------------------------
 */

/* Both cases are validated; the timing ends as soon as it can, since nothing is as fast as the incumbent. */
static void assert_valid(const struct shipped *shipped, size_t index)
{
    struct job *job;
    struct evaluation evaluation;
    must(job_lower(shipped->problem, index, 1, &job, &error));
    assert_true(job->has_awkward);
    struct compile_result result = compiled(&job->program, device_driver_find("cpu"), &description);
    must(evaluator_run(evaluator, job, result.image, result.image_bytes,
                       &(struct evaluation_effort){.incumbent_ns = 1e-3}, &evaluation, &error));
    if (evaluation.outcome != OUTCOME_OK) {
        char *text = problem_configuration_text(shipped->problem, index);
        fail_msg("%s: %s: %s", text, outcome_name(evaluation.outcome), evaluation.message);
    }
    assert_true(evaluation.error_ratio >= 0 && evaluation.error_ratio <= 1);
    evaluation_clear(&evaluation);
    free(result.image);
    free(result.log);
    job_free(job);
}

/* Has an earlier combination the same VARIANT? */
static bool is_another_of(const struct choice *choices, size_t at)
{
    const char *variant = strstr(choices[at].text, "VARIANT=");
    size_t length = variant ? strcspn(variant, " ") : 0;
    for (size_t i = 0; variant && i < at; i++) {
        const char *other = strstr(choices[i].text, "VARIANT=");
        if (strcspn(other, " ") == length && strncmp(other, variant, length) == 0)
            return true;
    }
    return false;
}

/* At sizes of 1, except those given; of every so many combinations one. */
static void check_variants_at(const char *name, const struct size_setting *sizes, size_t size_count, size_t step,
                              size_t choice_count)
{
    struct shipped shipped;
    struct choice choices[MOST_CHOICES];
    shipped_open(&shipped, name, "full", &description, sizes, size_count);
    assert_int_equal(find_choices(&shipped, choices), choice_count);
    for (size_t i = 0; i < choice_count; i += step) {
        if (step == 1 && !getenv("TUNE_TEST_ALL") && is_another_of(choices, i))
            continue;
        print_message("%s %s\n", name, choices[i].text);
        assert_valid(&shipped, i % 2 ? choices[i].last : choices[i].first);
    }
    shipped_close(&shipped);
}

static void check_variants(const char *name, size_t choice_count)
{
    check_variants_at(name, NULL, 0, 1, choice_count);
}

static void gemm(void **state)
{
    (void)state;
    check_variants("gemm", 9);
}

static void gemm_aat(void **state)
{
    (void)state;
    check_variants("gemm_aat", 6);
}

static void transpose(void **state)
{
    (void)state;
    check_variants("transpose", 10);
}

static void mri_fhd(void **state)
{
    (void)state;
    check_variants("mri_fhd", (6 + 3 * 3) * 2); /* precise and sfu; three of nine read samples in three ways */
}

static void dcs(void **state)
{
    (void)state;
    check_variants("dcs", 6 + 3); /* tiled reads atoms in three ways */
}

/* Gathered or scattered surplus of six kinds of bins, and of dynamic ones, which may have none. */
static void dcs_cutoff(void **state)
{
    (void)state;
    check_variants("dcs_cutoff", 1 + 6 * 2 + 3 + 1);
}

static void reduction(void **state)
{
    const struct size_setting where[] = {{"OPERATION", 4}}; /* the minimum and its index */
    (void)state;
    check_variants("reduction", 7 * 3); /* two_pass, atomic and last */
    check_variants_at("reduction", where, 1, 3, 7 * 3);
}

static void stencil7(void **state)
{
    (void)state;
    check_variants("stencil7", 5 + 2 * 2); /* cache and shared in two of them */
}

static void copy(void **state)
{
    (void)state;
    check_variants("copy", 1);
}

/* Rows by a power law, some of which are empty; at the awkward size one that blocks share. */
static void spmv(void **state)
{
    const struct size_setting power_law[] = {{"ROWS", 331}, {"COLUMNS", 97}, {"MEAN", 4}, {"SHAPE", 3}};
    (void)state;
    /* two ways to find where parts of the merged rows begin */
    check_variants_at("spmv", power_law, 4, 1, 11 + 2);
}

static const struct size_setting mask = {"MASK", 5}; /* with one value there would be no neighbours */

static void conv1d(void **state)
{
    (void)state;
    check_variants_at("conv1d", &mask, 1, 1, 6);
}

static void conv2d(void **state)
{
    (void)state;
    check_variants_at("conv2d", &mask, 1, 1, 7);
}

static void nearest_neighbor(void **state)
{
    (void)state;
    check_variants("nearest_neighbor", 4 + 2 * 2); /* minimums of floats and integers */
}

/* A filter of one element, which minimal filtering cannot do; one that covers the input. */
static void convnet(void **state)
{
    const struct size_setting cover[] = {{"H", 3}, {"W", 3}, {"K", 3}};
    (void)state;
    check_variants("convnet", 3 + 2); /* shared: filters, or both */
    check_variants_at("convnet", cover, 3, 3, 5 + 2);
}

/* Constant samples: counters of few bits overflow. With more samples than the awkward size, those of 16 bits do. */
static void histogram(void **state)
{
    const struct size_setting bytes[] = {{"BITS", 8}}, shorts[] = {{"BITS", 16}, {"n", 200003}, {"SHAPE", 3}};
    (void)state;
    check_variants_at("histogram", bytes, 1, 1, 4 + 2 * 2 * 2); /* group and both: members and layouts */
    check_variants_at("histogram", shorts, 3, 3, 2 + 2 * 2);    /* packed and cluster: layouts */
}

static void bezier(void **state)
{
    (void)state;
    check_variants("bezier", 4 + 3); /* launched: into three kinds of stream */
}

/* Launches from kernels to two streams; digits ranked in two ways, and levels in three. Of points of one place all
 * are in one cell of the last level. */
static void quadtree(void **state)
{
    const struct size_setting equal[] = {{"n", 300}, {"SHAPE", 3}};
    (void)state;
    check_variants_at("quadtree", equal, 2, 1, 1 + 2 + 2 * 3);
}

/* Of an element and, at the awkward size, of a few values: whether pairs stay in order shows. */
static void merge_sort(void **state)
{
    const struct size_setting pairs = {"WORDS", 2};
    (void)state;
    check_variants("merge_sort", 2 * (1 + 2 + 2 + 1)); /* two ways to sort, and of path to find tiles */
    check_variants_at("merge_sort", &pairs, 1, 3, 1 + 2 + 2 + 1);
}

/* In three kernels, two of them with block scans of five and six kinds; chains and look-backs of three; one ahead. */
static void scan(void **state)
{
    const struct size_setting other[] = {{"KIND", 2}, {"NUMBERS", 2}};
    (void)state;
    check_variants("scan", 4 + 5 + 6 + 3 + 3 + 1);
    check_variants_at("scan", other, 2, 3, 4 + 5 + 6 + 3 + 3 + 1);
}

/* A grid, which is searched in many levels; at the awkward size few, of which one is large. */
static void bfs(void **state)
{
    const struct size_setting grid[] = {{"N", 401}, {"SHAPE", 2}};
    (void)state;
    check_variants_at("bfs", grid, 2, 1, 7);
}

static void ceilings(void **state)
{
    (void)state;
    check_variants("ceilings", 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm),
        cmocka_unit_test(gemm_aat),
        cmocka_unit_test(transpose),
        cmocka_unit_test(mri_fhd),
        cmocka_unit_test(dcs),
        cmocka_unit_test(dcs_cutoff),
        cmocka_unit_test(reduction),
        cmocka_unit_test(stencil7),
        cmocka_unit_test(copy),
        cmocka_unit_test(spmv),
        cmocka_unit_test(conv1d),
        cmocka_unit_test(conv2d),
        cmocka_unit_test(nearest_neighbor),
        cmocka_unit_test(convnet),
        cmocka_unit_test(histogram),
        cmocka_unit_test(bezier),
        cmocka_unit_test(merge_sort),
        cmocka_unit_test(scan),
        cmocka_unit_test(bfs),
        cmocka_unit_test(ceilings),
        cmocka_unit_test(quadtree),
    };
    return cmocka_run_group_tests_name("variants", tests, make_evaluator, drop_evaluator);
}

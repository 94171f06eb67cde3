/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a job, written out by hand from write.h, and what the text behind the reference key depends on. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/write.h"

#include <jansson.h>
#include <stdlib.h>

static void test_document(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture,
                                 SMALL("buffer f : int[1] temp\n",
                                       "copy c <- x[1 : 9]\n fill f = 1\n k<<<(2, 3), 8, 16>>>(x + 5, y, 7)\n"
                                       "repeat 9 while f { k<<<1, 1>>>(y)\n copy y[2] <- x[4 : 9] }"),
                                 "space s of t\nset A = 3\n");
    job->cases[JOB_TUNED].reference_key = 10;
    job->reference_key = 0xfedcba9876543210u;
    json_t *document = job_to_json(job);
    json_t *expected = json_loads(
        "{\"seed\": \"000000000000002a\", \"reference_key\": \"fedcba9876543210\","
        "\"types\": [],\"program\": {\"path\": \"folder/k.cu\", \"folder\": \"folder\", \"defines\": \"#define A "
        "3\\n\","
        " \"kernels\": [\"k\"], \"symbols\": [\"c\"], \"options\": [], \"template\": \"test.template\","
        " \"statements\": ["
        "  [[10, 2, 33, \" k<<<(2, 3), 8, 16>>>(x + 5, y, 7)\"], [10, 23, 5, null], [10, 30, 1, null],"
        "   [10, 33, 1, null]],"
        "  [[11, 20, 14, \"repeat 9 while f { k<<<1, 1>>>(y)\"], [11, 32, 1, null]]]},"
        "\"setup\": null,"
        "\"reference\": {\"path\": \"folder/r.cu\", \"folder\": \"folder\", \"defines\": \"\", \"kernels\": [\"r\"],"
        " \"symbols\": [], \"options\": [], \"template\": \"test.template\","
        " \"statements\": [[[13, 20, 22, \"reference \\\"r.cu\\\" { r<<<1, 1>>>(x, ref(y)) }\"], [13, 32, 1, null],"
        "  [13, 35, 6, null]]]},"
        "\"tuned\": {\"size\": \"n=64\", \"reference_key\": \"000000000000000a\", \"buffers\": ["
        " [\"x\", \"float\", 64, \"in\", \"uniform\", -1.0, 1.0], [\"y\", \"float\", 64, \"out\", \"none\", 0.0, "
        "0.0],"
        " [\"f\", \"int\", 1, \"temp\", \"none\", 0.0, 0.0]],"
        "\"setup\": [], \"prepare\": [], \"launch\": ["
        " [\"symbol\", 0, 0, 1, 8], [\"fill\", 2, \"0100000000000000\"],"
        " [\"launch\", 0, [2, 3, 1], [8, 1, 1], 16,"
        "  [[\"buffer\", 0, 5], [\"buffer\", 1, 0], [\"int\", \"0700000000000000\"]], 0],"
        " [\"repeat\", 2, 9, [[\"launch\", 0, [1, 1, 1], [1, 1, 1], 0, [[\"buffer\", 1, 0]], 1],"
        "  [\"copy\", 1, 0, 2, 4, 5]]]],"
        "\"reference\": [[\"launch\", 0, [1, 1, 1], [1, 1, 1], 0, [[\"buffer\", 0, 0], [\"reference\", 1, 0]], "
        "0]],"
        "\"checks\": [[1, true, 0.0, 0.0, false, \"test.template\", 14, 7, null, false, false, null]], \"flops\": "
        "0.0, "
        "\"bytes\": "
        "0.0,"
        "\"special_ops\": 0.0, \"shared_traffic\": 0.0, \"integer_ops\": 0.0},"
        "\"awkward\": null}",
        0, NULL);
    assert_non_null(expected);
    if (!json_equal(document, expected))
        fail_msg("%s", json_dumps(document, JSON_INDENT(1)));
    json_decref(document);
    json_decref(expected);
    job_free(job);
    fixture_free(&fixture);
}

/* Integers beyond JSON's are strings. */
static void test_large_numbers(void **state)
{
    (void)state;
    struct job_step step = {.kind = STEP_REPEAT, .rounds = (uint64_t)1 << 63};
    struct job job = {.seed = UINT64_MAX};
    job.cases[JOB_TUNED].size_text = (char[]){""};
    job.cases[JOB_TUNED].launch = (struct job_steps){&step, 1};
    json_t *document = job_to_json(&job);
    assert_string_equal(json_string_value(json_object_get(document, "seed")), "ffffffffffffffff");
    json_t *written = json_array_get(json_object_get(json_object_get(document, "tuned"), "launch"), 0);
    assert_string_equal(json_string_value(json_array_get(written, 2)), "8000000000000000");
    step.rounds--;
    json_decref(document);
    document = job_to_json(&job);
    written = json_array_get(json_object_get(json_object_get(document, "tuned"), "launch"), 0);
    assert_true(json_integer_value(json_array_get(written, 2)) == INT64_MAX);
    json_decref(document);
}

static char *inputs(const struct job *job, const char *hash)
{
    char *text = write_inputs(job, &job->cases[JOB_TUNED], hash);
    assert_non_null(text);
    return text;
}

#define COMPARED(same, change, undo)                                                                                 \
    do {                                                                                                             \
        change;                                                                                                      \
        char *now = inputs(job, "hash");                                                                             \
        undo;                                                                                                        \
        if ((strcmp(now, before) == 0) != (same))                                                                    \
            fail_msg("%s: %s", #change, now);                                                                        \
        free(now);                                                                                                   \
    } while (0)

/* x is read by the reference, t by the setup; u and v by neither. */
static void test_inputs(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture,
                                 SMALL("buffer t : float[n] temp\nbuffer u : float[n] temp\n"
                                       "buffer v : float[n] scratch constant(0)\n"
                                       "setup \"s.cu\" { s<<<1, 1>>>(x, t) }\n",
                                       "k<<<1, 1>>>(x, y, t, u, v)"),
                                 "space s of t\nset A = 3\n");
    struct job_case *tuned = &job->cases[JOB_TUNED];
    char *before = inputs(job, "hash");
    COMPARED(false, job->seed++, job->seed--);
    COMPARED(false, tuned->buffers[0].extent++, tuned->buffers[0].extent--);
    COMPARED(false, tuned->buffers[0].b = 2, tuned->buffers[0].b = 1);
    COMPARED(false, tuned->buffers[1].extent++, tuned->buffers[1].extent--);
    COMPARED(false, tuned->buffers[2].extent++, tuned->buffers[2].extent--);
    COMPARED(true, tuned->buffers[3].extent++, tuned->buffers[3].extent--);
    COMPARED(true, tuned->buffers[4].a = 1, tuned->buffers[4].a = 0);
    COMPARED(true, tuned->checks[0].bound = 1, tuned->checks[0].bound = 0);
    COMPARED(true, tuned->checks[0].absolute = 1, tuned->checks[0].absolute = 0);
    COMPARED(false, tuned->checks[0].partial = true, tuned->checks[0].partial = false);
    COMPARED(false, tuned->checks[0].unordered = true, tuned->checks[0].unordered = false);
    COMPARED(true, tuned->launch.steps[0].grid.x++, tuned->launch.steps[0].grid.x--);
    COMPARED(false, tuned->setup.steps[0].grid.x++, tuned->setup.steps[0].grid.x--);
    COMPARED(false, tuned->reference.steps[0].grid.x++, tuned->reference.steps[0].grid.x--);
    COMPARED(true, job->program.path[0]++, job->program.path[0]--);
    COMPARED(false, job->reference.path[0]++, job->reference.path[0]--);
    COMPARED(false, job->setup.path[0]++, job->setup.path[0]--);
    char *other = inputs(job, "other");
    assert_string_not_equal(before, other);
    free(other);
    COMPARED(true, tuned->checks[0].buffer++, tuned->checks[0].buffer--);
    free(before);
    tuned->checks[0].expected = (struct job_data){.path = (char[]){"y.npy"}, .name = (char[]){"y.npy"}};
    before = inputs(job, "hash");
    COMPARED(false, tuned->checks[0].buffer++, tuned->checks[0].buffer--); /* swapped: whose values they are */
    free(before);
    tuned->checks[0].expected = (struct job_data){0};
    job_free(job);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_large_numbers),
        cmocka_unit_test(test_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

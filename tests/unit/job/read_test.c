/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs from JSON: exactly what was written, and any other document is refused without harm. */
#include "tests/unit/fixture.h"

#include "tuner/job/job.h"

#include <jansson.h>
#include <stdlib.h>

static const char template_text[] =
    "template t\nsize n = 1000\nawkward n = 37\ndefine n\nparameter A\nsource \"k.cu\"\noption \"-O1\"\n"
    "buffer x : float[n] in uniform(-1 / 3, 1e300 ** 0)\nbuffer y : float[n] inout constant(0.1)\n"
    "buffer z : float[n] temp\nbuffer f : int[1] scratch constant(0)\nbuffer v : float3[n] temp\n"
    "struct link {\n to : float*\n weight : half\n}\nbuffer w : complex[n] out\nbuffer q : complex[n] temp\n"
    "setup \"s.cu\" { s<<<1, 1>>>(x) }\n"
    "prepare { p<<<1, 1>>>(link(z + 7, 0.5), float4(1, 2, 3, n)) }\nfinish { q<<<1, 1, launches = 77>>>(z, y) "
    "}\nverify \"v.cu\" { "
    "v<<<1, 1>>>(x, y) }\n"
    "launch {\n copy c <- x[1 : 9]\n fill z = 0.1\n copy z[3] <- x[4 : 9]\n"
    " k<<<(2, 3, 4), (8, 4, 2), 128>>>(x + 5, y, 7, -0.1, double(0.1), long(2 ** 40), uchar(200))\n"
    " repeat 9 while f { k<<<1, 1>>>(y, f)\n repeat 2 while f { l<<<5, 6>>>(f) } }\n swap w, q\n}\n"
    "reference \"r.cu\" { r<<<1, 1>>>(x, ref(y), ref(w)) }\ncheck w.im exact\n"
    "check w.re below 1 / 3\n"
    "check y[3 : n] unordered within 1e-7 / 3 absolute 1e-9 / 7 allow nonfinite\nwork flops = 1e15 / 7, shared = 8 * "
    "n\n";

static json_t *make_document(void)
{
    struct fixture fixture;
    struct job *job;
    fixture_create(&fixture, template_text, "space s of t\nset A = 0.3\n");
    assert_success(job_lower(fixture.problem, 0, UINT64_MAX - 5, &job, &fixture.error), &fixture.error);
    json_t *document = job_to_json(job);
    assert_non_null(document);
    job_free(job);
    fixture_free(&fixture);
    return document;
}

static char *text_of(const json_t *document)
{
    char *text = json_dumps(document, JSON_COMPACT);
    assert_non_null(text);
    return text;
}

static void test_round_trip(void **state)
{
    (void)state;
    struct error error;
    struct job *job;
    json_t *document = make_document();
    char *text = text_of(document);
    json_t *parsed = json_loads(text, 0, NULL);
    assert_success(job_from_json(parsed, &job, &error), &error);
    json_t *again = job_to_json(job);
    assert_true(json_equal(document, again));

    const struct job_case *tuned = &job->cases[JOB_TUNED];
    assert_true(job->seed == UINT64_MAX - 5);
    assert_true(tuned->buffers[0].a == -1.0 / 3);
    assert_true(tuned->buffers[1].a == 0.1);
    assert_true(tuned->checks[0].exact && tuned->checks[0].absolute == 0 && !tuned->checks[0].below);
    assert_string_equal(tuned->checks[1].name, "w");
    assert_null(tuned->checks[2].name);
    assert_true(tuned->checks[1].below && !tuned->checks[1].exact && tuned->checks[1].absolute == 1.0 / 3);
    assert_true(tuned->checks[2].bound == 1e-7 / 3 && tuned->checks[2].absolute == 1e-9 / 7 &&
                tuned->checks[2].nonfinite);
    assert_int_equal(tuned->finish.count, 1);
    assert_int_equal(tuned->finish.steps[0].launches, 77);
    assert_int_equal(tuned->verify.count, 1);
    assert_string_equal(job->verify.path, "folder/v.cu");
    assert_true(tuned->checks[2].unordered && tuned->checks[2].partial && tuned->checks[2].first == 3 &&
                tuned->checks[2].count == 997);
    assert_string_equal(tuned->checks[2].file, "test.template");
    assert_true(tuned->work.flops == 1e15 / 7 && tuned->work.bytes == 0);
    assert_true(tuned->work.shared_traffic > 0 && tuned->work.integer_ops == 0);
    assert_true(tuned->checks[0].first_leaf == 1 && tuned->checks[0].leaf_count == 1);
    assert_int_equal(job->layout_count, 2);
    assert_string_equal(tuned->buffers[4].layout->name, "float3");

    const struct job_compound *link = tuned->prepare.steps[0].arguments[0].compound;
    const struct job_compound *vector = tuned->prepare.steps[0].arguments[1].compound;
    static const unsigned char half[] = {0, 0x38};
    const float numbers[] = {1, 2, 3, 1000};
    assert_string_equal(link->name, "link");
    assert_true(link->bytes == 16 && memcmp(link->value + 8, half, 2) == 0);
    assert_true(link->pointer_count == 1 && link->pointers[0].at == 0 && link->pointers[0].offset == 7);
    assert_true(vector->bytes == 16 && vector->pointer_count == 0);
    assert_memory_equal(vector->value, numbers, sizeof numbers); /* on a little-endian host */

    const struct job_step *launch = &tuned->launch.steps[3];
    double tenth;
    int64_t wide;
    memcpy(&tenth, launch->arguments[4].bytes, sizeof tenth);
    memcpy(&wide, launch->arguments[5].bytes, sizeof wide);
    assert_true(tenth == 0.1 && wide == (int64_t)1 << 40);
    assert_int_equal(launch->arguments[0].offset, 5);
    assert_int_equal(launch->block.z, 2);
    assert_int_equal(tuned->launch.steps[4].body[1].body[0].block.x, 6);
    assert_string_equal(job->program.defines, "#define n 1000\n#define A 0.3\n");
    assert_string_equal(job->program.awkward_defines, "#define n 37\n#define A 0.3\n");
    assert_true(job->has_awkward);
    assert_int_equal(job->cases[JOB_AWKWARD].buffers[0].extent, 37);

    job_free(job);
    json_decref(again);
    json_decref(parsed);
    json_decref(document);
    free(text);
}

/* Parse and read, under the sanitizers. A job that is accepted can be written again. */
static bool survive(const char *text)
{
    struct error error = {0};
    struct job *job;
    json_t *document = json_loads(text, JSON_DECODE_ANY, NULL);
    bool accepted = document && job_from_json(document, &job, &error);
    if (accepted) {
        json_t *again = job_to_json(job);
        assert_non_null(again);
        json_decref(again);
        job_free(job);
    } else if (document) {
        assert_int_equal(error.code, ERROR_SYSTEM);
    }
    json_decref(document);
    return accepted;
}

static void test_damaged_texts(void **state)
{
    (void)state;
    json_t *document = make_document();
    char *text = text_of(document);
    size_t length = strlen(text);
    uint32_t random = 12345;
    static const char bytes[] = "0123456789-.\"[]{},:enultrfasx";
    for (size_t i = 0; i < 1000; i++) {
        char *copy = strdup(text);
        assert_non_null(copy);
        for (size_t j = 0; j <= i % 3; j++) {
            random = random * 1664525 + 1013904223;
            size_t at = (random >> 8) % length;
            copy[at] = bytes[(random >> 3) % (sizeof bytes - 1)];
        }
        survive(copy);
        free(copy);
    }
    for (size_t cut = 0; cut < length; cut += 1 + length / 200) {
        char *copy = strndup(text, cut);
        assert_non_null(copy);
        assert_false(survive(copy));
        free(copy);
    }
    json_decref(document);
    free(text);
}

/* Replace every value of the document in turn by others that are well-formed but wrong. */
struct mutation {
    json_t *root;
    size_t survived;
};

static void try_root(struct mutation *mutation)
{
    char *text = text_of(mutation->root);
    mutation->survived += survive(text);
    free(text);
}

static const char *const replacements[] = {
    "null", "true",  "-1", "0", "4294967296", "9223372036854775807", "1e308", "\"\"", "\"ffffffffffffffff\"",
    "[]",   "[[0]]", "{}"};
enum { REPLACEMENTS = sizeof replacements / sizeof *replacements };

static void mutate(struct mutation *mutation, json_t *container);

static void mutate_object(struct mutation *mutation, json_t *object)
{
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        json_t *value = json_incref(json_object_iter_value(at));
        for (size_t i = 0; i < REPLACEMENTS; i++) {
            json_object_iter_set_new(object, at, json_loads(replacements[i], JSON_DECODE_ANY, NULL));
            try_root(mutation);
        }
        json_object_iter_set_new(object, at, value);
        mutate(mutation, value);
    }
}

static void mutate_array(struct mutation *mutation, json_t *array)
{
    for (size_t index = 0; index < json_array_size(array); index++) {
        json_t *value = json_incref(json_array_get(array, index));
        for (size_t i = 0; i < REPLACEMENTS; i++) {
            json_array_set_new(array, index, json_loads(replacements[i], JSON_DECODE_ANY, NULL));
            try_root(mutation);
        }
        json_array_set(array, index, value);
        json_array_remove(array, index);
        try_root(mutation);
        json_array_insert_new(array, index, value);
        mutate(mutation, value);
    }
}

static void mutate(struct mutation *mutation, json_t *container)
{
    if (json_is_object(container))
        mutate_object(mutation, container);
    else if (json_is_array(container))
        mutate_array(mutation, container);
}

static void test_wrong_values(void **state)
{
    (void)state;
    struct mutation mutation = {.root = make_document()};
    json_object_del(mutation.root, "awkward"); /* has the same structure: half the time without it */
    json_object_set_new(mutation.root, "awkward", json_null());
    json_t *before = json_deep_copy(mutation.root);
    try_root(&mutation);
    assert_int_equal(mutation.survived, 1);
    mutate(&mutation, mutation.root);
    assert_true(json_equal(before, mutation.root));
    json_decref(before);
    json_decref(mutation.root);
}

static void test_deep_nesting(void **state)
{
    (void)state;
    json_t *document = make_document();
    json_t *steps = json_array();
    for (size_t i = 0; i < 500; i++)
        steps = json_pack("[[s, i, i, o]]", "repeat", 3, 1, steps);
    json_object_set_new(json_object_get(document, "tuned"), "launch", steps);
    struct error error;
    struct job *job;
    assert_false(job_from_json(document, &job, &error));
    assert_mentions(error.text, "too deep");
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damaged_texts),
        cmocka_unit_test(test_wrong_values),
        cmocka_unit_test(test_deep_nesting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs with counts from JSON: exactly what was written; whatever is missing or of another type is refused. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/late_json.h"

#include <jansson.h>

static const char template_text[] = COUNTED(
    "buffer e : float[m] temp\nbuffer z : float[n] temp\nstruct pair {\n p : float*\n q : int\n}\n",
    "prepare { p<<<1, 1>>>(c)\nread m = c[0] }\n"
    "launch { k<<<(m, 2), 32, 4 * m>>>(e + 1, y + m, m, pair(y + m, m))\nread w = c[m]\nlet k = w * 2\n"
    "if w > 2 { copy y[k] <- e[w : m] } else { l<<<1, 1>>>(y) }\n"
    "for i in range(w, 0, -1) { l<<<i, 1>>>(y) }\n repeat k while w { l<<<1, 1>>>(y)\nread w = c[2]\nswap y, z }\n"
    "repeat w while c { copy table <- y[: w] } }");

static struct job *make_job(struct fixture *fixture)
{
    return lower_text(fixture, template_text, "space s of t\nset A = 0.3\n");
}

static void test_round_trip(void **state)
{
    (void)state;
    struct fixture fixture;
    struct error error;
    struct job *job = make_job(&fixture), *read;
    json_t *document = job_to_json(job);
    assert_success(job_from_json(document, &read, &error), &error);
    json_t *again = job_to_json(read);
    assert_true(json_equal(document, again));
    assert_int_equal(read->count_count, 2);
    assert_int_equal(read->name_count, job->name_count);
    const struct job_step *before = job->cases[JOB_TUNED].launch.steps, *after = read->cases[JOB_TUNED].launch.steps;
    for (size_t i = 0; i < job->cases[JOB_TUNED].launch.count; i++) {
        const struct job_late *late = after[i].late;
        if (!late)
            continue;
        assert_int_equal(late->name && before[i].kind != STEP_LAUNCH ? late->slot : 0,
                         late->name && before[i].kind != STEP_LAUNCH ? before[i].late->slot : 0);
        for (size_t j = 0; j < late->formula_count; j++)
            assert_non_null(late->formulas[j].expr);
    }
    json_decref(document);
    json_decref(again);
    job_free(job);
    job_free(read);
    fixture_free(&fixture);
}

/* Replace one item after another by others; each document is refused, or read as what it says. */
static size_t change_each(json_t *document, json_t *part, size_t *read)
{
    static const char *const others[] = {"null", "-1", "1000000", "\"m\"", "[]", "{}", "\"first\"", "\"k\""};
    size_t refused = 0, count = json_array_size(part);
    for (size_t i = 0; i < count; i++) {
        json_t *kept = json_incref(json_array_get(part, i));
        for (size_t j = 0; j < sizeof others / sizeof *others; j++) {
            struct error error;
            struct job *job = NULL;
            json_array_set_new(part, i, json_loads(others[j], JSON_DECODE_ANY, NULL));
            if (job_from_json(document, &job, &error))
                ++*read;
            else {
                assert_int_equal(error.code, ERROR_SYSTEM);
                assert_mentions(error.text, "damaged job");
                refused++;
            }
            job_free(job);
        }
        json_array_set(part, i, kept);
        json_decref(kept);
        if (json_is_array(kept))
            refused += change_each(document, json_array_get(part, i), read);
        if (json_is_object(kept) && json_object_get(kept, "late"))
            refused += change_each(document, json_object_get(kept, "late"), read);
    }
    return refused;
}

static void test_damage(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = make_job(&fixture);
    json_t *document = job_to_json(job), *tuned = json_object_get(document, "tuned");
    job_free(job);
    size_t read = 0, refused = change_each(document, json_object_get(tuned, "launch"), &read);
    refused += change_each(document, json_object_get(tuned, "prepare"), &read);
    refused += change_each(document, json_object_get(document, "names"), &read);
    assert_true(refused > 1000 && read > 10);
    json_object_set_new(document, "counts", json_integer(100));
    assert_false(job_from_json(document, &job, &fixture.error));
    json_decref(document);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Databases with flipped bits: whatever reads or writes them ends, with what it can make of them or with an error
 * that says something; under the sanitizers, without touching memory that is not its own.
 */
#include "fixture.h"

#include <jansson.h>

#ifdef TUNE_SANITIZED /* tests/fuzz damages more */
enum { DATABASES = 60 };
#else
enum { DATABASES = 200 };
#endif

enum { MOST_FLIPS = 16, ROWS = 150, MOST_BYTES = 1 << 20 };

static uint32_t state_of_random = 20260711;

/* Marsaglia's xorshift32. */
static uint32_t random_below(uint32_t limit)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 17;
    state_of_random ^= state_of_random << 5;
    return state_of_random % limit;
}

/* Several pages of everything: a run with finals, failures, samples. */
static size_t make_database(struct fixture *f, char *bytes)
{
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store), ids[ROWS];
    static const double rounds[] = {1, 2, 3};
    static char message[] = "error: expected ';'";
    for (int i = 0; i < ROWS; i++) {
        char configuration[64];
        snprintf(configuration, sizeof configuration, "{\"TILE\":%d,\"VARIANT\":\"joint\"}", i);
        struct evaluation evaluation = fixture_success(1e6 + i);
        double samples[] = {1e6 + i, 1e6 + i + 0.5};
        evaluation.samples_ns = samples;
        evaluation.sample_count = 2;
        if (i % 7 == 0)
            evaluation = fixture_failure(OUTCOME_COMPILE_ERROR, message);
        ids[i] = fixture_put(f, store, run, configuration, evaluation);
    }
    const struct store_final finals[] = {
        {.evaluation_id = ids[1], .time_ns = 1e6, .ratio = 1, .rounds_ns = rounds, .round_count = 3},
        {.evaluation_id = ids[2], .time_ns = 2e6, .ratio = 2, .rounds_ns = rounds, .round_count = 3},
    };
    assert_true(store_finals_put(store, run, finals, 2, &f->error));
    assert_true(store_run_end(store, run, "done", &f->error));
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "PRAGMA journal_mode = DELETE"), "delete");
    size_t length = fixture_read(f->path, bytes, MOST_BYTES);
    assert_true(length > 0 && length < MOST_BYTES);
    return length;
}

static bool visit_row(const struct store_row *row, void *context)
{
    (void)context;
    assert_true(row->outcome == OUTCOME_OK || strlen(outcome_name(row->outcome)) > 0);
    assert_true(strlen(row->configuration) < MOST_BYTES && strlen(row->message) < MOST_BYTES);
    return true;
}

static bool visit_recorded(const struct store_recorded_row *row, void *context)
{
    (void)context;
    assert_true(strlen(row->samples_ns) < MOST_BYTES);
    return true;
}

static bool visit_run(const struct store_run_row *row, void *context)
{
    (void)context;
    assert_true(strlen(row->status) < MOST_BYTES);
    return true;
}

/* It worked, or there is a text that says why not. */
static bool settled(bool done, struct error *error)
{
    assert_true(done || error->text[0] != '\0');
    *error = (struct error){0};
    return done;
}

static unsigned read_devices(struct store *store, struct error *error)
{
    json_t *devices = NULL;
    unsigned worked = settled(store_devices_json(store, &devices, error), error);
    size_t i;
    json_t *device;
    json_array_foreach(devices, i, device)
    {
        json_t *document = NULL;
        worked += settled(
            store_device_json(store, json_integer_value(json_object_get(device, "id")), &document, error), error);
        json_decref(document);
    }
    json_decref(devices);
    return worked;
}

/* How many ways to read worked. */
static unsigned read_all(struct fixture *f, struct store *store)
{
    static const char *const objectives[] = {"time", "energy", "edp"};
    struct error *error = &f->error;
    unsigned worked = 0;
    for (size_t i = 0; i < 3; i++) {
        const struct store_filter filter = {.objective = objectives[i]};
        worked += settled(store_best(store, &filter, visit_row, NULL, error), error);
    }
    worked += settled(store_finished(store, &f->problem, "time", NULL, visit_row, NULL, error), error);
    worked += settled(store_relatives(store, f->problem.template_name, "cuda", NULL, visit_row, NULL, error), error);
    worked += settled(store_recorded(store, visit_recorded, NULL, error), error);
    worked += settled(store_runs(store, visit_run, NULL, error), error);
    return worked + read_devices(store, error);
}

static void write_some(struct fixture *f, struct store *store)
{
    struct error *error = &f->error;
    struct evaluation evaluation = fixture_success(5e5);
    int64_t run, id;
    if (!settled(store_run_begin(store, &f->problem, &f->run, &run, error), error))
        return;
    for (int i = 0; i < 20; i++) {
        char configuration[64];
        snprintf(configuration, sizeof configuration, "{\"TILE\":%d,\"VARIANT\":\"joint\"}", i);
        settled(store_put(store, run, configuration, &evaluation, &id, error), error);
    }
    settled(store_run_end(store, run, "done", error), error);
}

static void flipped_bits_are_survived(void **state)
{
    struct fixture *f = *state;
    static char bytes[MOST_BYTES], damaged[MOST_BYTES];
    size_t length = make_database(f, bytes);
    unsigned opened = 0, worked = 0;
    for (int i = 0; i < DATABASES; i++) {
        memcpy(damaged, bytes, length);
        for (uint32_t flips = 1 + random_below(MOST_FLIPS); flips > 0; flips--) {
            /* every fourth in the header and the schema, on which all depends */
            uint32_t at = random_below(flips % 4 ? (uint32_t)length : 4096);
            damaged[at] = (char)(damaged[at] ^ 1 << random_below(8));
        }
        for (int writes = 0; writes < 2; writes++) {
            struct store *store;
            fixture_write(f->path, damaged, length);
            if (!settled(store_open(f->path, !writes, &store, &f->error), &f->error))
                continue;
            opened++;
            worked += read_all(f, store);
            if (writes)
                write_some(f, store);
            store_close(store);
        }
    }
    print_message("%u of %d opened, %u ways to read them worked\n", opened, 2 * DATABASES, worked);
    assert_true(opened > 0 && opened < 2 * DATABASES); /* there was something to test */
    assert_true(worked > 0 && worked < 9 * opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {unit(flipped_bits_are_survived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

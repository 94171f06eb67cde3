/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/recording_fixture.h"

#include "tuner/formats/recording_store.h"

static const char text[] =
    "{\"results\":["
    "{\"configuration\":{\"b\":true,\"a\":16,\"c\":\"v\"},\"invalidity\":\"correct\","
    "\"timestamp\":\"2024-01-01 01:00:00+01:00\","
    "\"measurements\":[{\"name\":\"time\",\"value\":2},{\"name\":\"GB/s\",\"value\":7},"
    "{\"name\":\"energy\",\"value\":0.5}],\"objectives\":[\"GB/s\"],\"times\":{\"runtimes\":[2,3]}},"
    "{\"configuration\":{\"a\":0.5},\"invalidity\":\"runtime\",\"times\":{\"compilation\":1000}}]}";

/* Each parameter in the order of the file, absent ones left out. */
static void test_rows(void **state)
{
    struct fixture *f = *state;
    struct recording *recording = parse("a.json", text);
    struct store *store = fixture_open(f);
    assert_true(recording_store(store, recording, "a.json", "kernel", "GPU", &f->error));
    store_close(store);
    recording_free(recording);
    const char *const answers[][2] = {
        {"select count(*) from evaluation where origin = 'imported'", "2"},
        {"select configuration from evaluation order by id limit 1", "{\"b\":true,\"a\":16,\"c\":\"v\"}"},
        {"select configuration from evaluation order by id desc limit 1", "{\"a\":0.5}"},
        {"select measured_at from evaluation order by id limit 1", "2024-01-01T00:00:00Z"},
        {"select time_ns from evaluation where outcome = 'ok'", "2000000.0"},
        {"select json(samples_ns) from evaluation where outcome = 'ok'", "[2000000.0,3000000.0]"},
        {"select compile_seconds from evaluation where outcome = 'launch_error'", "1.0"},
        {"select energy_j from evaluation where outcome = 'ok'", "0.5"},
        {"select metrics from evaluation where outcome = 'ok'", "{\"GB/s\":7}"},
        {"select metrics || objective from template", "{\"GB/s\":{\"text\":\"\",\"sense\":\"maximize\"}}GB/s"},
        {"select device from best", "GPU"},
        {"select template from best", "kernel"},
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        assert_string_equal(fixture_ask(f->path, answers[i][0]), answers[i][1]);
}

/* A bad row in the middle leaves none. */
static void test_all_or_none(void **state)
{
    struct fixture *f = *state;
    struct recording *recording = parse("a.json", text);
    struct store *store = fixture_open(f);
    recording->results[1].timestamp = "yesterday";
    assert_false(recording_store(store, recording, "a.json", "kernel", "GPU", &f->error));
    assert_string_equal(f->error.text, "a.json: invalid timestamp \"yesterday\"");
    assert_int_equal(f->error.code, ERROR_INPUT);
    store_close(store);
    recording_free(recording);
    assert_string_equal(fixture_ask(f->path, "select count(*) from evaluation"), "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(test_rows),
        unit(test_all_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What other tools measured beside the time, and by which of it they ranked. */
#include "tests/unit/formats/recording_fixture.h"

#include "tuner/formats/t4_measurements.h"

/* A document with one valid entry for each text. */
static struct recording *parse_entries(const char *metadata, const char *const *entries, size_t count)
{
    char text[16384] = "";
    size_t used = (size_t)snprintf(text, sizeof text, "{\"metadata\":{%s},\"results\":[", metadata);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "%s{\"configuration\":{\"x\":%zu},\"invalidity\":\"correct\",\"times\":{},%s}",
                                 i ? "," : "", i, entries[i]);
    snprintf(text + used, sizeof text - used, "]}");
    return parse("a.json", text);
}

#define TIME           "{\"name\":\"time\",\"value\":2}"
#define MEASURED(list) "\"measurements\":[" TIME list "]"
#define A(name, value) ",{\"name\":\"" name "\",\"value\":" value "}"

static void test_kernel_tuners_names(void **state)
{
    (void)state;
    static const char *const entries[] = {
        MEASURED(A("GFLOP/s", "12.5") A("mine", "3") A("energy", "0.5")) ",\"objectives\":[\"mine\",\"GFLOP/s\"]",
        MEASURED(A("GFLOP/s", "\"none\"") ",{\"name\":\"energy\",\"value\":250,\"unit\":\"mJ\"},7,{\"value\":1}"),
        MEASURED(A("edp", "1") A("energy", "-1")),
    };
    struct recording *recording = parse_entries("", entries, 3);
    assert_string_equal(recording->definitions,
                        "{\"GFLOP/s\":{\"text\":\"\",\"sense\":\"maximize\"},\"mine\":{\"text\":\"\"}}");
    assert_string_equal(recording->objective, "GFLOP/s"); /* nobody knows whether mine is to be large */
    assert_string_equal(recording->results[0].metrics, "{\"GFLOP/s\":12.5,\"mine\":3}");
    assert_null(recording->results[1].metrics);
    assert_null(recording->results[2].metrics);
    static const double energies[] = {0.5, 0.25, 0};
    for (size_t i = 0; i < 3; i++)
        assert_near(recording->results[i].energy_j, energies[i], 1e-15);
    recording_free(recording);
}

static void test_objectives(void **state)
{
    (void)state;
    static const struct {
        const char *metadata, *objectives, *expected;
    } cases[] = {
        {"", "\"time\"", ""},
        {"", "\"energy\",\"time\"", "energy"},
        {"", "\"q\"", ""},
        {"", "7", ""},
        {"\"metrics\":{\"q\":{\"sense\":\"minimize\"}}", "\"q\"", "q"},
        {"\"metrics\":{\"q\":{\"sense\":\"sideways\"}}", "\"q\"", ""},
        {"\"metrics\":[]", "\"q\"", ""},
        {"\"metrics\":{\"q\":7}", "\"q\"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char entry[256];
        snprintf(entry, sizeof entry, MEASURED(A("q", "1")) ",\"objectives\":[%s]", cases[i].objectives);
        struct recording *recording = parse_entries(cases[i].metadata, &(const char *){entry}, 1);
        assert_string_equal(recording->objective, cases[i].expected);
        recording_free(recording);
    }
}

/* Names that no template could use, and more names than a template may have. */
static void test_what_is_left_out(void **state)
{
    (void)state;
    static const char *const odd[] = {MEASURED(A("", "1") A("a\\\"b", "1") A("a\\\\b", "1") A("a\\nb", "1") A(
        "fine", "1") A("1234567890123456789012345678901234567890123456789012345678901234567", "1"))};
    struct recording *recording = parse_entries("", odd, 1);
    assert_string_equal(recording->results[0].metrics, "{\"fine\":1}");
    assert_int_equal(recording->left_out, 5);
    recording_free(recording);

    char many[8192] = "\"measurements\":[" TIME;
    for (int i = 0; i < 70; i++) {
        size_t used = strlen(many);
        snprintf(many + used, sizeof many - used, A("m%d", "%d"), i, i);
    }
    strcat(many, "]");
    recording = parse_entries("", &(const char *){many}, 1);
    assert_int_equal(recording->left_out, 6);
    recording_free(recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_tuners_names),
        cmocka_unit_test(test_objectives),
        cmocka_unit_test(test_what_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

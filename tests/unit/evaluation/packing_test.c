/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tuner/evaluation/packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double samples[] = {3.5, INFINITY, 0.1};
static const struct evaluation full = {
    .outcome = OUTCOME_WRONG_RESULT,
    .message = (char *)"C[3]: got \"1\"\n",
    .samples_ns = samples,
    .sample_count = 3,
    .uuid = "GPU-01234567-89ab-cdef-0123-456789abcdef",
    .seed = UINT64_MAX,
    .time_low_ns = 1e-300,
    .error_ratio = NAN,
    .validate_seconds = -INFINITY,
    .spill_bytes = INT64_MIN,
    .resources = {.registers = 40, .occupancy = 0.5},
    .work = {.flops = 6e12},
    .transient = 1,
};

/* In a copy of exactly this length, so that sanitizers see what is read behind it. */
static bool unpack(const void *bytes, size_t count, struct evaluation *evaluation, struct error *error)
{
    void *copy = malloc(count ? count : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    bool read = evaluation_unpack(copy, count, evaluation, error);
    free(copy);
    return read;
}

static struct evaluation round_trip(const struct evaluation *evaluation)
{
    void *bytes;
    size_t count;
    struct evaluation back;
    struct error error = {0};
    assert_success(evaluation_pack(evaluation, &bytes, &count, &error), &error);
    assert_success(unpack(bytes, count, &back, &error), &error);
    free(bytes);
    return back;
}

static void test_all_fields_survive(void **state)
{
    (void)state;
    struct evaluation back = round_trip(&full);
    assert_int_equal(back.outcome, OUTCOME_WRONG_RESULT);
    assert_string_equal(back.message, full.message);
    assert_string_equal(back.uuid, full.uuid);
    assert_true(back.seed == UINT64_MAX);
    assert_int_equal(back.sample_count, 3);
    assert_memory_equal(back.samples_ns, samples, sizeof samples);
    for (size_t i = 0; i < evaluation_number_count; i++) {
        size_t offset = evaluation_numbers[i].offset;
        assert_memory_equal((const char *)&back + offset, (const char *)&full + offset, 8);
    }
    assert_null(back.awkward);
    assert_null(back.metrics);
    evaluation_clear(&back);
}

static void test_an_empty_one_survives(void **state)
{
    (void)state;
    const struct evaluation empty = {.outcome = OUTCOME_OK};
    struct evaluation back = round_trip(&empty);
    assert_string_equal(back.message, "");
    assert_int_equal(back.sample_count, 0);
    assert_null(back.samples_ns);
    evaluation_clear(&back);
}

static void test_a_message_becomes_utf8(void **state)
{
    (void)state;
    const struct evaluation latin = {.message = (char *)"bad \xff byte"};
    struct evaluation back = round_trip(&latin);
    assert_string_equal(back.message, "bad \xef\xbf\xbd byte");
    evaluation_clear(&back);
}

static void refuses(const void *bytes, size_t count, const char *says)
{
    struct evaluation evaluation;
    struct error error = {0};
    assert_false(unpack(bytes, count, &evaluation, &error));
    assert_int_equal(error.code, ERROR_MESSAGE);
    if (says)
        assert_mentions(error.text, says);
    assert_true(!evaluation.message && !evaluation.samples_ns);
}

static void test_any_other_length_is_refused(void **state)
{
    (void)state;
    char *bytes;
    size_t count;
    assert_true(evaluation_pack(&full, (void **)&bytes, &count, NULL));
    for (size_t length = 0; length < count; length++)
        refuses(bytes, length, NULL);
    char *longer = calloc(1, count + 8);
    assert_non_null(longer);
    memcpy(longer, bytes, count);
    refuses(longer, count + 8, "length");
    free(longer);
    free(bytes);
}

/* The first bytes are outcome, seed, and how many numbers, samples and bytes of the message follow; then the UUID. */
static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint64_t value;
        const char *says;
    } cases[] = {
        {0, OUTCOME_COUNT, "outcome"},
        {0, UINT64_MAX, "outcome"},
        {16, 1, "length"},
        {24, UINT64_MAX / 8, "length"},
        {24, 4, "length"},
        {32, UINT64_MAX, "length"},
        {32, EVALUATION_MESSAGE_MOST + 1, "length"},
        {40, 0xff, "text"},
    };
    uint64_t *bytes;
    size_t count;
    assert_true(evaluation_pack(&full, (void **)&bytes, &count, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t own = bytes[cases[i].at / 8];
        bytes[cases[i].at / 8] = cases[i].value;
        refuses(bytes, count, cases[i].says);
        bytes[cases[i].at / 8] = own;
    }
    memset((char *)bytes + 40, 'u', sizeof full.uuid); /* without an end */
    refuses(bytes, count, "text");
    free(bytes);
    assert_true(evaluation_pack(&full, (void **)&bytes, &count, NULL));
    ((char *)bytes)[count - 1] = '\0';
    refuses(bytes, count, "text");
    ((char *)bytes)[count - 1] = '\xff';
    refuses(bytes, count, "text");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_fields_survive),        cmocka_unit_test(test_an_empty_one_survives),
        cmocka_unit_test(test_a_message_becomes_utf8),    cmocka_unit_test(test_any_other_length_is_refused),
        cmocka_unit_test(test_what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("packing", tests, NULL, NULL);
}

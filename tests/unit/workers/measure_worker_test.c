/* SPDX-License-Identifier: Apache-2.0 */
/* Measuring worker requests and answers, and a live worker across a socket. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/forked_worker.h"
#include "tuner/workers/measure_worker.h"
#include "tuner/workers/remote_error.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct message parsed(const char *text)
{
    struct message message = {.json = json_loads(text, 0, NULL)};
    assert_non_null(message.json);
    return message;
}

static void test_counts(void **state)
{
    (void)state;
    int count = -1;
    struct error why = {0};
    struct message answer = parsed("{\"count\": 3}");
    assert_true(measure_count_answer(&answer, &count, &why));
    assert_int_equal(count, 3);
    message_clear(&answer);
    error_set(&why, ERROR_WORK, "no driver");
    answer = (struct message){.json = json_pack("{s:i, s:o}", "count", 0, "error", error_to_json(&why))};
    why = (struct error){0};
    assert_true(measure_count_answer(&answer, &count, &why)); /* a missing count is not an error */
    assert_int_equal(count, 0);
    assert_string_equal(why.text, "no driver");
    message_clear(&answer);
    answer = parsed("{}");
    assert_false(measure_count_answer(&answer, &count, &why));
    message_clear(&answer);
}

static void test_an_answer_without_an_evaluation(void **state)
{
    (void)state;
    struct evaluation evaluation = {0};
    struct error sent = {0}, error = {0};
    bool last = false;
    error_set(&sent, ERROR_INPUT, "the reference fails");
    struct message answer = {.json = json_pack("{s:o, s:b}", "error", error_to_json(&sent), "last", 1)};
    assert_false(measure_evaluate_answer(&answer, &evaluation, &last, &error));
    assert_true(last);
    assert_int_equal(error.code, ERROR_INPUT);
    message_clear(&answer);
    answer = parsed("{\"evaluation\": {\"outcome\": \"ok\"}, \"last\": false}");
    assert_false(measure_evaluate_answer(&answer, &evaluation, &last, &error));
    assert_false(last);
    assert_int_equal(error.code, ERROR_MESSAGE);
    evaluation_clear(&evaluation);
    message_clear(&answer);
}

static int end_worker(struct channel *channel, pid_t worker)
{
    int status;
    channel_free(channel);
    assert_int_equal(waitpid(worker, &status, 0), worker);
    return status;
}

static void test_a_worker_describes_and_opens(void **state)
{
    (void)state;
    pid_t worker;
    struct error error = {0};
    struct channel *channel = start_worker(measure_worker, &worker);
    int count = 0, ordinal = -1;
    size_t devices = 0;
    struct device_description described = {0}, opened = {0};

    struct message answer = ask(channel, measure_count_request("cpu", &error));
    assert_true(measure_count_answer(&answer, &count, &error));
    assert_int_equal(count, 1);
    message_clear(&answer);

    answer = ask(channel, measure_describe_request("cpu", -1, &error));
    assert_true(measure_describe_count(&answer, &devices, &error));
    assert_int_equal(devices, 1);
    assert_true(measure_describe_answer(&answer, 0, &ordinal, &described, &error));
    assert_int_equal(ordinal, 0);
    assert_string_equal(described.kind, "cpu");
    message_clear(&answer);

    described.peak_bandwidth = 123e9; /* what was measured before counts */
    answer = ask(channel, measure_open_request(&described, 0, false, NULL, &error));
    assert_true(measure_open_answer(&answer, &opened, &error));
    assert_true(device_description_alike(&opened, &described) && opened.peak_bandwidth == 123e9);
    message_clear(&answer);

    /* A malformed job ends the worker, which says so. */
    struct evaluation evaluation = {0};
    bool last = false;
    answer = ask(channel, json_pack("{s:s, s:{}}", "request", "evaluate", "job"));
    assert_false(measure_evaluate_answer(&answer, &evaluation, &last, &error));
    assert_true(last);
    message_clear(&answer);
    assert_int_equal(end_worker(channel, worker), 0);
}

static void test_unknown_devices_and_requests(void **state)
{
    (void)state;
    pid_t worker;
    struct error error = {0};
    struct channel *channel = start_worker(measure_worker, &worker);
    struct device_description description = {.kind = "abacus"};
    struct message answer = ask(channel, measure_open_request(&description, 0, false, NULL, &error));
    assert_false(measure_open_answer(&answer, &description, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "abacus"));
    message_clear(&answer);
    assert_int_equal(end_worker(channel, worker), 0);

    channel = start_worker(measure_worker, &worker);
    json_t *request = json_pack("{s:s}", "request", "dance");
    assert_true(channel_send(channel, request, NULL, 0, &error));
    json_decref(request);
    int status = end_worker(channel, worker);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_an_answer_without_an_evaluation),
        cmocka_unit_test(test_a_worker_describes_and_opens),
        cmocka_unit_test(test_unknown_devices_and_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

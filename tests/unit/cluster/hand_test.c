/* SPDX-License-Identifier: Apache-2.0 */
/* A hand with fake workers, in a process of its own; the test is rank 0. */
#include "tests/unit/workers/crew_fixture.h"

#include "tests/unit/expect.h"
#include "tuner/cluster/hand.h"
#include "tuner/cluster/hand_message.h"
#include "tuner/lang/template.h"

#include <sys/socket.h>
#include <sys/wait.h>

static const char template_path[] = TUNE_SOURCE_FOLDER "/tests/campaign/kernels/tiny";

struct hand_fixture {
    struct crew_fixture crew; /* its folders */
    struct channel *channel;
    struct template *template;
    pid_t pid;
    int status;
};

static bool no_devices(const char *text, struct found_device **devices, size_t *count, struct error *error)
{
    (void)devices, (void)count;
    return error_set(error, ERROR_WORK, "nothing is called %s", text);
}

static void say(const char *text)
{
    fprintf(stderr, "%s", text);
}

static void open_fixture(struct hand_fixture *fixture)
{
    static const struct hand_host host = {.devices = no_devices, .say = say};
    int pair[2];
    *fixture = (struct hand_fixture){0};
    crew_fixture_prepare(&fixture->crew, "cuda", 1, 20);
    assert_true(template_read(template_path, &fixture->template, NULL));
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    fixture->pid = fork();
    assert_true(fixture->pid >= 0);
    if (fixture->pid == 0) {
        struct error error = {0};
        close(pair[0]);
        setenv("TUNE_NODE", "a node", 1);
        bool served = hand_serve(pair[1], &host, &error);
        if (!served)
            error_print(&error, stderr);
        _exit(served ? 0 : 1);
    }
    close(pair[1]);
    assert_true(channel_create(pair[0], &fixture->channel, NULL));
}

static void close_fixture(struct hand_fixture *fixture)
{
    channel_free(fixture->channel);
    assert_int_equal(waitpid(fixture->pid, &fixture->status, 0), fixture->pid);
    assert_true(WIFEXITED(fixture->status));
    template_free(fixture->template);
    crew_fixture_free(&fixture->crew);
}

static void ask(const struct hand_fixture *fixture, json_t *request)
{
    assert_non_null(request);
    assert_true(channel_send(fixture->channel, request, NULL, 0, NULL));
    json_decref(request);
}

/* The next report that is not about the load. */
static struct hand_report hear(const struct hand_fixture *fixture, struct message *message)
{
    struct hand_report report;
    struct error error = {0};
    bool ended = false;
    for (;;) {
        assert_success(channel_receive(fixture->channel, message, &ended, &error), &error);
        assert_false(ended);
        assert_success(hand_report_read(message, &report, &error), &error);
        if (report.event != HAND_LOAD)
            return report;
        message_clear(message);
    }
}

static json_t *open_request(const struct hand_fixture *fixture, const char *hash, bool compiles_only)
{
    const struct device_description description = device("cuda", 0);
    return json_pack("{s:s, s:o, s:o, s:[], s:i, s:b, s:b, s:b, s:f, s:f, s:f, s:f, s:s, s:s}", "request", "open",
                     "device", device_description_json(&description), "ordinals",
                     compiles_only ? json_array() : json_pack("[i]", 0), "source_folders", "compile_jobs", 1,
                     "no_cache", 1, "unconfined", 0, "compiles_only", compiles_only, "compile_deadline", 20.0,
                     "measure_deadline", 20.0, "patience", 5.0, "lock_patience", 5.0, "template",
                     fixture->template->path, "hash", hash);
}

static json_t *evaluate_request(size_t token, const char *path, int samples)
{
    struct candidate *given = candidate(path, token);
    json_t *request = json_pack("{s:s, s:I, s:o, s:i, s:b, s:f, s:f, s:i, s:i}", "request", "evaluate", "token",
                                (json_int_t)token, "job", job_to_json(given->job), "samples", samples, "energy", 0,
                                "incumbent_ns", 77.0, "expected_seconds", 0.0, "measurer", -1, "attempts", 0);
    candidate_free(given);
    return request;
}

static void test_a_hand_says_who_it_is(void **state)
{
    (void)state;
    struct hand_fixture fixture;
    struct message message;
    open_fixture(&fixture);
    ask(&fixture, json_pack("{s:s, s:i}", "request", "hello", "protocol", HAND_PROTOCOL));
    struct hand_report report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_HELLO);
    assert_string_equal(report.node, "a node");
    message_clear(&message);
    ask(&fixture, json_pack("{s:s, s:s}", "request", "devices", "device", "fake"));
    report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_DEVICES);
    assert_null(report.list);
    assert_string_equal(report.failure.text, "nothing is called fake");
    message_clear(&message);
    close_fixture(&fixture);
    assert_int_equal(WEXITSTATUS(fixture.status), 0);
}

static void test_what_it_is_given_it_compiles_and_measures(void **state)
{
    (void)state;
    static const char *const paths[] = {"good", "refused", "kernel faults", "good"};
    static const enum outcome outcomes[] = {OUTCOME_OK, OUTCOME_COMPILE_ERROR, OUTCOME_FAULT, OUTCOME_OK};
    struct hand_fixture fixture;
    struct message message;
    open_fixture(&fixture);
    channel_number(fixture.channel, 9);
    ask(&fixture, open_request(&fixture, fixture.template->hash, false));
    for (size_t i = 0; i < 4; i++)
        ask(&fixture, evaluate_request(100 + i, paths[i], i == 3 ? 5 : 0));
    for (size_t i = 0; i < 4; i++) {
        struct hand_report report = hear(&fixture, &message);
        assert_int_equal(report.event, HAND_FINISHED);
        assert_int_equal(message.number, 9);
        assert_in_range(report.token, 100, 103);
        assert_int_equal(report.evaluation.outcome, outcomes[report.token - 100]);
        assert_int_equal(report.image != NULL, report.token == 103); /* a finalist's */
        if (report.evaluation.outcome == OUTCOME_OK)
            assert_string_equal(report.evaluation.message, "image of good");
        hand_report_clear(&report);
        message_clear(&message);
    }
    close_fixture(&fixture);
    assert_int_equal(WEXITSTATUS(fixture.status), 0);
}

static void test_without_a_device_it_compiles_for_others(void **state)
{
    (void)state;
    struct hand_fixture fixture;
    struct message message;
    open_fixture(&fixture);
    channel_number(fixture.channel, 1);
    ask(&fixture, open_request(&fixture, fixture.template->hash, true));
    ask(&fixture, evaluate_request(5, "good", 0));
    struct hand_report report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_COMPILED);
    assert_int_equal(report.token, 5);
    assert_int_equal(report.image_bytes, strlen("image of good"));
    assert_memory_equal(report.image, "image of good", report.image_bytes);
    hand_report_clear(&report);
    message_clear(&message);
    ask(&fixture, evaluate_request(6, "refused", 0));
    report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_FINISHED);
    assert_int_equal(report.evaluation.outcome, OUTCOME_COMPILE_ERROR);
    hand_report_clear(&report);
    message_clear(&message);
    close_fixture(&fixture);
}

static void test_other_sources_than_those_of_rank_0_are_refused(void **state)
{
    (void)state;
    struct hand_fixture fixture;
    struct message message;
    open_fixture(&fixture);
    channel_number(fixture.channel, 1);
    ask(&fixture, open_request(&fixture, "0123456789abcdef", false));
    struct hand_report report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_FAILED);
    assert_mentions(report.failure.text, "is not the same on a node as on rank 0");
    message_clear(&message);
    close_fixture(&fixture);
}

/* All but what is being measured. */
static void test_it_gives_back_what_is_not_wanted_any_more(void **state)
{
    (void)state;
    struct hand_fixture fixture;
    struct message message;
    open_fixture(&fixture);
    channel_number(fixture.channel, 1);
    ask(&fixture, open_request(&fixture, fixture.template->hash, false));
    for (size_t i = 0; i < 3; i++)
        ask(&fixture, evaluate_request(i, "compiler hangs", 0));
    ask(&fixture, json_pack("{s:s}", "request", "drop"));
    struct hand_report report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_RETURNED);
    assert_int_equal(json_array_size(report.list), 3);
    message_clear(&message);
    close_fixture(&fixture);
}

static void test_a_lost_device_ends_the_session_and_not_the_hand(void **state)
{
    (void)state;
    struct hand_fixture fixture;
    struct message message;
    open_fixture(&fixture);
    channel_number(fixture.channel, 1);
    ask(&fixture, open_request(&fixture, fixture.template->hash, false));
    ask(&fixture, evaluate_request(1, "reference broken", 0));
    struct hand_report report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_FAILED);
    assert_int_equal(report.failure.code, ERROR_INPUT);
    message_clear(&message);
    ask(&fixture, evaluate_request(2, "good", 0)); /* it comes too late */
    channel_number(fixture.channel, 2);
    ask(&fixture, open_request(&fixture, fixture.template->hash, false));
    ask(&fixture, evaluate_request(3, "good", 0));
    report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_FINISHED);
    assert_int_equal(report.token, 3);
    hand_report_clear(&report);
    message_clear(&message);
    close_fixture(&fixture);
}

static void test_nonsense_ends_it(void **state)
{
    (void)state;
    struct hand_fixture fixture;
    open_fixture(&fixture);
    ask(&fixture, json_pack("{s:s}", "request", "juggle"));
    close_fixture(&fixture);
    assert_int_equal(WEXITSTATUS(fixture.status), 1);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_hand_says_who_it_is),
        cmocka_unit_test(test_what_it_is_given_it_compiles_and_measures),
        cmocka_unit_test(test_without_a_device_it_compiles_for_others),
        cmocka_unit_test(test_other_sources_than_those_of_rank_0_are_refused),
        cmocka_unit_test(test_it_gives_back_what_is_not_wanted_any_more),
        cmocka_unit_test(test_a_lost_device_ends_the_session_and_not_the_hand),
        cmocka_unit_test(test_nonsense_ends_it),
    };
    return crew_tests_main(count, arguments, "hand", tests, sizeof tests / sizeof *tests);
}

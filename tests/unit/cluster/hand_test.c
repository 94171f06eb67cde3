/* SPDX-License-Identifier: Apache-2.0 */
/* A hand with fake workers, in a process of its own; the test is rank 0. */
#include "tests/unit/workers/crew_fixture.h"

#include "tests/unit/expect.h"
#include "tuner/cluster/hand.h"
#include "tuner/cluster/hand_message.h"
#include "tuner/cluster/hand_request.h"
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

/* A session, which everything that is asked from now on belongs to. */
static void ask_to_open(const struct hand_fixture *fixture, uint64_t session, const char *hash, bool compiles_only)
{
    static const int ordinal = 0;
    const struct device_description description = device("cuda", 0);
    const struct crew_plan plan = {.device = &description,
                                   .ordinals = &ordinal,
                                   .ordinal_count = compiles_only ? 0 : 1,
                                   .compile_jobs = 1,
                                   .no_cache = true,
                                   .compiles_only = compiles_only,
                                   .compile_deadline = 20,
                                   .measure_deadline = 20,
                                   .patience = 5,
                                   .lock_patience = 5};
    channel_number(fixture->channel, session);
    ask(fixture, hand_open_request(&plan, &description, fixture->template->path, hash));
}

static void ask_to_evaluate(const struct hand_fixture *fixture, size_t token, const char *path, size_t samples)
{
    struct candidate *given = candidate(path, token);
    given->effort.samples = samples;
    ask(fixture, hand_evaluate_request(given, token));
    candidate_free(given);
}

/* A hand with a session that has a device, or none. */
static void open_session(struct hand_fixture *fixture, uint64_t session, bool compiles_only)
{
    open_fixture(fixture);
    ask_to_open(fixture, session, fixture->template->hash, compiles_only);
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
    assert_null(report.devices);
    assert_string_equal(report.failure.text, "nothing is called fake");
    assert_string_equal(json_string_value(json_object_get(report.compilers, "cuda")), "a fake compiler");
    assert_null(json_object_get(report.compilers, "cpu")); /* whose cores are not to spare */
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
    open_session(&fixture, 9, false);
    for (size_t i = 0; i < 4; i++)
        ask_to_evaluate(&fixture, 100 + i, paths[i], i == 3 ? 5 : 0);
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

/* The template's parameters are not among them. */
static void test_what_it_cannot_lower_it_refuses(void **state)
{
    (void)state;
    struct hand_fixture fixture;
    struct message message;
    open_session(&fixture, 1, false);
    struct candidate *given = candidate("good", 4);
    json_t *request = hand_evaluate_request(given, 4);
    json_object_del(request, "job");
    json_object_set_new(
        request, "lower",
        json_pack("{s:s, s:[], s:b, s:i}", "configuration", "{\"NOISE\":1}", "sizes", "awkward", 0, "seed", 5));
    ask(&fixture, request);
    candidate_free(given);
    ask_to_evaluate(&fixture, 5, "good", 0);
    struct hand_report report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_REFUSED);
    assert_int_equal(report.token, 4);
    assert_int_equal(report.load.received, 1);
    message_clear(&message);
    report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_FINISHED);
    assert_int_equal(report.token, 5);
    hand_report_clear(&report);
    message_clear(&message);
    close_fixture(&fixture);
}

static void test_the_row_of_an_image_made_elsewhere_says_what_is_known_of_it(void **state)
{
    (void)state;
    static const char image[] = "image of another";
    struct hand_fixture fixture;
    struct message message;
    struct candidate *given = candidate("good", 8);
    given->compile_seconds = 3;
    given->spill_bytes = 12;
    open_session(&fixture, 1, false);
    json_t *request = hand_evaluate_request(given, 8);
    assert_non_null(request);
    assert_true(hand_queue(fixture.channel, request, image, strlen(image), NULL));
    assert_true(channel_flush(fixture.channel, NULL));
    json_decref(request);
    candidate_free(given);
    struct hand_report report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_FINISHED);
    assert_string_equal(report.evaluation.message, image);
    assert_int_equal(report.evaluation.spill_bytes, 12);
    assert_true(report.evaluation.compile_seconds == 3);
    hand_report_clear(&report);
    message_clear(&message);
    close_fixture(&fixture);
}

static void test_without_a_device_it_compiles_for_others(void **state)
{
    (void)state;
    struct hand_fixture fixture;
    struct message message;
    open_session(&fixture, 1, true);
    ask_to_evaluate(&fixture, 5, "good", 0);
    struct hand_report report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_COMPILED);
    assert_int_equal(report.token, 5);
    assert_int_equal(report.image_bytes, strlen("image of good"));
    assert_memory_equal(report.image, "image of good", report.image_bytes);
    hand_report_clear(&report);
    message_clear(&message);
    ask_to_evaluate(&fixture, 6, "refused", 0);
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
    ask_to_open(&fixture, 1, "0123456789abcdef", false);
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
    open_session(&fixture, 1, false);
    for (size_t i = 0; i < 3; i++)
        ask_to_evaluate(&fixture, i, "compiler hangs", 0);
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
    open_session(&fixture, 1, false);
    ask_to_evaluate(&fixture, 1, "reference broken", 0);
    struct hand_report report = hear(&fixture, &message);
    assert_int_equal(report.event, HAND_FAILED);
    assert_int_equal(report.failure.code, ERROR_INPUT);
    message_clear(&message);
    ask_to_evaluate(&fixture, 2, "good", 0); /* it comes too late */
    ask_to_open(&fixture, 2, fixture.template->hash, false);
    ask_to_evaluate(&fixture, 3, "good", 0);
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
        cmocka_unit_test(test_what_it_cannot_lower_it_refuses),
        cmocka_unit_test(test_the_row_of_an_image_made_elsewhere_says_what_is_known_of_it),
        cmocka_unit_test(test_without_a_device_it_compiles_for_others),
        cmocka_unit_test(test_other_sources_than_those_of_rank_0_are_refused),
        cmocka_unit_test(test_it_gives_back_what_is_not_wanted_any_more),
        cmocka_unit_test(test_a_lost_device_ends_the_session_and_not_the_hand),
        cmocka_unit_test(test_nonsense_ends_it),
    };
    return crew_tests_main(count, arguments, "hand", tests, sizeof tests / sizeof *tests);
}

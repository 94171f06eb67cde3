/* SPDX-License-Identifier: Apache-2.0 */
/* Forged messages of workers: each costs the row of its own candidate at most, never another's, and never the work.
 */
#include "tests/unit/workers/crew_fixture.h"

/* ---- what a worker sends instead of its answer */

struct forgery {
    int socket;
    uint64_t number;      /* of the request */
    json_t *answer;       /* what it would have sent */
    json_t *part;         /* the evaluation in it, or the answer of a compiler itself */
    const char *blob;     /* what would have followed */
    const char *argument; /* of the case */
};

static void write_all(int socket, const void *bytes, size_t count)
{
    for (const char *at = bytes; count > 0;) {
        ssize_t written = write(socket, at, count);
        if (written < 0)
            _exit(1); /* the parent has had enough */
        at += written;
        count -= (size_t)written;
    }
}

static void send_text(int socket, uint64_t number, const char *text, const char *blob)
{
    const struct message_header header = {MESSAGE_MAGIC, (uint32_t)strlen(text), strlen(blob), number};
    write_all(socket, &header, sizeof header);
    write_all(socket, text, strlen(text));
    write_all(socket, blob, strlen(blob));
}

static void send_as(const struct forgery *forgery, uint64_t number)
{
    char *text = json_dumps(forgery->answer, JSON_COMPACT);
    send_text(forgery->socket, number, text, forgery->blob);
    free(text);
}

static void wait_to_be_killed(void)
{
    for (;;)
        pause();
}

static void raw_bytes(const struct forgery *forgery)
{
    write_all(forgery->socket, forgery->argument, strlen(forgery->argument));
    wait_to_be_killed();
}

static void raw_text(const struct forgery *forgery)
{
    send_text(forgery->socket, forgery->number, forgery->argument, "");
    wait_to_be_killed();
}

static void long_text(const struct forgery *forgery)
{
    const struct message_header header = {MESSAGE_MAGIC, UINT32_MAX, 0, forgery->number};
    write_all(forgery->socket, &header, sizeof header);
    wait_to_be_killed();
}

static void long_blob(const struct forgery *forgery)
{
    const struct message_header header = {MESSAGE_MAGIC, 2, UINT64_MAX - 5, forgery->number};
    write_all(forgery->socket, &header, sizeof header);
    wait_to_be_killed();
}

static void deep_text(const struct forgery *forgery)
{
    enum { DEPTH = 100000 };
    char *text = calloc(1, DEPTH + 1);
    memset(text, '[', DEPTH);
    send_text(forgery->socket, forgery->number, text, "");
    wait_to_be_killed();
}

static void other_number(const struct forgery *forgery)
{
    send_as(forgery, forgery->number + strtoull(forgery->argument, NULL, 10));
    wait_to_be_killed();
}

static void no_number(const struct forgery *forgery)
{
    send_as(forgery, 0);
    wait_to_be_killed();
}

static void blob_attached(const struct forgery *forgery)
{
    send_text(forgery->socket, forgery->number, forgery->argument, "four");
    wait_to_be_killed();
}

static void own_blob(const struct forgery *forgery)
{
    struct forgery with = *forgery;
    with.blob = "four";
    send_as(&with, forgery->number);
    wait_to_be_killed();
}

/* `argument`: members that replace those of the evaluation, or of a compiler's answer. */
static void members(const struct forgery *forgery)
{
    json_t *changes = json_loads(forgery->argument, JSON_DECODE_ANY, NULL);
    if (!changes || json_object_update(forgery->part, changes) != 0)
        _exit(1);
    send_as(forgery, forgery->number);
    wait_to_be_killed();
}

/* The same of the answer. */
static void outer_members(const struct forgery *forgery)
{
    json_t *changes = json_loads(forgery->argument, 0, NULL);
    if (!changes || json_object_update(forgery->answer, changes) != 0)
        _exit(1);
    send_as(forgery, forgery->number);
    wait_to_be_killed();
}

static void missing(const struct forgery *forgery)
{
    json_object_del(forgery->answer, forgery->argument);
    json_object_del(forgery->part, forgery->argument);
    send_as(forgery, forgery->number);
    wait_to_be_killed();
}

static void long_message(const struct forgery *forgery)
{
    enum { BYTES = 1 << 20 };
    char *text = calloc(1, BYTES + 1);
    memset(text, 'x', BYTES);
    json_object_set_new(forgery->part, "message", json_string(text));
    send_as(forgery, forgery->number);
    wait_to_be_killed();
}

static void endless_notes(const struct forgery *forgery)
{
    for (;;)
        send_text(forgery->socket, forgery->number, "{\"note\": \"setup\"}", "");
}

static void others_note(const struct forgery *forgery)
{
    send_text(forgery->socket, forgery->number + 1, "{\"note\": \"setup\"}", "");
    wait_to_be_killed();
}

/* ---- what is no message, or one too many: the answer itself counts */

static void truncated(const struct forgery *forgery)
{
    write_all(forgery->socket, "\x54\x55\x4e\x45\x20", 5);
    exit(0);
}

static void twice(const struct forgery *forgery)
{
    send_as(forgery, forgery->number);
    send_as(forgery, forgery->number);
    wait_to_be_killed();
}

static void twice_as_the_next(const struct forgery *forgery)
{
    send_as(forgery, forgery->number);
    send_as(forgery, forgery->number + 2);
    wait_to_be_killed();
}

static void bytes_behind(const struct forgery *forgery)
{
    send_as(forgery, forgery->number);
    write_all(forgery->socket, "and some bytes more than it is long", 35);
    wait_to_be_killed();
}

/* ---- the cases */

struct forged_case {
    const char *name;
    void (*send)(const struct forgery *forgery);
    const char *argument;
    enum outcome outcome; /* CRASH or COMPILE_CRASH: malformed */
};

#define MALFORMED OUTCOME_CRASH

static const struct forged_case measured[] = {
    {"garbage", raw_bytes, "garbage garbage garbage garbage", MALFORMED},
    {"another magic number", raw_bytes, "TUNETUNETUNETUNETUNETUNETUNETUNE", MALFORMED},
    {"a text of 4 GiB", long_text, NULL, MALFORMED},
    {"a blob of 16 EiB", long_blob, NULL, MALFORMED},
    {"no JSON", raw_text, "{\"evaluation\": ", MALFORMED},
    {"an array", raw_text, "[1, 2]", MALFORMED},
    {"no UTF-8", raw_text, "{\"evaluation\": \"\xff\xfe\"}", MALFORMED},
    {"a zero byte", raw_text, "{\"error\": \"\\u0000\"}", MALFORMED},
    {"an empty text", raw_text, "", MALFORMED},
    {"an empty object", raw_text, "{}", MALFORMED},
    {"100,000 brackets", deep_text, NULL, MALFORMED},
    {"a member twice", raw_text, "{\"last\": true, \"last\": false}", MALFORMED},
    {"a number beyond all bounds", raw_text, "{\"evaluation\": {\"time_ns\": 1e999}, \"last\": false}", MALFORMED},
    {"the next number", other_number, "1", MALFORMED},
    {"the previous number", other_number, "18446744073709551615", MALFORMED},
    {"no number", no_number, NULL, MALFORMED},
    {"a blob attached", own_blob, NULL, MALFORMED},
    {"no evaluation", missing, "evaluation", MALFORMED},
    {"not whether it is the last", missing, "last", MALFORMED},
    {"no outcome", missing, "outcome", MALFORMED},
    {"no samples", missing, "samples_ns", MALFORMED},
    {"another member", outer_members, "{\"path\": \"/etc/passwd\"}", MALFORMED},
    {"another member of the evaluation", members, "{\"time\": 1}", MALFORMED},
    {"an unknown outcome", members, "{\"outcome\": \"perfect\"}", MALFORMED},
    {"an outcome of compilers", members, "{\"outcome\": \"compile_error\", \"time_ns\": 0}", MALFORMED},
    {"an outcome that the parent decides on", members, "{\"outcome\": \"timeout\", \"time_ns\": 0}", MALFORMED},
    {"a negative time", members, "{\"time_ns\": -1}", MALFORMED},
    {"a time that is no number", members, "{\"time_ns\": \"nan\"}", MALFORMED},
    {"an infinite time", members, "{\"time_ns\": \"inf\"}", MALFORMED},
    {"valid without a time", members, "{\"time_ns\": 0}", MALFORMED},
    {"wrong with a time", members, "{\"outcome\": \"wrong_result\"}", MALFORMED},
    {"a time outside its interval", members, "{\"time_low_ns\": 1001}", MALFORMED},
    {"a time outside its interval, again", members, "{\"time_high_ns\": 999}", MALFORMED},
    {"samples that are no numbers", members, "{\"samples_ns\": [1, \"nan\"]}", MALFORMED},
    {"samples that are negative", members, "{\"samples_ns\": [-1]}", MALFORMED},
    {"valid with a large error", members, "{\"error_ratio\": 2}", MALFORMED},
    {"valid with an error that is no number", members, "{\"error_ratio\": \"nan\"}", MALFORMED},
    {"negative registers", members, "{\"registers\": -7}", MALFORMED},
    {"an occupancy of 9", members, "{\"occupancy\": 9}", MALFORMED},
    {"valid, and yet may not recur", members, "{\"transient\": 1}", MALFORMED},
    {"a message that is a number", members, "{\"message\": 5}", MALFORMED},
    {"a message of a megabyte", long_message, NULL, MALFORMED},
    {"another device", members, "{\"uuid\": \"fake-1\"}", MALFORMED},
    {"a device with a long name", members,
     "{\"uuid\": \"0123456789012345678901234567890123456789012345678901234567890123456789\"}", MALFORMED},
    {"other inputs", members, "{\"seed\": \"7\"}", MALFORMED},
    {"a seed that is none", members, "{\"seed\": \"-\"}", MALFORMED},
    {"an unknown error", raw_text,
     "{\"last\": true, \"error\": {\"code\": 99, \"text\": \"x\", \"hint\": \"\", \"file\": \"\", \"line\": 0, "
     "\"column\": 0, \"excerpt\": \"\", \"caret\": 0, \"caret_length\": 0}}",
     MALFORMED},
    {"an error that is none", raw_text,
     "{\"last\": true, \"error\": {\"code\": 0, \"text\": \"x\", \"hint\": \"\", \"file\": \"\", \"line\": 0, "
     "\"column\": 0, \"excerpt\": \"\", \"caret\": 0, \"caret_length\": 0}}",
     MALFORMED},
    {"an error without a text", raw_text, "{\"last\": true, \"error\": {\"code\": 2}}", MALFORMED},
    {"an error that is a text", raw_text, "{\"last\": true, \"error\": \"no\"}", MALFORMED},
    {"a note that is a number", raw_text, "{\"note\": 5}", MALFORMED},
    {"a note about the next", others_note, NULL, MALFORMED},
    {"notes without end", endless_notes, NULL, MALFORMED},
    {"half a header, and it exits", truncated, NULL, OUTCOME_CRASH},
    {"its answer twice", twice, NULL, OUTCOME_OK},
    {"its answer, and one for the one after next", twice_as_the_next, NULL, OUTCOME_OK},
    {"bytes behind its answer", bytes_behind, NULL, OUTCOME_OK},
};

#undef MALFORMED
#define MALFORMED OUTCOME_COMPILE_CRASH

static const struct forged_case compiled[] = {
    {"garbage", raw_bytes, "garbage garbage garbage garbage", MALFORMED},
    {"an empty object", raw_text, "{}", MALFORMED},
    {"the next number", other_number, "1", MALFORMED},
    {"no image", raw_text, "{\"compiled\": true, \"log\": \"\", \"seconds\": 1, \"spill_bytes\": 0}", MALFORMED},
    {"an image of nothing", blob_attached, "{\"compiled\": false, \"log\": \"\", \"seconds\": 1, \"spill_bytes\": 0}",
     MALFORMED},
    {"negative seconds", members, "{\"seconds\": -1}", MALFORMED},
    {"seconds that are a text", members, "{\"seconds\": \"nan\"}", MALFORMED},
    {"spills of -7 bytes", members, "{\"spill_bytes\": -7}", MALFORMED},
    {"messages that are a number", members, "{\"log\": 7}", MALFORMED},
    {"compiled and crashed", members, "{\"crashed\": true}", MALFORMED},
    {"compiled and too large", members, "{\"too_large\": true}", MALFORMED},
    {"another member", members, "{\"shell\": \"rm\"}", MALFORMED},
    {"not whether it compiled", missing, "compiled", MALFORMED},
    {"an error and an image", blob_attached, "{\"error\": {}}", MALFORMED},
    {"an error without a text", raw_text, "{\"error\": {\"code\": 2}}", MALFORMED},
    {"an error and a result", outer_members, "{\"error\": {\"code\": 2}}", MALFORMED},
    {"a note", raw_text, "{\"note\": 5}", MALFORMED},
    {"its answer twice", twice, NULL, OUTCOME_OK},
    {"bytes behind its answer", bytes_behind, NULL, OUTCOME_OK},
};

enum { MEASURED = sizeof measured / sizeof *measured, COMPILED = sizeof compiled / sizeof *compiled };

/* ---- the worker */

static void forge_measurement(int socket, const struct message *request, size_t which)
{
    json_t *evaluation = fake_evaluation(request, OUTCOME_OK, 1000);
    json_t *answer = json_pack("{s:o, s:b}", "evaluation", evaluation, "last", 0);
    const struct forgery forgery = {socket, request->number, answer, evaluation, "", measured[which].argument};
    milliseconds(5); /* for the parent to send the next request ahead */
    measured[which].send(&forgery);
}

static void forge_compilation(int socket, const struct message *request, size_t which)
{
    json_t *answer = json_pack("{s:b, s:s, s:f, s:i}", "compiled", 1, "log", "", "seconds", 0.25, "spill_bytes", 16);
    const struct forgery forgery = {socket, request->number, answer, answer, "image", compiled[which].argument};
    compiled[which].send(&forgery);
}

/* Of "measured 12" and "compiled 12"; false: an honest candidate. */
static bool is_forged(const char *path, const char *kind, size_t *which)
{
    size_t length = strlen(kind);
    if (strncmp(path, kind, length) != 0)
        return false;
    *which = (size_t)atoi(path + length);
    return true;
}

static void serve(struct channel *channel, const char *role, const struct message *request)
{
    const char *name = json_string_value(json_object_get(request->json, "request"));
    struct job *job = NULL;
    size_t which;
    if (is(name, "open")) {
        fake_open(channel, role, request->json, 0);
    } else if (is(name, "compile")) {
        if (is_forged(json_string_value(json_object_get(request->json, "path")), "compiled ", &which))
            forge_compilation(channel_socket(channel), request, which);
        else
            fake_compile(channel, request->json);
    } else if (job_from_json(json_object_get(request->json, "job"), &job, NULL)) {
        if (is_forged(job->program.path, "measured ", &which))
            forge_measurement(channel_socket(channel), request, which);
        else
            fake_measure(channel, request, 0);
        job_free(job);
    }
}

static int forging_worker(const char *role, int socket)
{
    struct channel *channel;
    struct message request;
    bool ended = false;
    if (!channel_create(socket, &channel, NULL))
        return 1;
    while (channel_receive(channel, &request, &ended, NULL) && !ended) {
        serve(channel, role, &request);
        message_clear(&request);
    }
    channel_free(channel);
    return 0;
}

/* ---- the tests: every forger between honest candidates */

static void check_row(const struct candidate *finished, const struct forged_case *forged)
{
    const struct evaluation *evaluation = &finished->evaluation;
    enum outcome expected = forged ? forged->outcome : OUTCOME_OK;
    const char *name = forged ? forged->name : "an honest candidate";
    if (evaluation->outcome != expected)
        fail_msg("%s: %s, %s", name, outcome_name(evaluation->outcome), evaluation->message);
    bool malformed = expected != OUTCOME_OK && forged->send != truncated;
    if (malformed && strstr(evaluation->message, "it sent a malformed message: ") != evaluation->message)
        fail_msg("%s: %s", name, evaluation->message);
    assert_int_equal(evaluation->transient, 0);
}

static void run_forgers(const char *kind, const char *role, const struct forged_case *cases, size_t count)
{
    struct crew_fixture fixture;
    struct error error = {0};
    char names[2 * MEASURED + 1][32];
    const char *paths[2 * MEASURED + 1];
    struct candidate *finished[2 * MEASURED + 1];
    size_t all = 2 * count + 1;
    for (size_t i = 0; i < all; i++) {
        snprintf(names[i], sizeof names[i], i % 2 ? "%s %zu" : "good %s %zu", role, i / 2);
        paths[i] = names[i];
    }
    crew_fixture_create(&fixture, kind, 2, 5);
    if (!run_through(fixture.crew, paths, all, finished, &error))
        fail_msg("the work ended: %s", error.text);
    for (size_t i = 0; i < all; i++) {
        size_t index = finished[i]->index;
        check_row(finished[i], index % 2 ? &cases[index / 2] : NULL);
    }
    free_all(finished, all);
    crew_fixture_free(&fixture);
}

static void test_forged_measurements_on_a_dedicated_device(void **state)
{
    (void)state;
    assert_true(MEASURED + COMPILED >= 25);
    run_forgers("cuda", "measured", measured, MEASURED);
}

static void test_forged_measurements_on_shared_cores(void **state)
{
    (void)state;
    run_forgers("cpu", "measured", measured, MEASURED);
}

static void test_forged_compilations(void **state)
{
    (void)state;
    run_forgers("cuda", "compiled", compiled, COMPILED);
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return forging_worker(arguments[2], atoi(arguments[3]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forged_measurements_on_a_dedicated_device),
        cmocka_unit_test(test_forged_measurements_on_shared_cores),
        cmocka_unit_test(test_forged_compilations),
    };
    return crew_tests_main(count, arguments, "forged", tests, sizeof tests / sizeof *tests);
}

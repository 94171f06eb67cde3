/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fault injection against the crew. Rounds of candidates pass through workers that only pretend to compile and
 * measure, and at random die, hang or send garbage meanwhile; the first round is undisturbed. The outcome of each
 * candidate must follow from that round and from the faults injected, and nothing may stay behind.
 *
 *     crew_campaign [FAULTS [SEED]]
 *
 * A worker is this program run again. Parent and workers share notes on each candidate: how often it was tried, and
 * what was injected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/device/monotonic.h"
#include "tuner/workers/crew.h"
#include "tuner/workers/message.h"
#include "tuner/workers/remote_error.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>

enum { CANDIDATES = 160, TRIES_MOST = 6, WORKERS = 3, FAULT_PERCENT = 40 };

static const char notes_variable[] = "CREW_CAMPAIGN_NOTES", kind_variable[] = "CREW_CAMPAIGN_DEVICE";
static const double deadline_seconds = 2.5; /* honest work may take a second while other tests run */

/* ---- notes that parent and workers share */

struct note {
    uint8_t tries;
    struct {
        uint8_t measuring, injection; /* injection: index into the table */
    } of[TRIES_MOST];
};

struct notes {
    uint64_t seed;    /* of the round */
    bool undisturbed; /* nothing is injected */
    struct note candidates[CANDIDATES];
};

/* One step of splitmix64: a random number for each value. */
static uint64_t mix(uint64_t value)
{
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

/* ---- candidates: their outcomes without faults */

enum nature { GOOD, REFUSED, COMPILER_DIES, COMPILER_STARVES, WRONG, FAULTS, KERNEL_DIES, NATURES };

static enum nature nature_of(size_t index)
{
    uint64_t drawn = mix(index) % 20;
    return drawn < NATURES ? (enum nature)drawn : GOOD;
}

/* ---- faults */

/* A worker about to send an answer. */
struct actor {
    int socket;
    const char *answer;
    size_t bytes;
    uint64_t number; /* of the request */
    uint64_t drawn;
};

static void milliseconds(long count)
{
    nanosleep(&(struct timespec){.tv_sec = count / 1000, .tv_nsec = count % 1000 * 1000000}, NULL);
}

static void send_bytes(const struct actor *actor, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t sent = write(actor->socket, bytes, count);
        if (sent < 0)
            _exit(EXIT_FAILURE); /* the parent has given up on this worker */
        bytes += sent;
        count -= (size_t)sent;
    }
}

static void send_header(const struct actor *actor, struct message_header header)
{
    send_bytes(actor, (const char *)&header, sizeof header);
}

static size_t some_of(const struct actor *actor)
{
    return actor->bytes > 1 ? 1 + actor->drawn % (actor->bytes - 1) : 0;
}

static void answer(const struct actor *actor)
{
    send_bytes(actor, actor->answer, actor->bytes);
}

static void die_by_kill(const struct actor *actor)
{
    (void)actor;
    raise(SIGKILL);
}

static void die_by_term(const struct actor *actor)
{
    (void)actor;
    raise(SIGTERM);
}

static void die_by_hangup(const struct actor *actor)
{
    (void)actor;
    raise(SIGHUP);
}

static void die_in_the_middle(const struct actor *actor)
{
    send_bytes(actor, actor->answer, some_of(actor));
    raise(SIGKILL);
}

/* The child is in the worker's process group and keeps its end of the socket open. */
static void die_before_a_child(const struct actor *actor)
{
    (void)actor;
    if (fork() == 0) {
        milliseconds(60000);
        _exit(EXIT_SUCCESS);
    }
    milliseconds(2);
    kill(0, SIGKILL);
}

static void answer_and_die(const struct actor *actor)
{
    answer(actor);
    raise(SIGKILL);
}

/* By then the parent has read the answer, and the next candidate is in the worker's socket or about to be. */
static void answer_and_die_later(const struct actor *actor)
{
    answer(actor);
    milliseconds(3);
    raise(SIGKILL);
}

static void die_of_a_fault(const struct actor *actor)
{
    (void)actor;
    raise(SIGSEGV);
}

static void abort_in_the_middle(const struct actor *actor)
{
    send_bytes(actor, actor->answer, some_of(actor));
    raise(SIGABRT);
}

static void leave(const struct actor *actor)
{
    _exit((int)(actor->drawn % 4));
}

static void leave_in_the_middle(const struct actor *actor)
{
    send_bytes(actor, actor->answer, some_of(actor));
    _exit(EXIT_SUCCESS);
}

static void send_noise(const struct actor *actor)
{
    uint64_t noise[64];
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        noise[i] = mix(actor->drawn + i);
    noise[0] |= 1; /* the magic number is even */
    noise[0] ^= (noise[0] & UINT32_MAX) == MESSAGE_MAGIC;
    send_bytes(actor, (const char *)noise, sizeof noise);
    milliseconds(60000);
}

static void send_huge_text(const struct actor *actor)
{
    send_header(actor, (struct message_header){MESSAGE_MAGIC, UINT32_MAX, 0, actor->number});
    milliseconds(60000);
}

static void send_huge_blob(const struct actor *actor)
{
    send_header(actor, (struct message_header){MESSAGE_MAGIC, 2, UINT64_MAX, actor->number});
    milliseconds(60000);
}

static void send_no_json(const struct actor *actor)
{
    send_header(actor, (struct message_header){MESSAGE_MAGIC, 4, 0, actor->number});
    send_bytes(actor, "{]\"\xff", 4);
    milliseconds(60000);
}

static void send_another_number(const struct actor *actor)
{
    struct message_header header;
    memcpy(&header, actor->answer, sizeof header);
    header.number += actor->drawn | 1;
    send_header(actor, header);
    send_bytes(actor, actor->answer + sizeof header, actor->bytes - sizeof header);
    milliseconds(60000);
}

static void hang(const struct actor *actor)
{
    (void)actor;
    for (;;)
        milliseconds(60000);
}

static void stop(const struct actor *actor)
{
    (void)actor;
    raise(SIGSTOP);
}

static void hang_in_the_middle(const struct actor *actor)
{
    send_bytes(actor, actor->answer, some_of(actor));
    hang(actor);
}

/* Half of the announced blob, and then nothing. */
static void promise_a_large_blob(const struct actor *actor)
{
    send_header(actor, (struct message_header){MESSAGE_MAGIC, 2, 1 << 20, actor->number});
    send_bytes(actor, "{}", 2);
    hang(actor);
}

static void ignore_term_and_hang(const struct actor *actor)
{
    signal(SIGTERM, SIG_IGN);
    hang(actor);
}

static void answer_byte_by_byte(const struct actor *actor)
{
    for (size_t i = 0; i < actor->bytes; i++)
        send_bytes(actor, actor->answer + i, 1);
}

static void answer_haltingly(const struct actor *actor)
{
    size_t first = some_of(actor);
    send_bytes(actor, actor->answer, first);
    milliseconds(20);
    send_bytes(actor, actor->answer + first, actor->bytes - first);
}

static void send_many_notes(const struct actor *actor)
{
    static const char text[] = "{\"note\": \"\"}";
    for (int i = 0; i < 500; i++) {
        send_header(actor, (struct message_header){MESSAGE_MAGIC, sizeof text - 1, 0, actor->number});
        send_bytes(actor, text, sizeof text - 1);
    }
    answer(actor);
}

static void print_much(const struct actor *actor)
{
    for (int i = 0; i < 20000; i++)
        printf("line %d of what a kernel prints without end\033[2J\x01\xff\n", i);
    fflush(stdout);
    answer(actor);
}

static void close_its_output(const struct actor *actor)
{
    fclose(stdout);
    fclose(stderr);
    answer(actor);
}

static void remove_its_folder(const struct actor *actor)
{
    rmdir(getenv("TMPDIR"));
    answer(actor);
}

static void litter(const struct actor *actor)
{
    char path[1024];
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%d", getenv("TMPDIR"), i);
        FILE *file = fopen(path, "w");
        if (file)
            fclose(file);
    }
    snprintf(path, sizeof path, "%s/link", getenv("TMPDIR"));
    if (symlink("/", path) != 0 && errno != EEXIST && errno != ENOENT)
        _exit(EXIT_FAILURE);
    answer(actor);
}

enum effect {
    HARMLESS,     /* the candidate's own answer counts */
    OUTSIDE_KILL, /* the worker was killed from outside: the candidate gets one more chance */
    STOPPED,      /* until its deadline has passed: likewise */
    NONSENSE,     /* a malformed message, which may be another candidate's doing: likewise */
    DEATH,        /* looks like the candidate's fault */
    FAULT,        /* likewise, by a signal that kernels die of */
    DEADLINE,
};

static const struct injection {
    const char *name;
    void (*act)(const struct actor *actor);
    enum effect effect;
    unsigned weight; /* slow ones are rare */
} injections[] = {
    {"none", answer, HARMLESS, 0},
    {"killed", die_by_kill, OUTSIDE_KILL, 60},
    {"terminated", die_by_term, OUTSIDE_KILL, 30},
    {"hung up", die_by_hangup, OUTSIDE_KILL, 30},
    {"killed in the middle of its answer", die_in_the_middle, OUTSIDE_KILL, 40},
    {"killed with a child", die_before_a_child, OUTSIDE_KILL, 30},
    {"killed after its answer", answer_and_die, HARMLESS, 10},
    {"killed shortly after its answer", answer_and_die_later, HARMLESS, 10},
    {"segmentation fault", die_of_a_fault, FAULT, 40},
    {"aborts in the middle of its answer", abort_in_the_middle, FAULT, 40},
    {"leaves", leave, DEATH, 30},
    {"leaves in the middle of its answer", leave_in_the_middle, DEATH, 30},
    {"noise", send_noise, NONSENSE, 40},
    {"a text of 4 GiB", send_huge_text, NONSENSE, 30},
    {"a blob of 16 EiB", send_huge_blob, NONSENSE, 30},
    {"not JSON", send_no_json, NONSENSE, 30},
    {"another's number", send_another_number, NONSENSE, 30},
    {"hangs", hang, DEADLINE, 3},
    {"stopped", stop, STOPPED, 3},
    {"hangs in the middle of its answer", hang_in_the_middle, DEADLINE, 3},
    {"hangs in the middle of a blob", promise_a_large_blob, DEADLINE, 3},
    {"hangs and ignores SIGTERM", ignore_term_and_hang, DEADLINE, 3},
    {"byte by byte", answer_byte_by_byte, HARMLESS, 30},
    {"haltingly", answer_haltingly, HARMLESS, 30},
    {"many notes", send_many_notes, HARMLESS, 30},
    {"prints much", print_much, HARMLESS, 10},
    {"closes its output", close_its_output, HARMLESS, 20},
    {"removes its folder", remove_its_folder, HARMLESS, 20},
    {"litters", litter, HARMLESS, 20},
};
enum { INJECTIONS = sizeof injections / sizeof *injections };

static size_t draw_injection(uint64_t drawn)
{
    unsigned total = 0;
    size_t chosen = 0;
    for (size_t i = 0; i < INJECTIONS; i++)
        total += injections[i].weight;
    unsigned left = (unsigned)(drawn % total);
    while (left >= injections[chosen].weight)
        left -= injections[chosen++].weight;
    return chosen;
}

/* ---- a worker */

struct worker_state {
    struct notes *notes;
    int socket;
    bool measures;
};

/* Choose a fault for this try, note it, and inject it. */
static void act(const struct worker_state *state, uint64_t number, size_t index, const json_t *json, const char *blob)
{
    struct notes *notes = state->notes;
    struct note *note = &notes->candidates[index];
    uint64_t drawn = mix(notes->seed ^ mix(index << 8 | (uint64_t)note->tries));
    size_t chosen = !notes->undisturbed && drawn % 100 < FAULT_PERCENT ? draw_injection(mix(drawn)) : 0;
    if (note->tries < TRIES_MOST) {
        note->of[note->tries].measuring = state->measures;
        note->of[note->tries].injection = (uint8_t)chosen;
    }
    note->tries++;

    char *text = json_dumps(json, JSON_COMPACT);
    size_t text_bytes = strlen(text), blob_bytes = strlen(blob);
    const struct message_header header = {MESSAGE_MAGIC, (uint32_t)text_bytes, blob_bytes, number};
    size_t bytes = sizeof header + text_bytes + blob_bytes;
    char *whole = malloc(bytes);
    if (!whole)
        _exit(EXIT_FAILURE);
    memcpy(whole, &header, sizeof header);
    memcpy(whole + sizeof header, text, text_bytes);
    memcpy(whole + sizeof header + text_bytes, blob, blob_bytes);
    const struct actor actor = {state->socket, whole, bytes, number, mix(drawn + 1)};
    injections[chosen].act(&actor);
    free(whole);
    free(text);
}

static void pretend_to_compile(const struct worker_state *state, uint64_t number, size_t index)
{
    char image[64];
    enum nature nature = nature_of(index);
    snprintf(image, sizeof image, "image of %zu", index);
    if (nature == COMPILER_DIES)
        raise(SIGSEGV);
    if (nature == COMPILER_STARVES) {
        struct error error;
        error_out_of_memory(&error);
        json_t *json = json_pack("{s:o}", "error", error_to_json(&error));
        act(state, number, index, json, "");
        json_decref(json);
        return;
    }
    bool compiled = nature != REFUSED;
    json_t *json = json_pack("{s:b, s:s, s:f, s:i}", "compiled", compiled, "log", compiled ? "" : "line 1: no",
                             "seconds", 0.25, "spill_bytes", 16);
    act(state, number, index, json, compiled ? image : "");
    json_decref(json);
}

static void pretend_to_measure(const struct worker_state *state, size_t index, const struct message *request)
{
    enum nature nature = nature_of(index);
    if (nature == KERNEL_DIES)
        raise(SIGBUS);
    char text[128] = "";
    memcpy(text, request->blob, request->blob_bytes < sizeof text ? request->blob_bytes : sizeof text - 1);
    const struct evaluation evaluation = {
        .outcome = nature == WRONG    ? OUTCOME_WRONG_RESULT
                   : nature == FAULTS ? OUTCOME_FAULT
                                      : OUTCOME_OK,
        .message = text,
        .time_ns = nature == GOOD ? (double)(1000 + index) : 0,
    };
    json_t *json = json_pack("{s:o, s:b}", "evaluation", evaluation_to_json(&evaluation), "last", nature == FAULTS);
    act(state, request->number, index, json, "");
    json_decref(json);
    if (nature == FAULTS)
        exit(EXIT_SUCCESS);
}

static struct device_description device(const char *kind)
{
    struct device_description description = {.name = "pretended device", .architecture = "pretended"};
    snprintf(description.kind, sizeof description.kind, "%s", kind);
    return description;
}

static void pretend_to_open(const struct worker_state *state, struct channel *channel)
{
    struct device_description description = device(getenv(kind_variable));
    json_t *json =
        state->measures ? json_pack("{s:o}", "device", device_description_json(&description)) : json_object();
    channel_send(channel, json, NULL, 0, NULL);
    json_decref(json);
}

static size_t index_of(const char *path)
{
    size_t index = path ? (size_t)strtoul(path, NULL, 10) : CANDIDATES;
    if (index >= CANDIDATES)
        _exit(EXIT_FAILURE);
    return index;
}

static void serve(const struct worker_state *state, struct channel *channel, const struct message *request)
{
    const char *name = json_string_value(json_object_get(request->json, "request"));
    struct job *job;
    if (strcmp(name, "open") == 0) {
        pretend_to_open(state, channel);
    } else if (strcmp(name, "compile") == 0) {
        pretend_to_compile(state, request->number,
                           index_of(json_string_value(json_object_get(request->json, "path"))));
    } else if (job_from_json(json_object_get(request->json, "job"), &job, NULL)) {
        size_t index = index_of(job->program.path);
        job_free(job);
        pretend_to_measure(state, index, request);
    }
}

static struct notes *map_notes(void)
{
    int file = open(getenv(notes_variable), O_RDWR | O_CLOEXEC);
    void *notes =
        file < 0 ? MAP_FAILED : mmap(NULL, sizeof(struct notes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return notes == MAP_FAILED ? NULL : notes;
}

static int worker(const char *role, int socket)
{
    static const int restored[] = {SIGSEGV, SIGBUS, SIGABRT, SIGTERM, SIGHUP};
    struct worker_state state = {map_notes(), socket, strcmp(role, "measure") == 0};
    struct channel *channel;
    struct message request;
    bool ended = false;
    for (size_t i = 0; i < sizeof restored / sizeof *restored; i++)
        signal(restored[i], SIG_DFL);
    if (!state.notes || !channel_create(socket, &channel, NULL))
        return EXIT_FAILURE;
    while (channel_receive(channel, &request, &ended, NULL) && !ended) {
        serve(&state, channel, &request);
        message_clear(&request);
    }
    channel_free(channel);
    return EXIT_SUCCESS;
}

/* ---- a round */

static struct candidate *candidate(size_t index)
{
    char path[32];
    struct candidate *candidate = calloc(1, sizeof *candidate);
    assert_non_null(candidate);
    snprintf(path, sizeof path, "%zu", index);
    candidate->index = index;
    candidate->text = strdup("{}");
    candidate->job = calloc(1, sizeof *candidate->job);
    assert_non_null(candidate->job);
    candidate->job->program.path = strdup(path);
    candidate->job->program.folder = strdup(".");
    candidate->job->program.defines = strdup("");
    candidate->job->cases[JOB_TUNED].size_text = strdup("n=1");
    return candidate;
}

/* Run all candidates through a new crew; finished[i] becomes the i-th candidate, which must finish once. */
static void run_crew(const char *kind, struct candidate **finished)
{
    struct device_description description = device(kind);
    const struct crew_plan plan = {.device = &description,
                                   .compile_jobs = WORKERS,
                                   .compile_deadline = deadline_seconds,
                                   .measure_deadline = deadline_seconds};
    struct remains before = remains_now();
    struct crew *crew;
    struct error error = {0};
    size_t in = 0, out = 0;
    double limit = monotonic_seconds() + 120;
    setenv(kind_variable, kind, 1);
    assert_true(crew_create(&plan, &crew, &error));
    while (out < CANDIDATES) {
        assert_true(monotonic_seconds() < limit);
        for (; in < CANDIDATES && crew_room(crew) > 0; in++)
            crew_submit(crew, candidate(in));
        if (!crew_step(crew, 100, &error))
            fail_msg("the crew gave up: %s", error.text);
        for (struct candidate *next; (next = crew_finished(crew)); out++) {
            assert_null(finished[next->index]);
            finished[next->index] = next;
        }
    }
    assert_int_equal(crew_inside(crew), 0);
    crew_free(crew);
    remains_equal(before, remains_now());
}

/* A candidate's outcome without faults. */
static enum outcome natural_outcome(size_t index)
{
    switch (nature_of(index)) {
    case REFUSED:
        return OUTCOME_COMPILE_ERROR;
    case COMPILER_DIES:
    case COMPILER_STARVES:
        return OUTCOME_COMPILE_CRASH;
    case WRONG:
        return OUTCOME_WRONG_RESULT;
    case FAULTS:
    case KERNEL_DIES:
        return OUTCOME_FAULT;
    default:
        return OUTCOME_OK;
    }
}

static bool has_another_chance(const struct injection *injection)
{
    return injection->effect == OUTSIDE_KILL || injection->effect == STOPPED || injection->effect == NONSENSE;
}

/* A candidate's outcome after the faults injected. */
static enum outcome expected_outcome(const struct note *note, size_t index)
{
    unsigned killed = 0;
    assert_true(note->tries <= TRIES_MOST);
    for (size_t i = 0; i < note->tries; i++) {
        const struct injection *injection = &injections[note->of[i].injection];
        bool measuring = note->of[i].measuring, last = i + 1 == note->tries;
        killed += has_another_chance(injection);
        if (injection->effect == HARMLESS || (has_another_chance(injection) && killed < 2))
            continue;
        if (!last)
            return OUTCOME_COUNT; /* none: it must not have been tried again */
        if (injection->effect == DEADLINE || injection->effect == STOPPED)
            return measuring ? OUTCOME_TIMEOUT : OUTCOME_COMPILE_TIMEOUT;
        if (!measuring)
            return OUTCOME_COMPILE_CRASH;
        return injection->effect == FAULT ? OUTCOME_FAULT : OUTCOME_CRASH;
    }
    return natural_outcome(index);
}

static bool is_untouched(const struct note *note)
{
    for (size_t i = 0; i < note->tries; i++) {
        if (injections[note->of[i].injection].effect != HARMLESS &&
            !has_another_chance(&injections[note->of[i].injection]))
            return false;
    }
    return true;
}

static bool dies_after_its_answer(const struct injection *injection)
{
    return injection->act == answer_and_die || injection->act == answer_and_die_later;
}

/* How often a worker died after its answer; it may have been at the next candidate already. */
static size_t late_deaths(const struct notes *notes)
{
    size_t count = 0;
    for (size_t i = 0; i < CANDIDATES; i++) {
        for (size_t j = 0; j < notes->candidates[i].tries; j++)
            count += dies_after_its_answer(&injections[notes->candidates[i].of[j].injection]);
    }
    return count;
}

/* If the candidate's outcome means that it was killed twice: how many of these deaths are not in the notes, because
 * the worker died before it could write them down. Else 0. */
static size_t unwritten_deaths(const struct note *note, const struct evaluation *is)
{
    size_t killed = 0;
    for (size_t i = 0; i < note->tries; i++)
        killed += has_another_chance(&injections[note->of[i].injection]);
    bool crashed = is->outcome == OUTCOME_CRASH || is->outcome == OUTCOME_COMPILE_CRASH;
    return crashed && killed < 2 ? 2 - killed : 0;
}

static void fail_with_history(const struct note *note, size_t index, const struct evaluation *is,
                              enum outcome expected, size_t late)
{
    for (size_t i = 0; i < note->tries; i++)
        print_error("%s: %s\n", note->of[i].measuring ? "measuring" : "compiling",
                    injections[note->of[i].injection].name);
    print_error("%zu workers died after their answers\n", late);
    fail_msg("candidate %zu is %s instead of %s: %s", index, outcome_name(is->outcome),
             expected == OUTCOME_COUNT ? "finished earlier" : outcome_name(expected), is->message);
}

/* The worker that died had tried a candidate that printed much before: the crew cannot know whose output it is. */
static bool has_output_of_another_candidate(const char *is, const char *was, size_t index)
{
    static const char words[] = "; it printed last:\n";
    size_t length = strlen(was);
    return nature_of(index) == KERNEL_DIES && strncmp(is, was, length) == 0 &&
           strncmp(is + length, words, strlen(words)) == 0 && strstr(is, "of what a kernel prints without end");
}

static size_t compare(const struct notes *notes, struct candidate *const *finished,
                      struct candidate *const *undisturbed)
{
    size_t faults = 0, unwritten = late_deaths(notes);
    for (size_t i = 0; i < CANDIDATES; i++) {
        const struct evaluation *is = &finished[i]->evaluation, *was = &undisturbed[i]->evaluation;
        const struct note *note = &notes->candidates[i];
        enum outcome expected = expected_outcome(note, i);
        size_t deaths = is->outcome == expected ? 0 : unwritten_deaths(note, is);
        if (deaths > 0 && deaths <= unwritten) {
            unwritten -= deaths;
            expected = is->outcome;
        }
        if (is->outcome != expected)
            fail_with_history(note, i, is, expected, late_deaths(notes));
        if (is->outcome == was->outcome && is_untouched(note) && nature_of(i) != COMPILER_STARVES) {
            if (!has_output_of_another_candidate(is->message, was->message, i))
                assert_string_equal(is->message, was->message);
            assert_true(is->time_ns == was->time_ns);
            if (is->outcome == OUTCOME_OK)
                assert_true(is->compile_seconds >= was->compile_seconds); /* with the time lost */
            assert_int_equal(is->spill_bytes, was->spill_bytes);
        }
        if (is->outcome == OUTCOME_TIMEOUT)
            assert_true(is->measure_seconds >= deadline_seconds);
        if (is->outcome == OUTCOME_CRASH)
            assert_true(is->measure_seconds > 0);
        if (is->outcome == OUTCOME_COMPILE_TIMEOUT)
            assert_true(is->compile_seconds >= deadline_seconds);
        for (size_t j = 0; j < note->tries; j++)
            faults += note->of[j].injection != 0;
    }
    return faults;
}

static void free_all(struct candidate **candidates)
{
    for (size_t i = 0; i < CANDIDATES; i++) {
        candidate_free(candidates[i]);
        candidates[i] = NULL;
    }
}

/* ---- main */

static size_t faults_wanted = 800;
static uint64_t campaign_seed = 1;

static void campaign(const char *kind)
{
    struct candidate *undisturbed[CANDIDATES] = {0}, *finished[CANDIDATES] = {0};
    struct notes *notes = map_notes();
    assert_non_null(notes);
    *notes = (struct notes){.undisturbed = true};
    run_crew(kind, undisturbed);
    for (size_t i = 0; i < CANDIDATES; i++)
        assert_int_equal(undisturbed[i]->evaluation.outcome, natural_outcome(i));

    double began = monotonic_seconds();
    size_t faults = 0, rounds = 0;
    for (; faults < faults_wanted / 2; rounds++) {
        *notes = (struct notes){.seed = mix(mix(campaign_seed) + rounds)};
        run_crew(kind, finished);
        faults += compare(notes, finished, undisturbed);
        free_all(finished);
    }
    print_message("seed %llu, device %s: %zu faults in %zu rounds of %d candidates, %.1f s\n",
                  (unsigned long long)campaign_seed, kind, faults, rounds, CANDIDATES, monotonic_seconds() - began);
    free_all(undisturbed);
    munmap(notes, sizeof *notes);
}

static void test_on_a_device_of_its_own(void **state)
{
    (void)state;
    campaign("cuda");
}

static void test_on_shared_cores(void **state)
{
    (void)state;
    campaign("cpu");
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return worker(arguments[2], atoi(arguments[3]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_a_device_of_its_own),
        cmocka_unit_test(test_on_shared_cores),
    };
    char folder[512], notes[600];
    if (count > 1)
        faults_wanted = (size_t)strtoul(arguments[1], NULL, 10);
    if (count > 2)
        campaign_seed = strtoull(arguments[2], NULL, 10);
    if (remains_own_folder(folder, sizeof folder) != 0)
        return EXIT_FAILURE;
    snprintf(notes, sizeof notes, "%s/notes", folder);
    int file = open(notes, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof(struct notes)) != 0 || setenv(notes_variable, notes, 1) != 0)
        return EXIT_FAILURE;
    close(file);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(notes);
    return rmdir(folder) == 0 ? failed : EXIT_FAILURE;
}

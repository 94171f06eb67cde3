/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/check_worker.h"

#include "tuner/check/bounds.h"
#include "tuner/check/plain_run.h"
#include "tuner/check/runtime.h"
#include "tuner/workers/image_offer.h"
#include "tuner/workers/remote_error.h"
#include "tuner/workers/worker_main.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

const char *const check_roles[] = {[CHECK_BOUNDS] = "check_bounds", [CHECK_RACES] = "check_races"};

json_t *check_request(const struct check_task *task, struct error *error)
{
    json_t *job = job_to_json(task->job);
    json_t *request =
        job ? json_pack("{s:o, s:i, s:s}", "job", job, "case", (int)task->which, "folder", task->folder) : NULL;
    if (!request)
        error_set(error, ERROR_SYSTEM,
                  "cannot send the job to a check worker (invalid UTF-8 in it, or out of memory)");
    return request;
}

bool check_answer(const struct message *answer, bool *last, bool *unusable, struct error *error)
{
    json_t *failure = NULL;
    int exits = 0, broken = 0;
    *last = *unusable = false;
    if (json_unpack(answer->json, "{s?o, s?b, s?b !}", "error", &failure, "last", &exits, "unusable", &broken) != 0 ||
        answer->blob || (!failure && json_object_size(answer->json) > 0))
        return message_malformed(error, "not an answer to a check");
    *last = exits != 0;
    *unusable = broken != 0;
    return failure ? error_from_json(failure, error) : true;
}

/* ---- signals ---- */

/* For the signal handler. */
static struct checker *running;

static void on_signal(int signal, siginfo_t *info, void *machine)
{
    const ucontext_t *context = machine;
#if defined(__x86_64__)
    uintptr_t code = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    uintptr_t code = (uintptr_t)context->uc_mcontext.pc;
#else
    uintptr_t code = 0;
    (void)context;
#endif
    if (running)
        checker_report_signal(running, signal, info->si_addr, code);
    _exit(128 + signal);
}

/* On an alternate stack: the kernel may have exhausted its thread's. */
static bool catch_signals(void *stack, size_t bytes, struct error *error)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    const stack_t place = {.ss_sp = stack, .ss_size = bytes};
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = on_signal;
    bool caught = sigaltstack(&place, NULL) == 0;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        caught = sigaction(signals[i], &action, NULL) == 0 && caught;
    return caught || error_set(error, ERROR_SYSTEM, "cannot install signal handlers: %s", strerror(errno));
}

/* ---- the worker ---- */

static bool run(struct checker *checker, const json_t *json, struct error *error)
{
    struct job *job = NULL;
    struct check_task task = {0};
    int which = 0;
    if (json_unpack((json_t *)json, "{s:s, s:i}", "folder", &task.folder, "case", &which) != 0 || which < 0 ||
        which >= JOB_CASES)
        return error_set(error, ERROR_SYSTEM, "a check worker received an incomplete request");
    if (!job_from_json(json_object_get(json, "job"), &job, error))
        return false;
    task.job = job;
    task.which = (size_t)which;
    bool done = checker_run(checker, &task, error);
    job_free(job);
    return done;
}

static bool serve_one(struct channel *channel, const struct message *request, struct checker *checker, bool *last,
                      struct error *error)
{
    struct error failure = {0};
    bool done = run(checker, request->json, &failure);
    *last = !done && (failure.code == ERROR_FAULT || failure.code == ERROR_DEVICE);
    json_t *answer = done ? json_object()
                          : json_pack("{s:o, s:b, s:b}", "error", error_to_json(&failure), "last", *last, "unusable",
                                      checker_is_unusable(checker));
    if (!answer)
        return error_out_of_memory(error);
    bool sent = channel_send(channel, answer, NULL, 0, error);
    json_decref(answer);
    return sent;
}

static bool serve(struct channel *channel, enum check_tool tool, struct error *error)
{
    enum { STACK = 64 << 10 };
    void *stack = malloc(STACK);
    bool served = stack || error_out_of_memory(error), last = false;
    served = served && catch_signals(stack, STACK, error) && checker_create(tool, &running, error);
    if (served)
        checker_offer_to(running, image_offer_send, channel);
    while (served && !last) {
        struct message request;
        bool ended = false;
        served = channel_receive(channel, &request, &ended, error);
        if (!served || ended)
            break;
        served = serve_one(channel, &request, running, &last, error);
        message_clear(&request);
    }
    checker_free(running);
    running = NULL;
    if (sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL) == 0)
        free(stack); /* a signal may still arrive */
    return served;
}

static bool serve_bounds(struct channel *channel, struct error *error)
{
    return serve(channel, CHECK_BOUNDS, error);
}

static bool serve_races(struct channel *channel, struct error *error)
{
    return serve(channel, CHECK_RACES, error);
}

/* Replace the process by one with the runtime preloaded; returns only on failure. */
static int start_with_runtime(const char *role, int socket)
{
    struct error error = {0};
    char library[PATH_MAX], number[16];
    if (!runtime_find(library, sizeof library, &error)) {
        error_print(&error, stderr);
        return EXIT_FAILURE;
    }
    const char *loaded = getenv("LD_PRELOAD");
    if (loaded && strcmp(loaded, library) == 0) {
        fprintf(stderr, "tune: %s is preloaded but does not provide AddressSanitizer\n", library);
        return EXIT_FAILURE;
    }
    snprintf(number, sizeof number, "%d", socket);
    char *const arguments[] = {(char *)"tune", (char *)"--worker", (char *)(uintptr_t)role, number, NULL};
    if (setenv("LD_PRELOAD", library, 1) == 0 &&
        setenv("ASAN_OPTIONS", "detect_leaks=0:handle_segv=0:allocator_may_return_null=1", 1) == 0)
        execv("/proc/self/exe", arguments);
    fprintf(stderr, "tune: cannot start a check worker: %s\n", strerror(errno));
    return EXIT_FAILURE;
}

int check_worker_main(const char *role, int socket)
{
    if (strcmp(role, PLAIN_RUN_ROLE) == 0)
        return plain_run_main(socket);
    if (strcmp(role, check_roles[CHECK_RACES]) == 0)
        return worker_serve(socket, serve_races);
    if (strcmp(role, check_roles[CHECK_BOUNDS]) != 0)
        return -1;
    if (!bounds_possible())
        return start_with_runtime(role, socket);
    unsetenv("LD_PRELOAD"); /* not for the compiler that this worker runs */
    unsetenv("ASAN_OPTIONS");
    return worker_serve(socket, serve_bounds);
}

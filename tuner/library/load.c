/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/load.h"

#include "tuner/library/failure.h"
#include "tuner/library/handle.h"
#include "tuner/library/loaded.h"
#include "tuner/library/question.h"
#include "tuner/library/rivals.h"
#include "tuner/library/structure.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- in a thread ---- */

struct making {
    pthread_t thread;
    struct tune_kernel *kernel;
    struct attached *attached;
    char *cache;
    struct tune_answer *answer; /* NULL: it is loaded */
};

static void free_making(struct making *making)
{
    attached_release(making->attached);
    tune_answer_free(making->answer);
    free(making->cache);
    free(making);
}

/* If it fails, what is launched meanwhile stays, and nothing is tried. */
static bool make_wanted(struct making *making)
{
    struct version *version = &making->kernel->versions[1];
    struct online *online = making->kernel->online;
    if (loaded_make(making->attached, making->cache, making->answer, version, NULL) == TUNE_OK) {
        atomic_store_explicit(&making->kernel->newest, 1, memory_order_release);
        return !online || online_begin(online);
    }
    if (online)
        online_refuse(online, "the configuration that it is to begin with cannot be loaded");
    return false;
}

static void *make(void *argument)
{
    struct making *making = argument;
    const struct attached *attached = making->attached;
    if (attached->driver->guest->keep_quiet)
        attached->driver->guest->keep_quiet(attached->device);
    if ((!making->answer || make_wanted(making)) && making->kernel->online)
        online_work(making->kernel->online);
    return NULL;
}

/* The program's signals are for its own threads. */
static bool start_thread(struct making *making)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    bool started = pthread_create(&making->thread, NULL, make, making) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* `answer` NULL: only what else is tried. */
static enum tune_code start_making(struct tune_kernel *kernel, struct attached *attached,
                                   const struct load_request *request, const struct tune_answer *answer,
                                   struct tune_error *error)
{
    struct error own;
    struct making *making = calloc(1, sizeof *making);
    if (!making)
        return failure_out_of_memory(error);
    making->kernel = kernel;
    making->attached = attached_share(attached);
    making->answer = answer ? answer_keep(answer) : NULL;
    making->cache = request->cache ? strdup(request->cache) : NULL;
    if (request->cache && !making->cache) {
        free_making(making);
        return failure_out_of_memory(error);
    }
    if (start_thread(making)) {
        kernel->making = making;
        return TUNE_OK;
    }
    free_making(making);
    if (!answer) { /* the kernel is loaded */
        online_refuse(kernel->online, "no thread can be started for it");
        return TUNE_OK;
    }
    error_set(&own, ERROR_SYSTEM, "cannot start a thread for the kernel");
    error_hint(&own, "load it without TUNE_LOAD_IN_BACKGROUND");
    return failure_of(&own, error);
}

/* ---- loading ---- */

static bool is_cached(struct attached *attached, const struct load_request *request)
{
    struct code_request wanted = {.attached = attached, .cache = request->cache};
    return answer_problem(request->answer, &wanted.problem, NULL) && code_is_cached(&wanted);
}

static enum tune_code prepare_online(struct tune_kernel *kernel, struct attached *attached,
                                     const struct load_request *request, struct tune_error *error)
{
    struct error own;
    if (!request->online)
        return TUNE_OK;
    request->online->answer = request->answer;
    request->online->attached = attached;
    request->online->cache = request->cache;
    kernel->online = online_create(kernel, request->online, &own);
    return kernel->online ? TUNE_OK : failure_of(&own, error);
}

static enum tune_code load(struct tune_kernel *kernel, struct attached *attached, const struct load_request *request,
                           struct tune_error *error)
{
    bool waits = !request->meanwhile || is_cached(attached, request);
    enum tune_code code = loaded_make(attached, request->cache, waits ? request->answer : request->meanwhile,
                                      &kernel->versions[0], error);
    if (code == TUNE_OK)
        code = prepare_online(kernel, attached, request, error);
    if (code != TUNE_OK)
        return code;
    if (!waits)
        return start_making(kernel, attached, request, request->answer, error);
    return kernel->online && online_begin(kernel->online) ? start_making(kernel, attached, request, NULL, error)
                                                          : TUNE_OK;
}

enum tune_code load_kernel(const struct load_request *request, struct tune_kernel **result, struct tune_error *error)
{
    const struct own_device *device = &request->answer->topic->device;
    struct attached *attached;
    struct error own;
    struct tune_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return failure_out_of_memory(error);
    kernel->calls = request->calls ? calls_begin(request->calls, request->answer) : NULL;
    if (request->calls && !kernel->calls) {
        free(kernel);
        return failure_out_of_memory(error);
    }
    if (!attachments_get(request->attachments, &device->description, device->ordinal, &attached, &own)) {
        tune_kernel_free(kernel);
        return failure_of(&own, error);
    }
    enum tune_code code = load(kernel, attached, request, error);
    attached_release(attached);
    if (code == TUNE_OK)
        *result = kernel;
    else
        tune_kernel_free(kernel);
    return code;
}

static void end_thread(struct tune_kernel *kernel)
{
    if (kernel->online)
        online_end(kernel->online);
    if (kernel->making) {
        pthread_join(kernel->making->thread, NULL);
        free_making(kernel->making);
    } else if (kernel->online) {
        online_work(kernel->online); /* there was no thread to end it */
    }
}

void tune_kernel_free(struct tune_kernel *kernel)
{
    if (!kernel)
        return;
    end_thread(kernel);
    calls_end(kernel->calls);
    for (size_t i = 0; i < KERNEL_VERSIONS; i++)
        loaded_clear(&kernel->versions[i]);
    online_free(kernel->online);
    free(kernel);
}

/* ---- forks ---- */

/* Variables of the source hold what is prepared, so that they are as good as memory of a handle's own. */
static enum tune_code fork_code(struct code *code, struct code **result, struct tune_error *error)
{
    if (code->program.symbol_count > 0)
        return code_load_again(code, result, error);
    *result = code_share(code);
    return TUNE_OK;
}

static enum tune_code fork_version(const struct version *version, struct version *fork, struct tune_error *error)
{
    struct code *code = version->variant->code, *own;
    struct error failure;
    bool entered;
    if (!attached_enter(code->attached, false, &entered, &failure))
        return failure_of(&failure, error);
    enum tune_code result = fork_code(code, &own, error);
    if (result == TUNE_OK)
        result = variant_create(own, version->answer->topic->own->template, &fork->variant, error);
    attached_leave(code->attached, entered);
    if (result == TUNE_OK)
        fork->answer = answer_keep(version->answer);
    return result;
}

enum tune_code tune_kernel_fork(struct tune_kernel *kernel, struct tune_kernel **fork, struct tune_error *error)
{
    if (!kernel || !fork)
        return failure_argument(error, "tune_kernel_fork: there is no %s", kernel ? "place for the fork" : "kernel");
    *fork = NULL;
    struct tune_kernel *made = calloc(1, sizeof *made);
    if (!made)
        return failure_out_of_memory(error);
    const struct version *version = &kernel->versions[atomic_load_explicit(&kernel->newest, memory_order_acquire)];
    made->calls = kernel->calls ? calls_begin_another(kernel->calls) : NULL;
    enum tune_code code = kernel->calls && !made->calls ? failure_out_of_memory(error)
                                                        : fork_version(version, &made->versions[0], error);
    if (code == TUNE_OK)
        *fork = made;
    else
        tune_kernel_free(made);
    return code;
}

/* ---- the program's call ---- */

#define SHARE_MOST 0.5 /* that may be spent on trying */

/* What would make it known: a sweep says itself what the matrices of its own have. */
static void advise(const struct tune_answer *answer, struct error *error)
{
    const struct template *template = answer->topic->own->template;
    struct size_setting *settable = calloc(template->size_count + 1, sizeof *settable);
    const size_t count = settable ? sizes_settable(template, answer->sizes, settable) : 0;
    char *size = settable ? sizes_text(settable, count) : NULL;
    if (size)
        error_hint(error, "'tune %s --size %s --device %s'%s finds the best and stores it", answer->topic->own->name,
                   size, answer->topic->device.description.kind,
                   count < template->size_count ? ", with --input for a matrix of your own," : "");
    free(size);
    free(settable);
}

static enum tune_code check_validated(const struct tune_answer *answer, unsigned flags, struct tune_error *error)
{
    struct error own;
    if (answer->info.validated || flags & TUNE_LOAD_UNVALIDATED)
        return TUNE_OK;
    error_set(&own, ERROR_INPUT, "nothing that was ever validated is known for %s with %s on %s", answer->info.kernel,
              answer->info.size, answer->info.device);
    advise(answer, &own);
    return failure_as(TUNE_ERROR_UNVALIDATED, &own, error);
}

static enum tune_code check_options(const struct tune_load_options *options, struct tune_load_options *own,
                                    struct tune_error *error)
{
    const unsigned known = TUNE_LOAD_IN_BACKGROUND | TUNE_LOAD_UNVALIDATED;
    const size_t least = offsetof(struct tune_load_options, online);
    *own = (struct tune_load_options){.bytes = sizeof *own};
    if (options && !structure_read(options, own, sizeof *own, least))
        return failure_argument(error, "tune_load: options.bytes is not the size of struct tune_load_options");
    if (own->flags & ~known)
        return failure_argument(error, "tune_load: there is no flag %#x", own->flags & ~known);
    if (!(own->online >= 0 && own->online <= SHARE_MOST))
        return failure_argument(error, "tune_load: options.online is %g, and no share: 0.05 is 5 %%, and %g the most",
                                own->online, SHARE_MOST);
    return TUNE_OK;
}

static enum tune_code find_rivals(struct tune *tune, const struct tune_answer *answer, struct online_request *online,
                                  struct tune_error *error)
{
    struct error own = {0};
    return rivals_find(tune, answer, TRIALS_MOST, &online->contenders, &own) ? TUNE_OK : failure_of(&own, error);
}

enum tune_code tune_load(struct tune *tune, const struct tune_answer *answer, const struct tune_load_options *options,
                         struct tune_kernel **kernel, struct tune_error *error)
{
    struct tune_load_options own;
    struct tune_answer *meanwhile = NULL;
    if (kernel)
        *kernel = NULL;
    if (!tune || !answer || !kernel)
        return failure_argument(error, "tune_load: there is no %s",
                                !tune     ? "handle"
                                : !answer ? "answer"
                                          : "place for the kernel");
    enum tune_code code = check_options(options, &own, error);
    if (code == TUNE_OK)
        code = check_validated(answer, own.flags, error);
    if (code != TUNE_OK)
        return code;
    if (own.flags & TUNE_LOAD_IN_BACKGROUND && question_default(tune, answer, &meanwhile, NULL) &&
        check_validated(meanwhile, own.flags, NULL) != TUNE_OK) {
        tune_answer_free(meanwhile); /* then there is nothing to be launched meanwhile */
        meanwhile = NULL;
    }
    struct load_request request = {
        tune->attachments, tune->cache, answer, meanwhile, tune->calls.file ? &tune->calls : NULL, NULL};
    struct online_request online = {.share = own.online, .database = tune->database};
    code = own.online > 0 ? find_rivals(tune, answer, &online, error) : TUNE_OK;
    request.online = own.online > 0 ? &online : NULL;
    if (code == TUNE_OK)
        code = load_kernel(&request, kernel, error);
    contenders_clear(&online.contenders);
    tune_answer_free(meanwhile);
    return code;
}

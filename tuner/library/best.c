/* SPDX-License-Identifier: Apache-2.0 */
/* tune_best: an answer that was given before, or a new one. tune_default: one without knowledge. */
#include "tuner/library/failure.h"
#include "tuner/library/question.h"
#include "tuner/library/structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- the device of those who name none */

enum { DEVICE_NAME = 32 };

static bool choose_usual(struct tune *tune, struct error *error)
{
    for (size_t i = 0; i < device_driver_count && !tune->usual_driver; i++) {
        struct error why = {0};
        int count = 0;
        if (device_drivers[i]->count(&count, &why) && count > 0)
            tune->usual_driver = device_drivers[i];
    }
    return tune->usual_driver || error_set(error, ERROR_DEVICE, "there is no device");
}

/* The driver's functions, opened by the first who asks; NULL: there is none. */
static const struct cuda_library *driver_of(struct tune *tune)
{
    if (!atomic_load_explicit(&tune->sought_cuda, memory_order_acquire)) {
        pthread_mutex_lock(&tune->lock);
        if (!atomic_load_explicit(&tune->sought_cuda, memory_order_relaxed)) {
            struct error absent = {0};
            if (!cuda_library_open(&tune->cuda, &absent))
                tune->cuda.handle = NULL;
            atomic_store_explicit(&tune->sought_cuda, true, memory_order_release);
        }
        pthread_mutex_unlock(&tune->lock);
    }
    return tune->cuda.handle ? &tune->cuda : NULL;
}

/* That of the calling thread's context; the driver numbers its devices from 0, as users do. */
static bool find_current(struct tune *tune, char name[DEVICE_NAME])
{
    const struct cuda_library *cuda = driver_of(tune);
    cuda_context context = NULL;
    cuda_device id;
    if (!cuda || cuda->context_current(&context) != CUDA_SUCCESS || !context ||
        cuda->context_device(&id) != CUDA_SUCCESS)
        return false;
    snprintf(name, DEVICE_NAME, "cuda:%d", id);
    return true;
}

static bool find_device(struct tune *tune, char name[DEVICE_NAME], struct error *error)
{
    if (find_current(tune, name))
        return true;
    pthread_mutex_lock(&tune->lock);
    bool done = tune->usual_driver || choose_usual(tune, error);
    if (done)
        snprintf(name, DEVICE_NAME, "%s:0", tune->usual_driver->kind);
    pthread_mutex_unlock(&tune->lock);
    return done;
}

/* ---- what identifies a problem */

struct key_text {
    unsigned char room[512], *bytes;
    size_t length, capacity;
};

static bool add(struct key_text *key, const void *bytes, size_t length)
{
    if (length > key->capacity - key->length) {
        size_t capacity = 2 * (key->length + length);
        unsigned char *larger = malloc(capacity);
        if (!larger)
            return false;
        memcpy(larger, key->bytes, key->length);
        if (key->bytes != key->room)
            free(key->bytes);
        key->bytes = larger;
        key->capacity = capacity;
    }
    memcpy(key->bytes + key->length, bytes, length);
    key->length += length;
    return true;
}

static bool add_text(struct key_text *key, const char *text)
{
    return add(key, text, strlen(text) + 1);
}

static bool add_problem(struct key_text *key, const struct tune_problem *problem, const char *device)
{
    bool done = add_text(key, problem->kernel) && add_text(key, device) &&
                add_text(key, problem->objective ? problem->objective : "");
    for (size_t i = 0; i < problem->size_count && done; i++)
        done = add_text(key, problem->sizes[i].name) &&
               add(key, &problem->sizes[i].value, sizeof problem->sizes[i].value);
    return done;
}

/* ---- */

static bool find(struct tune *tune, const struct tune_problem *problem, const char *device,
                 struct tune_answer **answer, struct error *error)
{
    struct key_text text = {.bytes = text.room, .capacity = sizeof text.room};
    bool done = add_problem(&text, problem, device) || error_out_of_memory(error);
    if (done) {
        const struct answer_key key = {text.bytes, text.length, XXH3_64bits(text.bytes, text.length)};
        *answer = answer_table_find(tune->answers, &key);
        if (!*answer) {
            uint64_t generation = answer_table_generation(tune->answers);
            done = question_answer(tune, problem, device, answer, error);
            if (done)
                answer_table_put(tune->answers, generation, &key, answer);
        }
    }
    if (text.bytes != text.room)
        free(text.bytes);
    return done;
}

/* NULL: the problem is well-formed. */
static const char *find_fault(const struct tune_problem *problem)
{
    enum { SIZES_MOST = 1 << 10 };
    if (!problem->kernel)
        return "problem.kernel is NULL";
    if (problem->size_count > SIZES_MOST)
        return "problem.size_count is no number of sizes";
    if (problem->size_count > 0 && !problem->sizes)
        return "problem.sizes is NULL";
    for (size_t i = 0; i < problem->size_count; i++) {
        if (!problem->sizes[i].name)
            return "a size has no name";
    }
    return NULL;
}

enum tune_code tune_best(struct tune *tune, const struct tune_problem *problem, struct tune_answer **answer,
                         struct tune_error *error)
{
    struct tune_problem own;
    struct error why = {0};
    char usual[DEVICE_NAME];
    if (!answer)
        return failure_argument(error, "tune_best: there is nowhere to put the answer");
    *answer = NULL;
    if (!tune || !problem)
        return failure_argument(error, "tune_best: there is no %s", tune ? "problem" : "handle");
    if (!structure_read(problem, &own, sizeof own, sizeof own))
        return failure_argument(error, "tune_best: problem.bytes is not the size of struct tune_problem");
    const char *fault = find_fault(&own);
    if (fault)
        return failure_argument(error, "tune_best: %s", fault);
    if (!own.device && !find_device(tune, usual, &why))
        return failure_of(&why, error);
    return find(tune, &own, own.device ? own.device : usual, answer, &why) ? TUNE_OK : failure_of(&why, error);
}

enum tune_code tune_default(struct tune *tune, const struct tune_answer *answer, struct tune_answer **usual,
                            struct tune_error *error)
{
    struct error why = {0};
    if (!usual)
        return failure_argument(error, "tune_default: there is nowhere to put the answer");
    *usual = NULL;
    if (!tune || !answer)
        return failure_argument(error, "tune_default: there is no %s", tune ? "answer" : "handle");
    return question_default(tune, answer, usual, &why) ? TUNE_OK : failure_of(&why, error);
}

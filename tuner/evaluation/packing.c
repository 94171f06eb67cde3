/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/packing.h"

#include "tuner/error/utf8.h"
#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 8 };

/* Behind it follow the numbers, the samples and the message, without its NUL. */
struct head {
    uint64_t outcome, seed, number_count, sample_count, message_bytes;
    char uuid[sizeof((struct evaluation *)0)->uuid];
};

_Static_assert(sizeof(int64_t) == NUMBER_BYTES && sizeof(double) == NUMBER_BYTES, "numbers are copied as they are");

static char *put(char *to, const void *from, size_t count)
{
    if (count > 0)
        memcpy(to, from, count);
    return to + count;
}

static void take(void *to, const char **from, size_t count)
{
    if (count > 0)
        memcpy(to, *from, count);
    *from += count;
}

bool evaluation_pack(const struct evaluation *evaluation, void **bytes, size_t *count, struct error *error)
{
    json_t *message = json_string_of_bytes(evaluation->message ? evaluation->message : "");
    struct head head = {.outcome = (uint64_t)evaluation->outcome,
                        .seed = evaluation->seed,
                        .number_count = evaluation_number_count,
                        .sample_count = evaluation->sample_count,
                        .message_bytes = json_string_length(message)};
    *count = sizeof head + NUMBER_BYTES * (evaluation_number_count + head.sample_count) + head.message_bytes;
    char *at = message ? malloc(*count) : NULL;
    *bytes = at;
    if (at) {
        memcpy(head.uuid, evaluation->uuid, sizeof head.uuid);
        at = put(at, &head, sizeof head);
        for (size_t i = 0; i < evaluation_number_count; i++)
            at = put(at, (const char *)evaluation + evaluation_numbers[i].offset, NUMBER_BYTES);
        at = put(at, evaluation->samples_ns, NUMBER_BYTES * head.sample_count);
        put(at, json_string_value(message), head.message_bytes);
    }
    json_decref(message);
    return *bytes || error_out_of_memory(error);
}

static bool wrong(struct error *error, const char *what)
{
    return error_set(error, ERROR_MESSAGE, "an evaluation %s", what);
}

static bool is_text(const char *text, size_t length)
{
    return !memchr(text, '\0', length) && utf8_is_valid(text, length);
}

/* Does `rest`, what follows the head, have the length that it says? */
static bool fits(const struct head *head, size_t rest)
{
    size_t numbers = NUMBER_BYTES * evaluation_number_count;
    return head->number_count == evaluation_number_count && head->message_bytes <= EVALUATION_MESSAGE_MOST &&
           rest >= numbers + head->message_bytes && (rest - numbers - head->message_bytes) % NUMBER_BYTES == 0 &&
           (rest - numbers - head->message_bytes) / NUMBER_BYTES == head->sample_count;
}

static bool check(const struct head *head, const char *rest, size_t count, struct error *error)
{
    size_t uuid = strnlen(head->uuid, sizeof head->uuid);
    if (!fits(head, count))
        return wrong(error, "of the wrong length");
    if (head->outcome >= OUTCOME_COUNT)
        return wrong(error, "with an unknown outcome");
    if (uuid == sizeof head->uuid || !is_text(head->uuid, uuid) ||
        !is_text(rest + count - head->message_bytes, head->message_bytes))
        return wrong(error, "with a text that is none");
    return true;
}

bool evaluation_unpack(const void *bytes, size_t count, struct evaluation *evaluation, struct error *error)
{
    struct head head;
    const char *at = bytes;
    *evaluation = (struct evaluation){0};
    if (count < sizeof head)
        return wrong(error, "that is cut short");
    take(&head, &at, sizeof head);
    if (!check(&head, at, count - sizeof head, error))
        return false;
    evaluation->outcome = (enum outcome)head.outcome;
    evaluation->seed = head.seed;
    memcpy(evaluation->uuid, head.uuid, sizeof head.uuid);
    evaluation->message = malloc(head.message_bytes + 1);
    if (head.sample_count > 0)
        evaluation->samples_ns = malloc(NUMBER_BYTES * head.sample_count);
    if (!evaluation->message || (head.sample_count > 0 && !evaluation->samples_ns)) {
        evaluation_clear(evaluation);
        return error_out_of_memory(error);
    }
    evaluation->sample_count = head.sample_count;
    for (size_t i = 0; i < evaluation_number_count; i++)
        take((char *)evaluation + evaluation_numbers[i].offset, &at, NUMBER_BYTES);
    take(evaluation->samples_ns, &at, NUMBER_BYTES * head.sample_count);
    take(evaluation->message, &at, head.message_bytes);
    evaluation->message[head.message_bytes] = '\0';
    return true;
}

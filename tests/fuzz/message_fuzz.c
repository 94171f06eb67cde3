/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of what a parent does with the bytes that a worker sends. The first byte of the input says what was
 * asked; the rest is what arrives on the socket. Whatever passes the checks must be usable.
 */
#include "tests/fuzz/fuzz.h"
#include "tuner/workers/compile_worker.h"
#include "tuner/workers/measure_worker.h"
#include "tuner/workers/message.h"
#include "tuner/workers/remote_error.h"

#undef NDEBUG
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void expect_reason(const struct error *error)
{
    assert(error->code != ERROR_NONE && error->text[0]);
}

static void read_compilation(struct message *answer)
{
    struct compile_result result;
    struct compile_offer offer;
    struct error error = {0};
    bool offered;
    if (compile_answer(answer, &result, &offer, &offered, &error))
        assert(result.compiled == (result.image_bytes > 0) && result.seconds >= 0 && isfinite(result.seconds) &&
               (!offered || (offer.result == &result && !result.cached)));
    else
        expect_reason(&error);
    compile_result_clear(&result);
}

static void read_compiler(struct message *answer)
{
    struct error error = {0};
    if (!compile_open_answer(answer, &error))
        expect_reason(&error);
}

static void read_evaluation(struct message *answer)
{
    struct evaluation evaluation = {0};
    struct error error = {0};
    bool last;
    if (measure_evaluate_answer(answer, &evaluation, &last, &error)) {
        assert(evaluation.message && (evaluation.outcome == OUTCOME_OK) == (evaluation.time_ns > 0));
        evaluation_clear(&evaluation);
    } else {
        expect_reason(&error);
    }
}

static void read_device(struct message *answer)
{
    struct device_description description;
    struct error error = {0};
    if (!measure_open_answer(answer, &description, &error))
        expect_reason(&error);
}

static void read_devices(struct message *answer)
{
    struct device_description description;
    struct error error = {0};
    size_t count = 0;
    int ordinal;
    if (!measure_describe_count(answer, &count, &error))
        expect_reason(&error);
    else
        for (size_t i = 0; i < count; i++)
            (void)measure_describe_answer(answer, i, &ordinal, &description, &error);
}

static void read_count(struct message *answer)
{
    struct error error = {0};
    int count;
    if (!measure_count_answer(answer, &count, &error))
        expect_reason(&error);
    assert(count >= 0);
}

static void (*const readers[])(struct message *answer) = {
    read_compilation, read_compiler, read_evaluation, read_device, read_devices, read_count,
};

static void read_all(struct channel *channel, void (*reader)(struct message *answer))
{
    struct error error = {0};
    struct message answer;
    bool ended = false, taken = true;
    while (!ended && channel_fill(channel, &ended, &error)) {
        do {
            if (!channel_take(channel, &answer, &taken, &error)) {
                expect_reason(&error);
                return;
            }
            if (taken)
                reader(&answer);
            message_clear(&answer);
        } while (taken);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int sockets[2];
    struct channel *channel;
    if (size < 1 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return 0;
    bool sent = send(sockets[1], data + 1, size - 1, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || size == 1;
    close(sockets[1]);
    if (!sent || !channel_create(sockets[0], &channel, NULL)) {
        close(sockets[0]);
        return 0;
    }
    read_all(channel, readers[data[0] % (sizeof readers / sizeof *readers)]);
    channel_free(channel);
    return 0;
}

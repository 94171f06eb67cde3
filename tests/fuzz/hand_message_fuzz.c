/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of what rank 0 does with the bytes that a hand sends, which arrive on a socket. Whatever passes the
 * checks must be usable.
 */
#include "tests/fuzz/fuzz.h"
#include "tuner/cluster/hand_message.h"

#include <math.h>
#include <sys/socket.h>
#include <unistd.h>

static void use(const struct hand_report *report)
{
    const struct evaluation *evaluation = &report->evaluation;
    fuzz_require(report->load.held_up >= 0 && isfinite(report->load.held_up));
    fuzz_require((report->image != NULL) == (report->image_bytes > 0));
    if (report->event == HAND_FINISHED)
        fuzz_require(evaluation->message && (evaluation->outcome == OUTCOME_OK) == (evaluation->time_ns > 0));
    if (report->event == HAND_COMPILED)
        fuzz_require(report->image && report->compile_seconds >= 0);
    if (report->event == HAND_FAILED)
        fuzz_require(report->failure.code != ERROR_NONE && report->failure.text[0]);
    if (report->event == HAND_HELLO)
        fuzz_require(report->host && report->node && report->cores);
    if (report->event == HAND_DEVICES)
        fuzz_require(json_is_object(report->compilers));
    for (size_t i = 0; i < report->device_count; i++)
        fuzz_require(report->devices[i].works && report->devices[i].ordinal >= 0);
}

static void read_all(struct channel *channel)
{
    struct error error = {0};
    struct message message;
    struct hand_report report;
    bool ended = false, taken = true;
    while (!ended && channel_fill(channel, &ended, &error)) {
        do {
            if (!channel_take(channel, &message, &taken, &error)) {
                fuzz_require(error.code != ERROR_NONE);
                return;
            }
            if (taken && hand_report_read(&message, &report, &error)) {
                use(&report);
                hand_report_clear(&report);
            }
            message_clear(&message);
        } while (taken);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int sockets[2];
    struct channel *channel;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return 0;
    bool sent = size == 0 || send(sockets[1], data, size, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
    close(sockets[1]);
    if (!sent || !channel_create(sockets[0], &channel, NULL)) {
        close(sockets[0]);
        return 0;
    }
    read_all(channel);
    channel_free(channel);
    return 0;
}

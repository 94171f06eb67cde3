/* SPDX-License-Identifier: Apache-2.0 */
/* What all hands are asked outside of sessions: who they are, what devices they have, and to print a text. */
#include "tuner/cluster/hands_state.h"

#include "tuner/device/monotonic.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>

static const double greeting_seconds = 60.0; /* for a hand to start */
static const double device_seconds = 120.0;  /* to describe its devices: a driver may take its time */

/* Wait until all that are there have answered. */
static bool wait_for_answers(struct hands *hands, double seconds, hands_taker *take, struct error *error)
{
    enum { MILLISECONDS = 200 };
    double limit = monotonic_seconds() + seconds;
    for (;;) {
        bool all = true;
        for (size_t i = 0; i < hands->count; i++)
            all = all && (hands->links[i].answered || hands_is_lost(hands, i));
        if (all)
            return true;
        if (monotonic_seconds() > limit)
            break;
        if (!hands_receive(hands, 0, MILLISECONDS, take, hands, error))
            return false;
    }
    for (size_t i = 0; i < hands->count; i++) {
        if (!hands->links[i].answered)
            hands_lose(hands, i, "it does not answer");
    }
    return hands_tell_losses(hands, take, hands, error);
}

static bool ask_all(struct hands *hands, json_t *request, struct error *error)
{
    bool asked = request || error_out_of_memory(error);
    for (size_t i = 0; asked && i < hands->count; i++) {
        hands->links[i].answered = false;
        asked = hands_ask(hands, i, 0, request, NULL, 0, error);
    }
    json_decref(request);
    return asked;
}

static void tell(const struct hands *hands, size_t hand, const char *what, const char *why)
{
    char text[600];
    snprintf(text, sizeof text, "%s %s: %s", what, hands_name(hands, hand), why);
    if (hands->notice)
        hands->notice(text);
}

static bool take_greeting(size_t hand, struct hand_report *report, const char *lost, void *context,
                          struct error *error)
{
    struct hands *hands = context;
    struct hand_link *link = &hands->links[hand];
    char *name = NULL;
    if (!report) {
        tell(hands, hand, "going on without", lost);
        return true;
    }
    if (report->event != HAND_HELLO)
        return true;
    char *node = strdup(report->node), *cores = strdup(report->cores);
    if (!node || !cores || asprintf(&name, "%s (rank %zu)", report->host, hand + 1) < 0) {
        free(node);
        free(cores);
        return error_out_of_memory(error);
    }
    free(link->name);
    free(link->node);
    free(link->cores);
    link->name = name;
    link->node = node;
    link->cores = cores;
    link->answered = true;
    return true;
}

bool hands_greet(struct hands *hands, struct error *error)
{
    return ask_all(hands, json_pack("{s:s, s:i}", "request", "hello", "protocol", HAND_PROTOCOL), error) &&
           wait_for_answers(hands, greeting_seconds, take_greeting, error);
}

static bool take_devices(size_t hand, struct hand_report *report, const char *lost, void *context,
                         struct error *error)
{
    (void)error;
    struct hands *hands = context;
    struct hand_link *link = &hands->links[hand];
    if (!report) {
        tell(hands, hand, "going on without", lost);
        return true;
    }
    if (report->event != HAND_DEVICES)
        return true;
    link->answered = true;
    if (!report->devices)
        tell(hands, hand, "no device on", report->failure.text);
    free(link->devices);
    json_decref(link->compilers);
    link->compilers = json_incref(report->compilers);
    link->devices = report->devices;
    link->device_count = report->device_count;
    report->devices = NULL;
    return true;
}

bool hands_ask_devices(struct hands *hands, const char *text, struct error *error)
{
    if (!ask_all(hands, json_pack("{s:s, s:s?}", "request", "devices", "device", text), error))
        return false;
    (void)hands_flush(hands);
    return true;
}

bool hands_await_devices(struct hands *hands, struct error *error)
{
    return wait_for_answers(hands, device_seconds, take_devices, error);
}

/* Nothing is expected. */
static bool take_nothing(size_t hand, struct hand_report *report, const char *lost, void *context,
                         struct error *error)
{
    (void)hand, (void)report, (void)lost, (void)context, (void)error;
    return true;
}

bool hands_say(struct hands *hands, const char *text, struct error *error)
{
    double limit = monotonic_seconds() + greeting_seconds;
    if (!ask_all(hands, json_pack("{s:s, s:o}", "request", "say", "text", json_string_of_bytes(text)), error))
        return false;
    while (hands_flush(hands) && monotonic_seconds() < limit) {
        if (!hands_receive(hands, 0, CREW_STEP_MILLISECONDS, take_nothing, hands, error))
            return false;
    }
    return true;
}

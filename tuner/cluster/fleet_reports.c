/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/fleet_reports.h"

#include "tuner/device/monotonic.h"

#include <stdlib.h>

enum { LOSSES_MOST = 2 }; /* of hands that had a candidate */

static const double silence_most = 120.0; /* seconds that a hand with work may say nothing */

static void tell(const struct fleet *fleet, const struct member *member, const char *format, const char *text)
{
    char line[800];
    snprintf(line, sizeof line, format, hands_name(fleet->away->hands, member->share->hand), text);
    if (fleet->plan.notice)
        fleet->plan.notice(line, fleet->plan.notice_context);
}

static struct candidate *come_home(struct fleet *fleet, size_t which, uint64_t token)
{
    struct candidate *candidate = outings_take(&fleet->outings, which, token);
    if (candidate)
        fleet->members[which].inside--;
    return candidate;
}

/* The image, if one has come. */
static void take_image(struct candidate *candidate, struct hand_report *report)
{
    if (!report->image)
        return;
    free(candidate->image);
    candidate->image = report->image;
    candidate->image_bytes = report->image_bytes;
    report->image = NULL;
}

static void take_finished(struct fleet *fleet, size_t which, struct hand_report *report)
{
    struct candidate *candidate = come_home(fleet, which, report->token);
    if (!candidate)
        return;
    evaluation_clear(&candidate->evaluation);
    candidate->evaluation = report->evaluation;
    report->evaluation = (struct evaluation){0};
    candidate->from_cache = report->from_cache || candidate->from_cache;
    candidate->image_hash = report->image_hash;
    candidate->compile_seconds = candidate->evaluation.compile_seconds; /* for a finalist's next round */
    candidate->spill_bytes = candidate->evaluation.spill_bytes;
    take_image(candidate, report);
    fleet_finish(fleet, candidate);
}

static void take_compiled(struct fleet *fleet, size_t which, struct hand_report *report)
{
    struct candidate *candidate = come_home(fleet, which, report->token);
    if (!candidate)
        return;
    take_image(candidate, report);
    candidate->from_cache = report->from_cache;
    candidate->compile_seconds = report->compile_seconds;
    candidate->spill_bytes = report->spill_bytes;
    if (fleet->dropping)
        candidate_free(candidate);
    else
        candidate_push(&fleet->again, candidate);
}

/* It was with a hand that is lost. */
static void hand_on(struct fleet *fleet, struct candidate *candidate)
{
    if (fleet->dropping) {
        candidate_free(candidate);
    } else if (++candidate->losses < LOSSES_MOST) {
        candidate_push(&fleet->again, candidate);
    } else {
        candidate_fail(candidate, OUTCOME_CRASH, "the rank that worked on it was lost, twice");
        candidate->evaluation.transient = 1;
        fleet_finish(fleet, candidate);
    }
}

/* A hand cannot lower it: it goes to any as a job, or is finished if there is no such job. */
static void take_refused(struct fleet *fleet, size_t which, uint64_t token)
{
    struct candidate *candidate = come_home(fleet, which, token);
    if (!candidate)
        return;
    if (!candidate->problem) /* it has been lowered: this hand may refuse whatever it gets */
        hand_on(fleet, candidate);
    else if (fleet->dropping || !candidate_lower(candidate, &fleet->failure))
        candidate_free(candidate);
    else
        candidate_push(&fleet->again, candidate);
}

static void take_returned(struct fleet *fleet, size_t which, struct hand_report *report)
{
    for (size_t i = 0; i < json_array_size(report->list); i++)
        candidate_free(come_home(fleet, which, (uint64_t)json_integer_value(json_array_get(report->list, i))));
}

/* The others take over its work. */
static bool leave_out(struct fleet *fleet, size_t which, const struct error *reason, struct error *error)
{
    struct member *member = &fleet->members[which];
    member->out = true;
    member->inside = 0;
    for (struct candidate *candidate; (candidate = outings_take_any(&fleet->outings, which));)
        hand_on(fleet, candidate);
    if (fleet_has_measurer(fleet) && reason->code != ERROR_INPUT) {
        tell(fleet, member, "going on without %s: %s", reason->text);
        return true;
    }
    if (error)
        *error = *reason;
    return false;
}

static void note_load(struct member *member, const struct hand_load *load)
{
    member->load = *load;
    member->ready = true;
}

static bool take(struct fleet *fleet, size_t which, struct hand_report *report, struct error *error)
{
    struct member *member = &fleet->members[which];
    switch (report->event) {
    case HAND_HELLO:
    case HAND_DEVICES:
        return true; /* nobody has asked for it */
    case HAND_NOTICE:
        tell(fleet, member, "%s: %s", report->text);
        return true;
    case HAND_FAILED:
        return leave_out(fleet, which, &report->failure, error);
    case HAND_LOAD:
        break;
    case HAND_FINISHED:
        take_finished(fleet, which, report);
        break;
    case HAND_COMPILED:
        take_compiled(fleet, which, report);
        break;
    case HAND_REFUSED:
        take_refused(fleet, which, report->token);
        break;
    case HAND_RETURNED:
        take_returned(fleet, which, report);
        break;
    }
    note_load(member, &report->load);
    return true;
}

bool fleet_take_report(size_t hand, struct hand_report *report, const char *lost, void *context, struct error *error)
{
    struct fleet *fleet = context;
    struct error reason = {0};
    size_t place = fleet->by_hand[hand], which = place - 1;
    if (place == 0 || fleet->members[which].out)
        return true;
    if (report)
        return take(fleet, which, report, error);
    error_set(&reason, ERROR_WORK, "%s", lost);
    return leave_out(fleet, which, &reason, error);
}

/* A hand without work has nothing to say: its silence counts from when it got some. */
static bool is_silent(const struct fleet *fleet, const struct member *member)
{
    return member->inside > 0 && monotonic_seconds() - member->began > silence_most &&
           hands_silence(fleet->away->hands, member->share->hand) > silence_most;
}

void fleet_watch(const struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->member_count; i++) {
        const struct member *member = &fleet->members[i];
        if (!member->out && is_silent(fleet, member))
            hands_lose(fleet->away->hands, member->share->hand, "it has work and is silent");
    }
}

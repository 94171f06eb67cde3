/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/trials.h"

#include "tuner/measure/sampling.h"

enum { SAMPLES_LEAST = 3 };                 /* of the incumbent, before anything is tried */
static const double first_rehearsal = 10;   /* what one is expected to cost, in times of the incumbent */
static const double first_candidate = 2;    /* what a candidate is expected to take */
static const double hopeless_rehearsal = 2; /* times the incumbent: caches are cold for the candidate */

/* When the two are compared, and how many of the pairs the candidate must then have won: by chance, a sign test that
 * is made three times, it would in 6 cases of 1000. */
static const struct look {
    size_t pairs, wins;
} looks[] = {{8, 8}, {14, 13}, {TRIALS_PAIRS, 17}};

void trials_begin(struct trials *trials, double share, size_t count, uint64_t seed)
{
    *trials = (struct trials){.share = share, .count = count < TRIALS_MOST ? count : TRIALS_MOST, .ratio = 1};
    trials->generator.state = seed;
}

enum trials_end trials_ended(const struct trials *trials)
{
    return trials->at == trials->count         ? TRIALS_ALL_TRIED
           : trials->misses >= TRIALS_PATIENCE ? TRIALS_NOTHING_BETTER
                                               : TRIALS_GO_ON;
}

/* ---- what is spent */

void trials_passed(struct trials *trials, uint64_t calls)
{
    trials->calls += calls;
    trials->time_ns += (double)calls * trials->incumbent_ns;
}

static void spend(struct trials *trials, double time_ns, double excess_ns)
{
    trials->time_ns += time_ns;
    trials->excess_ns += excess_ns > 0 ? excess_ns : 0;
}

static bool affords(const struct trials *trials, double cost_ns)
{
    return trials->excess_ns + cost_ns <= trials->share * trials->time_ns;
}

static double rehearsal_cost(const struct trials *trials)
{
    if (trials->rehearsal_ns == 0)
        return first_rehearsal * trials->incumbent_ns;
    return trials->rehearsal_ns +
           (trials->candidate_ns > 0 ? trials->candidate_ns : first_candidate * trials->incumbent_ns);
}

static double pair_cost(const struct trials *trials)
{
    const double slower = trials->candidate_ns - trials->incumbent_ns;
    return 2 * trials->timing_ns + (slower > 0 ? slower : 0);
}

/* ---- what comes next */

/* The half of a pair that was begun follows at once. */
static enum trial_kind next_of_race(const struct trials *trials)
{
    if (trials->pair[0] > 0)
        return TRIAL_CANDIDATE;
    if (trials->pair[1] > 0)
        return TRIAL_INCUMBENT;
    if (!affords(trials, pair_cost(trials)))
        return TRIAL_NONE;
    return trials->candidate_first ? TRIAL_CANDIDATE : TRIAL_INCUMBENT;
}

enum trial_kind trials_next(const struct trials *trials)
{
    if (trials_ended(trials) != TRIALS_GO_ON)
        return TRIAL_NONE;
    if (trials->sample_count < SAMPLES_LEAST)
        return affords(trials, trials->sample_count ? trials->timing_ns : 0) ? TRIAL_INCUMBENT : TRIAL_NONE;
    if (!trials->ready)
        return TRIAL_NONE;
    if (trials->rehearsals == TRIALS_REHEARSALS)
        return next_of_race(trials);
    return affords(trials, rehearsal_cost(trials)) ? TRIAL_REHEARSAL : TRIAL_NONE;
}

/* ---- the candidates */

void trials_ready(struct trials *trials)
{
    trials->ready = true;
}

static void next_candidate(struct trials *trials, enum trials_verdict verdict)
{
    trials->verdicts[trials->at++] = verdict;
    trials->misses = verdict == TRIALS_WON ? 0 : trials->misses + 1;
    trials->ready = false;
    trials->rehearsals = trials->pairs = 0;
    trials->pair[0] = trials->pair[1] = trials->candidate_ns = 0;
}

void trials_reject(struct trials *trials, enum trials_verdict verdict)
{
    next_candidate(trials, verdict);
}

void trials_confirm(struct trials *trials)
{
    if (trials->candidate_ns > hopeless_rehearsal * trials->incumbent_ns)
        next_candidate(trials, TRIALS_LOST);
    else
        trials->rehearsals++;
}

/* ---- the incumbent */

static void add_sample(struct trials *trials, double time_ns)
{
    trials->samples[trials->next_sample] = time_ns;
    trials->next_sample = (trials->next_sample + 1) % TRIALS_SAMPLES;
    trials->sample_count += trials->sample_count < TRIALS_SAMPLES;
    trials->incumbent_ns = median_of(trials->samples, trials->sample_count).value;
}

static void crown(struct trials *trials, double ratio)
{
    const double time_ns = trials->incumbent_ns * ratio;
    next_candidate(trials, TRIALS_WON);
    trials->sample_count = trials->next_sample = 0;
    add_sample(trials, time_ns); /* until it is timed as the incumbent */
    trials->ratio *= ratio;
}

/* ---- the race */

/* Ratios are times where the incumbent takes 1. A single pair may have been disturbed. */
static bool is_hopeless(const struct trials *trials)
{
    const struct sampling_prior prior = {.incumbent_ns = 1};
    return trials->pairs > 1 && sampling_hopeless(&sampling_default, trials->ratios, trials->pairs, &prior);
}

static const struct look *look_now(const struct trials *trials)
{
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        if (looks[i].pairs == trials->pairs)
            return &looks[i];
    }
    return NULL;
}

static size_t wins(const struct trials *trials)
{
    size_t count = 0;
    for (size_t i = 0; i < trials->pairs; i++)
        count += trials->ratios[i] < 1 - TRIALS_GAIN;
    return count;
}

static void decide(struct trials *trials)
{
    const struct look *look = look_now(trials);
    if (is_hopeless(trials)) {
        next_candidate(trials, TRIALS_LOST);
        return;
    }
    if (!look)
        return;
    const struct median ratio = median_of(trials->ratios, trials->pairs);
    if (wins(trials) >= look->wins)
        crown(trials, ratio.value);
    else if (ratio.low >= 1 - TRIALS_GAIN || trials->pairs == TRIALS_PAIRS)
        next_candidate(trials, TRIALS_LOST);
}

static void end_pair(struct trials *trials)
{
    trials->ratios[trials->pairs++] = trials->pair[1] / trials->pair[0];
    trials->pair[0] = trials->pair[1] = 0;
    trials->candidate_first = generator_below(&trials->generator, 2) == 1;
    decide(trials);
}

/* ---- what was done */

/* Clocks may show nothing for what is very short. */
static double at_least_something(double time_ns)
{
    return time_ns > 1e-3 ? time_ns : 1e-3;
}

static void tell_rehearsal(struct trials *trials, double candidate_ns, double cost_ns)
{
    trials->tries++;
    spend(trials, cost_ns + candidate_ns, cost_ns + candidate_ns);
    trials->rehearsal_ns = cost_ns > trials->rehearsal_ns ? cost_ns : (trials->rehearsal_ns + cost_ns) / 2;
    if (trials->candidate_ns == 0 || candidate_ns < trials->candidate_ns)
        trials->candidate_ns = candidate_ns;
}

static void tell_candidate(struct trials *trials, double candidate_ns, double cost_ns)
{
    trials->calls++;
    trials->tries++;
    spend(trials, candidate_ns + cost_ns, candidate_ns - trials->incumbent_ns);
    trials->excess_ns += cost_ns;
    trials->timing_ns = cost_ns;
    trials->candidate_ns = candidate_ns;
    trials->pair[1] = at_least_something(candidate_ns);
}

static void tell_incumbent(struct trials *trials, double incumbent_ns)
{
    trials->calls++;
    spend(trials, incumbent_ns, 0);
    add_sample(trials, at_least_something(incumbent_ns));
}

void trials_tell(struct trials *trials, enum trial_kind kind, double incumbent_ns, double candidate_ns,
                 double cost_ns)
{
    if (kind == TRIAL_CANDIDATE) {
        tell_candidate(trials, candidate_ns, cost_ns);
    } else {
        tell_incumbent(trials, incumbent_ns);
        if (kind == TRIAL_REHEARSAL) {
            tell_rehearsal(trials, candidate_ns, cost_ns);
        } else {
            spend(trials, cost_ns, cost_ns);
            trials->timing_ns = cost_ns;
            if (trials->rehearsals == TRIALS_REHEARSALS)
                trials->pair[0] = at_least_something(incumbent_ns);
        }
    }
    if (trials->pair[0] > 0 && trials->pair[1] > 0)
        end_pair(trials);
}

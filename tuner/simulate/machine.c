/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/machine.h"

#include "tuner/workers/pacing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* First in, first out. */
struct line {
    size_t *items, count;
};

struct worker {
    bool busy;
    size_t index;
    double end; /* seconds */
};

struct machine {
    struct machine_times times;
    struct pacing pacing;
    bool one_at_a_time;
    double clock;
    struct line waiting, compiled, finished;
    struct worker *compilers;
    size_t compiling; /* busy compilers */
    struct worker measurer;
    bool is_ahead; /* the measuring worker has another to go on with */
    size_t ahead;
};

struct machine *machine_create(const struct machine_plan *plan, const struct machine_times *times)
{
    struct machine *machine = calloc(1, sizeof *machine);
    if (!machine)
        return NULL;
    machine->times = *times;
    machine->one_at_a_time = plan->compilers == 0;
    machine->pacing = (struct pacing){
        .compilers = plan->compilers > 0 ? plan->compilers : 1, .measurers = 1, .takes_turns = plan->takes_turns};
    size_t most = pacing_most(&machine->pacing);
    machine->waiting.items = calloc(most, sizeof(size_t));
    machine->compiled.items = calloc(most, sizeof(size_t));
    machine->finished.items = calloc(most, sizeof(size_t));
    machine->compilers = calloc(machine->pacing.compilers, sizeof *machine->compilers);
    if (machine->waiting.items && machine->compiled.items && machine->finished.items && machine->compilers)
        return machine;
    machine_free(machine);
    return NULL;
}

void machine_free(struct machine *machine)
{
    if (!machine)
        return;
    free(machine->waiting.items);
    free(machine->compiled.items);
    free(machine->finished.items);
    free(machine->compilers);
    free(machine);
}

void machine_reset(struct machine *machine)
{
    machine->clock = 0;
    machine->waiting.count = machine->compiled.count = machine->finished.count = 0;
    memset(machine->compilers, 0, machine->pacing.compilers * sizeof *machine->compilers);
    machine->compiling = 0;
    machine->measurer = (struct worker){0};
    machine->is_ahead = false;
    machine->pacing.measuring_turn = false;
    machine->pacing.turn_start = 0;
    machine->pacing.compile.count = machine->pacing.measure.count = 0;
}

static void push(struct line *line, size_t index)
{
    line->items[line->count++] = index;
}

static size_t take(struct line *line)
{
    size_t first = line->items[0];
    line->count--;
    memmove(line->items, line->items + 1, line->count * sizeof *line->items);
    return first;
}

/* When the candidate of a compiler is slow, if it is under way then. */
static double slow_at(const struct machine *machine, const struct worker *worker)
{
    return worker->end - machine->times.compile[worker->index] + pacing_patience(&machine->pacing);
}

static size_t compiling_slowly(const struct machine *machine)
{
    size_t count = 0;
    for (size_t i = 0; i < machine->pacing.compilers; i++) {
        const struct worker *worker = &machine->compilers[i];
        count += worker->busy && slow_at(machine, worker) <= machine->clock;
    }
    return count;
}

static struct pacing_load load_of(const struct machine *machine)
{
    return (struct pacing_load){
        .waiting = machine->waiting.count,
        .compiling = machine->compiling,
        .slow = compiling_slowly(machine),
        .compiled = machine->compiled.count,
        .measuring = (size_t)machine->measurer.busy + (size_t)machine->is_ahead,
        .finished = machine->finished.count,
    };
}

size_t machine_room(const struct machine *machine)
{
    const struct pacing_load load = load_of(machine);
    if (machine->one_at_a_time)
        return pacing_inside(&load) + load.finished == 0;
    return pacing_room(&machine->pacing, &load);
}

void machine_submit(struct machine *machine, size_t index)
{
    push(&machine->waiting, index);
}

static void start(struct machine *machine, struct worker *worker, size_t index, double seconds)
{
    *worker = (struct worker){true, index, machine->clock + seconds};
}

static bool may_compile(const struct machine *machine)
{
    const struct pacing_load load = load_of(machine);
    return pacing_may_compile(&machine->pacing, &load, machine->clock);
}

/* As crew_step() does: the measuring worker first, then compilers, then another for the measuring worker. */
static void give_work(struct machine *machine)
{
    struct pacing *pacing = &machine->pacing;
    const struct pacing_load load = load_of(machine);
    pacing_change_turns(pacing, &load, machine->clock);
    bool may_measure = pacing_may_measure(pacing);
    if (may_measure && !machine->measurer.busy && machine->compiled.count > 0) {
        size_t index = take(&machine->compiled);
        start(machine, &machine->measurer, index, machine->times.measure[index]);
    }
    for (size_t i = 0; i < pacing->compilers && may_compile(machine); i++) {
        if (machine->compilers[i].busy)
            continue;
        size_t index = take(&machine->waiting);
        start(machine, &machine->compilers[i], index, machine->times.compile[index]);
        machine->compiling++;
    }
    if (may_measure && machine->measurer.busy && !machine->is_ahead && machine->compiled.count > 0) {
        machine->ahead = take(&machine->compiled);
        machine->is_ahead = true;
    }
}

static void end_measurement(struct machine *machine)
{
    push(&machine->finished, machine->measurer.index);
    pacing_learn(&machine->pacing.measure, machine->times.measure[machine->measurer.index]);
    machine->measurer.busy = false;
    if (machine->is_ahead)
        start(machine, &machine->measurer, machine->ahead, machine->times.measure[machine->ahead]);
    machine->is_ahead = false;
}

static void end_compilation(struct machine *machine, struct worker *worker)
{
    worker->busy = false;
    machine->compiling--;
    pacing_learn(&machine->pacing.compile, machine->times.compile[worker->index]);
    push(machine->times.measure[worker->index] < 0 ? &machine->finished : &machine->compiled, worker->index);
}

/* When the next candidate becomes slow. */
static double next_slow(const struct machine *machine)
{
    double next = HUGE_VAL;
    for (size_t i = 0; i < machine->pacing.compilers; i++) {
        const struct worker *worker = &machine->compilers[i];
        double at = slow_at(machine, worker);
        if (worker->busy && at > machine->clock)
            next = fmin(next, at);
    }
    return next;
}

bool machine_step(struct machine *machine)
{
    struct worker *first = NULL;
    give_work(machine);
    if (machine->measurer.busy)
        first = &machine->measurer;
    for (size_t i = 0; i < machine->pacing.compilers; i++) {
        struct worker *worker = &machine->compilers[i];
        if (worker->busy && (!first || worker->end < first->end))
            first = worker;
    }
    if (!first)
        return false;
    double slow = next_slow(machine);
    if (slow < first->end) { /* there may be room now */
        machine->clock = slow;
        return true;
    }
    machine->clock = first->end;
    if (first == &machine->measurer)
        end_measurement(machine);
    else
        end_compilation(machine, first);
    return true;
}

double machine_seconds(const struct machine *machine)
{
    return machine->clock;
}

bool machine_finished(struct machine *machine, size_t *index)
{
    if (machine->finished.count == 0)
        return false;
    *index = take(&machine->finished);
    return true;
}

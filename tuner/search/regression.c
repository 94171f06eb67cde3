/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/regression.h"

#include <stdlib.h>

enum { LEARN_MOST = 100 }; /* steps of learning a process's scales each time, while there are few points */

bool regression_create(struct regression *regression, const struct strategy_setup *setup, enum design_kind design,
                       size_t design_size, size_t limit, double elite_share)
{
    *regression = (struct regression){.points = limit + TRAINING_PENDING_MOST};
    training_set_init(&regression->training, &regression->explorer, limit, elite_share);
    if (!explorer_create(&regression->explorer, setup, design, design_size) ||
        !coordinates_create(&regression->coordinates, setup->space))
        return false;
    regression->place = calloc(regression->coordinates.count + 1, sizeof *regression->place);
    regression->values = calloc(regression->points, sizeof *regression->values);
    return regression->place && regression->values;
}

void regression_clear(struct regression *regression)
{
    explorer_clear(&regression->explorer);
    training_set_clear(&regression->training);
    coordinates_clear(&regression->coordinates);
    free(regression->place);
    free(regression->values);
}

struct gaussian_process *regression_process(const struct regression *regression)
{
    return gaussian_process_create(regression->coordinates.count, regression->coordinates.ordinal,
                                   regression->points);
}

const struct trial *regression_tell(struct regression *regression, const struct observation *observation)
{
    const struct trial *trial = explorer_tell(&regression->explorer, observation);
    if (trial && !training_set_add(&regression->training, trial, observation))
        regression->explorer.out_of_memory = true;
    return trial;
}

static void set_points(struct regression *regression, struct gaussian_process *process)
{
    const struct training_set *training = &regression->training;
    for (size_t i = 0; i < training->row_count; i++) {
        coordinates_of(&regression->coordinates, regression->explorer.trials[training->rows[i]].index,
                       regression->place);
        gaussian_process_set_point(process, i, regression->place);
    }
}

/* The fewer points, the cheaper a step of learning, and the more there is to learn. */
static size_t learning_steps(size_t count)
{
    size_t sample = count < GAUSSIAN_PROCESS_SAMPLE ? count : GAUSSIAN_PROCESS_SAMPLE;
    return LEARN_MOST / (1 + sample * sample / 256);
}

double regression_fit(struct regression *regression, struct gaussian_process *process, double cut,
                      struct posterior *objective)
{
    struct training_set *training = &regression->training;
    double *values = regression->values;
    training_set_choose(training);
    set_points(regression, process);
    size_t known = training->known_count;
    double best = training_set_objectives(training, cut, values);
    gaussian_process_learn(process, values, known, learning_steps(known), &regression->explorer.generator);
    gaussian_process_factor(process, training->row_count);
    gaussian_process_condition(process, values, known, objective);
    return best;
}

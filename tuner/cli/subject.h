/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subject.h - what a command is about: the template, space, device and sizes that its arguments name.
 */
#ifndef TUNE_CLI_SUBJECT_H
#define TUNE_CLI_SUBJECT_H

#include "tuner/cli/device_choice.h"
#include "tuner/cli/options.h"
#include "tuner/lang/space.h"
#include "tuner/space/aims.h"
#include "tuner/space/problem.h"
#include "tuner/workers/crew.h"

struct subject {
    struct template *template;
    struct space *space;     /* NULL: none is needed */
    struct inputs *inputs;   /* the data files; NULL until subject_request */
    struct problem *problem; /* NULL until subject_problem */
    struct device_choice device;
    struct objective objective;    /* for commands that compare; of the template, with its limits */
    struct aims aims;              /* for those that take several, of which that is the first */
    struct limits *limits;         /* NULL: none */
    struct forerunner *forerunner; /* the caller's, for the crew of the first device; NULL: none */
    bool own_matrices;             /* sizes may say what a program's matrix has, since nothing is launched */
};

/* Read the template that `argument` names: shipped, or a path. */
bool subject_template(struct subject *subject, const char *argument, struct error *error);

/* Find the options' objectives, of the template if the subject has one. */
bool subject_aims(struct subject *subject, const struct options *options, struct error *error);

/* Read the options' limits, which are then the objective's. */
bool subject_limits(struct subject *subject, const struct options *options, struct error *error);

/* Read the space `argument` of the template; NULL: the template's default space, or the only one beside it. */
bool subject_space(struct subject *subject, const char *argument, struct error *error);

/* Make the problem from the template, the space if there is one, the device and the options' sizes. */
bool subject_problem(struct subject *subject, const struct options *options, struct error *error);

/* Open the data files, unless that is done. */
bool subject_inputs(struct subject *subject, const struct options *options, struct error *error);

/* What a problem is made from: the same, with the template's data files, which are opened once. */
bool subject_request(struct subject *subject, const struct options *options, struct problem_request *request,
                     struct error *error);

/* The workers of a sweep on the subject's device, as the options want them; refers to the subject. */
struct crew_plan subject_crew(const struct subject *subject, const struct options *options);

void subject_clear(struct subject *subject);

#endif

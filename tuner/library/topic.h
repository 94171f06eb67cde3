/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topic.h - what problems share that differ in their sizes alone: a template, a device, an objective, and all that is
 * known about these.
 *
 * A topic is complete before others see it, but for what is learnt of single configurations. It outlives the handle
 * as long as answers refer to it.
 */
#ifndef TUNE_LIBRARY_TOPIC_H
#define TUNE_LIBRARY_TOPIC_H

#include "tuner/data/inputs.h"
#include "tuner/device/guest.h"
#include "tuner/library/spaces.h"
#include "tuner/select/selection.h"
#include "tuner/space/metrics.h"

#include <pthread.h>
#include <stdatomic.h>

/* A template with its spaces, parsed once a handle. */
struct own_template {
    atomic_size_t references;
    char *name; /* as callers name it */
    struct template *template;
    struct spaces spaces;
    struct inputs *inputs; /* its own data files; NULL: it has none, or they cannot be read */
    const char *held;      /* what these hold, "" without */
    pthread_mutex_t look;  /* at the files */
};

bool own_template_read(const char *name, const char *home, struct own_template **result, struct error *error);
struct own_template *own_template_keep(struct own_template *own);
void own_template_free(struct own_template *own); /* gives a reference back */

/* Are its sources those that were parsed, as template_is_current says? ERROR_INPUT: they have changed. */
bool own_template_is_current(struct own_template *own, bool *touched, struct error *error);

struct own_device {
    int ordinal;                           /* 0 for a recorded description, on which nothing can run */
    struct device_description description; /* its `compiler` may be "" */
};

/* The device that `name` names, "cuda:0", "cpu" or the path of a description; none is left open. */
bool own_device_find(const char *name, struct own_device *device, struct error *error);

struct recall;

struct judged {
    char *configuration;
    bool valid; /* ever, anywhere */
};

struct topic {
    atomic_size_t references;
    struct own_template *own; /* held */
    struct own_device device;
    struct objective objective;
    struct recall *recall;                /* tuner/select/recall.h */
    char *asked_device, *asked_objective; /* as callers name them; "": the default objective */
    struct topic *next;                   /* in the handle's list */
    pthread_mutex_t lock;                 /* of what follows */
    struct judged *judged;
    size_t judged_count;
};

/* It knows nothing yet. `name` is the device's, which is looked for unless it is `found` already; else NULL. */
bool topic_create(struct own_template *own, const char *name, const struct own_device *found, const char *objective,
                  struct topic **result, struct error *error);
struct topic *topic_keep(struct topic *topic);
void topic_free(struct topic *topic); /* gives a reference back */

/* All but the size and `fits`. */
struct selection_request topic_request(const struct topic *topic);

/* Is it known whether a configuration was ever valid? */
bool topic_is_judged(struct topic *topic, const char *configuration, bool *valid);
void topic_judge(struct topic *topic, const char *configuration, bool valid);

#endif

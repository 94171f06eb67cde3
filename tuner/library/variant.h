/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variant.h - a configuration that is ready to be launched: its code, what is passed to it, memory of its own, and
 * its blocks as plans where they are flat.
 *
 * A block that is not is interpreted, as when it is measured, under a lock: streams, textures, counts.
 */
#ifndef TUNE_LIBRARY_VARIANT_H
#define TUNE_LIBRARY_VARIANT_H

#include "tuner/library/code.h"
#include "tuner/library/passed.h"
#include "tuner/library/plan.h"
#include "tuner/library/workspace.h"

#include <pthread.h>

enum variant_block { VARIANT_PREPARE, VARIANT_LAUNCH, VARIANT_FINISH, VARIANT_BLOCKS };

struct variant { /* what launches read comes first */
    struct code *code;
    struct plan *plans[VARIANT_BLOCKS]; /* NULL: interpreted */
    struct passed passed;
    atomic_bool prepared;
    struct device *view;
    struct workspace workspace;
    /* Counts that the setup block reads, which programs do not run: they are read from what is passed. */
    struct job_steps counts;
    pthread_mutex_t lock;
};

/* Takes over `code`, also when it fails. In the device's context, as variant_free is. */
enum tune_code variant_create(struct code *code, const struct template *template, struct variant **result,
                              struct tune_error *error);
void variant_free(struct variant *variant);

const struct job_steps *variant_steps(const struct variant *variant, enum variant_block block);

/* Memory of the device that is its own; variables that launches or preparations write are as good as that. */
uint64_t variant_bytes(const struct variant *variant);

/* Does the block wait for the device, since what comes next depends on data? */
bool variant_waits(const struct variant *variant, enum variant_block block);

/* Nobody else uses the view meanwhile, whose main stream is this one. */
void variant_lock(struct variant *variant, void *stream);
void variant_unlock(struct variant *variant);

/* Queue a block; `buffers` are those of struct passed, which have been looked at. Enters the context. */
enum tune_code variant_run(struct variant *variant, enum variant_block block, void *stream,
                           const struct tune_buffer *buffers, struct tune_error *error);

#endif

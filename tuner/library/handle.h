/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handle.h - what tune_open opens.
 *
 * Nothing of it needs to outlive tune_close: answers and kernels hold what they need.
 */
#ifndef TUNE_LIBRARY_HANDLE_H
#define TUNE_LIBRARY_HANDLE_H

#include "db/store.h"
#include "tuner/device/cuda/library.h"
#include "tuner/library/answer_table.h"
#include "tuner/library/calls.h"
#include "tuner/library/topic.h"
#include "tuner/library/tune.h"

struct attachments;

struct tune {
    /* From tune_open on: */
    char *home, *cache;       /* cache: NULL: the usual folder */
    char *database, *site;    /* NULL: nobody asks it */
    struct store *known;      /* a file of known results, which alone is asked; NULL: the others are */
    struct calls_place calls; /* which is told of launches; its file is NULL: nobody is */
    struct answer_table *answers;
    struct attachments *attachments; /* the devices that kernels are loaded on */

    pthread_mutex_t lock; /* of all that follows */
    struct own_template **templates;
    size_t template_count;
    struct topic *topics;
    bool looked;                              /* at what is known, by a question or tune_trouble */
    struct tune_error trouble;                /* the first one; its code is TUNE_OK if there is none */
    const struct device_driver *usual_driver; /* of those who name no device and have no context; NULL: not sought */
    struct cuda_library cuda;                 /* constant once it was sought; its handle is NULL if there is none */
    atomic_bool sought_cuda;
};

/* Forget what was read: topics, templates, trouble. Under the lock. */
void handle_forget(struct tune *tune);

/* What cannot be read is left out; the first one is told by tune_trouble. Under the lock. */
void handle_note(struct tune *tune, enum tune_code code, const struct error *trouble);

#endif

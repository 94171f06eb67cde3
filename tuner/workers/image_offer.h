/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image_offer.h - what workers compile, and how it gets into the cache of images.
 *
 * On the CPU device an image is native code, and workers run what the authors of templates wrote: one that could
 * store images could plant one for another template. So workers only read the cache. What they have compiled and not
 * found there they offer to their parent, with the key that they looked for. The parent knows which program it has
 * asked for, computes that program's key itself, and stores the image only if the two are equal: the worst that a
 * worker can do is to spoil an image of its own template.
 *
 * Validation kernels are shared by all templates. Their image is accepted only from a worker that has not been asked
 * for anything but to open its device: no code of a template has run in it.
 */
#ifndef TUNE_WORKERS_IMAGE_OFFER_H
#define TUNE_WORKERS_IMAGE_OFFER_H

#include "tuner/cache/compile_cache.h"
#include "tuner/job/job.h"
#include "tuner/workers/message.h"

/* ---- messages */

/* The result of a compilation as a new reference; its image goes into the message's blob. `offer` may be NULL. */
json_t *compile_result_to_json(const struct compile_result *result, const struct compile_offer *offer);

/* Read it from `json` in `message`, whose blob becomes the image. `*offered`: so is `offer`, which refers to the
 * result. ERROR_MESSAGE: it is not a possible result. */
bool compile_result_from_json(const json_t *json, struct message *message, struct compile_result *result,
                              struct compile_offer *offer, bool *offered, struct error *error);

void compile_result_clear(struct compile_result *result);

/* A message of a worker, beside its answers, that offers an image; {"made": RESULT}. As the `offer` of a compile
 * cache; `channel` is the context. */
void image_offer_send(const struct compile_offer *offer, void *channel);

/* Is the message such an offer? */
bool image_offer_is(const struct message *message);

/* ---- in the parent */

/* The cache of images that this process may write, for the compilers of a device; unless `use_cache`, nothing is
 * stored. NULL: out of memory, or there is no device of the kind. */
struct compile_cache *image_offer_cache(const struct device_description *device, bool use_cache);

/* Store what is offered as the image of `program`, unless it is something else. */
bool image_offer_keep(const struct compile_cache *images, const struct job_program *program,
                      const struct compile_offer *offer);

/* Store what the message offers as the image of one of a job's programs: its setup or its reference. */
void image_offer_take(const struct compile_cache *images, const struct job *job, struct message *message);

/* The same for the validation kernels; and does the cache have them? */
bool image_offer_has_validation(struct compile_cache *images);
void image_offer_take_validation(const struct compile_cache *images, struct message *message);

#endif

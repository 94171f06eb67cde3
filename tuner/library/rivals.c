/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/rivals.h"

#include "tuner/library/admission.h"
#include "tuner/library/sources.h"

struct asking {
    struct contenders *contenders;
    const struct selection_request *request;
};

static bool ask(struct store *store, bool of_site, void *context, struct error *error)
{
    const struct asking *asking = context;
    (void)of_site;
    return contenders_add(asking->contenders, store, asking->request, error);
}

static bool ask_all(struct tune *tune, const char *template_hash, struct asking *asking, struct error *error)
{
    pthread_mutex_lock(&tune->lock);
    bool done =
        sources_visit(tune, ask, asking, error) && sources_visit_shipped(tune, template_hash, ask, asking, error);
    pthread_mutex_unlock(&tune->lock);
    return done;
}

bool rivals_find(struct tune *tune, const struct tune_answer *answer, size_t most, struct contenders *contenders,
                 struct error *error)
{
    const struct topic *topic = answer->topic;
    struct admission admission = {0};
    struct selection_request request = topic_request(topic);
    struct asking asking = {contenders, &request};
    *contenders = (struct contenders){0};
    request.size = answer->info.size;
    request.inputs = answer->with_inputs ? topic->own->held : "";
    request.fits = admission_fits;
    request.context = &admission;
    bool done = admission_open(&topic->own->spaces, &topic->device.description, answer->sizes, &admission, error) &&
                ask_all(tune, request.template_hash, &asking, error) &&
                contenders_choose(contenders, &request, answer->info.configuration, most, error);
    admission_clear(&admission);
    return done;
}

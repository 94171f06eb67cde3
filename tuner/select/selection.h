/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selection.h - which stored result answers for a problem: the one order that everything follows which runs a kernel
 * without a search.
 *
 *     1. the same kernel, model of device, size and data: what a sweep has measured, or a program of the user's has
 *        found while it ran, whichever was later
 *     2. the same model of device at another size: the best at one that is hardly another (within half an octave,
 *        nearness.h); else the tree that a sweep over many sizes left (by_tree.h), the first of its answers that is
 *        valid for the problem, if one is any good
 *     3. the nearest of what is known for other data, other sizes, other devices of the same architecture and devices
 *        of other architectures (nearness.h), if its configuration is valid for the problem
 *     4. nothing: the caller takes the template's default; and likewise if rule 3 had to look too far (reach.h)
 *
 * What is known lies in layers: the user's database, what the site knows (site.h), and what came with tune. All are
 * asked together. By rule 1 the best of them answers, so that neither a hasty sweep of the user's own nor an old file
 * of the site hides what is better; by rule 2 the earlier layer; by rule 3 the nearest. Of equals the earlier layer
 * answers, then the later measurement.
 *
 * Results of another version of the kernel never count. What rules 2 and 3 find has not been validated for the
 * problem; what the user has not measured must be valid for it by rule 1 as well. A layer that cannot be read is left
 * out.
 */
#ifndef TUNE_SELECT_SELECTION_H
#define TUNE_SELECT_SELECTION_H

#include "db/store.h"
#include "tuner/select/site.h"

enum selection_rule {
    SELECTION_NONE,
    SELECTION_EXACT,
    SELECTION_TREE,         /* the dispatch tree of the same model of device */
    SELECTION_DATA,         /* all the same but the data */
    SELECTION_SIZE,         /* the same model of device at another size */
    SELECTION_DEVICE,       /* another device of the same architecture, perhaps at another size */
    SELECTION_ARCHITECTURE, /* a device of another architecture */
    SELECTION_RULES
};

/* "exact", "tree", "data", "size", "device", "architecture", or "none". */
const char *selection_rule_name(enum selection_rule rule);

enum selection_layer { LAYER_DATABASE, LAYER_SITE, LAYER_SHIPPED, LAYERS };

/* "database", "site" or "shipped". */
const char *selection_layer_name(enum selection_layer layer);

/* The text is JSON, as in problem_configuration_text. False: a failure, with an error. */
typedef bool selection_fits(const char *configuration, bool *fits, void *context, struct error *error);

struct selection;
typedef void selection_observer(const struct selection *known, bool fits, void *context);

struct selection_request {
    const char *template_name, *template_hash;
    const struct device_description *device;
    const char *size, *inputs; /* as in struct store_problem */
    const char *objective;
    struct site *site;    /* NULL: none; what of it turns out to be unreadable is noted there */
    selection_fits *fits; /* is a configuration valid for the problem? */
    void *context;
    selection_observer *observe; /* told what is considered, the nearest first; may be NULL */
    void *observer;              /* its context */
};

struct selection {
    enum selection_rule rule;
    enum selection_layer layer;
    double octaves;      /* from the problem; 0: none */
    size_t tree_sizes;   /* of the sweep that left the tree, of which `size` is the nearest; 0: it is no tree's */
    double time_ns;      /* there */
    char *configuration; /* canonical JSON */
    char *size, *device; /* of the problem whose answer this is */
    char *origin, *measured_at, *compiler;
    char *place; /* of a site: the file or folder */
};

/* SELECTION_NONE if nothing fits. To be cleared in any case. */
bool selection_make(struct store *store, const struct selection_request *request, struct selection *selection,
                    struct error *error);
void selection_clear(struct selection *selection);

/* Does it have all its texts, or did memory run out for one? */
bool selection_is_whole(const struct selection *selection);

/* With texts of its own; to be cleared in any case. An error only when out of memory. */
bool selection_copy(const struct selection *from, struct selection *to, struct error *error);

/* "shipped knowledge of NVIDIA H100 at M=4096,N=4096,K=4096, 1.5 octaves from here, measured 2026-11-20 with NVRTC
 * 13.0"; what is as asked for is left out. Allocated; NULL: out of memory. */
char *selection_text(const struct selection *selection, const struct selection_request *request);

#endif

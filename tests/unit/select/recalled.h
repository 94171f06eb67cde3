/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recalled.h - what was recalled answers as the databases do, which are asked each time: a second way to each answer.
 */
#ifndef TUNE_TESTS_SELECT_RECALLED_H
#define TUNE_TESTS_SELECT_RECALLED_H

#include "tuner/select/recall.h"

#include <string.h>

static inline void assert_same_text(const char *one, const char *other)
{
    assert_string_equal(one ? one : "(none)", other ? other : "(none)");
}

/* The request's site is asked as well; what of it cannot be read is left out. */
static inline void assert_recalled(struct store *store, const struct selection_request *request,
                                   const struct selection *expected)
{
    struct recall *recall;
    struct selection selection;
    struct error error = {0};
    assert_success(recall_create(request, &recall, &error), &error);
    assert_success(recall_add(recall, store, false, &error), &error);
    for (size_t i = 0; request->site && i < request->site->count; i++)
        recall_add(recall, request->site->stores[i], true, &error);
    assert_success(recall_ask(recall, request, &selection, &error), &error);
    assert_int_equal(selection.rule, expected->rule);
    assert_int_equal(selection.layer, expected->layer);
    assert_true(selection.octaves == expected->octaves && selection.time_ns == expected->time_ns);
    assert_int_equal(selection.tree_sizes, expected->tree_sizes);
    assert_same_text(selection.configuration, expected->configuration);
    assert_same_text(selection.size, expected->size);
    assert_same_text(selection.device, expected->device);
    assert_same_text(selection.origin, expected->origin);
    assert_same_text(selection.measured_at, expected->measured_at);
    assert_same_text(selection.compiler, expected->compiler);
    assert_same_text(selection.place, expected->place);
    assert_true(selection.rule == SELECTION_NONE || selection.rule == SELECTION_TREE ||
                recall_has(recall, selection.configuration));
    assert_false(recall_has(recall, "{\"A\":12345}"));
    selection_clear(&selection);
    recall_free(recall);
}

#endif

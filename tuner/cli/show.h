/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show.h - what `tune show` tells of a template or a space: a JSON document, and the same as text.
 */
#ifndef TUNE_CLI_SHOW_H
#define TUNE_CLI_SHOW_H

#include "tuner/cli/subject.h"
#include "tuner/cli/terminal.h"

struct json_t;

/* What a template computes, of a subject with a problem; new reference, NULL when out of memory. */
struct json_t *show_template_json(const struct subject *subject);

/* What a space varies, what its constraints remove, and likely mistakes in it; likewise. */
struct json_t *show_space_json(const struct subject *subject);

bool show_template_text(const struct json_t *document, const struct terminal *out, struct error *error);
bool show_space_text(const struct json_t *document, const struct terminal *out, struct error *error);

#endif

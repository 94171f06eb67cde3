/* SPDX-License-Identifier: Apache-2.0 */
/*
 * named.h - templates and spaces as users name them: by the name of something shipped, or by a path.
 */
#ifndef TUNE_LIBRARY_NAMED_H
#define TUNE_LIBRARY_NAMED_H

#include "tuner/lang/space.h"
#include "tuner/lang/template.h"

/* Read the template that `name` names: one of the folder `home` (home.h), or a path, which needs
 * no home. */
bool template_named(const char *name, const char *home, struct template **template, struct error *error);

/* The folder with this template's spaces; allocated, NULL and an error when out of memory. For a template in
 * FOLDER/templates/NAME it is FOLDER/spaces/NAME if that exists, else the template's own folder. */
char *template_space_folder(const struct template *template, struct error *error);

/* Read the space of the template that `name` names; NULL: the template's default space, or the only one beside it. */
bool space_named(const char *name, const struct template *template, struct space **space, struct error *error);

#endif

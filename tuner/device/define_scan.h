/* SPDX-License-Identifier: Apache-2.0 */
/*
 * define_scan.h - where a source, or a file that it includes by name, defines a macro; found without a preprocessor.
 *
 * Branches are not evaluated, so of several definitions the last counts, and one right behind an #ifndef of the same
 * name only if there is no other.
 */
#ifndef TUNE_DEVICE_DEFINE_SCAN_H
#define TUNE_DEVICE_DEFINE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct macro_definition {
    const char *name; /* to look for */
    size_t name_length;
    char *path; /* where it is defined, for the caller to free; NULL: nowhere */
    unsigned line;
    bool is_default; /* behind #ifndef */
};

/*
 * Fill in the definitions. `folder`, or NULL, is searched for included files. `*complete`: nothing was left unread,
 * so a macro without a definition here has none. False: out of memory.
 */
bool define_scan(const char *path, const char *text, size_t length, const char *folder,
                 struct macro_definition *definitions, size_t count, bool *complete);

#endif

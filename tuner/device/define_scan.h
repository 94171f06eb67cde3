/* SPDX-License-Identifier: Apache-2.0 */
/*
 * define_scan.h - where a source, or a file that it includes by name, defines macros and removes them; found without
 * a preprocessor, so branches are not evaluated.
 */
#ifndef TUNE_DEVICE_DEFINE_SCAN_H
#define TUNE_DEVICE_DEFINE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* A name to look for. */
struct macro_name {
    const char *start;
    size_t length;
};

struct macro_event {
    enum { MACRO_DEFINED, MACRO_REMOVED, MACRO_INCLUDED } kind; /* removed: by #undef or pop_macro */
    size_t name;                                                /* which one; not for an include */
    char *path;
    unsigned line;
    bool is_default; /* a definition where the macro has none: inside #ifndef or #if !defined */
    bool in_source;  /* of the source itself, not of an included file; an include always is */
    size_t end;      /* in the source: behind the line */
};

struct define_scan {
    struct macro_event *events; /* in the order of the compiler; an include follows what is in its file */
    size_t count, capacity;
    bool complete; /* nothing was left unread, so a macro without an event here has none */
};

/* `folder`, or NULL, is searched for included files. False: out of memory; clear the scan in any case. */
bool define_scan(const char *path, const char *text, size_t length, const char *folder,
                 const struct macro_name *names, size_t count, struct define_scan *scan);
void define_scan_clear(struct define_scan *scan);

#endif

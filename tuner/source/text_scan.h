/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_scan.h - the words of one text of CUDA C++, and the files that it names, without running a preprocessor.
 *
 * No condition is evaluated, so that both branches of an #if count; what only a preprocessor can see is flagged.
 * closure.h says what that is for. Literals count as text: _Pragma("unroll N").
 */
#ifndef TUNE_SOURCE_TEXT_SCAN_H
#define TUNE_SOURCE_TEXT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum text_name_use {
    TEXT_NAMED,   /* it is included */
    TEXT_ASKED,   /* only whether it exists matters */
    TEXT_GUESSED, /* a string that may name a file */
    TEXT_EMBEDDED /* its bytes are data */
};

/* The name of a file as it is written there. */
struct text_name {
    const char *start;
    size_t length;
    bool quoted;
    enum text_name_use use;
};

/* Where a name is written: `text` has the lines that a backslash continues joined. */
struct text_source {
    const char *path, *text;
};

/* As in struct closure_findings, which they become part of. */
struct text_findings {
    bool hidden, dated, asks, odd, pastes;
};

struct text_scan {
    bool literals; /* string literals are names that may be files */
    /* False stops the scan. */
    bool (*name)(void *context, const struct text_source *source, const struct text_name *name);
    void (*word)(void *context, const char *word, size_t length); /* outside comments, also in string literals */
    void *context;
    struct text_findings findings; /* of all texts so far */
};

/* False: out of memory, or stopped. `name` may scan another text with the same scan. */
bool text_scan(struct text_scan *scan, const char *path, const char *bytes, size_t length);

/* Only the words, of a text that is no source, such as an option. */
void text_scan_words(struct text_scan *scan, const char *text);

#endif

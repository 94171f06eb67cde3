/* SPDX-License-Identifier: Apache-2.0 */
/*
 * closure.h - what a compilation reads: sources, every file that they include, and the words in them; found without
 * running a preprocessor.
 *
 * The identity of results (lang/sources.h) and the keys of images (cache/source_scan.h) both rest on this scan, so
 * that they cannot disagree about what a kernel is. It runs where no compiler need be installed, for all
 * configurations at once, and before any of them is compiled; asking a compiler could not do that: branches, and the
 * files that they include, depend on the configuration, and NVRTC does not tell what it has read.
 *
 * So the scan may read too much, but never too little. It evaluates no condition: both branches of an #if count. A
 * file counts as included from wherever a compiler could find it: beside the file that includes it, beside the
 * source, in the request's folder, in a folder or through a file that an option names (file_option.h); with quotes or
 * angle brackets. A file found in none of these places belongs to the compiler ("system"), whose version stands for
 * it. What only a preprocessor can see is flagged; `hidden`, an include whose name is made by macros, is the one flag
 * that leaves files unread. The caller must then take every file of the folders for read (tree.h), or store nothing;
 * a second scan, which tries string literals as names, finds `#define HEADER "../x.cuh"` as well.
 *
 * Bounds: 4096 files, 256 MiB together, includes 256 deep (compilers allow 200). A file is identified by its inode
 * and that of its folder, so that cycles and links end. Nothing but a regular file is ever opened.
 */
#ifndef TUNE_SOURCE_CLOSURE_H
#define TUNE_SOURCE_CLOSURE_H

#include "tuner/error/error.h"

#include <sys/stat.h>

enum { CLOSURE_FILE_BYTES_MOST = 64 << 20 };

/* An include, or a question whether there is such a file, and one place where the file was found. */
struct closure_include {
    const char *name; /* as written */
    size_t length;
    size_t place; /* 0: the name is absolute, or beside the including file; others: one of the folders searched */
    bool found;
    size_t file; /* the number of the file, in the order in which they were read; SIZE_MAX: it was not read */
};

/* Any may be NULL. A function that returns false stops the scan: out of memory. */
struct closure_visitor {
    /* A text, before it is scanned: a source, or an included file the first time that it is found. */
    bool (*text)(void *context, const char *path, const char *bytes, size_t length);
    bool (*include)(void *context, const struct closure_include *include);
    /* A word outside comments, also in string literals. */
    void (*word)(void *context, const char *word, size_t length);
    /* A path where an included file was looked for; `status` is NULL if there is nothing. */
    bool (*probe)(void *context, const char *path, const struct stat *status);
};

struct closure_setting {
    const char *folder; /* searched for included files; NULL or "": none */
    const char *const *options;
    size_t option_count;
    const char *base; /* where relative paths of options begin; NULL or "": the working directory */
    bool literals;    /* try string literals as names of included files: for a second scan after one with `hidden` */
    const struct closure_visitor *visitor;
    void *context;
};

struct closure_findings {
    bool hidden;  /* files are read that the scan cannot name: an include by macro, .incbin, an opaque option */
    bool dated;   /* __DATE__, __TIME__ or __TIMESTAMP__ */
    bool asks;    /* __has_include and the like; whether there is such a file is told like an include */
    bool odd;     /* letters are spelled in a way that hides words */
    bool system;  /* files of the compiler are included */
    bool pastes;  /* ## makes words */
    bool blocked; /* an included file exists but cannot be read; `problem` says why */
    struct error problem;
};

struct closure;

/* The options' files are read before the first source. NULL: out of memory. The setting's strings are borrowed. */
struct closure *closure_create(const struct closure_setting *setting);
/* Scan a source that the caller has read; sources of one closure share what they include. False: out of memory. */
bool closure_scan(struct closure *closure, const char *path, const char *bytes, size_t length);
const struct closure_findings *closure_findings(const struct closure *closure);
/* The folders of the options, in order, with the base before relative ones. */
size_t closure_folder_count(const struct closure *closure);
const char *closure_folder(const struct closure *closure, size_t index);
void closure_free(struct closure *closure);

/* Tell the visitor the words of a text that is no source, such as an option. */
void closure_words(struct closure *closure, const char *text);

#endif

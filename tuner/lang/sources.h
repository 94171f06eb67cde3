/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sources.h - the identity of a template: a hash of its text and of all that compilers read for it.
 *
 * What they read is found by source/closure.h, from the sources, the setup and the reference that the template names,
 * whatever their conditions. Files that are not read do not count. Names count as written, and where they were found,
 * but not where the template's folder lies, so that a copy of it has the same hash. Comments and layout do not count
 * (hash.h).
 *
 * Where files are read that only a preprocessor could name (an include by macro, .incbin, an option such as -L or
 * @FILE), every file below the template's folder, its options' folders, and the files and folders that such options
 * name counts, byte by byte (source/tree.h); more than 16384 files or 512 MiB are an error. That can cost results
 * when a file changes that is not read, but never gives an old result for a new kernel. A name composed by macros
 * that leads out of all these folders is the one thing not seen. __DATE__ and __TIME__ make every compilation another
 * kernel; the day, in UTC, counts for them, so that such results last for a day.
 *
 * An included file that exists but cannot be read (a FIFO, a device, one without permission, an enormous one) is an
 * error here, at the #include, before a compiler would wait for it.
 *
 * While a sweep works, `sources_state` tells whether the files are still those of the hash. It compares metadata of
 * all places where files were found, or could appear, and reads files only when those differ.
 */
#ifndef TUNE_LANG_SOURCES_H
#define TUNE_LANG_SOURCES_H

#include "tuner/lang/template.h"
#include "tuner/lang/text.h"

struct sources;

/* Read all that the template's compilers read. NULL and an error: a file is missing or cannot be read. */
struct sources *sources_read(const struct template *template, const struct text *text, struct error *error);

/* The hash, as 16 hexadecimal digits. */
const char *sources_hash(const struct sources *sources);

/* Does the template's own text use its parameter `index`, in an expression? */
bool sources_text_uses(const struct sources *sources, size_t index);

/* The same, or may the parameter's macro occur in a source? */
bool sources_use(const struct sources *sources, size_t index);

/* `touched`: files have changed since the last call, and have the same hash nevertheless: only comments did, or a
 * file changed twice. */
enum sources_state { SOURCES_SAME, SOURCES_TOUCHED, SOURCES_CHANGED, SOURCES_FAILED };
enum sources_state sources_state(struct sources *sources, const struct template *template, const struct text *text,
                                 struct error *error);

void sources_free(struct sources *sources);

#endif

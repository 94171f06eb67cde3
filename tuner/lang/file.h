/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file.h - the parser of data of the user's own: file("x.npy") as a buffer's initial values, and
 * `reference file("y.npy")` or `reference y file("y.npy"), z file("z.npy")` as the expected ones.
 *
 * Only the names are read here; tuner/data reads the files.
 */
#ifndef TUNE_LANG_FILE_H
#define TUNE_LANG_FILE_H

#include "tuner/lang/builder.h"

/* Parse `("x.npy")`, behind the word `file`. */
bool parse_file_name(struct builder *builder, const char **file, struct place *place);

/* Is what follows the word `reference` a list of files, not a source and a block? */
bool at_expected_files(const struct parser *parser);

/* Parse that list. */
bool parse_expected_files(struct builder *builder);

/* Once the template is complete: does a file without a buffer's name belong to the only check that compares? */
bool check_expected_files(struct builder *builder);

#endif

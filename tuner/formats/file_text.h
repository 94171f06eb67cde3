/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_text.h - the text of a file, compressed by gzip or not.
 */
#ifndef TUNE_FORMATS_FILE_TEXT_H
#define TUNE_FORMATS_FILE_TEXT_H

#include "tuner/error/error.h"

struct file_text {
    char *bytes; /* with a NUL behind them; allocated */
    size_t length;
};

/* Read all of it into `text`, which is empty before; the caller frees its bytes, also after an error. Errors: a file
 * that cannot be opened or read, more than 2 GiB. */
bool file_text_read(const char *path, struct file_text *text, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_text.h - the text of a file, gzip-compressed or plain.
 */
#ifndef TUNE_FORMATS_FILE_TEXT_H
#define TUNE_FORMATS_FILE_TEXT_H

#include "tuner/error/error.h"

struct file_text {
    char *bytes; /* NUL-terminated, allocated */
    size_t length;
};

/* Read the whole file (input_file.h: or a pipe) into `text`, which must be zeroed; the caller frees the bytes, also
 * after an error. Errors: a file that cannot be opened or read, holds more than 2 GiB, or grows more than a
 * hundredfold to more than 16 MiB. */
bool file_text_read(const char *path, struct file_text *text, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timestamp.h - timestamps of recorded files and of the database.
 */
#ifndef TUNE_FORMATS_TIMESTAMP_H
#define TUNE_FORMATS_TIMESTAMP_H

#include <stdbool.h>

enum { TIMESTAMP_TEXT = 40 };

/*
 * Turn "2023-12-22 09:54:05.502007+00:00" into "2023-12-22T09:54:05.502007Z", as the database has it. Times of other
 * zones are converted to UTC; a time without a zone is taken as UTC. False: not a timestamp.
 */
bool timestamp_to_utc(const char *text, char utc[TIMESTAMP_TEXT]);

/* The other way: as in T4 files. A text of another form is copied. */
void timestamp_from_utc(const char *utc, char text[TIMESTAMP_TEXT]);

#endif

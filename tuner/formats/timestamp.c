/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/timestamp.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* The offset in seconds of +01:00, -0530, Z, " UTC" or nothing. */
static bool read_zone(const char *text, long *seconds)
{
    int hours = 0, minutes = 0, used = 0;
    *seconds = 0;
    if (!*text || strcmp(text, "Z") == 0 || strcmp(text, " UTC") == 0)
        return true;
    if ((*text != '+' && *text != '-') ||
        (sscanf(text + 1, "%2d:%2d%n", &hours, &minutes, &used) < 2 &&
         sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &used) < 2) ||
        text[1 + used])
        return false;
    *seconds = (hours * 3600L + minutes * 60L) * (*text == '-' ? -1 : 1);
    return true;
}

bool timestamp_to_utc(const char *text, char utc[TIMESTAMP_TEXT])
{
    struct tm moment = {0};
    char fraction[16] = "";
    long zone;
    const char *rest = strptime(text, "%Y-%m-%d", &moment);
    if (!rest || (*rest != ' ' && *rest != 'T'))
        return false;
    rest = strptime(rest + 1, "%H:%M:%S", &moment);
    if (!rest)
        return false;
    size_t digits = *rest == '.' ? 1 + strspn(rest + 1, "0123456789") : 0;
    if (digits >= sizeof fraction || !read_zone(rest + digits, &zone))
        return false;
    memcpy(fraction, rest, digits);
    time_t seconds = timegm(&moment) - zone;
    if (!gmtime_r(&seconds, &moment))
        return false;
    char date[24];
    if (strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &moment) == 0)
        return false;
    snprintf(utc, TIMESTAMP_TEXT, "%s%sZ", date, fraction);
    return true;
}

void timestamp_from_utc(const char *utc, char text[TIMESTAMP_TEXT])
{
    size_t length = strlen(utc);
    bool plain = length > 11 && length < TIMESTAMP_TEXT - 6 && utc[10] == 'T' && utc[length - 1] == 'Z';
    if (plain)
        snprintf(text, TIMESTAMP_TEXT, "%.10s %.*s+00:00", utc, (int)(length - 12), utc + 11);
    else
        snprintf(text, TIMESTAMP_TEXT, "%s", utc);
}

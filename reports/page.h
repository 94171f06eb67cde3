/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page.h - what all pages are made with: places {{name}} that are filled in, and data that is safe where it goes.
 */
#ifndef TUNE_REPORTS_PAGE_H
#define TUNE_REPORTS_PAGE_H

#include "tuner/error/error.h"

struct json_t;

/* A place {{name}} in a page and what goes there; places that are not filled stay empty. */
struct page_filling {
    const char *name;
    const char *text;
};

enum { PAGE_FILLINGS = 6 };

/* Make the folder and those above it. */
bool page_make_folder(const char *folder, struct error *error);

/*
 * JSON that may stand inside a <script> element: no '<' can end the element or begin a comment in it. The characters
 * occur in JSON only within strings, where \u003c means the same. Allocated; NULL: out of memory.
 */
char *page_json(const struct json_t *document);

/* Text as it may stand between tags. Allocated; NULL: out of memory. */
char *page_escape(const char *text);

/* Write the page; a reader never sees half of it. */
bool page_write(const char *folder, const char *name, const char *page, const struct page_filling *fillings,
                struct error *error);

#endif

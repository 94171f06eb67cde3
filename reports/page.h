/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page.h - what all HTML pages are written with: templates with places {{name}} to fill in, and escaping for what
 * goes there. Pages are self-contained: style, script, charts and data are inside, so that a page works offline and
 * can be mailed. Its policy permits the scripts and the style that it was built with, by their hashes (policy.cmake),
 * so that nothing in the data can run, whatever became of the escaping.
 */
#ifndef TUNE_REPORTS_PAGE_H
#define TUNE_REPORTS_PAGE_H

#include "reports/folder.h"

struct json_t;

/* What goes to the place {{name}} of a template, as it is. */
struct page_filling {
    const char *name;
    const char *text;
};

enum { PAGE_FILLINGS = 6 };

/*
 * JSON that is safe inside a <script> element: <, > and & are escaped, so that nothing in it can end the element or
 * start a comment. They occur in JSON only within strings, where \u003c means the same. Characters that would act on
 * the text around them (visible.h) are U+FFFD. Allocated; NULL: out of memory.
 */
char *page_json(const struct json_t *document);

/* Text that is safe between tags and in attributes, with what would act made visible. Allocated; NULL: out of memory.
 */
char *page_escape(const char *text);

/* Write `name` in the folder: the template `page` with its places filled in; places without a filling stay empty. A
 * reader never sees half a page. */
bool page_write(const struct folder *folder, const char *name, const char *page, const struct page_filling *fillings,
                struct error *error);

#endif

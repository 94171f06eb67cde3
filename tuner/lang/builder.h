/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder.h - a template while it is parsed: what the parser of declarations and the parser of blocks share.
 */
#ifndef TUNE_LANG_BUILDER_H
#define TUNE_LANG_BUILDER_H

#include "tuner/lang/parser.h"
#include "tuner/lang/template.h"

/* What later statements said about a buffer. */
struct buffer_state {
    bool checked;
    bool referenced; /* the reference writes ref(buffer) */
};

struct builder {
    struct parser parser;
    struct template *template;
    struct token title;     /* the template's name, for errors about the whole */
    struct list sizes;      /* struct size_declaration */
    struct list parameters; /* struct parameter_declaration */
    struct list sources;    /* struct source_choice */
    struct list options;    /* struct compiler_option */
    struct list lets;       /* struct let_declaration */
    struct list buffers;    /* struct buffer_declaration */
    struct list states;     /* struct buffer_state, one a buffer */
    struct list checks;     /* struct check */
    bool in_reference;      /* ref() and mag() have a meaning */
    bool launches;          /* the sequence being parsed has a launch */
};

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * node.h - the syntax tree of an expression.
 */
#ifndef TUNE_LANG_NODE_H
#define TUNE_LANG_NODE_H

#include "tuner/lang/arithmetic.h"
#include "tuner/lang/expr.h"
#include "tuner/lang/text.h"

enum node_kind {
    NODE_CONSTANT,
    NODE_NAME,   /* operation: its enum name_kind */
    NODE_UNARY,  /* operation: enum operation */
    NODE_BINARY, /* operation: enum operation */
    NODE_NOT,
    NODE_AND,           /* two items or more */
    NODE_OR,            /* two items or more */
    NODE_COMPARE,       /* a < b <= c: items a, b, c; comparisons: enum comparison of each pair */
    NODE_CHOICE,        /* a if c else b: items c, a, b */
    NODE_CALL,          /* operation: enum function */
    NODE_LIST,          /* [a, b] or (a, b) */
    NODE_JOIN,          /* list + list */
    NODE_COMPREHENSION, /* [a for i in b if c]: items a, b, c; clauses: enum clause of each but the first;
                           operation: level of its first variable */
    NODE_BOUND,         /* a comprehension variable; slot: its level, 0 for the outermost */
};

enum comparison {
    COMPARE_LESS,
    COMPARE_LESS_EQUAL,
    COMPARE_GREATER,
    COMPARE_GREATER_EQUAL,
    COMPARE_EQUAL,
    COMPARE_NOT_EQUAL,
    COMPARE_IN,
    COMPARE_NOT_IN,
};

enum clause { CLAUSE_FOR, CLAUSE_IF };

enum {
    NESTING_LIMIT = 200, /* nested brackets, signs, choices and blocks */
    HEIGHT_LIMIT = 1000, /* of a tree: 1 + 1 + 1 + ... grows high without nesting, and so does a chain of lets */
    LETS_LIMIT = 10000,  /* of a template, and of a space */
};

struct node {
    uint8_t kind;            /* enum node_kind */
    uint8_t operation;       /* depends on the kind */
    bool is_list;            /* its value is a list */
    bool is_tuple;           /* NODE_LIST: written with ( ) */
    uint16_t height;         /* including those of the lets it uses */
    uint32_t count;          /* of items */
    uint32_t offset, length; /* the token that messages point at */
    uint32_t start, end;     /* of the whole item, if it is one of a list or call */
    union {
        struct value constant;
        size_t slot;
        const uint8_t *comparisons;
        const uint8_t *clauses;
    };
    const struct node *items[];
};

struct expr {
    const struct node *root;
    const struct text *text;
    size_t offset, length; /* the whole expression */
};

/* The first node, in preorder from `node` itself, for which the test holds; NULL if there is none. */
const struct node *node_find(const struct node *node, bool (*test)(const struct node *node, const void *context),
                             const void *context);

#endif

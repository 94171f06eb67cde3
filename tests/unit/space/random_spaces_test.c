/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random small spaces against brute force: every point of the product is judged by the evaluator alone, constraint by
 * constraint. The valid configurations, their numbers, what each constraint removes and lines through the space must
 * agree, and a space that brute force cannot decide must be refused.
 */
#include "tests/unit/fixture.h"

#include "tuner/space/neighbours.h"
#include "tuner/space/slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PARAMETERS = 5, MEMBERS = 3 };
#ifdef TUNE_SANITIZED /* which look for another kind of mistake */
enum { SPACES = 250, UNIONS = 40 };
#else
enum { SPACES = 1000, UNIONS = 150 };
#endif

#define TEMPLATE                                                                                                     \
    "template t\nsize n = 6\nparameter A\nparameter B\nparameter C\nparameter D\nparameter S\n"                      \
    "let half = n // 2\n"                                                                                            \
    "source \"k.cu\"\nbuffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"                                          \
    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

static uint64_t random_state;

static unsigned pick(unsigned count)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)((random_state >> 20) % count);
}

#define PICK(list) list[pick(sizeof(list) / sizeof *(list))]

static void write_truth(FILE *out, int depth);

/* What restrictions of kernels often look like. */
static void write_usual(FILE *out)
{
    static const char *const usual[] = {
        "8 <= A * B * C <= 40",
        "A * C + B * D <= 30",
        "A == B * C",
        "A * A == B * B + C",
        "A + B + C + D == 20",
        "min(A, B, C, D) >= 1",
        "max(A, B) < C + 7",
        "24 % A == 0",
        "A % B == 0 and B % C == 0",
        "A % (B * C) == 0",
        "(24 // A) % B == 0",
        "(A * B) / 2 % C == 0",
        "A != 4 or B in [1, 2]",
        "not (A == 8 and B == 1)",
        "ceil_div(A, B) == C",
        "A - B == C - D",
        "A <= 16 if B > 1 else A >= 4",
        "B == 0 or (A + B) * C * 4 <= 100",
        "A ** 2 >= 3 * B",
        "abs(A - B) <= 3",
        "(A & (A - 1)) == 0",
        "2 ** (A % 5) >= B",
        "round_up(A, 4) == 8",
        "C * C == A",
        "A / B >= 1.5",
        "A * 0.5 == B",
        "(A ^ B) % 3 == 1",
        "min(A, 8) * max(B, 2) < 9",
        "3 <= A - 2 * B",
        "A // 3 + B // 2 == C",
    };
    fputs(PICK(usual), out);
}

static void write_number(FILE *out, int depth)
{
    static const char *const leaves[] = {"A", "B", "C", "D", "A", "B", "C", "D",  "n",   "half", "twice", "rest",
                                         "0", "1", "2", "3", "4", "7", "8", "64", "0.5", "2.0",  "-1"};
    static const char *const operators[] = {"+", "-", "*", "*", "//", "%", "%", "/", "**", "&", "|", "^", "<<", ">>"};
    static const char *const functions[] = {"min", "max", "min", "max", "ceil_div", "round_up"};
    static const char *const single[] = {"abs",  "ceil", "floor", "round", "int",
                                         "sqrt", "log2", "float", "-",     "not "};
    switch (depth <= 0 ? 0 : pick(8)) {
    case 0:
    case 1:
        fputs(PICK(leaves), out);
        return;
    case 2: {
        const char *function = PICK(functions);
        fprintf(out, "%s(", function);
        write_number(out, depth - 1);
        fputs(", ", out);
        write_number(out, depth - 1);
        if (function[0] == 'm' && pick(2))
            fputs(", C, A", out);
        break;
    }
    case 3:
        fprintf(out, "(%s(", PICK(single));
        write_number(out, depth - 1);
        fputc(')', out);
        break;
    case 4:
        fputc('(', out);
        write_number(out, depth - 1);
        fputs(" if ", out);
        write_truth(out, depth - 1);
        fputs(" else ", out);
        write_number(out, depth - 1);
        break;
    case 5:
        fputc('(', out);
        write_number(out, depth - 1);
        fputs(pick(2) ? " and " : " or ", out);
        write_number(out, depth - 1);
        break;
    default:
        fputc('(', out);
        write_number(out, depth - 1);
        fprintf(out, " %s ", PICK(operators));
        write_number(out, depth - 1);
        break;
    }
    fputc(')', out);
}

static void write_truth(FILE *out, int depth)
{
    static const char *const comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
    static const char *const strings[] = {
        "S == \"x\"", "S != \"xy\"", "S in [\"x\", \"z\"]", "\"x\" in S",      "S in \"xyz\"",  "S < \"y\"",
        "S == A",     "S",           "S not in (\"y\",)",   "S == \"x\" or A", "A in [S, 1, 2]"};
    static const char *const lists[] = {"[1, 2, 4]",
                                        "range(0, 9, 2)",
                                        "range(8, 0, -3)",
                                        "[B, C, 3]",
                                        "pow2(1, 8)",
                                        "range(B, 6)",
                                        "[i * 2 for i in range(4)]",
                                        "[1] + [D, 8]",
                                        "([1, 2] if B > 1 else [4])",
                                        "[i for i in range(9) if i % (C + 5) == B]"};
    switch (depth <= 0 ? pick(3) : pick(10)) {
    case 0:
        fputs(PICK(strings), out);
        return;
    case 1:
        write_number(out, depth);
        fprintf(out, " %s %s", pick(3) ? "in" : "not in", PICK(lists));
        return;
    case 2:
        write_number(out, 0);
        fprintf(out, " %s ", PICK(comparisons));
        write_number(out, 0);
        return;
    case 3:
        fputs("not (", out);
        write_truth(out, depth - 1);
        break;
    case 4:
    case 5:
        fputc('(', out);
        write_truth(out, depth - 1);
        fputs(pick(2) ? " and " : " or ", out);
        write_truth(out, depth - 1);
        if (pick(3) == 0) {
            fputs(pick(2) ? " and " : " or ", out);
            write_truth(out, depth - 1);
        }
        break;
    case 6:
        fputc('(', out);
        write_number(out, depth - 1);
        fprintf(out, " %s ", PICK(comparisons));
        write_number(out, depth - 1);
        fprintf(out, " %s ", PICK(comparisons));
        write_number(out, depth - 1);
        break;
    default:
        fputc('(', out);
        write_number(out, depth - 1);
        fprintf(out, " %s ", PICK(comparisons));
        write_number(out, depth - 1);
        break;
    }
    fputc(')', out);
}

/* A constraint that reads no name is refused, so that one asks for a size as well. */
static void write_varying(FILE *out, int depth)
{
    char *text = NULL;
    size_t length;
    FILE *inner = open_memstream(&text, &length);
    assert_non_null(inner);
    write_truth(inner, depth);
    assert_int_equal(fclose(inner), 0);
    bool varies = strpbrk(text, "ABCDS") || strstr(text, "twice") || strstr(text, "rest") || strstr(text, "half") ||
                  strstr(text, "device");
    fprintf(out, varies ? "%s" : "n > 0 and %s", text);
    free(text);
}

/* `set` takes one value, `param` a list. */
static void write_declarations(FILE *out, const char *space)
{
    static const char *const values[] = {"[1, 2, 4]", "[0, 1, 2]",   "range(1, 7)",   "[-2, 3, 5, 8]", "[8, 4, 2, 1]",
                                         "[2]",       "[0.5, 1, 3]", "[true, false]", "pow2(1, 16)",   "[1, 1.5]"};
    static const char *const many[] = {"range(1, 25)",
                                       "range(20, -3, -1)",
                                       "[2 * i for i in range(18)]",
                                       "[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 24, 32]",
                                       "[i / 4 for i in range(17)]",
                                       "[3, 9, 1, 17, 5, 0, 8, 4, 16, 2, 12, 6, 24, 7, 10, 13]"};
    static const char *const strings[] = {"[\"x\", \"y\"]", "[\"xy\", \"\", \"z\"]", "[\"x\", 1]"};
    static const char *const singles[] = {"3", "0", "2.5", "8"};
    fprintf(out, "space %s of t\n", space);
    char wide = pick(3) == 0 ? (char)('A' + pick(3)) : 0;
    for (const char *name = "ABCD"; *name; name++) {
        if (*name == wide)
            fprintf(out, "param %c = %s\n", *name, PICK(many));
        else if (pick(12) == 0)
            fprintf(out, "set %c = %s\n", *name, PICK(singles));
        else
            fprintf(out, "param %c = %s\n", *name, PICK(values));
    }
    fprintf(out, "param S = %s\n", PICK(strings));
    fputs("let twice = (A if B else C) * 2\nlet rest = ", out);
    fputs(pick(2) ? "A % B\n" : "twice // 3\n", out);
}

static char *random_space(const char *name)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    write_declarations(out, name);
    unsigned constraints = pick(5);
    for (unsigned i = 0; i < constraints; i++) {
        fputs("where ", out);
        if (pick(3) == 0)
            write_usual(out);
        else
            write_varying(out, (int)pick(4));
        fputc('\n', out);
    }
    assert_int_equal(fclose(out), 0);
    return text;
}

/* What brute force finds. */
struct truth {
    size_t valid, removed[8];
    bool undecided;
};

struct brute {
    struct fixture *fixture;
    struct value slots[64];
};

enum { VALID, INVALID, UNDECIDED };

static int judge(struct brute *brute, size_t *removed)
{
    const struct space *space = brute->fixture->space;
    int verdict = VALID;
    for (size_t i = 0; i < space->constraint_count; i++) {
        bool truth;
        if (!expr_truth(space->constraints[i].condition, brute->slots, &truth, NULL)) {
            verdict = UNDECIDED;
        } else if (!truth) {
            removed[i]++;
            return INVALID;
        }
    }
    return verdict;
}

/* The parameters' values of one point of the product, by counting in a mixed radix. */
static void set_point(struct brute *brute, const struct parameter_values *parameters, size_t count, size_t number)
{
    for (size_t i = 0; i < count; i++) {
        brute->slots[parameters[i].declaration->slot] = parameters[i].values[number % parameters[i].count];
        number /= parameters[i].count;
    }
    slots_set_lets(brute->fixture->template, brute->fixture->space, brute->slots);
}

static size_t position_of(const struct search_space *space, size_t dimension, struct value value)
{
    size_t position = 0;
    while (!value_equal(search_space_value(space, dimension, position), value))
        position++;
    return position;
}

/* Every point of the product: found or not, under which number, and back. */
static void check_points(struct brute *brute, const struct parameter_values *parameters, size_t count, size_t product)
{
    const struct problem *problem = brute->fixture->problem;
    const struct search_space *space = problem_search_space(problem);
    size_t valid = problem_configuration_count(problem), removed[8];
    bool *seen = calloc(valid + 1, sizeof *seen);
    assert_int_equal(search_space_dimensions(space), count);
    for (size_t number = 0; number < product; number++) {
        uint16_t point[PARAMETERS], back[PARAMETERS];
        size_t index = 0;
        set_point(brute, parameters, count, number);
        for (size_t i = 0; i < count; i++)
            point[i] = (uint16_t)position_of(space, i, brute->slots[parameters[i].declaration->slot]);
        bool found = search_space_find(space, point, &index);
        assert_int_equal(found, judge(brute, removed) == VALID);
        if (!found)
            continue;
        assert_true(index < valid && !seen[index]);
        seen[index] = true;
        search_space_point(space, index, back);
        assert_memory_equal(point, back, count * sizeof *point);
        char *text = problem_configuration_text(problem, index);
        size_t again = valid;
        assert_true(problem_configuration_find(problem, text, &again));
        assert_int_equal(again, index);
        free(text);
    }
    free(seen);
}

/* Lines and neighbours of some points, valid or not, position by position. */
static void check_lines(const struct search_space *space)
{
    size_t indices[32], dimensions = search_space_dimensions(space);
    uint16_t point[PARAMETERS];
    for (int trial = 0; trial < 10; trial++) {
        for (size_t d = 0; d < dimensions; d++)
            point[d] = (uint16_t)pick((unsigned)search_space_positions(space, d));
        for (size_t d = 0; d < dimensions; d++) {
            uint16_t own = point[d];
            search_space_line(space, point, d, indices);
            assert_int_equal(point[d], own);
            for (size_t position = 0; position < search_space_positions(space, d); position++) {
                size_t index;
                point[d] = (uint16_t)position;
                bool found = search_space_find(space, point, &index);
                assert_true(indices[position] == (found ? index : SEARCH_SPACE_NONE));
            }
            point[d] = own;
        }
    }
}

static void check_space(struct fixture *fixture, bool created, struct truth *seen)
{
    struct brute brute = {.fixture = fixture};
    struct parameter_values parameters[PARAMETERS];
    struct problem *free_problem;
    struct space *free_space;
    char *text, *end;
    /* The same space without its constraints has the parameters and their values, whatever becomes of it. */
    text = strdup(fixture->space->text);
    end = strstr(text, "let twice");
    *end = '\0';
    assert_success(space_parse("free.space", text, strlen(text), fixture->template, &free_space, &fixture->error),
                   &fixture->error);
    assert_success(
        problem_create(fixture->template, free_space, &fixture->device, NULL, 0, &free_problem, &fixture->error),
        &fixture->error);
    size_t count = problem_parameter_count(free_problem), product = (size_t)problem_cartesian_count(free_problem);
    assert_int_equal(problem_configuration_count(free_problem), product);
    assert_true(scope_count(fixture->space->scope) <= 64);
    assert_true(problem_slots(free_problem, 0, false, brute.slots, NULL));
    for (size_t i = 0; i < count; i++)
        problem_parameter(free_problem, i, &parameters[i]);
    for (size_t number = 0; number < product; number++) {
        set_point(&brute, parameters, count, number);
        int verdict = judge(&brute, seen->removed);
        seen->valid += verdict == VALID;
        seen->undecided = seen->undecided || verdict == UNDECIDED;
    }
    assert_int_equal(created, !seen->undecided);
    if (created) {
        assert_int_equal(problem_configuration_count(fixture->problem), seen->valid);
        check_points(&brute, parameters, count, product);
        check_lines(problem_search_space(fixture->problem));
    }
    problem_free(free_problem);
    space_free(free_space);
    free(text);
}

static void check_census(const struct fixture *fixture, const struct truth *truth)
{
    for (size_t i = 0; i < fixture->space->constraint_count; i++) {
        struct constraint_report report;
        problem_constraint_report(fixture->problem, i, &report);
        assert_true(report.removed == (double)truth->removed[i]);
    }
}

static void test_random_spaces(void **state)
{
    (void)state;
    size_t created_count = 0, refused = 0, constrained = 0;
    for (uint64_t seed = 1; seed <= SPACES; seed++) {
        struct fixture fixture;
        struct truth truth = {0};
        random_state = seed * 0x9e3779b97f4a7c15u;
        char *text = random_space("s");
        fixture_parse(&fixture, TEMPLATE, text);
        bool created = fixture_try(&fixture);
        if (getenv("TUNE_SHOW_SPACES"))
            print_message("# %u\n%s", (unsigned)seed, text);
        check_space(&fixture, created, &truth);
        if (created)
            check_census(&fixture, &truth);
        created_count += created;
        refused += !created;
        constrained += created && truth.valid > 0 && fixture.space->constraint_count > 0;
        fixture_free(&fixture);
        free(text);
    }
    /* The test is worth something only while it sees all sorts. */
    assert_true(created_count > SPACES / 3 && refused > SPACES / 20 && constrained > SPACES / 5);
}

/* One member of a union by itself. */
struct member {
    char path[64];
    struct space *space;
    struct problem *problem;
};

/* False if the member cannot be decided. */
static bool make_member(struct fixture *fixture, struct member *member, const char *folder, char name)
{
    char space_name[] = {name, '\0'};
    char *text = random_space(space_name);
    snprintf(member->path, sizeof member->path, "%s/%c.space", folder, name);
    FILE *file = fopen(member->path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    free(text);
    assert_success(space_read(member->path, fixture->template, &member->space, &fixture->error), &fixture->error);
    return problem_create(fixture->template, member->space, &fixture->device, NULL, 0, &member->problem,
                          &fixture->error);
}

/* Every configuration of each member is in the union, once, and belongs to the first member that has it. */
static void check_union(const struct fixture *fixture, const struct member *members)
{
    size_t total = problem_configuration_count(fixture->problem), distinct = 0, first = 0;
    for (size_t m = 0; m < MEMBERS; m++) {
        size_t own = 0;
        for (size_t i = 0; i < problem_configuration_count(members[m].problem); i++) {
            char *text = problem_configuration_text(members[m].problem, i);
            size_t index = total, former = 0, ignored;
            assert_true(problem_configuration_find(fixture->problem, text, &index));
            assert_true(index < total);
            while (!problem_configuration_find(members[former].problem, text, &ignored))
                former++;
            if (former == m) {
                char *back = problem_configuration_text(fixture->problem, index);
                assert_string_equal(back, text);
                assert_string_equal(problem_configuration_space(fixture->problem, index)->name,
                                    members[m].space->name);
                assert_true(index >= first);
                free(back);
                own++;
            }
            free(text);
        }
        distinct += own;
        first += own;
    }
    assert_int_equal(total, distinct);
}

/* Every point of the product of all dimensions of a search space of several members. */
static void check_search_space(const struct search_space *space)
{
    size_t dimensions = search_space_dimensions(space), count = search_space_count(space), found = 0;
    uint16_t point[PARAMETERS] = {0}, back[PARAMETERS];
    bool more = true;
    while (more) {
        size_t index = count;
        if (search_space_find(space, point, &index)) {
            search_space_point(space, index, back);
            assert_memory_equal(point, back, dimensions * sizeof *point);
            found++;
        }
        more = false;
        for (size_t d = 0; d < dimensions && !more; d++) {
            point[d] = (uint16_t)((point[d] + 1) % search_space_positions(space, d));
            more = point[d] != 0;
        }
    }
    assert_int_equal(found, count);
    check_lines(space);
}

static void test_random_unions(void **state)
{
    (void)state;
    size_t decided = 0, overlapping = 0;
    char folder[] = "/tmp/tune-unions-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/all.space", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("space all of t\nunion a, b, c\n", file);
    assert_int_equal(fclose(file), 0);
    struct member members[MEMBERS];
    for (uint64_t seed = 1; seed <= UNIONS; seed++) {
        struct fixture fixture;
        bool made = true;
        size_t sum = 0;
        random_state = seed * 0xd1342543de82ef95u;
        fixture_parse(&fixture, TEMPLATE, NULL);
        for (int m = 0; m < MEMBERS; m++) {
            made = make_member(&fixture, &members[m], folder, (char)('a' + m)) && made;
            sum += members[m].problem ? problem_configuration_count(members[m].problem) : 0;
        }
        assert_success(space_read(path, fixture.template, &fixture.space, &fixture.error), &fixture.error);
        if (made) {
            assert_success(fixture_try(&fixture), &fixture.error);
            check_union(&fixture, members);
            check_search_space(problem_search_space(fixture.problem));
            overlapping += problem_configuration_count(fixture.problem) < sum;
            decided++;
        }
        for (int m = 0; m < MEMBERS; m++) {
            problem_free(members[m].problem);
            space_free(members[m].space);
        }
        fixture_free(&fixture);
    }
    for (int m = 0; m < MEMBERS; m++)
        unlink(members[m].path);
    unlink(path);
    rmdir(folder);
    assert_true(decided > UNIONS / 8 && overlapping > UNIONS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_spaces),
        cmocka_unit_test(test_random_unions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

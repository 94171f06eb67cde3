/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/complete.h"

#include "tuner/error/visible.h"

#include <ctype.h>
#include <string.h>

enum { FIRST_BEYOND_ASCII = 0x80 };

/* Does it mean the same to every shell? Names of files and of a template's objectives may hold anything, and bash
 * puts what it is offered into the line as it is. (Spaces are escaped there.) */
static bool is_plain(const char *name)
{
    static const char others[] = "_-.:=+%@/ ";
    while (*name &&
           (isalnum((unsigned char)*name) || strchr(others, *name) || (unsigned char)*name >= FIRST_BEYOND_ASCII))
        name++;
    return !*name;
}

void completion_offer(const struct completion *completion, const char *name, const char *ending, const char *meaning)
{
    const char *begun = completion->word + completion->kept;
    size_t length = strlen(begun), named = strlen(name);
    bool fits = length <= named ? strncmp(name, begun, length) == 0
                                : strncmp(begun, name, named) == 0 && strcmp(begun + named, ending) == 0;
    if (!fits || !is_plain(name))
        return;
    visible_printf(completion->out, "%.*s%s%s", (int)completion->kept, completion->word, name, ending);
    if (meaning && *meaning) {
        fputc('\t', completion->out);
        visible_write(completion->out, meaning, strlen(meaning), VISIBLE_ONE_LINE);
    }
    fputc('\n', completion->out);
}

void completion_files(const struct completion *completion)
{
    fputs(":files\t", completion->out);
    visible_printf(completion->out, "%.*s\n", (int)completion->kept, completion->word);
}

void completion_paths(const struct completion *completion)
{
    const char *begun = completion->word + completion->kept;
    if (*begun == '.' || *begun == '~' || strchr(begun, '/'))
        completion_files(completion);
}

/* ---- options ---- */

/* The option that `word` names, as --NAME, --NAME=VALUE or -X. */
static bool find_option(enum command_id command, const char *word, struct option_words *option)
{
    size_t length = strcspn(word, "=");
    for (size_t i = 0; options_describe(command, i, option); i++) {
        bool is_long = strncmp(word, "--", 2) == 0 && strlen(option->name) == length - 2 &&
                       strncmp(word + 2, option->name, length - 2) == 0;
        bool is_short = option->letter && word[0] == '-' && word[1] == option->letter && !word[2];
        if (is_long || is_short)
            return true;
    }
    return false;
}

/* Is the word behind `word` the value of this option? */
static bool takes_next(const struct option_words *option, const char *word)
{
    return option->argument && !option->optional && !strchr(word, '=');
}

static void offer_options(const struct completion *completion)
{
    struct option_words option;
    char name[64];
    for (size_t i = 0; options_describe(completion->command->id, i, &option); i++) {
        snprintf(name, sizeof name, "--%s", option.name);
        completion_offer(completion, name, option.argument && !option.optional ? "=" : "", option.help);
    }
    completion_offer(completion, "--help", "", "print the options of this command");
}

/* The value in "--NAME=VALUE". */
static bool complete_attached(struct completion *completion)
{
    struct option_words option;
    if (!find_option(completion->command->id, completion->word, &option) || !option.argument)
        return true;
    completion->kept = strcspn(completion->word, "=") + 1;
    return completion_values(completion, option.name);
}

/* ---- arguments ---- */

static void offer_commands(const struct completion *completion)
{
    for (size_t i = 0; i < command_count; i++) {
        if (commands[i].name)
            completion_offer(completion, commands[i].name, "", commands[i].meaning);
    }
}

/* What is between bars in a usage of "[a|b|c]". */
static void offer_choices(const struct completion *completion)
{
    const char *choice = completion->command->usage + 1;
    while (*choice) {
        char name[32];
        int length = (int)strcspn(choice, "|]");
        snprintf(name, sizeof name, "%.*s", length, choice);
        completion_offer(completion, name, "", NULL);
        choice += length + 1;
    }
}

static bool complete_argument(const struct completion *completion, size_t place, bool first)
{
    const char *usage = completion->command->usage;
    bool of_template = strcmp(usage, "TEMPLATE") == 0 || strcmp(usage, "[TEMPLATE]") == 0;
    if (of_template && place == 0) {
        if (first)
            offer_commands(completion);
        completion_paths(completion);
        return completion_templates(completion);
    }
    if (of_template || !*usage)
        return true;
    if (strchr(usage, '|')) {
        if (place == 0)
            offer_choices(completion);
    } else if (completion->command->id != COMMAND_NEW || place == 1) {
        completion_files(completion);
    }
    return true;
}

/* Read the words before the last; the last is the value of `*option` if this returns true. */
static bool read_words(char *const *words, size_t count, struct completion *completion, size_t *places,
                       struct option_words *option)
{
    for (size_t i = 0; i + 1 < count; i++) {
        if (words[i][0] != '-' || !words[i][1]) {
            if ((*places)++ == 0)
                completion->subject = words[i];
        } else if (find_option(completion->command->id, words[i], option) && takes_next(option, words[i])) {
            if (i + 2 == count)
                return true;
            i++;
        }
    }
    return false;
}

bool complete(char *const *words, size_t count, FILE *out)
{
    const struct command *command = command_named(count > 1 ? words[0] : "");
    size_t skipped = command->name ? 1 : 0, places = 0;
    struct completion completion = {.out = out, .command = command, .word = words[count - 1]};
    struct option_words option;
    if (read_words(words + skipped, count - skipped, &completion, &places, &option))
        return completion_values(&completion, option.name);
    if (*completion.word != '-')
        return complete_argument(&completion, places, count == 1);
    if (strncmp(completion.word, "--", 2) == 0 && strchr(completion.word, '='))
        return complete_attached(&completion);
    offer_options(&completion);
    if (count == 1)
        completion_offer(&completion, "--version", "", "print the version");
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/command.h"

#include <string.h>

const struct command commands[] = {
    {"run", COMMAND_RUN, command_run, "TEMPLATE",
     "Run the best known configuration for this device and size: load, validate and time it, without a search."},
    {"best", COMMAND_BEST, command_best, "[TEMPLATE]",
     "Show what answers for the device at hand, and the best known configuration for each device and size."},
    {"report", COMMAND_REPORT, command_report, "", "Write HTML reports: an index and one page per device."},
    {"list", COMMAND_LIST, command_list, "[templates|spaces|devices|strategies|runs|database]",
     "List the templates, or what else is named."},
    {"show", COMMAND_SHOW, command_show, "TEMPLATE",
     "Show a template, or with --space a search space: its parameters, values, constraints and counts."},
    {"check", COMMAND_CHECK, command_check, "TEMPLATE",
     "Run configurations under sanitizers, which find out-of-bounds accesses, races, uninitialised reads and "
     "divergent barriers."},
    {"simulate", COMMAND_SIMULATE, command_simulate, "--recorded FILE...",
     "Replay search strategies on recorded results and score them against random search."},
    {"import", COMMAND_IMPORT, command_import, "FILE",
     "Import a T1 file or, with --run, a script for Kernel Tuner as a template and a space; or recorded results (T4, "
     "Kernel Tuner's cache) or best ones (of 'tune export --known') into the database."},
    {"new", COMMAND_NEW, command_new, "NAME KERNEL.cu",
     "Write a first template, space and reference for a kernel of your own, guessed from its source, into a folder "
     "NAME."},
    {"export", COMMAND_EXPORT, command_export, "[TEMPLATE]",
     "Export results as T4, or with --t1 a template and its space as T1, for other auto-tuners; with --known best "
     "results, for other users."},
    {"forget", COMMAND_FORGET, command_forget, "[TEMPLATE]",
     "Drop the results that meet all criteria given: a template, --device, --older-than, --failed. The best of each "
     "problem stays, and what finals compared it with."},
    {"merge", COMMAND_MERGE, command_merge, "A.db B.db... -o C.db",
     "Join databases in a new one: every run and configuration once, with its latest measurement. A.db and B.db stay "
     "as they are."},
    {"ceilings", COMMAND_CEILINGS, command_ceilings, "",
     "Show what the device can do at best: measured once by probe kernels; --fresh measures again."},
    {NULL, COMMAND_TUNE, command_tune, "TEMPLATE",
     "Sweep a search space: compile, validate and time its configurations, and store the results."},
};
const size_t command_count = sizeof commands / sizeof *commands;

const struct command *command_named(const char *name)
{
    const struct command *command = commands;
    while (command->name && strcmp(command->name, name) != 0)
        command++;
    return command;
}

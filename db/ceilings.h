/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ceilings.h - the rows of the view `ceilings` as objects, of the device with this number; SCHEMA.md describes them.
 */
#ifndef TUNE_DB_CEILINGS_H
#define TUNE_DB_CEILINGS_H

#define CEILINGS_SQL                                                                                                 \
    "SELECT figure, limit_name AS \"limit\", rate, unit, source, data_sheet_rate, probe AS configuration, origin, "  \
    "measured_at, driver, compiler FROM ceilings WHERE device_id = ?"

#endif

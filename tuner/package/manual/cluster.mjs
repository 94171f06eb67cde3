// SPDX-License-Identifier: Apache-2.0
// tune.7, sweeps by several machines: from the document that describes them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { heading, markdown, page } from "./roff.mjs";

export function clusterPage(source, version) {
  const text = readFileSync(join(source, "tuner/cluster/CLUSTER.md"), "utf8").replace(/^# .*\n/, "");
  const body = [heading(2, "Description"), ...markdown(text), heading(2, "See also"), "\\fBtune\\fP(1)"];
  return page({ name: "TUNE", section: 7, version, title: "tune \\- sweeps by several machines, with MPI and Slurm", body });
}

// SPDX-License-Identifier: Apache-2.0
// The CPU devices of nodes, and their locks.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const locks = "/tmp/tune-locks";

// A node's CPU device is named after its machine id, or what $TUNE_NODE calls it, of which this is the FNV-1a hash.
export function deviceOf(node) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(node)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return `cpu-${hash.toString(16).padStart(16, "0")}`;
}

// Hold a device's lock, as another tune would, until the test ends; returns what releases it earlier.
export async function hold(t, device) {
  if (!existsSync(locks)) {
    mkdirSync(locks);
    chmodSync(locks, 0o1777);
  }
  const holder = spawn("flock", [join(locks, `${device}.device`), "sh", "-c", "echo held; exec sleep infinity"], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  const release = () => { try { process.kill(-holder.pid, "SIGKILL"); } catch { /* it has ended */ } };
  t.after(release);
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  return release;
}

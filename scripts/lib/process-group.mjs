import { readdirSync, readFileSync } from 'node:fs';

/** As `pid (name)`, without zombies. Without /proc there is one entry for the whole group. */
export function membersOf(group) {
  const ids = processIds();
  if (!ids) return signalGroup(group, 0) ? [`group ${group}`] : [];
  return ids.flatMap((pid) => {
    const [, name, state, , pgrp] = /^\d+ (\(.*\)) (\S) (\d+) (\d+)/.exec(statOf(pid)) ?? [];
    return Number(pgrp) === group && state !== 'Z' ? [`${pid} ${name}`] : [];
  });
}

/** Returns true if there was one. */
export function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

function processIds() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
}

function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}

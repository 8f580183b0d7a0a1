import type { VersionInfo } from './versions.ts';

/** The longest time between two versions of one sitting. */
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Versions in a row that one person made by one way without a long pause. */
export interface Sitting {
  newest: VersionInfo;
  oldest: VersionInfo;
  count: number;
  /** How many versions are newer than all of it. */
  offset: number;
  /** The versions' `changed`, as stored. */
  changed: Set<string>;
  /** The versions' `via`, as stored. */
  via: Set<string | null>;
}

/** Takes the versions of an entity one by one, newest first. */
export function createSittings() {
  const sittings: Sitting[] = [];
  let taken = 0;
  return {
    sittings,
    add(version: VersionInfo): void {
      const last = sittings.at(-1);
      if (last && isNext(last.oldest, version)) {
        last.oldest = version;
        last.count += 1;
        last.changed.add(version.changed);
        last.via.add(version.via);
      } else {
        const [changed, via] = [new Set([version.changed]), new Set([version.via])];
        sittings.push({ newest: version, oldest: version, count: 1, offset: taken, changed, via });
      }
      taken += 1;
    },
  };
}

const isNext = (newer: VersionInfo, older: VersionInfo): boolean =>
  newer.source === older.source &&
  newer.created_by === older.created_by &&
  Math.abs(Date.parse(newer.created_at) - Date.parse(older.created_at)) <= LONGEST_PAUSE_MS;

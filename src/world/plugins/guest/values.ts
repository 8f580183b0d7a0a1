import { GuestRefusal } from '../../../platform/guests/host.ts';
import type { Project } from '../../records/index.ts';
import { holdsManifest } from '../plugin-rows.store.ts';
import type { PluginsDb } from '../plugin-states.store.ts';
import type { FollowDb } from './findings.store.ts';
import { findValue, keysWith, putValue, removeValue, removeValues, sizeOfValues } from './values.store.ts';

const LONGEST_KEY = 256;
const LONGEST_VALUE = 65_536;
const MOST_VALUES = 10_000;
const MOST_KEYS = 1_000;
/** Of all keys and values of a plugin in a project. */
const MOST_BYTES = 10 * 1024 * 1024;

const isKey = (key: string): boolean => {
  const bytes = Buffer.byteLength(key);
  return bytes >= 1 && bytes <= LONGEST_KEY && !key.includes('\0');
};

/** The key-value store of one plugin in one project, as its guest sees it. */
export const createGuestValues = (project: Project, pluginId: string) => ({
  get: async (key: string): Promise<string | null> =>
    isKey(key) ? project.database.read((db: PluginsDb) => findValue(db, project, pluginId, key)) : null,

  async set(key: string, value: string): Promise<void> {
    if (!isKey(key)) throw new GuestRefusal(`a key has 1 to ${LONGEST_KEY} bytes, without NUL`);
    if (Buffer.byteLength(value) > LONGEST_VALUE || value.includes('\0'))
      throw new GuestRefusal(`a value has at most ${LONGEST_VALUE} bytes, without NUL`);
    await project.database.write(async (db: FollowDb) => {
      // A call in another process may go on for a moment after the plugin was removed and purged.
      if (!(await holdsManifest(db, project, pluginId))) throw new GuestRefusal('the plugin was removed');
      const size = Buffer.byteLength(key) + Buffer.byteLength(value);
      const others = await sizeOfValues(db, project, pluginId, key);
      if (others.values >= MOST_VALUES || others.bytes + size > MOST_BYTES)
        throw new GuestRefusal(
          `a plugin may keep ${MOST_VALUES} values with ${MOST_BYTES} bytes in all: delete some first`,
        );
      await putValue(db, project, pluginId, { key, value, size });
    });
  },

  async delete(key: string): Promise<void> {
    if (isKey(key)) await project.database.write((db: PluginsDb) => removeValue(db, project, pluginId, key));
  },

  list: (prefix: string): Promise<string[]> =>
    project.database.read((db: PluginsDb) => keysWith(db, project, pluginId, { prefix, most: MOST_KEYS })),
});

export const purgeValues = (project: Project, pluginId: string): Promise<void> =>
  project.database.write((db: PluginsDb) => removeValues(db, project, pluginId));

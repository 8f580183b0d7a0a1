import { readFile, stat } from 'node:fs/promises';
import { sha256Hex } from '../../../kit/crypto.ts';
import { invalid, unavailable } from '../../../kit/errors.ts';
import { GuestError, type Guests } from '../../../platform/guests/guests.ts';

/** Bytes of a component. */
export const LARGEST_COMPONENT = 16 * 1024 * 1024;

/** Translates a component as a first call would, so that none waits for it later. 422 for one that is no guest. */
export const createGuestCheck =
  (guests: Guests) =>
  async (path: string): Promise<void> => {
    const { size } = await stat(path);
    if (size > LARGEST_COMPONENT)
      throw invalid(`The guest has ${size} bytes; ${LARGEST_COMPONENT} are allowed`, {
        code: 'invalid_guest',
      });
    const bytes = await readFile(path);
    const hash = sha256Hex(bytes);
    const key = `check ${hash}`;
    try {
      await guests.open(key, { hash, read: async () => bytes }).shape();
    } catch (error) {
      if (!(error instanceof GuestError)) throw error;
      if (error.code !== 'refused') throw unavailable('The guest could not be checked now: try again');
      throw invalid(`The guest cannot be used: ${error.message}`, { code: 'invalid_guest' });
    } finally {
      await guests.end(key);
    }
  };

import { type Clock, systemClock } from '../../../kit/clock.ts';
import { type Log, silentLog } from '../../../kit/log.ts';
import { createOutgoing } from '../../outgoing/outgoing.ts';
import type { Drive, OpenDrive } from '../drive.ts';
import { createFolders } from './create-folders.ts';
import type { ClientSettings } from './drive-call.ts';
import { createDriveClient, type DriveClient } from './drive-client.ts';
import { contentsOf } from './drive-contents.ts';
import { listsOf } from './drive-lists.ts';
import { sharingOf } from './drive-sharing.ts';
import { writesOf } from './drive-writes.ts';

export interface GoogleDriveOptions {
  apiBase?: string;
  /** For dates in answers. */
  clock?: Clock;
  /** For the spread of repeated requests; from 0 up to 1. */
  random?: () => number;
  log?: Log;
  /** Milliseconds until the head of an answer, and of silence in it; 30 000 by default. */
  answerMs?: number;
  /** Milliseconds after the first failed try, which double with each further one; 500 by default. */
  pauseMs?: number;
}

export function createGoogleDrive(options: GoogleDriveOptions = {}): OpenDrive & { close(): void } {
  // The address comes from the service's own configuration.
  const outgoing = createOutgoing({ privateEndpoints: 'admitted' });
  const settings: ClientSettings = {
    apiBase: 'https://www.googleapis.com',
    clock: systemClock,
    random: Math.random,
    log: silentLog,
    answerMs: 30_000,
    pauseMs: 500,
    ...options,
    outgoing,
  };
  const open: OpenDrive = (tokens) => driveOf(createDriveClient(settings, tokens), settings);
  return Object.assign(open, { close: outgoing.close });
}

function driveOf(client: DriveClient, settings: ClientSettings): Drive {
  const lists = listsOf(client);
  return {
    get requests() {
      return client.requests;
    },
    ...lists,
    createFolders: (folders) => createFolders(client, folders, lists.file),
    ...writesOf(client),
    ...contentsOf(client, settings),
    ...sharingOf(client),
  };
}

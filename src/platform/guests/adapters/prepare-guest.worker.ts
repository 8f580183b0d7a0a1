import { constants, setPriority } from 'node:os';
import { serveProcess } from '../../../kit/run-in-process.ts';
import { RefusedComponent } from './component/bytes.ts';
import type { PreparedGuest } from './prepared.ts';
import { translate } from './translate.ts';

export interface PrepareOrder {
  component: Uint8Array;
}

export type Preparation = { prepared: PreparedGuest } | { refused: string };

// Requests come first.
setPriority(constants.priority.PRIORITY_LOW);

serveProcess(async ({ component }: PrepareOrder): Promise<Preparation> => {
  try {
    return { prepared: await translate(component) };
  } catch (error) {
    if (error instanceof RefusedComponent) return { refused: error.message };
    throw error;
  }
});

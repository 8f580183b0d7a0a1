import type { TemplateDefinition } from '../../content/template/index.ts';
import type { FileStat } from '../../platform/files/files.ts';
import type { EntityRow, RecordsDb } from '../records/index.ts';
import type { ChangeSource, EntityState } from '../texts/index.ts';

export interface TextWrite {
  template: TemplateDefinition;
  entityId: string;
  text: string;
  path?: string | undefined;
  base: { version: number; fileChecksum?: string | undefined } | null;
}

/** Writes beside the texts share their transaction, also if the texts are already stored. */
export interface BatchOrigin {
  source: ChangeSource;
  /** False if a later commit of the same writer waits for the disk and nothing is acknowledged before it. */
  durable?: boolean;
  also?(db: RecordsDb, stored: readonly TextWrite[]): Promise<unknown>;
}

export interface ReadyWrite {
  write: TextWrite;
  state: EntityState;
  previous: EntityRow | null;
  old: Uint8Array | null;
  changed: string[];
}

export interface WrittenFile extends ReadyWrite {
  stat: FileStat;
}

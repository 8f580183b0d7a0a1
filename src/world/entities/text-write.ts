import type { TemplateDefinition } from '../../content/template/index.ts';
import type { FileStat } from '../../platform/files/files.ts';
import type { EntityRow, RecordsDb } from '../records/index.ts';
import type { ChangeSource, EntityState } from '../texts/index.ts';

/** A whole text that is to be an entity's file. */
export interface TextWrite {
  template: TemplateDefinition;
  entityId: string;
  text: string;
  /** Where a new entity is to lie; its specified place unless said. */
  path?: string | undefined;
  /** The state that it follows on; null for a new entity. */
  base: { version: number; fileChecksum?: string | undefined } | null;
}

/** How the texts of a batch came about, and what is stored in the transaction that stores them, or finds them stored. */
export interface BatchOrigin {
  source: ChangeSource;
  /** False where a later commit of the same writer waits for the disk, and nothing is acknowledged before. */
  durable?: boolean;
  also?(db: RecordsDb, stored: readonly TextWrite[]): Promise<unknown>;
}

/** A text that may be written, and what it replaces. */
export interface ReadyWrite {
  write: TextWrite;
  state: EntityState;
  previous: EntityRow | null;
  /** The bytes on disk; null where there are none. */
  old: Uint8Array | null;
  changed: string[];
}

export interface WrittenFile extends ReadyWrite {
  stat: FileStat;
}

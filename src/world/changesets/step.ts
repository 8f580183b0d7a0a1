import { checksumOf } from '../../kit/crypto.ts';
import type { OperationStepsTable, StepKind } from './changesets.tables.ts';

export type Step = Change & {
  /** The source, for people: `People/Mira Vale.md`, `people.csv:12`. */
  origin?: string;
};

/** `base` is the whole text that was read, `text` its replacement. */
type Change =
  /** A new entity's file, at its default path. */
  | { kind: 'create'; entity_type: string; entity_id: string; text: string }
  | { kind: 'write'; entity_type: string; entity_id: string; base: string; text: string }
  /** A new id: folder, file and text follow, and the entity keeps its history. */
  | { kind: 'move'; entity_type: string; entity_id: string; to_id: string; base: string; text: string }
  /** Written only if its path is free. */
  | { kind: 'asset'; path: string; bytes: Uint8Array }
  | { kind: 'template'; entity_type: string; base: string; text: string };

export const isBeside = (kind: StepKind): boolean => kind === 'asset' || kind === 'drop' || kind === 'return';

export type PlannedStep = Omit<OperationStepsTable, 'operation_id' | 'position' | 'tenant_id'>;

export const emptyStep: Omit<PlannedStep, 'kind'> = {
  entity_type: null,
  entity_id: null,
  to_id: null,
  path: null,
  origin: null,
  state: 'planned',
  reason: null,
  base: null,
  text: null,
  base_checksum: null,
  checksum: null,
  row_id: null,
  version_before: null,
  version_after: null,
};

export function plannedStep(step: Step): PlannedStep {
  if (step.kind === 'asset') {
    const { kind, path, bytes, origin = null } = step;
    const text = Buffer.from(bytes).toString('base64');
    return { ...emptyStep, kind, path, origin, text, checksum: checksumOf(bytes) };
  }
  const planned = { ...emptyStep, ...step, checksum: checksumOf(step.text) };
  return step.kind === 'create' ? planned : { ...planned, base_checksum: checksumOf(step.base) };
}

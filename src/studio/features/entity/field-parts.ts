import type { SaveState } from '../../domain/drafts/save-state.ts';
import { formPath } from '../../domain/field-path.ts';

/** The messages of the service about refused values, by the part of the draft. */
export const faultsIn = (state: SaveState): Readonly<Record<string, string>> =>
  state.kind === 'refused' ? state.parts : NONE;

const NONE = {};

/** The same by the field of the form. */
export function faultsByField(parts: Readonly<Record<string, string>>): Record<string, { message: string }> {
  const faults = Object.entries(parts).flatMap(([path, message]) => {
    const field = formPath(path);
    return field === null ? [] : [[field, { message }] as const];
  });
  return Object.fromEntries(faults);
}

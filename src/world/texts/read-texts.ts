import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { createPauses } from '../../kit/pauses.ts';
import { type EntityState, readEntityFile } from './render.ts';

export interface TextToRead {
  template: TemplateDefinition;
  path: string;
  text: string;
}

/** Returns the state that the database would store for each text, in order; undefined for an unreadable one. */
export type ReadTexts = (texts: readonly TextToRead[]) => Promise<(EntityState | undefined)[]>;

export function readText({ template, path, text }: TextToRead): EntityState | undefined {
  const read = readEntityFile(template, { path, text, checksum: checksumOf(text) });
  return read.ok ? read.state : undefined;
}

export const readTextsHere: ReadTexts = async (texts) => {
  const states: (EntityState | undefined)[] = [];
  const pause = createPauses();
  for (const text of texts) {
    states.push(readText(text));
    await pause();
  }
  return states;
};

import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { createPauses } from '../../kit/pauses.ts';
import { type EntityState, readEntityFile } from './render.ts';

/** A whole text that is to be the file of an entity. */
export interface TextToRead {
  template: TemplateDefinition;
  path: string;
  text: string;
}

/** What the database would keep of each text, in their order; undefined for one that cannot be read. */
export type ReadTexts = (texts: readonly TextToRead[]) => Promise<(EntityState | undefined)[]>;

export function readText({ template, path, text }: TextToRead): EntityState | undefined {
  const read = readEntityFile(template, { path, text, checksum: checksumOf(text) });
  return read.ok ? read.state : undefined;
}

/** Reads them in the thread that asks. */
export const readTextsHere: ReadTexts = async (texts) => {
  const states: (EntityState | undefined)[] = [];
  const pause = createPauses();
  for (const text of texts) {
    states.push(readText(text));
    await pause();
  }
  return states;
};

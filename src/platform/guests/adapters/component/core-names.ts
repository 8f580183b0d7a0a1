import { RefusedComponent } from './bytes.ts';

/**
 * Names inside core modules may be any text, and the translation puts them between quotes into JavaScript without escaping
 * them: a quote would end the text, and what follows would run. No compiler makes such names.
 */
const HARMLESS = /^[\w$.:;,@#/|[\]()<>=+!?&%^~ -]*$/;

export function checkCoreName(name: string): void {
  if (HARMLESS.test(name) && name !== '__proto__') return;
  throw new RefusedComponent(
    `The component has a core module with a forbidden name: ${JSON.stringify(name)}`,
  );
}

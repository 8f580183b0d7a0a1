import type { GuestShape } from '../guests.ts';

/** A component as a program: plain data, made once and kept on disk. */
export interface PreparedGuest extends GuestShape {
  /** A script; its value instantiates the modules. */
  glue: string;
  /** Core modules by the names that the script asks for. */
  modules: readonly (readonly [name: string, bytes: Uint8Array])[];
}

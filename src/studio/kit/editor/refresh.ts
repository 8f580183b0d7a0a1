import { StateEffect } from '@codemirror/state';

/** Names or pictures have changed outside of the text. */
export const refresh = StateEffect.define<null>();

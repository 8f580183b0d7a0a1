import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { Tree } from '@lezer/common';

const PARSE_MS = 200;

/** The parser works in idle moments: on a busy machine, even a short text may be known only in part. */
export const parsedTo = (state: EditorState, position: number): Tree =>
  ensureSyntaxTree(state, position, PARSE_MS) ?? syntaxTree(state);

import type { EditorMessages } from './messages.ts';

/** An entity as a text names it: without a type, the one entity of that id over all types. */
export interface EntityRef {
  type: string | undefined;
  id: string;
}

export interface EntityName {
  type: string;
  /** The type as people read it. */
  typeLabel: string;
  id: string;
  name: string;
  /** A CSS colour. */
  color: string;
}

/** A name that stands in a text, from `from` up to `to`. */
export interface NameInText {
  from: number;
  to: number;
  entity: EntityName;
}

/** The names index of the world. All of it answers at once. */
export interface EntityNames {
  /** The best match first. */
  search(text: string): readonly EntityName[];
  find(ref: EntityRef): EntityName | undefined;
  /** In order, without overlaps. */
  findIn(text: string): readonly NameInText[];
}

export interface PictureSource {
  /** On the service's own address, since others are not loaded. */
  src: string;
  width: number;
  height: number;
  alt: string;
}

export interface Pictures {
  /** Null: there is no such picture, or it is not known yet (see `refresh`). */
  resolve(path: string): PictureSource | null;
}

export interface Place {
  /** The heading that the cursor is below, in the form that addresses use. */
  heading: string | null;
  /** From 1. */
  line: number;
  /** Offsets in the text; both are those of the cursor where nothing is selected. */
  selection: { start: number; end: number };
}

/** A finding about a line of the text. */
export interface Mark {
  /** From 1. */
  line: number;
  /** Columns from 0; without them the whole line is marked. */
  columns?: { from: number; to: number };
  severity: 'error' | 'warning' | 'info';
  message: string;
}

export type EditorMode = 'preview' | 'source';

export interface EditorCallbacks {
  /** After each change by the user. */
  onChange(text: string): void;
  /** Once the cursor rests somewhere else. */
  onCursor(place: Place): void;
  onMode(mode: EditorMode): void;
  onOpen(ref: EntityRef, how: { beside: boolean }): void;
  /** Null: it was not made. */
  onMake(name: string): Promise<{ type: string; id: string } | null>;
  /** Uploads a pasted or dropped picture, and answers the path by which the text names it. A rejection takes its place away. */
  onUpload(file: File): Promise<string>;
  /** Fills the card of an entity under the pointer; the returned function is called when it is closed. */
  onCard(ref: EntityRef, card: HTMLElement): () => void;
}

export interface EditorOptions extends EditorCallbacks {
  parent: HTMLElement;
  text: string;
  /** The accessible name. */
  label: string;
  /** The language of the text, for spell check and hyphenation. */
  language: string;
  readOnly: boolean;
  mode: EditorMode;
  messages: EditorMessages;
  names: EntityNames;
  pictures: Pictures;
}

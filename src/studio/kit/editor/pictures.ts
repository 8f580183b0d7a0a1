import {
  type EditorState,
  type Extension,
  type Range,
  StateField,
  type Transaction,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { proseOf } from '../../../content/references/prose.ts';
import { isOutside, openAddress, openableAddress } from './addresses.ts';
import type { EditorMessages } from './messages.ts';
import type { EditorOptions, PictureSource, Pictures } from './options.ts';
import { replaceLater } from './pending.ts';
import { PictureNoteWidget, PictureWidget } from './picture-widgets.ts';
import { refresh } from './refresh.ts';

/** `![alt](path "title")`, `![alt](<path>)` and `![[path.png|alt]]`. */
const PICTURE =
  /!\[([^[\]\r\n]*)\]\((?:<([^<>\r\n]+)>|([^\s()<>]+))(?:[ \t]+"[^"\r\n]*")?\)|!\[\[([^[\]|#\r\n]+\.\w{1,5})(?:\|([^[\]\r\n]*))?\]\]/g;
/** Characters that may begin or end a picture, or code, which contains no pictures. */
const MATTERS = /!\[|`|~~~/;

interface PictureInText {
  alt: string;
  path: string;
  /** The end of its line, after which it is shown. */
  lineEnd: number;
}

type PictureOptions = Pick<EditorOptions, 'pictures' | 'messages'>;

function picturesIn({ doc }: EditorState): PictureInText[] {
  const text = doc.toString();
  if (!text.includes('![')) return [];
  return [...proseOf(text)].flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(PICTURE)].map((match) => ({
      alt: match[1] ?? match[5] ?? '',
      path: match[2] ?? match[3] ?? match[4] ?? '',
      lineEnd: doc.lineAt(start + match.index).to,
    })),
  );
}

/** Pictures below their lines. Those of other sites are not loaded. */
export function shownPictures(options: PictureOptions): Extension {
  const draw = (state: EditorState): DecorationSet =>
    Decoration.set(
      picturesIn(state).map((picture) => decorationOf(picture, options)),
      true,
    );
  return StateField.define<DecorationSet>({
    create: draw,
    update(shown, transaction) {
      const isRefreshed = transaction.effects.some((effect) => effect.is(refresh));
      if (isRefreshed || mayChangePictures(transaction)) return draw(transaction.state);
      return transaction.docChanged ? shown.map(transaction.changes) : shown;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** A whole scan at each key would cost several milliseconds in a long text. */
function mayChangePictures({ docChanged, changes, startState, state }: Transaction): boolean {
  if (!docChanged) return false;
  let matters = false;
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    matters ||=
      MATTERS.test(linesAround(startState, fromA, toA)) || MATTERS.test(linesAround(state, fromB, toB));
  });
  return matters;
}

const linesAround = ({ doc }: EditorState, from: number, to: number): string =>
  doc.sliceString(doc.lineAt(from).from, doc.lineAt(to).to);

function decorationOf({ alt, path, lineEnd }: PictureInText, options: PictureOptions): Range<Decoration> {
  const widget = widgetOf(path, alt, options);
  return Decoration.widget({ widget, block: true, side: 1 }).range(lineEnd);
}

function widgetOf(path: string, alt: string, { pictures, messages }: PictureOptions) {
  if (isOutside(path)) return outsidePicture(path, messages);
  const source = sourceOf(path, pictures);
  if (source === null) return new PictureNoteWidget(messages.missingPicture(path));
  return new PictureWidget(alt === '' ? source : { ...source, alt });
}

function sourceOf(path: string, pictures: Pictures): PictureSource | null {
  return pictures.resolve(path) ?? pictures.resolve(decoded(path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function outsidePicture(path: string, { openPicture }: EditorMessages) {
  const address = openableAddress(path);
  if (address === undefined) return new PictureNoteWidget(path);
  return new PictureNoteWidget(path, { label: openPicture, run: () => openAddress(address) });
}

/** Pasted and dropped pictures are uploaded, and linked where they were put. */
export const takePictures = (options: Pick<EditorOptions, 'onUpload' | 'messages'>): Extension =>
  EditorView.domEventHandlers({
    paste(event, view) {
      // Word processors put a picture of copied text beside the text.
      if (event.clipboardData?.getData('text/plain')) return false;
      return take(view, event.clipboardData, view.state.selection.main, options);
    },
    drop(event, view) {
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY }, false);
      return take(view, event.dataTransfer, { from: position, to: position }, options);
    },
  });

function take(
  view: EditorView,
  data: DataTransfer | null,
  range: { from: number; to: number },
  { onUpload, messages }: Pick<EditorOptions, 'onUpload' | 'messages'>,
): boolean {
  const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
  if (files.length === 0 || view.state.readOnly) return false;
  for (const [index, file] of files.entries()) {
    const { from, to } = index === 0 ? range : { from: range.to, to: range.to };
    const text = onUpload(file).then((path) => `![](${linkable(path)})`);
    void replaceLater(view, { from, to, placeholder: messages.uploading(file.name) }, text);
  }
  return true;
}

const linkable = (path: string): string => (/[\s()]/.test(path) ? `<${path}>` : path);

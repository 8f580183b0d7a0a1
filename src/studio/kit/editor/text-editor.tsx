import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { createEditor, type Editor } from './editor.ts';
import type { EditorOptions, EntityRef, Mark } from './options.ts';

export interface TextEditorProps extends Omit<EditorOptions, 'parent' | 'onCard'> {
  /** Draws the content of a link's card. */
  renderCard(ref: EntityRef): ReactNode;
  marks: readonly Mark[];
  className?: string;
  ref?: Ref<Editor>;
}

interface OpenCard {
  entity: EntityRef;
  element: HTMLElement;
}

type Callers = Omit<TextEditorProps, 'renderCard' | 'marks' | 'className' | 'ref'>;
type Sources = Pick<EditorOptions, 'names' | 'pictures'>;

/** Always those of the last render. */
const following = (latest: RefObject<Callers>, sources: RefObject<Sources>) =>
  ({
    names: {
      search: (text) => sources.current.names.search(text),
      find: (entity) => sources.current.names.find(entity),
      findIn: (text) => sources.current.names.findIn(text),
    },
    pictures: { resolve: (path) => sources.current.pictures.resolve(path) },
    onChange: (text) => latest.current.onChange(text),
    onCursor: (place) => latest.current.onCursor(place),
    onMode: (mode) => latest.current.onMode(mode),
    onOpen: (entity, how) => latest.current.onOpen(entity, how),
    onMake: (name) => latest.current.onMake(name),
    onUpload: (file) => latest.current.onUpload(file),
  }) satisfies Partial<EditorOptions>;

/**
 * The text that it begins with is its own from then on: later ones come by `setText` and `applyRemote` of its `ref`.
 * Label, language and messages are those of the first render: give it a `key` where they change.
 */
export function TextEditor({ ref, className, renderCard, marks, ...callers }: TextEditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(null);
  const latest = useRef<Callers>(callers);
  const sources = useRef<Sources>(callers);
  const [card, setCard] = useState<OpenCard>();
  latest.current = callers;

  useLayoutEffect(() => {
    if (!parent.current) return;
    const made = createEditor({
      ...latest.current,
      ...following(latest, sources),
      parent: parent.current,
      onCard(entity, element) {
        setCard({ entity, element });
        return () => setCard((open) => (open?.element === element ? undefined : open));
      },
    });
    editor.current = made;
    return () => made.destroy();
  }, []);
  useImperativeHandle<Editor | null, Editor | null>(ref, () => editor.current, []);

  const { mode, readOnly, names, pictures } = callers;
  useEffect(() => editor.current?.setMode(mode), [mode]);
  useEffect(() => editor.current?.setReadOnly(readOnly), [readOnly]);
  useEffect(() => editor.current?.setMarks(marks), [marks]);
  useEffect(() => {
    sources.current = { names, pictures };
    editor.current?.refresh();
  }, [names, pictures]);

  return (
    <>
      <div ref={parent} className={className} />
      {card && createPortal(renderCard(card.entity), card.element)}
    </>
  );
}

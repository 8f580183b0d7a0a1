import { useEffect, useMemo, useRef, useState } from 'react';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import { uploadPicture, usePictures } from '../../../data/entity-assets.ts';
import { useFirstLine } from '../../../data/history.ts';
import { useWorld } from '../../../data/world.tsx';
import { bodyOf } from '../../../domain/drafts/draft.ts';
import { BODY } from '../../../domain/field-path.ts';
import { addressOf, type EntityPlace } from '../../../domain/places.ts';
import { sameLine } from '../../../domain/text-line.ts';
import type { Editor } from '../../../kit/editor/editor.ts';
import type { EditorMode, EntityRef, Mark, Place } from '../../../kit/editor/options.ts';
import { TextEditor } from '../../../kit/editor/text-editor.tsx';
import { useLanguage, useTexts } from '../../../kit/i18n/texts.ts';
import { goTo } from '../../../kit/router/router.ts';
import { entityTexts } from '../entity-texts.ts';
import type { MakeEntity } from '../make-entity.tsx';
import { shownName } from '../shown-parts.ts';
import type { Arrival } from '../use-arrival-at.ts';
import { useEditorNames } from './editor-names.ts';
import { editorTexts } from './editor-texts.ts';
import styles from './entity-body.module.css';
import { EntityCard } from './entity-card.tsx';

export interface EntityBodyProps {
  draft: EntityDraft;
  place: EntityPlace;
  /** Where to go: another object for each time. */
  arrival?: Arrival;
  onCursor: (place: Place) => void;
  onMake: MakeEntity;
}

/** The text of an entity in its editor, which has its own copy of it and tells the draft of each change. */
export function EntityBody({ draft, place, arrival, onCursor, onMake }: EntityBodyProps) {
  const texts = useTexts(entityTexts);
  const messages = useTexts(editorTexts);
  const language = useLanguage();
  const { can } = useWorld();
  const names = useEditorNames();
  const pictures = usePictures(place);
  const [mode, setMode] = useState<EditorMode>('preview');
  const editor = useRef<Editor>(null);
  const shownPictures = useMemo(
    () => ({ resolve: (path: string) => pictures.get(path) ?? null }),
    [pictures],
  );
  // The editor asks for it once; it tells of each change itself.
  const first = draft.getSnapshot().draft;
  const arrivedAt = useRef<Arrival>(undefined);
  const [marks, setMarks] = useState<readonly Mark[]>(NO_MARKS);
  const firstLine = useFirstLine(place, arrival?.line !== undefined);

  useEffect(() => {
    const attached = editor.current;
    return attached ? draft.attachEditor(attached) : undefined;
  }, [draft]);
  useEffect(() => {
    if (arrival?.line === undefined && arrival?.field === BODY) editor.current?.focus();
  }, [arrival]);
  useEffect(() => {
    if (arrival?.line === undefined || firstLine === undefined || arrivedAt.current === arrival) return;
    arrivedAt.current = arrival;
    const now = draft.getSnapshot().draft;
    const line = sameLine(now.base?.markdown_body ?? '', bodyOf(now), arrival.line - firstLine + 1);
    editor.current?.goToLine(line);
    setMarks([{ line, severity: 'warning', message: texts.findingHere }]);
  }, [draft, arrival, firstLine, texts]);

  const open = ({ type, id }: EntityRef) => {
    const found = names.find({ type, id });
    if (found) goTo(addressOf({ screen: 'entity', project: place.project, type: found.type, id: found.id }));
  };
  return (
    <TextEditor
      key={language}
      ref={editor}
      className={styles.editor ?? ''}
      text={bodyOf(first)}
      label={texts.textOf(shownName(first))}
      language={document.documentElement.lang}
      readOnly={!can('edit_entities')}
      mode={mode}
      messages={messages}
      names={names}
      pictures={shownPictures}
      marks={marks}
      onChange={(text) => {
        // A user who types already is not taken somewhere else.
        arrivedAt.current = arrival;
        draft.editBody(text);
      }}
      onCursor={onCursor}
      onMode={setMode}
      onOpen={open}
      onMake={(name) => onMake(name, null)}
      onUpload={(file) => uploadPicture(place, file)}
      renderCard={(entity) => <EntityCard entity={entity} names={names} />}
    />
  );
}

const NO_MARKS: readonly Mark[] = [];

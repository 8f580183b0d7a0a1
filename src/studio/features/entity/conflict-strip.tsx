import { useMemo, useState } from 'react';
import type { DraftView } from '../../data/drafts/book.ts';
import type { EntityDraft } from '../../data/drafts/drafts.ts';
import { useFieldWords } from '../../data/field-words.ts';
import { usePersonName } from '../../data/people.ts';
import { bodyOf, type PartConflict, partOf } from '../../domain/drafts/draft.ts';
import { BODY } from '../../domain/field-path.ts';
import { textChoices } from '../../domain/text-conflict.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import styles from './conflict-strip.module.css';
import { entityTexts } from './entity-texts.ts';
import { stripTexts } from './strip-texts.ts';
import { useDiscarding } from './use-discarding.ts';

interface ConflictStripProps {
  draft: EntityDraft;
  view: DraftView;
  /** A user's id; null where a file was changed. */
  by: string | null;
}

/** Two people changed one place. Typing goes on; both versions are a click away. */
export function ConflictStrip({ draft, view, by }: ConflictStripProps) {
  const texts = useTexts(entityTexts);
  const words = useTexts(stripTexts);
  const who = usePersonName(by) ?? texts.somebody;
  const [isOpen, setOpen] = useState(false);
  const conflicts = Object.entries(view.draft.conflicts);
  return (
    <>
      <Notice tone="warning" isStrip actions={<Button onPress={() => setOpen(true)}>{words.compare}</Button>}>
        {words.conflict(who)}
      </Notice>
      <Dialog
        title={words.compare}
        isOpen={isOpen && conflicts.length > 0}
        onClose={() => setOpen(false)}
        closeLabel={texts.close}
      >
        {conflicts.map(([path, conflict]) => (
          <OneConflict key={path} path={path} conflict={conflict} draft={draft} view={view} />
        ))}
      </Dialog>
    </>
  );
}

interface OneConflictProps {
  path: string;
  conflict: PartConflict;
  draft: EntityDraft;
  view: DraftView;
}

function OneConflict({ path, conflict, ...open }: OneConflictProps) {
  if (path === BODY) return <TextConflict conflict={conflict} {...open} />;
  return <FieldConflict path={path} conflict={conflict} {...open} />;
}

function FieldConflict({ path, conflict, draft, view }: OneConflictProps) {
  const texts = useTexts(entityTexts);
  const words = useTexts(stripTexts);
  const { takeTheirs } = useDiscarding(draft);
  const { project, type } = view.draft.key;
  const { labelOf } = useFieldWords(
    project,
    useMemo(() => [type], [type]),
  );
  const mine = partOf(view.draft, path);
  const isText = typeof mine === 'string' && typeof conflict.theirs === 'string';
  return (
    <Choice
      title={labelOf(type, path.replace(/^fields\./, ''))}
      places={[{ line: 1, mine, theirs: conflict.theirs }]}
      choices={[
        { label: words.takeMine, choose: () => draft.resolve(path, mine) },
        { label: texts.takeTheirs, choose: () => void takeTheirs(path) },
        ...(isText
          ? [{ label: words.takeBoth, choose: () => draft.resolve(path, `${mine}\n\n${conflict.theirs}`) }]
          : []),
      ]}
    />
  );
}

/** Only the lines that both changed are shown and settled; the rest is merged already. */
function TextConflict({ conflict, draft, view }: Omit<OneConflictProps, 'path'>) {
  const texts = useTexts(entityTexts);
  const words = useTexts(stripTexts);
  const { takeTheirs } = useDiscarding(draft);
  const choices = textChoices({
    base: String(conflict.base),
    mine: bodyOf(view.draft),
    theirs: String(conflict.theirs),
  });
  return (
    <Choice
      title={words.text}
      places={choices.places}
      choices={[
        { label: words.takeMine, choose: () => draft.resolve(BODY, choices.mine) },
        { label: texts.takeTheirs, choose: () => void takeTheirs(BODY, choices.theirs) },
        { label: words.takeBoth, choose: () => draft.resolve(BODY, choices.both) },
      ]}
    />
  );
}

interface ChoiceProps {
  title: string;
  places: readonly { line: number; mine: unknown; theirs: unknown }[];
  choices: readonly { label: string; choose: () => void }[];
}

function Choice({ title, places, choices }: ChoiceProps) {
  const words = useTexts(stripTexts);
  return (
    <section className={styles.conflict}>
      <h3>{title}</h3>
      {places.map(({ line, mine, theirs }) => (
        <div key={line} className={styles.sides}>
          <Side label={words.yours} value={shown(mine)} />
          <Side label={words.theirs} value={shown(theirs)} />
        </div>
      ))}
      <div className={styles.choices}>
        {choices.map(({ label, choose }) => (
          <Button key={label} onPress={choose}>
            {label}
          </Button>
        ))}
      </div>
    </section>
  );
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

const Side = ({ label, value }: { label: string; value: string }) => (
  <div>
    <h4 className={styles.label}>{label}</h4>
    <pre className={styles.value} dir="auto">
      {value}
    </pre>
  </div>
);

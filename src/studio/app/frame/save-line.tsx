import type { DraftView } from '../../data/drafts/book.ts';
import { useStore } from '../../data/store.ts';
import { useWorkspace, type Workspace } from '../../data/workspace.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { TextLink } from '../../kit/ui/link.tsx';
import styles from './save-line.module.css';
import { saveTexts } from './save-texts.ts';

/** The truth about what the user typed, in a few words. */
export function SaveLine() {
  const workspace = useWorkspace();
  return workspace && <KnownLine workspace={workspace} />;
}

/** The states of saving, the most urgent one first. */
const ORDER = ['refused', 'conflict', 'kept', 'saving'] as const;

function KnownLine({ workspace: { drafts } }: { workspace: Workspace }) {
  const texts = useTexts(saveTexts);
  const unsaved = useStore({ get: drafts.unsaved.getSnapshot, subscribe: drafts.unsaved.subscribe });
  const worst = ORDER.flatMap((kind) => unsaved.find(({ state }) => state.kind === kind) ?? [])[0];
  return (
    <p role="status" className={styles.line}>
      {worst ? <WorstLine view={worst} count={unsaved.length} /> : texts.saved}
    </p>
  );
}

function WorstLine({ view, count }: { view: DraftView; count: number }) {
  const texts = useTexts(saveTexts);
  const { state, draft } = view;
  const { project, type, id } = draft.key;
  const address = addressOf({ screen: 'entity', project, type, id });
  if (state.kind === 'refused') return <TextLink href={address}>{texts.refused}</TextLink>;
  if (state.kind === 'conflict') return <TextLink href={address}>{texts.conflict}</TextLink>;
  if (state.kind !== 'kept') return texts.saving;
  if (state.reason === 'no-name') return <TextLink href={address}>{texts['no-name']}</TextLink>;
  return texts[state.reason](count);
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { MayPropose } from '../../../data/ai.ts';
import { type Command, useCommands } from '../../../data/commands.ts';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import { useFieldWords } from '../../../data/field-words.ts';
import { type Proposal, readProposal, usePending } from '../../../data/proposals.ts';
import { type Store, useStore } from '../../../data/store.ts';
import { useSchema } from '../../../data/types.ts';
import { bodyOf } from '../../../domain/drafts/draft.ts';
import { fieldsOfSchema } from '../../../domain/form-field.ts';
import type { EntityPlace } from '../../../domain/places.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { useFailureWords } from './failure-words.ts';
import { offer } from './offer.ts';
import styles from './proposal.module.css';
import { ProposalPanel } from './proposal-panel.tsx';
import { proposalTexts } from './proposal-texts.ts';
import { fieldOf, type Selection, type Subject, subjectAt } from './subject.ts';

interface ProposeProps {
  draft: EntityDraft;
  place: EntityPlace;
  /** The field with the focus, or the last one that had it. */
  focused: string | null;
  selection: Store<Selection | null>;
  may: MayPropose;
}

/** Lets a model propose text for the place of the cursor. */
export function Propose({ draft, place, focused, selection, may }: ProposeProps) {
  const texts = useTexts(proposalTexts);
  const [open, setOpen] = useState<{ subject: Subject } | { proposal: Proposal } | null>(null);
  const [wasOpen, setWasOpen] = useState(false);
  const back = useRef<() => void>(null);
  const types = useMemo(() => [place.type], [place.type]);
  const words = useFieldWords(place.project, types);
  const subject = useSubject(draft, focused, useStore(selection));
  const isAllowed = useIsAllowed(place, subject, may) && open === null;
  const title = texts.subjects[subject.kind](
    subject.kind === 'field' ? words.labelOf(place.type, subject.field) : '',
  );
  const ask = useCallback(() => setOpen({ subject }), [subject]);
  const commands = useMemo(
    (): Command[] => (isAllowed ? [{ id: 'propose', title, group: 'here', run: ask }] : []),
    [isAllowed, title, ask],
  );
  useCommands(commands);
  const close = useCallback(() => {
    setOpen(null);
    setWasOpen(back.current === null);
  }, []);
  useEffect(() => {
    if (open !== null) return;
    // The button takes the focus when the panel closes, and never later.
    setWasOpen(false);
    back.current?.();
    back.current = null;
  }, [open]);
  useEffect(() => {
    if (!isAllowed) return;
    const askFrom = (from: () => void) => {
      back.current = from;
      ask();
    };
    offer.set({ kind: subject.kind, at: focused, title, ask: askFrom });
    return () => offer.set(null);
  }, [isAllowed, subject, focused, title, ask]);
  if (open) return <ProposalPanel draft={draft} place={place} words={words} open={open} onClose={close} />;
  return (
    <section className={styles.entry}>
      <h2 className={styles.heading}>{texts.heading}</h2>
      {isAllowed && (
        <>
          <Button autoFocus={wasOpen} onPress={ask}>
            {title}
          </Button>
          <p className={styles.quiet}>{texts.hint}</p>
        </>
      )}
      <Waiting place={place} onOpen={(proposal) => setOpen((now) => now ?? { proposal })} />
    </section>
  );
}

/** The text is read when the cursor rests: each key would cost the reading of all of it. */
const useSubject = (draft: EntityDraft, focused: string | null, selection: Selection | null): Subject =>
  useMemo(
    () => subjectAt(focused, selection, bodyOf(draft.getSnapshot().draft)),
    [draft, focused, selection],
  );

/** Fields that left the template are none that a model can be asked for. */
function useIsAllowed({ project, type }: EntityPlace, subject: Subject, may: MayPropose): boolean {
  const { data: schema } = useSchema(project, type);
  const known = useMemo(() => new Set(fieldsOfSchema([], schema ?? {}).map(({ name }) => name)), [schema]);
  const field = fieldOf(subject);
  return field === null || ((subject.kind !== 'field' || known.has(field)) && may(field));
}

function Waiting({ place, onOpen }: { place: EntityPlace; onOpen: (proposal: Proposal) => void }) {
  const texts = useTexts(proposalTexts);
  const wordsOf = useFailureWords();
  const [error, setError] = useState<unknown>(null);
  const { data = [] } = usePending(place);
  const [first] = data;
  if (!first) return null;
  return (
    <>
      <p className={styles.waiting}>
        {texts.waiting(data.length)}{' '}
        <Button
          size="s"
          onPress={() => void readProposal(place.project, first.proposal_id).then(onOpen, setError)}
        >
          {texts.look}
        </Button>
      </p>
      {error !== null && <Notice tone="error">{wordsOf(error)}</Notice>}
    </>
  );
}

import { memo, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import type { FieldWords } from '../../../data/field-words.ts';
import type { Proposal } from '../../../data/proposals.ts';
import type { EntityPlace } from '../../../domain/places.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { isPhone } from '../../../kit/theme/is-phone.ts';
import { Button, IconButton } from '../../../kit/ui/button.tsx';
import { Icon } from '../../../kit/ui/icons.tsx';
import { late } from '../../../kit/ui/late.tsx';
import { announce } from '../../../kit/ui/live-region.tsx';
import { Ask } from './ask.tsx';
import { isElsewhere } from './is-elsewhere.ts';
import styles from './proposal.module.css';
import { proposalTexts } from './proposal-texts.ts';
import { Review } from './review.tsx';
import { type Subject, targetOf } from './subject.ts';

const ProposalSheet = late(async () => (await import('./proposal-sheet.tsx')).ProposalSheet, {
  isAbove: true,
});

interface ProposalPanelProps {
  draft: EntityDraft;
  place: EntityPlace;
  words: FieldWords;
  open: { subject: Subject } | { proposal: Proposal };
  onClose: () => void;
}

/** Asks a model, shows its proposal, and takes over what the user chooses. */
export const ProposalPanel = memo(function ProposalPanel(props: ProposalPanelProps) {
  const { draft, place, words, open, onClose } = props;
  const texts = useTexts(proposalTexts);
  const { project, type, id } = place;
  const [proposal, setProposal] = useState('proposal' in open ? open.proposal : null);
  const [isRefining, setRefining] = useState(false);
  const [isSheet] = useState(isPhone);
  const { panel, focus } = usePanelFocus();
  const title =
    'subject' in open
      ? texts.subjects[open.subject.kind](
          open.subject.kind === 'field' ? words.labelOf(type, open.subject.field) : '',
        )
      : texts.heading;
  const entity = useMemo(() => ({ project, type, id }), [project, type, id]);
  const subject = proposal === null && 'subject' in open ? open.subject : null;
  const targetIn = useCallback(
    (body: string) => (subject === null ? {} : targetOf(subject, body)),
    [subject],
  );
  const take = (next: Proposal) => {
    setProposal(next);
    setRefining(false);
    announce(texts.arrived);
    focus();
  };
  const parts = (
    <>
      {proposal && !isRefining ? (
        <Review
          draft={draft}
          entity={entity}
          proposal={proposal}
          words={words}
          onDecided={setProposal}
          onEnd={focus}
          onRefine={() => setRefining(true)}
        />
      ) : (
        <Ask
          draft={draft}
          entity={entity}
          targetIn={targetIn}
          refined={proposal?.proposal_id ?? null}
          onProposal={take}
        />
      )}
      {isRefining && <Button onPress={() => setRefining(false)}>{texts.back}</Button>}
    </>
  );
  if (isSheet)
    return (
      <Suspense>
        <ProposalSheet title={title} closeLabel={texts.close} onClose={onClose}>
          <div className={styles.panel} ref={panel} tabIndex={-1} data-proposal="">
            {parts}
          </div>
        </ProposalSheet>
      </Suspense>
    );
  return (
    <section
      className={styles.panel}
      aria-label={title}
      ref={panel}
      tabIndex={-1}
      data-proposal=""
      // Escape also ends the composing of a letter.
      onKeyDown={({ key, nativeEvent }) => key === 'Escape' && !nativeEvent.isComposing && onClose()}
    >
      <header className={styles.head}>
        <h2 className={styles.title} dir="auto">
          {title}
        </h2>
        <IconButton size="s" label={texts.close} icon={<Icon name="close" />} onPress={onClose} />
      </header>
      {parts}
    </section>
  );
});

/** The panel keeps the focus when the button that had it goes, unless the user has gone on elsewhere. */
function usePanelFocus() {
  const panel = useRef<HTMLDivElement>(null);
  const focus = useCallback(() => {
    if (!isElsewhere()) panel.current?.focus();
  }, []);
  useEffect(() => {
    const shown = panel.current;
    if (!shown?.contains(document.activeElement)) shown?.focus();
    shown?.scrollIntoView({ block: 'nearest' });
  }, []);
  return { panel, focus };
}

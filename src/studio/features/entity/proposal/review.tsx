import { useState } from 'react';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import type { EntityAddress } from '../../../data/entity.ts';
import type { FieldWords } from '../../../data/field-words.ts';
import { decide, type Parts, type Proposal } from '../../../data/proposals.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { announce } from '../../../kit/ui/live-region.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { useFailureWords } from './failure-words.ts';
import { PartList } from './part-list.tsx';
import { type ProposedPart, partsOf } from './parts.ts';
import styles from './proposal.module.css';
import { proposalTexts } from './proposal-texts.ts';
import { saveFirst } from './save-first.ts';

interface ReviewProps {
  draft: EntityDraft;
  entity: EntityAddress;
  proposal: Proposal;
  words: FieldWords;
  onDecided: (proposal: Proposal) => void;
  /** The pressed button may be gone. */
  onEnd: () => void;
  onRefine: () => void;
}

type Said = { tone: 'success' | 'error'; text: string };

/** A proposal part by part: the user chooses what is taken over. */
export function Review({ draft, entity, proposal, words, onDecided, onEnd, onRefine }: ReviewProps) {
  const texts = useTexts(proposalTexts);
  const wordsOf = useFailureWords();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<Said | null>(null);
  const parts = partsOf(proposal);
  const open = parts.filter(({ state }) => state === 'open');
  const chosen = open.filter(({ key }) => !left.has(key));
  const accepted = parts.filter(({ state }) => state === 'accepted');

  async function run(what: 'accept' | 'undo' | 'reject', which: readonly ProposedPart[]): Promise<void> {
    setBusy(true);
    setSaid(null);
    try {
      // A rejection writes nothing.
      if (what !== 'reject' && !(await saveFirst(draft)))
        return setSaid({ tone: 'error', text: texts.unsaved });
      const decision = await decide(entity, proposal.proposal_id, what, namesOf(which));
      const { accept, undo, reject } = {
        accept: decision.merged ? texts.merged : texts.accepted,
        undo: texts.undone,
        reject: texts.rejected,
      };
      const text = { accept, undo, reject }[what];
      setSaid({ tone: 'success', text });
      announce(text);
      onDecided(decision.proposal);
    } catch (error) {
      setSaid({ tone: 'error', text: wordsOf(error) });
    } finally {
      setBusy(false);
      onEnd();
    }
  }
  return (
    <div className={styles.review}>
      {parts.length === 0 && <p className={styles.quiet}>{texts.noParts}</p>}
      <PartList
        type={entity.type}
        parts={parts}
        words={words}
        isChosen={({ key }) => !left.has(key)}
        onChoose={({ key }, isChosen) => setLeft(changed(left, key, !isChosen))}
      />
      <Findings type={entity.type} proposal={proposal} words={words} />
      {said && <Notice tone={said.tone}>{said.text}</Notice>}
      <div className={styles.actions}>
        {open.length > 0 && (
          <>
            <Button
              tone="primary"
              isPending={isBusy}
              isDisabled={chosen.length === 0}
              onPress={() => void run('accept', chosen)}
            >
              {texts.accept}
            </Button>
            <Button isDisabled={isBusy} onPress={onRefine}>
              {texts.refine}
            </Button>
            <Button isDisabled={isBusy} onPress={() => void run('reject', open)}>
              {texts.reject}
            </Button>
          </>
        )}
        {accepted.length > 0 && (
          <Button isDisabled={isBusy} onPress={() => void run('undo', accepted)}>
            {texts.undo}
          </Button>
        )}
      </div>
    </div>
  );
}

interface FindingsProps {
  type: string;
  proposal: Proposal;
  words: FieldWords;
}

function Findings({ type, proposal: { findings, canon_findings: canon }, words }: FindingsProps) {
  const texts = useTexts(proposalTexts);
  if (findings.length + canon.length === 0) return null;
  return (
    <section className={styles.findings}>
      <h3 className={styles.heading}>{texts.findings}</h3>
      {findings.map(({ field, severity, message }) => (
        <Notice key={`${field} ${message}`} tone={severity}>
          {field !== null && <strong>{words.labelOf(type, field)}: </strong>}
          {message}
        </Notice>
      ))}
      {canon.map(({ finding_id, severity, message, evidence }) => (
        <Notice key={finding_id} tone={severity}>
          {message}
          <ul className={styles.sources}>
            {evidence.map(({ entity_type, entity_id, name, field, value }) => (
              <li key={`${entity_type}/${entity_id} ${field}`} dir="auto">
                {name}: {words.textOf(entity_type, field, value)}
              </li>
            ))}
          </ul>
        </Notice>
      ))}
    </section>
  );
}

const namesOf = (parts: readonly ProposedPart[]): Parts => ({
  fields: parts.flatMap((part) => (part.kind === 'field' ? [part.name] : [])),
  hunks: parts.flatMap((part) => (part.kind === 'hunk' ? [part.name] : [])),
});

function changed(all: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(all);
  if (isIn) next.add(key);
  else next.delete(key);
  return next;
}

import { useEffect, useMemo, useRef, useState } from 'react';
import type { EntityDraft } from '../../../data/drafts/drafts.ts';
import { type EntityAddress, useDraftPart } from '../../../data/entity.ts';
import { codeOf } from '../../../data/errors.ts';
import {
  type Preview,
  type Proposal,
  propose,
  type Question,
  type Target,
  usePreview,
} from '../../../data/proposals.ts';
import type { SaveState } from '../../../domain/drafts/save-state.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { ProgressBar } from '../../../kit/ui/progress-bar.tsx';
import { TextArea } from '../../../kit/ui/text-area.tsx';
import { useFailureWords } from './failure-words.ts';
import { isElsewhere } from './is-elsewhere.ts';
import { PreviewOf } from './preview-of.tsx';
import styles from './proposal.module.css';
import { proposalTexts } from './proposal-texts.ts';

const TYPING_PAUSE_MS = 400;

interface AskProps {
  draft: EntityDraft;
  entity: EntityAddress;
  /** Null: the passage that was meant is no longer in the text. */
  targetIn: (body: string) => Target | null;
  /** The proposal that is to be changed; the user has to say how. */
  refined: string | null;
  onProposal: (proposal: Proposal) => void;
}

/** Shows what would be sent and its price. Only that is sent: after a change it is shown anew first. */
export function Ask({ draft, entity, targetIn, refined, onProposal }: AskProps) {
  const texts = useTexts(proposalTexts);
  const wordsOf = useFailureWords();
  const state = useDraftPart(draft, (view) => view.state);
  const base = useDraftPart(draft, (view) => view.draft.base);
  const [instruction, setInstruction] = useState('');
  const settled = useSettled(instruction);
  // The model gets what is saved, so a key that is typed costs nothing here.
  const target = useMemo(() => targetIn(base?.markdown_body ?? ''), [targetIn, base]);
  const version = base?.version ?? 0;
  const question = useMemo(
    (): Question => ({ entity, target: target ?? {}, instruction: settled, refined, version }),
    [entity, target, settled, refined, version],
  );
  const isSaved = state.kind === 'saved';
  const isComplete = refined === null || settled.trim() !== '';
  const preview = usePreview(question, isSaved && isComplete && target !== null);
  const { start, stop, letters, error, wasAsked } = useAsking(
    question,
    onProposal,
    () => void preview.refetch(),
  );
  useEffect(() => void draft.saveNow(), [draft]);
  const isCurrent = preview.isSuccess && !preview.isPlaceholderData && !preview.isFetching;
  const isShown = isSaved && isCurrent && settled === instruction;

  if (letters !== null)
    return (
      <div className={styles.ask}>
        <ProgressBar
          label={texts.running(preview.data?.requests[0]?.model ?? '')}
          share={null}
          text={texts.letters(letters)}
        />
        <Button autoFocus={!isElsewhere()} onPress={stop}>
          {texts.stop}
        </Button>
      </div>
    );
  if (target === null && isSaved) return <Notice tone="warning">{texts.passageGone}</Notice>;
  const failure = error ?? preview.error;
  return (
    <div className={styles.ask}>
      <TextArea
        label={refined === null ? texts.instruction : texts.refineInstruction}
        value={instruction}
        onChange={setInstruction}
        rows={3}
        autoFocus={!wasAsked || !isElsewhere()}
      />
      {failure && <Notice tone="error">{wordsOf(failure)}</Notice>}
      <Unsaved state={state} onSave={() => void draft.saveNow()} />
      {preview.data && <PreviewOf preview={preview.data} />}
      {isSaved && isComplete && !preview.data && !failure && (
        <p className={styles.quiet}>{texts.preparing}</p>
      )}
      <Button tone="primary" isDisabled={!isShown} onPress={() => isShown && start(preview.data)}>
        {texts.ask}
      </Button>
    </div>
  );
}

/** The model gets what the service has. */
function Unsaved({ state, onSave }: { state: SaveState; onSave: () => void }) {
  const texts = useTexts(proposalTexts);
  if (state.kind === 'saved') return null;
  if (state.kind === 'saving') return <p className={styles.quiet}>{texts.saving}</p>;
  return (
    <Notice tone="warning" actions={<Button onPress={onSave}>{texts.retry}</Button>}>
      {texts.unsaved}
    </Notice>
  );
}

/** The text, once typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** `letters` counts what the model wrote so far; null while nobody asks it. Leaving the page ends the request. */
function useAsking(question: Question, onProposal: (proposal: Proposal) => void, onStale: () => void) {
  const [letters, setLetters] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [wasAsked, setAsked] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(shown: Preview): Promise<void> {
    const life = new AbortController();
    const { signal } = life;
    running.current = life;
    setError(null);
    setAsked(true);
    setLetters(0);
    try {
      const heard = (text: string) => setLetters((count) => (count ?? 0) + text.length);
      onProposal(await propose(question, shown, heard, signal));
    } catch (failure) {
      if (!signal.aborted) setError(failure as Error);
      if (codeOf(failure) === 'prompt_changed') onStale();
    } finally {
      setLetters(null);
    }
  }
  return {
    letters,
    error,
    wasAsked,
    start: (shown: Preview) => void start(shown),
    stop: () => running.current?.abort(),
  };
}

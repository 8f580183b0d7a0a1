import { type FormEvent, useState } from 'react';
import { detailOf } from '../../data/errors.ts';
import { useAccept, useReopen } from '../../data/findings/use-acceptance.ts';
import { useWorld } from '../../data/world.tsx';
import type { Finding } from '../../domain/findings.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { announce } from '../../kit/ui/live-region.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { TextArea } from '../../kit/ui/text-area.tsx';
import styles from './findings.module.css';
import { findingsTexts } from './findings-texts.ts';

type Contradiction = Extract<Finding, { group: 'contradictions' }>;

/** Accepts a contradiction with a reason, or takes that back. */
export const Acceptance = ({ finding }: { finding: Contradiction }) =>
  finding.reason === null ? <Accept finding={finding} /> : <Reopen finding={finding} />;

function Accept({ finding }: { finding: Contradiction }) {
  const texts = useTexts(findingsTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="s" onPress={() => setOpen(true)}>
        {texts.accept}
      </Button>
      {isOpen && <AcceptDialog finding={finding} onClose={() => setOpen(false)} />}
    </>
  );
}

function AcceptDialog({ finding, onClose }: { finding: Contradiction; onClose: () => void }) {
  const texts = useTexts(findingsTexts);
  const { project } = useWorld();
  const accept = useAccept(project);
  const [reason, setReason] = useState('');
  const canAccept = reason.trim() !== '' && !accept.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!canAccept) return;
    accept.mutate(
      { id: finding.id, reason: reason.trim() },
      {
        onSuccess: () => {
          announce(texts.acceptedNow);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title={texts.acceptTitle} isOpen onClose={onClose} closeLabel={texts.close}>
      <form className={styles.fixes} onSubmit={submit}>
        <p dir="auto">{finding.message}</p>
        {accept.error && <Notice tone="error">{detailOf(accept.error) ?? texts.failed}</Notice>}
        <TextArea
          label={texts.reason}
          value={reason}
          onChange={(text) => setReason(text.slice(0, LONGEST_REASON))}
          help={texts.reasonHelp}
          rows={3}
          autoFocus
        />
        <div className={styles.dialogButtons}>
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button tone="primary" type="submit" isDisabled={!canAccept} isPending={accept.isPending}>
            {texts.acceptDo}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** As the service admits. */
const LONGEST_REASON = 2_000;

function Reopen({ finding }: { finding: Contradiction }) {
  const texts = useTexts(findingsTexts);
  const { project } = useWorld();
  const reopen = useReopen(project);
  return (
    <Button
      size="s"
      isPending={reopen.isPending}
      onPress={() => reopen.mutate(finding.id, { onSuccess: () => announce(texts.reopenedNow) })}
    >
      {texts.reopen}
    </Button>
  );
}

import { useRef } from 'react';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { FileButton } from '../../../kit/ui/file-drop.tsx';
import { Notice } from '../../../kit/ui/notice.tsx';
import { ProgressBar } from '../../../kit/ui/progress-bar.tsx';
import styles from './manage.module.css';
import { manageTexts } from './manage-texts.ts';
import type { Upload, UploadFault } from './use-upload.ts';

const ARCHIVES = ['.zip', '.tar.gz', '.tgz', '.gz'];

interface AddPluginProps {
  upload: Upload;
  /** A file is held above the page. */
  isOver: boolean;
}

/** Takes a plugin as a file, by drop or by the browser's own choice. */
export function AddPlugin({ upload, isOver }: AddPluginProps) {
  const texts = useTexts(manageTexts);
  const box = useRef<HTMLElement>(null);
  const { name, sent, fault, take, cancel } = upload;

  function pick(file: File) {
    // The button with the focus makes room for the progress.
    box.current?.focus();
    void take(file);
  }

  return (
    <>
      <section
        ref={box}
        tabIndex={-1}
        aria-label={texts.add}
        className={styles.drop}
        data-over={isOver || undefined}
      >
        <p className={styles.quiet}>{texts.drop}</p>
        {sent === null ? (
          <FileButton accept={ARCHIVES} onPick={pick}>
            {texts.choose}
          </FileButton>
        ) : (
          <Progress name={name} sent={sent} onCancel={cancel} />
        )}
      </section>
      {fault && <Fault name={name} fault={fault} />}
    </>
  );
}

/** What the service has is unpacked, and cannot be taken back. */
function Progress({ name, sent, onCancel }: { name: string; sent: number; onCancel: () => void }) {
  const texts = useTexts(manageTexts);
  if (sent === 1) return <ProgressBar label={texts.unpacking(name)} share={null} />;
  return (
    <>
      <ProgressBar label={texts.uploading(name)} share={sent} />
      <Button size="s" onPress={onCancel}>
        {texts.cancel}
      </Button>
    </>
  );
}

function Fault({ name, fault }: { name: string; fault: UploadFault }) {
  const texts = useTexts(manageTexts);
  if (fault.kind === 'unanswered') return <Notice tone="error">{texts.unanswered(name)}</Notice>;
  const hint = fault.kind === 'refused' && fault.code !== null ? hintFor(fault.code, texts.hints) : null;
  return (
    <Notice tone="error">
      <p>{texts.refused(name)}</p>
      <p>{fault.kind === 'refused' ? fault.detail : texts.fileFaults[fault.kind]}</p>
      {hint && <p>{hint}</p>}
    </Notice>
  );
}

const hintFor = (code: string, hints: Readonly<Record<string, string>>): string | null =>
  Object.hasOwn(hints, code) ? (hints[code] ?? null) : null;

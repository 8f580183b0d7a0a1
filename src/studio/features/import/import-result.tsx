import { useState } from 'react';
import type { ImportReport } from '../../data/import.ts';
import type { Operation } from '../../data/operations.ts';
import { writtenNotes } from '../../domain/import-rows.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { importTexts } from './import-texts.ts';
import { NoteList } from './note-list.tsx';

interface ImportResultProps {
  report: ImportReport;
  /** The operation that took the import back; null as long as it stands. */
  undone: Operation | null;
  onUndo: (operationId: string) => Promise<void>;
}

/** The result of an import, with everything that found no place, and the way back. */
export function ImportResult({ report, undone, onUndo }: ImportResultProps) {
  const texts = useTexts(importTexts);
  const { operation } = report;
  if (undone) {
    return undone.skipped_total === 0 ? (
      <Notice tone="success">{texts.undone}</Notice>
    ) : (
      <Notice tone="warning">{texts.undonePartly(undone.skipped_total)}</Notice>
    );
  }
  if (operation?.status === 'failed')
    return <Notice tone="error">{texts.failed(operation.reason ?? '')}</Notice>;
  return (
    <>
      <Notice tone="success" actions={operation && <Undo onUndo={() => onUndo(operation.operation_id)} />}>
        {texts.done(writtenNotes(report))}
      </Notice>
      <NoteList report={report} isLossesFirst />
    </>
  );
}

function Undo({ onUndo }: { onUndo: () => Promise<void> }) {
  const texts = useTexts(importTexts);
  const [isPending, setPending] = useState(false);
  return (
    <Button
      size="s"
      isPending={isPending}
      onPress={() => {
        setPending(true);
        void onUndo().finally(() => setPending(false));
      }}
    >
      {texts.undo}
    </Button>
  );
}

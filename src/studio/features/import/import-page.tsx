import { useWorld } from '../../data/world.tsx';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { ProgressBar } from '../../kit/ui/progress-bar.tsx';
import { ChooseSource } from './choose-source.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ImportResult } from './import-result.tsx';
import { importTexts } from './import-texts.ts';
import { type ImportRun, useImport } from './use-import.ts';

export function ImportPage() {
  const texts = useTexts(importTexts);
  const { project, can } = useWorld();
  const run = useImport(project);
  const { step, fault } = run;
  const canGoBack = step.at === 'preview' || step.at === 'done';
  return (
    <Page
      title={texts.title}
      why={texts.why}
      actions={canGoBack && <Button onPress={run.again}>{texts.other}</Button>}
      isWide
    >
      {fault !== null && step.at !== 'preview' && <Notice tone="error">{fault || texts.unreachable}</Notice>}
      {can('create_entities') ? <Step run={run} /> : <Notice>{texts.forReaders}</Notice>}
    </Page>
  );
}

function Step({ run }: { run: ImportRun }) {
  const texts = useTexts(importTexts);
  const { step } = run;
  if (step.at === 'choose') return <ChooseSource fault={step.fault} onPick={run.pick} />;
  if (step.at === 'reading') return <ProgressBar label={texts.reading} share={null} />;
  if (step.at === 'preview') return <ImportPreview {...step} run={run} />;
  if (step.at === 'done') return <ImportResult report={step.report} undone={step.undone} onUndo={run.undo} />;
  const { applied = 0, total = 0 } = step.operation ?? {};
  return (
    <ProgressBar
      label={texts.running}
      share={total === 0 ? null : applied / total}
      {...(total > 0 && { text: texts.progress(applied, total) })}
    />
  );
}

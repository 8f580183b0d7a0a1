import { useMemo } from 'react';
import { useFieldWords } from '../../data/field-words.ts';
import { type Fix, type FixPlan, useFix, useFixPlan, useUndo } from '../../data/findings/use-fixes.ts';
import { useNames } from '../../data/use-names.ts';
import { useWorld } from '../../data/world.tsx';
import { wordsOfChange } from '../../domain/field-differences.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Sheet } from '../../kit/ui/dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import styles from './findings.module.css';
import { findingsTexts } from './findings-texts.ts';

/** Shows what would be fixed, does it when asked, and takes it back. */
export function Fixes({ onClose }: { onClose: () => void }) {
  const texts = useTexts(findingsTexts);
  const { project } = useWorld();
  const plan = useFixPlan(project);
  const fix = useFix(project);
  const total = plan.data?.fixed_total ?? 0;
  const isOpen = !fix.isSuccess && total > 0;
  return (
    <Sheet
      title={texts.fixTitle}
      isOpen
      onClose={onClose}
      closeLabel={texts.close}
      actions={
        <>
          <Button onPress={onClose}>{isOpen ? texts.cancel : texts.close}</Button>
          {isOpen && (
            <Button tone="primary" isPending={fix.isPending} onPress={() => fix.mutate()}>
              {texts.fixDo(total)}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.fixes}>
        {(plan.error ?? fix.error) && <Notice tone="error">{texts.fixFailed}</Notice>}
        {fix.data ? (
          <Fixed changed={fix.data.changed} operation={fix.data.operation} />
        ) : (
          !plan.error && <Plan plan={plan.data} />
        )}
      </div>
    </Sheet>
  );
}

function Fixed({ changed, operation }: { changed: number | null; operation: string | null }) {
  const texts = useTexts(findingsTexts);
  const { project } = useWorld();
  const undo = useUndo(project);
  if (undo.isSuccess) return <Notice>{texts.undone}</Notice>;
  return (
    <Notice
      tone={undo.isError ? 'error' : 'success'}
      actions={
        operation !== null && (
          <Button size="s" isPending={undo.isPending} onPress={() => undo.mutate(operation)}>
            {texts.undo}
          </Button>
        )
      }
    >
      {changed === null ? texts.fixedLater : texts.fixed(changed)}
    </Notice>
  );
}

function Plan({ plan }: { plan: FixPlan | null | undefined }) {
  const texts = useTexts(findingsTexts);
  if (!plan) return <Skeleton lines={4} height="3rem" />;
  if (plan.fixed.length === 0) return <p>{texts.fixNothing}</p>;
  const more = plan.fixed_total - plan.fixed.length;
  return (
    <>
      <p>{texts.fixWhy}</p>
      <FixList fixes={plan.fixed} />
      {more > 0 && <p className={styles.fixField}>{texts.fixMore(more)}</p>}
    </>
  );
}

function FixList({ fixes }: { fixes: readonly Fix[] }) {
  const texts = useTexts(findingsTexts);
  const { project } = useWorld();
  const names = useNames(project);
  const types = useMemo(() => [...new Set(fixes.map(({ entity_type }) => entity_type))], [fixes]);
  const { labelOf, textOf } = useFieldWords(project, types);
  return (
    <ul>
      {fixes.map(({ entity_type, entity_id, field, before, after, reason }) => (
        <li key={`${entity_type}/${entity_id}/${field}`} className={styles.fix} dir="auto">
          <strong>{names.find(entity_type, entity_id)?.name ?? entity_id}</strong>
          <span className={styles.fixField}>{labelOf(entity_type, field)}</span>
          <Change
            before={before}
            after={after}
            textOf={(value) => textOf(entity_type, field, value) || texts.nothing}
          />
          <span className={styles.fixReason}>{reason}</span>
        </li>
      ))}
    </ul>
  );
}

interface ChangeProps {
  before: unknown;
  after: unknown;
  textOf: (value: unknown) => string;
}

function Change({ before, after, textOf }: ChangeProps) {
  const words = wordsOfChange({ before, after }, textOf);
  return (
    <span className={styles.fixValues}>
      <del>{words.before}</del>
      <span aria-hidden="true">→</span>
      <ins>{words.after}</ins>
    </span>
  );
}

import { useCallback, useEffect, useRef, useState } from 'react';
import { detailOf } from '../../data/errors.ts';
import { type ImportChoices, type ImportReport, previewImport, runImport } from '../../data/import.ts';
import { type Operation, takeBack } from '../../data/operations.ts';
import type { Picked, PickFault } from '../../data/picked-files.ts';

/** The steps of an import. */
export type ImportStep =
  | { at: 'choose'; fault: PickFault | 'unreadable' | null }
  | { at: 'reading' }
  /** The report is of the choices before while `isCurrent` is false. */
  | { at: 'preview'; picked: Picked; report: ImportReport | null; isCurrent: boolean }
  | { at: 'running'; operation: Operation | null }
  | { at: 'done'; report: ImportReport; undone: Operation | null };

const PAUSE_MS = 400;

const FIRST: ImportChoices = { mode: 'skip', defaultType: null, types: {} };

export interface ImportRun {
  step: ImportStep;
  choices: ImportChoices;
  /** The error of this step; null for none, and an empty text where the service does not answer. */
  fault: string | null;
  pick(reading: Promise<Picked | PickFault>): Promise<void>;
  choose(choices: ImportChoices): void;
  run(): Promise<void>;
  undo(operationId: string): Promise<void>;
  again(): void;
}

/** One import from the choice of a folder to its undoing. */
export function useImport(project: string): ImportRun {
  const [step, setStep] = useState<ImportStep>({ at: 'choose', fault: null });
  const [choices, setChoices] = useState(FIRST);
  const [fault, setFault] = useState<string | null>(null);
  const asking = useRef<AbortController>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = useCallback(() => {
    clearTimeout(waiting.current);
    asking.current?.abort();
  }, []);
  useEffect(() => stop, [stop]);

  function expectPreview(picked: Picked, next: ImportChoices, before: ImportReport | null): void {
    stop();
    setChoices(next);
    setFault(null);
    setStep({ at: 'preview', picked, report: before, isCurrent: false });
  }

  async function preview(picked: Picked, next: ImportChoices): Promise<void> {
    const own = new AbortController();
    asking.current = own;
    try {
      const report = await previewImport(project, picked, next, own.signal);
      setStep({ at: 'preview', picked, report, isCurrent: true });
    } catch (error) {
      if (!own.signal.aborted) setFault(detailOf(error) ?? '');
    }
  }

  async function pick(reading: Promise<Picked | PickFault>): Promise<void> {
    setStep({ at: 'reading' });
    const picked = await reading.catch(() => 'unreadable' as const);
    if (typeof picked === 'string') {
      setStep({ at: 'choose', fault: picked });
      return;
    }
    expectPreview(picked, FIRST, null);
    await preview(picked, FIRST);
  }

  /** One preview for all choices that follow one another quickly: each sends the whole archive. */
  function choose(next: ImportChoices): void {
    if (step.at !== 'preview') return;
    const { picked, report } = step;
    expectPreview(picked, next, report);
    waiting.current = setTimeout(() => void preview(picked, next), PAUSE_MS);
  }

  async function run(): Promise<void> {
    if (step.at !== 'preview' || !step.isCurrent) return;
    setFault(null);
    setStep({ at: 'running', operation: null });
    try {
      const report = await runImport(project, step.picked, choices, (operation) =>
        setStep({ at: 'running', operation }),
      );
      setStep({ at: 'done', report, undone: null });
    } catch (error) {
      setFault(detailOf(error) ?? '');
      setStep(step);
    }
  }

  async function undo(operationId: string): Promise<void> {
    if (step.at !== 'done') return;
    setFault(null);
    try {
      setStep({ ...step, undone: await takeBack(project, operationId) });
    } catch (error) {
      setFault(detailOf(error) ?? '');
    }
  }

  return {
    step,
    choices,
    fault,
    pick,
    choose,
    run,
    undo,
    again() {
      stop();
      setFault(null);
      setStep({ at: 'choose', fault: null });
    },
  };
}

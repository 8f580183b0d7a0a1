import { type Clock, isoTime } from '../../kit/clock.ts';
import type { Project } from '../records/index.ts';
import { operationProgress } from './operation.events.ts';
import type { OperationReport } from './report.ts';

const TELL_EVERY_MS = 500;

type Told = Pick<OperationReport, 'operation_id' | 'kind' | 'label' | 'total'>;

export function createProgress(project: Project, operation: Told, { clock }: { clock: Clock }) {
  let toldAt = 0;
  const tell = (status: string, done: number) => {
    toldAt = clock.now();
    const { operation_id, kind, label, total } = operation;
    project.bus.publish(project, operationProgress, {
      operation_id,
      kind,
      label,
      status,
      done,
      total,
      timestamp: isoTime(toldAt),
    });
  };
  return {
    step(done: number): void {
      if (clock.now() - toldAt >= TELL_EVERY_MS) tell('running', done);
    },
    end: ({ status, applied, skipped_total }: OperationReport): void => tell(status, applied + skipped_total),
  };
}

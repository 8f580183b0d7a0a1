import { type Clock, isoTime } from '../../kit/clock.ts';
import type { Project } from '../records/index.ts';
import { operationProgress } from './operation.events.ts';
import type { OperationReport } from './report.ts';

const PUBLISH_EVERY_MS = 500;

type Published = Pick<OperationReport, 'operation_id' | 'kind' | 'label' | 'total'>;

export function createProgress(project: Project, operation: Published, { clock }: { clock: Clock }) {
  let publishedAt = 0;
  const publish = (status: string, done: number) => {
    publishedAt = clock.now();
    const { operation_id, kind, label, total } = operation;
    project.bus.publish(project, operationProgress, {
      operation_id,
      kind,
      label,
      status,
      done,
      total,
      timestamp: isoTime(publishedAt),
    });
  };
  return {
    step(done: number): void {
      if (clock.now() - publishedAt >= PUBLISH_EVERY_MS) publish('running', done);
    },
    end: ({ status, applied, skipped_total }: OperationReport): void =>
      publish(status, applied + skipped_total),
  };
}

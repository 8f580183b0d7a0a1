import { preferredWaitMs } from '../../kit/prefer.ts';
import { Reply, type RouteRequest } from '../../kit/route.ts';
import type { Project } from '../records/index.ts';
import type { Changesets } from './changesets.service.ts';
import type { HandOver } from './unless-long.ts';

/** Replies with the result if the work ends within the caller's wait, else with 202 and the operation that goes on. */
export async function orAccepted<Result>(
  changesets: Changesets,
  project: Project,
  { headers, goesOn }: Pick<RouteRequest, 'headers' | 'goesOn'>,
  work: (begun: (handOver: HandOver) => void) => Promise<Result>,
): Promise<Result | Reply> {
  const answer = await changesets.unlessLong(project, preferredWaitMs(headers.prefer), work);
  if ('result' in answer) return answer.result;
  goesOn(answer.running);
  const location = `/api/operations/${answer.operation.operation_id}`;
  return new Reply(answer.operation, { status: 202, headers: { location } });
}

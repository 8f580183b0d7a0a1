import { Reply, type Route, route } from '../../kit/route.ts';
import { beginBatch, finalizeBatch, getBatch, putBatchBytes } from './batch.contract.ts';
import type { Batches } from './batch.service.ts';

export const batchRoutes = (batches: Batches): Route[] => [
  route(beginBatch, (request) => batches.begin(request, request.body.files)),
  route(getBatch, (request) => batches.state(request, request.params.id)),
  route(putBatchBytes, async (request) => {
    await batches.receive(request, request.params.id, request.query.sha256);
    return new Reply(null);
  }),
  route(finalizeBatch, (request) => batches.finalize(request, request.params.id)),
];

import { createMemoryReplica } from '../../../test/support/engine/memory-replica.ts';
import { replicaConformance } from './replica.conformance.ts';

const replica = createMemoryReplica();

replicaConformance('in memory', async () => replica.open());

import { createMemoryFiles } from '../../../test/support/memory-files.ts';
import { filesConformance } from './files.conformance.ts';

filesConformance('memory', async () => createMemoryFiles());

import { filesConformance } from '../files.conformance.ts';
import { createMemoryFiles } from './memory-files.ts';

filesConformance('memory', async () => createMemoryFiles());

import { typeFolders } from '../../../content/paths/index.ts';
import { messageOf } from '../../../kit/errors.ts';
import { type FileScanner, type FileStoreDescription, FilesError } from '../../../platform/files/files.ts';
import type { FromScanner, ToScanner } from './protocol.ts';
import { createReplica } from './replica.ts';
import { type ScanStep, scanProject } from './scan.ts';
import type { ScanProject } from './walk.ts';

export interface ScanHostOptions {
  open(files: FileStoreDescription): FileScanner;
  post(message: FromScanner): void;
  now(): number;
}

interface Run {
  id: string;
  steps: Iterator<ScanStep>;
  inFlight: number;
}

/** Batches that may wait for the main thread at once. */
const MOST_IN_FLIGHT = 3;

/** The scanner's side of the protocol: everything that runs in the worker thread. */
export function createScanHost({ open, post, now }: ScanHostOptions) {
  const projects = new Map<string, ScanProject>();
  const runs = new Map<string, Run>();
  let walks = 0;

  function start(message: Extract<ToScanner, { type: 'scan' }>): void {
    const project = projects.get(message.project);
    if (!project) throw new Error(`the scanner does not know the project ${message.project}`);
    walks += 1;
    const steps = scanProject(project, message.request, walks)[Symbol.iterator]();
    const run = { id: message.run, steps, inFlight: 0 };
    runs.set(run.id, run);
    pump(run);
  }

  function pump(run: Run): void {
    try {
      while (runs.has(run.id) && run.inFlight < MOST_IN_FLIGHT) {
        const step = run.steps.next();
        if (step.done) {
          runs.delete(run.id);
          post({ type: 'done', run: run.id });
        } else if (!deliver(run, step.value)) {
          setImmediate(() => pump(run));
          return;
        }
      }
    } catch (error) {
      runs.delete(run.id);
      fail(run.id, error);
    }
  }

  /** False after a step that has nothing to wait for: other messages get their turn. */
  function deliver(run: Run, step: ScanStep): boolean {
    if ('progress' in step) return false;
    if ('walked' in step) {
      post({ type: 'walked', run: run.id, summary: step.walked });
      return true;
    }
    run.inFlight += 1;
    post({ type: 'items', run: run.id, items: step.items });
    return true;
  }

  function fail(run: string, error: unknown): void {
    const code = error instanceof FilesError ? error.code : 'internal';
    post({ type: 'failed', run, code, message: messageOf(error) });
  }

  return {
    receive(message: ToScanner): void {
      switch (message.type) {
        case 'open':
          projects.set(message.project, {
            scanner: open(message.files),
            replica: createReplica(),
            folders: new Map(),
            now,
          });
          return;
        case 'rows':
          projects.get(message.project)?.replica.apply(message.page);
          return;
        case 'templates': {
          const project = projects.get(message.project);
          if (project) project.folders = typeFolders(message.definitions);
          return;
        }
        case 'scan':
          try {
            start(message);
          } catch (error) {
            fail(message.run, error);
          }
          return;
        case 'ack': {
          const run = runs.get(message.run);
          if (!run) return;
          run.inFlight -= 1;
          pump(run);
          return;
        }
        case 'cancel':
          runs.delete(message.run);
      }
    },
  };
}

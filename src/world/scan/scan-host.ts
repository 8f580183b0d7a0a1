import { typeFolders } from '../../content/paths/index.ts';
import { messageOf } from '../../kit/errors.ts';
import {
  type FileScanner,
  type FileStoreDescription,
  FilesError,
  type RemoteScanner,
} from '../../platform/files/files.ts';
import { type ImportItem, readText } from '../texts/index.ts';
import type { FromScanner, ToScanner } from './protocol.ts';
import { createReplica } from './replica.ts';
import { type LocalProject, type ScanStep, scanProject } from './scan.ts';
import { type RemoteProject, scanRemote } from './scan-remote.ts';

export interface ScanHostOptions {
  open(files: FileStoreDescription): FileScanner | RemoteScanner;
  post(message: FromScanner): void;
  now(): number;
}

interface Run {
  id: string;
  /** Weights of the batches that the main thread holds, in order. */
  inFlight: number[];
  /** Called when the main thread has taken a batch, or the run is over. */
  goOn(): void;
}

interface LocalRun extends Run {
  steps: Iterator<ScanStep>;
}

type AnyProject = LocalProject | RemoteProject;

const isLocal = (project: AnyProject): project is LocalProject => 'scan' in project.scanner;

/** The main thread holds at most two batches with entities: the one it stores, and the next. */
const MOST_IN_FLIGHT = 6;
/** Files that are not read need little memory; with more of them in flight, reading continues through a long commit. */
const weightOf = (items: readonly ImportItem[]): number =>
  items.some(({ state }) => state !== null) ? 3 : 1;
const isFull = ({ inFlight }: Run): boolean =>
  inFlight.reduce((sum, weight) => sum + weight, 0) >= MOST_IN_FLIGHT;

/** The scanner's side of the protocol: all of the worker thread. */
export function createScanHost({ open, post, now }: ScanHostOptions) {
  const projects = new Map<string, AnyProject>();
  const runs = new Map<string, Run>();
  let walks = 0;

  function start(message: Extract<ToScanner, { type: 'scan' }>): void {
    const project = projects.get(message.project);
    if (!project) throw new Error(`the scanner does not know the project ${message.project}`);
    walks += 1;
    if (!isLocal(project)) {
      void runRemote(message.run, scanRemote(project, message.request, walks));
      return;
    }
    const steps = scanProject(project, message.request, walks)[Symbol.iterator]();
    const run: LocalRun = { id: message.run, steps, inFlight: [], goOn: () => pump(run) };
    runs.set(run.id, run);
    pump(run);
  }

  function read({ run, definitions, texts }: Extract<ToScanner, { type: 'read' }>): void {
    const states = texts.map(({ definition, path, text }) => {
      const template = definitions[definition];
      return template && readText({ template, path, text });
    });
    post({ type: 'read', run, states });
  }

  async function runRemote(id: string, steps: AsyncIterable<ScanStep>): Promise<void> {
    let goOn = () => {};
    const run: Run = { id, inFlight: [], goOn: () => goOn() };
    runs.set(id, run);
    try {
      for await (const step of steps) {
        if (!runs.has(id)) return;
        deliver(run, step);
        while (runs.has(id) && isFull(run)) {
          const { promise, resolve } = Promise.withResolvers<void>();
          goOn = resolve;
          await promise;
        }
      }
      if (runs.delete(id)) post({ type: 'done', run: id });
    } catch (error) {
      if (runs.delete(id)) fail(id, error);
    }
  }

  function pump(run: LocalRun): void {
    try {
      while (runs.has(run.id) && !isFull(run)) {
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

  /** False after a step that waits for nothing, so that other messages get a turn. */
  function deliver(run: Run, step: ScanStep): boolean {
    if ('progress' in step) return false;
    if ('walked' in step) {
      post({ type: 'walked', run: run.id, summary: step.walked });
      return true;
    }
    run.inFlight.push(weightOf(step.items));
    post({ type: 'items', run: run.id, items: step.items });
    return true;
  }

  function fail(run: string, error: unknown): void {
    const code = error instanceof FilesError ? error.code : 'internal';
    post({ type: 'failed', run, code, message: messageOf(error) });
  }

  function projectOf(scanner: FileScanner | RemoteScanner, largestText: number): AnyProject {
    const project = { replica: createReplica(), folders: new Map(), largestText, now };
    return 'scan' in scanner ? { ...project, scanner } : { ...project, scanner };
  }

  function forget(key: string): void {
    const project = projects.get(key);
    projects.delete(key);
    if (project && !isLocal(project)) void project.scanner.close();
  }

  return {
    receive(message: ToScanner): void {
      switch (message.type) {
        case 'open':
          forget(message.project);
          projects.set(message.project, projectOf(open(message.files), message.largestText));
          return;
        case 'close':
          forget(message.project);
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
        case 'read':
          try {
            if (message.type === 'scan') start(message);
            else read(message);
          } catch (error) {
            fail(message.run, error);
          }
          return;
        case 'ack': {
          const run = runs.get(message.run);
          if (!run) return;
          run.inFlight.shift();
          run.goOn();
          return;
        }
        case 'cancel': {
          const run = runs.get(message.run);
          runs.delete(message.run);
          run?.goOn();
        }
      }
    },
  };
}

import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Project } from '../records/scope.ts';
import { readTemplateFiles } from './template-files.ts';
import {
  changeBetween,
  fingerprint,
  fingerprints,
  type TemplateChange,
  type TemplateSet,
  templateSetOf,
} from './template-set.ts';
import { templateState } from './template-state.ts';
import {
  findTemplateRows,
  rememberedTemplates,
  storeTemplates,
  type TemplateAuthor,
} from './templates.store.ts';

export interface TemplateReload extends TemplateChange {
  set: TemplateSet;
  durationMs: number;
}

/** Runs after new templates are in force and before the database mirrors them; a failure is tried again by the next reload. */
export type TemplateListener = (project: Project, change: TemplateChange) => Promise<void> | void;

export interface TemplateRegistry {
  /** The templates in force; read from disk at the first call. */
  of(project: Project): Promise<TemplateSet>;
  /** The templates in force, if they were read already. */
  current(project: Project): TemplateSet | undefined;
  /**
   * Reads the files again and mirrors them. One runs at a time for a project, callers meanwhile share the next one.
   * `author` is recorded for the file whose bytes have this checksum. Not to be awaited by a listener.
   */
  reload(project: Project, author?: { checksum: string; actor: string }): Promise<TemplateReload>;
  onChange(listener: TemplateListener): void;
}

interface Slot {
  set: TemplateSet | undefined;
  running: Promise<TemplateReload> | null;
  next: Promise<TemplateReload> | null;
  /** Actors by the checksum of what they wrote. */
  authors: Map<string, string>;
}

const keyOf = ({ tenantId, projectId }: Project): string => `${tenantId}\n${projectId}`;
const BY_FILE: TemplateAuthor = { source: 'file', actor: null };

/** Keeps each project's templates in memory and mirrors them in its database (spec 1 §2.2). */
export function createTemplateRegistry({ clock, log }: { clock: Clock; log: Log }): TemplateRegistry {
  const slots = new Map<string, Slot>();
  const listeners: TemplateListener[] = [];

  function slotOf(project: Project): Slot {
    const key = keyOf(project);
    let slot = slots.get(key);
    if (!slot) {
      slot = { set: undefined, running: null, next: null, authors: new Map() };
      slots.set(key, slot);
    }
    return slot;
  }

  function report(set: TemplateSet, before: TemplateSet | undefined): void {
    const told = new Set(before?.problems.map((problem) => JSON.stringify(problem)));
    for (const problem of set.problems) {
      if (told.has(JSON.stringify(problem))) continue;
      const place = problem.line === null ? problem.path : `${problem.path}:${problem.line}`;
      log.warn(`template ${place}: ${problem.reason}`);
    }
  }

  async function tell(project: Project, change: TemplateChange): Promise<void> {
    const failures: unknown[] = [];
    for (const listener of listeners) {
      try {
        await listener(project, change);
      } catch (error) {
        log.error(`what follows from changed templates failed: ${messageOf(error)}`);
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  async function load(project: Project, slot: Slot): Promise<TemplateReload> {
    const started = clock.now();
    const before = slot.set;
    const known = before?.files ?? (await rememberedTemplates(project));
    const set = templateSetOf(await readTemplateFiles(project.files, known));
    report(set, before);
    const rows = await findTemplateRows(project);
    const stored = new Map([...rows].map(([type, row]) => [type, fingerprint(row.path, row.file_checksum)]));
    const after = fingerprints(set);
    const mirror = changeBetween(stored, after);
    // Another process may have mirrored what this one has not seen yet: both differences count.
    const change = before ? union(changeBetween(fingerprints(before), after), mirror) : mirror;
    slot.set = set;
    if (sizeOf(change) > 0) await tell(project, change);
    await storeTemplates(
      project,
      [...mirror.added, ...mirror.changed].flatMap((type) => {
        const file = set.files.get(set.types.get(type)?.path ?? '');
        if (!file) return [];
        const actor = slot.authors.get(file.checksum);
        const author: TemplateAuthor = actor === undefined ? BY_FILE : { source: 'api', actor };
        return [{ state: templateState(file), previous: rows.get(type) ?? null, author }];
      }),
      mirror.removed.flatMap((type) => rows.get(type) ?? []),
      isoTime(clock.now()),
    );
    for (const file of set.files.values()) slot.authors.delete(file.checksum);
    return { ...change, set, durationMs: clock.now() - started };
  }

  function start(project: Project, slot: Slot): Promise<TemplateReload> {
    const run = project.database.exclusive(`templates ${project.projectId}`, () => load(project, slot));
    slot.running = run;
    const done = () => {
      if (slot.running === run) slot.running = null;
    };
    run.then(done, done);
    return run;
  }

  function reload(project: Project, slot: Slot): Promise<TemplateReload> {
    if (slot.running === null) return start(project, slot);
    if (slot.next === null) {
      const go = () => {
        slot.next = null;
        return start(project, slot);
      };
      slot.next = slot.running.then(go, go);
    }
    return slot.next;
  }

  return {
    current: (project) => slots.get(keyOf(project))?.set,
    async of(project) {
      const slot = slotOf(project);
      return slot.set ?? (await (slot.running ?? start(project, slot))).set;
    },
    reload(project, author) {
      const slot = slotOf(project);
      if (author) slot.authors.set(author.checksum, author.actor);
      return reload(project, slot);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

const sizeOf = ({ added, removed, changed }: TemplateChange): number =>
  added.length + removed.length + changed.length;

function union(a: TemplateChange, b: TemplateChange): TemplateChange {
  const merge = (one: string[], other: string[]) => [...new Set([...one, ...other])];
  const added = merge(a.added, b.added);
  const removed = merge(a.removed, b.removed);
  const changed = merge(a.changed, b.changed).filter((type) => !added.includes(type));
  return { added, removed, changed };
}

import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, isoTime } from '../../../kit/clock.ts';
import { messageOf } from '../../../kit/errors.ts';
import type { Log } from '../../../kit/log.ts';
import { keyOfProject, type Project } from '../../records/index.ts';
import { rememberedTexts, rememberTexts } from '../rules/rule-texts.ts';
import { templateState } from '../templates/template-state.ts';
import {
  findTemplateRows,
  mirroredTemplates,
  rememberedTemplates,
  storeTemplates,
  type TemplateAuthor,
} from '../templates/templates.store.ts';
import { readTemplateSet } from './read-set.ts';
import {
  changeBetween,
  definitionPrints,
  definitionProblems,
  fingerprint,
  fingerprints,
  type TemplateChange,
  type TemplateSet,
} from './template-set.ts';

export interface TemplateReload extends TemplateChange {
  set: TemplateSet;
  durationMs: number;
}

/** Runs when new templates are in force, before the database mirrors them; the next reload retries after a failure. */
export type TemplateListener = (project: Project, change: TemplateChange) => Promise<void> | void;

export type WrittenListener = (project: Project, path: string) => void;

export type TemplateFollower = (project: Project) => Promise<void>;

/** The longest time that a caller waits for the effects of a change (milliseconds). */
const FOLLOWED_MS = 2_000;

export interface TemplateRegistry {
  /** The templates in force, with their rules; read from disk at the first call. */
  of(project: Project): Promise<TemplateSet>;
  /** The same, read again if another process has mirrored a newer state in the database. */
  upToDate(project: Project): Promise<TemplateSet>;
  /** The templates in force, up to date if they lack one of these types. */
  knowing(project: Project, entityTypes: readonly string[]): Promise<TemplateSet>;
  /** The templates in force, if they have been read already. */
  current(project: Project): TemplateSet | undefined;
  /**
   * Reads the files again and mirrors them. One reload runs at a time per project; calls meanwhile share the next one.
   * `author` is recorded for the file whose bytes have this checksum. Listeners must not await it.
   */
  reload(project: Project, author?: { checksum: string; actor: string }): Promise<TemplateReload>;
  onChange(listener: TemplateListener): void;
  /** Tells of a file that was written or removed and that the registry itself does not read, such as a layout. */
  noteWritten(project: Project, path: string): void;
  onWritten(listener: WrittenListener): void;
  /** Registers work that `followed` waits for: it resolves once the effects of changed definitions are stored. */
  onFollow(follower: TemplateFollower): void;
  /** Resolves when entities reflect the templates and rules in force, or after two seconds. */
  followed(project: Project): Promise<void>;
  isReading(project: Project): boolean;
  /** Forgets a project; its files are read again when it is next asked for. */
  forget(project: Project): void;
}

interface Slot {
  set: TemplateSet | undefined;
  running: Promise<TemplateReload> | null;
  next: Promise<TemplateReload> | null;
  /** Actors by the checksum of the bytes they wrote. */
  authors: Map<string, string>;
}

const BY_FILE: TemplateAuthor = { source: 'file', actor: null };

/** Keeps each project's templates, rules and skills in memory; templates are mirrored in its database (spec 1 §2.2, §2.3, spec 2 §2.3). */
export function createTemplateRegistry({ clock, log }: { clock: Clock; log: Log }): TemplateRegistry {
  const slots = new Map<string, Slot>();
  const listeners: TemplateListener[] = [];
  const writtenListeners: WrittenListener[] = [];
  const followers: TemplateFollower[] = [];

  function slotOf(project: Project): Slot {
    const key = keyOfProject(project);
    let slot = slots.get(key);
    if (!slot) {
      slot = { set: undefined, running: null, next: null, authors: new Map() };
      slots.set(key, slot);
    }
    return slot;
  }

  function report(set: TemplateSet, before: TemplateSet | undefined): void {
    const known = new Set(before && definitionProblems(before).map((problem) => JSON.stringify(problem)));
    for (const problem of definitionProblems(set)) {
      if (known.has(JSON.stringify(problem))) continue;
      const place = problem.line === null ? problem.path : `${problem.path}:${problem.line}`;
      log.warn(`${place}: ${problem.reason}`);
    }
  }

  async function notify(project: Project, change: TemplateChange): Promise<void> {
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

  async function read(project: Project, before: TemplateSet | undefined): Promise<TemplateSet> {
    if (before) {
      const { files: templates, rules, skills } = before;
      return readTemplateSet(project.files, { templates, rules: rules.files, skills: skills.files });
    }
    const templates = await rememberedTemplates(project);
    return readTemplateSet(project.files, { templates, ...(await rememberedTexts(project)) });
  }

  async function load(project: Project, slot: Slot): Promise<TemplateReload> {
    const started = clock.now();
    const before = slot.set;
    const set = await read(project, before);
    report(set, before);
    const rows = await findTemplateRows(project);
    const stored = printsOf(rows);
    const after = fingerprints(set);
    const mirror = changeBetween(stored, after);
    // Another process may have mirrored a change that this one has not seen: both differences count.
    const change = before
      ? union(changeBetween(definitionPrints(before), definitionPrints(set)), mirror)
      : mirror;
    slot.set = set;
    if (sizeOf(change) > 0) await notify(project, change);
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
    const { rules, skills } = set;
    const texts = [...rules.files.values(), ...skills.files.values()];
    const broken = [...rules.problems, ...skills.unreadable];
    await rememberTexts(project, { texts, broken }, slot.authors, isoTime(clock.now()));
    for (const file of [...set.files.values(), ...texts]) slot.authors.delete(file.checksum);
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

  async function of(project: Project): Promise<TemplateSet> {
    const slot = slotOf(project);
    return slot.set ?? (await (slot.running ?? start(project, slot))).set;
  }

  async function upToDate(project: Project): Promise<TemplateSet> {
    const set = await of(project);
    const slot = slotOf(project);
    // A definition that is being read here is not mirrored yet.
    if (slot.running !== null) return set;
    const mirrored = printsOf(await mirroredTemplates(project));
    if (sizeOf(changeBetween(mirrored, fingerprints(set))) === 0) return set;
    return (await reload(project, slot)).set;
  }

  return {
    of,
    upToDate,
    async knowing(project, entityTypes) {
      const set = await of(project);
      return entityTypes.every((type) => set.types.has(type)) ? set : upToDate(project);
    },
    current: (project) => slots.get(keyOfProject(project))?.set,
    reload(project, author) {
      const slot = slotOf(project);
      if (author) slot.authors.set(author.checksum, author.actor);
      return reload(project, slot);
    },
    onChange: (listener) => void listeners.push(listener),
    noteWritten(project, path) {
      for (const listener of writtenListeners) listener(project, path);
    },
    onWritten: (listener) => void writtenListeners.push(listener),
    onFollow: (follower) => void followers.push(follower),
    async followed(project) {
      const timeout = new AbortController();
      const late = pause(FOLLOWED_MS, undefined, { signal: timeout.signal }).catch(() => {});
      await Promise.race([Promise.all(followers.map((follower) => follower(project))), late]);
      timeout.abort();
    },
    isReading: (project) => (slots.get(keyOfProject(project))?.running ?? null) !== null,
    forget: (project) => void slots.delete(keyOfProject(project)),
  };
}

const printsOf = (rows: Awaited<ReturnType<typeof mirroredTemplates>>): Map<string, string> =>
  new Map([...rows].map(([type, row]) => [type, fingerprint(row.path, row.file_checksum)]));

const sizeOf = ({ added, removed, changed }: TemplateChange): number =>
  added.length + removed.length + changed.length;

function union(a: TemplateChange, b: TemplateChange): TemplateChange {
  const merge = (one: string[], other: string[]) => [...new Set([...one, ...other])];
  const added = merge(a.added, b.added);
  const removed = merge(a.removed, b.removed);
  const changed = merge(a.changed, b.changed).filter((type) => !added.includes(type));
  return { added, removed, changed };
}

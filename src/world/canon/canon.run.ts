import {
  type Calendar,
  type CanonFinding,
  canonEntityOf,
  checksOf,
  createWorld,
  dateReader,
  type FindingKind,
  HINT_WORDS,
  isHint,
  keyOf,
  type ReadableEntity,
  type Side,
  type World,
} from '../../content/canon/index.ts';
import { byGravity, createTally, type Finding } from '../../content/findings/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { createPauses } from '../../kit/pauses.ts';
import { cutWithin } from '../../text/cut.ts';

/** The input of the check for an entity: its reply as JSON text, and its file's path. */
export interface CanonSource {
  entity_type: string;
  path: string;
  json: string;
}

export interface Evidence {
  entity_type: string;
  entity_id: string;
  name: string;
  field: string;
  value: unknown;
  file: string;
  path: Side['path'];
}

export interface FoundFinding extends Finding<FindingKind> {
  /** Stable for a contradiction as long as its entities and fields stay. */
  finding_id: string;
  evidence: Evidence[];
}

export interface CanonRun {
  entities: number;
  /** Ordered by severity. */
  findings: FoundFinding[];
  /** Number of findings beyond the limit. */
  omitted: number;
  problems: CanonProblem[];
}

export interface CanonProblem {
  file: string;
  message: string;
  line: number | null;
}

/** Findings per kind, more than anybody reads; further ones are only counted. */
const MOST_FINDINGS = 2_000;
const LONGEST_VALUE = 300;

export interface CheckOptions {
  signal?: AbortSignal;
  /** Receives the number of entities read. */
  onProgress?: (read: number) => void;
}

/** Checks a whole canon and yields to other work every few milliseconds. Throws after an abort. */
export async function checkCanon(
  types: ReadonlyMap<string, TemplateDefinition>,
  calendar: Calendar,
  pages: AsyncIterable<readonly CanonSource[]>,
  { signal, onProgress }: CheckOptions = {},
): Promise<CanonRun> {
  const pause = createPauses(signal);
  const loaded = await load(types, calendar, pages, { pause, onProgress });
  return { ...(await runChecks(loaded, calendar, pause)), problems: unknownHints(types) };
}

type Pause = () => Promise<void> | void;

interface Loaded {
  world: World;
  files: ReadonlyMap<string, string>;
  entities: number;
}

async function load(
  types: ReadonlyMap<string, TemplateDefinition>,
  calendar: Calendar,
  pages: AsyncIterable<readonly CanonSource[]>,
  { pause, onProgress }: { pause: Pause; onProgress: CheckOptions['onProgress'] },
): Promise<Loaded> {
  const world = createWorld();
  const files = new Map<string, string>();
  const read = dateReader(calendar);
  let entities = 0;
  for await (const page of pages) {
    for (const { entity_type, path, json } of page) {
      await pause();
      const template = types.get(entity_type);
      if (template === undefined) continue;
      const entity = canonEntityOf(template, JSON.parse(json) as ReadableEntity, read);
      entities += 1;
      if (entity === null) continue;
      world.add(entity);
      files.set(keyOf(entity), path);
    }
    onProgress?.(entities);
  }
  return { world, files, entities };
}

async function runChecks(
  { world, files, entities }: Loaded,
  calendar: Calendar,
  pause: Pause,
): Promise<Omit<CanonRun, 'problems'>> {
  const check = checksOf(world, calendar);
  const tally = createTally({ keyOf: ({ kind }: FoundFinding) => kind, mostOfEach: MOST_FINDINGS });
  const all = new Set<string>();
  for (const entity of world.inOrder()) {
    await pause();
    for (const finding of check(entity)) {
      const id = sha256Hex(finding.key).slice(0, 16);
      if (all.has(id)) continue;
      all.add(id);
      tally.add(withFiles(id, finding, files));
    }
  }
  const findings = tally.kept.toSorted(byGravity);
  return { entities, findings, omitted: tally.total() - findings.length };
}

const withFiles = (id: string, finding: CanonFinding, files: ReadonlyMap<string, string>): FoundFinding => ({
  finding_id: id,
  kind: finding.kind,
  severity: finding.severity,
  message: finding.message,
  evidence: finding.sides.map(({ entity, path, value }) => ({
    entity_type: entity.type,
    entity_id: entity.id,
    name: entity.name,
    field: path.join('.'),
    value: cutValue(value),
    file: files.get(keyOf(entity)) ?? '',
    path,
  })),
});

function cutValue(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? value : cutWithin(text, LONGEST_VALUE);
}

function unknownHints(types: ReadonlyMap<string, TemplateDefinition>): CanonProblem[] {
  return [...types.values()].flatMap(({ path, fields }) =>
    fields
      .filter(({ config }) => config.canon !== undefined && !isHint(config.canon))
      .map(({ name, config }) => ({
        file: path,
        message: `field_config.${name}.canon is ${JSON.stringify(config.canon)}; known are ${HINT_WORDS.join(', ')}`,
        line: null,
      })),
  );
}

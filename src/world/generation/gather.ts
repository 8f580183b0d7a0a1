import {
  type AskedTarget,
  type ContextEntity,
  type ContextInput,
  type ContextSkill,
  findTarget,
  namedEntities,
  type Target,
} from '../../content/ai/index.ts';
import { readDocument } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { invalid, notFound } from '../../kit/errors.ts';
import { readSettingsFile } from '../canon/index.ts';
import { promptTexts, requireType, type TemplateRegistry, type TemplateSet } from '../definitions/index.ts';
import type { AiCaller } from '../models/index.ts';
import { missingEntity, type Project, type RecordsDb } from '../records/index.ts';
import type { SkillsFor } from '../skills/index.ts';
import { factsOf } from './facts.ts';
import { findDocument, latestOfType, type StoredDocument } from './generation.store.ts';
import { entityOf, surroundingsOf } from './neighbours.ts';

/** Entities that are offered for each type that a reference field may name. */
const MOST_CANDIDATES = 30;
const MOST_REFERRED_TYPES = 6;
const MOST_NAMED = 20;

export interface Wish {
  entity_type: string;
  /** Null proposes a new entity. */
  entity_id: string | null;
  target: AskedTarget;
  instruction: string | null;
  /** Ids of skills; undefined takes those that match. */
  skills: readonly string[] | undefined;
  unknownVariables: ContextInput['unknownVariables'];
  answers: ContextInput['answers'];
}

/** Everything that a context is made of but the model's window. */
export type Gathered = Omit<ContextInput, 'window'> & {
  /** The version that was read; null for a new entity. */
  version: number | null;
  /** The file's head as data; empty for a new entity. */
  data: Record<string, unknown>;
};

export interface GatherOptions {
  templates: TemplateRegistry;
  skillsFor: SkillsFor;
  /** Refuses what the project forbids, and returns what is left of what was not named. */
  allowed(
    project: Project,
    template: TemplateDefinition,
    asked: AskedTarget,
    target: Target,
  ): Promise<Target>;
}

/** Reads what a wish is about, in a few queries. 404 for an unknown type or entity, 422 for a target that does not exist. */
export function createGather({ templates, skillsFor, allowed }: GatherOptions) {
  return async (project: Project, caller: AiCaller, wish: Wish): Promise<Gathered> => {
    const set = await templates.knowing(project, [wish.entity_type]);
    const template = requireType(set, wish.entity_type);
    const document = await documentOf(project, wish);
    const entity = document && entityOf(document);
    const target = await allowed(project, template, wish.target, targetOf(template, entity, wish));
    const data = document === null ? {} : headData(document);
    const skills = await skillsFor(project, caller, {
      contentType: wish.entity_type,
      associated: textsIn(data.associated_skills),
      ...(wish.skills !== undefined && { only: wish.skills }),
    });
    requireSkills(skills, wish.skills);
    const rulesPrompts = promptsOf(set, wish.entity_type);
    const texts = [
      wish.instruction ?? '',
      template.generation_instructions,
      ...rulesPrompts.map(({ system_prompt }) => system_prompt),
      ...skills.flatMap(({ system, task, output_format, examples, user }) => [
        system,
        task,
        output_format,
        examples,
        user,
      ]),
    ];
    const { neighbours, entities, named, candidates } = await project.database.read(
      async (db: RecordsDb) => ({
        ...(document === null
          ? { neighbours: [], entities: [] }
          : await surroundingsOf(db, project, document)),
        named: await namedIn(db, project, texts),
        candidates: await candidatesFor(db, project, set, target),
      }),
    );
    const { settings } = await readSettingsFile(project.files);
    const known = [...(entity === null ? [] : [entity]), ...entities];
    return {
      template,
      rulesPrompts,
      rules: template.rules,
      skills,
      entity,
      neighbours,
      named,
      candidates,
      facts: factsOf(set.types, settings.calendar, known),
      instruction: wish.instruction,
      target,
      answers: wish.answers,
      unknownVariables: wish.unknownVariables,
      version: document?.version ?? null,
      data,
    };
  };
}

async function documentOf(
  project: Project,
  { entity_type: type, entity_id: id }: Wish,
): Promise<StoredDocument | null> {
  if (id === null) return null;
  const found = await project.database.read((db: RecordsDb) => findDocument(db, project, type, id));
  if (found) return found;
  throw missingEntity(type, id);
}

function targetOf(template: TemplateDefinition, entity: ContextEntity | null, { target }: Wish): Target {
  const found = findTarget(template, entity, target);
  if (found.ok) return found.target;
  const { field, message } = found;
  throw invalid(message, { code: 'invalid_target', errors: [{ field, message }] });
}

function headData({ head }: StoredDocument): Record<string, unknown> {
  const read = readDocument(head);
  return read.ok ? read.data : {};
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

function requireSkills(found: readonly ContextSkill[], wanted: readonly string[] | undefined): void {
  const missing = wanted?.find((id) => !found.some(({ skill_id }) => skill_id === id));
  if (missing === undefined) return;
  throw notFound(`There is no enabled skill '${missing}' here: install and enable it, or leave it out`, {
    code: 'no_such_skill',
  });
}

/** They are for other models. */
const FOR_OTHERS: ReadonlySet<string> = new Set(['image_generation', 'voice_generation']);

const promptsOf = (set: TemplateSet, entityType: string): Gathered['rulesPrompts'] =>
  (promptTexts(set, entityType)?.systemPrompts ?? [])
    .filter(({ key }) => !FOR_OTHERS.has(key))
    .map(({ path, text }) => ({ path, system_prompt: text }));

async function namedIn(db: RecordsDb, project: Project, texts: readonly string[]): Promise<ContextEntity[]> {
  const found: ContextEntity[] = [];
  for (const { type, id } of namedEntities(texts).slice(0, MOST_NAMED)) {
    const document = await findDocument(db, project, type, id);
    if (document) found.push(entityOf(document));
  }
  return found;
}

async function candidatesFor(db: RecordsDb, project: Project, set: TemplateSet, { fields }: Target) {
  const wanted = new Set(fields.flatMap(({ reference_type: type }) => (type === undefined ? [] : [type])));
  const found: Gathered['candidates'][number][] = [];
  for (const type of [...wanted].slice(0, MOST_REFERRED_TYPES)) {
    if (set.types.has(type)) found.push(...(await latestOfType(db, project, type, MOST_CANDIDATES)));
  }
  return found;
}

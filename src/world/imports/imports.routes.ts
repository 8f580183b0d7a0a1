import { invalid } from '../../kit/errors.ts';
import { createChecker } from '../../kit/http/validation.ts';
import { ReadyJson, Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import { type Changesets, orAccepted } from '../changesets/index.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import { type Entities, ready } from '../entities/index.ts';
import { type AskedModel, askedModel } from '../models/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { readArchive } from './archive.ts';
import { IMPORT_LIMITS } from './import-file.ts';
import {
  importArchive,
  importEntity,
  importReport,
  Mapping,
  previewImport,
  smartImport,
  Types,
} from './imports.contract.ts';
import type { ImportRequest, Imports } from './imports.service.ts';
import { previewsOf } from './preview.ts';
import { requireText, sourcesOf } from './sources.ts';

type Choices = Record<string, string | null>;

/** What the caller decides by names of the source: the places of its properties, and the types of its notes. */
const choicesOf = ({ mapping = {}, types = {} }: { mapping?: Choices; types?: Choices }) => ({
  mapping: new Map(Object.entries(mapping)),
  types: new Map(Object.entries(types)),
});

const FORM_CHOICES = {
  mapping: { check: createChecker(Mapping), example: { born: 'birth_year', mood: null } },
  types: { check: createChecker(Types), example: { People: 'character', 'Notes/Inn.md': 'location' } },
};

/** Parses such a choice from a form, which sends JSON text. 422 for any other text. */
function parseChoices(name: keyof typeof FORM_CHOICES, text: string | undefined): Choices {
  const { check, example } = FORM_CHOICES[name];
  const map = parsed(text ?? '{}');
  const faults = check(map);
  if (faults === null) return map as Choices;
  throw invalid(`form field '${name}' must be JSON such as ${JSON.stringify(example)}`, {
    code: 'invalid_request',
    errors: faults.map(({ field, message }) => ({ field: field ? `${name}.${field}` : name, message })),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Source = Pick<ImportRequest, 'files' | 'format' | 'refused' | 'origin' | 'mapping' | 'types'>;

function inputOf(
  { entity_type, default_type, include_json, mode = 'skip' }: ImportBody,
  source: Source,
): ImportRequest {
  return { ...source, entityType: entity_type, defaultType: default_type, includeJson: include_json, mode };
}

interface ImportBody {
  entity_type?: string;
  default_type?: string;
  include_json?: boolean;
  mode?: ImportRequest['mode'];
}

interface ImportRoutesOptions {
  projects: Projects;
  templates: TemplateRegistry;
  entities: Entities;
  imports: Imports;
  changesets: Changesets;
}

async function preview(
  { templates, imports }: ImportRoutesOptions,
  project: Project,
  { body }: RouteRequest<typeof previewImport>,
) {
  const { entity_type: entityType, default_type: defaultType, include_json: includeJson } = body;
  const sources = sourcesOf(body);
  const plan = await imports.plan(project, {
    ...sources,
    entityType,
    defaultType,
    includeJson,
    ...choicesOf(body),
    mode: 'skip',
    mostFacts: IMPORT_LIMITS.factsAtOnce,
  });
  const { types } = await templates.of(project);
  return {
    totals: plan.totals,
    notes: await previewsOf(plan, types),
    refused: plan.refused,
    untyped: plan.untyped,
  };
}

async function importOne(
  { entities, imports }: ImportRoutesOptions,
  project: Project,
  request: RouteRequest<typeof importEntity>,
) {
  const { type } = request.params;
  const { content, entity_id: entityId, name, mode } = request.body;
  requireText(content);
  const { note, operation } = await imports.importText(
    project,
    { content, entityType: type, entityId, name, mode },
    request,
  );
  const row = await entities.findRow(project, type, note.entity_id);
  const { body } = await ready(project, row);
  if (!(body instanceof ReadyJson)) throw new Error('an entity is stored as text that is ready to send');
  const rest = JSON.stringify({ report: note, operation });
  return new Reply(new ReadyJson(`{"entity":${body.text},${rest.slice(1)}`), {
    status: note.action === 'create' ? 201 : 200,
  });
}

export function importRoutes(options: ImportRoutesOptions): Route[] {
  const { projects, imports, changesets } = options;

  async function run(
    request: RouteRequest<typeof smartImport> | RouteRequest<typeof importArchive>,
    source: Source,
  ) {
    const { dry_run = false } = request.body;
    const project = await requestProject(projects, request);
    const input = inputOf(request.body, source);
    const author = { actor: request.actor, plan: request.plan };
    if (dry_run) {
      const tried = { ...input, mostFacts: IMPORT_LIMITS.factsAtOnce };
      return { dry_run, ...(await imports.run(project, tried, author, { dryRun: true })) };
    }
    return orAccepted(changesets, project, request, async (onBegin) => ({
      dry_run,
      ...(await imports.run(project, input, author, { onBegin })),
    }));
  }

  /** Writes nothing, with or without `dry_run`: what a model proposes is never taken unseen. */
  async function propose(request: RouteRequest<typeof smartImport>, source: Source, asked: AskedModel) {
    const input = { ...inputOf(request.body, source), mostFacts: IMPORT_LIMITS.factsAtOnce };
    const project = await requestProject(projects, request);
    return { dry_run: true, ...(await imports.propose(project, input, asked)) };
  }

  return [
    route(previewImport, async (request) =>
      preview(options, await requestProject(projects, request), request),
    ),
    route(smartImport, async (request) => {
      const source = { ...sourcesOf(request.body), ...choicesOf(request.body) };
      const asked = askedModel(request);
      return asked ? propose(request, source, asked) : run(request, source);
    }),
    route(importArchive, async (request) => {
      const { mapping, types } = request.body;
      const choices = choicesOf({
        mapping: parseChoices('mapping', mapping),
        types: parseChoices('types', types),
      });
      const { archive } = request.files;
      if (archive === undefined) throw invalid("form field 'archive' is required: send it as a file");
      const { largestText } = await requestProject(projects, request);
      const content = await readArchive(archive.path, { hold: request.holdBytes, largestText });
      return run(request, { ...content, origin: archive.filename, ...choices });
    }),
    route(importReport, async (request) => {
      const project = await requestProject(projects, request);
      const { report, operation } = await imports.report(project, request.params.operation_id);
      const rest = JSON.stringify({ dry_run: false, operation });
      return new ReadyJson(`${report.slice(0, -1)},${rest.slice(1)}`);
    }),
    route(importEntity, async (request) =>
      importOne(options, await requestProject(projects, request), request),
    ),
  ];
}

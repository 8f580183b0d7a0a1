import { type Static, Type } from 'typebox';
import { FINDING_KINDS, type FindingKind } from '../../../content/canon/index.ts';
import { invalid } from '../../../kit/errors.ts';
import { closed, oneOf } from '../../../kit/schemas.ts';
import { canonFindings, checkCanonRoute } from '../../../world/canon/canon.contract.ts';
import { validateAll, validateType } from '../../../world/validation/validation.contract.ts';
import type { Agent } from '../agent.ts';
import { answerOf, fitting, nextOffset, shortened } from './answers.ts';
import { EntityId, EntityType, limitOf, Offset, requireBothOrNeither } from './arguments.ts';
import { defineTool } from './tool.ts';

const USUAL = 20;
const MOST_VALUE = 200;
const KINDS = Object.keys(FINDING_KINDS) as FindingKind[];

export const canonCheckTool = defineTool({
  name: 'canon_check',
  title: 'Check the canon',
  description:
    'Looks for contradictions in story time over the whole world, such as somebody who acts after their death. It checks again only if something changed. Findings name both sides with file and line.',
  role: 'viewer',
  effect: 'reads',
  input: closed({
    entity_type: Type.Optional(EntityType),
    entity_id: Type.Optional(EntityId),
    kind: Type.Optional(oneOf(KINDS)),
    limit: Type.Optional(limitOf(50, USUAL)),
    offset: Type.Optional(Offset),
  }),
  async run({ entity_type, entity_id, kind, limit = USUAL, offset = 0 }, agent) {
    requireBothOrNeither(entity_type, entity_id);
    const query = {
      ...(entity_type !== undefined && { entity: `${entity_type}/${entity_id}` }),
      ...(kind !== undefined && { kind }),
      limit,
      offset,
    };
    const report = await checked(agent, query);
    const { status, progress, error, entities, open, accepted, total } = report;
    const findings = fitting(report.findings.map((finding) => shortened(finding, MOST_VALUE)));
    return answerOf({
      status,
      ...(status === 'running' && { progress, hint: 'Still running: ask again for the new findings' }),
      ...(error !== null && { error }),
      entities_checked: entities,
      open,
      accepted,
      total,
      findings,
      next_offset: nextOffset(offset, findings.length, total),
    });
  },
});

/** The findings of the present state, or of the last one while a long check still runs. */
async function checked(agent: Agent, query: Static<typeof canonFindings.query>) {
  const report = await agent.ask(canonFindings, { query });
  if (report.status === 'done' && !report.stale) return report;
  await agent.ask(checkCanonRoute, { body: { wait: true, limit: 1 } });
  return agent.ask(canonFindings, { query });
}

export const validateTool = defineTool({
  name: 'validate',
  title: 'Validate entities',
  description:
    'Checks entities against the rules and the template of their type: one entity, all of a type, or everything. The gravest findings come first, with file and line.',
  role: 'viewer',
  effect: 'reads',
  input: closed({
    entity_type: Type.Optional(EntityType),
    entity_id: Type.Optional(EntityId),
    errors_only: Type.Optional(Type.Boolean({ description: 'Leave out warnings and hints' })),
    limit: Type.Optional(limitOf(100, USUAL)),
    offset: Type.Optional(Offset),
  }),
  async run({ entity_type, entity_id, errors_only = false, limit = USUAL, offset = 0 }, agent) {
    const report = await validated(agent, entity_type, entity_id, errors_only);
    const page = report.findings.slice(offset, offset + limit);
    const findings = fitting(page.map((finding) => shortened(finding, MOST_VALUE)));
    return answerOf({
      ...('status' in report && { status: report.status }),
      checked: report.checked,
      valid: report.valid,
      counts: report.counts,
      by_rule: report.by_rule.slice(0, USUAL),
      findings_total: report.findings_total,
      findings,
      next_offset: nextOffset(offset, findings.length, report.findings.length),
    });
  },
});

async function validated(agent: Agent, type: string | undefined, id: string | undefined, errors: boolean) {
  if (type !== undefined)
    return agent.ask(validateType, {
      params: { type },
      body: { errors, ...(id !== undefined && { entity_id: id }) },
    });
  if (id === undefined) return agent.ask(validateAll, { body: { errors, wait: true } });
  throw invalid('entity_id needs entity_type', { code: 'invalid_arguments' });
}

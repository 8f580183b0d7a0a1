import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { idFromName } from '../../../content/import/index.ts';
import { closed } from '../../../kit/schemas.ts';
import type { Proposal } from '../../../world/proposals/index.ts';
import { answerOf, shortened } from './answers.ts';
import { EntityId, EntityType, Version } from './arguments.ts';
import { defineTool } from './tool.ts';

const MOST_FINDINGS = 30;
const MOST_VALUE = 300;

const Name = Type.String({ minLength: 1, maxLength: 500 });
const Status = Type.Enum(['active', 'draft', 'archived']);
const Fields = Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
  description: 'Values by field, as describe_type says; null removes a field',
});
const Body = Type.String({ maxLength: 1_000_000, description: 'The whole text, as markdown' });
const About = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'What your whole run is about, for the person who reviews it. It counts with your first change',
});

export const createDraftTool = defineTool({
  name: 'create_draft',
  title: 'Draft a new entity',
  description:
    'Proposes a new entity, in the session’s change set: a person reviews it before it exists. Drafts of one session may refer to each other by their ids. Without markdown_body it gets the text of the template.',
  role: PERMISSIONS.create_entities,
  effect: 'proposes',
  input: closed({
    entity_type: EntityType,
    entity_id: Type.Optional({ ...EntityId, description: 'Made of the name by default' }),
    name: Name,
    status: Type.Optional(Status),
    fields: Type.Optional(Fields),
    markdown_body: Type.Optional(Body),
    about: Type.Optional(About),
  }),
  async run({ entity_type, entity_id, name, status = 'draft', fields = {}, markdown_body, about }, agent) {
    const proposal = await agent.changes.propose({
      entity_type,
      entity_id: entity_id ?? (idFromName(name) || entity_type),
      base_version: null,
      fields: { ...fields, name, status },
      markdown_body: markdown_body ?? null,
      about,
    });
    return proposed(proposal);
  },
});

export const proposeChangeTool = defineTool({
  name: 'propose_change',
  title: 'Propose a change',
  description:
    'Proposes a change of an entity, in the session’s change set: a person reviews it before anything is written. Read the entity first and send its version as base_version; what others change meanwhile is merged. Only the given fields change; markdown_body replaces the whole text.',
  role: PERMISSIONS.edit_entities,
  effect: 'proposes',
  input: closed({
    entity_type: EntityType,
    entity_id: EntityId,
    base_version: { ...Version, description: 'As read_entity says' },
    name: Type.Optional(Name),
    status: Type.Optional(Status),
    fields: Type.Optional(Fields),
    markdown_body: Type.Optional(Body),
    about: Type.Optional(About),
  }),
  async run(
    { entity_type, entity_id, base_version, name, status, fields = {}, markdown_body, about },
    agent,
  ) {
    const proposal = await agent.changes.propose({
      entity_type,
      entity_id,
      base_version,
      fields: { ...fields, ...(name !== undefined && { name }), ...(status !== undefined && { status }) },
      markdown_body: markdown_body ?? null,
      about,
    });
    return proposed(proposal);
  },
});

function proposed({
  proposal_id,
  change_set_id,
  entity_type,
  entity_id,
  findings,
  canon_findings,
}: Proposal) {
  return answerOf({
    proposal_id,
    change_set_id,
    entity_type,
    entity_id,
    findings: findings.slice(0, MOST_FINDINGS),
    canon_findings: shortened(canon_findings.slice(0, MOST_FINDINGS), MOST_VALUE),
    next: 'It waits in the change set. Call finish_changes once everything is proposed',
  });
}

export const finishChangesTool = defineTool({
  name: 'finish_changes',
  title: 'Finish the change set',
  description:
    'Closes the session’s change set and tells what rules and canon say about all of it together. It then waits for a person to accept or reject it; a key with the scope write:direct applies it at once, as one operation with one undo. Later changes open a new change set.',
  role: PERMISSIONS.edit_entities,
  effect: 'proposes',
  input: closed({}),
  async run(_input, agent) {
    const { findings, canon_findings, operation, ...set } = await agent.changes.finish();
    return answerOf({
      ...set,
      findings: findings.slice(0, MOST_FINDINGS),
      canon_findings: shortened(canon_findings.slice(0, MOST_FINDINGS), MOST_VALUE),
      ...(operation === null
        ? { next: 'A person reviews it now: tell the user that it waits under Change sets' }
        : {
            operation_id: operation.operation_id,
            operation_status: operation.status,
            applied: operation.applied,
            skipped: operation.skipped,
            next: 'It is applied. One undo of the operation takes all of it back',
          }),
    });
  },
});

import { Type } from 'typebox';
import { conflict } from '../../../kit/errors.ts';
import { closed } from '../../../kit/schemas.ts';
import { getChangeSet } from '../../../world/proposals/change-sets/change-sets.contract.ts';
import type { Proposal } from '../../../world/proposals/index.ts';
import { getProposal } from '../../../world/proposals/proposals.contract.ts';
import type { Agent } from '../agent.ts';
import { answerOf, fitting, nextOffset, shortened, textPage } from './answers.ts';
import { limitOf, Offset } from './arguments.ts';
import { defineTool } from './tool.ts';

const USUAL = 20;
const MOST_FINDINGS = 30;
const MOST_FIELDS = 50;
const MOST_VALUE = 300;

const Id = Type.String({ minLength: 1, maxLength: 100 });

export const readChangesTool = defineTool({
  name: 'read_changes',
  title: 'Read proposed changes',
  description:
    'What a change set proposes, what rules and canon say against all of it together, and what people have decided so far. Without arguments it is the one that your session has open. With proposal_id it is one proposal in full: each field and each block of lines, before and after.',
  role: 'viewer',
  effect: 'reads',
  input: closed({
    change_set_id: Type.Optional({ ...Id, description: 'Another change set, such as one that is finished' }),
    proposal_id: Type.Optional({ ...Id, description: 'One proposal, in full' }),
    limit: Type.Optional(limitOf(20, USUAL)),
    offset: Type.Optional(Offset),
  }),
  async run({ change_set_id, proposal_id, limit = USUAL, offset = 0 }, agent) {
    if (proposal_id !== undefined) return proposalPage(agent, proposal_id, offset);
    const id = change_set_id ?? (await agent.session.changeSetId());
    if (id === null)
      throw conflict('This session has no open change set: name one by its change_set_id', {
        code: 'nothing_changed',
      });
    const set = await agent.ask(getChangeSet, { params: { id }, query: { limit, offset } });
    const { title, status, counts, operation_id, total, findings, canon_findings } = set;
    const proposals = fitting(set.proposals.map(summaryOf));
    return answerOf({
      change_set_id: id,
      title,
      status,
      counts,
      operation_id,
      total,
      proposals,
      findings: shortened(findings.slice(0, MOST_FINDINGS), MOST_VALUE),
      canon_findings: shortened(canon_findings.slice(0, MOST_FINDINGS), MOST_VALUE),
      next_offset: nextOffset(offset, proposals.length, total),
    });
  },
});

type Summarized = Pick<
  Proposal,
  'proposal_id' | 'entity_type' | 'entity_id' | 'base_version' | 'status' | 'fields' | 'markdown_body'
>;

const summaryOf = (proposal: Summarized) => {
  const { proposal_id, entity_type, entity_id, base_version, status, fields, markdown_body } = proposal;
  const names = Object.keys(fields).slice(0, MOST_FIELDS);
  return {
    ...{ proposal_id, entity_type, entity_id, base_version, status },
    fields: shortened(names, MOST_VALUE),
    blocks: markdown_body.length,
  };
};

async function proposalPage(agent: Agent, id: string, offset: number) {
  const proposal = await agent.ask(getProposal, { params: { id } });
  const { proposal_id, change_set_id, entity_type, entity_id, status, fields, markdown_body } = proposal;
  const { text, next_offset } = textPage(JSON.stringify({ fields, markdown_body }, null, 1), offset);
  const data = { proposal_id, change_set_id, entity_type, entity_id, status, next_offset };
  return { texts: [JSON.stringify(data), text], data: { ...data, content: text } };
}

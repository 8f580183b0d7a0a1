import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewProposal, Proposal } from '../../src/world/proposals/proposal.ts';
import { openedProject, type TestCore } from './core.ts';

export const PROPOSAL_ORIGIN: NewProposal['origin'] = {
  kind: 'generate',
  provider: 'installation',
  model: 'llama3.1:8b',
  agent: null,
  skills: ['character_writer'],
  prompt_hash: 'abc',
  instruction: 'Give her a trade',
  sources: [{ kind: 'template', ref: 'CHARACTER', label: 'Character' }],
  usage: { inputTokens: 10, outputTokens: 5 },
  credits: 1,
  parents: [],
};

export interface DecidedReply {
  proposal: Proposal;
  version: number | null;
  merged: boolean;
  code?: string;
  conflicts?: { field: string; present: string; proposed: string }[];
}

interface Revision {
  version: number;
  source: string;
  operation_id: string | null;
}

/** Characters of a core, proposals about them, and what became of both. */
export function proposalTools(core: TestCore) {
  const fileOf = (id: string) => join(core.contentDir, 'Characters', id, `CH_${id}.md`);
  return {
    fileOf,
    textOf: (id: string): string => readFileSync(fileOf(id), 'utf8'),

    async make(id: string, more: object = {}): Promise<void> {
      const body = {
        entity_id: id,
        name: 'Mira',
        fields: { species: 'human' },
        markdown_body: '# Mira\n\nOne.\n\nTwo.\n\nThree.\n',
        ...more,
      };
      const made = await core.call('POST', '/api/entity/character', { body });
      if (made.status !== 201) throw new Error(made.text);
    },

    propose: (entity_id: string, more: Partial<NewProposal>): Promise<Proposal> =>
      core.proposals.create(openedProject(core), 'ada', {
        entity_type: 'character',
        entity_id,
        base_version: 1,
        fields: {},
        markdown_body: null,
        origin: PROPOSAL_ORIGIN,
        findings: [],
        change_set_id: null,
        ...more,
      }),

    decide: (id: string, how: 'accept' | 'reject' | 'undo', body?: object, headers = {}) =>
      core.call<DecidedReply>('POST', `/api/ai/proposals/${id}/${how}`, { ...(body && { body }), headers }),

    put: (id: string, body: object) => core.call('PUT', `/api/entity/character/${id}`, { body }),

    async revisions(id: string): Promise<Revision[]> {
      const url = `/api/entity/character/${id}/revisions`;
      return (await core.call<{ revisions: Revision[] }>('GET', url)).body.revisions;
    },
  };
}

import { type Clock, isoTime } from '../../../kit/clock.ts';
import { conflict } from '../../../kit/errors.ts';
import type { RouteCaller } from '../../../kit/http/route-calls.ts';
import type { ChangeSets, NewProposal, ProposalOrigin, Proposals } from '../../../world/proposals/index.ts';
import type { Project } from '../../../world/records/index.ts';
import type { AgentChanges, AgentSession } from '../agent.ts';
import type { WithProject } from '../with-project.ts';

export interface ChangesOptions {
  withProject: WithProject;
  proposals: Proposals;
  changeSets: ChangeSets;
  clock: Clock;
}

export type ChangesFor = (caller: RouteCaller, session: AgentSession) => AgentChanges;

const JUDGED = { limit: 1, offset: 0 };

/**
 * The changes of a session: proposals in one change set, which its first change opens. Finishing leaves the set to people, or accepts it
 * as one operation if the key may write directly. So the whole run has one review and one undo.
 */
export function createChanges({ withProject, proposals, changeSets, clock }: ChangesOptions): ChangesFor {
  /** One set a session, also for changes that arrive at once at several cores. */
  const setOf = (project: Project, caller: RouteCaller, session: AgentSession, about: string | undefined) =>
    project.database.exclusive(`agent ${session.id}`, async () => {
      const known = await session.changeSetId();
      if (known !== null) return known;
      const title = about ?? `${session.client}, ${isoTime(clock.now()).slice(0, 16).replace('T', ' ')}`;
      const opened = await changeSets.open(project, caller.actor, { title, agent: session.client });
      await session.keepChangeSet(opened.change_set_id);
      return opened.change_set_id;
    });

  return (caller, session) => ({
    propose: ({ about, ...change }) => {
      const propose = async (project: Project) => {
        const change_set_id = await setOf(project, caller, session, about);
        const proposal: NewProposal = { ...change, origin: originOf(session), findings: [], change_set_id };
        return proposals.create(project, caller.actor, proposal);
      };
      return withProject(caller, propose, { create: true });
    },

    finish: () =>
      withProject(caller, async (project) => {
        const id = await session.changeSetId();
        if (id === null)
          throw conflict('This session has changed nothing yet: use create_draft or propose_change first', {
            code: 'nothing_changed',
          });
        const { findings, canon_findings } = await changeSets.get(project, id, JUDGED);
        const { actor, plan, principal } = caller;
        const operation = principal?.apiKey?.mayWriteDirectly
          ? await changeSets.accept(project, { actor, plan }, id)
          : null;
        await session.keepChangeSet(null);
        const { title, status, counts } = await changeSets.get(project, id, JUDGED);
        return { change_set_id: id, title, status, counts, findings, canon_findings, operation };
      }),
  });
}

const originOf = ({ client }: AgentSession): ProposalOrigin => ({
  kind: 'agent',
  provider: null,
  model: null,
  agent: client,
  skills: [],
  prompt_hash: null,
  instruction: null,
  sources: [],
  usage: null,
  credits: 0,
  parents: [],
});

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type AgentClient, connectAgent } from '../../../test/support/agent-client.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { listen } from '../../../test/support/listen.ts';
import { type People, startPeople } from '../../../test/support/people.ts';

const SKILLS = {
  namer: 'description: Names as sailors give them\nprompts: { system: Names first., task: Name it. }',
  patron: 'min_tier: enterprise\nprompts: { system: For patrons. }',
  retired: 'enabled: false\nprompts: { system: Long ago. }',
  refused: 'prompts: { system: Not for everybody. }',
};

forEachDatabase((_name, open) => {
  describe('prompts of skills', () => {
    let people: People;
    let address: string;
    let agent: AgentClient;
    before(async () => {
      people = await startPeople({ open, content: 'templates', env: { LOCAL_PLAN: 'indie' } });
      mkdirSync(join(people.contentDir, '_Skills/Custom'), { recursive: true });
      for (const [id, text] of Object.entries(SKILLS))
        writeFileSync(
          join(people.contentDir, `_Skills/Custom/${id}.yml`),
          `skill_id: ${id}\nname: ${id} skill\n${text}\n`,
        );
      for (const [path, body] of [
        ['/api/entity/sync/all'],
        ['/api/agent-skills/registry', { skill_id: 'refused', name: 'Refused' }],
      ] as const)
        assert.ok((await people.ask(people.cast.owner, 'POST', path, body)).status < 300);
      const { editor } = people.cast;
      for (const [path, body] of [['install', { skill_id: 'refused' }], ['refused/disable']] as const) {
        const reply = await people.ask(editor, 'POST', `/api/agent-skills/tenant/${path}`, body);
        assert.equal(reply.status, 200, reply.text);
      }
      address = await listen(people);
      agent = await connectAgent(address, editor.token);
    });
    after(async () => {
      await agent.close();
      await people.close();
    });
    const messages = async (name: string, given: Record<string, string> = { request: 'a ferryman' }) =>
      JSON.stringify((await agent.client.getPrompt({ name, arguments: given })).messages);

    test('a skill of the project is one; a disabled one, one above the plan, and one that the caller disabled are none', async () => {
      const { prompts } = await agent.client.listPrompts();
      const ours = prompts.filter(({ name }) => Object.keys(SKILLS).some((id) => name.includes(id)));
      assert.deepEqual(
        ours.map(({ name, title, description }) => [name, title, description]),
        [['skill_namer', 'namer skill', 'Names as sailors give them']],
      );
      assert.ok(prompts.some(({ name }) => name === 'skill_canon_guard'));
      assert.ok(prompts.some(({ name }) => name === 'write_character'));
      for (const id of ['patron', 'retired', 'refused', 'nobody', ''])
        await assert.rejects(messages(`skill_${id}`), /There is no prompt/, id);
    });

    test('it carries what the skill says and the request', async () => {
      assert.match(await messages('skill_namer'), /Names first\..*## Task.*Name it\..*a ferryman/);
      await assert.rejects(messages('skill_namer', {}), /needs the argument 'request'/);
    });

    test('looking for prompts in a project that does not exist makes none', async () => {
      const elsewhere = await connectAgent(address, people.cast.editor.token, {
        headers: { 'x-project-id': 'sequel' },
      });
      await assert.rejects(elsewhere.client.listPrompts(), /There is no project 'sequel'/);
      await assert.rejects(
        elsewhere.client.getPrompt({ name: 'skill_namer', arguments: { request: 'x' } }),
        /There is no project 'sequel'/,
      );
      await elsewhere.close();
    });

    test('what one person disabled is there for another', async () => {
      const other = await connectAgent(address, people.cast.viewer.token);
      const { prompts } = await other.client.listPrompts();
      await other.close();
      assert.ok(prompts.some(({ name }) => name === 'skill_refused'));
    });
  });
});

import type { Prompt } from '@modelcontextprotocol/sdk/types.js';
import { cutAfter } from '../../../text/cut.ts';
import type { Agent } from '../agent.ts';

const PREFIX = 'skill_';
const MOST_SKILLS = 200;
const MOST_DESCRIPTION = 300;
const MOST_CHARACTERS = 40_000;

/** One prompt for each skill that the caller may use. */
export async function listSkillPrompts({ skills }: Agent): Promise<Prompt[]> {
  const all = await skills.list();
  return all.slice(0, MOST_SKILLS).map(({ skill_id, name, description }) => ({
    name: `${PREFIX}${skill_id}`,
    title: cutAfter(name, MOST_DESCRIPTION),
    description: cutAfter(description || `Work as the skill ${name} says`, MOST_DESCRIPTION),
    arguments: [{ name: 'request', description: 'What to do, in a sentence or two', required: true }],
  }));
}

/** The text before the request; null for a name that is no skill's. */
export async function skillPromptText({ skills }: Agent, name: string): Promise<string | null> {
  if (!name.startsWith(PREFIX)) return null;
  const text = await skills.text(name.slice(PREFIX.length));
  if (text === null) return null;
  return [
    'Work on this world as the skill says. Read it with search and read_entity; propose what you change with create_draft and propose_change.',
    `The skill:\n${cutAfter(text, MOST_CHARACTERS)}`,
  ].join('\n\n');
}
